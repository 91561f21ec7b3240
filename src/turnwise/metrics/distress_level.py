"""How distressed a simulated patient was."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.state_course import state_level, state_series

__all__ = ["DistressLevel", "distress_level"]


@dataclass(frozen=True, slots=True)
class DistressLevel:
    """Mean distress of a simulated patient over the session.

    Definition: mean of the truth ``state.distress`` over patient turns. If the patient left or faded,
    the higher of that mean and of the mean over the planned ``spec.max_turns`` with the last value
    carried forward, so that ending early never looks better. Not a measurement of a person: it
    is a state variable of the simulator, and a result on it holds by construction of the simulator.

    Returns
    -------
    Value in [0, 1], unitless; lower is better. n = patient turns held. Undefined outside a
    simulation (``needs_truth``).

    References
    ----------
    Lachin (2016), Clinical Trials 13, 161-168, on what last-observation-carried-forward cannot do;
    hence the worse of two readings. State as defined by the simulated patient; no clinical claim.

    Examples
    --------
    >>> distress_level(Trajectory(session_id="s", source="x")).code
    'needs_truth'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the level, or the reason why there is none."""
        return state_level(t, "state.distress", "lower")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return distress per patient turn as held (nothing carried), shape (turns,), NaN elsewhere."""
        return state_series(t, "state.distress")


distress_level = metric(
    "distress_level.v1",
    unit="distress (0 to 1)",
    bounds=(0.0, 1.0),
    orientation="lower",
    source="state of the simulated patient; illustration, no clinical claim",
    needs=("truth:state.distress",),
    about="simulator",
    over="turns",
)(DistressLevel())
