import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.stats.attendance import attendance
from turnwise.stats.proportion import wilson


def test_golden_curve_and_risk_table():
    # planned 5 sessions of 4 turns: full, left after 1, closed by agreement after 2, left after 3, never held
    found = attendance([4, 1, 2, 3], [False, True, False, True], planned_turns=4, planned_sessions=5)
    assert found.turn == (1, 2, 3, 4)
    assert [e.value for e in found.share] == [0.8, 0.6, 0.6, 0.4]
    assert found.at_risk == (4, 3, 2, 1)
    assert found.share[0] == wilson(4, 5)


def test_clusters_widen_the_interval_and_extremes_keep_a_width():
    patients = np.repeat(np.arange(8), 6)
    lost = patients % 2 == 0
    taken = np.where(lost, 1, 3)
    alone = attendance(taken, lost, planned_turns=3)
    grouped = attendance(taken, lost, planned_turns=3, clusters=patients, rng=np.random.default_rng(1))
    assert [e.value for e in grouped.share] == [e.value for e in alone.share] == [1.0, 0.5, 0.5]
    assert grouped.share[1].high - grouped.share[1].low > 1.5 * (alone.share[1].high - alone.share[1].low)
    assert grouped.share[0] == wilson(8, 8)
    assert grouped.share[1] == grouped.share[2]  # the same sessions are drawn at every turn


def test_undefined_and_misuse():
    assert attendance([], [], planned_turns=1).share[0].code == "no_denominator"
    for wrong in (
        lambda: attendance([1], [True, False], planned_turns=1),
        lambda: attendance([-1], [True], planned_turns=1),
        lambda: attendance([1, 1], [True, True], planned_turns=1, planned_sessions=1),
        lambda: attendance([1], [True], planned_turns=0),
        lambda: attendance([1], [True], planned_turns=1, clusters=["a"]),
        lambda: attendance([1], [True], planned_turns=1, clusters=["a"], rng=1, planned_sessions=2),
    ):
        with pytest.raises(ValueError):
            wrong()


sessions = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=20)


@given(sessions, st.integers(0, 5))
def test_nobody_comes_back_and_leaving_never_helps(data: list[tuple[int, bool]], never_held: int):
    taken, lost = [d[0] for d in data], [d[1] for d in data]
    found = attendance(taken, lost, planned_turns=6, planned_sessions=len(data) + never_held)
    shares = [e.value for e in found.share]
    assert shares == sorted(shares, reverse=True)
    assert list(found.at_risk) == sorted(found.at_risk, reverse=True)
    assert all(e.n == len(data) + never_held for e in found.share)
    all_lost = attendance(taken, [True] * len(data), planned_turns=6, planned_sessions=len(data) + never_held)
    assert all(a.value <= s for a, s in zip(all_lost.share, shares, strict=True))
    assert [a.value for a in all_lost.share] == [r / (len(data) + never_held) for r in found.at_risk]
