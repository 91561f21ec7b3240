"""Cut what a patient said into clauses that can be given back.

Not a parser. It prefers to find nothing over finding a clause that would sound broken, or that
asserts what the patient only supposed, asked, or reported somebody else as saying.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from turnwise.reading.sentences import split_sentences

__all__ = ["clauses", "cut_short", "doubted", "supposed", "taken_back", "trim", "whole_clauses"]

_CUT = re.compile(
    r"\s*[;:]\s+|\s+[–—-]\s+|,\s+|\s+(?=(?:and|but|because|so|though|although|when|while|if|unless|until|"
    r"till)(?: then)?"
    r"\s+(?:i|i'[a-z]+|he|she|they|we|it|it's|there|there's|that's|you|my|the|nobody|she's|he's|they'[a-z]+|"
    r"we'[a-z]+)\b)",
    re.IGNORECASE,
)
_SUBJECTS = (
    r"(?:(?i:i|i'[a-z]+|he|she|they|we|it|it's|there|there's|that's|you|my|the|nobody|she's|he's|they'[a-z]+|"
    r"we'[a-z]+)|[A-Z][a-z]+)"
)
_WHO_TOO = r"(?!(?:me|us) and (?:my|our|the)\b|(?:my|our) \w+(?: \w+)? and (?:me|I)\b)"
_JOINED = re.compile(
    rf"\s*[;:]\s+|\s+[–—-]\s+|,\s+{_WHO_TOO}|"
    rf"(?<!, me)(?<!, us)\s+(?=(?:and|but|because|so|though|although)(?: then)?\s+{_SUBJECTS}\b)"
)
"""Who it is about may come after a comma, and is kept on: "we don't speak, me and my brother"."""
_PURPOSE = re.compile(r"^so\b.{0,12}(?:'d|'ll|\b(?:would|could|can|might|won't|wouldn't|can't))\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:no,|well|nope|yeah|yes|yep|aye|oh|um+|uh|er+|like|so|and|but|because|cause|or|then|only|mind|see|look|"
    r"okay|ok|"
    r"right|ach|och|listen|righto|to be exact|let me see|how shall i (?:say|put it)|now|hm+|huh|mm+|na ja|anyway|"
    r"actually|honestly|basically|objectively|"
    r"in principle|maybe|i mean|"
    r"you know|i suppose|i guess|"
    r"i think|i don't know|to be honest|to be fair|of course|in fact|strictly speaking|still|also|plus)"
    r"(?:[,.]?\s+|$)(?!(?:are|is|was|were|we|isn't|wasn't|there)\b)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,\s*(?:mind|see|so|then|or|no|and that|is it)|"
    r"[\s,]+(?:you know(?: yourself)?|i suppose|i guess|i think|really|though|anyway|fair play|or something|"
    r"sort of thing|"
    r"to be fair(?: to you)?|to be honest|and all|eh|if i'm honest|isn't it|you see|i fear|i must say|"
    r"i have to say|in fact|actually|you could say|honestly|ma'am|mun))$",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"^(?:on (?:the )?(?:\w+ ){1,3}|(?:last|this|that|one) (?:(?:\w+ )?(?:day|night|week|month|year|morning|evening|"
    r"afternoon|time|weekend|spring|summer|autumn|fall|winter|christmas|easter|\w+day|january|february|march|april|may|"
    r"june|july|august|september|october|november|december) )|(?:the )?other (?:day|night|week) |yesterday |"
    r"in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4}|the \w+) |"
    r"(?:\w+ )?\w+ (?:ago|back) )(?=(?:i|we|he|she|they)\b)",
    re.IGNORECASE,
)
"""When something was: what was done can be given back without it."""
_KEEP_THERE = re.compile(r"^there(?:'s|\s+(?:is|was|are|were|isn't|wasn't))\b", re.IGNORECASE)


@lru_cache(maxsize=1024)
def trim(clause: str) -> str:
    """Return ``clause`` without the small words that open and close spoken sentences.

    Examples
    --------
    >>> trim("Well, no, I only drove, to be fair")
    'I only drove'
    >>> trim("Last Thursday I sat on the edge of the bath")
    'I sat on the edge of the bath'
    """
    clause = _WHEN.sub("", clause.strip(" \t\n.,!…;:–—-"))
    for pattern in (_LEAD, _TAIL):
        for _ in range(4):
            if pattern is _LEAD and _KEEP_THERE.match(clause):
                break
            shorter = pattern.sub("", clause).strip(" ,.")
            if shorter == clause or not shorter:
                break
            clause = shorter
    return clause


def clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of ``text`` in order, trimmed, without empty ones.

    Examples
    --------
    >>> clauses("I got to the gate, in May, and no further. I had the key out and I said I was waiting.")
    ('I got to the gate', 'in May', 'no further', 'I had the key out', 'I said I was waiting')
    """
    pieces = (trim(piece) for sentence in split_sentences(text) for piece in _CUT.split(sentence))
    return tuple(piece for piece in pieces if piece)


