"""No worse, as good, or better: differences judged against a margin that the caller states beforehand.

That an interval covers zero shows nothing of the kind; only an interval inside the margin does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.special import stdtr, stdtrit

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import bootstrap
from turnwise.stats.paired import paired_difference

__all__ = ["ALPHA", "Judged", "Outcome", "judged", "paired_equivalence", "unpaired_equivalence"]

ALPHA = 0.025
"""Of each one-sided test: the interval is then the house's 95 %. The customary 90 % interval of TOST is .05."""

Outcome = Literal["superior", "equivalent", "non-inferior", "inferior", "inconclusive"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A difference (higher = the first is better) and what its interval says about a margin.

    Attributes
    ----------
    difference : value and interval of coverage 1 - 2 alpha, in the unit of the scores.
    margin : the largest difference that does not matter, above 0, in the same unit.
    p_non_inferior, p_equivalent : one-sided p against "worse by the margin or more", and the larger
        one of the two one-sided tests; ``None`` where the interval is a bootstrap or has no width.
    """

    difference: Estimate
    margin: float
    p_non_inferior: float | None = None
    p_equivalent: float | None = None

    def _ends(self) -> tuple[float, float]:
        low, high = self.difference.low, self.difference.high
        if low is None or high is None or low == high:  # an interval without width knows nothing of chance
            return -math.inf, math.inf
        return low, high

    @property
    def superior(self) -> bool:
        """The whole interval lies above zero; possibly by too little to matter (then also ``equivalent``)."""
        return self._ends()[0] > 0.0

    @property
    def non_inferior(self) -> bool:
        """The whole interval lies above minus the margin."""
        return self._ends()[0] > -self.margin

    @property
    def equivalent(self) -> bool:
        """The whole interval lies within the margin on both sides."""
        return self.non_inferior and self._ends()[1] < self.margin

    @property
    def inferior(self) -> bool:
        """The whole interval lies below minus the margin."""
        return self._ends()[1] < -self.margin

    @property
    def outcome(self) -> Outcome:
        """The first that holds of superior, equivalent, non-inferior, inferior; else inconclusive."""
        if self.superior:
            return "superior"
        if self.equivalent:
            return "equivalent"
        if self.non_inferior:
            return "non-inferior"
        return "inferior" if self.inferior else "inconclusive"


def judged(difference: Estimate, *, margin: float) -> Judged:
    """Return what the interval of any difference says about a margin; none, or one without width: inconclusive.

    The interval decides: it lies inside (-margin, margin) exactly where both one-sided tests reject,
    each at half of what the interval leaves out. Not a licence to choose the margin after looking.

    Parameters
    ----------
    difference : first minus second, higher = the first is better (for errors, swap them).
    margin : the largest difference that does not matter, above 0, in the unit of the difference.

    Raises
    ------
    ValueError : the margin is not above 0 and finite.

    References
    ----------
    Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680; Piaggio et al.
    (2012), JAMA 308, 2594-2604 (the CONSORT figure of outcomes).

    Examples
    --------
    >>> judged(Estimate(0.01, -0.03, 0.05, 0.95, 20, "given"), margin=0.1).outcome
    'equivalent'
    >>> judged(Estimate(-0.01, -0.2, 0.18, 0.95, 20, "given"), margin=0.1).outcome
    'inconclusive'
    """
    if not (margin > 0.0 and math.isfinite(margin)):
        raise ValueError(f"margin is {margin!r}; state the largest difference that does not matter, above 0.")
    return Judged(difference, margin)


def _by_t(value: float, error: float, df: float, n: int, margin: float, alpha: float) -> Judged:
    level = 1.0 - 2.0 * alpha
    if error == 0.0:
        note = "no interval: the differences have no spread"
        return judged(Estimate(value, None, None, level, n, "t", detail=note), margin=margin)
    half = float(stdtrit(df, 1.0 - alpha)) * error
    found = judged(Estimate(value, value - half, value + half, level, n, f"t, {df:.4g} df"), margin=margin)
    above, below = (float(stdtr(df, -(margin + sign * value) / error)) for sign in (1.0, -1.0))
    return replace(found, p_non_inferior=above, p_equivalent=max(above, below))


def _level(alpha: float, rng: object, clusters: object) -> float:
    if not 0.0 < alpha < 0.5:
        raise ValueError(f"alpha is {alpha!r}; it lies inside (0, .5).")
    if rng is None and clusters is not None:
        raise ValueError("the t interval takes units as independent; clusters need a rng for the bootstrap.")
    return 1.0 - 2.0 * alpha


def _noted(found: Judged, n: int, total: int, what: str) -> Judged:
    if n == total:
        return found
    notes = [f"{n} of {total} {what} have a value", *filter(None, [found.difference.detail])]
    return replace(found, difference=replace(found.difference, detail="; ".join(notes)))


def paired_equivalence(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    margin: float,
    rng: Generator | int | None = None,
    clusters: npt.ArrayLike | None = None,
    alpha: float = ALPHA,
) -> Judged:
    """Judge the mean of ``a - b`` over units met in both arms: superior, non-inferior, equivalent or not.

    Two one-sided tests and the test of superiority on one interval of coverage 1 - 2 alpha. Not proof of
    sameness: equivalent means that no difference as large as the margin is left plausible.

    Parameters
    ----------
    a, b : (units,) scores in the same unit and order, higher = better; NaN where undefined (such
        units take no part and are counted).
    margin : the largest difference that does not matter, above 0; fixed before the data.
    rng : generator or seed for a bootstrap over units (clusters); ``None`` = the t interval.
    clusters : (units,) labels of what is drawn; needs ``rng``.
    alpha : of each one-sided test.

    Returns
    -------
    A :class:`Judged`; ``n`` = complete pairs. No pair: ``empty``; one: a value without an interval,
    inconclusive; differences without any spread: likewise, because chance cannot be judged by them.

    Raises
    ------
    ValueError : shapes differ, margin not above 0, alpha outside (0, .5), clusters without ``rng``.

    References
    ----------
    Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680; Lakens (2017),
    Social Psychological and Personality Science 8, 355-362.

    Examples
    --------
    >>> a, b = [0.5, 0.6, 0.7, 0.4, 0.5], [0.5, 0.62, 0.69, 0.41, 0.49]
    >>> paired_equivalence(a, b, margin=0.05).outcome
    'equivalent'
    """
    level = _level(alpha, rng, clusters)
    if rng is not None:
        return judged(paired_difference(a, b, rng=rng, clusters=clusters, level=level), margin=margin)
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape or np.isinf(x - y).any():
        raise ValueError(f"a has shape {x.shape} and b {y.shape}; a pair needs both, finite or NaN.")
    d = (x - y)[~np.isnan(x - y)]
    if len(d) < 2:
        return judged(paired_difference(x, y, rng=0, level=level), margin=margin)  # says why there is no interval
    error = float(d.std(ddof=1)) / math.sqrt(len(d)) if np.ptp(d) > 0.0 else 0.0
    return _noted(_by_t(float(d.mean()), error, len(d) - 1.0, len(d), margin, alpha), len(d), len(x), "rows")


def _welch(x: FloatArray, y: FloatArray, margin: float, alpha: float) -> Judged:
    parts = [float(v.var(ddof=1)) / len(v) if np.ptp(v) > 0.0 else 0.0 for v in (x, y)]
    spread = sum(p**2 / (len(v) - 1) for p, v in zip(parts, (x, y), strict=True))
    df = sum(parts) ** 2 / spread if spread > 0.0 else float(len(x) + len(y) - 2)
    return _by_t(float(x.mean() - y.mean()), math.sqrt(sum(parts)), df, len(x) + len(y), margin, alpha)


def unpaired_equivalence(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    margin: float,
    rng: Generator | int | None = None,
    clusters: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    alpha: float = ALPHA,
) -> Judged:
    """Judge the mean of ``a`` minus the mean of ``b`` over different units; otherwise as ``paired_equivalence``.

    Not for the same patients under two therapists: pairing them is valid and narrower.

    Parameters
    ----------
    a, b : (n1,), (n2,) scores in the same unit, higher = better; NaN where undefined (left out, counted).
    margin, alpha : as for ``paired_equivalence``.
    rng : generator or seed for a bootstrap over all clusters together; ``None`` = Welch's t interval.
    clusters : labels of what is drawn, (n1,) and (n2,); a label in both arms is one cluster. Needs ``rng``.

    Returns
    -------
    A :class:`Judged`; ``n`` = scores in both arms. No score in an arm: ``empty``; one in an arm (t)
    or one cluster in all (bootstrap): a value without an interval, inconclusive.

    Raises
    ------
    ValueError : an array not one-dimensional or infinite, and as for ``paired_equivalence``.

    References
    ----------
    Welch (1947), Biometrika 34, 28-35; Schuirmann (1987), see ``judged``.

    Examples
    --------
    >>> unpaired_equivalence([0.9, 0.8, 0.85, 0.9], [0.5, 0.4, 0.45], margin=0.1).outcome
    'superior'
    """
    level = _level(alpha, rng, clusters)
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.ndim != 1 or y.ndim != 1 or np.isinf(x).any() or np.isinf(y).any():
        raise ValueError(f"a has shape {x.shape} and b {y.shape}; both are one-dimensional, finite or NaN.")
    in_x, in_y = ~np.isnan(x), ~np.isnan(y)
    u, v, total = x[in_x], y[in_y], len(x) + len(y)
    n = len(u) + len(v)
    if not len(u) or not len(v):
        note = f"the arms have {len(u)} and {len(v)} scores"
        return judged(Estimate(None, None, None, level, n, "difference of means", "empty", note), margin=margin)
    if rng is not None:
        both, first = np.concatenate([u, v]), np.arange(n) < len(u)
        names = None if clusters is None else np.concatenate([np.asarray(c) for c in clusters])
        if names is not None and names.shape != (total,):
            raise ValueError(f"clusters has {len(names)} labels for {total} scores.")
        kept = None if names is None else names[np.concatenate([in_x, in_y])]

        def gap(rows: npt.NDArray[np.int64]) -> float:
            p, q = both[rows][first[rows]], both[rows][~first[rows]]
            return float(p.mean() - q.mean()) if len(p) and len(q) else math.nan

        found = judged(bootstrap(gap, n, rng=rng, clusters=kept, level=level), margin=margin)
    elif min(len(u), len(v)) < 2:
        note = f"no interval: the arms have {len(u)} and {len(v)} scores"
        value = float(u.mean() - v.mean())
        found = judged(Estimate(value, None, None, level, n, "difference of means", detail=note), margin=margin)
    else:
        found = _welch(u, v, margin, alpha)
    return _noted(found, n, total, "scores")
