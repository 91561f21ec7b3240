"""How far a simulated patient trusted the therapist."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.state_course import state_level, state_series

__all__ = ["TrustLevel", "trust_level"]


@dataclass(frozen=True, slots=True)
class TrustLevel:
    """Mean trust of a simulated patient over the session.

    Definition: mean of the truth ``state.trust`` over patient turns. If the patient left or faded,
    the lower of that mean and of the mean over the planned ``spec.max_turns`` with the last value
    carried forward, so that ending early never looks better. Not a measurement of a person: it
    is a state variable of the simulator, and a result on it holds by construction of the simulator.

    Returns
    -------
    Value in [0, 1], unitless; higher is better. n = patient turns held. Undefined outside a
    simulation (``needs_truth``).

    References
    ----------
    Lachin (2016), Clinical Trials 13, 161-168, on what last-observation-carried-forward cannot do;
    hence the worse of two readings. State as defined by the simulated patient; no clinical claim.

    Examples
    --------
    >>> trust_level(Trajectory(session_id="s", source="x")).code
    'needs_truth'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the level, or the reason why there is none."""
        return state_level(t, "state.trust", "higher")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return trust per patient turn as held (nothing carried), shape (turns,), NaN elsewhere."""
        return state_series(t, "state.trust")


trust_level = metric(
    "trust_level.v1",
    unit="trust (0 to 1)",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="state of the simulated patient; illustration, no clinical claim",
    needs=("truth:state.trust",),
    about="simulator",
    over="turns",
)(TrustLevel())
