import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from turnwise.stats.bootstrap import bootstrap, bootstrap_mean, tail_for


def test_interval_of_a_mean_agrees_with_scipy():
    from scipy import stats

    x = np.random.default_rng(3).exponential(size=60)
    ours = bootstrap_mean(x, rng=1, draws=20_000)
    level = 1.0 - 2.0 * tail_for(60)
    theirs = stats.bootstrap(
        (x,), np.mean, n_resamples=20_000, method="percentile", confidence_level=level, rng=np.random.default_rng(2)
    )
    low, high = theirs.confidence_interval
    # Monte Carlo error of a percentile at 20,000 draws is below 2 % of the interval's width.
    assert ours.low == pytest.approx(low, abs=0.02 * (high - low))
    assert ours.high == pytest.approx(high, abs=0.02 * (high - low))


def test_any_statistic_and_the_mean_agree():
    rng = np.random.default_rng(5)
    x, patients = rng.normal(size=50), np.repeat(np.arange(10), 5)
    general = bootstrap(lambda rows: float(x[rows].mean()), 50, rng=1, clusters=patients)
    mean = bootstrap_mean(x, rng=1, clusters=patients)
    assert general.value == pytest.approx(mean.value)
    assert general.low == pytest.approx(mean.low, abs=0.05)
    assert general.high == pytest.approx(mean.high, abs=0.05)


def test_seed_decides_the_interval_and_cluster_names_do_not():
    x = np.random.default_rng(0).normal(size=40)
    names = np.repeat(np.arange(20)[::-1], 2)
    renamed = np.repeat([f"patient {c}" for c in "abcdefghijklmnopqrst"], 2)
    assert bootstrap_mean(x, rng=7, clusters=names) == bootstrap_mean(x, rng=7, clusters=renamed)
    assert bootstrap_mean(x, rng=7) == bootstrap_mean(x, rng=np.random.default_rng(7))
    assert bootstrap_mean(x, rng=7) != bootstrap_mean(x, rng=8)


def test_undefined_rows_are_counted_and_never_zero():
    found = bootstrap_mean([1.0, math.nan, 1.0, math.nan], rng=1)
    assert (found.value, found.n, found.low) == (1.0, 2, 1.0)
    assert found.detail == "2 of 4 rows have a value"


@pytest.mark.parametrize("values", [[], [math.nan, math.nan]])
def test_nothing_to_average_is_a_reason(values: list[float]):
    found = bootstrap_mean(values, rng=1)
    assert (found.value, found.code, found.n) == (None, "empty", 0)


def test_one_cluster_has_no_interval():
    for found in (
        bootstrap_mean([1.0, 2.0], rng=1, clusters=["a", "a"]),
        bootstrap(lambda rows: float(len(rows)), 2, rng=1, clusters=["a", "a"]),
    ):
        assert found.value is not None
        assert found.low is None
        assert "one cluster" in found.detail


def test_draws_in_which_the_statistic_is_undefined_are_counted():
    x = np.array([0.0] * 9 + [1.0])
    sometimes = bootstrap(lambda rows: math.nan if x[rows].sum() == 0 else 1.0, 10, rng=1, draws=400)
    assert "undefined)" in sometimes.method
    assert sometimes.low == 1.0
    rarely = bootstrap(lambda rows: 1.0 if len(set(rows.tolist())) == 10 else math.nan, 10, rng=1, draws=400)
    assert rarely.value == 1.0
    assert rarely.low is None
    assert "more than half" in rarely.detail
    assert bootstrap(lambda rows: math.nan, 3, rng=1).code == "undetermined"
    assert bootstrap(lambda rows: 1.0, 0, rng=1).code == "empty"


@pytest.mark.parametrize("wrong", [{"draws": 0}, {"level": 1.0}, {"clusters": ["a"]}])
def test_misuse_is_refused(wrong: dict[str, object]):
    with pytest.raises(ValueError):
        bootstrap_mean([1.0, 2.0], rng=1, **wrong)
    with pytest.raises(ValueError):
        bootstrap(lambda rows: 1.0, 2, rng=1, **wrong)
    with pytest.raises(ValueError):
        bootstrap_mean([1.0, math.inf], rng=1)


@settings(max_examples=40)
@given(arrays(np.float64, st.integers(2, 30), elements=st.floats(-1e6, 1e6)), st.integers(0, 2**32))
def test_interval_lies_among_the_values_and_is_ordered(x: np.ndarray, seed: int):
    found = bootstrap_mean(x, rng=seed, draws=200)
    assert x.min() <= found.low <= found.high <= x.max()


@settings(max_examples=25)
@given(arrays(np.float64, 8, elements=st.floats(-10, 10)), st.floats(-50, 50), st.floats(0.1, 10))
def test_interval_moves_with_the_unit(x: np.ndarray, shift: float, scale: float):
    a, b = bootstrap_mean(x, rng=4, draws=200), bootstrap_mean(scale * x + shift, rng=4, draws=200)
    assert (b.low, b.high) == pytest.approx((scale * a.low + shift, scale * a.high + shift), abs=1e-9)


def test_recovers_the_coverage_it_claims_and_single_rows_do_not():
    """20 patients x 5 sessions with a patient effect: drawing sessions singly is overconfident."""
    rng = np.random.default_rng(11)
    patients = np.repeat(np.arange(20), 5)
    kept, naive = 0, 0
    studies = 300
    for _ in range(studies):
        x = rng.normal(size=20)[patients] + 0.5 * rng.normal(size=100)
        right = bootstrap_mean(x, rng=rng, clusters=patients, draws=500)
        wrong = bootstrap_mean(x, rng=rng, draws=500)
        kept += right.low <= 0.0 <= right.high
        naive += wrong.low <= 0.0 <= wrong.high
    assert 0.88 <= kept / studies <= 0.98
    assert naive / studies < 0.75


def test_tails_are_those_of_student_and_of_the_published_table() -> None:
    # t quantiles of any printed table; the limit is the bare percentile.
    for k, t in ((6, 2.571), (11, 2.228), (31, 2.042)):
        assert NormalDist().inv_cdf(1.0 - tail_for(k)) == pytest.approx(math.sqrt(k / (k - 1)) * t, abs=2e-3)
    tails = [tail_for(k) for k in (2, 4, 8, 16, 64, 4096)]
    assert tails == sorted(tails)
    assert tails[0] == pytest.approx(0.0, abs=1e-12)  # two clusters: all that was drawn
    assert tails[-1] == pytest.approx(0.025, abs=1e-4)


def test_few_patients_still_get_the_coverage_that_is_said() -> None:
    """Eight patients: bare percentiles cover nine in ten where nineteen in twenty are said (docs/power.json, 2026)."""
    rng = np.random.default_rng(5)
    kept = 0
    for _ in range(600):
        found = bootstrap_mean(rng.normal(size=8), rng=rng, draws=600)
        kept += found.low <= 0.0 <= found.high
    assert 0.925 <= kept / 600 <= 0.975


def test_draws_that_cancel_are_zero_and_not_rounding() -> None:
    # One unit in seven differs: a third of all draws miss it, so the interval has to touch 0.
    one = bootstrap_mean([-1.0, 0, 0, 0, 0, 0, 0], rng=0)
    assert one.high == 0.0
    assert not one.excludes_zero
    assert bootstrap_mean([0.3, -0.1, -0.2, 0.0], rng=0).value is not None
