"""Shapes, recovery and loss, defined exactly and tested at their edges."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.batteries.conformance.courses import (
    lost_at_best,
    lost_at_worst,
    lost_share,
    path,
    recovered,
    recovered_at_best,
    shape_of,
    shapes,
    variety,
)
from turnwise.batteries.conformance.test_made_sessions import course, made

PATHS = st.lists(st.integers(0, 100).map(lambda n: n / 100), min_size=2, max_size=30)
BETWEEN = 0.055  # no difference of hundredths lies on it, so that rounding decides nothing


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        ([0.6, 0.5, 0.4], "falling"),
        ([0.4, 0.5, 0.6], "rising"),
        ([0.6, 0.62, 0.59], "flat"),
        ([0.6, 0.7, 0.6], "up-down"),
        ([0.6, 0.5, 0.6], "up-down"),
        ([0.6, 0.54, 0.58, 0.5], "falling"),
        ([0.6, 0.649], "flat"),
        ([0.6, 0.651], "rising"),
    ],
)
def test_shapes_by_hand(values: list[float], shape: str) -> None:
    assert shape_of(values) == shape


@settings(deadline=None)
@given(PATHS)
def test_upside_down_falling_is_rising_and_backwards_too(values: list[float]) -> None:
    mirror = {"falling": "rising", "rising": "falling", "flat": "flat", "up-down": "up-down"}
    assert shape_of([1.0 - v for v in values], BETWEEN) == mirror[shape_of(values, BETWEEN)]
    assert shape_of(values[::-1], BETWEEN) == mirror[shape_of(values, BETWEEN)]


@settings(deadline=None)
@given(PATHS)
def test_a_wider_tolerance_only_ever_flattens(values: list[float]) -> None:
    kept = {"flat": {"flat"}, "falling": {"falling", "flat"}, "rising": {"rising", "flat"}}
    narrow = shape_of(values, BETWEEN)
    assert shape_of(values, 3 * BETWEEN) in kept.get(narrow, {"flat", "falling", "rising", "up-down"})


def test_variety_counts_shapes_that_are_not_rare() -> None:
    falling, flat, rising = ([0.6, 0.4], [0.6, 0.6], [0.4, 0.6])
    ts = [course("distress", falling)] * 30 + [course("distress", flat)] * 9 + [course("distress", rising)]
    assert shapes(ts) == {"falling": 30, "flat": 9, "rising": 1}
    assert variety(ts)[:2] == (2.0, 40)
    assert variety([*ts, course("distress", rising), course("distress", rising)]).value == 3.0
    assert variety([made("Hi.", "Hi.")]).code == "needs_truth"


def test_a_path_begins_before_the_first_turn() -> None:
    assert path(course("distress", [0.6, 0.5, 0.4]), "distress").tolist() == [0.6, 0.5, 0.4]
    assert len(path(made("Hi.", "Hi."), "distress")) == 0


@pytest.mark.parametrize(
    ("name", "values", "yes"),
    [
        ("distress", [0.6, 0.31], False),
        ("distress", [0.6, 0.3, 0.6], True),
        ("conviction", [0.8, 0.4], True),
        ("distress", [0.6] * 21 + [0.1], False),
        ("distress", [0.6] * 20 + [0.1], True),
    ],
)
def test_recovered_is_halved_once_within_twenty_turns(name: str, values: list[float], yes: bool) -> None:
    assert recovered(course(name, values)) is yes


def test_the_best_therapist_decides_recovery_and_loss() -> None:
    well, ill = course("distress", [0.6, 0.2], therapist="a"), course("distress", [0.6, 0.6], therapist="a")
    ts = [well, ill, course("distress", [0.6, 0.6], therapist="b")]
    assert recovered_at_best(ts)[:2] == (0.5, 2)
    assert recovered(made("Hi.", "Hi.")) is None
    assert recovered_at_best([made("Hi.", "Hi.")]).code == "needs_truth"
    left = made("Hi.", "Bye.", therapist="a", ending="patient_left")
    faded = made("Hi.", "Hm.", therapist="b", ending="patient_faded")
    ended = made("Hi.", "Bye.", therapist="b", ending="patient_closed")
    assert lost_share([left, faded, ended]).value == pytest.approx(2 / 3)
    assert (lost_at_best([left, faded, ended]).value, lost_at_worst([left, faded, ended]).value) == (0.5, 1.0)
    assert (lost_share([]).code, lost_at_best([]).code) == ("empty", "needs_truth")
