import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from turnwise.stats.paired import paired_difference

column = arrays(np.float64, 9, elements=st.floats(-5, 5))


def test_arc_gap_of_one_patient_kind():
    found = paired_difference([0.9, 0.9], [0.5, 0.5], rng=1)
    assert found.value == pytest.approx(0.4)
    assert found.excludes_zero


def test_pairing_removes_what_the_units_share():
    rng = np.random.default_rng(2)
    unit = rng.normal(scale=10, size=30)
    a, b = unit + 1 + 0.1 * rng.normal(size=30), unit + 0.1 * rng.normal(size=30)
    assert paired_difference(a, b, rng=1).excludes_zero
    assert not paired_difference(a, rng.permutation(b), rng=1).excludes_zero


def test_incomplete_pairs_are_left_out_and_counted():
    found = paired_difference([1.0, math.nan, 3.0], [0.0, 5.0, math.nan], rng=1)
    assert (found.value, found.n, found.detail) == (
        1.0,
        1,
        "1 of 3 rows have a value; no interval: there is one cluster only",
    )
    assert paired_difference([math.nan], [1.0], rng=1).code == "empty"


def test_arms_of_different_length_are_refused():
    with pytest.raises(ValueError, match="pair"):
        paired_difference([1.0], [1.0, 2.0], rng=1)


@settings(max_examples=30)
@given(column, column)
def test_swapping_the_arms_turns_the_sign(a: np.ndarray, b: np.ndarray):
    forth, back = paired_difference(a, b, rng=3, draws=200), paired_difference(b, a, rng=3, draws=200)
    assert (forth.value, forth.low, forth.high) == pytest.approx((-back.value, -back.high, -back.low), abs=1e-12)


@given(column)
def test_an_arm_does_not_differ_from_itself(a: np.ndarray):
    found = paired_difference(a, a, rng=3, draws=50)
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)
