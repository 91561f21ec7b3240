"""How often the therapist gives back what the patient said."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import THERAPIST_BEHAVIOUR, indicator, share

__all__ = ["ReflectionShare", "reflection_share"]


@dataclass(frozen=True, slots=True)
class ReflectionShare:
    """Share of therapist turns that are reflections.

    Definition: turns whose most probable behaviour is ``reflection`` / therapist turns that were read.
    Not accuracy or depth of reflection: a parrot scores 1. It is the single share that best tells
    high- from low-quality motivational interviewing (area .90 on the AnnoMI development set), so any
    measure of a whole session has to beat it.

    Returns
    -------
    Value in [0, 1], unitless; higher is better, but not towards 1.
    n = therapist turns read: a blank turn cannot be read and is in no denominator, so look at n.
    Undefined: no therapist turn (``no_denominator``), all blank (``no_answer``), nothing read
    (``no_reading``, ``out_of_scope``).

    References
    ----------
    Moyers, Manuel & Ernst (2014), MITI 4.2.1 coding manual; turn labels as in AnnoMI (Wu et al.
    2022, ICASSP).

    Examples
    --------
    >>> reflection_share(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the share, or the reason why there is none."""
        return share(t, THERAPIST_BEHAVIOUR, "reflection")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return 1 or 0 per therapist turn read, shape (turns,), NaN elsewhere."""
        return indicator(t, THERAPIST_BEHAVIOUR, "reflection")


reflection_share = metric(
    "reflection_share.v1",
    unit="share of therapist turns read",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="Moyers, Manuel & Ernst 2014 (MITI 4.2.1); labels of AnnoMI, Wu et al. 2022",
    needs=("reading:therapist_behaviour",),
    over="turns",
)(ReflectionShare())
