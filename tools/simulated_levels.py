"""Sessions with simulated patients as the Socratic therapist's tracker sees them: signs, acts, and the truth beside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.contracts import Patient
from turnwise.core.nouns import FloatArray, SessionSpec, Trajectory
from turnwise.core.play import play
from turnwise.core.registry import PATIENTS
from turnwise.engine.discovery import discover
from turnwise.patients.casebook import load_case
from turnwise.patients.change_sizes import At, Sizes, sizes_at
from turnwise.patients.stateful import Family, Stateful
from turnwise.reading.ears.direct import DirectEar, hear_block
from turnwise.therapists.choosing import ACTS, Policy
from turnwise.therapists.socratic import Socratic
from turnwise.therapists.stance import signs_in
from turnwise.therapists.standing_by import takes_up
from turnwise.therapists.tracking.levels import VARIABLES, act_group, observed
from turnwise.therapists.tracking.taking_in import take_in, window_of
from turnwise.therapists.tracking.talking_here import answered_here

TRUTH = {"conviction": "conviction", "openness": "openness", "bond": "trust", "task": "tasks", "goal": "goals",
         "distress": "distress", "reactance": "reactance", "edge": "edge"}  # fmt: skip
"""Where the truth of each variable stands in what a simulated patient emits."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One session: what each patient turn showed, the group of the act it answers, the true levels (T, variables)."""

    shown: tuple[dict[str, str | None], ...]
    groups: tuple[str, ...]
    level: FloatArray
    case: str


def banded(level: FloatArray, cuts: FloatArray) -> npt.NDArray[np.int64]:
    """Return the place of each level between the cuts."""
    return np.searchsorted(cuts, level, side="right").astype(np.int64)


def seen_in(t: Trajectory) -> Seen:
    """Return what a tracker sees of a session, with the truth of it."""
    at = [i for i, turn in enumerate(t.turns) if turn.speaker == "patient"]
    taken = [take_in(t.turns[: i + 1]) for i in at]
    windows = [window_of(t.turns[: i + 1], x) for i, x in zip(at, taken, strict=True)]
    shown, groups = [], []
    lengths: tuple[int, ...] = ()
    for i, x, hearing in zip(at, taken, hear_block(windows), strict=True):
        signs = signs_in(x.main, hearing, lengths, feeling=bool(x.heard.feelings))
        lengths = (*lengths, signs.n_words)
        act = t.infos[i - 1].get("act")
        move = str(act["move"]) if isinstance(act, dict) else ""
        kind = ACTS[move].kind if move in ACTS else "support"
        up = takes_up((move,), signs, x.heard.text)
        here = answered_here(x.main) if move == "check_in" else None
        shown.append(observed(signs, x.call, pressed=kind in ("challenge", "offer"), taken_up=up, here=here))
        groups.append(act_group(move, kind))
    level = [[level_of(t.infos[i]["state"], v) for v in VARIABLES] for i in at]
    return Seen(tuple(shown), tuple(groups), np.array(level), t.spec.case if t.spec else "")


def level_of(state: Any, variable: str) -> float:
    """Return the true level of one variable."""
    return float(state[TRUTH[variable]])


def _towards(end: At) -> Callable[[Generator], Sizes]:
    """Return people whose sizes of change lie together on one side of what is likeliest, drawn for each of them.

    Sizes of one person are surely not independent (``drawn_sizes``): some are moved little by anything, some a lot.
    """
    far, near = sizes_at(end), sizes_at("value")

    def sizes(rng: Generator) -> Sizes:
        share = float(np.sqrt(rng.random()))  # most of them far out
        return Sizes(end, {k: v + share * (far.of[k] - v) for k, v in near.of.items()})

    return sizes


TOGETHER: Mapping[str, At] = {"moved_little": "low", "moved_much": "high"}
"""Kinds of people that are no family of their own: all sizes on one side, by the end towards which they lie."""


def _patient(family: str, ear: DirectEar) -> tuple[str, Patient[Any]]:
    if family in TOGETHER:
        return f"{family}.v1", Stateful(ear, Family(sizes=_towards(TOGETHER[family])))
    registered = PATIENTS.get(family)
    return registered.name, registered.obj(ear=ear)


def played(family: str, cases: Iterable[str], *, epochs: int, seed: int, noise: float, turns: int = 20) -> list[Seen]:
    """Play an exploring Socratic therapist, whose acts are drawn with much noise, and return what it could see."""
    discover()
    ear = DirectEar()
    name, patient = _patient(family, ear)
    who = Socratic(ear, Policy(tracks=False, noise=noise, assumes=0.5))
    out = []
    for case in cases:
        for epoch in range(epochs):
            spec = SessionSpec(case=case, patient=name, therapist="exploring", seed=seed, epoch=epoch, max_turns=turns)
            session = asyncio.run(play(spec, load_case(case), patient, who))
            if session.ending == "error":
                raise RuntimeError(f"{session.session_id}: {session.error}")
            out.append(seen_in(session))
    return out
