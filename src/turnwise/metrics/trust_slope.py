"""Whether a simulated patient's trust grew."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.state_course import state_series, state_slope
from turnwise.metrics.trend import MAX_SLOPE_PER_RANGE

__all__ = ["TrustSlope", "trust_slope"]


@dataclass(frozen=True, slots=True)
class TrustSlope:
    """Slope of a simulated patient's trust across the session.

    Definition: least-squares slope of the truth ``state.trust`` over patient turns on tau = 0 ... 1.
    If the patient left or faded, the lower of that slope and of the slope over the planned
    ``spec.max_turns`` with the last value carried forward. Not the last value minus the first, and
    weaker than the level as a sign of how a session went; print both. True by construction of
    the simulator.

    Returns
    -------
    Value in [-1.5, 1.5], change per session; higher is better. n = patient turns held. Undefined:
    outside a simulation (``needs_truth``); fewer than three patient turns, or two if the patient
    left (``too_short``).

    References
    ----------
    Lachin (2016), Clinical Trials 13, 161-168, on what last-observation-carried-forward cannot do;
    hence the worse of two readings. State as defined by the simulated patient; no clinical claim.

    Examples
    --------
    >>> trust_slope(Trajectory(session_id="s", source="x")).code
    'needs_truth'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the slope, or the reason why there is none."""
        return state_slope(t, "state.trust", "higher")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return trust per patient turn as held (nothing carried), shape (turns,), NaN elsewhere."""
        return state_series(t, "state.trust")


trust_slope = metric(
    "trust_slope.v1",
    unit="change of trust per session",
    bounds=(-MAX_SLOPE_PER_RANGE, MAX_SLOPE_PER_RANGE),
    orientation="higher",
    source="state of the simulated patient; illustration, no clinical claim",
    needs=("truth:state.trust",),
    about="simulator",
)(TrustSlope())
