"""Let the patient find the new view."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import labels_of
from turnwise.core.nouns import Moment, Score, unscored
from turnwise.core.registry import skill

__all__ = ["guide"]

_ASKS = ("open", "closed")
_WORTH: Mapping[str, float] = {"discovers": 1.0, "gathers": 0.5, "acts": 0.0}


@skill(
    name="guide.v1",
    moments=(Moment.DISTORTION,),
    needs=("question_form", "question_stage", "hands_over", "advises"),
    source="Padesky 2020; Young & Beck 1980 (CTRS item 7); Braun et al. 2015",
)
def guide(view: MomentView, /) -> Score:
    """Whether the reply to an absolute or distorted thought guides discovery instead of handing over a view.

    Definition: a question that does not lead, asked by a therapist who hands over nothing (``hands_over`` and
    ``advises`` are ``no``): 1 when it discovers (asks about evidence, an alternative, a perspective or a consequence),
    0.5 when it gathers (experience or emotion). Everything else 0: no question, a leading one, one about action, a new
    view stated by the therapist, advice.
    Not a count of questions and not persuasion: to argue well against the thought is 0. One reply is no stage
    sequence; order of stages is a measure of whole sessions.

    Returns
    -------
    Value in {0, 0.5, 1}, higher is better, n = 1; 0.5 = the first stage (informational questions): needed, but it
    does not yet touch the thought. Undefined: no or a blank reply (``no_answer``); an item that decides was not
    read (``no_reading``) or is below its floor (``undetermined``), a label of another version (``unparsed``).

    References
    ----------
    Padesky (2020), Socratic Dialogue Rating Scale and Coding Manual; Young & Beck (1980), CTRS; Braun, Strunk,
    Sasso & Cooper (2015), Behaviour Research and Therapy 70:32-37. The half is a definition of this project.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> asks = {"question_form": "open", "question_stage": "discovers", "advises": "no"}
    >>> [guide(made_view("distortion", {**asks, "hands_over": x})).value for x in ("no", "yes")]
    [1.0, 0.0]
    """
    # Everything that decides is asked for at once: were a leading question scored and any other left open, what
    # remains would be the faults only. It is asked for as finely as it decides, and no finer: which of four questions
    # of discovery it is makes no difference here.
    found = labels_of(view, "question_form", "question_stage", "hands_over", "advises")
    if isinstance(found, Score):
        return found
    form, stage, hands_over, advises = found
    if stage not in _WORTH:
        return unscored("unparsed", f"'question_stage' is {stage!r}, which this skill does not know")
    if form not in _ASKS or hands_over != "no" or advises != "no":
        return Score(0.0, 1)
    return Score(_WORTH[stage], 1)
