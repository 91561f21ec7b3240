"""Paired difference: the same units under two arms, subtracted unit by unit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import DRAWS, LEVEL, bootstrap_mean

__all__ = ["paired_difference"]


def paired_difference(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return the mean of ``a - b`` over units met in both arms, with an interval over the units.

    Not the difference of two means over different units: a unit that lacks a value in either arm
    takes no part, and is counted in ``detail``. With scores of one skill as ``a`` = show and
    ``b`` = sustain this is the arc gap (positive = the skill is lost).

    Parameters
    ----------
    a, b : (units,) values in the same unit and order, NaN where undefined.
    rng : generator, or a seed for one.
    clusters : (units,) labels of what is drawn; ``None`` = the units themselves.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    Value and expanded percentile interval in the unit of the inputs; ``n`` = complete pairs. Positive = a
    is larger. No complete pair: ``empty``; one: a value without an interval.

    Raises
    ------
    ValueError : ``a`` and ``b`` differ in shape, or what ``bootstrap_mean`` refuses.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap.

    Examples
    --------
    >>> found = paired_difference([0.9, 0.9, 0.8], [0.5, 0.6, 0.6], rng=1)
    >>> round(found.value, 3), found.n, found.excludes_zero
    (0.3, 3, True)
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.shape != y.shape:
        raise ValueError(f"a has shape {x.shape} and b {y.shape}; a pair needs both.")
    return bootstrap_mean(x - y, rng=rng, clusters=clusters, draws=draws, level=level)
