"""Word n-grams of many texts at once, as numbers: what makes reading a corpus quick.

A token is hashed once in a lifetime, an n-gram is a mix of its tokens' hashes, and a vocabulary is
a sorted array of such keys. Two different n-grams of one key are possible in principle and, with
64 bits, never met in practice; a vocabulary that holds a clash refuses to load.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

__all__ = ["END", "START", "Vocabulary", "tokens_of"]

START, END = "<s>", "</s>"
"""Marks of a text's start and end, for vocabularies that want them."""
_TOKEN = re.compile(r"[a-z']+|[?.!,-]")
_READ_CHARS = 20_000
_Keys = npt.NDArray[np.uint64]
_MIX = np.uint64(0x9E3779B97F4A7C15)
_LONGEST = 3
_BITS = 17
_LAST = np.uint64((1 << _BITS) - 1)
_GREATEST = np.uint64(2**64 - 1)


def tokens_of(text: str) -> list[str]:
    """Return the words and stops of ``text`` in order, lower case.

    Examples
    --------
    >>> tokens_of("I don’t. Do you?")
    ['i', "don't", '.', 'do', 'you', '?']
    """
    return _TOKEN.findall(text[:_READ_CHARS].lower().replace("’", "'"))


@lru_cache(maxsize=200_000)
def _hash(token: str) -> int:
    return int.from_bytes(hashlib.blake2b(token.encode(), digest_size=8).digest(), "little")


def _next(keys: _Keys, tokens: _Keys) -> _Keys:
    """Return the keys of n-grams from those one word shorter and the word that follows."""
    with np.errstate(over="ignore"):
        mixed = (keys ^ (keys >> np.uint64(29))) * _MIX + tokens
        return np.asarray(mixed ^ (mixed >> np.uint64(32)), dtype=np.uint64)


def _keys_of(terms: Sequence[str]) -> _Keys:
    """Return the key of each term; all pairs are mixed at once, then all triples: there are a hundred thousand."""
    cut = [t.split(" ") for t in terms]
    longest = max(map(len, cut), default=1)
    keys = np.zeros(len(cut), dtype=np.uint64)
    for n in range(longest):
        at = np.array([i for i, tokens in enumerate(cut) if len(tokens) > n], dtype=np.int64)
        tokens = np.array([_hash(cut[i][n]) for i in at], dtype=np.uint64)
        keys[at] = tokens if n == 0 else _next(keys[at], tokens)
    return keys


@lru_cache(maxsize=8_192)
def _hashes(text: str) -> _Keys:
    """Return the hashes of a text's tokens in order: many coders read the same turns, and cut them differently."""
    return np.array(list(map(_hash, tokens_of(text))), dtype=np.uint64)


_START, _END = (np.array([_hash(mark)], dtype=np.uint64) for mark in (START, END))


class _Grams(NamedTuple):
    """The n-grams of some texts: which text, the key, the last bits of the key; ``ends`` of those up to n words."""

    of_text: npt.NDArray[np.int64]
    keys: _Keys
    last: npt.NDArray[np.int64]
    ends: tuple[int, ...]


@lru_cache(maxsize=8)
def _grams(texts: tuple[str, ...], marks: bool) -> _Grams:
    """Return the n-grams of every text: first all single tokens in order of speech, then all pairs, all triples."""
    found = [_hashes(t) for t in texts]
    if marks:
        found = [np.concatenate([_START, tokens, _END]) for tokens in found]
    sizes = np.array([len(tokens) for tokens in found], dtype=np.int64)
    of_text = np.repeat(np.arange(len(found), dtype=np.int64), sizes)
    tokens = np.concatenate(found) if found else np.zeros(0, dtype=np.uint64)
    out = [(of_text, tokens)]
    keys = tokens
    for n in range(2, _LONGEST + 1):
        keys = _next(keys[: max(0, len(tokens) - n + 1)], tokens[n - 1 :])
        same = of_text[n - 1 :] == of_text[: len(keys)]
        out.append((of_text[n - 1 :][same], keys[same]))
    every = np.concatenate([keys for _, keys in out])
    ends = accumulate(len(keys) for _, keys in out)
    return _Grams(np.concatenate([at for at, _ in out]), every, (every & _LAST).astype(np.int64), tuple(ends))


class Vocabulary:
    """A fixed set of word n-grams, in a fixed order.

    Parameters
    ----------
    terms : distinct n-grams of one to three tokens, joined by single spaces.
    marks : the start and the end of a text count as tokens.

    Raises
    ------
    ValueError : a term occurs twice, is longer than three tokens, or two terms have one key.
    """

    def __init__(self, terms: Sequence[str], *, marks: bool = False) -> None:
        self.terms = tuple(terms)
        self.marks = marks
        self.longest = max((t.count(" ") + 1 for t in terms), default=1)
        if self.longest > _LONGEST:
            raise ValueError(f"a term of {self.longest} tokens; {_LONGEST} is the most")
        keys = _keys_of(self.terms)
        self._order = np.argsort(keys, kind="stable")
        # The least key once more at the end: what is greater than all is looked up there, and is another.
        self._known = np.append(keys[self._order], keys.min(initial=_GREATEST))
        # Most n-grams of a text are in no vocabulary: their last bits tell, before anything is searched for.
        self._may_be = np.zeros(1 << _BITS, dtype=bool)
        self._may_be[keys & _LAST] = True
        if len(np.unique(keys)) < len(keys):
            raise ValueError("two terms of this vocabulary are the same, or share one key")

    def __len__(self) -> int:
        return len(self.terms)

    def matrix(self, texts: Sequence[str]) -> sparse.csr_matrix:
        """Return which terms occur in which text: (texts, terms), ones and nothing else.

        A row is the same whatever else is in the batch. Work that several vocabularies share
        (tokens, hashes) is done once for the latest batches of texts.

        Examples
        --------
        >>> Vocabulary(("do", "do you", "?")).matrix(["Do you?", "I do."]).toarray()
        array([[1., 1., 1.],
               [1., 0., 0.]])
        """
        found = _grams(tuple(texts), self.marks)
        likely = np.flatnonzero(self._may_be[found.last[: found.ends[self.longest - 1]]])
        keys = found.keys[likely]
        where = np.searchsorted(self._known[:-1], keys)
        same = self._known[where] == keys
        # An n-gram counts once a text: sorted by text and by term, each cell of the matrix is there once.
        cell = found.of_text[likely[same]] * len(self) + self._order[where[same]]
        cell.sort()
        if len(cell):
            cell = np.concatenate([cell[:1], cell[1:][cell[1:] != cell[:-1]]])
        row, column = np.divmod(cell, max(1, len(self)))
        pointers = np.searchsorted(row, np.arange(len(texts) + 1))
        return sparse.csr_matrix((np.ones(len(row)), column, pointers), shape=(len(texts), len(self)))
