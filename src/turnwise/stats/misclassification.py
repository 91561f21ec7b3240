"""Rates and differences as they would be without the coder's known errors, with the uncertainty of those errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import DRAWS, LEVEL, cluster_codes, from_draws

__all__ = ["corrected_difference", "corrected_rate"]

_RATE, _GAP = "Rogan-Gladen", "Rogan-Gladen difference"


def _tables(confusion: npt.ArrayLike) -> FloatArray:
    tables = np.asarray(confusion, dtype=np.float64)
    tables = tables[None] if tables.ndim == 2 else tables
    if tables.shape[1:] != (2, 2) or not np.isfinite(tables).all() or (tables < 0).any():
        raise ValueError(f"confusion has shape {np.shape(confusion)}; counts (2, 2), or (clusters, 2, 2): rows people.")
    return tables


def _rates(table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return sensitivity and specificity of tables (..., 2, 2); NaN where nobody gave that label."""
    seen = table.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return table[..., 1, 1] / seen[..., 1], table[..., 0, 0] / seen[..., 0]


def _drawn_coder(tables: FloatArray, draws: int, rng: Generator) -> tuple[FloatArray, FloatArray]:
    """Return draws of sensitivity and specificity: clusters of the validation again, or Jeffreys from one table."""
    k = len(tables)
    if k > 1:
        return _rates(np.tensordot(rng.multinomial(k, np.full(k, 1.0 / k), draws).astype(np.float64), tables, axes=1))
    (tn, fp), (fn, tp) = tables[0]
    return rng.beta(tp + 0.5, fn + 0.5, draws), rng.beta(tn + 0.5, fp + 0.5, draws)


def _drawn_means(x: FloatArray, codes: npt.NDArray[np.int64], draws: int, rng: Generator) -> FloatArray:
    """Return means over clusters drawn again; where all rows are 0, or all 1, Jeffreys over the clusters instead."""
    _, codes = np.unique(codes, return_inverse=True)
    k = int(codes.max()) + 1
    if np.ptp(x) == 0.0 and x[0] in (0.0, 1.0):
        return rng.beta(k * x[0] + 0.5, k * (1.0 - x[0]) + 0.5, draws)
    times = rng.multinomial(k, np.full(k, 1.0 / k), draws).astype(np.float64)
    return np.asarray(times @ np.bincount(codes, weights=x) / (times @ np.bincount(codes).astype(np.float64)))


def _unusable(tables: FloatArray, n: int, level: float, what: str) -> Estimate | None:
    """Return why this coder corrects nothing, if so."""
    sens, spec = (float(r) for r in _rates(tables.sum(axis=0)))
    if np.isnan(sens) or np.isnan(spec):
        side = "with" if np.isnan(sens) else "without"
        note = f"the validation has no turn {side} the label"
        return Estimate(None, None, None, level, n, what, "no_denominator", note)
    if sens + spec <= 1.0:
        note = f"sensitivity {sens:.3g} + specificity {spec:.3g} <= 1: the coder says nothing about the label"
        return Estimate(None, None, None, level, n, what, "undetermined", note)
    return None


def _named(found: Estimate, drawn: FloatArray, what: str) -> Estimate:
    """Say what was drawn again: the rows' clusters and the coder's errors."""
    undefined = int(np.isnan(drawn).sum())
    method = f"{what}, expanded percentile, {len(drawn)} draws of clusters and of the coder's errors"
    return replace(found, method=method + (f" ({undefined} undefined)" if undefined else ""))


def _seen(x: FloatArray, kept: npt.NDArray[np.bool_]) -> list[str]:
    return [] if kept.all() else [f"{int(kept.sum())} of {len(x)} rows have a value"]


