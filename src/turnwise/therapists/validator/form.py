"""Faults of form: empty, garbled, markup, leaked instructions, length, repetition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from turnwise.reading.scope import english_share, scope_code
from turnwise.therapists.validator.faults import REASONS, Fault, Kind
from turnwise.therapists.validator.situation import Draft, Situation, words_of

__all__ = ["MAX_WORDS", "find", "found", "most_words"]

MAX_WORDS = 120
"""No turn is longer: high-quality human counsellors' turns have 16 words on average (AnnoMI), models' about 157."""
_LEAST_LIMIT = 80
_TIMES_THEIRS = 6.0  # a turn may be several times as long as the patient's usual one, not twenty times
_EXCHANGES = 2

_MARKUP = re.compile(
    r"\n\s*(?:[-*•–]|\d{1,2}[.)])\s+\S|(?:^|\n)\s*(?:[*•]\s+\S|\d{1,2}[.)]\s+\S|#{1,6}\s|>{1,3}\s|\|)|\*\*|__|`|"
    r"</?[a-z][^>]{0,40}>|\*[a-z][^*\n]{1,60}\*|"
    r"(?:^|\n)\s*[\[({][^\])}\n]{1,60}[\])}]|\[[a-z ]{3,40}\]|\{\s*[\"']|"
    r"(?:^|\n|[.!?]\s+)\s*(?:therapist|patient|client|counsell?or|assistant|user|human|ai|me|you|reply|response|answer|"
    r"draft|t|p)\s*:\s",
    re.IGNORECASE,
)
_LEAKS = re.compile(
    r"\b(?:system prompt|my (?:instructions?|guidelines|programming|system|developers?)|(?:the|these|this|your|"
    r"following) "
    r"instructions?|instruction:|as an? (?:ai )?(?:language |large language )?model|language model|i(?:'m|"
    r" am) (?:not )?able to "
    r"roleplay|i cannot roleplay|role-?play|the (?:patient|client|user)(?:'s)? (?!s?chart)\w+|here(?:'s| is|"
    r" are) (?:a|an|the|my|some|"
    r"one|your) (?:\w+ ){0,3}(?:response|reply|reflection|draft|version|revision|rewrite|answer|possible|turn)\b|"
    r"revised "
    r"(?:version|response|reply|turn)|(?:move|act|target|intensity|stage|plan|fault|reason|goal|task|constraint|"
    r"note)s?\s*[:=]\s*\S|"
    r"reflect_\w+|ask_(?:evidence|thought|exception|alternative|feeling)|open_question|step_back|give_room|next_step|"
    r"word (?:limit|count)|under \d+ words|at most \d+ words|in character|out of character|i(?:'ve| have) (?:revised|"
    r"rewritten|reworded))\b",
    re.IGNORECASE,
)
_SHORT = 4  # words: "Mm-hmm." and "Go on." may come again
_ALIKE = 0.86
_LONGEST_WORD = 45  # letters, dashes and slashes included
_KEYBOARD = re.compile(
    r"\b(?:asdf\w*|qwer\w*|zxcv\w*|lorem ipsum|0x[0-9a-f]+|[bcdfghjklmnpqrstvwxz]{6,})\b", re.IGNORECASE
)


def found(kind: Kind, span: str, start: int = 0, more: str = "") -> Fault:
    """Return a fault with its standing reason, and what is particular to this one."""
    return Fault(kind, start, start + len(span), span, f"{REASONS[kind]} {more}".strip())


def most_words(s: Situation) -> int:
    """Return how many words the next turn may have: 120, fewer with somebody who says little.

    Examples
    --------
    >>> most_words(Situation(()))
    120
    """
    lengths = [len(t.split()) for t in s.patient if t.split()]
    if len(lengths) < _EXCHANGES:
        return MAX_WORDS
    return int(min(MAX_WORDS, max(_LEAST_LIMIT, _TIMES_THEIRS * median(lengths))))


def find(draft: Draft, s: Situation) -> Iterator[Fault]:
    """Yield the faults of form of a draft."""
    text = draft.text
    if not re.search(r"[^\W_]", re.sub(r"[\[(*][^\[\]()*]{0,80}[\])*]", "", text)):
        yield found("empty", text)
        return
    if (garbled := _garbled(text)) is not None:
        yield garbled
    if hit := _MARKUP.search(text):
        yield found("markup", hit.group().strip() or hit.group(), hit.start())
    if hit := _LEAKS.search(text):
        yield found("leaks", hit.group(), hit.start())
    words = len(text.split())
    if words > (limit := most_words(s)):
        yield found("too_long", text[:60], 0, f"It has {words} words; {limit} are the most here.")
    if (again := _repeated(text, s)) is not None:
        yield again


def _garbled(text: str) -> Fault | None:
    words = words_of(text)
    letters = [c for c in text[:4_000] if c.isalpha()]
    if scope_code(text) == "out_of_scope" or sum(not c.isascii() for c in letters) > 0.1 * max(1, len(letters)):
        return found("garbled", text[:60])
    if any(len(w) > _LONGEST_WORD for w in text.split()):
        return found("garbled", text[:60])
    if len(words) >= 8 and len(set(words)) < 0.4 * min(len(words), 60):
        return found("garbled", text[:60], 0, "It says the same word over and over.")
    stutters = sum(a == b for a, b in pairwise(words))
    if (stutters >= 3 and stutters > 0.2 * len(words)) or _KEYBOARD.search(text):
        return found("garbled", text[:60])
    if len(words) >= 8 and english_share(text) < 0.25:
        return found("garbled", text[:60])
    if "\x1b" in text or "\x00" in text or re.search(r"https?://|\w+@\w+\.", text):
        return found("garbled", text[:60], 0, "It has control signs or addresses in it.")
    return None


def _repeated(text: str, s: Situation) -> Fault | None:
    now = words_of(text)
    if len(now) < _SHORT:
        return None
    grams = _grams(now)
    for before in s.therapist:
        then = words_of(before)
        if now == then:
            return found("repeats", text)
        if len(then) >= 2 * _SHORT <= len(now):
            others = _grams(then)
            if len(grams & others) >= _ALIKE * max(len(grams), len(others)):
                return found("repeats", text)
    return None


def _grams(words: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(words))
