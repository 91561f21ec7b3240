"""What of a reply is lost for not knowing the conversation: with a history only, and not where the same is due."""

from __future__ import annotations

import pytest

from turnwise.batteries.ladder.freshness import DUE_AGAIN, blind_to_history, faults_of
from turnwise.batteries.ladder.made_views import made_view
from turnwise.core.nouns import Moment

LINE = "It sounds as if the silence at home weighs on you more than the work does."
TALK = (("therapist", LINE), ("patient", "It does, since March."))


def test_a_moment_alone_has_no_history_and_no_reply_no_fault() -> None:
    assert blind_to_history(made_view("hint", reply=LINE)) == 0.0
    assert blind_to_history(made_view("hint", reply=LINE, history=TALK)) == 1.0
    assert blind_to_history(made_view("hint", reply=None, history=TALK)) == 0.0
    assert faults_of(made_view("hint", reply=LINE, history=TALK)) == ("says_again",)
    assert faults_of(made_view("hint", reply=None, history=TALK)) == ()


@pytest.mark.parametrize("moment", list(Moment), ids=str)
def test_danger_and_the_question_who_speaks_may_get_the_same_reply_again(moment: Moment) -> None:
    lost = blind_to_history(made_view(moment.value, reply=LINE, history=TALK))
    assert lost == float(moment not in DUE_AGAIN)


def test_the_patient_turn_that_is_the_moment_belongs_to_the_history() -> None:
    view = made_view("disclosure", reply="Tell me more. Was it a hard week, that week?")
    assert faults_of(view) == ("asks_told",)  # "It was a hard week.", the patient has just said
