"""Sessions played in memory, and the truth of the simulated patients in them: what the wide studies share."""

from __future__ import annotations

import asyncio

import numpy as np

from turnwise.core.measure import truth_series
from turnwise.core.nouns import Trajectory
from turnwise.engine.batch import default_cast, play_many
from turnwise.engine.study import resolve_study

__all__ = ["CASES", "Sessions", "level", "played"]

CASES = ("alun", "keisha", "tobias")
"""The three oldest cases, which the controller was made with."""
Sessions = dict[tuple[str, str, int], Trajectory]
"""By therapist, case and epoch."""


def played(*therapists: str, epochs: int, turns: int = 20, cases: tuple[str, ...] = CASES) -> Sessions:
    """Play every therapist with every case."""
    study = resolve_study(therapists=therapists, patients=cases, seed=1, epochs=epochs, turns=turns)
    found: list[Trajectory] = []
    asyncio.run(play_many(study.specs(), default_cast(study), on_done=found.append))
    assert not [t.error for t in found if t.error]
    specs = [(t, t.spec) for t in found]
    return {(s.therapist.partition(".")[0], s.case, s.epoch): t for t, s in specs if s is not None}


def level(t: Trajectory, key: str) -> float:
    return float(np.mean([v for _, v in truth_series(t, f"state.{key}")]))
