"""Fit multinomial logistic weights to machine precision, so that a refit gives the same stored weights.

The objective is scikit-learn's (``C`` times the weighted log loss plus half the squared weights,
bias free); L-BFGS alone stops some 1e-5 short of the minimum, so Newton steps finish the work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize, sparse

from turnwise.core.nouns import FloatArray
from turnwise.reading.coder import LinearWeights
from turnwise.reading.features import TERM_BLOCKS, Features, terms_of
from turnwise.reading.products import softmax

PENALTY_C = 0.1
RARE = 0.6
"""Exponent of the inverse frequency that weighs a label: about as many turns get a label as people gave it."""
CLOSE_ENOUGH = 1e-9
"""Largest gradient at which a solution counts as found."""
MIN_TURNS = 5
MIN_SERIES = 3  # an n-gram of one or two videos is a name or a topic, not a way of speaking


@dataclass(frozen=True)
class Problem:
    """The objective on one set of rows."""

    x: Any  # scipy sparse (n, d); its last column is the bias
    y: npt.NDArray[np.int64]
    w: FloatArray
    n_labels: int
    c: float = PENALTY_C

    def _probabilities(self, weights: FloatArray) -> FloatArray:
        return softmax(np.asarray(self.x @ weights))

    def _loss_and_slope(self, p: FloatArray) -> tuple[float, FloatArray]:
        """Return the weighted log loss at probabilities ``p`` (n, L), which it may use up, and its slope."""
        at = np.arange(len(self.y))
        loss = -(self.w * np.log(np.maximum(p[at, self.y], 1e-300))).sum()
        p[at, self.y] -= 1.0
        return loss, p * self.w[:, None]

    def value_and_gradient(self, flat: FloatArray) -> tuple[float, FloatArray]:
        """Return the objective and its gradient."""
        weights = flat.reshape(self.x.shape[1], self.n_labels)
        loss, slope = self._loss_and_slope(self._probabilities(weights))
        gradient = self.c * (self.x.T @ slope)
        gradient[:-1] += weights[:-1]
        return float(self.c * loss + 0.5 * (weights[:-1] ** 2).sum()), np.asarray(gradient).ravel()

    def hessian_product(self, p: FloatArray, v: FloatArray) -> FloatArray:
        """Return the Hessian at probabilities ``p`` times ``v``."""
        shaped = v.reshape(self.x.shape[1], self.n_labels)
        z = np.asarray(self.x @ shaped)
        r = p * (z - (p * z).sum(axis=1, keepdims=True)) * self.w[:, None]
        out = self.c * np.asarray(self.x.T @ r)
        out[:-1] += shaped[:-1]
        return out.ravel()

    def solve(self, polish: int = 4) -> FloatArray:
        """Return the minimiser (d, L), each row centred over the labels."""
        start = np.zeros(self.x.shape[1] * self.n_labels)
        options = {"maxiter": 2_000, "maxcor": 20, "gtol": 1e-5, "ftol": 1e-13}
        flat = optimize.minimize(self.value_and_gradient, start, jac=True, method="L-BFGS-B", options=options).x

        def product_at(at: FloatArray) -> Callable[[FloatArray], FloatArray]:
            p = self._probabilities(at.reshape(self.x.shape[1], self.n_labels))
            return lambda v: self.hessian_product(p, v)

        flat = polished(flat, lambda at: self.value_and_gradient(at)[1], product_at, polish)
        weights = flat.reshape(self.x.shape[1], self.n_labels)
        return np.asarray(weights - weights.mean(axis=1, keepdims=True))


def by_trust(problem: Problem, start: FloatArray | None = None, close: float = 1e-5) -> FloatArray:
    """Return the minimiser (d, L) by Newton steps within a region of trust, each row centred over the labels.

    For more weights than rows: there the bookkeeping of L-BFGS-B takes ten times as long as the objective.
    ``start`` (d, L) is where it begins; the objective is convex, so that it ends in the same place, to a gradient of
    ``close``.
    """
    size = problem.x.shape[1], problem.n_labels
    seen: dict[bytes, FloatArray] = {}

    def product(at: FloatArray, v: FloatArray) -> FloatArray:
        key = at.tobytes()
        if key not in seen:
            seen.clear()
            seen[key] = problem._probabilities(at.reshape(size))
        return problem.hessian_product(seen[key], v)

    found = optimize.minimize(
        problem.value_and_gradient,
        np.zeros(size).ravel() if start is None else start.ravel(),
        jac=True,
        hessp=product,
        method="trust-ncg",
        options={"gtol": close},
    )
    weights = found.x.reshape(size)
    return np.asarray(weights - weights.mean(axis=1, keepdims=True))


def polished(
    flat: FloatArray,
    gradient_at: Callable[[FloatArray], FloatArray],
    product_at: Callable[[FloatArray], Callable[[FloatArray], FloatArray]],
    steps: int,
) -> FloatArray:
    """Return the solution after at most ``steps`` Newton steps, none of which may make it worse.

    Near the minimum rounding alone decides where a step goes: one that does not lower the largest
    gradient is not taken, or a refit would wander off by a unit of the grid.
    """
    gradient = gradient_at(flat)
    for _ in range(steps):
        if np.abs(gradient).max() < CLOSE_ENOUGH:
            break
        tried = flat - conjugate_gradients(product_at(flat), gradient)
        after = gradient_at(tried)
        if np.abs(after).max() >= np.abs(gradient).max():
            break
        flat, gradient = tried, after
    return flat


def conjugate_gradients(product: Any, b: FloatArray, relative: float = 1e-9, most: int = 1_000) -> FloatArray:
    x, r = np.zeros_like(b), b.copy()
    d, rr = r.copy(), float(r @ r)
    stop = relative**2 * rr
    for _ in range(most):
        if rr <= stop:
            break
        q = product(d)
        step = rr / float(d @ q)
        x += step * d
        r -= step * q
        rr, before = float(r @ r), rr
        d = r + (rr / before) * d
    return x


def choose_terms(features: Features, series: npt.NDArray[np.str_]) -> dict[str, list[str]]:
    """Return the n-grams of each block that enough turns and enough series use, sorted."""
    out: dict[str, list[str]] = {}
    for b, block in enumerate(TERM_BLOCKS):
        turns: Counter[str] = Counter()
        where: dict[str, set[str]] = {}
        for row, name in zip(features.said, series, strict=True):
            found = terms_of(row[b], TERM_BLOCKS[block][0])
            turns.update(found)
            for term in found:
                where.setdefault(term, set()).add(str(name))
        out[block] = sorted(t for t, n in turns.items() if n >= MIN_TURNS and len(where[t]) >= MIN_SERIES)
    return out


def squared_idf(features: Features, vocabulary: dict[str, dict[str, int]]) -> dict[str, FloatArray]:
    """Return the squared inverse document frequency of each term, rounded as it is stored."""
    out = {}
    for b, block in enumerate(TERM_BLOCKS):
        counts = np.zeros(len(vocabulary[block]))
        for row in features.said:
            for term in terms_of(row[b], TERM_BLOCKS[block][0]):
                if (at := vocabulary[block].get(term)) is not None:
                    counts[at] += 1
        idf = np.log((1 + len(features.said)) / (1 + counts)) + 1
        out[block] = np.round(idf**2, 4).astype(np.float32).astype(np.float64)
    return out


def design(features: Features, vocabulary: dict[str, dict[str, int]], idf: dict[str, FloatArray]) -> Any:
    """Return the sparse design matrix (n, d + 1): dense columns, n-grams of each block, bias."""
    parts: list[Any] = [sparse.csr_matrix(features.dense)]
    for b, (block, (longest, scale)) in enumerate(TERM_BLOCKS.items()):
        if not features.said:
            break
        rows, cols, values = [], [], []
        for i, row in enumerate(features.said):
            known = [at for at in map(vocabulary[block].get, terms_of(row[b], longest)) if at is not None]
            if known:
                norm = np.sqrt(idf[block][known].sum())
                rows += [i] * len(known)
                cols += known
                values += list(scale * np.sqrt(idf[block][known]) / norm)
        parts.append(sparse.csr_matrix((values, (rows, cols)), shape=(len(features.said), len(vocabulary[block]))))
    parts.append(sparse.csr_matrix(np.ones((len(features.dense), 1))))
    return sparse.hstack(parts).tocsr()


def class_weights(y: npt.NDArray[np.int64], n_labels: int, power: float = RARE) -> FloatArray:
    """Return one weight per row: the inverse frequency of its label relative to even shares, to a power."""
    counts = np.bincount(y, minlength=n_labels)
    weight: FloatArray = (len(y) / (n_labels * np.maximum(counts, 1))) ** power
    return weight[y]


def fit_temperature(logits: FloatArray, y: npt.NDArray[np.int64]) -> float:
    """Return the temperature that minimises the log loss of held-out logits (Guo et al. 2017, ICML)."""

    def loss(log_t: float) -> float:
        p = softmax(logits / np.exp(log_t))
        return float(-np.log(np.maximum(p[np.arange(len(y)), y], 1e-300)).mean())

    found = optimize.minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded", options={"xatol": 1e-6})
    return round(float(np.exp(found.x)), 3)


def as_weights(solved: FloatArray, features: Features, idf: dict[str, FloatArray], temperature: float) -> LinearWeights:
    """Cut a solution into the pieces that are stored; idf is folded into the n-gram weights."""
    at = features.dense.shape[1]
    dense, terms = solved[:at], {}
    for block, squared in idf.items():
        terms[block] = solved[at : at + len(squared)] * np.sqrt(squared)[:, None]
        at += len(squared)
    return LinearWeights(dense, terms, solved[-1], temperature)


def columns_in_use(
    x: Any, rows: npt.NDArray[np.bool_], n_dense: int, vocabulary: Sequence[int]
) -> npt.NDArray[np.bool_]:
    """Return which columns a fit on ``rows`` may use: an n-gram must occur in enough of those rows."""
    counts = np.asarray((x[rows] != 0).sum(axis=0)).ravel()
    use = counts >= MIN_TURNS
    use[:n_dense] = True
    use[n_dense + sum(vocabulary) :] = True
    return np.asarray(use, dtype=bool)