def whole_clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of ``text`` as :func:`clauses` does, but with what limits them (when, while, until) kept on.

    "He wouldn't pull off till I got my door open" without its second half says the opposite. A clause of purpose
    ("so I'd be doing something") does not stand alone and is left out.

    Examples
    --------
    >>> whole_clauses("He wouldn't pull off till I got my door open, and I read the milk so I'd be doing something.")
    ("He wouldn't pull off till I got my door open", 'I read the milk')
    """
    raw = (piece for sentence in split_sentences(text) for piece in _JOINED.split(sentence))
    pieces = (trim(piece) for piece in raw if not _PURPOSE.match(piece.strip()))
    return tuple(piece for piece in pieces if piece)


_APPOSED = re.compile(
    r"^, (?:my|our|his|her|the|an?) \w+(?: \w+)?, (?:for|as|to|with|at|in|on|from|by|about|of|is|was|has|had|isn't|"
    r"wasn't|who)\b",
    re.IGNORECASE,
)
_ELIDED = re.compile(
    r"^(?:, [\w ]{1,20})?,? (?:and|but) (?:then )?(?:was|were|had|got|am|is|have|went|came|did|didn't|couldn't|"
    r"can't|\w+ed)\b",
    re.IGNORECASE,
)


def cut_short(clause: str, sentence: str) -> bool:
    """Whether ``sentence`` goes on after ``clause`` with words that belong to it, so that alone it means little.

    Examples
    --------
    >>> cut_short("I always took Nell", "I always took Nell, my aunt, for a happy woman.")
    True
    >>> cut_short("I asked", "I asked, and was laughed at."), cut_short("I asked", "I asked, once.")
    (True, False)
    """
    after = sentence[sentence.find(clause) + len(clause) :]
    return _APPOSED.match(after) is not None or _ELIDED.match(after) is not None


_MAYBE = re.compile(r"\b(?:maybe|perhaps|possibly|probably|supposing|might be)\W*$", re.IGNORECASE)


def doubted(clause: str, sentence: str) -> bool:
    """Whether ``sentence`` says ``clause`` with a "maybe", which trimming took off: stated back, it would be a fact.

    Examples
    --------
    >>> doubted("he simply liked it", "Maybe he simply liked it."), doubted("I ate", "I ate, maybe twice.")
    (True, False)
    """
    return _MAYBE.search(sentence[: max(0, sentence.find(clause))]) is not None


_HELD_TRUE = re.compile(
    r"^(?:i|we)(?:'ve|'d| have| had)?(?: always| only| just)? (?:(?:used to|always) \w+|said|thought|took|believed|"
    r"reckoned|figured|assumed|called)\b",
    re.IGNORECASE,
)
_BUT_NOW = re.compile(
    r"^,? (?:and|but|only)\b.*(?:\b(?:now|not sure|wonder|maybe|perhaps|might)\b|n't\b)", re.IGNORECASE
)


def taken_back(clause: str, sentence: str) -> bool:
    """Whether ``clause`` says what somebody held to be so, and ``sentence`` goes on to doubt it.

    Examples
    --------
    >>> taken_back("I always said I want it quiet", "I always said I want it quiet, and I'm not sure it's that.")
    True
    >>> taken_back("I always said I want it quiet", "I always said I want it quiet.")
    False
    """
    after = sentence[sentence.find(clause) + len(clause) :]
    return _HELD_TRUE.match(clause) is not None and _BUT_NOW.match(after) is not None


_IF = re.compile(
    r"^(?:(?:and|but|so|well|because|look|see|i mean|i think|you see),? )*(?:what if|if|suppose|supposing|imagine)\b"
    r"(?! (?:you (?:want|like|don't|do not|ask|must)|i'm honest|i may|that's|it's (?:all right|ok)))",
    re.IGNORECASE,
)
_STILL_IF = re.compile(
    r"^(?:(?:i mean|and|so|then|well),? )*(?:(?:i'm|i am|i'd be|i'll be|we're|it's|that's)(?: not| just| only| still)* "
    r"(?:a|an|the|my|his|her|what|nobody|nothing|no|like|one|over|finished|done|gone)\b|then |or )",
    re.IGNORECASE,
)
_WOULD = re.compile(
    r"\b(?:i|he|she|it|they|we|there|that)(?:'d| would) (?:not |just |only |still )?(?:be|have|go|get)\b", re.I
)
_OR_ELSE = re.compile(r"^or\b", re.IGNORECASE)


def supposed(sentences: Sequence[str]) -> tuple[bool, ...]:
    """Return of each sentence whether it carries on something that an earlier one only supposed or wished for.

    "If I stop I'm nobody. I'm a coat on a chair." says of the speaker only what would be, if.

    Examples
    --------
    >>> supposed(("If I stop I'm nobody.", "I'm just a coat on a chair.", "I can't sleep."))
    (False, True, False)
    >>> supposed(("I'd be glad, probably.", "Or the bell goes and I'm not tired.")), supposed(("I'm a tailor.",))
    ((False, True), (False,))
    """
    found: list[bool] = []
    inside = would = False
    for sentence in sentences:
        on = (inside and _STILL_IF.match(sentence) is not None) or (would and _OR_ELSE.match(sentence) is not None)
        found.append(on)
        inside = on or _IF.match(sentence) is not None
        would = on or _WOULD.search(sentence) is not None
    return tuple(found)
