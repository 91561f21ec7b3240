"""How well labels were given: F1 per label, macro-F1, accuracy, and gains over a floor.

Counts are kept per cluster, so that an interval draws whole sessions again and never single
turns, and so that two coders of the same turns are drawn together.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import DRAWS, LEVEL, cluster_codes, from_draws

__all__ = [
    "Tally",
    "accuracy",
    "confusion_by_cluster",
    "disagreement",
    "f1_by_label",
    "macro_f1",
    "paired_gain",
    "tally",
]

IntArray = npt.NDArray[np.int64]
_BLOCK = 64  # draws held at once


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts per cluster, rows parallel.

    Attributes
    ----------
    hits, gold, coded : (clusters, L): how often both sides gave a label, people did, the coder did.
    right, rows : (clusters,): turns on which the whole answer is right, and turns.
    """

    hits: FloatArray
    gold: FloatArray
    coded: FloatArray
    right: FloatArray
    rows: FloatArray

    def __len__(self) -> int:
        return len(self.rows)


_Statistic = Callable[[Tally], FloatArray]


def _numbered(clusters: npt.ArrayLike, n: int) -> tuple[IntArray, int]:
    codes = cluster_codes(np.asarray(clusters), n)
    return codes, int(codes.max()) + 1 if n else 0


def confusion_by_cluster(
    gold: npt.ArrayLike, coded: npt.ArrayLike, clusters: npt.ArrayLike, n_labels: int
) -> FloatArray:
    """Return one confusion table per cluster.

    Parameters
    ----------
    gold, coded : (n,) label indices below ``n_labels``.
    clusters : (n,) names of what belongs together; clusters come in order of first appearance.
    n_labels : L.

    Returns
    -------
    array (clusters, L, L) of counts: rows people, columns coder.

    Raises
    ------
    ValueError : shapes differ, or an index is out of range.

    Examples
    --------
    >>> confusion_by_cluster([0, 0, 1], [0, 1, 1], ["a", "a", "b"], 2).tolist()
    [[[1.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]]
    """
    g, c = np.asarray(gold, dtype=np.int64), np.asarray(coded, dtype=np.int64)
    if g.ndim != 1 or g.shape != c.shape:
        raise ValueError(f"gold has shape {g.shape} and coded {c.shape}; they run parallel.")
    if len(g) and (min(g.min(), c.min()) < 0 or max(g.max(), c.max()) >= n_labels):
        raise ValueError(f"a label index is not between 0 and {n_labels - 1}.")
    at, k = _numbered(clusters, len(g))
    out = np.zeros((k, n_labels, n_labels))
    np.add.at(out, (at, g, c), 1.0)
    return out


def tally(gold: npt.ArrayLike, coded: npt.ArrayLike, clusters: npt.ArrayLike, n_labels: int) -> Tally:
    """Count what the figures need, once.

    Parameters
    ----------
    gold, coded : (n,) label indices where each turn has one label, or (n, L) of 0 and 1 where
        several may hold.
    clusters : (n,) names of what belongs together (sessions, videos, seekers).
    n_labels : L.

    Raises
    ------
    ValueError : shapes do not fit, or an entry is no label.

    Examples
    --------
    >>> found = tally([[1, 0], [1, 1]], [[1, 0], [0, 1]], ["a", "b"], 2)
    >>> found.hits.tolist(), found.right.tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0])
    """
    g, c = np.asarray(gold), np.asarray(coded)
    if g.ndim == 1:
        tables = confusion_by_cluster(g, c, clusters, n_labels)
        hits = np.diagonal(tables, axis1=1, axis2=2)
        return Tally(hits.copy(), tables.sum(axis=2), tables.sum(axis=1), hits.sum(axis=1), tables.sum(axis=(1, 2)))
    if g.shape != c.shape or g.shape[1:] != (n_labels,):
        raise ValueError(f"gold has shape {g.shape} and coded {c.shape}; both are (n, {n_labels}).")
    if not (np.isin(g, (0, 1)).all() and np.isin(c, (0, 1)).all()):
        raise ValueError("where several labels may hold, entries are 0 or 1.")
    at, k = _numbered(clusters, len(g))

    def summed(x: npt.NDArray[np.generic]) -> FloatArray:
        out = np.zeros((k, *x.shape[1:]))
        np.add.at(out, at, x.astype(np.float64))
        return np.asarray(out, dtype=np.float64)

    return Tally(summed(g * c), summed(g), summed(c), summed((g == c).all(axis=1)), summed(np.ones(len(g))))


def _f1(t: Tally) -> FloatArray:
    both = t.gold + t.coded
    with np.errstate(invalid="ignore"):
        return np.asarray(2.0 * t.hits / np.where(both > 0, both, np.nan))


def _macro(t: Tally) -> FloatArray:
    f1 = _f1(t)
    n = (~np.isnan(f1)).sum(axis=-1)
    return np.asarray(np.nansum(f1, axis=-1) / np.where(n > 0, n, np.nan))


def _accuracy(t: Tally) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return np.asarray(t.right / np.where(t.rows > 0, t.rows, np.nan))


def _disagreement(t: Tally) -> FloatArray:
    return np.asarray(1.0 - _accuracy(t))


def _weighted(t: Tally, counts: FloatArray) -> Tally:
    return Tally(counts @ t.hits, counts @ t.gold, counts @ t.coded, counts @ t.right, counts @ t.rows)


