"""A new view of the patient's own: whether one was put into words, and which of the words hold it.

Nets of English phrases of discovery ("it hit me", "it isn't X, it's Y", "maybe he was only shy"). What was seen without
saying so is missed.
"""

from __future__ import annotations

import re

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.spoken import is_non_answer, is_preface
from turnwise.therapists.wording import MAX_QUOTED

__all__ = ["new_view", "sees_anew"]


def _net(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_WHO = r"(?:it|he|she|they|i|we|this|that|my \w+|[A-Z]\w+)"
_SAID_SO = _net(
    r"\bi(?:'d|'ve| had| have)? always (?:thought|told myself|took|taken|believed|assumed)\b",
    r"\bi (?:used to (?:think|say|believe)|never (?:thought|saw|noticed) (?:that|how|it was|i)|hadn't (?:seen|"
    r"noticed|thought))\b",
    r"\b(?:that's|this is|that is) (?:new|a different way|a different thing)\b|\bnever (?:clicked|occurred to me)\b",
    r"\b(?:it|and it|then it|it just) (?:just )?(?:hit|struck|dawned on|landed on|occurred to) me\b|\bit's just "
    r"come to me\b|"
    r"\bsomething just landed\b|\bi(?:'ve| have) just (?:noticed|realised|realized|heard myself)\b",
    r"\bi (?:just )?(?:realise|realize|realised|realized|clocked|understood)\b(?! (?:that )?(?:you|i have to|it's "
    r"your))|"
    r"\bi (?:get it|see it) now\b|\bi see now\b|\bwhat i understood\b|\bi(?:'m| am) (?:starting|beginning) to "
    r"(?:see|wonder|notice|think maybe)\b",
    r"\bi(?:'d|'ve| had| have)? never (?:really )?(?:thought|looked|noticed|considered)\b.{0,8}\b(?:it|that)\b "
    r"(?:like|that|so|from)\b|"
    r"\bi(?:'d| had)n't (?:thought|seen|noticed)\b|\bnow (?:that )?(?:you|i) (?:say|said) it\b|\bi see (?:that|it) "
    r"differently\b",
    r"^huh\b[!.,]",
    r"\bcome to think of it\b|\bput like that\b|\bwhen i say it out loud\b|\bi don't like how that sounds\b",
)
_IT = r"(?:it|he|she|they|this|that|[A-Z]\w+)"
_TURNS = _net(
    # not this, but that
    rf"\b{_IT}(?:'s| is| was|'re| are)? ?(?:isn't|wasn't|aren't|not|never)\b[^.?!]{{2,40}}[;,] (?:but )?(?:just |"
    rf"only )?{_IT}"
    r"(?:'s| is| was|'re| are)\b[^.?!]{2,60}",
    r"\bso (?:it|that|he|she|they|i|the \w+)(?:'s|'m| is| was| am| did| didn't| isn't| wasn't| were)\b(?! (?:fine|"
    r"okay|all right|"
    r"there|quiet|late)\b)[^?]{2,50}\b(?:n't|not (?:me|him|her|them|that|because)|only|every time|whenever)\b",
    r"^(?:(?:oh|huh|well|so)[,.]? )?then (?:it|he|she|they|i|that)(?:'s|'m| is| was| am)\b[^?]{0,12}\b(?:not|never|"
    r"only|my|the)\b",
    r"\bso (?:it was never|that's what (?:it|she|he|i)|that is why|somebody must|maybe)\b",
    # another reading of somebody else
    rf"\b(?:maybe|perhaps|i suppose|could be (?:that )?|it (?:could|may|might) be that) {_WHO}(?!'d\b| will\b| would\b|"
    r" could\b| should\b| can\b)(?:'s| is| was| were| had| just| only| did| does|n't| \w+ed)\b[^?]{2,}",
    r"\b(?:he|she|they|[A-Z]\w+) (?:might|may|must)(?: not)? (?:have (?:meant|been|wanted|known)|want|mean|like|"
    r"think)\b",
    r"\b(?:he|she|[A-Z]\w+)(?:'s| is| was) (?:maybe|perhaps|probably) (?:just |only )?\w+",
    r"\bwent on without me\b|\bthe sky didn't fall\b|\bnothing (?:bad )?happened\b",
    r"\bwhy do i (?:say|think|tell myself)\b|\bi(?:'d| would) never say (?:that |it |so )?to\b",
)
_LONGEST = 60  # words: in a longer turn a phrase of discovery is only one sentence of a story
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
    told = [s for s in split_sentences(text) if not (is_non_answer(s) or is_preface(s))]
    if len(text.split()) > _LONGEST or not told:
        return False
    if any(_SAID_SO.search(s) for s in told):
        return True
    return any(_TURNS.search(s) and not _MAYBE_NOT.search(s) for s in told)


def new_view(turn: Heard) -> str:
    """Return the words of ``turn`` that hold the new view, short enough to be quoted, or an empty string.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> new_view(heard_in("She came on the Sunday. Maybe she was only worried."))
    'Maybe she was only worried'
    """
    sentences = split_sentences(turn.text.replace("’", "'"))
    told = [s.strip().rstrip(".!") for s in sentences if not (s.rstrip().endswith("?") or '"' in s or is_preface(s))]
    short = [s for s in told if 3 <= len(s.split()) <= MAX_QUOTED]
    for found in (
        [s for s in short if _TURNS.search(s)],
        [s for s in short if _SAID_SO.search(s) and len(s.split()) >= 5],
    ):
        if found:
            return found[-1]
    phrase = next((p for p in turn.phrases if p.back and _TURNS.search(p.said)), None)
    return phrase.said if phrase else ""
