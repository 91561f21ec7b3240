"""What is gained by answering only when sure: risk over coverage, and the area under it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import DRAWS, LEVEL, bootstrap
from turnwise.stats.share import seed_of

__all__ = ["RiskCoverage", "risk_coverage"]


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """A risk-coverage curve.

    Attributes
    ----------
    coverage : (n,) 1/n ... 1: share of answers kept, the surest first.
    risk : (n,) share wrong among those kept, in [0, 1].
    area : mean of ``risk``, in [0, 1], lower = better.
    excess : ``area`` minus the least that the same errors allow (all wrong answers the least sure),
        in [0, 1]; 0 = confidence sorts perfectly.
    """

    coverage: FloatArray
    risk: FloatArray
    area: Estimate
    excess: Estimate


def _risks(c: FloatArray, wrong: FloatArray) -> FloatArray:
    """Return the risk after 1 ... n answers, surest first, ties in expectation over their orders."""
    _, level, ties = np.unique(-c, return_inverse=True, return_counts=True)
    mean = np.bincount(level, weights=wrong) / ties
    return np.asarray(np.cumsum(np.repeat(mean, ties)) / np.arange(1, len(c) + 1))


def _excess(c: FloatArray, wrong: FloatArray) -> float:
    # Sorting can only help by algebra; rounding must not make it look worse than the best.
    return max(0.0, float(_risks(c, wrong).mean() - _risks(-wrong, wrong).mean()))


def risk_coverage(
    confidence: npt.ArrayLike,
    correct: npt.ArrayLike,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> RiskCoverage:
    """Return share wrong against share answered when the least sure answers are withheld first.

    Only the order of the confidences counts: not calibration (``ece``). The area falls with the
    error rate alone; to compare coders of unequal accuracy take ``excess``. Answers of equal
    confidence count as in random order.

    Parameters
    ----------
    confidence : (n,) larger = surer; NaN = none was given: left out and counted.
    correct : (n,) booleans, or 0 and 1.
    rng : generator, or a seed for one.
    clusters : (n,) labels of what is drawn (sessions); ``None`` = every answer by itself.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    A :class:`RiskCoverage`; ``n`` = answers with a confidence. No answer: ``empty``; no confidence
    anywhere: ``no_answer``; the curves are then of length 0. All correct, or all wrong: areas 0 and
    1, excess 0 for want of anything to sort, which ``detail`` says.

    Raises
    ------
    ValueError : shapes differ, an entry of ``correct`` is not 0 or 1, or what ``bootstrap`` refuses.

    References
    ----------
    El-Yaniv & Wiener (2010), Journal of Machine Learning Research 11, 1605-1641; Geifman, Uziel &
    El-Yaniv (2019), ICLR (area and excess area).

    Examples
    --------
    >>> found = risk_coverage([0.9, 0.8, 0.7, 0.6], [1, 0, 1, 1], rng=1)
    >>> [round(float(r), 3) for r in found.risk], round(found.area.value, 4)
    ([0.0, 0.5, 0.333, 0.25], 0.2708)
    """
    c, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    if c.ndim != 1 or c.shape != y.shape or not np.isin(y, (0.0, 1.0)).all():
        raise ValueError(f"confidence has shape {c.shape} and correct {y.shape}; parallel, the second of 0 and 1.")
    kept = ~np.isnan(c)
    n, total = int(kept.sum()), len(c)
    groups = np.arange(total) if clusters is None else np.asarray(clusters)
    if groups.shape != c.shape:
        raise ValueError(f"clusters has shape {groups.shape} for {total} answers.")
    if n == 0:
        note = f"none of {total} answers came with a confidence" if total else "there is no answer"
        nothing = Estimate(None, None, None, level, 0, "risk-coverage area", "no_answer" if total else "empty", note)
        return RiskCoverage(np.empty(0), np.empty(0), nothing, nothing)
    c, wrong, groups = c[kept], 1.0 - y[kept], groups[kept]
    notes = [f"{n} of {total} answers have a confidence"] * (n < total)
    if np.ptp(wrong) == 0.0:
        notes.append(f"all {n} answers are {'wrong' if wrong[0] else 'correct'}")
    seed = seed_of(rng)
    area, excess = (
        bootstrap(statistic, n, rng=seed, clusters=groups, draws=draws, level=level)
        for statistic in (lambda i: float(_risks(c[i], wrong[i]).mean()), lambda i: _excess(c[i], wrong[i]))
    )
    found = [replace(e, detail="; ".join([*notes, *filter(None, [e.detail])])) for e in (area, excess)]
    return RiskCoverage(np.arange(1, n + 1) / n, _risks(c, wrong), found[0], found[1])
