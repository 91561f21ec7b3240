import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.stats.bootstrap import bootstrap_mean
from turnwise.stats.proportion import wilson
from turnwise.stats.share import clustered_share, seed_of


def test_inside_it_is_the_bootstrap_and_at_the_ends_wilson_over_clusters():
    mixed, patients = [1.0, 0.0, 1.0, 1.0], list("aabb")
    assert clustered_share(mixed, rng=1, clusters=patients) == bootstrap_mean(mixed, rng=1, clusters=patients)
    for value, k in ((1.0, 2), (0.0, 0)):
        found, edge = clustered_share([value] * 4, rng=1, clusters=patients), wilson(k, 2)
        assert (found.value, found.low, found.high, found.n) == (value, edge.low, edge.high, 4)
    one = clustered_share([1.0, 1.0], rng=1, clusters=["a", "a"])
    assert (one.low, one.detail) == (wilson(1, 1).low, "")


def test_undefined_is_counted_and_nonsense_refused():
    found = clustered_share([1.0, math.nan, 1.0], rng=1)
    assert (found.n, found.detail, found.low) == (2, "2 of 3 rows have a value", wilson(2, 2).low)
    assert clustered_share([math.nan], rng=1).code == "empty"
    with pytest.raises(ValueError, match="inside"):
        clustered_share([1.2], rng=1)


def test_a_generator_gives_another_seed_each_time_and_a_number_itself():
    rng = np.random.default_rng(1)
    assert seed_of(rng) != seed_of(rng)
    assert seed_of(7) == 7


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=12))
def test_interval_holds_the_share_inside_the_bounds(x: list[float]):
    found = clustered_share(x, rng=1)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
