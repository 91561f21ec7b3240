"""Tune the static token vectors so that questions which one telling answers lie near each other.

Soft nearest neighbours (Goldberger et al. 2004, NeurIPS, neighbourhood components analysis) over the
known questions of every case: each question should find one of the same telling, proposition or fact
among all the others of its case. Only the vectors of tokens that occur move, and a penalty keeps them
near where they were, so a question of words never seen is read as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import optimize, sparse

from turnwise.core.nouns import FloatArray

__all__ = ["AskedSet", "tune_tokens"]

SHARPNESS = 15.0


@dataclass(frozen=True, eq=False)
class AskedSet:
    """Known questions of one case: tokens of each (n, tokens; rows sum to one) and who owns it (n,)."""

    tokens: sparse.csr_matrix
    owner: npt.NDArray[np.intp]


def _loss_of(one: AskedSet, vectors: FloatArray) -> tuple[float, FloatArray]:
    """Return the loss of one set and its slope in the token vectors."""
    h = one.tokens @ vectors
    norm = np.maximum(np.linalg.norm(h, axis=1, keepdims=True), 1e-9)
    a = h / norm
    s = SHARPNESS * (a @ a.T)
    np.fill_diagonal(s, -np.inf)
    same = one.owner[:, None] == one.owner[None, :]
    np.fill_diagonal(same, False)
    has = same.any(axis=1)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    good = np.maximum((p * same).sum(axis=1), 1e-12)
    slope_s = (p - p * same / good[:, None]) * has[:, None]
    slope_a = SHARPNESS * (slope_s + slope_s.T) @ a
    slope_h = (slope_a - a * (a * slope_a).sum(axis=1, keepdims=True)) / norm
    return float(-np.log(good[has]).sum()), np.asarray(one.tokens.T @ slope_h)


def tune_tokens(sets: Sequence[AskedSet], vectors: FloatArray, penalty: float, rounds: int) -> FloatArray:
    """Return the tuned vectors, of the shape of ``vectors`` (tokens, 256); no more than ``rounds`` steps of L-BFGS."""

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        moved = flat.reshape(vectors.shape)
        value, slope = 0.5 * penalty * float(flat @ flat), penalty * moved
        for one in sets:
            v, g = _loss_of(one, vectors + moved)
            value, slope = value + v, slope + g
        return value, slope.ravel()

    start = np.zeros(vectors.size)
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": rounds, "maxcor": 8})
    return np.asarray(vectors + found.x.reshape(vectors.shape))
