"""Golden values of measures.md 23.3, an independent reference, and the properties of a distance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

from turnwise.core.nouns import Estimate
from turnwise.stats import distances


def value(found: Estimate) -> float:
    assert found.value is not None
    return found.value


def wasserstein(a: list[float], b: list[float]) -> float:
    return value(distances.wasserstein(a, b))


def jensen_shannon(p: list[float], q: list[float], base: float = 2.0) -> float:
    return value(distances.jensen_shannon(p, q, base=base))


SAMPLES = st.lists(st.floats(-50, 50, allow_nan=False), min_size=1, max_size=12)
# The reference divides by zero where half a share is 0; such shares have a test of their own below.
SHARES = st.lists(st.floats(0.0, 1.0).map(lambda x: x if x > 1e-9 else 0.0), min_size=4, max_size=4).filter(
    lambda x: sum(x) > 1e-3
)


def test_golden_values() -> None:
    p, q = [0.5, 0.3, 0.2], [0.2, 0.3, 0.5]
    assert jensen_shannon(p, q, base=float(np.e)) == pytest.approx(0.25770975, abs=1e-8)
    assert jensen_shannon(p, q) == pytest.approx(0.30954095, abs=1e-8)
    assert jensen_shannon(p, q, base=float(np.e)) ** 2 == pytest.approx(0.06641431, abs=1e-8)
    assert jensen_shannon(p, q) ** 2 == pytest.approx(0.09581560, abs=1e-8)
    assert wasserstein([1, 2, 3], [2, 4, 9]) == pytest.approx(3.0)


@settings(deadline=None)
@given(SAMPLES, SAMPLES)
def test_wasserstein_is_that_of_scipy_and_symmetric(a: list[float], b: list[float]) -> None:
    assert wasserstein(a, b) == pytest.approx(wasserstein_distance(a, b), abs=1e-9)
    assert wasserstein(a, b) == pytest.approx(wasserstein(b, a), abs=1e-12)
    assert wasserstein(a, a * 3) == pytest.approx(0.0, abs=1e-9)


@settings(deadline=None)
@example([1.0, 0.0, 1.0, 1.0], [0.9999999999999999, 0.0, 0.9999999999999999, 0.9999999999999999])
@given(SHARES, SHARES)
def test_jensen_shannon_is_that_of_scipy_and_bounded(p: list[float], q: list[float]) -> None:
    # Where both are nearly the same, scipy takes the root of a rounding error below 0; the distance is 0 there.
    with np.errstate(invalid="ignore"):
        theirs = float(np.nan_to_num(jensenshannon(p, q, base=2), nan=0.0))
    assert jensen_shannon(p, q) == pytest.approx(theirs, abs=1e-6)
    assert 0.0 <= jensen_shannon(p, q) <= 1.0 + 1e-12


def test_shares_without_anything_in_common_are_as_far_as_can_be() -> None:
    assert jensen_shannon([1, 0], [0, 5]) == pytest.approx(1.0)
    assert jensen_shannon([1, 0], [0, 5], base=float(np.e)) == pytest.approx(np.sqrt(np.log(2)))


def test_shares_too_small_to_be_halved_add_nothing() -> None:
    assert jensen_shannon([5e-324, 1.0], [0.0, 1.0]) == 0.0


def test_undefined_is_never_a_number() -> None:
    assert distances.wasserstein([], [1.0]).code == "empty"
    assert distances.jensen_shannon([0, 0], [1, 1]).code == "no_denominator"
    with pytest.raises(ValueError, match="finite"):
        wasserstein([float("nan")], [1.0])
    with pytest.raises(ValueError, match="shapes"):
        jensen_shannon([1, 1], [1, 1, 1])
    with pytest.raises(ValueError, match="numbers"):
        jensen_shannon([1, -1], [1, 1])
