"""Area under the ROC curve with an interval over clusters."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import DRAWS, LEVEL, bootstrap

__all__ = ["area", "auc"]


def area(scores: FloatArray, positive: npt.NDArray[np.bool_]) -> float:
    """Return the area as a number, for statistics that are built on it; NaN if one class is missing.

    Examples
    --------
    >>> area(np.array([0.1, 0.4, 0.8]), np.array([False, True, True]))
    1.0
    """
    n1 = int(positive.sum())
    n0 = len(positive) - n1
    if n1 == 0 or n0 == 0:
        return math.nan
    _, level, ties = np.unique(scores, return_inverse=True, return_counts=True)
    midrank = np.cumsum(ties) - (ties - 1) / 2.0
    return float((midrank[level][positive].sum() - n1 * (n1 + 1) / 2.0) / (n1 * n0))


def auc(
    scores: npt.ArrayLike,
    positive: npt.ArrayLike,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return the chance that a positive scores above a negative (ties count one half).

    Not accuracy, not calibration, and not a measure of how far apart the groups are: 1 means that
    they do not overlap.

    Parameters
    ----------
    scores : (N,) larger = more positive; NaN where undefined (left out and counted in ``detail``).
    positive : (N,) booleans.
    rng : generator, or a seed for one.
    clusters : (N,) labels of what is drawn (e.g. the series several dialogues share).
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    Value and expanded percentile interval in [0, 1], unitless; .5 = the score says nothing; ``n`` = rows
    with a score. One class only: ``no_denominator``; no row: ``empty``. Draws that caught one
    class only are counted in ``method``.

    Raises
    ------
    ValueError : shapes differ, or what ``bootstrap`` refuses.

    References
    ----------
    Hanley & McNeil (1982), Radiology 143, 29-36; Bamber (1975), J. Math. Psychology 12, 387-415.

    Examples
    --------
    >>> auc([0.1, 0.4, 0.4, 0.8], [False, False, True, True], rng=1).value
    0.875
    """
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=bool)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"scores has shape {x.shape} and positive {y.shape}; they run parallel.")
    groups = np.arange(len(x)) if clusters is None else np.asarray(clusters)
    if groups.shape != x.shape:
        raise ValueError(f"clusters has shape {groups.shape} for {len(x)} rows.")
    kept = ~np.isnan(x)
    total, x, y, groups = len(x), x[kept], y[kept], groups[kept]
    if len(x) and (y.all() or not y.any()):
        note = f"all {len(x)} rows are {'positive' if y.any() else 'negative'}"
        return Estimate(None, None, None, level, len(x), "ROC area", "no_denominator", note)
    found = bootstrap(lambda rows: area(x[rows], y[rows]), len(x), rng=rng, clusters=groups, draws=draws, level=level)
    if len(x) == total or found.value is None:
        return found
    notes = [f"{len(x)} of {total} rows have a score", *([found.detail] if found.detail else [])]
    return Estimate(found.value, found.low, found.high, level, found.n, found.method, detail="; ".join(notes))
