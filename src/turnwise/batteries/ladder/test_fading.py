"""Golden values of decay and retention, and when there are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.batteries.ladder.fading import decay, retention, thirds

GOLDEN = [1, 1, 0.5, 0.5, 0, 0]
VALUES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=3, max_size=12)


def test_golden() -> None:
    assert decay(GOLDEN).value == pytest.approx(-1.142857, abs=1e-6)
    assert decay(GOLDEN, [3, 5, 7, 9, 11, 13]).value == pytest.approx(-1.142857, abs=1e-6)
    assert retention(GOLDEN).value == 0.0
    assert (decay(GOLDEN).n, retention(GOLDEN).n) == (6, 6)


def test_where_the_moments_lie_matters() -> None:
    assert decay([1, 0, 0], [0, 9, 10]).value == pytest.approx(-1.0, abs=0.1)
    assert decay([1, 0, 0], [0, 1, 10]).value != decay([1, 0, 0]).value


@pytest.mark.parametrize(("values", "code"), [([], "too_short"), ([1, 0], "too_short")])
def test_too_short_for_either(values: list[float], code: str) -> None:
    assert decay(values).code == retention(values).code == code


def test_one_place_has_no_slope_and_nothing_has_no_retention() -> None:
    assert decay([1, 0, 1], [4, 4, 4]).code == "too_short"
    assert retention([0, 0, 1, 1, 1, 1]).code == "no_denominator"
    assert retention([0.5, 0, 1]).value == 2.0


@given(VALUES)
def test_a_session_told_backwards_turns_round(values: list[float]) -> None:
    assert decay(values[::-1]).value == pytest.approx(-(decay(values).value or 0.0), abs=1e-9)
    first, last = thirds(values)  # type: ignore[misc]
    assert thirds(values[::-1]) == (last, first)
    assert retention(values).value == (None if first == 0 else last / first)


@given(VALUES, st.integers(0, 20), st.integers(1, 5))
def test_neither_place_nor_pace_moves_the_slope(values: list[float], start: int, step: int) -> None:
    at = [start + step * i for i in range(len(values))]
    found = decay(values, at).value
    assert found == pytest.approx(decay(values).value, abs=1e-9)
    assert found is not None
    assert -1.5 <= found <= 1.5
