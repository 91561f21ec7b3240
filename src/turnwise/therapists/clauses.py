"""Cut what a patient said into clauses that can be given back.

Not a parser. It prefers to find nothing over finding a clause that would sound broken, or that
asserts what the patient only supposed, asked, or reported somebody else as saying.
"""

from __future__ import annotations

import re

from turnwise.reading.sentences import split_sentences

__all__ = ["clauses", "trim", "whole_clauses"]

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
_JOINED = re.compile(
    rf"\s*[;:]\s+|\s+[–—-]\s+|,\s+|\s+(?=(?:and|but|because|so|though|although)(?: then)?\s+{_SUBJECTS}\b)"
)
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
    r"^(?:on (?:the )?(?:\w+ ){1,3}|(?:last|this|that|one) (?:\w+ ){1,2}|(?:the )?other (?:day|night|week) |yesterday |"
    r"in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4}|the \w+) |"
    r"(?:\w+ )?\w+ (?:ago|back) )(?=(?:i|we|he|she|they)\b)",
    re.IGNORECASE,
)
"""When something was: what was done can be given back without it."""
_KEEP_THERE = re.compile(r"^there(?:'s|\s+(?:is|was|are|were|isn't|wasn't))\b", re.IGNORECASE)


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
