"""Shares of planned moments when patients leave: as if unreached were failed, as if met, and among those who stayed.

The three belong together. Who drives the difficult patients away looks best among those who stayed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import DRAWS, LEVEL
from turnwise.stats.paired import paired_difference
from turnwise.stats.share import clustered_share, seed_of

__all__ = ["Attrition", "AttritionGap", "attrition", "attrition_difference"]


@dataclass(frozen=True, slots=True)
class Attrition:
    """One share three ways, each in [0, 1] with an interval over patients.

    Attributes
    ----------
    planned : over all planned moments, one without a verdict as not met: the figure to report.
    best : over all planned moments, one without a verdict as met: nothing better is possible.
    attended : over the moments with a verdict. Conditions on what the therapist caused: never alone.
    moments, unreached, unscored : planned; planned and never reached; reached, but without a verdict.
    """

    planned: Estimate
    best: Estimate
    attended: Estimate
    moments: int
    unreached: int
    unscored: int


@dataclass(frozen=True, slots=True)
class AttritionGap:
    """Difference of two therapists (first minus second) on the same planned moments, in [-1, 1].

    Attributes
    ----------
    planned, best : as in :class:`Attrition`, both therapists treated alike.
    attended : over the moments that have a verdict under both.
    lowest, highest : the first treated as in ``planned`` and the second as in ``best``, and the
        reverse: the difference lies between, whatever the missing moments would have been.
    """

    planned: Estimate
    best: Estimate
    attended: Estimate
    lowest: Estimate
    highest: Estimate


def _met(values: npt.ArrayLike, name: str) -> FloatArray:
    x = np.asarray(values, dtype=np.float64)
    given = x[~np.isnan(x)] if x.ndim == 1 else x
    if x.ndim != 1 or (given < 0.0).any() or (given > 1.0).any():
        raise ValueError(f"{name} has shape {x.shape}; one-dimensional, in [0, 1], NaN without a verdict.")
    return x


def attrition(
    met: npt.ArrayLike,
    *,
    patients: npt.ArrayLike,
    rng: Generator | int,
    reached: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Attrition:
    """Return the share of planned moments met: unreached as not met, as met, and left out.

    Not an imputation: the first two are the bounds of what could be, and hold without any assumption
    about those who left. A moment that was reached but could not be scored is bounded likewise, and
    counted apart.

    Parameters
    ----------
    met : (N,) one row a *planned* moment: met 1, not met 0 (or a score in [0, 1]), NaN = no verdict.
    patients : (N,) whose moment; patients are drawn again.
    rng : generator, or a seed for one; the same patients are drawn for all three.
    reached : (N,) whether the moment came; ``None`` = where there is a verdict.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    An :class:`Attrition`. Nothing planned: all ``no_denominator``; nothing reached: ``attended``
    ``no_denominator``. At 0 and 1 the interval is Wilson's over patients; one patient: none otherwise.

    Raises
    ------
    ValueError : shapes differ, a value outside [0, 1], a verdict on a moment that was not reached.

    References
    ----------
    Manski (1990), American Economic Review 80, 319-323 (bounds); Little & Rubin (2019), Statistical
    Analysis with Missing Data, 3rd ed. (why those who stayed are not a sample).

    Examples
    --------
    >>> nan = float("nan")
    >>> found = attrition([1, 1, 0, nan, nan, 1], patients=list("aabbcc"), rng=1)
    >>> [round(e.value, 3) for e in (found.planned, found.attended, found.best)], found.unreached
    ([0.5, 0.75, 0.833], 2)
    """
    x = _met(met, "met")
    verdict = ~np.isnan(x)
    came = verdict if reached is None else np.asarray(reached, dtype=bool)
    if came.shape != x.shape or (verdict & ~came).any():
        raise ValueError(
            f"reached has shape {came.shape}; it runs parallel to met, and what has a verdict was reached."
        )
    seed, lost, blank = seed_of(rng), int((~came).sum()), int((came & ~verdict).sum())
    note = f"of {len(x)} planned moments {lost} were not reached, {blank} not scored"

    def share(values: FloatArray, rest: str) -> Estimate:
        found = clustered_share(values, rng=seed, clusters=patients, draws=draws, level=level)
        if found.value is None:
            why = "no moment was planned" if not len(x) else note
            return replace(found, code="no_denominator", detail=why)
        if not lost and not blank:
            return found
        return replace(found, detail="; ".join([f"{note}: {rest}", *filter(None, [_about_interval(found)])]))

    return Attrition(
        planned=share(np.where(verdict, x, 0.0), "as not met"),
        best=share(np.where(verdict, x, 1.0), "as met"),
        attended=share(x, "left out"),
        moments=len(x),
        unreached=lost,
        unscored=blank,
    )


def _about_interval(found: Estimate) -> str:
    """Return what the detail says about the interval, without the count of rows."""
    return found.detail.rpartition("; ")[2] if "interval" in found.detail else ""


def attrition_difference(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    patients: npt.ArrayLike,
    rng: Generator | int,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> AttritionGap:
    """Return the paired difference of two therapists on the same planned moments, under each reading of attrition.

    ``planned`` and ``best`` are no bounds of a difference, since both treat the two alike; ``lowest``
    and ``highest`` are. A claim that holds in ``lowest`` holds whatever the lost moments would have
    been. Not the difference of two ``attended`` shares: those are of different moments.

    Parameters
    ----------
    a, b : (N,) one row a planned moment, the same under both: met 1, not met 0 (or a score in
        [0, 1]), NaN = no verdict (not reached, or not scored).
    patients : (N,) whose moment; patients are drawn again, the same for all five.
    rng, draws, level : as for ``attrition``.

    Returns
    -------
    An :class:`AttritionGap`; positive = the first is better. Nothing planned: all ``no_denominator``;
    no moment with both verdicts: ``attended`` ``no_denominator``. One patient: no interval.

    Raises
    ------
    ValueError : shapes differ, or a value outside [0, 1].

    References
    ----------
    Manski (1990), see ``attrition``; Horowitz & Manski (2000), Journal of the American Statistical
    Association 95, 77-84 (bounds of a difference under attrition).

    Examples
    --------
    >>> nan = float("nan")
    >>> found = attrition_difference([1, 0, 1, 1], [1, nan, 0, nan], patients=list("aabb"), rng=1)
    >>> [found.planned.value, found.best.value, found.attended.value, found.lowest.value, found.highest.value]
    [0.5, 0.0, 0.5, 0.0, 0.5]
    """
    x, y = _met(a, "a"), _met(b, "b")
    if x.shape != y.shape:
        raise ValueError(f"a has shape {x.shape} and b {y.shape}; both are of the same planned moments.")
    seed, n = seed_of(rng), len(x)
    lost = f"of {n} planned moments {int(np.isnan(x).sum())} and {int(np.isnan(y).sum())} have no verdict"

    def gap(p: FloatArray, q: FloatArray) -> Estimate:
        found = paired_difference(p, q, rng=seed, clusters=patients, draws=draws, level=level)
        if found.value is None:
            return replace(found, code="no_denominator", detail=lost if n else "no moment was planned")
        if not np.isnan(x + y).any():
            return found
        return replace(found, detail="; ".join([lost, *filter(None, [_about_interval(found)])]))

    worst, best = ([np.where(np.isnan(v), end, v) for v in (x, y)] for end in (0.0, 1.0))
    return AttritionGap(gap(*worst), gap(*best), gap(x, y), gap(worst[0], best[1]), gap(best[0], worst[1]))
