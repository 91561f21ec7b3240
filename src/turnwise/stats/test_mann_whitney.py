from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.stats.mann_whitney import mann_whitney


def groups_with_u(u: float) -> tuple[list[float], list[float]]:
    """Six and eight members with the given smaller U: y sits below x except for what u asks."""
    y: list[float] = [1, 2, 3, 4, 5, 6, 7, 8]
    x: list[float] = [20, 21, 22, 23, 24, 25]
    whole = int(u)
    y[-1] = 19.0 if whole == 0 else x[whole - 1] + 0.5
    if u % 1:
        y[-1] = x[whole]  # a tie counts one half
    return x, y


@pytest.mark.parametrize(("u", "r"), [(2.0, 0.9167), (2.5, 0.8958), (0.0, 1.0)])
def test_published_effect_sizes(u: float, r: float):
    x, y = groups_with_u(u)
    found = mann_whitney(x, y)
    assert found.u == u
    assert found.r.value == pytest.approx(r, abs=5e-5)
    assert found.larger == "x"


@pytest.mark.parametrize(("u", "p"), [(2.0, 0.0045087), (0.0, 0.0019458)])
def test_published_p_without_ties(u: float, p: float):
    assert mann_whitney(*groups_with_u(u)).p == pytest.approx(p, abs=5e-8)


def test_published_p_with_a_half_in_u():
    # The table recomputes U = 2.5 with sigma = sqrt(60), i.e. without the correction for the tie;
    # the correction moves the p of this sample from .0055094 to .0054578.
    from statistics import NormalDist

    assert 2 * NormalDist().cdf((2.5 - 24) / 60**0.5) == pytest.approx(0.0055094, abs=5e-8)
    assert mann_whitney(*groups_with_u(2.5)).p == pytest.approx(0.0054578, abs=5e-8)


def test_golden():
    # R: wilcox.test(10:15, 1:8, exact = FALSE, correct = FALSE); wilcox.test(10:15, 1:8)
    found = mann_whitney(range(10, 16), range(1, 9))
    assert found.p == pytest.approx(0.0019457737, abs=1e-10)
    assert found.p_exact == pytest.approx(2 / 3003, abs=1e-12)


def test_agrees_with_scipy():
    from scipy import stats

    rng = np.random.default_rng(6)
    for _ in range(20):
        x, y = rng.normal(size=9), rng.normal(0.5, size=7)
        tied_x, tied_y = np.round(x), np.round(y)
        assert mann_whitney(x, y).p_exact == pytest.approx(stats.mannwhitneyu(x, y, method="exact").pvalue, abs=1e-12)
        for a, b in ((x, y), (tied_x, tied_y)):
            theirs = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=False)
            assert mann_whitney(a, b).p == pytest.approx(theirs.pvalue, abs=1e-12)


def brute_force(x: np.ndarray, y: np.ndarray) -> float:
    from scipy import stats

    ranks = stats.rankdata(np.concatenate([x, y]))
    mean = len(x) * (len(ranks) + 1) / 2
    sums = [sum(c) for c in combinations(ranks, len(x))]
    return float(np.mean([abs(s - mean) >= abs(ranks[: len(x)].sum() - mean) - 1e-9 for s in sums]))


few = st.lists(st.integers(0, 4).map(float), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(few, few)
def test_exact_p_counts_all_splits_also_with_ties(x: list[float], y: list[float]):
    assert mann_whitney(x, y).p_exact == pytest.approx(brute_force(np.array(x), np.array(y)), abs=1e-12)


@given(few, few)
def test_bounds_and_symmetry(x: list[float], y: list[float]):
    a, b = mann_whitney(x, y), mann_whitney(y, x)
    assert 0.0 <= a.r.value <= 1.0
    assert 0.0 < a.p_exact <= 1.0
    assert 0.0 <= a.p <= 1.0
    assert (a.r.value, a.u, a.p) == (b.r.value, b.u, b.p)
    assert {a.larger, b.larger} in ({"x", "y"}, {"neither"})


def test_all_tied_and_empty():
    tied = mann_whitney([2.0, 2.0], [2.0, 2.0, 2.0])
    assert (tied.r.value, tied.p, tied.p_exact, tied.larger) == (0.0, 1.0, 1.0, "neither")
    assert "no denominator" in tied.r.detail
    empty = mann_whitney([], [1.0])
    assert (empty.r.code, empty.u, empty.p, empty.p_exact) == ("empty", None, None, None)
    assert mann_whitney(range(40), range(40)).p_exact is None
    for wrong in (lambda: mann_whitney([np.nan], [1.0]), lambda: mann_whitney([1.0], [1.0], draws=0)):
        with pytest.raises(ValueError):
            wrong()


def test_interval_of_r_is_signed_in_the_observed_direction():
    rng = np.random.default_rng(3)
    near = mann_whitney(rng.normal(size=20), rng.normal(size=20), rng=1, draws=400)
    assert near.r.low < 0.0 < near.r.high  # a size alone could never say "no difference"
    apart = mann_whitney(range(10, 16), range(1, 9), rng=1, draws=100)
    assert (apart.r.low, apart.r.high) == (1.0, 1.0)
    below = mann_whitney(range(1, 9), range(10, 16), rng=1, draws=100)
    assert (below.r.low, below.r.high, below.larger) == (1.0, 1.0, "y")
    assert mann_whitney([1.0, 2.0], [2.0, 3.0]).r.low is None
