import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.metrics.trend import MAX_SLOPE_PER_RANGE, slope_over_session

values = st.lists(st.floats(0.0, 1.0), min_size=2, max_size=40).map(np.asarray)


def test_golden_decay():
    assert slope_over_session(np.array([1, 1, 0.5, 0.5, 0, 0])) == pytest.approx(-1.142857, abs=5e-7)


def test_agrees_with_scipy():
    from scipy import stats

    y = np.random.default_rng(1).normal(size=17)
    assert slope_over_session(y) == pytest.approx(stats.linregress(np.linspace(0, 1, 17), y).slope, abs=1e-12)


@given(values)
def test_bounded_antisymmetric_and_blind_to_the_level(y: np.ndarray):
    slope = slope_over_session(y)
    assert abs(slope) <= MAX_SLOPE_PER_RANGE
    assert slope_over_session(y[::-1]) == pytest.approx(-slope, abs=1e-9)
    assert slope_over_session(y + 5) == pytest.approx(slope, abs=1e-9)


@pytest.mark.parametrize("n", [2, 3, 4, 9, 500])
def test_the_steepest_course_is_a_step_in_the_middle(n: int):
    step = (np.arange(n) >= n / 2).astype(float)
    assert 1.0 - 1e-12 <= slope_over_session(step) <= MAX_SLOPE_PER_RANGE


def test_one_point_has_no_slope():
    with pytest.raises(ValueError, match="two values"):
        slope_over_session(np.array([1.0]))
