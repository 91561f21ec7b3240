"""The slope of a quantity over a session, on a time axis that runs from 0 to 1."""

from __future__ import annotations

import numpy as np

from turnwise.core.nouns import FloatArray

__all__ = ["MAX_SLOPE_PER_RANGE", "MIN_POINTS", "slope_over_session"]

MIN_POINTS = 3  # two points always lie on a line
MAX_SLOPE_PER_RANGE = 1.5
"""Least upper bound of the slope of a quantity whose range is 1 (a step in the middle, many points)."""


def slope_over_session(values: FloatArray) -> float:
    """Return the least-squares slope of ``values`` on tau = 0 ... 1, evenly spaced.

    The unit is that of the values per session, whatever its number of turns. Not a change score:
    it weighs the middle too. The level often says more than the slope (emotional-support data),
    so print both.

    Parameters
    ----------
    values : (n,) finite, in order, n >= 2.

    Raises
    ------
    ValueError : fewer than two values.

    Examples
    --------
    >>> round(slope_over_session(np.array([1, 1, 0.5, 0.5, 0, 0])), 6)
    -1.142857
    """
    if len(values) < 2:
        raise ValueError(f"a slope needs two values, got {len(values)}.")
    tau = np.linspace(0.0, 1.0, len(values)) - 0.5
    return float(tau @ (values - values.mean()) / (tau @ tau))
