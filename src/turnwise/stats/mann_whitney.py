"""Two independent groups by rank: U, rank-biserial r, asymptotic p and exact p side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import DRAWS, LEVEL

__all__ = ["MannWhitney", "mann_whitney"]

_EXACT_UP_TO = 60  # observations in all; beyond, the asymptotic p is accurate and the exact one slow


@dataclass(frozen=True, slots=True)
class MannWhitney:
    """A rank comparison of two groups.

    Attributes
    ----------
    r : rank-biserial correlation ``1 - 2U / (n1 n2)`` in [0, 1] (U is the smaller one, so r is a
        size; ``larger`` gives the direction). Its interval, if one was asked for, may pass below 0.
    u : the smaller of U1 and U2; ``None`` when a group is empty.
    p : two-sided, asymptotic, tie-corrected, *without* continuity correction.
    p_exact : two-sided, from all splits of the ranks (ties included); ``None`` above 60 observations.
    larger : which group tends to be larger.
    """

    r: Estimate
    u: float | None
    p: float | None
    p_exact: float | None
    larger: Literal["x", "y", "neither"]


def _ranks(x: FloatArray, y: FloatArray) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    _, level, ties = np.unique(np.concatenate([x, y]), return_inverse=True, return_counts=True)
    return (np.cumsum(ties) - (ties - 1) / 2.0)[level], ties


def _u_of_x(x: FloatArray, y: FloatArray) -> float:
    ranks, _ = _ranks(x, y)
    return float(ranks[: len(x)].sum() - len(x) * (len(x) + 1) / 2.0)


def _asymptotic(u: float, n1: int, n2: int, ties: npt.NDArray[np.int64]) -> float:
    n = n1 + n2
    t = ties.astype(np.float64)
    variance = n1 * n2 / 12.0 * (n + 1 - float(np.sum(t**3 - t)) / (n * (n - 1)))
    if variance <= 0.0:
        return 1.0  # all tied: nothing distinguishes the groups, and every split of the ranks agrees
    return min(1.0, 2.0 * NormalDist().cdf(-abs(u - n1 * n2 / 2.0) / math.sqrt(variance)))


def _exact(ranks: FloatArray, n1: int) -> float:
    """Share of all splits whose rank sum is at least as far from its mean as the one observed."""
    doubled = np.rint(2.0 * ranks).astype(np.int64)  # midranks become whole numbers
    ways = np.zeros((n1 + 1, int(doubled.sum()) + 1))
    ways[0, 0] = 1.0
    for rank in doubled:
        ways[1:, rank:] += ways[:-1, : ways.shape[1] - rank].copy()
    mean = n1 * (len(ranks) + 1)
    far = np.abs(np.arange(ways.shape[1]) - mean) >= abs(int(doubled[:n1].sum()) - mean)
    return float(ways[n1][far].sum() / ways[n1].sum())


def _interval(x: FloatArray, y: FloatArray, rng: Generator | int, draws: int, level: float) -> tuple[float, float]:
    generator = np.random.default_rng(rng)
    pairs = len(x) * len(y)
    towards_x = _u_of_x(x, y) >= pairs / 2.0
    drawn = np.empty(draws)
    for i in range(draws):
        u = _u_of_x(generator.choice(x, len(x)), generator.choice(y, len(y)))
        drawn[i] = 2.0 * u / pairs - 1.0 if towards_x else 1.0 - 2.0 * u / pairs
    tail = 100.0 * (1.0 - level) / 2.0
    low, high = np.percentile(drawn, [tail, 100.0 - tail])
    return float(low), float(high)


def mann_whitney(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    rng: Generator | int | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> MannWhitney:
    """Compare two independent groups by the ranks of their members.

    Not for paired data, and not for turns: one number per member (a participant's mean). r = 1
    says that the groups do not overlap, not that they are far apart in points.

    Parameters
    ----------
    x, y : (n1,), (n2,) finite values of the members.
    rng : generator or seed for a bootstrap interval of r over the members of both groups; with
        ``None`` r has no interval.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    A :class:`MannWhitney`. An empty group: r undefined (``empty``), the rest ``None``. All values
    tied: r = 0 and both p = 1, with a note, because the asymptotic test has no denominator there.

    Raises
    ------
    ValueError : a value is not finite (leave undefined members out and count them), or an array
        is not one-dimensional.

    References
    ----------
    Mann & Whitney (1947), Annals of Mathematical Statistics 18, 50-60; Wendt (1972), European
    Journal of Social Psychology 2, 463-465 (rank-biserial r); used so by Napiwotzki, Laue et al.
    (2025), JMIR Formative Research 9, e78138.

    Examples
    --------
    >>> found = mann_whitney(range(10, 16), range(1, 9))
    >>> found.r.value, found.u, round(found.p, 7), round(found.p_exact, 7)
    (1.0, 0.0, 0.0019458, 0.000666)
    """
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.ndim != 1 or b.ndim != 1 or not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("x and y must be one-dimensional and finite; leave undefined members out and count them.")
    if draws < 1 or not 0.0 < level < 1.0:
        raise ValueError(f"draws is {draws!r} and level {level!r}; draws is at least 1, level inside (0, 1).")
    n1, n2 = len(a), len(b)
    if n1 == 0 or n2 == 0:
        note = f"a group is empty ({n1} and {n2} members)"
        undefined = Estimate(None, None, None, level, n1 + n2, "rank-biserial", "empty", note)
        return MannWhitney(undefined, None, None, None, "neither")
    ranks, ties = _ranks(a, b)
    u_x = _u_of_x(a, b)
    u = min(u_x, n1 * n2 - u_x)
    low, high = (None, None) if rng is None else _interval(a, b, rng, draws, level)
    method = "rank-biserial" if rng is None else f"rank-biserial, bootstrap, percentile, {draws} draws"
    note = "all values are tied: the asymptotic test has no denominator, p = 1 by convention" if len(ties) == 1 else ""
    return MannWhitney(
        r=Estimate(1.0 - 2.0 * u / (n1 * n2), low, high, level, n1 + n2, method, detail=note),
        u=u,
        p=_asymptotic(u, n1, n2, ties),
        p_exact=_exact(ranks, n1) if n1 + n2 <= _EXACT_UP_TO else None,
        larger="neither" if 2 * u_x == n1 * n2 else "x" if 2 * u_x > n1 * n2 else "y",
    )
