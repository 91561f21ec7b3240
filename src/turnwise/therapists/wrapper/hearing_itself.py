"""Which act a text makes, so that somebody else's draft can be laid beside the plan."""

from __future__ import annotations

from turnwise.therapists.acts import ACTS, NO_ACT, Act
from turnwise.therapists.validator.pressing import examines, is_advice
from turnwise.therapists.validator.situation import Draft, Situation

__all__ = ["act_heard"]

_ADVISES = Act("advise", "offer", 0.5, 1, NO_ACT)
_CHALLENGES = Act("challenge", "challenge", 0.7, 4, NO_ACT)
_SAYS = Act("said", "support", 0.0, 2, NO_ACT)


def act_heard(text: str, s: Situation) -> Act:
    """Return the act that ``text`` makes: the heaviest of its sentences'.

    Examples
    --------
    >>> act_heard("Surely that's not true.", Situation(())).kind
    'challenge'
    >>> act_heard("What was that like?", Situation(())).move
    'open_question'
    """
    sentences = Draft(text).sentences
    if any(x.moves & {"challenge", "counter", "accuse"} and not x.hedged for x in sentences):
        return _CHALLENGES
    if any(is_advice(x) for x in sentences):
        return _ADVISES
    if any(x.asks and examines(x) for x in sentences):
        return ACTS["ask_evidence"]
    if any(x.asks and x.form != "check" for x in sentences):
        return ACTS["open_question"]
    return ACTS["reflect_content"] if any("reflect" in x.moves for x in sentences) else _SAYS
