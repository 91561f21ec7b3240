"""A share over clustered rows whose interval keeps a width where every row says the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import DRAWS, LEVEL, bootstrap_mean, cluster_codes
from turnwise.stats.proportion import wilson

__all__ = ["clustered_share", "seed_of"]


def seed_of(rng: Generator | int) -> int:
    """Return one seed for several intervals of the same rows, so that they draw the same clusters.

    Examples
    --------
    >>> seed_of(3)
    3
    """
    return int(rng.integers(2**63)) if isinstance(rng, Generator) else rng


def clustered_share(
    values: npt.ArrayLike,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return the mean of values in [0, 1] with an interval over clusters, also at 0 and at 1.

    ``bootstrap_mean``, except where all values are 0 or all are 1: there every draw is the same, and
    the interval is Wilson's over the clusters (k of k, or 0 of k). Not Wilson over the rows, which
    would take the moments of one patient as independent.

    Parameters
    ----------
    values : (N,) in [0, 1] (met = 1, not met = 0), NaN where undefined: left out and counted.
    rng : generator, or a seed for one.
    clusters : (N,) labels of what is drawn; ``None`` = every row by itself.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    Value and interval in [0, 1], unitless; ``n`` = rows with a value. No such row: ``empty``; one
    cluster of mixed rows: a value without an interval.

    Raises
    ------
    ValueError : a value outside [0, 1], or what ``bootstrap_mean`` refuses.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap; Wilson (1927), Journal of the
    American Statistical Association 22, 209-212.

    Examples
    --------
    >>> found = clustered_share([1, 1, 1, 1], rng=1, clusters=list("aabb"))
    >>> found.value, round(found.low, 3), found.n
    (1.0, 0.342, 4)
    """
    x = np.asarray(values, dtype=np.float64)
    defined = ~np.isnan(x)
    if (x[defined] < 0.0).any() or (x[defined] > 1.0).any():
        raise ValueError("a share is of values inside [0, 1].")
    found = bootstrap_mean(x, rng=rng, clusters=clusters, draws=draws, level=level)
    if found.value not in (0.0, 1.0):
        return found
    k = len(np.unique(cluster_codes(clusters, len(x))[defined]))
    edge = wilson(k if found.value else 0, k, level=level)
    detail = found.detail.removesuffix("no interval: there is one cluster only").removesuffix("; ")
    return replace(edge, n=found.n, method=f"Wilson over {k} clusters (all rows alike)", detail=detail)
