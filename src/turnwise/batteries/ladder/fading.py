"""How a skill goes over one session: the slope of its values, and what is left of it in the last third."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray, Score, unscored

__all__ = ["LEAST_MOMENTS", "decay", "retention", "thirds"]

LEAST_MOMENTS = 3
"""Two values always lie on a line, and have no thirds."""


def decay(values: npt.ArrayLike, positions: npt.ArrayLike | None = None) -> Score:
    """Return the least-squares slope of a skill's values on session time, which runs from 0 to 1.

    Definition: time is 0 at the first of these moments and 1 at the last, in proportion to ``positions``; evenly
    spaced without them. Not a change score, which uses two values only; and not the level, which says more about
    an outcome than its slope does (emotional-support data): read both.

    Parameters
    ----------
    values : (n,) in order of the session, each in [0, 1].
    positions : (n,) rows of the turns, rising.

    Returns
    -------
    Value per session, below 0 = the skill fades, n = moments. Within [-1.5, 1.5] for evenly spaced moments (a step
    in the middle, many moments); no fixed bound where they cluster. Undefined: fewer than three moments, or all at
    one place (``too_short``).

    References
    ----------
    Definition of this project (docs/design.md, the sustain gap).

    Examples
    --------
    >>> round(decay([1, 1, 0.5, 0.5, 0, 0]).value, 6), decay([1, 0]).code
    (-1.142857, 'too_short')
    """
    y = np.asarray(values, dtype=np.float64)
    x = np.arange(len(y), dtype=np.float64) if positions is None else np.asarray(positions, dtype=np.float64)
    if len(y) < LEAST_MOMENTS or x[0] == x[-1]:
        return unscored("too_short", f"a slope needs {LEAST_MOMENTS} moments apart, there are {len(y)}", len(y))
    tau = (x - x[0]) / (x[-1] - x[0])
    tau -= tau.mean()
    return Score(float(tau @ (y - y.mean()) / (tau @ tau)), len(y))


def thirds(values: Sequence[float] | FloatArray) -> tuple[float, float] | None:
    """Return the mean of the first and of the last third; a middle third takes what does not divide.

    Examples
    --------
    >>> thirds([1.0, 0.5, 0.5, 0.0]), thirds([1.0, 0.0])
    ((1.0, 0.0), None)
    """
    size = len(values) // 3
    return (math.fsum(values[:size]) / size, math.fsum(values[-size:]) / size) if size else None


def retention(values: Sequence[float]) -> Score:
    """Return how much of a skill is left at the end: mean of the last third / mean of the first third.

    Not bounded by 1 (a skill may grow), and not a share of moments. Whoever begins badly can retain everything.

    Returns
    -------
    Value >= 0, 1 = nothing lost, n = moments. Undefined: fewer than three moments (``too_short``), nothing in the
    first third (``no_denominator``, not infinity).

    References
    ----------
    Definition of this project (docs/design.md, the sustain gap).

    Examples
    --------
    >>> retention([1, 1, 0.5, 0.5, 0, 0]).value, retention([0, 1, 1]).code
    (0.0, 'no_denominator')
    """
    ends = thirds(values)
    if ends is None:
        return unscored("too_short", f"thirds need {LEAST_MOMENTS} moments, there are {len(values)}", len(values))
    if ends[0] == 0.0:
        return unscored("no_denominator", "the first third is 0: nothing was there to be kept", len(values))
    return Score(ends[1] / ends[0], len(values))
