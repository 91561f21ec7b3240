"""How far a simulated patient's conviction of the troubling belief moved."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.state_course import observed_course, state_series

__all__ = ["ConvictionChange", "conviction_change"]


@dataclass(frozen=True, slots=True)
class ConvictionChange:
    """Change of a simulated patient's conviction, last patient turn minus first.

    Definition: ``state.conviction`` at the last patient turn minus at the first (which already
    follows the therapist's opening). If the patient left, the last value held is the one that is
    carried, so leaving adds nothing. Not insight: conviction also falls in a patient worn down.
    True by construction of the simulator.

    Returns
    -------
    Value in [-1, 1]; lower is better (negative = the belief lost its hold). n = patient turns.
    Undefined: outside a simulation (``needs_truth``); fewer than two patient turns (``too_short``).

    References
    ----------
    State as defined by the simulated patient; illustration, no clinical claim.

    Examples
    --------
    >>> conviction_change(Trajectory(session_id="s", source="x")).code
    'needs_truth'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the change, or the reason why there is none."""
        course = observed_course(t, "state.conviction")
        if not len(course):
            return unscored("needs_truth", "needs 'state.conviction', which only a simulated patient emits")
        if len(course) < 2:
            return unscored("too_short", "one patient turn was held, two are needed", n=1)
        return Score(float(course[-1] - course[0]), len(course))

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return conviction per patient turn, shape (turns,), NaN elsewhere."""
        return state_series(t, "state.conviction")


conviction_change = metric(
    "conviction_change.v1",
    unit="change of conviction",
    bounds=(-1.0, 1.0),
    orientation="lower",
    source="state of the simulated patient; illustration, no clinical claim",
    needs=("truth:state.conviction",),
    about="simulator",
)(ConvictionChange())
