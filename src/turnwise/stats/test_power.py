from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from turnwise.stats.power import TwoArms, power
from turnwise.stats.proportion import wilson


def test_power_is_that_of_the_normal_formula_where_patients_are_alike():
    """40 patients x 10 moments at .6 and .5: standard error .035, 2.857 of them apart, power .815."""
    expected = ndtr(0.1 / np.sqrt((0.24 + 0.25) / 400) - 1.959964)
    found = power(TwoArms(40, 10, (0.6, 0.5), 0.0), rng=1, studies=800, draws=300)
    assert found.value == pytest.approx(expected, abs=0.05)
    edge = wilson(round(800 * found.value), 800)
    assert (found.low, found.high, found.n) == (edge.low, edge.high, 800)


def test_without_a_difference_it_is_the_rate_of_false_alarms():
    found = power(TwoArms(40, 10, (0.5, 0.5), 0.15), rng=2, studies=600, draws=300)
    assert 0.03 < found.value < 0.09


def test_more_patients_help_and_unlike_answers_to_the_arms_hurt():
    small, large = (power(TwoArms(n, 6, (0.6, 0.45), 0.2), rng=3, studies=200, draws=200) for n in (10, 60))
    assert large.low > small.high
    apart = power(TwoArms(40, 30, (0.6, 0.5), 0.25, correlation=-0.8), rng=3, studies=200, draws=200)
    alike = power(TwoArms(40, 30, (0.6, 0.5), 0.25, correlation=0.9), rng=3, studies=200, draws=200)
    assert alike.low > apart.high


@pytest.mark.parametrize(("sd", "correlation"), [(0.0, 0.5), (0.2, 0.0), (0.2, 0.8)])
def test_the_two_arms_have_the_moments_they_state(sd: float, correlation: float):
    a, b = TwoArms(40_000, 5, (0.7, 0.3), sd, correlation)(np.random.default_rng(4))
    for x, rate in ((a, 0.7), (b, 0.3)):
        assert x.mean() == pytest.approx(rate, abs=0.006)
        assert x.var() == pytest.approx(sd**2 + (rate * (1 - rate) - sd**2) / 5, rel=0.04)
        assert set(np.round(x * 5, 9)) <= set(range(6))
    shared = float(np.cov(a, b)[0, 1])
    assert shared == pytest.approx(correlation * sd**2, abs=0.003)


def test_any_generator_of_studies_will_do_and_undefined_ones_see_nothing():
    nothing = power(lambda rng: (np.full(5, np.nan), rng.random(5)), rng=1, studies=7)
    assert (nothing.value, nothing.n) == (0.0, 7)
    assert nothing.detail.startswith("7 of 7 studies had no interval")
    sure = power(lambda rng: (rng.random(6) + 2, rng.random(6)), rng=1, studies=7, draws=50)
    assert (sure.value, sure.detail) == (1.0, "")


def test_the_seed_decides():
    study = TwoArms(10, 5, (0.6, 0.4), 0.1)
    first, again, other = (power(study, rng=seed, studies=60, draws=100) for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_impossible_studies_are_refused():
    for wrong in (
        lambda: TwoArms(1, 5, (0.5, 0.5), 0.1),
        lambda: TwoArms(5, 0, (0.5, 0.5), 0.1),
        lambda: TwoArms(5, 5, (0.0, 0.5), 0.0),
        lambda: TwoArms(5, 5, (0.5, 0.5), 0.5),
        lambda: TwoArms(5, 5, (0.5, 0.5), 0.1, 1.5),
        lambda: power(TwoArms(5, 5, (0.5, 0.5), 0.1), rng=1, studies=0),
    ):
        with pytest.raises(ValueError):
            wrong()
