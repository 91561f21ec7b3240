"""Small trees whose leaves are added up: a model for few numbers that mean something only together.

That a claim goes against what was said is nothing while it resembles nothing, and all when it resembles it word for
word: a sum of weights cannot say that. Leaves are whole numbers, so that their sum is the same in any order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray

__all__ = ["GRID", "Trees"]

GRID = 65536.0
"""Leaves are stored as multiples of 1/65536."""


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Complete trees of one depth, turn by turn one for every label.

    Attributes
    ----------
    feature, threshold : (T, nodes) which number a node asks for, and what it must exceed to go right.
    leaf : (T, nodes + 1) what a leaf adds to the score of the tree's label, in multiples of 1/65536.
    start : (labels,) scores before any tree, in the same unit.
    """

    feature: npt.NDArray[np.int32]
    threshold: npt.NDArray[np.float32]
    leaf: npt.NDArray[np.int32]
    start: npt.NDArray[np.int32]

    def leaves_of(self, x: FloatArray) -> npt.NDArray[np.int64]:
        """Return which leaf of each tree each row falls into, (n, T)."""
        depth = int(self.leaf.shape[1]).bit_length() - 1
        rows, trees = np.arange(len(x))[:, None], np.arange(len(self.leaf))[None, :]
        at = np.zeros((len(x), len(self.leaf)), dtype=np.int64)
        for _ in range(depth):
            right = x[rows, self.feature[trees, at]] > self.threshold[trees, at]
            at = 2 * at + 1 + right
        return np.asarray(at - self.feature.shape[1])

    def scores(self, x: FloatArray) -> FloatArray:
        """Return the score of each label for each row of numbers, (n, labels).

        Examples
        --------
        >>> made = Trees(np.array([[0]]), np.array([[0.5]]), np.array([[0, 65536]]), np.array([0]))
        >>> made.scores(np.array([[0.0], [1.0]])).tolist()
        [[0.0], [1.0]]
        """
        labels = len(self.start)
        found = self.leaf[np.arange(len(self.leaf))[None, :], self.leaves_of(x)].astype(np.int64)
        sums = [self.start[k] + found[:, k::labels].sum(axis=1) for k in range(labels)]
        return np.stack(sums, axis=1) / GRID
