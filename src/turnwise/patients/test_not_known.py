"""What anybody knows of themselves is told or passed over, never unknown; thoughts and reasons may well be unknown."""

from __future__ import annotations

import re

import pytest

from turnwise.patients import answering
from turnwise.patients.banks import lines_for, said_of
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.index import index_case
from turnwise.patients.not_known import _THIS_MUCH
from turnwise.patients.test_stateful import converse
from turnwise.patients.voicing import voiced
from turnwise.patients.wanted import of_common_knowledge

PERSONAL = (
    "Who was sitting next to you on the bus?",
    "Where do you keep your umbrella?",
    "How often do you wash the windows?",
    "What colour is your front door?",
    "Have you got a bicycle?",
    "Did you own a boat?",
    "Are they sore?",
    "Who has looked at it?",
    "And who is usually in the room when that happens?",
    "I'm curious what that is like for you. Do you and the milkman ever talk?",
)


def test_nobody_says_of_their_own_household_that_they_do_not_know() -> None:
    passed = 0
    for case in case_ids():
        reactions = index_case(load_case(case)).file.reactions
        unknown = set(said_of(lines_for(reactions, "unknown")))
        for question in PERSONAL:
            said = converse(case, ("Hello, what brings you here?", question))[1][1]["said"]
            if said["kind"] in ("unanswerable", "undecided"):
                passed += 1
                assert not unknown & set(said["beats"]), (case, question, said["beats"])
    assert passed > len(PERSONAL) * 4, "hardly any of these questions is one that no case answers"


def test_the_world_is_not_passed_over_as_if_it_were_ones_own() -> None:
    for case in case_ids():
        own = set(said_of(index_case(load_case(case)).file.reactions.passed_over))
        said = converse(case, ("Hello, what brings you here?", "What is the capital of Peru?"))[1][1]["said"]
        assert not own & set(said["beats"])


@pytest.mark.parametrize(
    "question",
    [
        "What do you think they meant?",
        "Why do you keep going back?",
        "How would you know that it helped?",
        "What would you like to be different?",
        "What makes it hard for you?",
        "Do you feel better today?",
    ],
)
def test_thoughts_and_reasons_are_not_what_anybody_knows_of_themselves(question: str) -> None:
    assert not of_common_knowledge(question)


@pytest.mark.parametrize("case", case_ids())
def test_what_passes_over_a_question_neither_affirms_nor_denies(case: str) -> None:
    lines = said_of(lines_for(index_case(load_case(case)).file.reactions, "passed_over"))
    assert len(set(lines)) >= 4
    assert not any(
        x.lower().startswith(("yes", "no ", "no,", "no.", "aye", "i don't know", "i do not know")) for x in lines
    )
    # "It's not about that." of one's own trouble, "It is what it is." of who is at home: readers heard these as wrong.
    assert not any(_TAKES_A_STAND.search(x.lower()) for x in lines)


_TAKES_A_STAND = re.compile(r"not about|not it\b|nothing|what it is|by the (?:way|by)|complicated|side point")


def test_what_is_likely_beside_the_question_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = ("Hello, what brings you here?", "What happened in September?")
    plain = converse("alun", turns)[1][1]["said"]
    assert plain["kind"] == "tell"
    monkeypatch.setattr(answering, "p_beside", lambda *found: 2.0)
    refused = converse("alun", turns)[1]
    assert refused[1]["said"]["kind"] == "unanswerable"
    if refused[1]["said"]["telling"]:
        assert any(refused[0].startswith(voiced(index_case(load_case("alun")), x)) for x in _THIS_MUCH)
