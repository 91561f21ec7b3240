"""P-values of a family of tests, adjusted: Benjamini-Hochberg (false discoveries) and Holm (any false alarm)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray

__all__ = ["benjamini_hochberg", "holm"]


def _family(p: npt.ArrayLike, planned: int | None) -> tuple[FloatArray, npt.NDArray[np.bool_], int]:
    x = np.asarray(p, dtype=np.float64)
    defined = ~np.isnan(x)
    m = len(x) if x.ndim == 1 and planned is None else planned
    if x.ndim != 1 or (x[defined] < 0.0).any() or (x[defined] > 1.0).any():
        raise ValueError(f"p has shape {x.shape}; it is one-dimensional, of p-values in [0, 1] or NaN.")
    if m is None or m < int(defined.sum()):
        raise ValueError(f"planned is {planned!r}, fewer than the {int(defined.sum())} tests there are.")
    return x, defined, m


def benjamini_hochberg(p: npt.ArrayLike, *, planned: int | None = None) -> FloatArray:
    """Return p-values adjusted so that rejecting those <= q keeps the false discovery rate at q.

    Sorted upwards, ``min over j >= i of m p_j / j``, at most 1. Not the chance that this hypothesis is
    false, and no guard against a single false alarm (``holm``). Holds for independent and positively
    dependent tests.

    Parameters
    ----------
    p : (tests,) in [0, 1]; NaN = a test that could not be made: stays NaN, and still counts in m.
    planned : m, the tests of the family, where more were planned than are given; ``None`` = all of
        ``p``. (R's ``p.adjust`` leaves NA out of m; for that give the number of defined p-values.)

    Returns
    -------
    array (tests,) in [0, 1], never below ``p``, in the order of ``p``.

    Raises
    ------
    ValueError : a p-value outside [0, 1], not one-dimensional, or ``planned`` below the tests given.

    References
    ----------
    Benjamini & Hochberg (1995), Journal of the Royal Statistical Society B 57, 289-300.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.5]).round(4).tolist()
    [0.04, 0.0533, 0.0533, 0.5]
    """
    x, defined, m = _family(p, planned)
    out, given = np.full(len(x), np.nan), x[defined]
    down = np.argsort(-given, kind="stable")
    adjusted = np.empty(len(given))
    adjusted[down] = np.minimum.accumulate(given[down] * m / np.arange(len(given), 0, -1))
    # m p / j is at least p by algebra; only rounding can put it below.
    out[defined] = np.clip(np.maximum(adjusted, given), 0.0, 1.0)
    return out


def holm(p: npt.ArrayLike, *, planned: int | None = None) -> FloatArray:
    """Return p-values adjusted so that rejecting those <= alpha makes any false alarm at most alpha likely.

    Sorted upwards, ``max over j <= i of (m - j + 1) p_j``, at most 1. Not the least costly where a few
    false discoveries may pass (``benjamini_hochberg``). Holds under any dependence.

    Parameters
    ----------
    p, planned : as for ``benjamini_hochberg``.

    Returns
    -------
    array (tests,) in [0, 1], in the order of ``p``; never below ``benjamini_hochberg`` of the same.

    Raises
    ------
    ValueError : as for ``benjamini_hochberg``.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.5]).round(4).tolist()
    [0.04, 0.09, 0.09, 0.5]
    """
    x, defined, m = _family(p, planned)
    out, given = np.full(len(x), np.nan), x[defined]
    up = np.argsort(given, kind="stable")
    adjusted = np.empty(len(given))
    adjusted[up] = np.maximum.accumulate(given[up] * (m - np.arange(len(given))))
    out[defined] = np.minimum(adjusted, 1.0)
    return out
