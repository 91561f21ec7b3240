"""Whether raters agree on numbers: the six intraclass correlations of Shrout & Fleiss with their F intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import fdtri

from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import LEVEL

__all__ = ["Intraclass", "intraclass"]


@dataclass(frozen=True, slots=True)
class Intraclass:
    """Six intraclass correlations of one table.

    Attributes
    ----------
    one, two, three : of a single rater. ICC(1,1): every target has raters of its own; ICC(2,1), also
        ICC(A,1): the same raters throughout, a sample of raters, absolute agreement; ICC(3,1), also
        ICC(C,1): these raters only, consistency (a rater who is stricter by a constant costs nothing).
    one_mean, two_mean, three_mean : the same of the mean of the k raters: ICC(1,k), (2,k), (3,k).
        Report these only where the mean of k raters is what is used.
    """

    one: Estimate
    two: Estimate
    three: Estimate
    one_mean: Estimate
    two_mean: Estimate
    three_mean: Estimate


@dataclass(frozen=True, slots=True)
class _Squares:
    """Mean squares of n targets x k raters: between targets, within, between raters, residual."""

    n: int
    k: int
    between: float
    within: float
    raters: float
    residual: float


def _squares(x: npt.NDArray[np.float64]) -> _Squares:
    n, k = x.shape
    x = x - x.mean()
    between = k * float((x.mean(axis=1) ** 2).sum())
    raters = n * float((x.mean(axis=0) ** 2).sum())
    # Summed as squares, not as a difference of sums: rounding never makes it negative.
    residual = float(((x - x.mean(axis=1, keepdims=True) - x.mean(axis=0, keepdims=True)) ** 2).sum())
    within = float(((x - x.mean(axis=1, keepdims=True)) ** 2).sum())
    return _Squares(n, k, between / (n - 1), within / (n * (k - 1)), raters / (k - 1), residual / ((n - 1) * (k - 1)))


def _over(a: float, b: float) -> float:
    return a / b if b > 0.0 else math.inf


def _from_f(f: float, k: int) -> tuple[float, float]:
    """Return single and mean-of-k correlation that belong to a ratio of mean squares."""
    if math.isinf(f):
        return 1.0, 1.0
    return (f - 1.0) / (f + k - 1.0), 1.0 - 1.0 / f if f > 0.0 else -math.inf


def _ratio_form(s: _Squares, error: float, df: float, tail: float) -> tuple[list[float], list[float]]:
    """Return value, low, high of ICC(1,.) or ICC(3,.), single and mean, from F = between / error."""
    f, top = _over(s.between, error), s.n - 1.0
    ends = (f, f / float(fdtri(top, df, 1.0 - tail)), f * float(fdtri(df, top, 1.0 - tail)))
    single, mean = zip(*(_from_f(x, s.k) for x in ends), strict=True)
    return list(single), list(mean)


def _absolute_form(s: _Squares, tail: float) -> tuple[list[float], list[float]]:
    """Return value, low, high of ICC(2,.): Satterthwaite's degrees of freedom (McGraw & Wong 1996, table 7)."""
    n, k, b, j, e = s.n, s.k, s.between, s.raters, s.residual
    rho = (b - e) / (b + (k - 1) * e + k * (j - e) / n)
    by_rater, by_error = k * rho * j, (n * (1.0 - rho) + k * rho * (n - 1)) * e
    spread = by_rater**2 / (k - 1) + by_error**2 / ((n - 1) * (k - 1))
    df = (by_rater + by_error) ** 2 / spread if spread > 0.0 else (n - 1.0) * (k - 1.0)
    df = max(df, k - 1.0)  # the least that two variances can have; only a negative rho falls below
    up, down = float(fdtri(n - 1, df, 1.0 - tail)), float(fdtri(df, n - 1, 1.0 - tail))
    rest = k * j + (k * n - k - n) * e
    single = [rho]
    for factor_b, factor_e in ((1.0, up), (down, 1.0)):
        single.append(n * (factor_b * b - factor_e * e) / (factor_e * rest + n * factor_b * b))
    mean = [x * k / (1.0 + x * (k - 1)) if 1.0 + x * (k - 1) > 0.0 else -math.inf for x in single]
    return single, mean


def _estimate(ends: list[float], s: _Squares, level: float, name: str, detail: str) -> Estimate:
    value, low, high = ends
    if not math.isfinite(value):
        note = "the targets differ less than the raters do: there is nothing to be reliable about"
        return Estimate(None, None, None, level, s.n, name, "no_denominator", note)
    known = low if math.isfinite(low) else None
    return Estimate(value, known, high, level, s.n, f"{name}, F interval, {s.k} raters", detail=detail)


def intraclass(ratings: npt.ArrayLike, *, level: float = LEVEL) -> Intraclass:
    """Return the intraclass correlations of n targets rated by k raters, with intervals from F.

    Share of the variance of ratings that is between targets. Not a correlation of two columns, and
    not a property of the raters alone: among targets that hardly differ it is low. The intervals
    take targets as independent and effects as normal; several moments of one patient are not.

    Parameters
    ----------
    ratings : (targets, raters) numbers; a target that lacks a rating (NaN) is left out and counted.
    level : coverage asked for.

    Returns
    -------
    An :class:`Intraclass`, values at most 1; a negative value is kept, never set to 0 (single forms
    reach -1/(k-1) and ICC(2,1) somewhat below; mean forms have no lower end). ``n`` = targets.
    No complete target: ``empty``; one target or one rater: ``too_short``; no spread at all, or for
    mean forms targets that do not differ: ``no_denominator``.

    Raises
    ------
    ValueError : ``ratings`` not two-dimensional or infinite, ``level`` outside (0, 1).

    References
    ----------
    Shrout & Fleiss (1979), Psychological Bulletin 86, 420-428; McGraw & Wong (1996), Psychological
    Methods 1, 30-46.

    Examples
    --------
    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> found = intraclass(table)
    >>> [round(e.value, 2) for e in (found.one, found.two, found.three)]
    [0.17, 0.29, 0.71]
    """
    x = np.asarray(ratings, dtype=np.float64)
    if x.ndim != 2 or np.isinf(x).any() or not 0.0 < level < 1.0:
        raise ValueError(f"ratings has shape {x.shape} and level is {level!r}; give finite (targets, raters).")
    total, x = len(x), x[~np.isnan(x).any(axis=1)]
    detail = "" if len(x) == total else f"{len(x)} of {total} targets have every rating"
    if len(x) == 0 or min(x.shape) < 2:
        note = f"{len(x)} complete targets and {x.shape[1]} raters; two of each are needed"
        nothing = Estimate(None, None, None, level, len(x), "ICC", "too_short" if len(x) else "empty", note)
        return Intraclass(*[nothing] * 6)
    if np.ptp(x) == 0.0:
        note = "all ratings are the same: there is no variance to share"
        nothing = Estimate(None, None, None, level, len(x), "ICC", "no_denominator", note)
        return Intraclass(*[nothing] * 6)
    s, tail = _squares(x), (1.0 - level) / 2.0
    forms = (
        _ratio_form(s, s.within, s.n * (s.k - 1.0), tail),
        _absolute_form(s, tail),
        _ratio_form(s, s.residual, (s.n - 1.0) * (s.k - 1.0), tail),
    )
    single = [_estimate(f[0], s, level, f"ICC({i},1)", detail) for i, f in enumerate(forms, 1)]
    mean = [_estimate(f[1], s, level, f"ICC({i},{s.k})", detail) for i, f in enumerate(forms, 1)]
    return Intraclass(*single, *mean)
