"""Fit logistic weights over dense columns and word n-grams; calibrate and set decision offsets out of fold.

The objective is scikit-learn's (``C`` times the weighted log loss plus half the squared weights,
bias free). Fits that ship are polished with Newton steps, so that a refit stores the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize, sparse

from linear_fit import polished
from turnwise.core.nouns import FloatArray
from turnwise.reading.products import softmax
from turnwise.reading.terms import END, START, tokens_of

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Design:
    """Rows of features: dense columns (n, d) and sparse ones (n, v); a bias column is added."""

    dense: FloatArray
    sparse: sparse.csr_matrix

    def __len__(self) -> int:
        return int(self.dense.shape[0])

    @property
    def width(self) -> int:
        """Number of weights per label, with the bias."""
        return int(self.dense.shape[1] + self.sparse.shape[1] + 1)

    def rows(self, which: Mask) -> Design:
        """Return some of the rows."""
        return Design(self.dense[which], self.sparse[which])

    def times(self, w: FloatArray) -> FloatArray:
        """Return features times weights (width, L)."""
        d = self.dense.shape[1]
        return np.asarray(self.dense @ w[:d] + self.sparse @ w[d:-1] + w[-1])

    def transposed(self, r: FloatArray) -> FloatArray:
        """Return transposed features times residuals (n, L)."""
        return np.vstack([self.dense.T @ r, self.sparse.T @ r, r.sum(axis=0)])


@dataclass(frozen=True)
class Logistic:
    """Multinomial logistic regression; with two labels one column of weights stands for the second."""

    c: float
    n_labels: int = 2

    @property
    def columns(self) -> int:
        """Columns of weights."""
        return 1 if self.n_labels == 2 else self.n_labels

    def probabilities(self, z: FloatArray) -> FloatArray:
        """Return the probability of each label."""
        return softmax(np.hstack([np.zeros_like(z), z])) if self.n_labels == 2 else softmax(z)

    def solve(self, x: Design, y: Ints, weight: FloatArray, polish: int = 0) -> FloatArray:
        """Return the weights (width, columns); more than two labels are centred."""
        k, shape = self.columns, (x.width, self.columns)
        onehot = np.eye(self.n_labels)[y]

        def loss(flat: FloatArray) -> tuple[float, FloatArray]:
            w = flat.reshape(shape)
            p = self.probabilities(x.times(w))
            value = -(weight * np.log(np.maximum(p[np.arange(len(y)), y], 1e-300))).sum()
            gradient = self.c * x.transposed(((p - onehot) * weight[:, None])[:, -k:])
            gradient[:-1] += w[:-1]
            return float(self.c * value + 0.5 * (w[:-1] ** 2).sum()), gradient.ravel()

        options = {"maxiter": 3_000, "maxcor": 20, "gtol": 1e-5, "ftol": 1e-12}
        flat = optimize.minimize(loss, np.zeros(x.width * k), jac=True, method="L-BFGS-B", options=options).x

        def product_at(at: FloatArray) -> Callable[[FloatArray], FloatArray]:
            p = self.probabilities(x.times(at.reshape(shape)))
            return lambda v: self._curvature(x, p, weight, v)

        flat = polished(flat, lambda at: loss(at)[1], product_at, polish)
        w = flat.reshape(shape)
        return w if k == 1 else np.asarray(w - w.mean(axis=1, keepdims=True))

    def _curvature(self, x: Design, p: FloatArray, weight: FloatArray, v: FloatArray) -> FloatArray:
        k = self.columns
        shaped = v.reshape(x.width, k)
        z = x.times(shaped)
        if k == 1:
            r = (p[:, 1] * p[:, 0] * weight)[:, None] * z
        else:
            r = p * (z - (p * z).sum(axis=1, keepdims=True)) * weight[:, None]
        out = self.c * x.transposed(r)
        out[:-1] += shaped[:-1]
        return np.asarray(out.ravel())


def class_weights(y: Ints, n_labels: int, power: float) -> FloatArray:
    """Return one weight per row: the inverse frequency of its label, relative to even shares, to a power."""
    counts = np.maximum(np.bincount(y, minlength=n_labels), 1)
    weight: FloatArray = ((len(y) / (n_labels * counts)) ** power)[y]
    return weight


def folds_of(groups: Sequence[str] | npt.NDArray[np.str_], strata: Ints, k: int = 5) -> Ints:
    """Return a fold per row: whole groups, rarest strata first, each where it is needed most. No chance in it."""
    names, at = np.unique(np.asarray(groups), return_inverse=True)
    table = np.zeros((len(names), int(strata.max()) + 1))
    np.add.at(table, (at, strata), 1)
    share = table / np.maximum(table.sum(axis=0), 1)
    load, fold = np.zeros((k, table.shape[1])), np.zeros(len(names), dtype=np.int64)
    for g in np.argsort(-share.sum(axis=1), kind="stable"):
        cost = ((load + share[g]) ** 2).sum(axis=1) - (load**2).sum(axis=1)
        fold[g] = int(np.argmin(np.round(cost, 12)))
        load[fold[g]] += share[g]
    return np.asarray(fold[at])


def terms_in(text: str, marks: bool = False, longest: int = 3) -> set[str]:
    """Return the distinct n-grams of a text, as ``Vocabulary`` cuts them."""
    words = [START, *tokens_of(text), END] if marks else tokens_of(text)
    out = set(words)
    for n in range(2, longest + 1):
        out.update(map(" ".join, zip(*(words[i:] for i in range(n)), strict=False)))
    return out


def choose_terms(
    texts: Sequence[str],
    groups: Sequence[str] | npt.NDArray[np.str_],
    least: int,
    marks: bool = False,
    longest: int = 3,
) -> list[str]:
    """Return the n-grams that at least ``least`` groups use, sorted."""
    where: dict[str, set[str]] = {}
    for text, group in zip(texts, groups, strict=True):
        for term in terms_in(text, marks, longest):
            where.setdefault(term, set()).add(str(group))
    return sorted(t for t, g in where.items() if len(g) >= least)


def lexicon_of(terms: Sequence[str], table: Mapping[str, str]) -> sparse.csr_matrix:
    """Return which n-gram carries which cue: (terms, cues).

    A term carries a cue if the pattern matches it and no shorter n-gram inside it does. Counting
    carriers is linear in the terms, so what a fit says of a cue folds into the weights of its
    terms, and no pattern is run when a turn is read.
    """
    comp = [re.compile(p) for p in table.values()]
    known: dict[str, frozenset[int]] = {}

    def hits(term: str) -> frozenset[int]:
        if term not in known:
            known[term] = frozenset(i for i, p in enumerate(comp) if p.search(term))
        return known[term]

    rows, cols = [], []
    for i, term in enumerate(terms):
        found, words = hits(term), term.split(" ")
        for a in range(len(words)):
            for b in range(a + 1, len(words) + 1):
                if found and b - a < len(words):
                    found = found - hits(" ".join(words[a:b]))
        rows += [i] * len(found)
        cols += sorted(found)
    return sparse.csr_matrix((np.ones(len(rows)), (rows, cols)), shape=(len(terms), len(table)))


def squared_idf(counts: sparse.csr_matrix) -> FloatArray:
    """Return the squared inverse document frequency of each column, rounded as it is stored."""
    seen = np.asarray(counts.sum(axis=0)).ravel()
    idf = np.log((1 + counts.shape[0]) / (1 + seen)) + 1
    return np.asarray(np.round(idf**2, 4).astype(np.float32), dtype=np.float64)


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation of each column (one where nothing varies)."""

    mean: FloatArray
    scale: FloatArray

    def of(self, x: FloatArray) -> FloatArray:
        """Return standardised columns."""
        return (x - self.mean) / self.scale


