from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from turnwise.core.nouns import Estimate
from turnwise.stats.intraclass import Intraclass, intraclass

# Shrout & Fleiss (1979), table 2: 6 targets x 4 judges.
TARGETS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)


def forms(found: Intraclass) -> list[Estimate]:
    return [found.one, found.two, found.three, found.one_mean, found.two_mean, found.three_mean]


def test_the_six_forms_of_shrout_and_fleiss():
    values = [e.value for e in forms(intraclass(TARGETS))]
    assert values == pytest.approx([0.17, 0.29, 0.71, 0.44, 0.62, 0.91], abs=5e-3)


def test_intervals_of_the_same_table_as_psych_prints_them():
    found = forms(intraclass(TARGETS))
    assert [e.low for e in found] == pytest.approx([-0.133, 0.019, 0.342, -0.884, 0.071, 0.676], abs=5e-4)
    assert [e.high for e in found] == pytest.approx([0.72, 0.76, 0.95, 0.91, 0.93, 0.99], abs=6e-3)


def apart_from_zero(x: np.ndarray) -> bool:
    """Whether what the two-way mean form is divided by is not 0 up to rounding, where order decides on which side."""
    n, k = x.shape
    rest = x - x.mean(axis=1, keepdims=True) - x.mean(axis=0) + x.mean()
    targets, raters = k * x.mean(axis=1).var(ddof=1), n * x.mean(axis=0).var(ddof=1)
    return bool(abs(targets + (raters - (rest**2).sum() / ((n - 1) * (k - 1))) / n) > 1e-9)


tables = arrays(np.float64, (5, 3), elements=st.integers(1, 7).map(float)).filter(
    lambda x: np.ptp(x.mean(axis=1)) > 0 and np.ptp(x - x.mean(axis=1, keepdims=True)) > 0 and apart_from_zero(x)
)


@settings(max_examples=60, deadline=None)
@given(tables, st.permutations(range(5)), st.permutations(range(3)), st.floats(0.5, 4), st.floats(-9, 9))
def test_order_and_unit_do_not_matter(x: np.ndarray, rows: list[int], raters: list[int], scale: float, shift: float):
    a, b = forms(intraclass(x)), forms(intraclass(scale * x[rows][:, raters] + shift))
    assert [e.code for e in a] == [e.code for e in b]
    for p, q in zip(a, b, strict=True):
        if p.value is not None:
            assert q.value == pytest.approx(p.value, abs=1e-6)
            assert p.value <= 1.0 + 1e-12
            assert p.low is None or p.low <= p.value + 1e-9
            assert p.value <= p.high + 1e-9


def test_spearman_brown_ties_single_to_mean_and_strictness_costs_agreement_only():
    base, strict = intraclass(TARGETS), intraclass(TARGETS + np.array([5.0, 0.0, 0.0, 0.0]))
    for single, mean in ((base.one, base.one_mean), (base.two, base.two_mean), (base.three, base.three_mean)):
        assert mean.value == pytest.approx(4 * single.value / (1 + 3 * single.value))
    assert strict.three.value == pytest.approx(base.three.value)
    assert strict.two.value != pytest.approx(base.two.value, abs=0.02)


def test_recovers_what_it_is_simulated_with_and_covers():
    """Variances 4 (targets), 1 (raters), 2 (rest): ICC(2,1) = 4/7; without raters ICC(3,1) = 4/6."""
    rng = np.random.default_rng(3)
    two, three, kept = [], [], np.zeros(3)
    for _ in range(300):
        targets, raters, rest = 2 * rng.normal(size=(25, 1)), rng.normal(size=(1, 6)), rng.normal(size=(25, 6))
        found = intraclass(targets + raters + np.sqrt(2) * rest)
        alone = intraclass(targets + np.sqrt(3) * rest)
        two.append(found.two.value)
        three.append(found.three.value)
        kept += [
            alone.one.low <= 4 / 7 <= alone.one.high,
            found.two.low <= 4 / 7 <= found.two.high,
            found.three_mean.low <= 24 / 26 <= found.three_mean.high,
        ]
    assert np.mean(two) == pytest.approx(4 / 7, abs=0.03)
    assert np.mean(three) == pytest.approx(2 / 3, abs=0.03)
    assert (kept / 300 > 0.91).all()
    assert (kept / 300 < 0.99).all()


def test_edges():
    perfect = intraclass([[1, 1], [2, 2], [3, 3]])
    assert [(e.value, e.high) for e in forms(perfect)] == [(1.0, 1.0)] * 6
    shifted = intraclass([[1, 2], [2, 3], [3, 4]])
    assert shifted.three.value == 1.0
    assert shifted.two.value == pytest.approx(2 / 3)
    opposed = intraclass([[1, 2], [2, 1], [1, 2], [2, 1]])
    assert opposed.one.value == -1.0
    assert opposed.one_mean.code == opposed.three_mean.code == "no_denominator"
    assert "differ less" in opposed.one_mean.detail


def test_the_absolute_form_keeps_its_value_inside_where_targets_differ_least():
    # Here the two parts of Satterthwaite's approximation nearly cancel: fewer than k - 1 degrees of freedom.
    found = intraclass([[1, 3, 2], *[[1, 1, 5]] * 4]).two
    assert found.value == pytest.approx(-0.0983607, abs=1e-6)
    assert found.low < found.value < found.high


def test_undefined_and_misuse():
    assert intraclass(np.full((3, 2), np.nan)).two.code == "empty"
    assert intraclass([[1, 2]]).two.code == intraclass([[1], [2]]).one.code == "too_short"
    assert intraclass([[3, 3], [3, 3]]).three.code == "no_denominator"
    missing = intraclass(np.vstack([TARGETS, [[1, np.nan, 2, 3]]]))
    assert (missing.two.n, missing.two.detail) == (6, "6 of 7 targets have every rating")
    assert missing.two.value == intraclass(TARGETS).two.value
    for wrong in (lambda: intraclass([1, 2]), lambda: intraclass([[1, np.inf]]), lambda: intraclass(TARGETS, level=1)):
        with pytest.raises(ValueError):
            wrong()
