"""Calibration where people disagree: a coder's probabilities against the annotators' distribution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import DRAWS, LEVEL, bootstrap_mean
from turnwise.stats.distances import jensen_shannon

__all__ = ["distance_to_annotators"]


def distance_to_annotators(
    stated: npt.ArrayLike,
    votes: npt.ArrayLike,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return the mean Jensen-Shannon distance of stated probabilities from the shares of annotators' votes.

    For labels on which people differ, where "correct" is not one label. Not accuracy. With few votes
    an item the shares are coarse, and a coder that states the true shares is some distance away too:
    compare coders on the same items, or with one annotator against the others.

    Parameters
    ----------
    stated : (n, L) probabilities (scaled to add up to 1), a row of NaN where none was given.
    votes : (n, L) how many annotators gave each label; an item without votes takes no part.
    rng : generator, or a seed for one.
    clusters : (n,) labels of what is drawn (sessions); ``None`` = every item by itself.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    Value and interval in [0, 1] (base 2), lower = closer; ``n`` = items with both, the others
    counted in ``detail``. No item: ``empty``; votes but no probabilities: ``no_answer``; no votes:
    ``no_denominator``.

    Raises
    ------
    ValueError : shapes differ or are not (n, L), a number below 0 or infinite, or what ``bootstrap_mean`` refuses.

    References
    ----------
    Endres & Schindelin (2003), IEEE Transactions on Information Theory 49, 1858-1860; Uma et al.
    (2021), Journal of Artificial Intelligence Research 72, 1385-1470 (learning from disagreement).

    Examples
    --------
    >>> round(distance_to_annotators([[0.5, 0.3, 0.2], [1, 0, 0]], [[2, 3, 5], [4, 0, 0]], rng=1).value, 6)
    0.15477
    """
    p, q = np.asarray(stated, dtype=np.float64), np.asarray(votes, dtype=np.float64)
    if (
        p.ndim != 2
        or p.shape != q.shape
        or not np.isfinite(q).all()
        or np.isinf(p).any()
        or min(q.min(initial=0), np.nanmin(p, initial=0)) < 0
    ):
        raise ValueError(f"stated has shape {p.shape} and votes {q.shape}; both are (n, L), at least 0.")
    blank = np.isnan(p).any(axis=1) | (p.sum(axis=1) == 0.0)
    unvoted = q.sum(axis=1) == 0.0
    distance = np.full(len(p), np.nan)
    for i in np.flatnonzero(~blank & ~unvoted):
        distance[i] = jensen_shannon(p[i], q[i]).value
    found = bootstrap_mean(distance, rng=rng, clusters=clusters, draws=draws, level=level)
    if found.value is not None or not len(p):
        return replace(found, method=f"mean Jensen-Shannon distance, base 2; {found.method}")
    if unvoted.all():
        return replace(found, code="no_denominator", detail=f"none of {len(p)} items has a vote")
    return replace(found, code="no_answer", detail=f"none of {len(p)} items has probabilities and votes")
