"""Reflections per question, the classical summary of motivational interviewing."""

from __future__ import annotations

import math

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import THERAPIST_BEHAVIOUR, count_labels

__all__ = ["reflections_per_question", "rq_ratio"]


def reflections_per_question(reflections: int, questions: int) -> float | None:
    """Return reflections / questions, ``None`` when nothing was asked (never infinity).

    Reflections are simple and complex together. MITI calls 1 fair and 2 good, by expert opinion.

    Examples
    --------
    >>> reflections_per_question(6 + 4, 8)
    1.25
    >>> reflections_per_question(3, 0) is None
    True
    """
    return reflections / questions if questions else None


@metric(
    "rq_ratio.v1",
    unit="reflections per question",
    bounds=(0.0, math.inf),
    orientation="higher",
    source="Moyers, Manuel & Ernst 2014 (MITI 4.2.1)",
    needs=("reading:therapist_behaviour",),
)
def rq_ratio(t: Trajectory, /) -> Score:
    """Reflections per question (R:Q) over the therapist's turns.

    Definition: turns whose most probable behaviour is ``reflection`` / turns whose most probable
    behaviour is ``question``. Counted by turn, where MITI counts utterances inside a turn.
    Not skill: it is gamed through its denominator, by ceasing to ask; read ``question_share`` and
    ``reflection_share`` beside it.

    Returns
    -------
    Value >= 0, unitless; higher is better (MITI thresholds, expert opinion: 1 fair, 2 good).
    n = reflections + questions. Undefined: no question (``no_denominator``, not infinity); no
    therapist turn, all blank, or nothing read, as in the shares.

    References
    ----------
    Moyers, Manuel & Ernst (2014), MITI 4.2.1 coding manual.

    Examples
    --------
    >>> rq_ratio(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    counts = count_labels(t, THERAPIST_BEHAVIOUR)
    if isinstance(counts, Score):
        return counts
    reflections, questions = counts.by_label.get("reflection", 0), counts.by_label.get("question", 0)
    ratio = reflections_per_question(reflections, questions)
    if ratio is None:
        return unscored("no_denominator", "the therapist asked no question", n=reflections)
    return Score(ratio, reflections + questions)
