"""Matrix products whose rows do not know each other: a turn gets the same bits alone, in a session or in a corpus."""

from __future__ import annotations

import threading
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray

__all__ = ["BLOCK", "greatest_of_runs", "padded_product", "softmax"]

_Real = TypeVar("_Real", np.float32, np.float64)
BLOCK = 64
"""Rows of one product; fewer are padded with zeros, so that it always takes the same path."""
_WIDEST = 2_048
"""Width up to which a block is kept: a megabyte."""
_COLUMNS = 64
"""Columns of one product: wider ones (69, say) gave a row other bits by its place in it, on two AVX-512 cores."""


def padded_product(x: FloatArray, w: FloatArray) -> FloatArray:
    """Return ``x @ w`` in blocks of 64 rows padded with zeros, and of at most 64 columns.

    Examples
    --------
    >>> padded_product(np.ones((3, 2)), np.array([[1.0], [2.0]])).ravel().tolist()
    [3.0, 3.0, 3.0]
    """
    out = np.empty((len(x), w.shape[1]))
    for start in range(0, len(x), BLOCK):
        rows = x[start : start + BLOCK]
        block = _blank(w.shape[0])
        block[: len(rows)] = rows
        for left in range(0, w.shape[1], _COLUMNS):
            right = left + _COLUMNS
            out[start : start + BLOCK, left:right] = (block @ w[:, left:right])[: len(rows)]
        block[: len(rows)] = 0.0
    return out


class _Blanks(threading.local):
    """Blocks of zeros by width, a thread's own: to fill half a megabyte for one row costs as much as the product."""

    def __init__(self) -> None:
        self.of: dict[int, FloatArray] = {}


_blanks = _Blanks()


def _blank(width: int) -> FloatArray:
    """Return a block of zeros, to be given back as such; the few widths are those of the coders."""
    if width > _WIDEST:
        return np.zeros((BLOCK, width))
    if width not in _blanks.of:
        _blanks.of[width] = np.zeros((BLOCK, width))
    return _blanks.of[width]


def greatest_of_runs(rows: npt.NDArray[_Real], starts: npt.NDArray[np.integer]) -> npt.NDArray[_Real]:
    """Return the greatest of each run of rows, column by column: (runs, columns); no run is empty.

    The same as ``np.maximum.reduceat(rows, starts, axis=0)``, which goes through every cell of the result by itself.

    Examples
    --------
    >>> greatest_of_runs(np.array([[1.0, 2.0], [3.0, 0.0], [5.0, 5.0]]), np.array([0, 2])).tolist()
    [[3.0, 2.0], [5.0, 5.0]]
    """
    sizes = np.diff(np.append(starts, len(rows)))
    out: npt.NDArray[_Real] = rows[starts]
    for k in range(1, int(sizes.max(initial=0))):
        longer = np.flatnonzero(sizes > k)
        out[longer] = np.maximum(out[longer], rows[starts[longer] + k])
    return out


def softmax(logits: FloatArray) -> FloatArray:
    """Return probabilities along the last axis; safe for large logits.

    Examples
    --------
    >>> softmax(np.array([[1000.0, 1000.0]]))
    array([[0.5, 0.5]])
    """
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    out: FloatArray = e / e.sum(axis=-1, keepdims=True)
    return out
