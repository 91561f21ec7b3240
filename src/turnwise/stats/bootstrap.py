"""Cluster bootstrap: draw whole clusters again, never the turns inside them.

Turns of one session, and sessions of one patient, are not independent; resampling them singly
gives intervals that are too narrow. The default throughout: 2,000 draws, percentile, 95 %, expanded for the
number of clusters: with few of them the bare percentiles cover less than they say (measured: ``make power``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.special import stdtrit

from turnwise.core.nouns import Estimate, FloatArray

__all__ = ["DRAWS", "LEVEL", "bootstrap", "bootstrap_mean", "cluster_codes", "from_draws", "tail_for"]

DRAWS = 2_000
LEVEL = 0.95
_BLOCK = 1 << 21  # drawn indices held at once (16 MiB); fixed, because the draws depend on it

IntArray = npt.NDArray[np.int64]


def cluster_codes(clusters: npt.ArrayLike | None, rows: int) -> IntArray:
    """Number the clusters in order of first appearance, so that their names cannot move an interval.

    Raises
    ------
    ValueError : ``clusters`` is not one name a row.

    Examples
    --------
    >>> cluster_codes(["b", "a", "b"], 3).tolist()
    [0, 1, 0]
    """
    if clusters is None:
        return np.arange(rows, dtype=np.int64)
    names = np.asarray(clusters)
    if names.shape != (rows,):
        raise ValueError(f"clusters has shape {names.shape} for {rows} rows.")
    _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return np.asarray(rank[inverse], dtype=np.int64)


def _check(draws: int, level: float) -> None:
    if draws < 1 or not 0.0 < level < 1.0:
        raise ValueError(f"draws is {draws!r} and level {level!r}; draws is at least 1, level inside (0, 1).")


def tail_for(clusters: int, level: float = LEVEL) -> float:
    """Return the share of draws to leave out on each side of an interval over so many clusters.

    A percentile interval is too narrow twice over where clusters are few: drawn means vary by ``(k - 1) / k`` too
    little, and normal quantiles stand where those of Student's t belong. Both are made up for by going further into
    the tails. Not a cure for a skewed statistic.

    References
    ----------
    Hesterberg (2015), What teachers should know about the bootstrap, The American Statistician 69(4), expanded
    percentile intervals.

    Examples
    --------
    >>> round(tail_for(16), 4), round(tail_for(10_000), 4)
    (0.0139, 0.025)
    """
    t = float(stdtrit(clusters - 1, (1.0 + level) / 2.0))
    return NormalDist().cdf(-math.sqrt(clusters / (clusters - 1)) * t)


def from_draws(value: float, drawn: FloatArray, n: int, level: float, clusters: int, detail: str) -> Estimate:
    """Return a value with the percentile interval of ``drawn`` (bootstrap values over at least two ``clusters``).

    Draws in which the statistic was undefined (NaN) take no part and are counted in ``method``; if
    they are more than one half there is no interval, and ``detail`` says so.

    Examples
    --------
    >>> found = from_draws(0.5, np.linspace(0.0, 1.0, 101), 20, 0.9, 1_000, "")
    >>> round(found.low, 3), round(found.high, 3), found.n
    (0.05, 0.95, 20)
    """
    defined = drawn[np.isfinite(drawn)]
    method = f"cluster bootstrap, expanded percentile, {len(drawn)} draws over {clusters} clusters"
    if len(defined) < len(drawn):
        method += f" ({len(drawn) - len(defined)} undefined)"
    if 2 * len(defined) < len(drawn):
        note = "no interval: the statistic is undefined in more than half of the draws"
        return Estimate(value, None, None, level, n, method, detail=f"{detail}; {note}" if detail else note)
    tail = 100.0 * tail_for(clusters, level)
    low, high = np.percentile(defined, [tail, 100.0 - tail])
    return Estimate(value, float(low), float(high), level, n, method, detail=detail)


def bootstrap(
    statistic: Callable[[IntArray], float],
    rows: int,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return any statistic of some rows with a percentile interval from drawing clusters again.

    Not a test, and not free of bias for statistics that are (a maximum, a small-sample ratio).
    With fewer than about ten clusters any interval is a rough one, expanded or not; read ``n`` beside it.

    Parameters
    ----------
    statistic : maps row indices, shape (m,), possibly repeated, to a number; NaN where undefined.
    rows : number of rows N; the value is ``statistic(arange(N))``.
    rng : generator, or a seed for one; nothing else decides the interval.
    clusters : (N,) labels of what is drawn (patients, dialogues); ``None`` = every row by itself.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    Value and interval in the unit of the statistic; ``n`` = rows. Draws in which the statistic is
    undefined are counted in ``method``; past one half there is no interval. One cluster: no
    interval. No row: ``empty``. Undefined on all rows: ``undetermined``.

    Raises
    ------
    ValueError : wrong shape of ``clusters``, ``draws < 1``, ``level`` outside (0, 1).

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap; Davison & Hinkley (1997), ch. 3.8.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 3.0, 4.0])
    >>> found = bootstrap(lambda i: float(np.median(x[i])), 4, rng=1)
    >>> found.value, found.low <= found.value <= found.high
    (2.5, True)
    """
    _check(draws, level)
    if rows < 1:
        return Estimate(None, None, None, level, 0, "cluster bootstrap", "empty", "there is nothing to estimate from")
    codes = cluster_codes(clusters, rows)
    value = float(statistic(np.arange(rows, dtype=np.int64)))
    if not math.isfinite(value):
        note = "the statistic is undefined on these rows"
        return Estimate(None, None, None, level, rows, "cluster bootstrap", "undetermined", note)
    k = int(codes.max()) + 1
    if k < 2:
        note = "no interval: there is one cluster only"
        return Estimate(value, None, None, level, rows, "cluster bootstrap", detail=note)
    order = np.argsort(codes, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    generator = np.random.default_rng(rng)
    drawn = np.array(
        [statistic(np.concatenate([members[c] for c in generator.integers(0, k, k)])) for _ in range(draws)],
        dtype=np.float64,
    )
    return from_draws(value, drawn, rows, level, k, "")


_CANCELS = 1e-12


def bootstrap_mean(
    values: npt.ArrayLike,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return the mean of the defined values with a cluster-bootstrap percentile interval.

    The mean is over rows, so a cluster with more rows weighs more; average within clusters first
    if every patient is to count once. NaN means undefined: such rows are left out of the mean
    (a missing value is never a zero) and counted in ``detail``.

    Parameters
    ----------
    values : (N,) numbers, NaN where undefined.
    rng : generator, or a seed for one.
    clusters : (N,) labels of what is drawn; ``None`` = every row by itself.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    Value and interval in the unit of ``values``; ``n`` = rows that had a value. When all values
    are equal the interval has no width: for shares near 0 or 1 use ``wilson``. One cluster: no
    interval. No defined value: ``empty``.

    Raises
    ------
    ValueError : ``values`` not one-dimensional or infinite, wrong shape of ``clusters``,
        ``draws < 1``, ``level`` outside (0, 1).

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap.

    Examples
    --------
    >>> found = bootstrap_mean([0.0, 1.0, float("nan"), 2.0], rng=1)
    >>> found.value, found.n, found.detail
    (1.0, 3, '3 of 4 rows have a value')
    """
    _check(draws, level)
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or np.isinf(x).any():
        raise ValueError(f"values must be one-dimensional and finite or NaN, got shape {x.shape}.")
    codes = cluster_codes(clusters, len(x))
    defined = ~np.isnan(x)
    n = int(defined.sum())
    detail = "" if n == len(x) else f"{n} of {len(x)} rows have a value"
    if n == 0:
        note = f"none of {len(x)} rows has a value"
        return Estimate(None, None, None, level, 0, "cluster bootstrap", "empty", note)
    codes, x = codes[defined], x[defined]
    _, codes = np.unique(codes, return_inverse=True)
    value, k = float(x.mean()), int(codes.max()) + 1
    if k < 2:
        note = "no interval: there is one cluster only"
        return Estimate(
            value, None, None, level, n, "cluster bootstrap", detail=f"{detail}; {note}" if detail else note
        )
    # Around the mean, so that large offsets do not cost digits.
    sums = np.asarray(np.bincount(codes, weights=x - value), dtype=np.float64)
    drawn = value + _drawn_means(sums, np.bincount(codes), draws, np.random.default_rng(rng))
    # A draw whose values cancel is 0 and not 1e-17: intervals are held against 0 by whoever reads them.
    drawn[np.abs(drawn) < _CANCELS * np.abs(x).max()] = 0.0
    # A mean lies among its values; only rounding can put it outside.
    return from_draws(value, np.clip(drawn, x.min(), x.max()), n, level, k, detail)


def _drawn_means(sums: FloatArray, counts: IntArray, draws: int, rng: Generator) -> FloatArray:
    k = len(sums)
    step = max(1, _BLOCK // k)
    means: list[FloatArray] = []
    for start in range(0, draws, step):
        index = rng.integers(0, k, (min(step, draws - start), k))
        means.append(sums[index].sum(axis=1) / counts[index].sum(axis=1))
    return np.concatenate(means)
