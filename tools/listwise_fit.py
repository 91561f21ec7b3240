"""Fit a listwise softmax: of all options of a question, the accepted ones should hold the probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import optimize

from turnwise.core.nouns import FloatArray

__all__ = ["Listed", "fit_listwise", "fit_pruned"]


@dataclass(frozen=True, eq=False)
class Listed:
    """Options of one question: features (n, d), which of them are accepted (n,), and the question's weight."""

    x: npt.NDArray[np.float32]
    y: FloatArray
    weight: float = 1.0


def fit_pruned(lists: Sequence[Listed], penalty: float, *, every: int = 8, keep: int = 30) -> FloatArray:
    """Return the weights of ``fit_listwise`` on the options that matter: accepted, the ``keep`` likeliest, the last.

    Which are likely says a first fit on every ``every``-th list with all its options. Of the others every sixteenth
    stays: without any of them nothing would hold their scores down. The last option is *nothing*.
    """
    first = fit_listwise(lists[::every], penalty)
    pruned = []
    for one in lists:
        n = len(one.y)
        likely = np.argsort(-(one.x @ first), kind="stable")[:keep]
        at = np.unique(np.concatenate([likely, np.flatnonzero(one.y), np.arange(0, n, 16), [n - 1]]))
        pruned.append(Listed(one.x[at], one.y[at], one.weight))
    return fit_listwise(pruned, penalty)


def fit_listwise(lists: Sequence[Listed], penalty: float) -> FloatArray:
    """Return the weights (d,) with the least penalised loss, to six decimals.

    The loss of a question is minus the logarithm of the summed probability of its accepted options;
    columns are scaled by their root mean square before the squared weights are penalised.
    """
    x = np.concatenate([one.x for one in lists]).astype(np.float64)
    y = np.concatenate([one.y for one in lists])
    starts = np.cumsum([0, *(len(one.y) for one in lists[:-1])])
    which = np.repeat(np.arange(len(lists)), [len(one.y) for one in lists])
    weight = np.array([one.weight for one in lists])
    scale = np.sqrt((x**2).mean(axis=0))
    scale[scale == 0] = 1.0
    x /= scale

    def loss(w: FloatArray) -> tuple[float, FloatArray]:
        z = x @ w
        z -= np.maximum.reduceat(z, starts)[which]
        e = np.exp(z)
        total, good = np.add.reduceat(e, starts), np.add.reduceat(e * y, starts)
        good = np.maximum(good, 1e-300)
        slope = (e / total[which] - e * y / good[which]) * weight[which]
        value = -(weight * np.log(good / total)).sum() + 0.5 * penalty * (w @ w)
        return float(value), x.T @ slope + penalty * w

    options = {"maxiter": 2_000, "maxcor": 30, "gtol": 1e-7, "ftol": 1e-14}
    found = optimize.minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(np.round(found.x / scale, 6))