def spread_of(x: FloatArray) -> Spread:
    """Return the spread of the columns of ``x``."""
    s = np.asarray(x.std(axis=0))
    return Spread(np.asarray(x.mean(axis=0)), np.where(s > 1e-9, s, 1.0))


def folded(w: FloatArray, about: Spread, scale: float) -> tuple[FloatArray, FloatArray]:
    """Return weights on the raw columns, and what goes to the bias, from those on ``scale * about.of(x)``."""
    raw = w * (scale / about.scale)[:, None]
    return raw, -(raw * about.mean[:, None]).sum(axis=0)


def normed(counts: sparse.csr_matrix, idf: FloatArray, scale: float) -> sparse.csr_matrix:
    """Return rows of inverse document frequencies, each of length ``scale``."""
    length = np.sqrt(counts @ idf)
    length[length == 0] = 1.0
    return (sparse.diags(scale / length) @ counts @ sparse.diags(np.sqrt(idf))).tocsr()


def fit_scaling(p: FloatArray, y: Ints) -> FloatArray:
    """Return (log slope, shift of each label after the first) that calibrates held-out ``p`` by log loss."""
    log_p = np.log(np.maximum(p, 1e-9))

    def loss(v: FloatArray) -> float:
        q = softmax(log_p * np.exp(v[0]) + np.r_[0.0, v[1:]])
        return float(-np.log(np.maximum(q[np.arange(len(y)), y], 1e-9)).mean() + 1e-3 * (v**2).sum())

    found = optimize.minimize(loss, np.zeros(p.shape[1]), method="L-BFGS-B", options={"gtol": 1e-7, "ftol": 1e-14})
    return np.asarray(np.round(found.x, 3))


