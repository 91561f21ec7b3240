"""Which texts are nearly the same, so that a split never has one on each side.

Definition: two texts belong together if one shares at least four fifths of its distinct word
trigrams with the other (at least three trigrams), or if they have the same ones; groups are closed
under that. It is not about meaning: a paraphrase is another text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

__all__ = ["groups_of", "near_duplicates"]

_SHARE = 0.8
_FEWEST = 3
_WORD = re.compile(r"[a-z']+")


def groups_of(n: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each of ``n`` things the lowest number it is joined to by ``pairs``, directly or not.

    Examples
    --------
    >>> groups_of(4, [(1, 3), (3, 2)])
    [0, 1, 1, 1]
    """
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in pairs:
        low, high = sorted((root(a), root(b)))
        parent[high] = low
    return [root(i) for i in range(n)]


def _trigrams(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return frozenset(zip(words, words[1:], words[2:], strict=False)) or frozenset({(text.lower().strip(),)})


def near_duplicates(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs of positions of texts that are nearly the same.

    Examples
    --------
    >>> near_duplicates(["So you feel sad about it.", "What now?", "so you feel sad about it"])
    [(0, 2)]
    """
    found = [_trigrams(t) for t in texts]
    seen: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    pairs = []
    for i, mine in enumerate(found):
        shared = Counter(j for gram in sorted(mine) for j in seen[gram])
        for j, n in sorted(shared.items()):
            fewer = min(len(mine), len(found[j]))
            if mine == found[j] or (fewer >= _FEWEST and n >= _SHARE * fewer):
                pairs.append((j, i))
        for gram in mine:
            seen[gram].append(i)
    return pairs
