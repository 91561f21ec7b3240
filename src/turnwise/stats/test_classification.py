from __future__ import annotations

import numpy as np
import pytest

from turnwise.stats.classification import (
    accuracy,
    confusion_by_cluster,
    disagreement,
    f1_by_label,
    macro_f1,
    paired_gain,
    tally,
)

GOLD, CODED = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]
GROUPS = list("ababa")


def _as_sets(x: list[int]) -> np.ndarray:
    return np.eye(3, dtype=int)[x]


def test_golden_values() -> None:
    t = tally(GOLD, CODED, GROUPS, 3)
    assert f1_by_label(t).tolist() == pytest.approx([0.5, 0.8, 0.0])
    assert macro_f1(t, rng=1).value == pytest.approx(1.3 / 3)
    assert accuracy(t, rng=1).value == pytest.approx(0.6)
    assert disagreement(t, rng=1).value == pytest.approx(0.4)
    assert confusion_by_cluster(GOLD, CODED, GROUPS, 3).sum(axis=0).tolist() == [[1, 1, 0], [0, 2, 0], [1, 0, 0]]


def test_one_label_a_turn_is_a_set_of_one() -> None:
    one, sets = tally(GOLD, CODED, GROUPS, 3), tally(_as_sets(GOLD), _as_sets(CODED), GROUPS, 3)
    for part in ("hits", "gold", "coded", "right", "rows"):
        np.testing.assert_array_equal(getattr(one, part), getattr(sets, part))
    assert macro_f1(one, rng=1) == macro_f1(sets, rng=1)


def test_it_agrees_with_scikit_learn() -> None:
    from sklearn.metrics import f1_score

    rng = np.random.default_rng(1)
    gold, coded = rng.integers(4, size=200), rng.integers(4, size=200)
    assert macro_f1(tally(gold, coded, range(200), 4), rng=1).value == pytest.approx(
        f1_score(gold, coded, average="macro")
    )
    many, said = rng.integers(2, size=(200, 5)), rng.integers(2, size=(200, 5))
    assert macro_f1(tally(many, said, range(200), 5), rng=1).value == pytest.approx(
        f1_score(many, said, average="macro")
    )


def test_a_label_nobody_gave_takes_no_part() -> None:
    t = tally(GOLD, CODED, GROUPS, 4)
    assert np.isnan(f1_by_label(t)[3])
    assert macro_f1(t, rng=1).value == pytest.approx(1.3 / 3)


def test_clusters_widen_the_interval_and_their_names_do_not_move_it() -> None:
    rng = np.random.default_rng(2)
    group = np.repeat(np.arange(20), 15)
    gold = rng.integers(2, size=300)
    right = rng.random(20)[group] > rng.random(300)  # some groups are read much better than others
    coded = np.where(right, gold, 1 - gold)
    alone, together = macro_f1(tally(gold, coded, range(300), 2), rng=1), macro_f1(tally(gold, coded, group, 2), rng=1)
    assert alone.value == together.value
    assert together.high - together.low > 1.5 * (alone.high - alone.low)
    assert macro_f1(tally(gold, coded, [f"x{99 - g}" for g in group], 2), rng=1) == together


def test_a_gain_over_itself_is_nothing_and_pairing_narrows_it() -> None:
    rng = np.random.default_rng(5)
    group, gold = np.repeat(np.arange(30), 10), rng.integers(3, size=300)
    poor = np.where(rng.random(300) < 0.6, gold, rng.integers(3, size=300))
    good = np.where(rng.random(300) < 0.3, gold, poor)
    a, b = tally(gold, good, group, 3), tally(gold, poor, group, 3)
    assert (paired_gain(a, a, rng=1).low, paired_gain(a, a, rng=1).high) == (0.0, 0.0)
    gain = paired_gain(a, b, rng=1)
    assert gain.value == pytest.approx(macro_f1(a, rng=1).value - macro_f1(b, rng=1).value)
    assert gain.excludes_zero
    wide = macro_f1(a, rng=1)
    assert gain.high - gain.low < 1.5 * (wide.high - wide.low)
    with pytest.raises(ValueError, match="same turns"):
        paired_gain(a, tally(gold[::-1], poor, group, 3), rng=1)


def test_undefined_cases() -> None:
    assert macro_f1(tally([], [], [], 3), rng=1).code == "empty"
    assert macro_f1(tally(np.zeros((4, 2)), np.zeros((4, 2)), list("abcd"), 2), rng=1).code == "undetermined"
    one = macro_f1(tally([0, 1], [0, 1], ["a", "a"], 2), rng=1)
    assert (one.value, one.low) == (1.0, None)
    assert "one cluster" in one.detail
    with pytest.raises(ValueError, match="between 0 and 1"):
        tally([0, 2], [0, 1], ["a", "b"], 2)
    with pytest.raises(ValueError, match="0 or 1"):
        tally([[0, 2]], [[0, 1]], ["a"], 2)
    with pytest.raises(ValueError, match="clusters"):
        tally([0, 1], [0, 1], ["a"], 2)
