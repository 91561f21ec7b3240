"""How often the therapist asks."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import THERAPIST_BEHAVIOUR, indicator, share

__all__ = ["QuestionShare", "question_share"]


@dataclass(frozen=True, slots=True)
class QuestionShare:
    """Share of therapist turns that are questions.

    Definition: turns whose most probable behaviour is ``question`` / therapist turns that were read.
    Not quality of questions: open and closed, clear and leading count alike. Neither direction is
    better by itself: an interrogator scores 1, and who never asks learns nothing.

    Returns
    -------
    Value in [0, 1], unitless; no better direction.
    n = therapist turns read: a blank turn cannot be read and is in no denominator, so look at n.
    Undefined: no therapist turn (``no_denominator``), all blank (``no_answer``), nothing read
    (``no_reading``, ``out_of_scope``).

    References
    ----------
    Moyers, Manuel & Ernst (2014), MITI 4.2.1 coding manual; turn labels as in AnnoMI (Wu et al.
    2022, ICASSP).

    Examples
    --------
    >>> question_share(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the share, or the reason why there is none."""
        return share(t, THERAPIST_BEHAVIOUR, "question")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return 1 or 0 per therapist turn read, shape (turns,), NaN elsewhere."""
        return indicator(t, THERAPIST_BEHAVIOUR, "question")


question_share = metric(
    "question_share.v1",
    unit="share of therapist turns read",
    bounds=(0.0, 1.0),
    orientation="none",
    source="Moyers, Manuel & Ernst 2014 (MITI 4.2.1); labels of AnnoMI, Wu et al. 2022",
    needs=("reading:therapist_behaviour",),
    over="turns",
)(QuestionShare())