def apply_scaling(p: FloatArray, v: FloatArray) -> FloatArray:
    """Return calibrated probabilities."""
    return softmax(np.log(np.maximum(p, 1e-9)) * np.exp(v[0]) + np.r_[0.0, v[1:]])


_GRID = np.linspace(-2.5, 2.5, 21)


def choose_offsets(p: FloatArray, y: Ints) -> FloatArray:
    """Return log-prior offsets (first label 0) of the best held-out macro-F1, smoothed over the grid's neighbours."""
    log_p, free = np.log(np.maximum(p, 1e-9)), p.shape[1] - 1
    score = np.zeros((len(_GRID),) * free)
    for at in np.ndindex(*score.shape):
        coded = (log_p + np.r_[0.0, _GRID[list(at)]]).argmax(axis=1)
        score[at] = macro_f1(y, coded, p.shape[1])
    padded = np.pad(score, 1, mode="edge")
    smooth = sum(padded[tuple(slice(s, s + len(_GRID)) for s in shift)] for shift in np.ndindex(*((3,) * free)))
    best = np.unravel_index(int(np.round(np.asarray(smooth), 10).argmax()), score.shape)
    return np.asarray(np.r_[0.0, _GRID[list(best)]])


def macro_f1(y: Ints, coded: Ints, n: int) -> float:
    """Return the mean of F1 over labels; a label that neither side uses counts 0."""
    table = np.zeros((n, n))
    np.add.at(table, (y, coded), 1)
    both = table.sum(axis=0) + table.sum(axis=1)
    return float((2 * np.diagonal(table) / np.maximum(both, 1e-9)).mean())


def tfidf_floor(texts: Sequence[Sequence[str]], y: Ints, fold: Ints, n_labels: int, c: float = 4.0) -> Ints:
    """Return what a plain TF-IDF (1-2-grams of each text of a row) and balanced logistic pipeline says out of fold."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    out = np.zeros(len(y), dtype=np.int64)
    for k in np.unique(fold):
        tr = fold != k
        parts: list[tuple[Any, Any]] = []
        for column in zip(*texts, strict=True):
            v = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, token_pattern=r"[a-z']+|[?!]")
            a = v.fit_transform([t for t, m in zip(column, tr, strict=True) if m])
            parts.append((a, v.transform([t for t, m in zip(column, tr, strict=True) if not m])))
        a, b = (sparse.hstack([q[i] for q in parts]).tocsr() for i in (0, 1))
        model = LogisticRegression(C=c, max_iter=500, class_weight="balanced").fit(a, y[tr])
        out[~tr] = model.predict(b)
    return out


def length_floor(texts: Sequence[str], y: Ints, fold: Ints, n_labels: int) -> Ints:
    """Return what a coder says out of fold that sees only the number of words (and decides by balanced weights)."""
    words = np.log1p([len(t.split()) for t in texts])
    x = Design(np.stack([words, words**2], axis=1), sparse.csr_matrix((len(y), 0)))
    out = np.zeros(len(y), dtype=np.int64)
    for k in np.unique(fold):
        tr = fold != k
        model = Logistic(1.0, n_labels)
        w = model.solve(x.rows(tr), y[tr], class_weights(y[tr], n_labels, 1.0))
        out[~tr] = model.probabilities(x.rows(~tr).times(w)).argmax(axis=1)
    return out


def tfidf_decided(texts: Sequence[str], y: Ints, fold: Ints, n_labels: int, c: float = 4.0) -> Ints:
    """Return what the same words say out of fold when calibrated and decided by the coders' own rule.

    Harder to beat than ``tfidf_floor``: what a coder gains over it, it gains by what it reads.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    v = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, token_pattern=r"[a-z']+|[?!]")
    x, model = Design(np.zeros((len(y), 0)), v.fit_transform(texts).tocsr()), Logistic(c, n_labels)

    def held_out(train: Mask, held: Mask) -> FloatArray:
        w = model.solve(x.rows(train), y[train], class_weights(y[train], n_labels, 0.5))
        return model.probabilities(x.rows(held).times(w))

    out = np.zeros(len(y), dtype=np.int64)
    for k in np.unique(fold):
        train, inner = fold != k, np.zeros((len(y), n_labels))
        for j in np.unique(fold[train]):
            inner[fold == j] = held_out(train & (fold != j), fold == j)
        scaling = fit_scaling(inner[train], y[train])
        offsets = choose_offsets(apply_scaling(inner[train], scaling), y[train])
        p = apply_scaling(held_out(train, ~train), scaling)
        out[~train] = (np.log(np.maximum(p, 1e-9)) + offsets).argmax(axis=1)
    return out
