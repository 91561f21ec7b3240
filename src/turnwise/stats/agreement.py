"""Whether coders agree on labels beyond chance: Krippendorff's alpha and Cohen's kappa with what bends it.

For ratings on a scale see ``intraclass``. Agreement is not validity: two coders may share a mistake.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import DRAWS, LEVEL, bootstrap, bootstrap_mean
from turnwise.stats.share import clustered_share, seed_of

__all__ = ["Kappa", "Scale", "cohen_kappa", "krippendorff_alpha"]

Scale = Literal["nominal", "ordinal", "interval"]
_ALPHA, _KAPPA = "Krippendorff's alpha", "Cohen's kappa"


def _apart(values: FloatArray, margin: FloatArray, scale: Scale) -> FloatArray:
    """Return the squared distance between every two values, (V, V)."""
    if scale == "nominal":
        return 1.0 - np.eye(len(values))
    # Ordinal: the values between two, ends counted half, which is a difference of mid-ranks.
    at = values - values.mean() if scale == "interval" else np.cumsum(margin) - margin / 2.0
    return np.asarray((at[:, None] - at[None, :]) ** 2)


def _alpha(counts: FloatArray, values: FloatArray, scale: Scale) -> float:
    """Return alpha of how often each unit got each value, (units, V); NaN where chance alone cannot disagree."""
    weighted = counts / (counts.sum(axis=1, keepdims=True) - 1.0)
    together = weighted.T @ counts - np.diag(weighted.sum(axis=0))  # the coincidence matrix
    margin = together.sum(axis=1)
    apart = _apart(values, margin, scale)
    chance = float((np.outer(margin, margin) * apart).sum()) / (margin.sum() - 1.0)
    return 1.0 - float((together * apart).sum()) / chance if chance > 0.0 else math.nan


def krippendorff_alpha(
    ratings: npt.ArrayLike,
    *,
    scale: Scale,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return Krippendorff's alpha: one minus observed over expected disagreement.

    For any number of raters and any pattern of missing ratings: a unit counts from two ratings on,
    each pair of a unit with m ratings weighing 1 / (m - 1). Disagreement is whether two values
    differ (nominal), how many ratings lie between them (ordinal) or their squared difference
    (interval). Not per cent agreement, and not a property of the coders alone: where nearly all
    units are of one kind it is low though they seldom differ.

    Parameters
    ----------
    ratings : (units, raters) numbers, NaN = not rated. Nominal labels are numbered in any way.
    scale : ``"nominal"``, ``"ordinal"`` or ``"interval"``.
    rng : generator, or a seed for one.
    clusters : (units,) labels of what is drawn (sessions); ``None`` = the units themselves.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    Value at most 1 (agreement), 0 = as by chance, below 0 = worse; ``n`` = units rated at least
    twice, the others counted in ``detail``. The interval draws units (clusters) again; not the
    bootstrap of Hayes & Krippendorff (2007), which draws pairs as if they were independent. No
    rating: ``empty``; no unit rated twice: ``too_short``; one value only: ``no_denominator``.

    Raises
    ------
    ValueError : ``ratings`` not two-dimensional or infinite, or what ``bootstrap`` refuses.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, University of Pennsylvania;
    Hayes & Krippendorff (2007), Communication Methods and Measures 1, 77-89.

    Examples
    --------
    >>> two = np.array([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]).T
    >>> round(krippendorff_alpha(two, scale="nominal", rng=1).value, 3)
    0.095
    """
    x = np.asarray(ratings, dtype=np.float64)
    if x.ndim != 2 or np.isinf(x).any() or scale not in ("nominal", "ordinal", "interval"):
        raise ValueError(f"ratings has shape {x.shape} and scale is {scale!r}; give (units, raters), NaN = missing.")
    given = ~np.isnan(x)
    kept = given.sum(axis=1) >= 2
    n = int(kept.sum())
    if n == 0:
        if given.any():
            return Estimate(None, None, None, level, 0, _ALPHA, "too_short", "no unit has two ratings")
        return Estimate(None, None, None, level, 0, _ALPHA, "empty", "there is no rating")
    groups = np.arange(len(x)) if clusters is None else np.asarray(clusters)
    if groups.shape != (len(x),):
        raise ValueError(f"clusters has shape {groups.shape} for {len(x)} units.")
    unit, rater = np.nonzero(given[kept])
    values, label = np.unique(x[kept][unit, rater], return_inverse=True)
    if len(values) < 2:
        note = f"all {len(unit)} ratings are {values[0]:g}: by chance nobody could have disagreed"
        return Estimate(None, None, None, level, n, _ALPHA, "no_denominator", note)
    counts = np.zeros((n, len(values)))
    np.add.at(counts, (unit, label), 1.0)
    found = bootstrap(
        lambda rows: _alpha(counts[rows], values, scale), n, rng=rng, clusters=groups[kept], draws=draws, level=level
    )
    notes = [f"{n} of {len(x)} units have two ratings"] if n < len(x) else []
    return replace(
        found, method=f"{_ALPHA}, {scale}; {found.method}", detail="; ".join([*notes, *filter(None, [found.detail])])
    )


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa and what has to be read beside it.

    Attributes
    ----------
    kappa : ``(po - pe) / (1 - pe)``, at most 1; 0 = as by chance.
    agreement : po, share of pairs with the same label, in [0, 1].
    pabak : ``(L po - 1) / (L - 1)`` for L labels, in [-1/(L-1), 1]: kappa with even prevalence and no bias.
    prevalence : share both call 1 minus share both call 0, in [-1, 1]; two labels only.
    bias : share the first calls 1 minus share the second calls 1, in [-1, 1]; two labels only.
    """

    kappa: Estimate
    agreement: Estimate
    pabak: Estimate
    prevalence: Estimate
    bias: Estimate


def _kappa(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64], n_labels: int) -> float:
    shares = np.bincount(a * n_labels + b, minlength=n_labels**2).reshape(n_labels, n_labels) / len(a)
    chance = float(shares.sum(axis=1) @ shares.sum(axis=0))
    return (float(np.trace(shares)) - chance) / (1.0 - chance) if chance < 1.0 else math.nan


def _scaled(agreement: Estimate, n_labels: int) -> Estimate:
    def even(x: float | None) -> float | None:
        return None if x is None else (n_labels * x - 1.0) / (n_labels - 1.0)

    return replace(agreement, value=even(agreement.value), low=even(agreement.low), high=even(agreement.high))


def cohen_kappa(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    n_labels: int,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Kappa:
    """Return agreement of two coders corrected for chance, with prevalence, bias and PABAK beside it.

    Kappa falls when one label is rare (prevalence) and rises when the coders use the labels unequally
    often (bias): for two labels ``kappa = (PABAK - PI² + BI²) / (1 - PI² + BI²)``. Not comparable
    between corpora of unequal prevalence, and PABAK is no cure: it says what agreement would mean if
    labels were even, which they are not. Unweighted: for ordered labels take alpha or ``intraclass``.

    Parameters
    ----------
    a, b : (n,) label indices below ``n_labels``, NaN = not coded; pairs that lack one are left out.
    n_labels : how many labels could be given, at least 2.
    rng : generator, or a seed for one.
    clusters : (n,) labels of what is drawn (sessions); ``None`` = every pair by itself.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    A :class:`Kappa`; ``n`` = complete pairs. No complete pair: ``empty``. Both coders always the same
    one label: kappa ``no_denominator``. More than two labels: prevalence, bias ``not_applicable``.

    Raises
    ------
    ValueError : shapes differ, an entry is no label index, or what ``bootstrap`` refuses.

    References
    ----------
    Cohen (1960), Educational and Psychological Measurement 20, 37-46; Byrt, Bishop & Carlin (1993),
    Journal of Clinical Epidemiology 46, 423-429; Bennett, Alpert & Goldstein (1954), Public Opinion
    Quarterly 18, 303-308 (more than two labels).

    Examples
    --------
    >>> found = cohen_kappa([1, 1, 0, 0, 1], [1, 0, 0, 0, 1], 2, rng=1)
    >>> round(found.kappa.value, 3), found.agreement.value, round(found.pabak.value, 3), round(found.bias.value, 3)
    (0.615, 0.8, 0.6, 0.2)
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape or n_labels < 2:
        raise ValueError(f"a has shape {x.shape}, b {y.shape}, of {n_labels} labels; they run parallel, of at least 2.")
    kept = ~(np.isnan(x) | np.isnan(y))
    both = np.concatenate([x[kept], y[kept]])
    if not np.isin(both, np.arange(n_labels)).all():
        raise ValueError(f"a label index is not one of 0 to {n_labels - 1}.")
    seed, n = seed_of(rng), int(kept.sum())
    agreement = clustered_share(np.where(kept, x == y, np.nan), rng=seed, clusters=clusters, draws=draws, level=level)
    u, v = x[kept].astype(np.int64), y[kept].astype(np.int64)
    groups = None if clusters is None else np.asarray(clusters)[kept]

    def mean(values: FloatArray) -> Estimate:
        if n_labels > 2:
            note = f"defined for two labels, not for {n_labels}"
            return Estimate(None, None, None, level, n, "bias and prevalence", "not_applicable", note)
        return bootstrap_mean(values, rng=seed, clusters=clusters, draws=draws, level=level)

    if n and len(np.unique(both)) == 1:
        note = f"both coders always say {both[0]:g}: chance alone agrees fully"
        kappa = Estimate(None, None, None, level, n, _KAPPA, "no_denominator", note)
    else:
        kappa = bootstrap(
            lambda rows: _kappa(u[rows], v[rows], n_labels), n, rng=seed, clusters=groups, draws=draws, level=level
        )
        detail = "; ".join(filter(None, [f"{n} of {len(x)} pairs are complete" * (n < len(x)), kappa.detail]))
        kappa = replace(kappa, method=f"{_KAPPA}; {kappa.method}", detail=detail)
    return Kappa(kappa, agreement, _scaled(agreement, n_labels), mean(x + y - 1.0), mean(x - y))
