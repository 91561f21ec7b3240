"""Lists of names, places and ordinary words, as sets. They ship as text; a user's own list is added by the caller."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["Lexicon", "lexicon", "phrases_of", "plain", "words_of"]

_NO_MARKS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "ı": "i", "æ": "ae", "œ": "oe", "’": "'", "ð": "d"})
_ENDINGS = (
    "s",
    "es",
    "ed",
    "d",
    "ing",
    "ly",
    "er",
    "est",
    "y",
    "ness",
    "n't",
    "'s",
    "'ll",
    "'d",
    "'re",
    "'ve",
    "'m",
    "in",
)


def plain(word: str) -> str:
    """Return ``word`` in small letters and without marks, as the lists hold it.

    Examples
    --------
    >>> plain("Siobhán"), plain("Łukasz"), plain("O’Neill")
    ('siobhan', 'lukasz', "o'neill")
    """
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.lower().translate(_NO_MARKS))
    return "".join(c for c in parts if not unicodedata.combining(c))


def _lines(name: str) -> list[str]:
    text = resources.files(__package__).joinpath("words").joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def words_of(name: str) -> frozenset[str]:
    """Return the words of a list that ships, or nothing if there is no such list."""
    try:
        return frozenset(word for line in _lines(name) for word in line.split())
    except FileNotFoundError:
        return frozenset()


@cache
def phrases_of(name: str) -> frozenset[tuple[str, ...]]:
    """Return the entries of a list parted by commas, each as its words."""
    return frozenset(tuple(x.split()) for line in _lines(name) for x in line.split(",") if x.strip())


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is known of words.

    Attributes
    ----------
    given : given names that are nothing else.
    unsure : given names that are words too: they need a capital inside a sentence, or a cue.
    family : family names, some of them words.
    places, employers : as tuples of words.
    common : ordinary words.
    known : capitalised words that name nobody.
    """

    given: frozenset[str]
    unsure: frozenset[str]
    family: frozenset[str]
    places: frozenset[tuple[str, ...]]
    employers: frozenset[tuple[str, ...]]
    common: frozenset[str]
    known: frozenset[str]

    def ordinary(self, word: str) -> bool:
        """Whether ``word`` (as :func:`plain` gives it) is an ordinary word or a form of one."""
        if word in self.common or word in self.known or len(word) < 2:
            return True
        for end in _ENDINGS:
            stem = word.removesuffix(end)
            if stem != word and len(stem) > 2 and (stem in self.common or stem + "e" in self.common):
                return True
            if stem != word and len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in self.common:
                return True
        return all(part in self.common for part in word.split("-")) if "-" in word else False


@cache
def lexicon() -> Lexicon:
    """Return the lists that ship."""
    unsure, common = words_of("given_also_words.txt"), words_of("common.txt")
    known = words_of("known.txt")
    given = words_of("given.txt") - unsure - known
    return Lexicon(
        given=given,
        unsure=(unsure - known) | (given & common),
        family=words_of("family.txt"),
        places=phrases_of("places.txt"),
        employers=phrases_of("employers.txt"),
        common=common,
        known=known,
    )
