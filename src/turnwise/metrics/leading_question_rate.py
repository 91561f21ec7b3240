"""How many questions carry their answer with them."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import count_labels

__all__ = ["leading_question_rate"]


@metric(
    "leading_question_rate.v1",
    unit="share of questions",
    bounds=(0.0, 1.0),
    orientation="lower",
    source="Padesky 2020 (Socratic dialogue); Li et al. 2025 (ALFA), restated",
    needs=("reading:question_form",),
    over="turns",
    panel="epistemic",
)
def leading_question_rate(t: Trajectory, /) -> Score:
    """Share of the therapist's questions that presuppose an answer, a feeling or a cause.

    Definition: turns whose main question is ``leading`` / turns that ask (``open``, ``closed`` or ``leading``).
    Not closed questions, and not question marks. Blind to how often a therapist asks at all: read ``question_share``
    beside it.

    Returns
    -------
    Value in [0, 1]; lower is better. n = turns that ask. Undefined: nothing was asked (``no_denominator``),
    ``question_form`` not read (``no_reading``), only blank turns (``no_answer``), none in scope (``out_of_scope``).

    References
    ----------
    Padesky (2020), Socratic Dialogue Rating Scale and Coding Manual; Li et al. (2025), arXiv 2502.14860.

    Examples
    --------
    >>> leading_question_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    counts = count_labels(t, "question_form")
    if isinstance(counts, Score):
        return counts
    asked = counts.n - counts.by_label.get("none", 0)
    if not asked:
        return unscored("no_denominator", "the therapist asked nothing")
    return Score(counts.by_label.get("leading", 0) / asked, asked)
