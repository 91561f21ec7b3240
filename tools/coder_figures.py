"""Figures of a coder against human labels: F1, calibration, intervals that respect the clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray

DRAWS = 2_000
LEVEL = 0.95
BINS = 10
Ints = npt.NDArray[np.int64]


def f1_by_label(gold: Ints, coded: Ints, n_labels: int) -> FloatArray:
    """Return F1 per label; a label that neither side uses has none (NaN)."""
    table = np.zeros((n_labels, n_labels))
    np.add.at(table, (gold, coded), 1)
    return f1_of_table(table)


def f1_of_table(table: FloatArray) -> FloatArray:
    """Return F1 per label from confusion tables (..., gold, coded)."""
    hit = np.diagonal(table, axis1=-2, axis2=-1)
    both = table.sum(axis=-1) + table.sum(axis=-2)
    with np.errstate(invalid="ignore"):
        return np.asarray(2 * hit / np.where(both > 0, both, np.nan))


def macro_f1(gold: Ints, coded: Ints, n_labels: int) -> float:
    """Return the unweighted mean of F1 over labels."""
    return float(np.nanmean(f1_by_label(gold, coded, n_labels)))


def tables_by_cluster(gold: Ints, coded: Ints, cluster: npt.NDArray[np.str_], n_labels: int) -> FloatArray:
    """Return one confusion table per cluster, (clusters, gold, coded)."""
    names, at = np.unique(cluster, return_inverse=True)
    out = np.zeros((len(names), n_labels, n_labels))
    np.add.at(out, (at, gold, coded), 1)
    return out


def table_interval(tables: FloatArray, statistic: Callable[[FloatArray], FloatArray]) -> tuple[float, float]:
    """Return the percentile bootstrap interval of a statistic of the pooled table, over clusters."""
    rng = np.random.default_rng(20_260_101)
    picks = rng.integers(len(tables), size=(DRAWS, len(tables)))
    counts = np.zeros((DRAWS, len(tables)))
    np.add.at(counts, (np.arange(DRAWS)[:, None], picks), 1)
    values = statistic(np.tensordot(counts, tables, axes=1))
    low, high = np.nanquantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def figure(tables: FloatArray, statistic: Callable[[FloatArray], FloatArray], unit: str) -> dict[str, Any]:
    """Return a statistic with its interval, as a card stores it."""
    low, high = table_interval(tables, statistic)
    value = float(statistic(tables.sum(axis=0)[None])[0])
    rounded = {k: round(v, 4) for k, v in (("value", value), ("low", low), ("high", high))}
    return {**rounded, "level": LEVEL, "n": int(tables.sum()), "unit": unit}


def mean_f1(tables: FloatArray) -> FloatArray:
    """Return macro-F1 of each table."""
    return np.asarray(np.nanmean(f1_of_table(tables), axis=-1))


def accuracy(tables: FloatArray) -> FloatArray:
    """Return the share on the diagonal of each table."""
    return np.asarray(np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1)))


def disagreement(tables: FloatArray) -> FloatArray:
    """Return the share off the diagonal of each table."""
    return 1.0 - accuracy(tables)


def expected_calibration_error(confidence: FloatArray, correct: npt.NDArray[np.bool_], bins: int = BINS) -> float:
    """Return ECE over equal-width, right-closed bins (Guo et al. 2017, ICML)."""
    at = np.clip(np.ceil(confidence * bins).astype(int) - 1, 0, bins - 1)
    gaps = [abs(float(correct[at == b].sum() - confidence[at == b].sum())) for b in range(bins)]
    return sum(gaps) / len(confidence)


def calibration(p: FloatArray, gold: Ints, labels: tuple[str, ...], temperature: float) -> dict[str, Any]:
    """Return top-label calibration with the error a perfectly calibrated coder would still show."""
    confidence, coded = p.max(axis=1), p.argmax(axis=1)
    correct = coded == gold
    rng = np.random.default_rng(20_260_102)
    null = [expected_calibration_error(confidence, rng.random(len(p)) < confidence) for _ in range(500)]
    n = len(labels)
    return {
        "ece": round(expected_calibration_error(confidence, correct), 4),
        "bins": BINS,
        "null_95": round(float(np.quantile(null, LEVEL)), 4),
        "over_confidence": round(float(confidence.mean() - correct.mean()), 4),
        "temperature": temperature,
        "share_read": dict(zip(labels, np.round(np.bincount(coded, minlength=n) / len(p), 4).tolist(), strict=True)),
        "share_coded": dict(zip(labels, np.round(np.bincount(gold, minlength=n) / len(p), 4).tolist(), strict=True)),
    }


def rank_auc(score: FloatArray, positive: npt.NDArray[np.bool_], weight: FloatArray | None = None) -> float:
    """Return the chance that a positive outranks a negative, ties counting half; weights repeat rows."""
    w = np.ones(len(score)) if weight is None else weight
    a, b = score[positive], score[~positive]
    wins = (a[:, None] > b[None]) + 0.5 * (a[:, None] == b[None])
    pairs = w[positive][:, None] * w[~positive][None]
    total = float(pairs.sum())
    return float((wins * pairs).sum()) / total if total else float("nan")


def auc_figure(score: FloatArray, positive: npt.NDArray[np.bool_], cluster: npt.NDArray[np.str_]) -> dict[str, Any]:
    """Return the AUC with a percentile bootstrap interval over clusters."""
    names, at = np.unique(cluster, return_inverse=True)
    rng = np.random.default_rng(20_260_103)
    values = []
    for _ in range(DRAWS):
        counts = np.bincount(rng.integers(len(names), size=len(names)), minlength=len(names))
        values.append(rank_auc(score, positive, counts[at].astype(np.float64)))
    low, high = np.nanquantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    found = {"value": rank_auc(score, positive), "low": float(low), "high": float(high)}
    rounded = {k: round(v, 4) for k, v in found.items()}
    return {**rounded, "level": LEVEL, "n": len(score), "unit": "series"}
