"""How far apart two distributions are: of numbers (Wasserstein-1) and of shares (Jensen-Shannon)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import LEVEL

__all__ = ["jensen_shannon", "wasserstein"]

_MOVED, _SHARES = "Wasserstein-1", "Jensen-Shannon distance"


def wasserstein(a: npt.ArrayLike, b: npt.ArrayLike) -> Estimate:
    """Return the Wasserstein-1 distance between two samples of numbers.

    Definition: the area between the two empirical distribution functions, which is the least mean
    distance over which one sample has to be moved to become the other. Not a test: two samples of
    one population are some distance apart too, so print the distance between random halves of the
    human sample beside it.

    Parameters
    ----------
    a, b : finite numbers of any count, in the same unit; order does not matter.

    Returns
    -------
    Distance in the unit of the samples, at least 0, without an interval; 0 where the samples are
    distributed alike. n = numbers in both. Undefined: ``empty`` where a sample has no number.

    Raises
    ------
    ValueError : a number is not finite.

    References
    ----------
    Vallender (1974), Theory of Probability and Its Applications 18(4), 784-786.

    Examples
    --------
    >>> round(wasserstein([1, 2, 3], [2, 4, 9]).value, 8)
    3.0
    """
    x, y = (np.sort(np.asarray(s, dtype=np.float64).ravel()) for s in (a, b))
    if not len(x) or not len(y):
        return Estimate(None, None, None, LEVEL, len(x) + len(y), _MOVED, "empty", "one sample has no number")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("a sample holds a number that is not finite.")
    both = np.sort(np.concatenate([x, y]))
    below_x = np.searchsorted(x, both[:-1], side="right") / len(x)
    below_y = np.searchsorted(y, both[:-1], side="right") / len(y)
    value = float((np.abs(below_x - below_y) * np.diff(both)).sum())
    return Estimate(value, None, None, LEVEL, len(x) + len(y), _MOVED)


def jensen_shannon(p: npt.ArrayLike, q: npt.ArrayLike, *, base: float = 2.0) -> Estimate:
    """Return the Jensen-Shannon distance (root of the divergence) between two sets of shares or counts.

    Definition: the root of the mean of the Kullback-Leibler divergences of both from their mean. A
    metric. Not comparable between bases: at most 1 in base 2, at most .83255 (root of ln 2) in the
    natural logarithm.

    Parameters
    ----------
    p, q : numbers of at least 0 of equal shape; each is scaled to add up to 1.
    base : of the logarithm, above 1.

    Returns
    -------
    Distance in [0, sqrt(ln 2 / ln base)], without an interval; 0 where the shares are equal. n = kinds
    that are compared. Undefined: ``no_denominator`` where one side adds up to 0.

    Raises
    ------
    ValueError : shapes differ, a number is negative, or the base is not above 1.

    References
    ----------
    Endres & Schindelin (2003), IEEE Transactions on Information Theory 49(7), 1858-1860.

    Examples
    --------
    >>> round(jensen_shannon([0.5, 0.3, 0.2], [0.2, 0.3, 0.5]).value, 8)
    0.30954095
    """
    x, y = (np.asarray(s, dtype=np.float64).ravel() for s in (p, q))
    if np.shape(p) != np.shape(q) or (x < 0).any() or (y < 0).any() or base <= 1.0:
        raise ValueError(f"shapes {np.shape(p)} and {np.shape(q)}, base {base}: give equal shapes, numbers >= 0.")
    if x.sum() == 0.0 or y.sum() == 0.0:
        return Estimate(None, None, None, LEVEL, len(x), _SHARES, "no_denominator", "one side counts nothing")
    x, y = x / x.sum(), y / y.sum()
    m = (x + y) / 2.0

    def divergence(s: npt.NDArray[np.float64]) -> float:
        there = (s > 0) & (m > 0)  # a share so small that half of it is 0 adds nothing
        return float((s[there] * np.log(s[there] / m[there])).sum())

    value = float(np.sqrt(max(0.0, (divergence(x) + divergence(y)) / 2.0 / np.log(base))))
    return Estimate(value, None, None, LEVEL, len(x), _SHARES)
