"""Whether a stated probability is the share of times it is right.

Inputs throughout: ``confidence`` in [0, 1] in what was said, and whether it was ``correct``. Lower
is better for every error here. Calibration is not skill: a constant answer can be perfectly
calibrated, so ``auroc`` belongs beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.auc import area
from turnwise.stats.bootstrap import LEVEL

__all__ = [
    "BINS",
    "NULL_DRAWS",
    "ReliabilityBin",
    "adaptive_ece",
    "auroc",
    "brier",
    "debiased_ece",
    "ece",
    "nll",
    "null_ece",
    "over_confidence",
    "reliability",
]

BINS = 10
MIN_N = 50
NULL_DRAWS = 500
_EDGE = 1e-6


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """One bin ``(low, high]`` of a reliability diagram: how many, mean confidence, share correct."""

    low: float
    high: float
    n: int
    confidence: float
    correct: float


def _pair(confidence: npt.ArrayLike, correct: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    c, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    if c.ndim != 1 or c.shape != y.shape:
        raise ValueError(f"confidence has shape {c.shape} and correct {y.shape}; they run parallel.")
    if len(c) and not (c.min() >= 0.0 and c.max() <= 1.0):
        raise ValueError("confidence lies outside [0, 1].")
    return c, y


def _plain(value: float, n: int, method: str) -> Estimate:
    return Estimate(float(value), None, None, LEVEL, n, method)


def _short(n: int, min_n: int, method: str) -> Estimate | None:
    if n == 0:
        return Estimate(None, None, None, LEVEL, 0, method, "empty", "there is nothing to estimate from")
    note = f"{n} answers; at least {min_n} are needed"
    return Estimate(None, None, None, LEVEL, n, method, "too_short", note) if n < min_n else None


def _bin_of(c: FloatArray, bins: int) -> npt.NDArray[np.int64]:
    """Number the right-closed bin of each confidence; zero belongs to the first."""
    if bins < 1:
        raise ValueError(f"bins is {bins}; at least one is needed.")
    return np.clip(np.ceil(c * bins).astype(np.int64) - 1, 0, bins - 1)


def _gap(at: npt.NDArray[np.int64], c: FloatArray, y: FloatArray, bins: int) -> float:
    return float(np.abs(np.bincount(at, weights=y - c, minlength=bins)).sum() / len(c))


def reliability(confidence: npt.ArrayLike, correct: npt.ArrayLike, *, bins: int = BINS) -> tuple[ReliabilityBin, ...]:
    """Return the bins of a reliability diagram that hold anything, in order; equal width, right-closed.

    Examples
    --------
    >>> [(b.low, b.n, b.correct) for b in reliability([0.1, 0.15, 0.9], [0, 1, 1])]
    [(0.0, 1, 0.0), (0.1, 1, 1.0), (0.8, 1, 1.0)]
    """
    c, y = _pair(confidence, correct)
    at = _bin_of(c, bins)
    found = ((b, at == b) for b in range(bins))
    return tuple(
        ReliabilityBin(b / bins, (b + 1) / bins, int(m.sum()), float(c[m].mean()), float(y[m].mean()))
        for b, m in found
        if m.any()
    )


def ece(confidence: npt.ArrayLike, correct: npt.ArrayLike, *, bins: int = BINS, min_n: int = MIN_N) -> Estimate:
    """Return the expected calibration error over equal-width, right-closed bins.

    ``Σ (n_b / n) · |share correct in b − mean confidence in b|``. Biased upward for small n: read it
    beside ``null_ece``, or take ``debiased_ece``.

    Parameters
    ----------
    confidence : (n,) in [0, 1].
    correct : (n,) booleans, or 0 and 1.
    bins : how many; a figure without its number of bins says little.
    min_n : fewer answers are ``too_short``.

    Returns
    -------
    Value in [0, 1], unitless, without an interval; ``n`` = answers.

    Raises
    ------
    ValueError : shapes differ, a confidence outside [0, 1], ``bins < 1``.

    References
    ----------
    Naeini, Cooper & Hauskrecht (2015), AAAI; Guo et al. (2017), ICML.

    Examples
    --------
    >>> round(ece([0.8, 0.8, 0.8, 0.8], [1, 1, 1, 0], min_n=1).value, 3)
    0.05
    """
    c, y = _pair(confidence, correct)
    method = f"expected calibration error, {bins} bins of equal width"
    return _short(len(c), min_n, method) or _plain(_gap(_bin_of(c, bins), c, y, bins), len(c), method)


def adaptive_ece(
    confidence: npt.ArrayLike, correct: npt.ArrayLike, *, bins: int = BINS, min_n: int = MIN_N
) -> Estimate:
    """Return the calibration error over bins that hold equally many answers (stable ascending sort).

    For confidences that clump. Parameters, bounds and undefined cases as for ``ece``.

    References
    ----------
    Nixon et al. (2019), CVPR workshops.

    Examples
    --------
    >>> round(adaptive_ece([0.2, 0.4, 0.6, 0.8], [0, 0, 1, 1], bins=2, min_n=1).value, 3)
    0.3
    """
    c, y = _pair(confidence, correct)
    method = f"expected calibration error, {bins} bins of equal mass"
    if (short := _short(len(c), min_n, method)) is not None:
        return short
    parts = np.array_split(np.argsort(c, kind="stable"), bins)
    return _plain(sum(abs(float((y[p] - c[p]).sum())) for p in parts) / len(c), len(c), method)


def null_ece(
    confidence: npt.ArrayLike, *, rng: Generator | int, bins: int = BINS, draws: int = NULL_DRAWS, min_n: int = MIN_N
) -> Estimate:
    """Return what a perfectly calibrated coder of these confidences would still show as ``ece``.

    Answers are drawn again and again as correct with exactly the stated probability.

    Parameters
    ----------
    confidence : (n,) in [0, 1].
    rng : generator, or a seed for one.
    bins, draws, min_n : as for ``ece``; how often answers are drawn.

    Returns
    -------
    The mean as value; ``low`` = 0 and ``high`` = what 95 % of the draws stay under.

    Examples
    --------
    >>> found = null_ece(np.full(100, 0.5), rng=1)
    >>> 0.02 < found.value < found.high < 0.15
    True
    """
    c, _ = _pair(confidence, confidence)
    method = f"perfectly calibrated null, {draws} draws, {bins} bins of equal width"
    if (short := _short(len(c), min_n, method)) is not None:
        return short
    generator, at = np.random.default_rng(rng), _bin_of(c, bins)
    drawn = [_gap(at, c, (generator.random(len(c)) < c).astype(np.float64), bins) for _ in range(draws)]
    return Estimate(float(np.mean(drawn)), 0.0, float(np.quantile(drawn, LEVEL)), LEVEL, len(c), method)


def debiased_ece(
    confidence: npt.ArrayLike,
    correct: npt.ArrayLike,
    *,
    rng: Generator | int,
    bins: int = BINS,
    draws: int = NULL_DRAWS,
    min_n: int = MIN_N,
) -> Estimate:
    """Return ``ece`` minus what chance alone would give: the mean of ``null_ece``.

    Around zero for a calibrated coder of any n, and below zero where luck was good; it is not
    clipped, because the mean of clipped values would be biased again. Parameters as for ``null_ece``.

    References
    ----------
    Kumar, Liang & Ma (2019), NeurIPS (the bias of binned calibration errors).

    Examples
    --------
    >>> rng = np.random.default_rng(2)
    >>> c = rng.random(400)
    >>> abs(debiased_ece(c, rng.random(400) < c, rng=1).value) < 0.03
    True
    """
    seen = ece(confidence, correct, bins=bins, min_n=min_n)
    null = null_ece(confidence, rng=rng, bins=bins, draws=draws, min_n=min_n)
    if seen.value is None or null.value is None:
        return seen
    return _plain(seen.value - null.value, seen.n, f"{seen.method}, minus the mean of a {null.method}")


def brier(confidence: npt.ArrayLike, correct: npt.ArrayLike) -> Estimate:
    """Return the mean of (confidence - correct)², in [0, 1] (Brier 1950, Monthly Weather Review 78).

    Examples
    --------
    >>> brier([1.0, 0.5], [1, 0]).value
    0.125
    """
    c, y = _pair(confidence, correct)
    return _short(len(c), 1, "Brier score") or _plain(float(((c - y) ** 2).mean()), len(c), "Brier score")


def nll(confidence: npt.ArrayLike, correct: npt.ArrayLike) -> Estimate:
    """Return the mean negative log-likelihood in nats; confidence is clipped to [1e-6, 1 - 1e-6].

    Examples
    --------
    >>> round(nll([0.5, 0.5], [1, 0]).value, 4)
    0.6931
    """
    c, y = _pair(confidence, correct)
    method = "mean negative log-likelihood"
    if (short := _short(len(c), 1, method)) is not None:
        return short
    inside = np.clip(c, _EDGE, 1.0 - _EDGE)
    return _plain(-float(np.where(y > 0.5, np.log(inside), np.log1p(-inside)).mean()), len(c), method)


def over_confidence(confidence: npt.ArrayLike, correct: npt.ArrayLike) -> Estimate:
    """Return mean confidence minus the share correct, in [-1, 1]; positive = too sure.

    Examples
    --------
    >>> over_confidence([0.9, 0.9], [1, 0]).value
    0.4
    """
    c, y = _pair(confidence, correct)
    method = "mean confidence minus accuracy"
    return _short(len(c), 1, method) or _plain(float(c.mean() - y.mean()), len(c), method)


def auroc(confidence: npt.ArrayLike, correct: npt.ArrayLike) -> Estimate:
    """Return the chance that a correct answer was given with more confidence than a wrong one.

    In [0, 1]; .5 = confidence says nothing. No interval: ``stats.auc.auc`` gives one over clusters.
    All answers correct, or none: ``no_denominator``.

    Examples
    --------
    >>> auroc([0.9, 0.8, 0.7], [1, 0, 1]).value
    0.5
    """
    c, y = _pair(confidence, correct)
    if (short := _short(len(c), 1, "ROC area")) is not None:
        return short
    if (y > 0.5).all() or not (y > 0.5).any():
        note = f"all {len(c)} answers are {'correct' if y[0] > 0.5 else 'wrong'}"
        return Estimate(None, None, None, LEVEL, len(c), "ROC area", "no_denominator", note)
    return _plain(area(c, y > 0.5), len(c), "ROC area")
