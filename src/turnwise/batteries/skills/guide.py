"""Let the patient find the new view."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import by_label
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import skill

__all__ = ["guide"]

_WORTH: Mapping[str, float] = {"guides": 1.0, "gathers": 0.5, "neither": 0.0}


@skill(
    name="guide.v2",
    moments=(Moment.DISTORTION,),
    needs=("guide_reply",),
    source="Padesky 2020; Young & Beck 1980 (CTRS item 7); Braun et al. 2015",
)
def guide(view: MomentView, /) -> Score:
    """Whether the reply to an absolute or distorted thought guides discovery instead of handing over a view.

    Definition: a question that does not lead, asked by a therapist who hands over no view and gives no advice: 1 when
    it guides (asks about evidence, an alternative, a perspective or a consequence), 0.5 when it gathers (experience or
    emotion). Everything else 0: no question, a leading one, one about action, a view stated by the therapist, advice.
    Not a count of questions and not persuasion: to argue well against the thought is 0. One reply is no stage
    sequence; order of stages is a measure of whole sessions.

    Returns
    -------
    Value in {0, 0.5, 1}, higher is better, n = 1; 0.5 = the first stage (informational questions): needed, but it
    does not yet touch the thought. Undefined: no or a blank reply (``no_answer``); ``guide_reply`` was not
    read (``no_reading``) or is below its floor (``undetermined``), a label of another version (``unparsed``).
    Version 1 put the same definition together from four raters; this one reads it as one item.

    References
    ----------
    Padesky (2020), Socratic Dialogue Rating Scale and Coding Manual; Young & Beck (1980), CTRS; Braun, Strunk,
    Sasso & Cooper (2015), Behaviour Research and Therapy 70:32-37. The half is a definition of this project.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> [guide(made_view("distortion", {"guide_reply": x})).value for x in ("guides", "gathers", "neither")]
    [1.0, 0.5, 0.0]
    """
    return by_label(view, "guide_reply", _WORTH)
