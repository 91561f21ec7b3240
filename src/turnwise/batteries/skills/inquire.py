"""Ask one good question where something is vague."""

from __future__ import annotations

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import labels_of
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import skill

__all__ = ["inquire"]

_GOOD = {"clarity": "clear", "focus": "one", "answerable": "yes", "relevance": "yes"}
_FORMS = {"open": 1.0, "closed": 0.5}


@skill(
    name="inquire.v1",
    moments=(Moment.THIN,),
    needs=("question_form", *_GOOD),
    source="Li et al. 2025 (ALFA attributes, restated for therapy); Moyers et al. 2014 (MITI); CollabLLM 2025",
)
def inquire(view: MomentView, /) -> Score:
    """How good the question is that meets a vague or short answer.

    Definition: for an open question the share of four attributes that hold: clear, about one thing, answerable
    from own experience, relevant. A closed question is worth half of its share. No question, or one that leads
    (presupposes a cause, feeling or conclusion), is 0.
    Not a count: two questions are worth less than one (``focus``). Open is not good by itself: low sessions ask
    more open questions than high ones (AnnoMI), which is why the attributes carry the value.

    Returns
    -------
    Value in [0, 1] in steps of 1/8, higher is better, n = 1. 0.75 = an open question that fails one attribute;
    0.5 = a closed question with all four, or an open one with two. Undefined: no or a blank reply
    (``no_answer``); form not read, or an attribute of a question not read (``no_reading``).

    References
    ----------
    Li et al. (2025), arXiv 2502.14860; Moyers, Manuel & Ernst (2014), MITI 4.2.1; Wu et al. (2025), ICML. The
    half is a definition of this project.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> good = {"clarity": "clear", "focus": "several", "answerable": "yes", "relevance": "yes"}
    >>> [inquire(made_view("thin", {"question_form": x, **good})).value for x in ("open", "closed", "leading")]
    [0.75, 0.375, 0.0]
    """
    form = labels_of(view, "question_form")
    if isinstance(form, Score):
        return form
    worth = _FORMS.get(form[0], 0.0)
    if worth == 0.0:
        return Score(0.0, 1)
    found = labels_of(view, *_GOOD)
    if isinstance(found, Score):
        return found
    held = sum(label == good for label, good in zip(found, _GOOD.values(), strict=True))
    return Score(worth * held / len(_GOOD), 1)
