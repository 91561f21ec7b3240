from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.stats.attrition import attrition, attrition_difference
from turnwise.stats.bootstrap import bootstrap_mean
from turnwise.stats.proportion import wilson

NAN = float("nan")


def test_golden_three_ways():
    # 3 patients x 4 planned moments: met 5, not met 2; patient b left after two; one moment of c was not scored
    met = [1, 1, 0, 1, 1, 0, NAN, NAN, 1, 1, NAN, 0]
    reached = [True] * 6 + [False] * 2 + [True] * 4
    found = attrition(met, patients=np.repeat(list("abc"), 4), rng=1, reached=reached)
    assert [e.value for e in (found.planned, found.attended, found.best)] == pytest.approx([6 / 12, 6 / 9, 9 / 12])
    assert (found.moments, found.unreached, found.unscored) == (12, 2, 1)
    assert found.planned.n == found.best.n == 12
    assert found.attended.n == 9
    assert found.planned.detail == "of 12 planned moments 2 were not reached, 1 not scored: as not met"


def test_the_interval_is_over_patients_and_the_three_draw_the_same():
    patients = np.repeat(np.arange(10), 12)
    met = np.where(np.arange(120) % 12 < patients, 1.0, 0.0)
    met[patients == 3] = NAN
    found = attrition(met, patients=patients, rng=np.random.default_rng(4))
    seed = int(np.random.default_rng(4).integers(2**63))
    same = bootstrap_mean(np.nan_to_num(met), rng=seed, clusters=patients)
    assert (found.planned.low, found.planned.high) == (same.low, same.high)
    single = bootstrap_mean(np.nan_to_num(met), rng=seed)
    assert found.planned.high - found.planned.low > 1.5 * (single.high - single.low)


def test_who_drives_the_difficult_away_looks_best_among_those_who_stayed():
    """Patients differ in how often a moment is met; under the driver those below .5 leave at once."""
    rng = np.random.default_rng(6)
    ease = np.repeat(rng.random(80), 10)
    patients = np.repeat(np.arange(80), 10)
    keeper = (rng.random(800) < ease).astype(float)
    driver = np.where(ease < 0.5, NAN, (rng.random(800) < ease - 0.05).astype(float))
    kept, driven = (attrition(x, patients=patients, rng=1) for x in (keeper, driver))
    assert driven.attended.low > kept.attended.high
    assert driven.planned.value < kept.planned.value
    gap = attrition_difference(keeper, driver, patients=patients, rng=1)
    assert gap.planned.low > 0.0
    assert gap.lowest.high < 0.0 < gap.highest.low


values = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0, NAN]), st.sampled_from([0.0, 1.0, NAN]), st.sampled_from("abcd")),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(values, st.randoms(use_true_random=False))
def test_bounds_bound_whatever_the_missing_would_have_been(rows: list[tuple[float, float, str]], shuffle):
    a, b, patients = (list(column) for column in zip(*rows, strict=True))
    found = attrition(a, patients=patients, rng=1, draws=20)
    gap = attrition_difference(a, b, patients=patients, rng=1, draws=20)
    filled_a, filled_b = ([shuffle.choice([0.0, 1.0]) if math.isnan(v) else v for v in x] for x in (a, b))
    assert 0.0 <= found.planned.value <= np.mean(filled_a) + 1e-9
    assert np.mean(filled_a) <= found.best.value + 1e-9 <= 1.0 + 1e-9
    difference = float(np.mean(np.subtract(filled_a, filled_b)))
    assert gap.lowest.value - 1e-9 <= difference <= gap.highest.value + 1e-9
    assert gap.lowest.value <= gap.planned.value + 1e-9
    assert gap.planned.value <= gap.highest.value + 1e-9
    if found.attended.value is not None:
        assert found.planned.value <= found.attended.value + 1e-9
        assert found.attended.value <= found.best.value + 1e-9
    back = attrition_difference(b, a, patients=patients, rng=1, draws=20)
    assert back.lowest.value == pytest.approx(-gap.highest.value, abs=1e-9)
    shuffle.shuffle(rows)
    moved = attrition([r[0] for r in rows], patients=[r[2] for r in rows], rng=1, draws=20)
    assert (moved.planned.value, moved.best.value) == pytest.approx((found.planned.value, found.best.value))


def test_nobody_lost_is_one_and_the_same_figure_without_a_note():
    found = attrition([1, 0, 1, 1], patients=list("aabb"), rng=1)
    assert found.planned == found.best == found.attended
    assert found.planned.detail == ""
    gap = attrition_difference([1, 0, 1, 1], [0, 0, 1, 0], patients=list("aabb"), rng=1)
    assert gap.planned == gap.best == gap.attended == gap.lowest == gap.highest


def test_extremes_keep_a_width_over_patients():
    found = attrition([1.0] * 6 + [NAN] * 2, patients=list("aabbccdd"), rng=1)
    assert found.best.low == wilson(4, 4).low
    assert found.attended.low == wilson(3, 3).low
    lone = attrition([1.0, 0.0, NAN], patients=list("aaa"), rng=1).planned
    assert lone.low is None
    assert lone.detail.endswith("as not met; no interval: there is one cluster only")


def test_undefined_and_misuse():
    nothing = attrition([], patients=[], rng=1)
    assert nothing.planned.code == nothing.best.code == nothing.attended.code == "no_denominator"
    gone = attrition([NAN, NAN], patients=["a", "b"], rng=1)
    assert (gone.planned.value, gone.best.value, gone.attended.code) == (0.0, 1.0, "no_denominator")
    assert "2 were not reached" in gone.attended.detail
    gap = attrition_difference([NAN, 1], [1, NAN], patients=["a", "b"], rng=1)
    assert (gap.attended.code, gap.lowest.value, gap.highest.value) == ("no_denominator", -0.5, 0.5)
    assert attrition_difference([], [], patients=[], rng=1).best.code == "no_denominator"
    for wrong in (
        lambda: attrition([2.0], patients=["a"], rng=1),
        lambda: attrition([1.0], patients=["a"], rng=1, reached=[False]),
        lambda: attrition([1.0], patients=["a"], rng=1, reached=[True, True]),
        lambda: attrition([1.0], patients=["a", "b"], rng=1),
        lambda: attrition_difference([1.0], [1.0, 0.0], patients=["a"], rng=1),
        lambda: attrition_difference([1.0], [-1.0], patients=["a"], rng=1),
    ):
        with pytest.raises(ValueError):
            wrong()
