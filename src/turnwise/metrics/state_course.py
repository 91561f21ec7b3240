"""The course of a simulated patient's state, and what becomes of it when the patient leaves early.

A session that ended because the patient left or faded must never look better for having ended
early. Its last value is carried forward to the planned length, and the score is the *worse* of
the two readings: the turns that were held, and the carried series. Either alone could flatter (a
good last value carried for long; a steep decline that carrying flattens).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from turnwise.core.measure import truth_series
from turnwise.core.nouns import FloatArray, Score, Trajectory, unscored
from turnwise.metrics.trend import MIN_POINTS, slope_over_session

__all__ = ["carried_course", "observed_course", "state_level", "state_series", "state_slope"]

LEFT_EARLY = ("patient_left", "patient_faded")
Better = Literal["higher", "lower"]


def observed_course(t: Trajectory, key: str) -> FloatArray:
    """Return the truth under ``key`` at the patient turns that emitted it, shape (n,)."""
    return np.array([x for i, x in truth_series(t, key) if t.turns[i].speaker == "patient"], dtype=np.float64)


def carried_course(t: Trajectory, key: str) -> FloatArray:
    """Return the observed course, with the last value carried to ``spec.max_turns`` if the patient left.

    One patient turn is planned per therapist turn. Without a spec there is no plan, and nothing is
    carried.
    """
    observed = observed_course(t, key)
    if t.spec is None or t.ending not in LEFT_EARLY or not len(observed):
        return observed
    held = sum(turn.speaker == "patient" for turn in t.turns)
    return np.concatenate([observed, np.full(max(0, t.spec.max_turns - held), observed[-1])])


def state_series(t: Trajectory, key: str) -> FloatArray:
    """Return the truth under ``key`` per turn, shape (turns,), NaN at therapist turns; nothing is carried."""
    out = np.full(len(t.turns), np.nan)
    for i, value in truth_series(t, key):
        if t.turns[i].speaker == "patient":
            out[i] = value
    return out


def _worse(statistic: Callable[[FloatArray], float], courses: list[FloatArray], better: Better) -> float:
    values = [statistic(course) for course in courses]
    return min(values) if better == "higher" else max(values)


def state_level(t: Trajectory, key: str, better: Better) -> Score:
    """Return the mean over patient turns (early leavers: the worse of held and carried); n = turns held."""
    observed = observed_course(t, key)
    if not len(observed):
        return unscored("needs_truth", f"needs {key!r}, which only a simulated patient emits")
    level = _worse(lambda course: float(course.mean()), [observed, carried_course(t, key)], better)
    return Score(level, len(observed))


def state_slope(t: Trajectory, key: str, better: Better) -> Score:
    """Return the slope per session (early leavers: the worse of held and carried); n = turns held.

    Three patient turns are needed, or two held and at least three planned if the patient left: a
    therapist from whom patients run must not drop out of the mean by it.
    """
    observed, carried = observed_course(t, key), carried_course(t, key)
    if not len(observed):
        return unscored("needs_truth", f"needs {key!r}, which only a simulated patient emits")
    if len(observed) < 2 or len(carried) < MIN_POINTS:
        detail = f"{len(observed)} patient turns were held, {MIN_POINTS} are needed (2 if the patient left)"
        return unscored("too_short", detail, n=len(observed))
    return Score(_worse(slope_over_session, [observed, carried], better), len(observed))
