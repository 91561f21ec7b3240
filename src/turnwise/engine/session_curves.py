"""What one session looks like over its course: the simulated state by exchange, or what was read by tenths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from turnwise.core.measure import truth_series
from turnwise.core.nouns import FloatArray, Trajectory
from turnwise.engine.tables import BEHAVIOURS, TALK

__all__ = ["TRUTH_CURVES", "read_curves", "truth_curves"]

_BINS = 10
TRUTH_CURVES = {
    "trust": "Trust",
    "distress": "Distress",
    "openness": "Openness",
    "conviction": "Conviction in the core belief",
}


def truth_curves(t: Trajectory) -> dict[str, FloatArray]:
    """Per exchange what the simulation says, the last value carried forward to the planned length."""
    if t.spec is None:
        return {}
    curves = {}
    for key in TRUTH_CURVES:
        values = [v for _, v in truth_series(t, f"state.{key}")]
        if values:
            curves[key] = np.array((values + [values[-1]] * t.spec.max_turns)[: t.spec.max_turns])
    return curves


def read_curves(t: Trajectory) -> dict[str, FloatArray]:
    """Per tenth of a transcript: how much is reflected, put in, and said for change."""
    wanted: dict[str, tuple[str, Callable[[FloatArray], FloatArray]]] = {
        "reflection (share of therapist turns, read)": (
            "therapist_behaviour",
            lambda p: (p.argmax(1) == BEHAVIOURS.index("reflection")).astype(float),
        ),
        "therapist input (share of therapist turns, read)": (
            "therapist_behaviour",
            lambda p: (p.argmax(1) == BEHAVIOURS.index("therapist_input")).astype(float),
        ),
        "change minus sustain talk (probability, read)": (
            "client_talk",
            lambda p: p[:, TALK.index("change")] - p[:, TALK.index("sustain")],
        ),
    }
    curves = {}
    for title, (item, of) in wanted.items():
        reading = t.reading(item)
        if reading is None or not reading.in_scope.any():
            continue
        at = np.flatnonzero(reading.in_scope)
        values = of(reading.p[at])
        bins = np.minimum((at * _BINS) // max(1, len(t.turns)), _BINS - 1)
        curves[title] = np.array(
            [values[bins == b].mean() if (bins == b).any() else np.nan for b in range(_BINS)], dtype=np.float64
        )
    return curves
