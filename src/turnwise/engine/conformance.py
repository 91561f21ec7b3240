"""Play the conformance gate: one patient against the fixed panel, scripts, interviews and unplanned turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.random import Generator

from turnwise.batteries.conformance.asking import Interview, interviews
from turnwise.batteries.conformance.fitting import Unplanned
from turnwise.batteries.conformance.played import Played
from turnwise.core.errors import BoundaryError
from turnwise.core.nouns import Case, Course, Intake, Reply, SessionSpec, Trajectory, Transcript
from turnwise.core.registry import THERAPISTS
from turnwise.engine.batch import play_many
from turnwise.engine.casting import Calls, opened_cast
from turnwise.engine.conformance_turns import frozen_turns
from turnwise.engine.discovery import discover
from turnwise.engine.microbatch import BatchedEar
from turnwise.engine.patient_names import parted
from turnwise.engine.ratings import DEFAULT_BUNDLE, Readers, in_bundle
from turnwise.engine.stage import Plain, Stage
from turnwise.engine.store import RunFolder
from turnwise.engine.study import Cast, cast_of, resolve_study

__all__ = ["FAMILY", "PANEL", "Panel", "Scripted", "coders", "play_case", "play_family", "play_shipped"]

PANEL: tuple[str, ...] = ("socratic", "reflector", "advisor", "eliza", "parrot", "silent")
FAMILY = "stateful.v1"
_ITEMS = ("therapist_behaviour", "question_type", "reflection_depth", "input_type", "client_talk")
_OPENING = "Hello. What brings you here today?"
_PER_SESSION = 7
"""Unplanned turns a session, short or long: planned moments come later on, so both have to stand equally late."""


class Scripted:
    """A therapist who says the given lines in order, whatever the patient says. Its state is the next line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = tuple(lines)

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> int:
        """Start at the first line."""
        return 0

    async def respond(self, state: int, transcript: Transcript, rng: Generator) -> Reply[int]:
        """Say the next line."""
        return Reply(self._lines[state], state + 1)


@dataclass(frozen=True, slots=True)
class Panel:
    """What is played: how many seeds, how many therapist turns, and the lines nobody planned for.

    ``seeds`` are epochs under one ``seed``: each has luck of its own, the same for every therapist.
    """

    seeds: int = 20
    turns: int = 20
    seed: int = 1
    unplanned: tuple[Unplanned, ...] = field(default_factory=lambda: frozen_turns().unplanned)
    script: tuple[str, ...] = field(default_factory=lambda: frozen_turns().script)
    source: str = "written"


def coders() -> Readers:
    """Return the coders that the gate's figures are read with; a coder that cannot load leaves them undetermined."""
    return Readers({e.name: e.obj() for e in in_bundle(DEFAULT_BUNDLE) if e.spec["item"] in _ITEMS})


def _groups(turns: Sequence[Unplanned]) -> list[tuple[Unplanned, ...]]:
    found: list[tuple[Unplanned, ...]] = []
    for length in ("short", "long"):
        own = [u for u in turns if u.length == length]
        found += [tuple(own[i : i + _PER_SESSION]) for i in range(0, len(own), _PER_SESSION)]
    return found


@dataclass(frozen=True, slots=True)
class _Plan:
    """Sessions to be played with one patient, and who is who in them."""

    case: Case
    patient: str
    panel: Panel
    specs: list[SessionSpec] = field(default_factory=list)
    scripts: dict[str, Scripted] = field(default_factory=dict)

    def add(self, therapist: str, epochs: int, turns: int) -> list[str]:
        """Plan sessions with one therapist; return their names."""
        new = [
            SessionSpec(
                case=self.case.id,
                patient=self.patient,
                therapist=therapist,
                seed=self.panel.seed,
                epoch=epoch,
                max_turns=turns,
            )
            for epoch in range(epochs)
        ]
        self.specs.extend(new)
        return [s.session_id for s in new]

    def script(self, name: str, lines: Sequence[str], epochs: int) -> list[str]:
        """Plan sessions with fixed lines; return their names."""
        self.scripts[f"script_{name}"] = Scripted(lines)
        return self.add(f"script_{name}", epochs, len(lines))