def corrected_rate(
    read: npt.ArrayLike,
    confusion: npt.ArrayLike,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return how often a label truly holds, given how often a fallible coder read it.

    ``(rate read + specificity - 1) / (sensitivity + specificity - 1)``, cut off at 0 and 1. Not a
    better reading of any single turn, and right only where the coder errs here as it did in the
    validation: other speakers, lengths or topics have other errors. The interval draws the rows'
    clusters and the coder's errors again; one from the rows alone would be too narrow.

    Parameters
    ----------
    read : (N,) 0 / 1 readings, or shares in [0, 1]; NaN where not read (left out and counted).
    confusion : counts from human-coded turns, rows people, columns coder, (2, 2); or one such table
        per cluster, (clusters, 2, 2), as ``confusion_by_cluster`` gives: the validation clusters
        are then drawn again. One table: its turns are taken as independent (Jeffreys).
    rng : generator, or a seed for one.
    clusters : (N,) labels of what is drawn; ``None`` = every row by itself.
    draws, level : number of draws and coverage asked for.

    Returns
    -------
    Value and interval in [0, 1], unitless; ``n`` = rows read. No row: ``empty``; a side without
    human-coded turns: ``no_denominator``; sensitivity + specificity <= 1: ``undetermined``. Draws in
    which that happens are counted in ``method``. One cluster: a value without an interval.

    Raises
    ------
    ValueError : a reading outside [0, 1], wrong shapes, negative counts, ``draws < 1``, ``level`` outside (0, 1).

    References
    ----------
    Rogan & Gladen (1978), American Journal of Epidemiology 107, 71-76; Lang & Reiczigel (2014),
    Preventive Veterinary Medicine 113, 13-22 (why the interval has to carry both).

    Examples
    --------
    >>> read = [1] * 20 + [0] * 100
    >>> found = corrected_rate(read, [[990, 10], [100, 900]], rng=1)
    >>> round(found.value, 5), found.n
    (0.17603, 120)
    """
    x = np.asarray(read, dtype=np.float64)
    kept = ~np.isnan(x)
    if x.ndim != 1 or (x[kept] < 0.0).any() or (x[kept] > 1.0).any():
        raise ValueError(f"read has shape {x.shape}; one-dimensional, readings in [0, 1] or NaN.")
    return _corrected(x, confusion, _RATE, rng, clusters, (draws, level))


def corrected_difference(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    confusion: npt.ArrayLike,
    *,
    rng: Generator | int,
    clusters: npt.ArrayLike | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Estimate:
    """Return a paired difference of two rates that one and the same coder read, without its errors.

    ``mean(a - b) / (sensitivity + specificity - 1)``, cut off at -1 and 1: a coder's errors shrink
    every difference, and the correction undoes that; it never turns a sign. Right only where the
    coder errs alike in both arms (non-differential). Where one therapist writes longer or otherwise,
    it may not, and the corrected difference may then be further off than the plain one.

    Parameters
    ----------
    a, b : (units,) shares in [0, 1] read per patient (or 0 / 1 per moment) under each, in the same
        order; a unit that lacks either (NaN) is left out and counted.
    confusion, rng, clusters, draws, level : as for ``corrected_rate``; ``clusters`` of the units.

    Returns
    -------
    Value and interval in [-1, 1]; ``n`` = complete pairs. Undefined cases as for ``corrected_rate``.

    Raises
    ------
    ValueError : ``a`` and ``b`` differ in shape, and as for ``corrected_rate``.

    References
    ----------
    Rogan & Gladen (1978), see ``corrected_rate``; Copeland et al. (1977), American Journal of
    Epidemiology 105, 488-495 (non-differential error shrinks differences).

    Examples
    --------
    >>> found = corrected_difference([0.6, 0.5, 0.7], [0.3, 0.3, 0.3], [[90, 10], [20, 80]], rng=1)
    >>> round(found.value, 4)
    0.4286
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"a has shape {x.shape} and b {y.shape}; a pair needs both.")
    both = np.concatenate([x, y])
    if (both[~np.isnan(both)] < 0.0).any() or (both[~np.isnan(both)] > 1.0).any():
        raise ValueError("a and b are readings or shares in [0, 1], or NaN.")
    return _corrected(x - y, confusion, _GAP, rng, clusters, (draws, level))


def _corrected(
    x: FloatArray,
    confusion: npt.ArrayLike,
    what: str,
    rng: Generator | int,
    clusters: npt.ArrayLike | None,
    how: tuple[int, float],
) -> Estimate:
    """Correct the mean of x: (mean + offset) / (sensitivity + specificity - 1), offset only for a rate."""
    draws, level = how
    if draws < 1 or not 0.0 < level < 1.0:
        raise ValueError(f"draws is {draws!r} and level {level!r}; draws is at least 1, level inside (0, 1).")
    tables, codes, kept = _tables(confusion), cluster_codes(clusters, len(x)), ~np.isnan(x)
    n, notes = int(kept.sum()), _seen(x, kept)
    if n == 0:
        return Estimate(None, None, None, level, 0, what, "empty", f"none of {len(x)} rows has a value")
    if (why := _unusable(tables, n, level, what)) is not None:
        return why

    def correct(mean: FloatArray, sens: FloatArray, spec: FloatArray) -> FloatArray:
        skill = sens + spec - 1.0
        offset = spec - 1.0 if what == _RATE else 0.0
        return np.asarray((mean + offset) / np.where(skill > 0.0, skill, np.nan))

    value = float(correct(np.asarray(x[kept].mean()), *_rates(tables.sum(axis=0))))
    low, k = 0.0 if what == _RATE else -1.0, len(np.unique(codes[kept]))
    if k < 2:
        note = "; ".join([*notes, "no interval: there is one cluster only"])
        return Estimate(float(np.clip(value, low, 1.0)), None, None, level, n, what, detail=note)
    generator = np.random.default_rng(rng)
    means = _drawn_means(x[kept], codes[kept], draws, generator)
    drawn = correct(means, *_drawn_coder(tables, draws, generator))
    if not low <= value <= 1.0:
        notes = [*notes, f"the corrected value {value:.3g} is cut off at the bound"]
    value, within = float(np.clip(value, low, 1.0)), np.clip(drawn, low, 1.0)
    return _named(from_draws(value, within, n, level, k, "; ".join(notes)), drawn, what)
