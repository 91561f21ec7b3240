"""Ask one good question where something is vague."""

from __future__ import annotations

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import labels_of
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import skill

__all__ = ["inquire"]

_GOOD = {"focus": "one", "answerable": "yes"}
_FORMS = {"open": 1.0, "closed": 0.5}


@skill(
    name="inquire.v1",
    moments=(Moment.THIN,),
    needs=("question_form", *_GOOD),
    source="Li et al. 2025 (ALFA attributes, restated for therapy); Moyers et al. 2014 (MITI); CollabLLM 2025",
)
def inquire(view: MomentView, /) -> Score:
    """How good the question is that meets a vague or short answer.

    Definition: for an open question the share of two attributes that hold: about one thing, and answerable from own
    experience. A closed question is worth half of its share. No question, or one that leads (presupposes a cause,
    feeling or conclusion), is 0. Clarity and relevance belong to a good question too; they are no part of the value
    while their raters are below the floor on coded turns (their cards say how far).
    Not a count: two questions are worth less than one (``focus``). Open is not good by itself: low sessions ask
    more open questions than high ones (AnnoMI), which is why the attributes carry the value.

    Returns
    -------
    Value in [0, 1] in steps of 1/4, higher is better, n = 1. 0.5 = an open question that fails one attribute, or a
    closed one with both. Undefined: no or a blank reply (``no_answer``); form not read, or an attribute of a question
    not read (``no_reading``), or below its floor (``undetermined``).

    References
    ----------
    Li et al. (2025), arXiv 2502.14860; Moyers, Manuel & Ernst (2014), MITI 4.2.1; Wu et al. (2025), ICML. The
    half is a definition of this project.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> good = {"focus": "several", "answerable": "yes"}
    >>> [inquire(made_view("thin", {"question_form": x, **good})).value for x in ("open", "closed", "leading")]
    [0.5, 0.25, 0.0]
    """
    # The attributes are asked for even where they cannot matter: were only faults scored, nothing else would remain.
    found = labels_of(view, "question_form", *_GOOD)
    if isinstance(found, Score):
        return found
    held = sum(label == good for label, good in zip(found[1:], _GOOD.values(), strict=True))
    return Score(_FORMS.get(found[0], 0.0) * held / len(_GOOD), 1)
