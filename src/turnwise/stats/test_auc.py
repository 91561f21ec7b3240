import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.stats.auc import auc

CONFIDENCE = [0.95, 0.90, 0.85, 0.80, 0.70, 0.65, 0.60, 0.55, 0.55, 0.52]
CORRECT = [True, True, False, True, True, False, True, False, True, False]


def test_golden():
    assert auc(CONFIDENCE, CORRECT, rng=1).value == pytest.approx(0.7291667, abs=1e-6)


def test_agrees_with_scipy_under_ties():
    from scipy import stats

    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 6, 80).astype(float), rng.random(80) < 0.3
    u = stats.mannwhitneyu(x[y], x[~y]).statistic
    assert auc(x, y, rng=1).value == pytest.approx(u / (y.sum() * (~y).sum()), abs=1e-12)


def test_interval_is_wider_over_clusters_that_share_their_scores():
    rng = np.random.default_rng(4)
    series = np.repeat(np.arange(12), 10)
    y = series % 2 == 0
    x = rng.normal(size=12)[series] + y + 0.1 * rng.normal(size=120)
    alone, together = auc(x, y, rng=1), auc(x, y, rng=1, clusters=series)
    assert alone.value == together.value
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_undefined_cases():
    assert auc([0.1, 0.2], [True, True], rng=1).code == "no_denominator"
    assert auc([], [], rng=1).code == "empty"
    assert auc([math.nan], [True], rng=1).code == "empty"
    partial = auc([0.1, math.nan, 0.3], [False, True, True], rng=1)
    assert (partial.value, partial.n) == (1.0, 2)
    assert "2 of 3 rows have a score" in partial.detail
    for wrong in (
        lambda: auc([0.1], [True, False], rng=1),
        lambda: auc([0.1, 0.2], [True, False], rng=1, clusters=["a"]),
    ):
        with pytest.raises(ValueError):
            wrong()


rows = st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=2, max_size=30)


@settings(max_examples=50)
@given(rows)
def test_bounds_and_symmetries(data: list[tuple[int, bool]]):
    x, y = np.array([float(r[0]) for r in data]), np.array([r[1] for r in data])
    found = auc(x, y, rng=1, draws=50)
    if found.value is None:
        assert y.all() or not y.any()
        return
    assert 0.0 <= found.value <= 1.0
    assert found.low is None or 0.0 <= found.low <= found.high <= 1.0
    assert auc(np.exp(x), y, rng=1, draws=50) == found  # ranks only
    assert auc(x, ~y, rng=1, draws=50).value == pytest.approx(1.0 - found.value)
