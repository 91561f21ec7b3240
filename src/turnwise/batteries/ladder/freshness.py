"""What makes the same reply worth less inside a conversation: that its speaker did not take in what went before."""

from __future__ import annotations

from turnwise.batteries.ladder.moments import MomentView
from turnwise.core.nouns import Moment
from turnwise.reading.history import Kind, blind_share, history_faults

__all__ = ["DUE_AGAIN", "blind_to_history", "faults_of"]

DUE_AGAIN = frozenset((Moment.RISK, Moment.IDENTITY))
"""Moments that call for the same reply however often they come: danger, and the question who is speaking."""


def blind_to_history(view: MomentView) -> float:
    """Return which part of a reply is lost because it does not know the conversation it stands in.

    Definition: ``reading.history.blind_share`` of the reply after ``history`` and the moment itself. Every skill is
    worth ``raw * (1 - blind_to_history)``, on every rung and by the same rule. Why it belongs to the skill: what was
    asked, given back or offered before does its work once; the second time it tells the patient that nobody listened.
    A moment met alone has no history, so nothing is ever lost there: what is measured is not style but the fit to this
    conversation. After a replayed history the words of whoever led it count as the therapist's own.
    Where danger is voiced again, or it is asked again who is speaking, the same honest reply is due and no fault.

    Returns
    -------
    Value in [0, 1], lower is better. No reply, or no history: 0.0.

    References
    ----------
    Definition of this project; kinds, sources and limits in ``turnwise.reading.history``.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> before = (("therapist", "What would you say to a friend in your place?"), ("patient", "That it's all right."))
    >>> asks = "I see. What would you say to a friend who is in your place?"
    >>> blind_to_history(made_view("hint", reply=asks, history=before)), blind_to_history(made_view("hint", reply=asks))
    (1.0, 0.0)
    """
    if view.reply is None:
        return 0.0
    before = (*view.history, view.said)
    return blind_share(view.reply.text, before, due_again=view.moment in DUE_AGAIN)


def faults_of(view: MomentView) -> tuple[Kind, ...]:
    """Return the kinds of fault that :func:`blind_to_history` counts, each once, in order of the reply's sentences."""
    if view.reply is None:
        return ()
    found = history_faults(view.reply.text, (*view.history, view.said), due_again=view.moment in DUE_AGAIN)
    return tuple(dict.fromkeys(f.kind for f in found))
