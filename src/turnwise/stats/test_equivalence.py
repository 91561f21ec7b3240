from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from turnwise.core.nouns import Estimate
from turnwise.stats.equivalence import judged, paired_equivalence, unpaired_equivalence

NAN = float("nan")


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        (0.02, 0.3, "superior"),
        (0.01, 0.05, "superior"),  # and equivalent: better, by too little to matter
        (-0.05, 0.05, "equivalent"),
        (-0.08, -0.01, "equivalent"),  # worse, by too little to matter
        (-0.05, 0.2, "non-inferior"),
        (-0.3, 0.3, "inconclusive"),
        (-0.3, -0.05, "inconclusive"),
        (-0.1, 0.05, "inconclusive"),  # an end on the margin is not inside it
        (-0.4, -0.2, "inferior"),
        (None, None, "inconclusive"),
        (0.05, 0.05, "inconclusive"),  # no width
    ],
)
def test_the_figure_of_consort(low: float | None, high: float | None, outcome: str):
    value = 0.0 if low is None or high is None else (low + high) / 2
    assert judged(Estimate(value, low, high, 0.95, 10, "given"), margin=0.1).outcome == outcome


def test_superior_by_too_little_is_also_equivalent():
    found = judged(Estimate(0.03, 0.01, 0.05, 0.95, 10, "given"), margin=0.1)
    assert (found.superior, found.equivalent, found.non_inferior, found.inferior) == (True, True, True, False)


scores = arrays(np.float64, 8, elements=st.floats(0, 1).map(lambda x: round(x, 3)))


@settings(max_examples=60, deadline=None)
@given(scores, scores, st.floats(0.02, 0.5))
def test_t_agrees_with_scipy_and_the_interval_with_both_tests(a: np.ndarray, b: np.ndarray, margin: float):
    if np.ptp(a - b) < 1e-6 or np.ptp(a) < 1e-6 or np.ptp(b) < 1e-6:
        return
    for found, test in (
        (paired_equivalence(a, b, margin=margin), lambda alt, m: stats.ttest_rel(a + m, b, alternative=alt)),
        (
            unpaired_equivalence(a, b, margin=margin),
            lambda alt, m: stats.ttest_ind(a + m, b, alternative=alt, equal_var=False),
        ),
    ):
        above, below = test("greater", margin).pvalue, test("less", -margin).pvalue
        assert found.p_non_inferior == pytest.approx(above, abs=1e-9)
        assert found.p_equivalent == pytest.approx(max(above, below), abs=1e-9)
        interval = test("two-sided", 0.0).confidence_interval(0.95)
        assert (found.difference.low, found.difference.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
        if abs(above - 0.025) > 1e-9:
            assert found.non_inferior == (above < 0.025)
        if abs(max(above, below) - 0.025) > 1e-9:
            assert found.equivalent == (max(above, below) < 0.025)


@settings(max_examples=25, deadline=None)
@given(scores, scores, st.permutations(range(8)), st.sampled_from([None, 1]))
def test_swapping_mirrors_and_order_does_not_matter(a: np.ndarray, b: np.ndarray, at: list[int], rng: int | None):
    forth, back = paired_equivalence(a, b, margin=0.2, rng=rng), paired_equivalence(b, a, margin=0.2, rng=rng)
    assert forth.equivalent == back.equivalent
    assert not (forth.superior and back.non_inferior and not forth.equivalent)
    if rng is None:
        moved = paired_equivalence(a[at], b[at], margin=0.2)
        assert moved.outcome == forth.outcome or abs(abs(forth.difference.low) - 0.2) < 1e-9


def test_bootstrap_and_t_tell_the_same_story_and_pairing_helps():
    rng = np.random.default_rng(8)
    patient = rng.normal(scale=0.3, size=60)
    a, b = patient + 0.05 * rng.normal(size=60), patient + 0.05 * rng.normal(size=60)
    by_t, drawn = paired_equivalence(a, b, margin=0.05), paired_equivalence(a, b, margin=0.05, rng=1)
    assert by_t.outcome == drawn.outcome == "equivalent"
    assert drawn.p_equivalent is None
    assert drawn.difference.low == pytest.approx(by_t.difference.low, abs=0.003)
    assert unpaired_equivalence(a, b, margin=0.05).outcome == "inconclusive"
    apart = unpaired_equivalence(a, b, margin=0.05, rng=1)
    assert apart.outcome == "inconclusive"
    assert apart.difference.low == pytest.approx(unpaired_equivalence(a, b, margin=0.05).difference.low, abs=0.02)
    together = unpaired_equivalence(a, b, margin=0.05, rng=1, clusters=(range(60), range(60)))
    assert together.outcome == "equivalent"  # the same patients in both arms are one cluster each


@pytest.mark.parametrize("pair", [True, False])
def test_claims_at_the_margin_are_as_rare_as_promised(pair: bool):
    """A therapist who is worse by exactly the margin is called non-inferior in alpha of the studies."""
    rng = np.random.default_rng(9)
    judge = paired_equivalence if pair else unpaired_equivalence
    called = sum(
        judge(rng.normal(-0.2, 1.0, 30), rng.normal(0.0, 1.0, 30), margin=0.2, alpha=0.05).non_inferior
        for _ in range(1500)
    )
    assert 0.03 < called / 1500 < 0.07


def test_undefined_missing_and_misuse():
    some = paired_equivalence([1.0, 0.5, NAN, 0.9], [0.9, 0.6, 1.0, 0.8], margin=0.5)
    assert (some.difference.n, some.difference.detail) == (3, "3 of 4 rows have a value")
    assert paired_equivalence([NAN], [1.0], margin=0.1).difference.code == "empty"
    assert unpaired_equivalence([NAN], [1.0], margin=0.1).difference.code == "empty"
    for lone in (
        paired_equivalence([1.0], [1.0], margin=0.1),
        paired_equivalence([1.0, 0.5], [0.9, 0.4], margin=0.5),
        unpaired_equivalence([1.0], [0.9, 0.8], margin=0.5),
        paired_equivalence([1.0, 1.0], [1.0, 1.0], margin=0.1, rng=1),
    ):
        assert lone.outcome == "inconclusive"
        assert lone.difference.value is not None
    gone = unpaired_equivalence([1.0, 0.5, NAN], [0.4, 0.6], margin=0.5, rng=1, clusters=(list("abc"), list("de")))
    assert gone.difference.detail == "4 of 5 scores have a value"
    for wrong in (
        lambda: paired_equivalence([1.0], [1.0], margin=0.0),
        lambda: paired_equivalence([1.0], [1.0, 2.0], margin=0.1),
        lambda: paired_equivalence([1.0], [1.0], margin=0.1, alpha=0.5),
        lambda: paired_equivalence([1.0, 2.0], [1.0, 1.0], margin=0.1, clusters=["a", "b"]),
        lambda: unpaired_equivalence([[1.0]], [1.0], margin=0.1),
        lambda: unpaired_equivalence([1.0], [1.0], margin=0.1, rng=1, clusters=(["a"], ["b", "c"])),
    ):
        with pytest.raises(ValueError):
            wrong()
