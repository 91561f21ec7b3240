"""How often the therapist informs, advises or directs."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import THERAPIST_BEHAVIOUR, indicator, share

__all__ = ["InputShare", "input_share"]


@dataclass(frozen=True, slots=True)
class InputShare:
    """Share of therapist turns that give input: information, advice, options, direction.

    Definition: turns whose most probable behaviour is ``therapist_input`` / therapist turns that were read.
    Not a share of bad turns: asked-for information given well is input too, and withholding it is a
    fault of its own. In motivational interviewing much input goes with low quality (area .13 for high
    quality on the AnnoMI development set).

    Returns
    -------
    Value in [0, 1], unitless; lower is better where nothing was asked for.
    n = therapist turns read: a blank turn cannot be read and is in no denominator, so look at n.
    Undefined: no therapist turn (``no_denominator``), all blank (``no_answer``), nothing read
    (``no_reading``, ``out_of_scope``).

    References
    ----------
    Moyers, Manuel & Ernst (2014), MITI 4.2.1 coding manual; turn labels as in AnnoMI (Wu et al.
    2022, ICASSP).

    Examples
    --------
    >>> input_share(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the share, or the reason why there is none."""
        return share(t, THERAPIST_BEHAVIOUR, "therapist_input")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return 1 or 0 per therapist turn read, shape (turns,), NaN elsewhere."""
        return indicator(t, THERAPIST_BEHAVIOUR, "therapist_input")


input_share = metric(
    "input_share.v1",
    unit="share of therapist turns read",
    bounds=(0.0, 1.0),
    orientation="lower",
    source="Moyers, Manuel & Ernst 2014 (MITI 4.2.1); labels of AnnoMI, Wu et al. 2022",
    needs=("reading:therapist_behaviour",),
    over="turns",
)(InputShare())