def play_case(
    case: Case,
    patient: tuple[str, Any],
    therapists: Mapping[str, Any],
    panel: Panel,
    readers: Readers | None = None,
    on_session: Callable[[Trajectory], None] | None = None,
    *,
    stage: Stage | None = None,
) -> Played:
    """Play everything the gate needs of one patient, and read the panel's sessions.

    Parameters
    ----------
    case : who the patient is.
    patient : its registered name, and the participant itself.
    therapists : the panel's therapists by name.
    panel : seeds, turns and lines.
    readers : the coders; ``None`` leaves the sessions unread, and what needs a reading undetermined.
    on_session : called with each session as it ends.
    stage : where it is played; a patient that speaks through a model brings one.

    Raises
    ------
    BoundaryError : a session ended in an error; a patient that breaks cannot be measured.
    """
    plan = _Plan(case, patient[0], panel)
    with_panel = [name for t in therapists for name in plan.add(t, panel.seeds, panel.turns)]
    alike = plan.script("alike", panel.script, panel.seeds)
    asked = interviews(case)
    interviewed = [plan.script(f"interview_{i}", x.lines, 1)[0] for i, x in enumerate(asked)]
    groups = [g for g in _groups(panel.unplanned) for _ in range(panel.seeds)]
    unplanned: list[str] = []
    for i, group in enumerate(_groups(panel.unplanned)):
        unplanned += plan.script(f"unplanned_{i}", [_OPENING, *(u.text for u in group)], panel.seeds)
    cast = Cast({**therapists, **plan.scripts}, {plan.patient: patient[1]}, {case.id: case}, stage or Plain())
    found = _play(plan, cast, on_session)
    sessions = [found[name] for name in with_panel]
    return Played(
        case=case,
        panel=tuple(readers.rate(sessions) if readers is not None else sessions),
        alike=tuple(found[name] for name in alike),
        interviews=_paired(asked, [found[name] for name in interviewed]),
        unplanned=tuple(zip(groups, (found[name] for name in unplanned), strict=True)),
    )


def _paired(asked: Sequence[Interview], ts: Sequence[Trajectory]) -> tuple[tuple[Interview, Trajectory], ...]:
    return tuple(zip(asked, ts, strict=True))


def _play(plan: _Plan, cast: Cast, on_session: Callable[[Trajectory], None] | None) -> dict[str, Trajectory]:
    found: dict[str, Trajectory] = {}

    def done(t: Trajectory) -> None:
        found[t.session_id] = t
        if on_session:
            on_session(t)

    asyncio.run(play_many(plan.specs, cast, on_done=done))
    broken = next((t for t in found.values() if t.ending == "error"), None)
    if broken is not None:
        raise BoundaryError(f"{broken.session_id}: {broken.error}")
    return found


def play_shipped(
    name: str, panel: Panel, readers: Readers, on_session: Callable[[Trajectory], None] | None = None
) -> Played:
    """Play the gate with a case that ships, in the default family, against the panel's own therapists."""
    from turnwise.reading.ears.direct import hear_block

    discover()
    study = resolve_study(therapists=PANEL, patients=(f"{FAMILY}:{name}",), seed=panel.seed)
    cast = cast_of(study, BatchedEar(hear_block))
    therapists = {THERAPISTS.get(t).name: cast.therapists[t] for t in study.therapists}
    patient = (FAMILY, cast.patients[FAMILY])
    return play_case(cast.cases[name], patient, therapists, panel, readers, on_session)


def play_family(
    patient: str,
    panel: Panel,
    readers: Readers,
    calls: Calls,
    folder: Path,
    on_session: Callable[[Trajectory], None] | None = None,
) -> Played:
    """Play the gate with a patient of any family (``family:case``, ``family:model:case``).

    ``calls`` says how its model is called; every answer is kept in ``folder``, so that a gate that was interrupted
    goes on where it was and is never paid for twice.

    Raises
    ------
    UsageError, RegistryError : there is no such patient, or its model cannot be reached.
    BoundaryError : a session ended in an error.
    """
    study = resolve_study(therapists=PANEL, patients=(patient,), seed=panel.seed, calls=calls.settings)
    family, name = parted(study.patients[0])
    with RunFolder(folder).claimed(), opened_cast(study, folder, calls) as cast:
        return play_case(
            cast.cases[name],
            (family, cast.patients[family]),
            cast.therapists,
            panel,
            readers,
            on_session,
            stage=cast.stage,
        )
