import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.stats.proportion import wilson


def test_golden():
    # R: prop.test(75, 80, correct = FALSE)$conf.int
    found = wilson(75, 80)
    assert found.value == 0.9375
    assert (found.low, found.high) == pytest.approx((0.8619, 0.9730), abs=5e-5)


@pytest.mark.parametrize(
    ("k", "n", "level"), [(0, 7, 0.95), (7, 7, 0.95), (3, 11, 0.9), (1, 200, 0.99), (50, 100, 0.5)]
)
def test_agrees_with_scipy(k: int, n: int, level: float):
    from scipy import stats

    theirs = stats.binomtest(k, n).proportion_ci(level, method="wilson")
    found = wilson(k, n, level=level)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_no_trial_is_a_reason_and_nonsense_is_refused():
    assert wilson(0, 0).code == "no_denominator"
    for k, n in ((3, 2), (-1, 2), (0, -1)):
        with pytest.raises(ValueError):
            wilson(k, n)
    with pytest.raises(ValueError):
        wilson(1, 2, level=1.0)


@given(st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_holds_the_share_has_width_and_mirrors(case: tuple[int, int]):
    k, n = case
    found, mirror = wilson(k, n), wilson(n - k, n)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert found.low < found.high
    assert (found.low, found.high) == pytest.approx((1 - mirror.high, 1 - mirror.low), abs=1e-12)
