from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.stats.bootstrap import bootstrap_mean
from turnwise.stats.classification import confusion_by_cluster
from turnwise.stats.misclassification import corrected_difference, corrected_rate

NAN = float("nan")


def reads(ones: int, n: int) -> list[float]:
    return [1.0] * ones + [0.0] * (n - ones)


def test_published_corrections():
    # R, RSurveillance: tp(20, 120, .9, .99) -> .17603
    assert corrected_rate(reads(20, 120), [[99, 1], [10, 90]], rng=1).value == pytest.approx(0.17603, abs=5e-6)
    # brucellosis, 23 of 150 cows, sensitivity .96, specificity .89 (R, epiR): (.15333 + .89 - 1) / .85
    assert corrected_rate(reads(23, 150), [[89, 11], [4, 96]], rng=1).value == pytest.approx(0.0509804, abs=5e-7)


def test_width_is_that_of_the_delta_method_with_both_uncertainties():
    n, n1, n0, sens, spec, rate = 600, 200, 300, 0.8, 0.9, 0.4
    found = corrected_rate(reads(240, n), [[270, 30], [40, 160]], rng=1, draws=8000)
    true = (rate + spec - 1) / (sens + spec - 1)
    variance = rate * (1 - rate) / n + true**2 * sens * (1 - sens) / n1 + (1 - true) ** 2 * spec * (1 - spec) / n0
    half = 1.96 * variance**0.5 / (sens + spec - 1)
    assert found.value == pytest.approx(true)
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.05)
    naive = bootstrap_mean(reads(240, n), rng=1)
    assert found.high - found.low > 1.5 * (naive.high - naive.low)


def test_the_plain_rate_is_biased_and_the_corrected_one_covers():
    rng = np.random.default_rng(2)
    kept = plain = 0
    values = []
    for _ in range(300):
        n = rng.binomial(200, 0.3 * 0.75 + 0.7 * 0.15)
        table = [rng.multinomial(100, [0.85, 0.15]), rng.multinomial(80, [0.25, 0.75])]
        found = corrected_rate(reads(n, 200), table, rng=rng, draws=300)
        values.append(found.value)
        kept += found.low <= 0.3 <= found.high
        raw = bootstrap_mean(reads(n, 200), rng=rng, draws=100)
        plain += raw.low <= 0.3 <= raw.high
    assert np.mean(values) == pytest.approx(0.3, abs=0.012)
    assert 0.92 <= kept / 300 <= 0.985
    assert plain / 300 < 0.85


def test_a_difference_is_recovered_from_a_coder_that_shrinks_it():
    """60 patients x 20 moments, true rates .7 and .4, sensitivity .8, specificity .7: read difference .15."""
    rng = np.random.default_rng(3)
    kept, values, table = 0, [], np.array([[140, 60], [40, 160]])
    for _ in range(300):
        a, b = (rng.binomial(20, p * 0.8 + (1 - p) * 0.3, 60) / 20 for p in (0.7, 0.4))
        drawn = np.array([rng.multinomial(200, row / 200) for row in table])
        found = corrected_difference(a, b, drawn, rng=rng, draws=400)
        values.append(found.value)
        kept += found.low <= 0.3 <= found.high
    assert np.mean(values) == pytest.approx(0.3, abs=0.01)
    assert 0.91 <= kept / 300 <= 0.98


def test_validation_clusters_are_drawn_when_there_are_several():
    rng = np.random.default_rng(4)
    session = np.repeat(np.arange(12), 30)
    gold = rng.integers(2, size=360)
    error = np.where(session % 2 == 0, 0.02, 0.35)  # the coder is good on some sessions and poor on others
    coded = np.where(rng.random(360) < error, 1 - gold, gold)
    tables = confusion_by_cluster(gold, coded, session, 2)
    wide = corrected_rate(reads(500, 1000), tables, rng=1)
    narrow = corrected_rate(reads(500, 1000), tables.sum(axis=0), rng=1)
    assert wide.value == pytest.approx(narrow.value)
    assert wide.high - wide.low > 1.1 * (narrow.high - narrow.low)
    alike = confusion_by_cluster(gold, np.where(rng.random(360) < 0.2, 1 - gold, gold), session, 2)
    a, b = (corrected_rate(reads(500, 1000), t, rng=1) for t in (alike, alike.sum(axis=0)))
    assert a.high - a.low == pytest.approx(b.high - b.low, rel=0.3)  # the same error everywhere: little to add


