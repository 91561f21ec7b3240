"""Whether the patient's talk moves towards change as the session goes on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from turnwise.core.nouns import FloatArray, Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import CLIENT_TALK, count_labels, whole_reading
from turnwise.metrics.trend import MAX_SLOPE_PER_RANGE, MIN_POINTS, slope_over_session

__all__ = ["ChangeTalkSlope", "change_talk_slope"]


@dataclass(frozen=True, slots=True)
class ChangeTalkSlope:
    """Slope of the balance of change over sustain talk across the session.

    Definition: least-squares slope of ``p_change - p_sustain`` on tau, over the patient turns that
    were read; tau runs from 0 (the first of them) to 1 (the last) in equal steps. Uses the whole
    probabilities, not the most probable label. Not an outcome, and blind to what never happened:
    a patient who left early is scored on what was said; read ``stayed`` beside it.

    Returns
    -------
    Value in [-3, 3], change of the balance per session; higher = towards change. n = patient turns
    read. Undefined: fewer than three (``too_short``); otherwise as ``change_talk_share``.

    References
    ----------
    Amrhein, Miller, Yahne, Palmer & Fulcher (2003), Journal of Consulting and Clinical Psychology
    71, 862-878: the course of commitment language over a session goes with outcome.

    Examples
    --------
    >>> change_talk_slope(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the slope, or the reason why there is none."""
        counts = count_labels(t, CLIENT_TALK)
        if isinstance(counts, Score):
            return counts
        balance = self.series(t)
        read = balance[~np.isnan(balance)]
        if len(read) < MIN_POINTS:
            return unscored("too_short", f"{len(read)} patient turns were read, {MIN_POINTS} are needed", n=len(read))
        return Score(slope_over_session(read), len(read))

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return ``p_change - p_sustain`` per patient turn read, shape (turns,), NaN elsewhere."""
        out = np.full(len(t.turns), np.nan)
        reading = whole_reading(t, CLIENT_TALK)
        if reading is None or not {"change", "sustain"} <= set(reading.labels):
            return out
        mine = reading.in_scope & np.array([turn.speaker == "patient" for turn in t.turns], dtype=bool)
        change, sustain = reading.labels.index("change"), reading.labels.index("sustain")
        out[mine] = reading.p[mine, change] - reading.p[mine, sustain]
        return out


change_talk_slope = metric(
    "change_talk_slope.v1",
    unit="change of p(change) - p(sustain) per session",
    bounds=(-2 * MAX_SLOPE_PER_RANGE, 2 * MAX_SLOPE_PER_RANGE),
    orientation="higher",
    source="Amrhein et al. 2003, J Consult Clin Psychol 71:862-878; slope as in this project",
    needs=("reading:client_talk",),
    about="session",
)(ChangeTalkSlope())
