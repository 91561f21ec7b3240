"""How many of the questions leave room for any answer."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import THERAPIST_BEHAVIOUR, indicator_within, share_within

__all__ = ["OpenQuestionShare", "open_question_share"]

_TYPE = "question_type"


@dataclass(frozen=True, slots=True)
class OpenQuestionShare:
    """Share of the therapist's questions that are open.

    Definition: turns read as questions whose type reads ``open`` / turns read as questions. Turns are
    counted, not questions: one turn may ask several. Not a measure of how good a question is: an
    open one is not yet a good one, and a closed one is at times what is needed ("Are you safe
    tonight?"). Not to be pushed towards 1.

    Returns
    -------
    Value in [0, 1], unitless; higher is better, but not towards 1. n = questions.
    Undefined: no question (``no_denominator``), or nothing read (``no_reading``, ``no_answer``,
    ``out_of_scope``).

    References
    ----------
    Miller, Moyers, Ernst & Amrhein (2008), MISC 2.1 (% open questions); labels of AnnoMI, Wu et al. 2022.

    Examples
    --------
    >>> open_question_share(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the share, or the reason why there is none."""
        return share_within(t, THERAPIST_BEHAVIOUR, "question", _TYPE, "open")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return 1 or 0 per question, shape (turns,), NaN elsewhere."""
        return indicator_within(t, THERAPIST_BEHAVIOUR, "question", _TYPE, "open")


open_question_share = metric(
    "open_question_share.v1",
    unit="share of questions",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="Miller et al. 2008 (MISC 2.1, % open questions); labels of AnnoMI, Wu et al. 2022",
    needs=("reading:therapist_behaviour", "reading:question_type"),
)(OpenQuestionShare())
