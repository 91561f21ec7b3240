"""Which question may follow on what was just given back: in its time, and not one that it has answered already."""

from __future__ import annotations

import re

from turnwise.therapists.mattering import burdens, tense_of
from turnwise.therapists.reflecting import Heard

__all__ = ["asks_again", "goes_with"]

_THEN = re.compile(
    r"\b(?:was (?:that|it)|were you|did (?:that|it|you)|at that moment|(?:in you|for you) then|think(?:ing)? back|"
    r"with that, since)\b",
    re.IGNORECASE,
)
_THESE_DAYS = re.compile(
    r"\b(?:when (?:that happens|it's like that)|live with that|(?:how|what)(?:'s| is| does) that\b|day to day)",
    re.IGNORECASE,
)
_HARD = re.compile(r"\b(?:hardest part|live with that|with all that)\b", re.IGNORECASE)
_FELT = re.compile(
    r"\b(?:what (?:do|did) you feel|leave you feeling|how do you feel|feel like|what is it like)\b|"
    r"\b(?:what|how)(?:'s| is| was| does)? (?:that|it)(?: like)?(?:,? for you)?\?$",
    re.IGNORECASE,
)


def goes_with(question: str, told: str) -> bool:
    """Whether a question is put in the time of what it follows, and asks for no hardship where none was told.

    Examples
    --------
    >>> goes_with("What was that like for you?", "I've got seven projects on the go")
    False
    >>> goes_with("What was that like for you?", "I went cold"), goes_with("How do you live with that?", "I like it")
    (True, False)
    """
    if _HARD.search(question) and not burdens(told):
        return False
    if tense_of(told) == "past":
        return _THESE_DAYS.search(question) is None
    return _THEN.search(question) is None


def asks_again(question: str, turn: Heard) -> bool:
    """Whether a question asks what somebody feels, who has just said it.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> [asks_again("What do you feel, as you tell me?", heard_in(s)) for s in ("I'm ashamed.", "I couldn't cross.")]
    [True, False]
    >>> asks_again("What does that do to you?", heard_in("I'm ashamed of it."))
    False
    """
    return bool(turn.feelings) and _FELT.search(question) is not None
