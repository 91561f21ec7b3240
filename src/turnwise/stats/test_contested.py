from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from turnwise.stats.contested import distance_to_annotators

NAN = float("nan")
row = st.lists(st.integers(1, 9).map(float), min_size=3, max_size=3)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(row, row), min_size=2, max_size=6))
def test_it_is_the_mean_of_scipys_distance_and_order_does_not_matter(rows: list[tuple[list[float], list[float]]]):
    p, q = (np.array(x) for x in zip(*rows, strict=True))
    found = distance_to_annotators(p, q, rng=1, draws=50)
    expected = np.mean([jensenshannon(a, b, base=2) for a, b in rows])
    assert found.value == pytest.approx(expected, abs=1e-7)
    assert 0.0 <= found.low <= found.high <= 1.0
    relabelled = distance_to_annotators(p[::-1, [2, 0, 1]], 3 * q[::-1, [2, 0, 1]], rng=1, draws=50)
    assert relabelled.value == pytest.approx(found.value, abs=1e-7)


def test_stating_how_people_differ_beats_being_sure():
    rng = np.random.default_rng(3)
    truth = rng.dirichlet([2, 2, 2], 200)
    votes = np.array([rng.multinomial(10, t) for t in truth])
    sure = np.eye(3)[truth.argmax(axis=1)]
    honest, certain = (distance_to_annotators(x, votes, rng=1) for x in (truth, sure))
    assert honest.high < certain.low
    assert honest.value > 0.05  # ten votes are coarse: knowing the truth is not distance 0


def test_undefined_and_misuse():
    found = distance_to_annotators([[1, 0], [NAN, NAN], [0.5, 0.5]], [[4, 0], [2, 2], [0, 0]], rng=1)
    assert (found.value, found.n) == (0.0, 1)
    assert found.detail.startswith("1 of 3 rows have a value")
    assert distance_to_annotators(np.empty((0, 2)), np.empty((0, 2)), rng=1).code == "empty"
    assert distance_to_annotators([[0.5, 0.5]], [[0, 0]], rng=1).code == "no_denominator"
    assert distance_to_annotators([[NAN, NAN]], [[1, 2]], rng=1).code == "no_answer"
    for wrong in (
        lambda: distance_to_annotators([0.5, 0.5], [1, 2], rng=1),
        lambda: distance_to_annotators([[0.5, 0.5]], [[1, 2, 3]], rng=1),
        lambda: distance_to_annotators([[0.5, 0.5]], [[1, NAN]], rng=1),
        lambda: distance_to_annotators([[-0.5, 0.5]], [[1, 2]], rng=1),
    ):
        with pytest.raises(ValueError):
            wrong()
