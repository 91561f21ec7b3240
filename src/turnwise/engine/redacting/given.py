"""Names that somebody gave beforehand, found in whatever spelling of their marks, apostrophes, hyphens and letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

from turnwise.engine.redacting.lexicon import plain
from turnwise.engine.redacting.spans import Span

__all__ = ["GivenNames"]

_APOSTROPHES, _HYPHENS = "'’‘ʼ`´′", "-‐‑‒–—−"
_ALIKE = str.maketrans(dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_HYPHENS, "-"))
_UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_JOINT = re.compile(r"[\s'-]+")


class GivenNames:
    """Names that are known to occur. ``met`` collects those that did.

    Where a name has an apostrophe, a hyphen or a space, a text may have another, or none; and it may have an apostrophe
    or a hyphen where the name has none. It is no list of people: a name that is a word is found wherever it stands.

    Examples
    --------
    >>> names = GivenNames(["D’Umbrage", "Nobody"])
    >>> text = "so d'umbrage rang, Dumbrage!"
    >>> [text[s.start : s.end] for s in names.spans(text)], names.met
    (["d'umbrage", 'Dumbrage'], {'D’Umbrage'})
    """

    def __init__(self, names: Iterable[str], met: set[str] | None = None) -> None:
        found = ((name, _pattern(name)) for name in dict.fromkeys(names))
        self._patterns = [(name, pattern) for name, pattern in found if pattern is not None]
        self.met = set() if met is None else met

    def spans(self, text: str) -> Iterator[Span]:
        """Yield where the names stand in ``text``; spans may overlap."""
        if not self._patterns:
            return
        folded, places = _folded(text)
        for name, pattern in self._patterns:
            for m in pattern.finditer(folded):
                self.met.add(name)
                yield Span(places[m.start()], _end(text, places[m.end() - 1]), "NAME")


@cache
def _pattern(name: str) -> re.Pattern[str] | None:
    pieces = ["['-]?".join(map(re.escape, x)) for x in _JOINT.split(_folded(name)[0]) if x]
    return re.compile(r"(?<!\w)" + r"(?:\s+|['-]?\s?)".join(pieces) + r"(?!\w)") if pieces else None


def _folded(text: str) -> tuple[str, list[int]]:
    """Return ``text`` in small letters without marks, and for each of its characters where it stood."""
    if text.isascii():
        return text.lower().translate(_ALIKE), list(range(len(text)))
    out: list[str] = []
    places: list[int] = []
    for at, c in enumerate(text):
        if c in _UNSEEN:
            continue
        same = plain(c.translate(_ALIKE))
        out.append(same)
        places += [at] * len(same)
    return "".join(out), places


def _end(text: str, last: int) -> int:
    """Return the end of a span whose last letter is at ``last``: the marks above it belong to it."""
    end = last + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end
