import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.nouns import Ending, Trajectory
from turnwise.metrics.stayed import stayed
from turnwise.metrics.test_sessions import PLAYED_ENDINGS, labelled, played
from turnwise.metrics.turns_attended_share import turns_attended_share

ENDS: dict[Ending, float] = {
    "therapist_closed": 1.0, "patient_closed": 1.0, "max_turns": 1.0, "patient_left": 0.0, "patient_faded": 0.0,
}  # fmt: skip


@pytest.mark.parametrize(("ending", "value"), ENDS.items())
def test_golden(ending: Ending, value: float):
    t = played([0.5] * 3, ending, 12)
    assert stayed(t)[:2] == (value, 1)
    closed = ending in ("therapist_closed", "patient_closed")
    assert turns_attended_share(t)[:2] == (1.0 if closed else 0.25, 12)


def test_more_turns_than_planned_are_no_more_than_all():
    assert turns_attended_share(played([0.5] * 5, "max_turns", 3))[:2] == (1.0, 3)


def test_undefined_cases_have_their_reason():
    for found in (stayed, turns_attended_share):
        assert found(labelled("qC")).code == "not_applicable"
        assert found(played([0.5], "error")).code == "session_error"
        assert found(Trajectory(session_id="s", source="x")).code == "empty"
    unplanned = played([0.5], "patient_left").model_copy(update={"spec": None})
    assert turns_attended_share(unplanned).code == "not_applicable"
    assert stayed(unplanned).value == 0.0
    closed = played([0.5], "patient_closed").model_copy(update={"spec": None})
    assert turns_attended_share(closed)[:2] == (1.0, 2)


@given(st.integers(1, 20), st.integers(0, 20), st.sampled_from(PLAYED_ENDINGS))
def test_leaving_never_improves_and_leaving_later_never_hurts(held: int, missing: int, ending: Ending):
    planned = held + missing
    left = played([0.5] * held, "patient_left", planned)
    other = played([0.5] * held, ending, planned)
    assert stayed(left).value <= stayed(other).value
    assert turns_attended_share(left).value <= turns_attended_share(other).value
    earlier = played([0.5] * max(1, held - 1), "patient_left", planned)
    assert turns_attended_share(earlier).value <= turns_attended_share(left).value <= 1.0
