"""Questions that a case is known to answer, held ready for the comparison with one that is asked.

A question is compared with questions, never with answers: the two share few words. Every telling,
proposition and fact of a case stands here with the ways of asking for it that its author wrote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.ears.intents import IntentReading, plain
from turnwise.reading.ears.question_space import encode_questions

__all__ = ["NEARNESS", "AskedTable", "Worded", "asked_table", "worded"]

NEARNESS: tuple[str, ...] = (
    "cosine", "second_cosine", "content", "same_kind", "uncovered", "unasked", "pairs", "held", "framed",
)  # fmt: skip
"""Columns of ``AskedTable.nearness``: the greatest of a candidate's known questions, or of its nearest one.

``content`` and ``pairs`` are shares in common (Jaccard), of words of content and of neighbouring words: the space of
questions knows no order, and "What do you miss?" is not "What did I miss?". ``framed`` is the cosine of those that are
about the same person (you, I, others, things). Of the nearest: ``same_kind`` (what, when), ``uncovered`` the share of
the asked question's content that the known one lacks, ``unasked`` the share of the known one's that was not asked.
``held`` is the share of the asked content that all known questions of the candidate hold together, rare words weighing
more.
"""
_COSINE, _SECOND, _CONTENT, _SAME_KIND, _UNCOVERED, _UNASKED, _PAIRS, _HELD, _FRAMED = range(len(NEARNESS))
_NEVER_HELD = 5.0  # a word that no question of the case holds weighs about as much as its rarest
_OFTEN = 100  # rows of a word from which a column for all rows pays
_KINDS = ("what", "when", "where", "who", "why", "how", "which")
_ABOUT = {
    word: i
    for i, words in enumerate((
        "you", "i me we us", "he she they him them his her their", "it that this these those there", "your", "my our",
    ))
    for word in words.split()
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_][\w'-]*|\d+")
_AXES = 96
"""Principal axes of a case's known questions that they are compared along: some .89 of their spread, in a table a third
as large, which stays in the fast memory of a core. The ranking of probes by other hands is as good (counted once)."""
_LEAST_ALONG = np.float32(0.5)
Words = Callable[[str], frozenset[str]]
Single = npt.NDArray[np.float32]


class Worded(NamedTuple):
    """A plain question as it is worded: its words, its neighbouring words, its question word, whom it is about."""

    words: frozenset[str]
    pairs: frozenset[str]
    kind: int
    about: int


@lru_cache(maxsize=2_048)
def worded(text: str) -> Worded:
    """Return how a plain question is worded; without a question word its kind is -1, without a pronoun ``about`` is.

    Examples
    --------
    >>> found = worded("why did you go")
    >>> sorted(found.pairs), found.kind, found.about
    (['^ why', 'did you', 'go $', 'why did', 'you go'], 4, 0)
    """
    return Worded(frozenset(_WORD.findall(text)), _pairs(text), _kind(text), _about(text))


@dataclass(frozen=True, slots=True, eq=False)
class _Postings:
    """An inverted index: which rows hold a word, and how many words each row holds."""

    rows: dict[str, npt.NDArray[np.intp]]
    sizes: Single
    common: dict[str, npt.NDArray[np.uint8]]
    """1 or 0 per row for words that many rows hold: adding a column is quicker than picking a thousand rows."""

    def shared(self, words: frozenset[str]) -> Single:
        """Return how many of ``words`` each row holds."""
        count = np.zeros(len(self.sizes), np.uint8)  # a known question has no 256 words
        for word in words:
            if word in self.common:
                count += self.common[word]
            elif word in self.rows:
                count[self.rows[word]] += 1
        return count.astype(np.float32)

    def jaccard(self, words: frozenset[str], shared: Single) -> Single:
        """Return shared words over all words, per row; 0 where both are empty."""
        either = self.sizes + np.float32(len(words))
        either -= shared
        np.maximum(either, np.float32(1.0), out=either)
        return np.asarray(np.divide(shared, either, out=either))


def _postings(bags: Sequence[frozenset[str]]) -> _Postings:
    rows: dict[str, list[int]] = {}
    for i, bag in enumerate(bags):
        for word in sorted(bag):
            rows.setdefault(word, []).append(i)
    at = {w: np.array(r, dtype=np.intp) for w, r in rows.items()}
    often = [w for w, r in at.items() if len(r) > _OFTEN]
    common = {w: np.bincount(at[w], minlength=len(bags)).astype(np.uint8) for w in often}
    return _Postings(at, np.array([len(b) for b in bags], np.float32), common)


@dataclass(frozen=True, slots=True, eq=False)
class AskedTable:
    """Known questions (A) of candidates (N); rows stand in the order of their candidates.

    Attributes
    ----------
    axes : (256, X) float32, the principal axes of the known questions in the space of questions.
    vectors : (A, X) float32, where each points along them, unit rows.
    owner : (A,) candidate of each row.
    n : number of candidates; one without a question is near to nothing.
    """

    axes: Single
    vectors: Single
    owner: npt.NDArray[np.intp]
    n: int
    kinds: npt.NDArray[np.intp]
    contents: _Postings
    pairs: _Postings
    about: npt.NDArray[np.intp]
    """Whom each question is about."""
    content_of: Words
    groups: npt.NDArray[np.intp]
    """Candidates that have a question, and where the rows of each begin (2, candidates)."""
    holders: dict[str, npt.NDArray[np.intp]]
    """Candidates of which some question holds a word of content."""

    def seen_as(self, vectors: Single) -> AskedTable:
        """Return the table with its questions elsewhere in the space, rows (A, 256) of length 1."""
        axes, along = _along(vectors)
        return replace(self, axes=axes, vectors=along)

    def _greatest(self, values: Single) -> Single:
        """Return the greatest value of each candidate's rows (N,); 0 where it has none."""
        out = np.zeros(self.n, np.float32)
        out[self.groups[0]] = np.maximum.reduceat(values, self.groups[1])
        return out

    def _held(self, meant: frozenset[str], without: npt.NDArray[np.intp] | None) -> FloatArray:
        """Return the share of ``meant`` in all questions of each candidate together (N,), by rarity."""
        out, total = np.zeros(self.n), 0.0
        for word in meant:
            hit = self.holders.get(word)
            if hit is not None and without is not None:
                rows = self.contents.rows[word]
                hit = np.unique(self.owner[rows[~np.isin(rows, without)]])
            weight = float(np.log(self.n / len(hit))) if hit is not None and len(hit) else _NEVER_HELD
            total += weight
            if hit is not None:
                out[hit] += weight
        return out / max(total, 1.0)

    def knows(self, word: str) -> bool:
        """Whether some known question holds a word of content."""
        return word in self.contents.rows

    def nearness(self, asked: IntentReading, without: npt.NDArray[np.intp] | None = None) -> FloatArray:
        """Return how near a question is to those known for each candidate, shape (N, 9), all in −1 to 1.

        Parameters
        ----------
        asked : the question as it was read.
        without : rows to leave out (a question is not compared with itself when the ranker is fitted).
        """
        out = np.zeros((len(NEARNESS), self.n))
        out[[_UNCOVERED, _UNASKED]] = 1.0
        if not len(self.owner):
            return out.T
        text = asked.text
        (_, pairs, kind, about), meant = worded(text), self.content_of(text)
        shared = self.contents.shared(meant)
        cosine = self.vectors @ _pointing(asked.asked @ self.axes)
        columns = [
            cosine,
            self.contents.jaccard(meant, shared),
            self.pairs.jaccard(pairs, self.pairs.shared(pairs)),
            cosine * (self.about == about),
        ]
        if without is not None:
            for values in columns:
                values[without] = 0.0
        for column, values in zip((_COSINE, _CONTENT, _PAIRS, _FRAMED), columns, strict=True):
            out[column] = np.maximum(self._greatest(values), 0.0)
        nearest = cosine == out[_COSINE].astype(np.float32)[self.owner]
        at = np.flatnonzero(nearest)
        cosine[at] = 0.0
        out[_SECOND] = np.maximum(self._greatest(cosine), 0.0)
        out[_HELD] = self._held(meant, without)
        if without is not None:
            nearest[without] = False
            at = np.flatnonzero(nearest)
        whose = self.owner[at]
        out[_SAME_KIND, whose] = self.kinds[at] == kind
        out[_UNCOVERED, whose] = 1.0 - shared[at] / max(1, len(meant)) if meant else 0.0
        sizes = self.contents.sizes[at]
        out[_UNASKED, whose] = np.where(sizes > 0, 1.0 - shared[at] / np.maximum(sizes, 1.0), 0.0)
        return out.T


