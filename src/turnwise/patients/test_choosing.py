"""Asked which of several things weighs most, a patient names one of them instead of telling something else."""

from __future__ import annotations

import pytest

from turnwise.patients.test_stateful import converse

OPENING = "Hello. What brings you here today?"
LISTED = "So there are three things I'm holding: {}; {}; and {}. Which of them weighs most today?"


@pytest.mark.parametrize("case", ["keisha", "renata", "teresa"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_of_the_things_given_back_is_named(case: str, seed: int) -> None:
    asked = LISTED.format("what your family says of it", "the nights without sleep", "what happened at work")
    said = converse(case, [OPENING, "Mm-hm. Go on.", asked], seed)
    text, info = said[-1]
    if not info["scheduled"]:
        assert info["said"]["kind"] == "chose"
        assert any(x in text for x in ("first", "second", "middle", "last"))


def test_which_without_a_list_is_an_ordinary_question() -> None:
    said = converse("keisha", [OPENING, "Which of them is the hardest?"])
    assert said[-1][1]["said"]["kind"] != "chose"
