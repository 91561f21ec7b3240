"""Many lists of patterns over one text: each pattern is tried only where a word begins as the pattern does.

Searching for fifty lists one after the other costs more than everything else that is done with a question. Nearly
all patterns open at the start of a word or of the text, with letters that can be read off them; so the words of a
text say which are worth trying, and where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["OpeningTable", "opening_table", "openings"]

_START_OF_WORD = re.compile(r"\b\w")
_QUANTIFIED = ("?", "*", "{", "+")
_DEEP = 3
_LITERAL = re.compile(rf"[^\W_]{{1,{_DEEP}}}")
_NOT_AFTER = re.compile(r"^(?:\(\?<!\\?[\w ]+\))+")
"""What a pattern may not follow: it says nothing of how a match begins."""


def _branches(pattern: str) -> Iterator[str]:
    """Yield the alternatives of a pattern that are not inside a group."""
    depth = at = 0
    for i, mark in _marks(pattern):
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if mark == "|" and not depth:
            yield pattern[at:i]
            at = i + 1
    yield pattern[at:]


def _marks(pattern: str) -> Iterator[tuple[int, str]]:
    """Yield the place of each parenthesis and bar that means something: not escaped, not in a class."""
    i, inside = 0, False
    while i < len(pattern):
        mark = pattern[i]
        if mark == "\\":
            i += 1
        elif inside or mark == "[":
            inside = mark != "]"
        elif mark in "(|)":
            yield i, mark
        i += 1


def openings(pattern: str, anchored: bool = False) -> frozenset[str] | None:
    r"""Return the one to three letters that a match of ``pattern`` may begin with; ``None`` where that cannot be told.

    Only what is anchored (``\b`` or ``^``) begins where a word does.

    Examples
    --------
    >>> sorted(openings(r"\bwhat (?:is|was)|^(?:so |and )?then"))
    ['and', 'so', 'the', 'wha']
    >>> openings("what"), openings(r"\b(?:very )+much"), openings(r"\b\w+ing")
    (None, None, None)
    """
    found: set[str] = set()
    for branch in _branches(pattern):
        branch = _NOT_AFTER.sub("", branch)
        bare = branch.removeprefix("\\b").removeprefix("^")
        of_branch: frozenset[str] | None = None
        if anchored or bare != branch:
            of_branch = _openings_of_group(bare) if bare.startswith("(?:") else _opening(bare)
        if of_branch is None:
            return None
        found |= of_branch
    return frozenset(found)


def _opening(bare: str) -> frozenset[str] | None:
    found = _LITERAL.match(bare)
    # "okay?" may end without its last letter.
    sure = found.group()[: -1 if bare[found.end() :].startswith(_QUANTIFIED) else None] if found else ""
    return frozenset((sure,)) if sure else None


def _openings_of_group(bare: str) -> frozenset[str] | None:
    depth = 0
    for i, mark in _marks(bare):
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if not depth:
            found, rest = openings(bare[3:i], anchored=True), bare[i + 1 :]
            if found is None or not rest.startswith(_QUANTIFIED):
                return found
            after = openings(rest[1:], anchored=True) if rest[0] in "?*" else None
            return None if after is None else found | after
    return None


_Compiled: TypeAlias = tuple[re.Pattern[str], tuple[tuple[int, re.Pattern[str]], ...]]


@dataclass(frozen=True, slots=True, eq=False)
class OpeningTable:
    """Lists of patterns by the letters they open with; those whose opening cannot be told are searched ``anywhere``.

    ``known`` holds for each opening one pattern of all that a word with that beginning may open, and one of each
    list: compiled when such a word is first met, since most never are.
    """

    by_opening: Mapping[str, Mapping[int, Sequence[str]]]
    anywhere: tuple[tuple[int, re.Pattern[str]], ...]
    known: dict[str, _Compiled] = field(default_factory=dict, repr=False)

    def hits(self, text: str) -> tuple[int, ...]:
        r"""Return the lists of which some pattern occurs in ``text``, by their position, in order.

        Examples
        --------
        >>> table = opening_table([[r"\bwhat is"], ["^why", r"\bhow come"], [r"ing\b"]])
        >>> table.hits("so how come it is raining"), table.hits("but why")
        ((1, 2), ())
        """
        found = {i for i, pattern in self.anywhere if pattern.search(text)}
        for start in _START_OF_WORD.finditer(text):
            at = start.start()
            every, own = self._opened_by(text[at : at + _DEEP])
            if every is not None and every.match(text, at):
                found.update(i for i, pattern in own if i not in found and pattern.match(text, at))
        return tuple(sorted(found))

    def _opened_by(self, letters: str) -> _Compiled | tuple[None, tuple[()]]:
        """Return the patterns that a word with these first letters may open."""
        while letters and letters not in self.by_opening:
            letters = letters[:-1]
        if not letters:
            return None, ()
        found = self.known.get(letters)
        if found is None:
            of: dict[int, list[str]] = {}
            for n in range(1, len(letters) + 1):
                for i, patterns in self.by_opening.get(letters[:n], {}).items():
                    of.setdefault(i, []).extend(patterns)
            found = re.compile("|".join(p for own in of.values() for p in own)), _compiled(of)
            self.known[letters] = found
        return found


def opening_table(lists: Sequence[Sequence[str]]) -> OpeningTable:
    """Return the table of some lists of patterns; a list hits where one of its patterns occurs."""
    by_opening: dict[str, dict[int, list[str]]] = {}
    anywhere: dict[int, list[str]] = {}
    for i, patterns in enumerate(lists):
        for pattern in patterns:
            found = openings(pattern)
            for letters in found or ():
                by_opening.setdefault(letters, {}).setdefault(i, []).append(pattern)
            if found is None:
                anywhere.setdefault(i, []).append(pattern)
    return OpeningTable(by_opening, _compiled(anywhere))


def _compiled(of: dict[int, list[str]]) -> tuple[tuple[int, re.Pattern[str]], ...]:
    return tuple((i, re.compile("|".join(own))) for i, own in of.items())