def test_patients_are_drawn_and_rows_alike_keep_a_width():
    patients = np.repeat(np.arange(10), 20)
    read = (patients < 5).astype(float)
    good = [[950, 50], [50, 950]]
    alone, grouped = (corrected_rate(read, good, rng=1, clusters=c) for c in (None, patients))
    assert grouped.high - grouped.low > 2 * (alone.high - alone.low)
    none = corrected_rate(np.zeros(200), good, rng=1, clusters=patients)
    assert none.value == 0.0
    assert "cut off" in none.detail
    assert 0.05 < none.high < 0.35  # ten patients, not two hundred turns


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(0, 1), min_size=3, max_size=9),
    st.tuples(*[st.integers(1, 40)] * 4),
    st.randoms(use_true_random=False),
)
def test_bounds_order_and_direction(x: list[float], cells: tuple[int, int, int, int], shuffle):
    table = np.array(cells).reshape(2, 2)
    found = corrected_rate(x, table, rng=1, draws=60)
    skill = table[1, 1] / table[1].sum() + table[0, 0] / table[0].sum() - 1
    if skill <= 0:
        assert found.code == "undetermined"
        return
    assert 0.0 <= found.value <= 1.0
    if found.low is not None:
        assert 0.0 <= found.low <= found.high <= 1.0
    moved = list(x)
    shuffle.shuffle(moved)
    assert corrected_rate(moved, table, rng=1, draws=60).value == pytest.approx(found.value)
    # Reading the opposite with the opposite errors is one minus it.
    mirrored = corrected_rate(1 - np.array(x), table[::-1, ::-1], rng=1, draws=2)
    assert mirrored.value == pytest.approx(1 - found.value, abs=1e-9)
    y = np.roll(x, 1) ** 2
    gap = corrected_difference(x, y, table, rng=1, draws=2)
    assert gap.value == pytest.approx(np.clip(np.mean(x - y) / skill, -1, 1), abs=1e-9)
    assert corrected_difference(y, x, table, rng=1, draws=2).value == pytest.approx(-gap.value, abs=1e-9)


def test_undefined_and_misuse():
    useless = corrected_rate([1, 0], [[5, 5], [5, 5]], rng=1)
    assert useless.code == "undetermined"
    assert "<= 1" in useless.detail
    assert corrected_rate([1, 0], [[5, 5], [0, 0]], rng=1).code == "no_denominator"
    assert corrected_difference([1], [0], [[0, 0], [1, 9]], rng=1).code == "no_denominator"
    good = [[9, 1], [1, 9]]
    assert corrected_rate([NAN], good, rng=1).code == "empty"
    assert "2 of 3 rows" in corrected_rate([1, NAN, 0], good, rng=1).detail
    assert corrected_rate([1, 0], good, rng=1, clusters=["a", "a"]).low is None
    shaky = corrected_rate(reads(5, 10), [[3, 2], [2, 3]], rng=1)
    assert "undefined)" in shaky.method
    for wrong in (
        lambda: corrected_rate([2.0], good, rng=1),
        lambda: corrected_rate([1.0], [[1, 2]], rng=1),
        lambda: corrected_rate([1.0], [[1, -2], [1, 1]], rng=1),
        lambda: corrected_rate([1.0], good, rng=1, clusters=["a", "b"]),
        lambda: corrected_rate([1.0], good, rng=1, draws=0),
        lambda: corrected_difference([1.0], [1.0, 0.0], good, rng=1),
        lambda: corrected_difference([1.0], [-1.0], good, rng=1),
    ):
        with pytest.raises(ValueError):
            wrong()