def _counts(k: int, draws: int, rng: Generator) -> FloatArray:
    out = np.empty((draws, k))
    for row in out:
        row[:] = np.bincount(rng.integers(0, k, k), minlength=k)
    return out


def _figure(t: Tally, of: Callable[[Callable[[Tally], Tally]], FloatArray], rng: Generator | int) -> Estimate:
    """Return a statistic with its interval; ``of`` gets a function that weighs clusters."""
    n, k = int(t.rows.sum()), len(t)
    if n == 0:
        return Estimate(None, None, None, LEVEL, 0, "cluster bootstrap", "empty", "there is nothing to estimate from")
    value = float(of(lambda x: _weighted(x, np.ones((1, k))))[0])
    if not math.isfinite(value):
        note = "no label was given by either side"
        return Estimate(None, None, None, LEVEL, n, "cluster bootstrap", "undetermined", note)
    if k < 2:
        note = "no interval: there is one cluster only"
        return Estimate(value, None, None, LEVEL, n, "cluster bootstrap", detail=note)
    generator = np.random.default_rng(rng)
    drawn = []
    for start in range(0, DRAWS, _BLOCK):
        counts = _counts(k, min(_BLOCK, DRAWS - start), generator)
        drawn.append(of(lambda x, counts=counts: _weighted(x, counts)))  # type: ignore[misc]
    return from_draws(value, np.concatenate(drawn), n, LEVEL, k, "")


def f1_by_label(t: Tally) -> FloatArray:
    """Return F1 per label over all clusters, shape (L,); NaN for a label that neither side gave.

    ``F1 = 2 hits / (given by people + given by the coder)``. Not agreement corrected for chance.

    Examples
    --------
    >>> f1_by_label(tally([0, 0, 1, 1, 2], [0, 1, 1, 1, 0], list("abaab"), 3)).tolist()
    [0.5, 0.8, 0.0]
    """
    return np.asarray(_f1(_weighted(t, np.ones((1, len(t)))))[0])


def macro_f1(t: Tally, *, rng: Generator | int) -> Estimate:
    """Return the unweighted mean of F1 over labels, with a cluster-bootstrap interval.

    A label that neither side gave takes no part (in a draw without any turn of a rare label, that
    label is left out). Not accuracy: a rare label weighs as much as a common one.

    Parameters
    ----------
    t : counts per cluster (``tally``).
    rng : generator, or a seed for one; 2,000 draws, expanded percentile, 95 %.

    Returns
    -------
    Value and interval in [0, 1], unitless; ``n`` = turns. No turn: ``empty``; no label anywhere:
    ``undetermined``; one cluster: a value without an interval.

    References
    ----------
    Opitz & Burst (2019), arXiv 1911.03347 (the mean of F1, not F1 of means); Efron & Tibshirani
    (1993), An Introduction to the Bootstrap.

    Examples
    --------
    >>> round(macro_f1(tally([0, 0, 1, 1, 2], [0, 1, 1, 1, 0], list("abaab"), 3), rng=1).value, 4)
    0.4333
    """
    return _figure(t, lambda weigh: _macro(weigh(t)), rng)


def accuracy(t: Tally, *, rng: Generator | int) -> Estimate:
    """Return the share of turns whose answer is right, with a cluster-bootstrap interval.

    Where several labels may hold, the whole set has to be right. Not fair to rare labels: read it
    beside ``macro_f1``. Bounds [0, 1], unitless; parameters and undefined cases as there.

    Examples
    --------
    >>> accuracy(tally([0, 1, 1], [0, 1, 0], list("abc"), 2), rng=1).n
    3
    """
    return _figure(t, lambda weigh: _accuracy(weigh(t)), rng)


def disagreement(t: Tally, *, rng: Generator | int) -> Estimate:
    """Return the share of turns on which two coders differ (one minus ``accuracy``), with its interval.

    Examples
    --------
    >>> disagreement(tally([0, 1], [0, 0], list("ab"), 2), rng=1).value
    0.5
    """
    return _figure(t, lambda weigh: _disagreement(weigh(t)), rng)


def paired_gain(a: Tally, b: Tally, *, rng: Generator | int) -> Estimate:
    """Return macro-F1 of ``a`` minus macro-F1 of ``b`` on the same turns, clusters drawn together.

    Not the overlap of two intervals, which ignores that both coders read the same turns. Positive:
    ``a`` is better; the gain is more than chance where ``excludes_zero``.

    Parameters
    ----------
    a, b : counts of two coders of the same turns, in the same clusters and order.
    rng : generator, or a seed for one.

    Returns
    -------
    Value and interval in [-1, 1]; ``n`` = turns. Undefined cases as for ``macro_f1``.

    Raises
    ------
    ValueError : the two are not of the same turns.

    References
    ----------
    Berg-Kirkpatrick, Burkett & Klein (2012), EMNLP 995-1005.

    Examples
    --------
    >>> good = tally([0, 1, 0, 1], [0, 1, 0, 1], list("abcd"), 2)
    >>> poor = tally([0, 1, 0, 1], [0, 0, 0, 0], list("abcd"), 2)
    >>> round(paired_gain(good, poor, rng=1).value, 4)
    0.6667
    """
    if not np.array_equal(a.rows, b.rows) or not np.array_equal(a.gold, b.gold):
        raise ValueError("a gain is paired: both coders have to be of the same turns, in the same clusters.")
    return _figure(a, lambda weigh: np.asarray(_macro(weigh(a)) - _macro(weigh(b))), rng)
