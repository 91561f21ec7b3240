"""Whether two arms differ at all: p-values from swapping them, cluster by cluster.

The intervals of this room say how large a difference is; these say how often chance alone would make one as large.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import DRAWS, LEVEL, cluster_codes, from_draws

__all__ = ["SWAPS", "mean_difference", "paired_swap_p", "unpaired_swap_p"]

SWAPS = 20_000
_EXACT = 14  # clusters up to which every swap is made: 2^14 of them
_BLOCK = 1 << 22  # drawn numbers held at once
_TIE = 1e-9  # relative: what rounding may put between equal sums


def paired_swap_p(differences: npt.ArrayLike, *, rng: Generator | int, clusters: npt.ArrayLike | None = None) -> float:
    """Return the two-sided p of a mean paired difference under "the arms of a cluster could as well be swapped".

    Every swap of signs is made up to 14 clusters, 20,000 drawn ones beyond (and the observed one counted). With five
    patients no p can be below 1/16: so few cannot show a difference after correction, which is as it should be.

    Parameters
    ----------
    differences : (N,) of pairs, NaN where a pair is incomplete (left out).
    rng : generator, or a seed for one.
    clusters : (N,) labels of what is swapped as a whole; ``None`` = every pair by itself.

    Returns
    -------
    In (0, 1]; NaN where there is no complete pair.

    References
    ----------
    Fisher (1935), The Design of Experiments, section 21; Phipson & Smyth (2010), SAGMB 9, 39.

    Examples
    --------
    >>> paired_swap_p([0.2, 0.3, 0.1, 0.4], rng=1), paired_swap_p([0.0, 0.0], rng=1)
    (0.125, 1.0)
    """
    x = np.asarray(differences, dtype=np.float64)
    codes, kept = cluster_codes(clusters, len(x)), ~np.isnan(x)
    if not kept.any():
        return float("nan")
    sums = np.bincount(codes[kept], weights=x[kept])
    sums = sums[sums != 0.0]  # what is swapped without effect
    k, least = len(sums), abs(float(sums.sum())) - _TIE * float(np.abs(sums).sum())
    if k <= _EXACT:
        signs = 1.0 - 2.0 * ((np.arange(1 << k)[:, None] >> np.arange(k)) & 1)
        return float((np.abs(signs @ sums) >= least).mean())
    generator, hits, step = np.random.default_rng(rng), 0, max(1, _BLOCK // k)
    for start in range(0, SWAPS, step):
        signs = 1.0 - 2.0 * generator.integers(0, 2, (min(step, SWAPS - start), k))
        hits += int((np.abs(signs @ sums) >= least).sum())
    return (hits + 1) / (SWAPS + 1)


class _Arms:
    """Sums and counts of two arms by cluster; clusters in order of their names, so that the arms may change places."""

    def __init__(self, a: npt.ArrayLike, b: npt.ArrayLike, clusters: tuple[npt.ArrayLike, npt.ArrayLike]) -> None:
        x, y = (np.asarray(v, dtype=np.float64) for v in (a, b))
        names = [np.asarray(c) for c in clusters]
        if any(v.ndim != 1 or v.shape != c.shape or np.isinf(v).any() for v, c in zip((x, y), names, strict=True)):
            raise ValueError(f"the arms have shapes {x.shape} and {y.shape}; give (N,) finite or NaN, each a cluster.")
        kept = [~np.isnan(v) for v in (x, y)]
        self.values = (x[kept[0]], y[kept[1]])
        self.total = len(x) + len(y)
        _, codes = np.unique(np.concatenate([c[m] for c, m in zip(names, kept, strict=True)]), return_inverse=True)
        n = len(self.values[0])
        self.k = int(codes.max()) + 1 if len(codes) else 0
        self.codes = (codes[:n], codes[n:])
        at = list(zip(self.codes, self.values, strict=True))
        self.sums = np.stack([np.bincount(c, weights=v, minlength=self.k) for c, v in at])
        self.counts = np.stack([np.bincount(c, minlength=self.k) for c, _ in at]).astype(np.float64)


def mean_difference(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    clusters: tuple[npt.ArrayLike, npt.ArrayLike],
    rng: Generator | int,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return the mean of ``a`` minus the mean of ``b`` over different units, with a cluster-bootstrap interval.

    Not for units met in both arms (``paired_difference`` is narrower). Clusters of both arms are drawn together; a
    label in both is one cluster. Exchanging the arms changes the sign and nothing else.

    Parameters
    ----------
    a, b : (n1,), (n2,) values in the same unit, NaN where undefined (left out, counted in ``detail``).
    clusters : labels of what is drawn, (n1,) and (n2,).
    rng : generator, or a seed for one.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    Value and expanded percentile interval in the unit of the values; ``n`` = values in both arms. An arm without
    a value: ``empty``; an arm of one cluster: no interval.

    Raises
    ------
    ValueError : shapes do not fit, or a value is infinite.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap.

    Examples
    --------
    >>> found = mean_difference([0.9, 0.8, 0.9], [0.4, 0.5, 0.4], clusters=(list("abc"), list("def")), rng=1)
    >>> round(found.value, 3), found.n, found.excludes_zero
    (0.433, 6, True)
    """
    arms = _Arms(a, b, clusters)
    sizes = [len(v) for v in arms.values]
    n, method = sum(sizes), "difference of means, cluster bootstrap"
    if not all(sizes):
        note = f"the arms have {sizes[0]} and {sizes[1]} values"
        return Estimate(None, None, None, level, n, method, "empty", note)
    value = float(arms.values[0].mean() - arms.values[1].mean())
    detail = "" if n == arms.total else f"{n} of {arms.total} units have a value"
    if min(len(np.unique(c)) for c in arms.codes) < 2:
        note = "no interval: an arm has one cluster only"
        return Estimate(value, None, None, level, n, method, detail="; ".join(filter(None, [detail, note])))
    generator, step, drawn = np.random.default_rng(rng), max(1, _BLOCK // arms.k), []
    for start in range(0, draws, step):
        index = generator.integers(0, arms.k, (min(step, draws - start), arms.k))
        drawn.append(_apart(arms.sums[:, index].sum(axis=2), arms.counts[:, index].sum(axis=2)))
    return from_draws(value, np.concatenate(drawn), n, level, arms.k, detail)


def _apart(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """Return mean minus mean, NaN where an arm is empty."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / counts
    return np.asarray(means[0] - means[1])


def unpaired_swap_p(
    a: npt.ArrayLike, b: npt.ArrayLike, *, clusters: tuple[npt.ArrayLike, npt.ArrayLike], rng: Generator | int
) -> float:
    """Return the two-sided p of a difference of means under "which arm a cluster stands in means nothing".

    Clusters of one arm are dealt out again, as many to each arm as there were; a cluster in both arms has its arms
    swapped. 20,000 deals (fewer for thousands of clusters, never under 2,000), and the observed one counted. It asks
    whether the arms are alike in every way; with spreads that differ read the interval too.

    Returns
    -------
    In (0, 1]; NaN where an arm has no value.

    References
    ----------
    Fisher (1935), The Design of Experiments, section 21; Phipson & Smyth (2010), SAGMB 9, 39.

    Examples
    --------
    >>> names = [f"a{i}" for i in range(8)], [f"b{i}" for i in range(8)]
    >>> unpaired_swap_p([0.9] * 8, [0.1] * 8, clusters=names, rng=1) < 0.001
    True
    """
    arms = _Arms(a, b, clusters)
    if not all(len(v) for v in arms.values):
        return float("nan")
    there = arms.counts > 0.0
    both, single = there.all(axis=0), np.flatnonzero(there.sum(axis=0) == 1)
    in_a = there[0, single]
    observed = float(_apart(arms.sums.sum(axis=1), arms.counts.sum(axis=1)))
    least = abs(observed) - _TIE * float(max(np.abs(v).max() for v in arms.values))
    generator, hits = np.random.default_rng(rng), 0
    deals = int(np.clip(20_000_000 // arms.k, 2_000, SWAPS))
    step = max(1, _BLOCK // (4 * arms.k))
    for start in range(0, deals, step):
        rows = min(step, deals - start)
        swap = (generator.integers(0, 2, (rows, arms.k)) == 1) & both
        swap[:, single] = generator.permuted(np.tile(in_a, (rows, 1)), axis=1) != in_a
        hits += int((np.abs(_dealt(arms, swap)) >= least).sum())
    return (hits + 1) / (deals + 1)


def _dealt(arms: _Arms, swap: npt.NDArray[np.bool_]) -> FloatArray:
    ((a, b), (m, n)), taken = (arms.sums, arms.counts), swap.astype(np.float64)
    more, many = taken @ (b - a), taken @ (n - m)
    sums = np.stack([a.sum() + more, b.sum() - more])
    return _apart(sums, np.stack([m.sum() + many, n.sum() - many]))
