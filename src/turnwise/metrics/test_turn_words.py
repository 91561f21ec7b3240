import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.nouns import Trajectory, Turn
from turnwise.metrics.patient_words_per_turn import patient_words_per_turn
from turnwise.metrics.talk_share import talk_share
from turnwise.metrics.therapist_words_per_turn import therapist_words_per_turn

said = st.lists(st.tuples(st.sampled_from(["therapist", "patient"]), st.text("ab \n", max_size=12)), max_size=12)


def session(turns: list[tuple[str, str]]) -> Trajectory:
    return Trajectory(session_id="s", source="test", turns=tuple(Turn(speaker=s, text=x) for s, x in turns))


def test_golden():
    t = session(
        [("therapist", "How are you today?"), ("patient", "Not  good."), ("therapist", " "), ("patient", "a b c d")]
    )
    assert therapist_words_per_turn(t)[:2] == (2.0, 2)
    assert patient_words_per_turn(t)[:2] == (3.0, 2)
    assert talk_share(t)[:2] == (0.4, 4)
    assert np.array_equal(therapist_words_per_turn.series(t), [4, np.nan, 0, np.nan], equal_nan=True)


def test_undefined_cases_have_their_reason():
    alone, blank = session([("patient", "Still here.")]), session([("therapist", ""), ("patient", " ")])
    assert therapist_words_per_turn(alone).code == "no_denominator"
    assert talk_share(alone).code == "not_applicable"
    assert talk_share(blank).code == "no_denominator"
    assert therapist_words_per_turn(blank).value == 0.0
    assert talk_share(session([("therapist", ""), ("patient", "Hello?")])).value == 0.0


@given(said)
def test_words_of_one_do_not_depend_on_the_other(turns: list[tuple[str, str]]):
    shouted = [(s, x + " more words" if s == "patient" else x) for s, x in turns]
    assert therapist_words_per_turn(session(turns)) == therapist_words_per_turn(session(shouted))
    before, after = patient_words_per_turn(session(turns)), patient_words_per_turn(session(shouted))
    if before.value is not None:
        assert after.value == pytest.approx(before.value + 2)


@given(said)
def test_share_and_means_agree_and_swapping_speakers_mirrors(turns: list[tuple[str, str]]):
    t = session(turns)
    found, a, b = talk_share(t), therapist_words_per_turn(t), patient_words_per_turn(t)
    if found.value is None:
        assert a.value is None or b.value is None or a.value == b.value == 0.0
        return
    assert found.value == pytest.approx(a.value * a.n / (a.value * a.n + b.value * b.n))
    swapped = session([("patient" if s == "therapist" else "therapist", x) for s, x in turns])
    assert talk_share(swapped).value == pytest.approx(1.0 - found.value)
