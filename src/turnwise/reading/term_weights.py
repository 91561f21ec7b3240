"""Word n-grams times weights, for many texts at once, and how such weights are stored.

A text adds two things per column of weights: the mean-like *normed* sum over its n-grams (each
weighed by its inverse document frequency, the whole scaled to length one), which says what kind of
text this is whatever its length; and the *raw* sum over the n-grams that carry a named cue, which
counts them. Both are sums over a fixed vocabulary, so which words spoke can be read off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy import sparse

from turnwise.core.nouns import FloatArray
from turnwise.reading.products import softmax
from turnwise.reading.terms import Vocabulary

__all__ = [
    "GRID",
    "Joined",
    "TermBlock",
    "TermWeights",
    "from_grid",
    "rescaled",
]

GRID = 512.0
"""Weights are int16 multiples of 1/512: coarser than those of ``Coder``, because rare n-grams may weigh 30."""
_Stored = npt.NDArray[np.generic]


@dataclass(slots=True, eq=False)
class Joined:
    """Arrays over one vocabulary side by side, so that one sparse product serves them all; each set made once.

    A product sums each column by itself, so a column has the bits that it would have alone.
    """

    _made: dict[str, FloatArray] = field(default_factory=dict)

    def of(self, name: str, *columns: FloatArray) -> FloatArray:
        """Return ``columns``, each (V,) or (V, k), side by side; the same name always stands for the same arrays.

        Examples
        --------
        >>> Joined().of("turn", np.array([[1.0, 2.0]]), np.array([3.0])).tolist()
        [[1.0, 2.0, 3.0]]
        """
        if name not in self._made:
            self._made[name] = np.column_stack(columns)
        return self._made[name]


@dataclass(frozen=True, slots=True)
class TermBlock:
    """A vocabulary with the squared inverse document frequency (V,) of its terms, and which of them carry a cue."""

    vocabulary: Vocabulary
    idf: FloatArray
    cued: npt.NDArray[np.int64]

    def add(self, counts: sparse.csr_matrix, w: TermWeights) -> FloatArray:
        """Return what the n-grams add to each column: (texts, columns).

        ``counts`` is ``vocabulary.matrix(texts)``. A sparse product sums a row on its own, so the
        bits of a row do not depend on the batch.
        """
        found = np.asarray(counts @ w.joined.of("normed, raw, idf", w.normed, *self._spread(w), self.idf))
        length = np.sqrt(found[:, -1])
        length[length == 0] = 1.0
        k = w.normed.shape[1]
        out = found[:, :k] / length[:, None]
        return np.asarray(out + found[:, k:-1] if w.raw.size else out)

    def _spread(self, w: TermWeights) -> list[FloatArray]:
        """Return the raw weights over the whole vocabulary, (V, columns), if there are any."""
        if not w.raw.size:
            return []
        spread = np.zeros((len(self.vocabulary), w.raw.shape[1]))
        spread[self.cued] = w.raw
        return [spread]


@dataclass(frozen=True, slots=True)
class TermWeights:
    """``normed`` (V, columns), idf folded in; ``raw`` (cued terms, columns)."""

    normed: FloatArray
    raw: FloatArray
    joined: Joined = field(default_factory=Joined, init=False, repr=False, compare=False)


def rescaled(p: FloatArray, scaling: FloatArray) -> FloatArray:
    """Return calibrated probabilities: log p times exp(``scaling[0]``), shifted by ``scaling[1:]`` after the first.

    Examples
    --------
    >>> rescaled(np.array([[0.5, 0.5]]), np.zeros(2))
    array([[0.5, 0.5]])
    """
    return softmax(np.log(np.maximum(p, 1e-9)) * np.exp(scaling[0]) + np.r_[0.0, scaling[1:]])


def from_grid(stored: Mapping[str, _Stored], key: str) -> FloatArray:
    """Return weights from the grid, float64."""
    return np.asarray(stored[key], dtype=np.float64) / GRID
