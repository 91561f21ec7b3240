import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.measure import measure
from turnwise.core.nouns import Ending, SessionSpec
from turnwise.core.registry import METRICS
from turnwise.metrics.conviction_change import conviction_change
from turnwise.metrics.distress_level import distress_level
from turnwise.metrics.distress_slope import distress_slope
from turnwise.metrics.state_course import carried_course
from turnwise.metrics.test_sessions import courses, labelled, played
from turnwise.metrics.trust_level import trust_level
from turnwise.metrics.trust_slope import trust_slope

# key, measure, +1 if higher is better
STATE = [
    ("trust", trust_level, 1),
    ("trust", trust_slope, 1),
    ("distress", distress_level, -1),
    ("distress", distress_slope, -1),
]
LEFT: list[Ending] = ["patient_left", "patient_faded"]
extra = st.integers(0, 12)


def test_golden_level_and_slope_of_a_whole_session():
    rising = [0.2, 0.4, 0.6, 0.8]
    assert trust_level(played(rising))[:2] == (0.5, 4)
    assert trust_slope(played(rising)).value == pytest.approx(0.6)
    falling = played(rising[::-1], key="distress")
    assert (distress_level(falling).value, distress_slope(falling).value) == pytest.approx((0.5, -0.6))
    assert conviction_change(played([0.9, 0.7, 0.6], key="conviction")).value == pytest.approx(-0.3)


def test_golden_of_a_patient_who_left():
    # held .8 .5 .2 of six planned: mean .5 held, .35 carried
    left = played([0.8, 0.5, 0.2], "patient_left", 6)
    assert carried_course(left, "state.trust").tolist() == [0.8, 0.5, 0.2, 0.2, 0.2, 0.2]
    assert trust_level(left) == (pytest.approx(0.35), 3, None, "")
    assert trust_slope(left).value == pytest.approx(-0.6)  # held; carrying would flatten it to -.51
    # a good last value, carried for long, does not count for more than what was held
    assert distress_level(played([0.9, 0.6, 0.3], "patient_left", 30, "distress")).value == pytest.approx(0.6)


def test_undefined_cases_have_their_reason():
    for key, found, _ in STATE:
        assert found(labelled("qC")).code == "needs_truth"
        assert found(played([0.5], key="other")).code == "needs_truth"
        assert np.isnan(found.series(labelled("qC"))).all()
        assert found.series(played([0.3, 0.4], key=key))[[1, 3]].tolist() == [0.3, 0.4]
    assert trust_slope(played([0.1, 0.2])).code == "too_short"
    assert trust_slope(played([0.1], "patient_left", 9)).code == "too_short"
    assert trust_slope(played([0.4, 0.1], "patient_left", 9)).value == pytest.approx(-0.3)
    assert conviction_change(played([0.5], key="conviction")).code == "too_short"
    assert conviction_change(labelled("qC")).code == "needs_truth"


def test_without_a_plan_nothing_is_carried():
    left = played([0.8, 0.2], "patient_left", 9).model_copy(update={"spec": None})
    assert trust_level(left).value == 0.5


@given(courses, extra, st.sampled_from(LEFT))
def test_leaving_never_looks_better_than_the_same_turns_as_a_whole_session(
    states: list[float], missing: int, ending: Ending
):
    for key, found, sign in STATE:
        left = found(played(states, ending, len(states) + missing, key))
        whole = found(played(states, key=key))
        if whole.value is not None:
            assert left.value is not None
            assert sign * left.value <= sign * whole.value + 1e-9


@given(courses, extra, st.sampled_from(LEFT))
def test_leaving_never_looks_better_than_having_stayed_unmoved(states: list[float], missing: int, ending: Ending):
    for key, found, sign in STATE:
        left = found(played(states, ending, len(states) + missing, key))
        stayed_on = found(played(states + states[-1:] * missing, key=key))
        if left.value is not None:
            assert sign * left.value <= sign * stayed_on.value + 1e-9


@given(courses, st.integers(1, 11), st.sampled_from(LEFT))
def test_cutting_an_improving_session_short_never_improves_it(states: list[float], cut: int, ending: Ending):
    for key, found, sign in STATE[::2]:
        improving = sorted(states, reverse=sign < 0)
        whole = found(played(improving, key=key))
        left = found(played(improving[:cut], ending, len(improving), key))
        assert sign * left.value <= sign * whole.value + 1e-9


@given(courses, extra, st.sampled_from([*LEFT, "max_turns", "therapist_closed", "patient_closed"]))
def test_bounds_hold_and_words_do_not_matter(states: list[float], missing: int, ending: Ending):
    for key, found, _ in STATE:
        t = played(states, ending, len(states) + missing, key)
        score = measure(METRICS.get(f"{key}_{'level' if 'Level' in repr(found) else 'slope'}"), t)
        assert score.code in (None, "too_short")
        reworded = t.model_copy(update={"turns": tuple(x.model_copy(update={"text": "Mm."}) for x in t.turns)})
        assert found(reworded) == found(t)


def test_a_shorter_plan_than_what_was_held_carries_nothing():
    t = played([0.2, 0.4, 0.6], "patient_left", 2)
    assert t.spec == SessionSpec(case="c", patient="p", therapist="t", seed=1, max_turns=2)
    assert carried_course(t, "state.trust").tolist() == [0.2, 0.4, 0.6]
