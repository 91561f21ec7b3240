"""How soon patients open up: the turn at which something guarded, and something secret, is first told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from turnwise.core.nouns import Case, Score, Trajectory, unscored

__all__ = ["EARLIEST", "first_told", "levels_of", "told_too_soon", "usual_turn"]

EARLIEST: Mapping[int, int] = {2: 4, 3: 11}
"""First patient turn (from 1) at which something guarded (2) and something secret (3) may come unasked.

A secret only after turn 10: shared/patients.md 3.4. Three turns before anything guarded: ours; no human
figure is known.
"""


def levels_of(case: Case) -> dict[str, int]:
    """Return the level of every telling of a case by its id (0 open to 3 secret); empty for other kinds of case."""
    tellings: Any = case.truth.get("tellings") or ()
    return {str(t["id"]): int(t["level"]) for t in tellings if isinstance(t, dict) and "level" in t}


def first_told(t: Trajectory, levels: Mapping[str, int], least: int) -> int | None:
    """Return the patient turn (from 1) at which a telling of at least a level is first told, ``None`` if never.

    What is said of danger to self when asked outright does not count: an honest answer there is never
    too soon.
    """
    number = 0
    for i, turn in enumerate(t.turns):
        if turn.speaker != "patient":
            continue
        number += 1
        said: Any = t.info(i).get("said") or {}
        if said.get("kind") != "risk" and levels.get(str(said.get("telling")), -1) >= least:
            return number
    return None


def _has_truth(ts: Sequence[Trajectory]) -> bool:
    return any(isinstance(t.info(i).get("said"), dict) for t in ts for i in range(len(t.turns)))


def told_too_soon(ts: Sequence[Trajectory], levels: Mapping[str, int]) -> Score:
    """Return the share of sessions in which something is told before its time.

    Definition: a telling of level 2 or above before patient turn 4, or of level 3 before turn 11, not
    counting answers about danger to self. Not whether it was *earned*: the gate on openness is tested
    in the patients' own room.

    Returns
    -------
    Share in [0, 1]; n = sessions. Undefined (``needs_truth``): the record does not say what was told,
    or the case has no levels.

    Source
    ------
    Language-model patients open up too soon: PatientAct, VERA-MH (anchors 1.4). Turns: ``EARLIEST``.
    """
    if not levels or not _has_truth(ts):
        return unscored("needs_truth", "what is told, and how guarded it is, is not in the record")
    soon = [
        any((at := first_told(t, levels, least)) is not None and at < turn for least, turn in EARLIEST.items())
        for t in ts
    ]
    return Score(sum(soon) / len(soon), len(soon))


def usual_turn(ts: Sequence[Trajectory], levels: Mapping[str, int], least: int) -> Score:
    """Return the median patient turn (from 1) of the first telling of at least a level, among sessions that have one.

    n = sessions that have one; ``detail`` says of how many. Not a speed: sessions in which it never
    comes are named, not averaged. Undefined: without truth (``needs_truth``), or never told
    (``no_denominator``).
    """
    if not levels or not _has_truth(ts):
        return unscored("needs_truth", "what is told, and how guarded it is, is not in the record")
    turns = [at for t in ts if (at := first_told(t, levels, least)) is not None]
    if not turns:
        return unscored("no_denominator", f"never told in {len(ts)} sessions")
    detail = f"told in {len(turns)} of {len(ts)} sessions, first at turn {min(turns)}"
    return Score(float(np.median(turns)), len(turns), detail=detail)