def _about(text: str) -> int:
    """Return whom the first pronoun of a question is about; -1 without one."""
    return next((_ABOUT[w] for w in _WORD.findall(text) if w in _ABOUT), -1)


def _pairs(text: str) -> frozenset[str]:
    """Return the neighbouring words of a question, its beginning and its end among them."""
    return frozenset(f"{a} {b}" for a, b in pairwise(("^", *_WORD.findall(text), "$")))


def _kind(text: str) -> int:
    first = text.partition(" ")[0]
    return _KINDS.index(first) if first in _KINDS else -1


def _principal(vectors: Single) -> Single:
    """Return the principal axes (256, X) of rows, about the origin: of all, these keep most of any two's cosine."""
    if len(vectors) <= _AXES:
        return np.eye(vectors.shape[1], dtype=np.float32)
    rows = vectors.astype(np.float64)
    return np.ascontiguousarray(np.linalg.eigh(rows.T @ rows)[1][:, : -_AXES - 1 : -1].astype(np.float32))


def _pointing(rows: Single) -> Single:
    """Return rows (..., X) as long as 1; of what hardly lies along the axes, shorter: it points nowhere there."""
    return np.asarray(rows / np.maximum(np.sqrt((rows * rows).sum(axis=-1, keepdims=True)), _LEAST_ALONG))


