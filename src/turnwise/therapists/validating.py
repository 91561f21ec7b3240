"""Check a line before it is said: grounded, new, not leading, not too early."""

from __future__ import annotations

import re

from turnwise.core.nouns import Belief
from turnwise.reading.sentences import split_sentences
from turnwise.therapists.choosing import Act, too_early
from turnwise.therapists.emotions import NAMES
from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.reflecting import Line
from turnwise.therapists.tracking.limits import breaks
from turnwise.therapists.wording import MAX_QUOTED, MAX_THOUGHT

__all__ = ["fault"]

_LEADING = re.compile(
    r"\b(?:don't you think|wouldn't you (?:say|agree)|isn't it (?:true|possible)|surely|obviously|of course you|"
    r"you must|you should|"
    r"you need to|you ought to|the truth is|in reality)\b",
    re.IGNORECASE,
)
_IN_QUOTES = re.compile(r'"([^"]+)"')
_FEELINGS: dict[str, frozenset[str]] = {}
for _word, (_adjective, _noun) in NAMES.items():
    for _form in (_word, _adjective, _noun):
        _FEELINGS[_form] = _FEELINGS.get(_form, frozenset()) | {_word}


def fault(line: Line, act: Act | None, ledger: Ledger, belief: Belief) -> str | None:
    """Return why ``line`` must not be said now, or ``None``.

    It checks wording against what the patient said; whether the question is a wise one is decided
    by the choice of the act.

    Returns
    -------
    ``"repeats"``, ``"off limits"``, ``"not grounded"``, ``"too long a quotation"``, ``"unvoiced feeling"``,
    ``"leading"``, ``"too early"`` or ``None``.
    """
    if line.text in ledger.said:
        return "repeats"
    if breaks(line.text, ledger.limits):
        return "off limits"
    for quoted in (*line.quoted, *_IN_QUOTES.findall(line.text)):
        words = normal(quoted.strip(" .,"))
        if words.startswith("your "):
            words = words.removeprefix("your ")
        if words not in ledger.corpus:
            return "not grounded"
        longest = MAX_THOUGHT if words == normal(ledger.thought) else MAX_QUOTED
        if len(quoted.split()) > longest:
            return "too long a quotation"
    if _unvoiced(line, ledger):
        return "unvoiced feeling"
    if _LEADING.search(line.text):
        return "leading"
    if act is not None and too_early(belief, act):
        return "too early"
    return None


def _unvoiced(line: Line, ledger: Ledger) -> bool:
    for sentence in split_sentences(line.text):
        if sentence.endswith("?"):
            continue  # asking is not attributing
        words = set(re.findall(r"[a-z]+", sentence.lower()))
        for form, sources in _FEELINGS.items():
            if form in words and not sources & ledger.feelings and form not in ledger.corpus.split():
                return True
    return False
