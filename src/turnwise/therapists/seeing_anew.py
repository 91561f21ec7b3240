"""A new view of the patient's own: whether one was put into words, and which of the words hold it.

Nets of English phrases of discovery ("it hit me", "it isn't X, it's Y", "maybe he was only shy"). What was seen without
saying so is missed.
"""

from __future__ import annotations

import re

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.markers import MARKERS
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.wording import MAX_QUOTED

__all__ = ["new_view", "sees_anew"]


def _net(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_WHO = r"(?:it|he|she|they|i|we|this|that|my \w+|[A-Z]\w+)"
_SAID_SO = _net(
    r"\bi(?:'d|'ve| had| have)? always (?:told|thought|said|tell|took|taken|believed)\b",
    r"\bi (?:used to|never|hadn't|had never) (?:think|thought|saw|seen|thought of|noticed|looked at|clicked|considered)\b",
    r"\b(?:that's|this is|that is) (?:new|different|a different)\b|\bnever (?:clicked|thought that|occurred to me)\b",
    r"\b(?:it|and it|then it|it just) (?:just )?(?:hit|struck|came to|dawned on|landed on|occurred to) me\b|"
    r"\bsomething just landed\b|\bi(?:'ve| have) just (?:heard|seen|noticed|realised|realized|got|caught)\b|\bit's just come to me\b",
    r"\bi (?:just )?(?:realise|realize|clocked|see now|see I|saw (?:that|i|it|they)|understood|get it now|got it)\b|"
    r"\bwhat i understood\b|\bi see (?:now|it|that|how|he|she|i)\b|\bi(?:'m| am) (?:starting|beginning|sort of) (?:to|hearing)\b",
    r"^(?:oh|huh|god|jesus)\b[!.,]",
    r"\bi(?:'ve| have) been (?:\w+ing) (?:my own|for my|for|to|him|her|them|at)\b.{0,40}(?:[.]|$)(?=.{0,60}\b(?:now|mother|father|myself)?)",
    r"\bcome to think\b|\bput like that\b|\bwhen i say it out loud\b",
)
_TURNS = _net(
    # not this, but that
    r"\b(?:isn't|wasn't|not|never|don't think|didn't)\b[^.?!]{2,48}(?:[.;,]|, but)\s*(?:it|he|she|they|i|this|that|just|only)"
    r"(?:'s| is| was|'m| am|'re| are|'d)?\b[^.?!]{2,60}",
    r"\bso (?:it|that|he|she|they|i|the \w+)(?:'s|'m| is| was| am| did| didn't| isn't| wasn't| were)\b(?! (?:fine|okay|all right|"
    r"there|quiet|late)\b)[^?]{2,60}\b(?:not|n't|that's|only|every time|whenever|me|my)\b",
    r"\bthen (?:it|he|she|they|i|that)(?:'s|'m|,| is| was| am)\b[^?]{0,12}\b(?:not|never|only|my|the)\b",
    r"\bso (?:it was never|that's what|that is why|somebody must|then i|maybe)\b",
    # another reading of somebody else
    rf"\b(?:maybe|perhaps|i suppose|could be (?:that )?|it could be that|it may be that|it might be that) {_WHO}\b(?!'d\b| will\b| would\b|"
    r" could\b| should\b)[^?]{2,}",
    rf"\b{_WHO} (?:might|may|must)(?: not)? (?:have (?:meant|been|wanted|known)|want|mean|be|know|like|think|need)\b",
    rf"\b{_WHO}(?:'s| is| was) (?:maybe|perhaps|probably) \w+",
    r"\band (?:still|yet) (?:he|she|they|it|[A-Z]\w+)\b|\b(?:he|she|they) (?:still|goes on|go on|went on|kept)\b",
    r"\b(?:somebody|someone) (?:drove|did|noticed|must|made|kept|was)\b",
    r"\bwent on without me\b|\bthe sky didn't fall\b|\bnothing (?:bad )?happened\b",
    r"\bwhy do i (?:say|do|think|tell)\b|\bi(?:'d| would) never say (?:that |it |so )?to\b",
)
_MAYBE_NOT = _net(
    r"^(?:maybe|perhaps|probably|i suppose)(?: so| not)?\W*$",
    r"\bmaybe (?:next|tomorrow|later|on|you|some other)\b",
    r"\?\W*$",
)


def sees_anew(text: str) -> bool:
    """Whether ``text`` voices a view that is new to its speaker.

    Examples
    --------
    >>> sees_anew("Maybe he was only shy."), sees_anew("It isn't my life that is bad, it's Sunday.")
    (True, True)
    >>> sees_anew("She rings every night."), sees_anew("Maybe tomorrow.")
    (False, False)
    """
    text = text.replace("’", "'").strip()
    if _SAID_SO.search(text) or MARKERS["insight"].search(text):
        return True
    return any(_TURNS.search(s) and not _MAYBE_NOT.search(s) for s in split_sentences(text))


def new_view(turn: Heard) -> str:
    """Return the words of ``turn`` that hold the new view, short enough to be quoted, or an empty string.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> new_view(heard_in("She came on the Sunday. Maybe she was only worried."))
    'Maybe she was only worried'
    """
    sentences = split_sentences(turn.text.replace("’", "'"))
    told = [s.strip().rstrip(".!") for s in sentences if not s.rstrip().endswith("?") and '"' not in s]
    short = [s for s in told if 3 <= len(s.split()) <= MAX_QUOTED]
    for found in (
        [s for s in short if _TURNS.search(s)],
        [s for s in short if _SAID_SO.search(s) and len(s.split()) >= 5],
    ):
        if found:
            return found[-1]
    phrase = next((p for p in turn.phrases if p.back and _TURNS.search(p.said)), None)
    return phrase.said if phrase else ""
