import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from turnwise.stats.multiplicity import benjamini_hochberg, holm

# Benjamini & Hochberg (1995), section 4.1: at .05 their procedure rejects four, Bonferroni and Holm three.
PAPER = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
PAPER += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]


def test_the_example_of_the_paper():
    assert (benjamini_hochberg(PAPER) <= 0.05).sum() == 4
    assert (holm(PAPER) <= 0.05).sum() == 3


def test_values_of_r_p_adjust_derived_by_hand():
    # m p / rank, then the running minimum from the top: 15 p, 7.5 p, 5 p, 3.75 p, 3 p; the sixth
    # (2.5 x .0278 = .0695) takes over the seventh (15 x .0298 / 7 = .0638571).
    by_hand = [0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.0638571429, 0.0638571429, 0.0645]
    assert benjamini_hochberg(PAPER)[:8] == pytest.approx(by_hand, abs=1e-9)
    assert benjamini_hochberg([0.05, 0.01, 0.04, 0.02, 0.03]) == pytest.approx([0.05] * 5)
    # 5 x .01, 4 x .02, 3 x .03, then 2 x .04 = .08 and 1 x .05 lie below and take over .09
    assert holm([0.05, 0.01, 0.04, 0.02, 0.03]) == pytest.approx([0.09, 0.05, 0.09, 0.08, 0.09])


ps = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(ps, st.randoms(use_true_random=False))
def test_bounds_order_and_scipy(p: list[float], shuffle):
    x = np.array(p)
    bh, strict = benjamini_hochberg(x), holm(x)
    assert bh == pytest.approx(false_discovery_control(x), abs=1e-12)
    assert (x <= bh).all()
    assert (bh <= strict + 1e-12).all()
    assert (strict <= 1).all()
    at = list(range(len(p)))
    shuffle.shuffle(at)
    assert benjamini_hochberg(x[at]) == pytest.approx(bh[at])
    assert holm(x[at]) == pytest.approx(strict[at])


def test_what_could_not_be_tested_stays_undefined_and_still_counts():
    for adjust in (benjamini_hochberg, holm):
        found = adjust([0.01, math.nan, 0.02])
        assert np.isnan(found).tolist() == [False, True, False]
        assert found[[0, 2]] == pytest.approx(adjust([0.01, 0.02], planned=3))
        assert found[0] > adjust([0.01, math.nan, 0.02], planned=2)[0]  # the custom of R
        assert adjust([]).shape == (0,)


@pytest.mark.parametrize("p", [[-0.1], [1.1], [[0.1]]])
def test_nonsense_is_refused(p: list[float]):
    for adjust in (benjamini_hochberg, holm):
        with pytest.raises(ValueError):
            adjust(p)
        with pytest.raises(ValueError, match="planned"):
            adjust([0.1, 0.2], planned=1)


def test_false_alarms_are_kept_as_promised():
    """50 z tests, 40 of them without an effect: BH holds the share of false discoveries, Holm any false alarm."""
    from scipy.special import ndtr

    rng = np.random.default_rng(4)
    shift = np.where(np.arange(50) < 10, 3.0, 0.0)
    discoveries, alarms = [], 0
    for _ in range(400):
        p = 2 * ndtr(-np.abs(shift + rng.normal(size=50)))
        seen = benjamini_hochberg(p) <= 0.1
        discoveries.append(seen[10:].sum() / max(1, seen.sum()))
        alarms += (holm(p) <= 0.1)[10:].any()
    assert 0.05 < np.mean(discoveries) < 0.1  # at most q times the share of true nulls, .08
    assert 0.04 < alarms / 400 < 0.13
