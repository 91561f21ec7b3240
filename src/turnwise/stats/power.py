"""How often a study of this size would see a difference that is there: power by simulating the whole study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from scipy.special import betaincinv, ndtr

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import LEVEL
from turnwise.stats.paired import paired_difference
from turnwise.stats.proportion import wilson

__all__ = ["TwoArms", "power"]

Study = Callable[[Generator], tuple[FloatArray, FloatArray]]
"""Draws one study: the scores of the same patients under two arms, both (patients,), NaN where undefined."""


@dataclass(frozen=True, slots=True)
class TwoArms:
    """A study of two therapists on the same patients: per patient the share of moments met under each.

    A patient's own rate under an arm is drawn from a beta distribution of exactly the given mean and
    standard deviation, the two rates of one patient related by a normal copula; moments are then met
    or not independently at that rate. Not a model of people: a statement of what is assumed.

    Attributes
    ----------
    patients, moments : how many, and moments per patient and arm; at least 2 and 1.
    rates : share of moments met in either arm over all patients, inside (0, 1).
    between_sd : standard deviation of the patients' own rates within an arm, >= 0 and below
        ``sqrt(rate (1 - rate))``; 0 = all patients alike.
    correlation : of the two rates of one patient (of the normal scores behind them), in [-1, 1].

    References
    ----------
    Beta-binomial variation: Williams (1975), Biometrics 31, 949-952.

    Examples
    --------
    >>> a, b = TwoArms(4, 10, (0.7, 0.5), 0.1)(np.random.default_rng(1))
    >>> a.shape, bool((a >= 0).all() and (a <= 1).all())
    ((4,), True)
    """

    patients: int
    moments: int
    rates: tuple[float, float]
    between_sd: float
    correlation: float = 0.5

    def __post_init__(self) -> None:
        if self.patients < 2 or self.moments < 1 or not -1.0 <= self.correlation <= 1.0:
            raise ValueError("patients >= 2, moments >= 1 and a correlation in [-1, 1] are needed.")
        for p in self.rates:
            if not 0.0 < p < 1.0 or not 0.0 <= self.between_sd**2 < p * (1.0 - p):
                raise ValueError(f"a rate of {p} cannot vary between patients by {self.between_sd}.")

    def __call__(self, rng: Generator) -> tuple[FloatArray, FloatArray]:
        """Draw one study."""
        z = rng.standard_normal((2, self.patients))
        z[1] = self.correlation * z[0] + np.sqrt(1.0 - self.correlation**2) * z[1]
        a, b = (
            rng.binomial(self.moments, self._own(p, ndtr(row))) / self.moments
            for p, row in zip(self.rates, z, strict=True)
        )
        return a, b

    def _own(self, rate: float, quantile: FloatArray) -> FloatArray:
        if self.between_sd == 0.0:
            return np.full(self.patients, rate)
        size = rate * (1.0 - rate) / self.between_sd**2 - 1.0
        return np.asarray(betaincinv(rate * size, (1.0 - rate) * size, quantile), dtype=np.float64)


def power(
    study: Study,
    *,
    rng: Generator | int,
    studies: int = 400,
    draws: int = 500,
    level: float = LEVEL,
) -> Estimate:
    """Return the share of simulated studies whose paired difference has an interval that excludes zero.

    Each study is drawn anew and analysed as real ones are: mean difference over patients, bootstrap
    over patients. With a study in which the arms do not differ it is the rate of false alarms, which
    is near 1 - level also for few patients (the intervals are expanded for them). Not
    evidence about therapists, and not to be computed from the difference that a study has found.
    Either direction counts as seen.

    Parameters
    ----------
    study : takes a generator, returns scores of the same patients under two arms, (patients,) each;
        ``TwoArms`` is one.
    rng : generator, or a seed for one.
    studies : how many are simulated.
    draws, level : of each study's bootstrap, and its coverage.

    Returns
    -------
    Share in [0, 1] with Wilson's 95 % interval for the error of simulating, ``n`` = studies. A study
    without an interval (no pair, one patient) saw nothing; such are counted in ``detail``.

    Raises
    ------
    ValueError : ``studies < 1``, or what ``paired_difference`` refuses.

    References
    ----------
    Landau & Stahl (2013), Statistical Methods in Medical Research 22, 324-345 (power by simulation);
    Hoenig & Heisey (2001), The American Statistician 55, 19-24 (against power of the found effect).

    Examples
    --------
    >>> power(TwoArms(12, 8, (0.9, 0.3), 0.1), rng=1, studies=20, draws=100).value
    1.0
    """
    if studies < 1:
        raise ValueError(f"studies is {studies!r}; at least one is needed.")
    generator = np.random.default_rng(rng)
    seen = without = 0
    for _ in range(studies):
        a, b = study(generator)
        found = paired_difference(a, b, rng=generator, draws=draws, level=level)
        seen += found.excludes_zero
        without += found.low is None
    detail = f"{without} of {studies} studies had no interval and count as not seen" if without else ""
    method = f"simulation of studies, bootstrap over patients at level {level:g}; Wilson"
    return replace(wilson(seen, studies), method=method, detail=detail)
