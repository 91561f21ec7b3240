from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.stats.calibration import (
    adaptive_ece,
    auroc,
    brier,
    debiased_ece,
    ece,
    nll,
    null_ece,
    over_confidence,
    reliability,
)

# shared/measures.md §17
C = [0.95, 0.90, 0.85, 0.80, 0.70, 0.65, 0.60, 0.55, 0.55, 0.52]
Y = [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]


def test_golden_values() -> None:
    def golden(x: float) -> object:
        return pytest.approx(x, abs=1e-6)

    assert ece(C, Y, bins=10, min_n=1).value == golden(0.157)
    assert ece(C, Y, bins=15, min_n=1).value == golden(0.297)
    assert adaptive_ece(C, Y, bins=5, min_n=1).value == golden(0.307)
    assert brier(C, Y).value == golden(0.22229)
    assert nll(C, Y).value == golden(0.6324554)
    assert over_confidence(C, Y).value == golden(0.107)
    assert auroc(C, Y).value == golden(0.7291667)


def test_undefined_cases() -> None:
    assert ece(C, Y).code == adaptive_ece(C, Y).code == debiased_ece(C, Y, rng=1).code == "too_short"
    assert ece([], [], min_n=1).code == brier([], []).code == nll([], []).code == auroc([], []).code == "empty"
    assert auroc([0.5, 0.9], [1, 1]).code == "no_denominator"
    with pytest.raises(ValueError, match="outside"):
        ece([1.2], [1], min_n=1)
    with pytest.raises(ValueError, match="parallel"):
        brier([0.5, 0.5], [1])


def test_bins_are_right_closed_and_zero_belongs_to_the_first() -> None:
    found = reliability([0.0, 0.1, 0.3, 0.30000001, 1.0], [0, 0, 1, 1, 1])
    assert [(round(b.high, 1), b.n) for b in found] == [(0.1, 2), (0.3, 1), (0.4, 1), (1.0, 1)]


def test_the_null_shrinks_with_n_and_the_debiased_error_is_around_zero_for_a_calibrated_coder() -> None:
    rng = np.random.default_rng(3)
    small, large = (null_ece(rng.random(n), rng=1) for n in (100, 10_000))
    assert small.value > 5 * large.value
    assert large.low == 0.0 < large.value < large.high
    c = rng.random((200, 150))
    errors = [debiased_ece(row, rng.random(150) < row, rng=1, draws=100).value for row in c]
    assert abs(float(np.mean(errors))) < 0.005


def test_an_overconfident_coder_lies_outside_the_band() -> None:
    rng = np.random.default_rng(4)
    p = rng.random(500) * 0.4 + 0.5
    right = rng.random(500) < p - 0.15
    assert ece(p, right).value > null_ece(p, rng=1).high
    assert debiased_ece(p, right, rng=1).value > 0.08


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40), st.integers(1, 20))
def test_errors_are_bounded_and_do_not_depend_on_order(rows: list[tuple[float, bool]], bins: int) -> None:
    c, y = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    value = ece(c, y, bins=bins, min_n=1).value
    assert 0.0 <= value <= 1.0
    assert value >= abs(over_confidence(c, y).value) - 1e-9
    assert ece(c[::-1], y[::-1], bins=bins, min_n=1).value == pytest.approx(value)
    assert sum(b.n for b in reliability(c, y, bins=bins)) == len(c)
