"""Apply a registered measure to a session so that a fault stays in its own cell.

A measure is refused before it runs when what it needs is not there, and whatever it raises
becomes an unscored cell with a reason. No value moves because another one broke.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import Entry

__all__ = ["measure", "truth_series"]


def truth_series(t: Trajectory, key: str) -> list[tuple[int, float]]:
    """Return ``(turn, value)`` of a number the simulation emitted, e.g. ``"state.trust"``.

    Dots walk into nested mappings. Turns that emitted nothing under the key are absent.
    """
    found: list[tuple[int, float]] = []
    for i, info in enumerate(t.infos):
        value: Any = info
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            found.append((i, float(value)))
    return found


def _missing(entry: Entry[Callable[..., Any]], t: Trajectory) -> Score | None:
    for need in entry.spec.get("needs", ()):
        kind, _, key = str(need).partition(":")
        if kind == "reading":
            reading = t.reading(key)
            if reading is None:
                return unscored("no_reading", f"needs the coder {key!r}, which did not read this session")
            if len(reading.codes) != len(t.turns):
                return unscored("no_reading", f"the reading {key!r} is of another version of this session")
        elif kind == "truth" and (t.spec is None or not truth_series(t, key)):
            # A foreign file may carry a column of the same name; only a played session has truth.
            return unscored("needs_truth", f"needs {key!r}, which only a simulated patient emits")
    return None


def measure(entry: Entry[Callable[..., Any]], t: Trajectory) -> Score:
    """Return the score of ``t`` under a registered metric, or the reason why there is none."""
    if t.ending == "error":
        return unscored("session_error", t.error or "the session ended in an error")
    if not t.turns:
        return unscored("empty", "the session has no turns")
    missing = _missing(entry, t)
    if missing is not None:
        return missing
    try:
        score = entry.obj(t)
    except UndefinedError as undefined:
        return unscored(undefined.code, undefined.detail)
    except Exception as fault:  # its own cell only: the others must not move
        return unscored("failed", f"{entry.name} raised {type(fault).__name__}: {fault}")
    return _within(entry, score)


def _within(entry: Entry[Callable[..., Any]], score: object) -> Score:
    if not isinstance(score, Score):
        return unscored("failed", f"{entry.name} returned {type(score).__name__} instead of a Score")
    if score.value is None:
        return score if score.code else unscored("failed", f"{entry.name} gave neither a value nor a reason")
    low, high = entry.spec.get("bounds", (-math.inf, math.inf))
    slack = 1e-9 * max(1.0, abs(score.value))
    if not math.isfinite(score.value) or not low - slack <= score.value <= high + slack:
        return unscored("failed", f"{entry.name} gave {score.value!r}, outside its bounds [{low}, {high}]")
    return Score(min(max(float(score.value), low), high), score.n)
