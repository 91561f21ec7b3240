from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.stats.swapping import mean_difference, paired_swap_p, unpaired_swap_p

values = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=8)


@given(values)
def test_few_pairs_are_swapped_in_every_way(x: list[float]) -> None:
    swaps = [abs(float(np.dot(signs, x))) for signs in product((1, -1), repeat=len(x))]
    assert paired_swap_p(x, rng=1) == pytest.approx(np.mean([s >= abs(sum(x)) - 1e-9 for s in swaps]))
    assert paired_swap_p([-v for v in x], rng=1) == paired_swap_p(x, rng=1)


def test_clusters_are_swapped_as_a_whole() -> None:
    x = [0.1, 0.2, 0.3, 0.2] * 4
    assert paired_swap_p(x, rng=1, clusters=list("aabbccdd") * 2) == 2 / 2**4
    assert paired_swap_p(x, rng=1) < 0.001
    assert np.isnan(paired_swap_p([float("nan")], rng=1))


def test_p_is_uniform_enough_where_nothing_differs() -> None:
    rng = np.random.default_rng(3)
    paired = [paired_swap_p(rng.normal(size=20), rng=1) for _ in range(200)]
    names = [f"a{i}" for i in range(9)], [f"b{i}" for i in range(15)]
    apart = [unpaired_swap_p(rng.normal(size=9), rng.normal(size=15), clusters=names, rng=1) for _ in range(100)]
    for found in (paired, apart):
        assert 0.01 <= np.mean(np.array(found) <= 0.05) <= 0.11
        assert 0.35 <= np.mean(found) <= 0.65


def test_a_cluster_in_both_arms_is_one_cluster() -> None:
    rng = np.random.default_rng(5)
    series = rng.normal(0, 3, 30)
    a, b = series + 0.5 + rng.normal(0, 0.1, 30), series
    names = [f"s{i}" for i in range(30)]
    shared = mean_difference(a, b, clusters=(names, names), rng=1)
    apart = mean_difference(a, b, clusters=(names, [n + "'" for n in names]), rng=1)
    assert shared.excludes_zero
    assert not apart.excludes_zero
    assert unpaired_swap_p(a, b, clusters=(names, names), rng=1) < 0.001
    assert unpaired_swap_p(a, b, clusters=(names, [n + "'" for n in names]), rng=1) > 0.05


def test_exchanging_the_arms_changes_the_sign() -> None:
    rng = np.random.default_rng(6)
    a, b = rng.normal(1, 1, 20), rng.normal(0, 2, 14)
    ca, cb = [f"a{i // 2}" for i in range(20)], [f"b{i // 2}" for i in range(14)]
    there, back = mean_difference(a, b, clusters=(ca, cb), rng=1), mean_difference(b, a, clusters=(cb, ca), rng=1)
    assert there.low is not None
    assert back.high is not None
    assert (there.value, there.low) == (pytest.approx(-(back.value or 0.0)), pytest.approx(-back.high))


def test_what_cannot_be_said_is_not() -> None:
    assert mean_difference([], [1.0], clusters=([], ["a"]), rng=1).code == "empty"
    one = mean_difference([1.0, 2.0], [1.0, 3.0], clusters=(["a", "a"], ["b", "c"]), rng=1)
    assert (one.value, one.low) == (-0.5, None)
    assert np.isnan(unpaired_swap_p([float("nan")], [1.0], clusters=(["a"], ["b"]), rng=1))
    with pytest.raises(ValueError):
        mean_difference([1.0], [1.0], clusters=(["a", "b"], ["c"]), rng=1)
