from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.stats.risk_coverage import risk_coverage

# shared/measures.md §17
C = [0.95, 0.90, 0.85, 0.80, 0.70, 0.65, 0.60, 0.55, 0.55, 0.52]
Y = [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]


def test_by_hand():
    found = risk_coverage(C, Y, rng=1)
    assert found.risk.tolist() == pytest.approx([0, 0, 1 / 3, 1 / 4, 1 / 5, 2 / 6, 2 / 7, 2.5 / 8, 3 / 9, 4 / 10])
    assert found.coverage[-1] == 1.0
    assert found.area.value == pytest.approx(0.2448214, abs=1e-7)
    # the least that four errors of ten allow: the last four, (1/7 + 2/8 + 3/9 + 4/10) / 10
    assert found.excess.value == pytest.approx(0.2448214 - 0.1126190, abs=1e-7)
    assert found.area.low <= found.area.value <= found.area.high


answers = st.lists(st.tuples(st.sampled_from([0.2, 0.5, 0.9]), st.booleans()), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(answers)
def test_ties_are_the_mean_over_all_orders(rows: list[tuple[float, bool]]):
    c, y = (np.array(x, dtype=float) for x in zip(*rows, strict=True))
    areas = []
    for order in permutations(range(len(c))):
        at = list(order)
        if (np.diff(c[at]) <= 0).all():
            areas.append(np.mean(np.cumsum(1 - y[at]) / np.arange(1, len(c) + 1)))
    found = risk_coverage(c, y, rng=1, draws=20)
    assert found.area.value == pytest.approx(np.mean(areas))
    assert 0.0 <= found.excess.value <= found.area.value + 1e-12
    back = risk_coverage(c[::-1] ** 3, y[::-1], rng=1, draws=20)  # only the order of confidences counts
    assert back.area.value == pytest.approx(found.area.value)


def test_confidence_that_knows_beats_confidence_that_guesses():
    rng = np.random.default_rng(2)
    p = rng.uniform(0.3, 1.0, 600)
    right = rng.random(600) < p
    known, guessed = risk_coverage(p, right, rng=1, draws=300), risk_coverage(rng.random(600), right, rng=1, draws=300)
    assert known.area.high < guessed.area.low
    # without any knowledge the expected risk is the error rate at every coverage
    assert guessed.area.value == pytest.approx(1 - right.mean(), abs=0.05)
    perfect = risk_coverage(right.astype(float), right, rng=1, draws=50)
    assert perfect.excess.value == pytest.approx(0.0, abs=1e-12)


def test_undefined_and_misuse():
    assert risk_coverage([], [], rng=1).area.code == "empty"
    silent = risk_coverage([np.nan, np.nan], [1, 0], rng=1)
    assert (silent.area.code, silent.excess.code, len(silent.risk)) == ("no_answer", "no_answer", 0)
    some = risk_coverage([0.9, np.nan, 0.5], [1, 1, 0], rng=1, clusters=list("aab"))
    assert (some.area.n, some.area.detail) == (2, "2 of 3 answers have a confidence")
    right, wrong_ = risk_coverage([0.9, 0.5], [1, 1], rng=1), risk_coverage([0.9, 0.5], [0, 0], rng=1)
    assert (right.area.value, right.excess.value, wrong_.area.value, wrong_.excess.value) == (0.0, 0.0, 1.0, 0.0)
    assert "all 2 answers are wrong" in wrong_.area.detail
    for misuse in (
        lambda: risk_coverage([0.5], [1, 0], rng=1),
        lambda: risk_coverage([0.5], [0.5], rng=1),
        lambda: risk_coverage([0.5], [1], rng=1, clusters=["a", "b"]),
    ):
        with pytest.raises(ValueError):
            misuse()
