"""Fit small trees by gradient boosting on histograms: numpy only, so that a rerun gives the same bytes.

After Friedman 2001 (gradient boosting) and the second-order leaves of Chen & Guestrin 2016; written for this project.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.claim_trees import GRID, Trees
from turnwise.reading.products import softmax

__all__ = ["Boosting", "boosted"]

_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Boosting:
    """How much is fitted: rounds, depth and step, how sure a leaf must be, and which share each round sees."""

    rounds: int = 120
    depth: int = 3
    rate: float = 0.06
    bins: int = 24
    least: float = 3.0
    ridge: float = 2.0
    rows: float = 0.7
    columns: float = 0.5
    seed: int = 20_261_121


def boosted(x: FloatArray, y: _Ints, weight: FloatArray, labels: int, how: Boosting = Boosting()) -> Trees:
    """Return trees that tell labels apart.

    Parameters
    ----------
    x : (n, numbers). y : (n,) labels. weight : (n,) of each row.
    """
    rng = np.random.default_rng(how.seed)
    edges = _edges(x, how.bins)
    binned = np.stack([np.searchsorted(e, x[:, j], side="left") for j, e in enumerate(edges)], axis=1)
    share = np.array([weight[y == k].sum() for k in range(labels)]) / weight.sum()
    start = np.round(np.log(np.maximum(share, 1e-3)) * GRID).astype(np.int32)
    scores = np.tile(start / GRID, (len(x), 1))
    trees: list[tuple[_Ints, FloatArray, _Ints]] = []
    for _ in range(how.rounds):
        seen = weight * (rng.random(len(x)) < how.rows)
        columns = np.flatnonzero(rng.random(x.shape[1]) < how.columns)
        p = softmax(scores)
        for k in range(labels):
            pull = np.stack([seen * (p[:, k] - (y == k)), seen * np.maximum(p[:, k] * (1.0 - p[:, k]), 1e-4)])
            feature, cut, leaf, at = _tree(binned, pull, columns, how)
            trees.append(
                (
                    feature,
                    np.array([edges[f][c] if c >= 0 else np.inf for f, c in zip(feature, cut, strict=True)]),
                    leaf,
                )
            )
            scores[:, k] += leaf[at] / GRID
    feature, threshold, leaf = (np.stack(part) for part in zip(*trees, strict=True))
    return Trees(feature.astype(np.int32), threshold.astype(np.float32), leaf.astype(np.int32), start)


def _edges(x: FloatArray, bins: int) -> list[FloatArray]:
    """Return for each number where it may be cut: halfway between values that occur, at most ``bins``."""
    out = []
    for column in x.T:
        values = np.unique(column)
        halves = (values[1:] + values[:-1]) / 2.0
        if len(halves) > bins:
            at = np.quantile(column, np.linspace(0.0, 1.0, bins + 2)[1:-1])
            halves = np.unique(halves[np.minimum(np.searchsorted(halves, at), len(halves) - 1)])
        out.append(halves.astype(np.float32).astype(np.float64))
    return out


def _tree(binned: _Ints, pull: FloatArray, columns: _Ints, how: Boosting) -> tuple[_Ints, _Ints, _Ints, _Ints]:
    """Return a tree: the number and the cut of each node, its leaves, and the leaf of each row."""
    nodes = 2**how.depth - 1
    feature, cut = np.zeros(nodes, dtype=np.int64), np.full(nodes, -1, dtype=np.int64)
    at = np.zeros(len(binned), dtype=np.int64)
    for level in range(how.depth):
        first, width = 2**level - 1, 2**level
        best = _best_cuts(binned[:, columns], pull, at - first, width, how)
        for node, (gain, column, place) in enumerate(best):
            if gain > 1e-9:
                feature[first + node], cut[first + node] = columns[column], place
        mine = binned[np.arange(len(at)), feature[at]]
        at = 2 * at + 1 + ((cut[at] >= 0) & (mine > cut[at]))
    at -= nodes
    force, mass = (np.bincount(at, part, minlength=nodes + 1) for part in pull)
    leaf = np.round(-how.rate * force / (mass + how.ridge) * GRID).astype(np.int64)
    return feature, cut, leaf, at


def _best_cuts(binned: _Ints, pull: FloatArray, node: _Ints, width: int, how: Boosting) -> list[tuple[float, int, int]]:
    """Return for each node the gain, the column and the place of its best cut."""
    columns, bins = binned.shape[1], how.bins + 1
    flat = ((node[:, None] * columns + np.arange(columns)) * bins + binned).ravel()
    force, mass = (
        np.bincount(flat, np.repeat(part, columns), minlength=width * columns * bins).reshape(width, columns, bins)
        for part in pull
    )
    left_f, left_m = force.cumsum(axis=2)[:, :, :-1], mass.cumsum(axis=2)[:, :, :-1]
    all_f, all_m = force.sum(axis=2)[:, :, None], mass.sum(axis=2)[:, :, None]
    right_f, right_m = all_f - left_f, all_m - left_m
    gain = left_f**2 / (left_m + how.ridge) + right_f**2 / (right_m + how.ridge) - all_f**2 / (all_m + how.ridge)
    gain[(left_m < how.least) | (right_m < how.least)] = 0.0
    found = np.round(gain, 9).reshape(width, -1)
    place = found.argmax(axis=1)
    return [(float(found[n, i]), int(i // (bins - 1)), int(i % (bins - 1))) for n, i in enumerate(place)]
