"""Which question may follow on what was just given back: in its time, and not one that it has answered already."""

from __future__ import annotations

import re
from functools import lru_cache

from turnwise.therapists.mattering import burdens, tense_of
from turnwise.therapists.reflecting import Heard

__all__ = ["asks_again", "bereaved", "goes_with", "suits_told"]

_THEN = re.compile(
    r"\b(?:was (?:that|it)|were you|did (?:that|it|you)|at that moment|(?:in you|for you) then|think(?:ing)? back|"
    r"with that, since)\b",
    re.IGNORECASE,
)
_THESE_DAYS = re.compile(
    r"\b(?:when (?:that happens|it's like that)|live with that|(?:how|what)(?:'s| is| does) that\b|day to day|"
    r"how long ha(?:s|ve)|how often)\b",
    re.IGNORECASE,
)
_HARD = re.compile(
    r"\b(?:hardest part|worst (?:part|moment)|live with that|with all that|a rest from it)\b", re.IGNORECASE
)
_FELT = re.compile(
    r"\b(?:what (?:do|did) you feel|leave you feeling|how do you feel|feel like|what is it like)\b|"
    r"\b(?:what|how)(?:'s| is| was| does)? (?:that|it)(?: like)?(?:,? for you)?\?$",
    re.IGNORECASE,
)
_BEREAVED = re.compile(
    r"\b(?:died|passed away|buried (?:him|her|my|our)|i(?:'m| am| was)(?: left)? a widow(?:er)?|my late|(?:is|"
    r"was|are|were|he's|"
    r"she's|they're) dead|'s (?:dead|funeral)|(?:my|our|his|her) (?:\w+ )?(?:death|funeral)|lost (?:my|our|him|"
    r"her|a|the) ?(?:\w+ )?(?:wife|husband|son|daughter|"
    r"mother|father|mum|mom|dad|brother|sister|baby|child|friend|partner|grandmother|grandfather|nan|gran|twin))\b",
    re.IGNORECASE,
)
_COLD = re.compile(
    r"\b(?:what did that do to you|went on in you|did you feel,? at that moment|make of (?:that|it)|did that tell you|"
    r"what happened next|what did you do|just before|take it to mean|first thought|doesn't (?:fit|go)|when did it last|"
    r"was going on for you|were things for you|telling yourself|what should i picture)\b",
    re.IGNORECASE,
)
"""Asked right after a death, it is cold: what stays with it, or asks how it has been since, is not."""
_ASLEEP = re.compile(
    r"\b(?:(?:fell|fall|falls|was|was fast|were) asleep|dozed off|nodded off|passed out|blacked out|fainted|"
    r"was out(?: cold)?(?=$|[.,])|"
    r"came round)\b",
    re.IGNORECASE,
)
_OF_THE_MOMENT = re.compile(
    r"\b(?:at (?:that|the) (?:moment|time)|what did you do\b(?!.*\bafter)|did you feel|went on in you|"
    r"going through you|"
    r"went through your (?:mind|head)|telling yourself|worst moment)\b",
    re.IGNORECASE,
)
_GLAD = re.compile(
    r"\b(?:i|we|it)(?:'m| am| was|'s| is|'re| are| feel| felt|'ve been| have been)(?: \w+)? (?:fantastic|great|"
    r"brilliant|wonderful|"
    r"good|happy|glad|lovely|comfortable|calm|relieved|at ease|pleased|peaceful|delighted|over the moon|"
    r"on top of the world)\b|"
    r"\bi(?: do| really| still| just)? (?:love|like|enjoy)\b",
    re.IGNORECASE,
)
_SOLEMN = re.compile(
    r"\b(?:hardest|worst|live with that|with all that|rush past|hurry (?:past|with)|take your time|take that in|"
    r"room for that)\b",
    re.IGNORECASE,
)
_THOUGHT = re.compile(
    r"\b(?:through your (?:mind|head)|telling yourself|(?:say|said) to yourself|tell yourself|first thought|"
    r"thought comes first|"
    r"sentence in your head)\b",
    re.IGNORECASE,
)
_THOUGHT_TOLD = re.compile(
    r"\bi (?:thought|kept thinking|keep thinking|told myself|said to myself|tell myself|"
    r"was thinking),? (?!about\b|of\b|so\b|it over)",
    re.IGNORECASE,
)
_STATE_TOLD = re.compile(
    r"\bi(?:'m| am| was| feel| felt)(?: \w+)? (?:comfortable|happy|content|calm|fine|glad|pleased|at ease|good|"
    r"okay|hot|cold|"
    r"awful|terrible|dreadful|fantastic|great)\b",
    re.IGNORECASE,
)


_DID = re.compile(r"\b(?:do to you|leave you|left you)\b", re.IGNORECASE)
_A_WORD = 4  # words up to which a turn is the feeling and nothing else


@lru_cache(maxsize=256)
def bereaved(told: str) -> bool:
    """Whether ``told`` tells of a death that is the speaker's own loss, or near it.

    Examples
    --------
    >>> bereaved("I lost my brother in May"), bereaved("I lost my keys"), bereaved("it was at my aunt's funeral")
    (True, False, True)
    """
    return _BEREAVED.search(told) is not None


def suits_told(question: str, told: str) -> bool:
    """Whether a question, or what is said to stay with it, can be put to what was told at all.

    Nobody can say what they felt while they slept; a death is not asked for its meaning; what is glad is not mourned.

    Examples
    --------
    >>> suits_told("What did you feel, at that moment?", "I fell asleep on the tram")
    False
    >>> suits_told("What did that do to you?", "My son died"), suits_told("What do you miss most?", "My son died")
    (False, True)
    >>> suits_told("Take your time with that.", "I love the allotment"), suits_told("What is it like?", "I love it")
    (False, True)
    """
    if _ASLEEP.search(told) and _OF_THE_MOMENT.search(question):
        return False
    if bereaved(told) and _COLD.search(question):
        return False
    return not (_GLAD.search(told) and not burdens(told) and _SOLEMN.search(question))


@lru_cache(maxsize=1024)
def goes_with(question: str, told: str) -> bool:
    """Whether a question is put in the time of what it follows, and asks for no hardship where none was told.

    Examples
    --------
    >>> goes_with("What was that like for you?", "I've got seven projects on the go")
    False
    >>> goes_with("What was that like for you?", "I went cold"), goes_with("How do you live with that?", "I like it")
    (True, False)
    >>> goes_with("How long has it been like that?", "He cried when I left")
    False
    """
    if (_HARD.search(question) and not burdens(told)) or not suits_told(question, told):
        return False
    if tense_of(told) == "past":
        return _THESE_DAYS.search(question) is None
    return _THEN.search(question) is None


def asks_again(question: str, turn: Heard) -> bool:
    """Whether a question asks for what has just been said, or cannot be put to it.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> [asks_again("What do you feel, as you tell me?", heard_in(s)) for s in ("I'm ashamed.", "I couldn't cross.")]
    [True, False]
    >>> asks_again("What does that do to you?", heard_in("I'm ashamed of it."))
    False
    >>> asks_again("What went through your mind just then?", heard_in("I sat down and I thought, not again."))
    True
    """
    alone = len(turn.text.split()) <= _A_WORD and not turn.text.startswith(("I ", "I'"))
    if turn.feelings and alone and _DID.search(question):
        return True
    felt = (bool(turn.feelings) or _STATE_TOLD.search(turn.text) is not None) and _FELT.search(question) is not None
    thought = _THOUGHT_TOLD.search(turn.text) is not None and _THOUGHT.search(question) is not None
    return felt or thought or not suits_told(question, turn.text)
