"""Share of successes with the score interval of Wilson."""

from __future__ import annotations

from statistics import NormalDist

from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import LEVEL

__all__ = ["wilson"]


def wilson(successes: int, n: int, *, level: float = LEVEL) -> Estimate:
    """Return ``successes / n`` with its Wilson score interval.

    Not for turns of one session or sessions of one patient: it takes the n trials as independent.
    Where they are not, use ``bootstrap_mean`` with clusters.

    Parameters
    ----------
    successes : number of successes, 0 to n.
    n : number of trials.
    level : coverage asked for.

    Returns
    -------
    Value and interval in [0, 1], unitless; the interval has width even at 0 and n successes.
    ``n = 0``: ``no_denominator``.

    Raises
    ------
    ValueError : successes outside [0, n], n below 0, ``level`` outside (0, 1).

    References
    ----------
    Wilson (1927), Journal of the American Statistical Association 22, 209-212.

    Examples
    --------
    >>> found = wilson(75, 80)
    >>> found.value, round(found.low, 4), round(found.high, 4)
    (0.9375, 0.8619, 0.973)
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes!r} successes of {n!r} trials is not possible.")
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level!r}; it lies inside (0, 1).")
    if n == 0:
        return Estimate(None, None, None, level, 0, "Wilson", "no_denominator", "there was no trial")
    z2 = NormalDist().inv_cdf(0.5 + level / 2.0) ** 2
    p = successes / n
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = (z2 * (p * (1 - p) / n + z2 / (4 * n * n))) ** 0.5 / (1 + z2 / n)
    # The interval contains p by algebra; rounding must not put p = 0 or 1 outside it.
    return Estimate(p, max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half)), level, n, "Wilson")
