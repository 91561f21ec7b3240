"""Fit a sentence coder on coded sentences and, beside them, on a teacher's labels of sentences nobody coded.

The objective is that of ``sentence_fit``. With thousands of rows more it is solved on the columns
themselves, not in the span of the rows, and it is not calibrated inside: the teacher of a fit has seen
all of that fit's labels, so what a part of them gives says nothing of the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from sentence_fit import Mask, Problem, Solution, by_rarity
from turnwise.core.nouns import FloatArray


@dataclass(frozen=True)
class Columns:
    """A design (n, d + V) whose first columns are dense and multiplied as such; the n-grams after them are sparse."""

    dense: FloatArray
    terms: Any

    @classmethod
    def of(cls, x: Any, width: int) -> Columns:
        """Return a sparse design of which the first ``width`` columns are dense."""
        return cls(x[:, :width].toarray(), x[:, width:])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.dense), self.dense.shape[1] + self.terms.shape[1]

    def __matmul__(self, w: FloatArray) -> FloatArray:
        d = self.dense.shape[1]
        return np.asarray(self.dense @ w[:d] + np.asarray(self.terms @ w[d:]))

    @cached_property
    def T(self) -> _Turned:  # noqa: N802 (as numpy calls it)
        """The design on its side, to be multiplied by what belongs to rows."""
        return _Turned(self.dense, self.terms.T.tocsr())


@dataclass(frozen=True)
class _Turned:
    dense: FloatArray
    terms: Any

    def __matmul__(self, r: FloatArray) -> FloatArray:
        return np.concatenate([self.dense.T @ r, np.asarray(self.terms @ r)])


@dataclass(frozen=True)
class Part:
    """Rows of a fit: dense columns (n, d), n-grams (n, V), tied features (n, L, m)."""

    dense: FloatArray
    terms: Any
    tied: FloatArray

    def of(self, rows: Mask) -> Part:
        """Return some of the rows."""
        return Part(self.dense[rows], self.terms[rows], self.tied[rows])

    def and_then(self, other: Part) -> Part:
        """Return these rows with others after them."""
        terms = sparse.vstack([self.terms, other.terms]).tocsr()
        return Part(np.concatenate([self.dense, other.dense]), terms, np.concatenate([self.tied, other.tied]))


@dataclass(frozen=True)
class Lesson:
    """What a student learns from: coded rows, and the rows nobody coded with what each fit's teacher says of them.

    ``gold`` are 0/1 and ``target`` what is fitted, (n, L); ``said`` is by fit, (rows of the pool, L).
    ``rare`` weighs up rare labels; ``taught`` is the mean weight of a row of the pool, that of a coded
    row being one; ``c`` is the penalty.
    """

    coded: Part
    gold: FloatArray
    target: FloatArray
    pool: Part
    said: Mapping[str, FloatArray]
    rare: float
    taught: float
    c: float

    def weights(self, rows: Mask, fit: str) -> FloatArray:
        """Return the weight of each row of a fit: the coded ones among ``rows``, then the whole pool.

        On both sides a rare label counts more, by its share among what people coded here.
        """
        gold = self.gold[rows]
        share = gold.mean(axis=0)
        of_pool = self.taught * by_rarity(self.said[fit], share, self.rare)
        return np.concatenate([by_rarity(gold, share, self.rare), of_pool])

    def problem(self, rows: Mask, fit: str) -> Problem:
        """Return the objective of a fit."""
        both = self.coded.of(rows).and_then(self.pool)
        target = np.concatenate([self.target[rows], self.said[fit]])
        weight = np.repeat(self.weights(rows, fit)[:, None], target.shape[1], axis=1)
        return Problem(Columns(both.dense, both.terms), both.tied, target, weight, False, self.c)

    def solve(self, rows: Mask, fit: str) -> Solution:
        """Return the student of a fit, whose teacher has seen the labels of ``rows`` only."""
        return Solution(*self.problem(rows, fit).solve(polish=4))
