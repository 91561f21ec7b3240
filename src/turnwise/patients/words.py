"""Words of a sentence, and which of them carry content."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["content_words", "fillers_per_100", "word_set", "words_of"]

_WORD = re.compile(r"[^\W\d_][\w'-]*|\d+")
_FUNCTION = frozenset(
    """a about after again all also always am an and any are aren't as at be because been before being but by can
    can't could couldn't did didn't do does doesn't doing don't down ever every for from get gets getting go goes
    going got had has hasn't have haven't having he he'd he's her here hers him his how i i'd i'll i'm i've if in
    into is isn't it it's its just know let like little made make makes many me mean might mine more most much must
    my never no not now of off oh on once one only or other our out over own part really said same say says see
    she she'd she's should shouldn't so some something sort still such sure take tell than that that's the their
    them then there there's these they they'd they're thing things think this those though thought through time to
    too up us very want was wasn't way we we're well went were weren't what what's when where which while who why
    will with without won't would wouldn't yes you you'd you'll you're you've your yours yourself feel feeling
    happen happened happens anyone someone anything lot bit kind back today
    now right okay sounds seems""".split()
)
_FILLERS = re.compile(
    r"\b(?:um|uh|uhm|er|you know|you see|i mean|i guess|i suppose|kind of|sort of|or something|or whatever|and stuff|"
    r"and that|just|really)\b|(?<=, )like(?=,)|(?:^|(?<=[.?!] ))(?:and|so|but|well|oh|like|yeah|okay|now|see|look)\b"
)
_STEM = re.compile(r"(?:'s|s'|ings?|ed|es|s)$")
_KEPT = 8_192
"""Texts whose words are kept: a session's turns are looked at again at every turn."""


def words_of(text: str) -> list[str]:
    """Return the lower-case words of ``text``.

    Examples
    --------
    >>> words_of("It's Rike's desk.")
    ["it's", "rike's", 'desk']
    """
    return list(_words(text))


@lru_cache(maxsize=_KEPT)
def word_set(text: str) -> frozenset[str]:
    """Return the distinct words of ``text``, as ``words_of`` finds them.

    Examples
    --------
    >>> sorted(word_set("No, no. Rike."))
    ['no', 'rike']
    """
    return frozenset(_words(text))


@lru_cache(maxsize=_KEPT)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower().replace("’", "'")))


@lru_cache(maxsize=_KEPT)
def _stem(word: str) -> str:
    return word if len(word) < 4 else _STEM.sub("", word) or word


@lru_cache(maxsize=_KEPT)
def content_words(text: str) -> frozenset[str]:
    """Return stems of the words of ``text`` that carry content (no function words).

    Examples
    --------
    >>> sorted(content_words("Did you open the letters?"))
    ['letter', 'open']
    """
    return frozenset(_stem(w) for w in _words(text) if w not in _FUNCTION)


def fillers_per_100(texts: Iterable[str]) -> float:
    """Return how many words per hundred only fill: um, you know, just, a sentence begun with and or well.

    Not disfluency as a whole: words said twice and broken sentences are counted elsewhere or not at all.

    Examples
    --------
    >>> round(fillers_per_100(["Well, I just, you know, left it there on the table."]), 1)
    27.3
    """
    low = [t.lower().replace("’", "'") for t in texts]
    words = sum(len(t.split()) for t in low)
    return 100.0 * sum(len(_FILLERS.findall(t)) for t in low) / max(words, 1)
