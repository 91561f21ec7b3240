"""Fit the weights of a sentence coder: per label, and tied over labels; calibrated on rows held out inside.

The objective is convex: ``C`` times the weighted log loss (softmax, or a sigmoid per label) plus half
the squared weights. It is solved in the span of the training rows, to machine precision, so that a
refit gives the same stored weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize

from linear_fit import fit_temperature, polished
from turnwise.core.nouns import FloatArray
from turnwise.reading.products import softmax
from turnwise.reading.sentence_coder import sigmoid

FOLDS = 5
THRESHOLDS = np.round(np.arange(0.08, 0.6, 0.02), 2)
TIED_PENALTY = 0.01
_SHARES = (1e-3, 1 - 1e-3)
Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


def spread(group: Sequence[str], held: FloatArray, k: int = FOLDS) -> Ints:
    """Return a fold for each row; groups stay whole, and each label is spread over the folds.

    Rarest first: the group with the largest share of some label goes to the fold that has the least of
    what the group has. ``held`` (n, L) counts labels.
    """
    names = sorted(set(group))
    at = np.array([names.index(g) for g in group])
    of_group, size = np.zeros((len(names), held.shape[1])), np.bincount(at, minlength=len(names))
    np.add.at(of_group, at, held)
    total = np.maximum(held.sum(axis=0), 1.0)
    order = sorted(range(len(names)), key=lambda i: (-round(float((of_group[i] / total).max()), 6), -size[i], names[i]))
    load, filled, fold = np.zeros((k, held.shape[1])), np.zeros(k), np.zeros(len(names), dtype=np.int64)
    for i in order:
        cost = ((load + of_group[i]) / total * (of_group[i] > 0)).sum(axis=1) + 0.3 * filled / len(group)
        best = int(np.round(cost, 9).argmin())
        fold[i] = best
        load[best] += of_group[i]
        filled[best] += size[i]
    return np.asarray(fold[at])


@dataclass(frozen=True)
class Problem:
    """The objective on one set of rows. ``z`` (n, r) without a bias, ``tied`` (n, L, m), targets and weights (n, L)."""

    z: Any
    tied: FloatArray
    target: FloatArray
    weight: FloatArray
    several: bool
    c: float

    def _cut(self, flat: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        d, n_labels = self.z.shape[1], self.target.shape[1]
        return (
            flat[: d * n_labels].reshape(d, n_labels),
            flat[d * n_labels : (d + 1) * n_labels],
            flat[(d + 1) * n_labels :],
        )

    def logits(self, flat: FloatArray) -> FloatArray:
        """Return the scores (n, L) of the problem's rows."""
        w, bias, u = self._cut(flat)
        return np.asarray(self.z @ w) + bias + self.tied @ u

    def _back(self, r: FloatArray, flat: FloatArray) -> FloatArray:
        w, _, u = self._cut(flat)
        tied = np.einsum("nl,nlm->m", r, self.tied) if self.tied.shape[2] else np.zeros(0)
        parts = (
            (self.c * np.asarray(self.z.T @ r) + w).ravel(),
            self.c * r.sum(axis=0),
            self.c * tied + TIED_PENALTY * u,
        )
        return np.concatenate(parts)

    def value_and_gradient(self, flat: FloatArray) -> tuple[float, FloatArray]:
        """Return the objective and its gradient."""
        w, _, u = self._cut(flat)
        s = self.logits(flat)
        if self.several:
            loss, p = (self.weight * (np.logaddexp(0.0, s) - self.target * s)).sum(), sigmoid(s)
        else:
            top = s.max(axis=1, keepdims=True)
            log_sum = top + np.log(np.exp(s - top).sum(axis=1, keepdims=True))
            loss, p = (self.weight * self.target * (log_sum - s)).sum(), softmax(s)
        value = self.c * loss + 0.5 * (w**2).sum() + 0.5 * TIED_PENALTY * (u**2).sum()
        return float(value), self._back((p - self.target) * self.weight, flat)

    def hessian_product(self, p: FloatArray, v: FloatArray) -> FloatArray:
        """Return the Hessian at probabilities ``p`` times ``v``."""
        s = self.logits(v)
        r = p * (1 - p) * s if self.several else p * (s - (p * s).sum(axis=1, keepdims=True))
        return self._back(r * self.weight, v)

    def solve(self, polish: int = 4) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the minimiser: weights (r, L), bias (L,), tied weights (m,)."""
        n_labels = self.target.shape[1]
        start = np.zeros((self.z.shape[1] + 1) * n_labels + self.tied.shape[2])
        options = {"maxiter": 2_000, "maxcor": 20, "gtol": 1e-5 if polish else 1e-3, "ftol": 1e-13 if polish else 1e-9}
        flat = optimize.minimize(self.value_and_gradient, start, jac=True, method="L-BFGS-B", options=options).x

        def product_at(at: FloatArray) -> Callable[[FloatArray], FloatArray]:
            logits = self.logits(at)
            p = sigmoid(logits) if self.several else softmax(logits)
            return lambda v: self.hessian_product(p, v)

        flat = polished(flat, lambda at: self.value_and_gradient(at)[1], product_at, polish)
        w, bias, u = self._cut(flat)
        return w, bias if self.several else bias - bias.mean(), u


def by_rarity(held: FloatArray, share: FloatArray, rare: float) -> FloatArray:
    """Return one weight per row, one on average: each label it holds counts by its share to the power ``-rare``.

    ``held`` (n, L), 0/1 or shares that sum to one; ``share`` (L,) of each label among what people coded.

    Examples
    --------
    >>> by_rarity(np.eye(2)[[0, 0, 0, 1]], np.array([0.75, 0.25]), 1.0).round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """
    of_row = (held * share.clip(*_SHARES) ** -rare).sum(axis=1)
    return np.asarray(of_row / of_row.mean())


@dataclass(frozen=True)
class Solution:
    """Weights on the columns of the design (d, L), bias (L,) and tied weights (m,)."""

    w: FloatArray
    bias: FloatArray
    tied: FloatArray


@dataclass
class Nested:
    """Fits on any set of folds, each calibrated on rows held out inside; remembers what folds share.

    ``x`` is the design (n, d), sparse, without a bias; ``gold`` (n, L) are 0/1, ``target`` what is fitted
    (soft labels), ``fold`` (n,) 0 to 4. ``rare`` is the exponent by which rare labels are weighed up.
    """

    x: Any
    tied: FloatArray
    gold: FloatArray
    target: FloatArray
    fold: Ints
    several: bool
    rare: float
    cs: tuple[float, ...]
    _gram: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self._gram = np.asarray((self.x @ self.x.T).todense())
        self._logits: dict[tuple[bytes, float], FloatArray] = {}

    def _weights(self, rows: Mask) -> FloatArray:
        y = self.gold[rows]
        if self.several:
            share = y.mean(axis=0).clip(*_SHARES)
            return np.asarray(1.0 + (((1 - share) / share) ** self.rare - 1.0) * y)
        return np.repeat(by_rarity(y, y.mean(axis=0), self.rare)[:, None], y.shape[1], axis=1)

    def solve(self, rows: Mask, c: float, polish: int = 0) -> Solution:
        """Return the fit on ``rows``."""
        s, u = np.linalg.eigh(self._gram[np.ix_(rows, rows)])
        keep = s > 1e-9 * s.max()
        s, u = s[keep], u[:, keep]
        found = Problem(u * np.sqrt(s), self.tied[rows], self.target[rows], self._weights(rows), self.several, c)
        w, bias, tied = found.solve(polish)
        return Solution(np.asarray(self.x[rows].T @ ((u / np.sqrt(s)) @ w)), bias, tied)

    def scores(self, rows: Mask, c: float) -> FloatArray:
        """Return the scores (n, L) of all rows by a rough fit on ``rows``."""
        key = rows.tobytes(), c
        if key not in self._logits:
            found = self.solve(rows, c)
            self._logits[key] = np.asarray(self.x @ found.w) + found.bias + self.tied @ found.tied
        return self._logits[key]

    def held_out(self, rows: Mask, c: float) -> FloatArray:
        """Return scores for ``rows``, each by a fit on those of ``rows`` in other folds."""
        out = np.zeros(self.gold.shape)
        for k in np.unique(self.fold[rows]):
            held = rows & (self.fold == k)
            out[held] = self.scores(rows & ~held, c)[held]
        return out[rows]

    def calibrated(self, rows: Mask) -> tuple[Solution, float]:
        """Return the fit on ``rows`` with its calibration worked in, and its threshold."""
        held = {c: self.held_out(rows, c) for c in self.cs}
        found = {c: _calibration(z, self.gold[rows], self.several) for c, z in held.items()}
        c = min(self.cs, key=lambda c: _loss(held[c], self.gold[rows], self.several, *found[c]))
        slope, shift = found[c]
        threshold = best_threshold(sigmoid(slope * held[c] + shift), self.gold[rows]) if self.several else 0.5
        fit = self.solve(rows, c, polish=4)
        return Solution(slope * fit.w, slope * fit.bias + shift, slope * fit.tied), threshold


def _calibration(z: FloatArray, gold: FloatArray, several: bool) -> tuple[float, float]:
    if not several:
        return 1.0 / fit_temperature(z, gold.argmax(axis=1)), 0.0

    def loss(x: FloatArray) -> tuple[float, FloatArray]:
        s = x[0] * z + x[1]
        r = sigmoid(s) - gold
        return float((np.logaddexp(0.0, s) - gold * s).mean()), np.array([(r * z).mean(), r.mean()])

    found = optimize.minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B", options={"gtol": 1e-9}).x
    return round(float(found[0]), 3), round(float(found[1]), 3)


def _loss(z: FloatArray, gold: FloatArray, several: bool, slope: float, shift: float) -> float:
    s = slope * z + shift
    if several:
        return float((np.logaddexp(0.0, s) - gold * s).mean())
    return float(-np.log(np.maximum((softmax(s) * gold).sum(axis=1), 1e-300)).mean())


def best_threshold(p: FloatArray, gold: FloatArray) -> float:
    """Return the one threshold for all labels with the highest macro-F1; ties go to the lowest."""

    def macro(t: float) -> float:
        coded = p >= t
        both = gold.sum(axis=0) + coded.sum(axis=0)
        return float(np.mean(np.where(both > 0, 2 * (gold * coded).sum(axis=0) / np.maximum(both, 1), 0.0)))

    return float(max(THRESHOLDS, key=lambda t: (round(macro(t), 9), -t)))