def _along(vectors: Single) -> tuple[Single, Single]:
    """Return the principal axes of rows, and the rows along them."""
    axes = _principal(vectors)
    return axes, _pointing(vectors @ axes)


def asked_table(asks: Sequence[Sequence[str]], content_of: Words) -> AskedTable:
    """Return the table of the ways each candidate can be asked for.

    Examples
    --------
    >>> asks = [["When did it start?"], ["Who helps you?", "Is anyone there for you?"]]
    >>> table = asked_table(asks, lambda text: frozenset())
    >>> table.n, table.owner.tolist()
    (2, [0, 1, 1])
    """
    texts = [plain(a) for own in asks for a in own]
    contents = [content_of(t) for t in texts]
    owner = np.array([i for i, own in enumerate(asks) for _ in own], dtype=np.intp)
    holders: dict[str, set[int]] = {}
    for i, words in zip(owner.tolist(), contents, strict=True):
        for word in words:
            holders.setdefault(word, set()).add(i)
    axes, vectors = _along(encode_questions(texts))
    return AskedTable(
        axes=axes,
        vectors=vectors,
        owner=owner,
        groups=np.array(np.unique(owner, return_index=True), dtype=np.intp),
        holders={w: np.array(sorted(own), dtype=np.intp) for w, own in sorted(holders.items())},
        n=len(asks),
        kinds=np.array([_kind(t) for t in texts], dtype=np.intp),
        contents=_postings(contents),
        pairs=_postings([_pairs(t) for t in texts]),
        about=np.array([_about(t) for t in texts], dtype=np.intp),
        content_of=content_of,
    )
