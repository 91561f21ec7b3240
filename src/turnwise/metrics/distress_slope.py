"""Whether a simulated patient's distress rose or fell."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.state_course import state_series, state_slope
from turnwise.metrics.trend import MAX_SLOPE_PER_RANGE

__all__ = ["DistressSlope", "distress_slope"]


@dataclass(frozen=True, slots=True)
class DistressSlope:
    """Slope of a simulated patient's distress across the session.

    Definition: least-squares slope of the truth ``state.distress`` over patient turns on tau = 0 ... 1.
    If the patient left or faded, the higher of that slope and of the slope over the planned
    ``spec.max_turns`` with the last value carried forward. Not the last value minus the first, and
    weaker than the level as a sign of how a session went; print both. True by construction of
    the simulator.

    Returns
    -------
    Value in [-1.5, 1.5], change per session; lower is better. n = patient turns held. Undefined:
    outside a simulation (``needs_truth``); fewer than three patient turns, or two if the patient
    left (``too_short``).

    References
    ----------
    Lachin (2016), Clinical Trials 13, 161-168, on what last-observation-carried-forward cannot do;
    hence the worse of two readings. State as defined by the simulated patient; no clinical claim.

    Examples
    --------
    >>> distress_slope(Trajectory(session_id="s", source="x")).code
    'needs_truth'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the slope, or the reason why there is none."""
        return state_slope(t, "state.distress", "lower")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return distress per patient turn as held (nothing carried), shape (turns,), NaN elsewhere."""
        return state_series(t, "state.distress")


distress_slope = metric(
    "distress_slope.v1",
    unit="change of distress per session",
    bounds=(-MAX_SLOPE_PER_RANGE, MAX_SLOPE_PER_RANGE),
    orientation="lower",
    source="state of the simulated patient; illustration, no clinical claim",
    needs=("truth:state.distress",),
    about="simulator",
)(DistressSlope())
