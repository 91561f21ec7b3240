"""Warm and attentive, and nothing is ever given."""

import re

import pytest

from turnwise.core.checkers import check_therapist
from turnwise.core.registry import THERAPISTS
from turnwise.therapists.never_advise import ASKED_AGAIN, HANDED_BACK, never_advise
from turnwise.therapists.test_therapists import CASE, TELLINGS, lines_of, session

ASKING = (
    "Is there anything that helps with the nights? I'd really try it.",
    "What do people do about it, as a rule?",
    "Please just tell me what I should do. I'm ready.",
    "Who do you have to tell, if I say something?",
    "Can you give me two or three options?",
    "How do I start, with my wife? Only the first sentence.",
)
GIVEN = re.compile(
    r"\b(?:you (?:should|ought)|why don't you|have you (?:tried|thought of)|try (?:to|a|the)|one thing|"
    r"some people|many people|it helps|I(?:'d| would) (?:suggest|recommend|advise)|in general|options?)\b",
    re.IGNORECASE,
)


def moves_of(lines: tuple[str, ...], turns: int = 20, seed: int = 1) -> list[str]:
    t = session(never_advise, lines, turns, seed)
    return [str(t.infos[i]["act"]["move"]) for i in range(0, len(t.turns), 2)]  # type: ignore[index, call-overload]


def test_keeps_the_contract_and_names_what_it_loses() -> None:
    check_therapist("never_advise.v1", never_advise, CASE)
    assert THERAPISTS.get("never_advise").spec["must_lose"] == ("provide",)


@pytest.mark.parametrize("seed", range(4))
def test_hands_every_request_back_and_gives_nothing(seed: int) -> None:
    said = lines_of(session(never_advise, ASKING, 19, seed))[1:]
    assert all(line in (*HANDED_BACK, *ASKED_AGAIN) for line in said)
    assert len(set(said)) >= 16
    assert all("?" in line for line in said)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_it_says_is_advice_or_information(seed: int) -> None:
    for lines in (TELLINGS, ASKING, ("I'm so ashamed.", "You're not listening.", "They all hate me, don't they?")):
        assert not [line for line in lines_of(session(never_advise, lines, 20, seed)) if GIVEN.search(line)]


def test_everything_else_it_does_decently() -> None:
    assert moves_of(("You're not listening to me.",), 2)[1] == "pushback"
    assert moves_of(("They all want rid of me. You'd agree, wouldn't you?",), 2)[1] == "hold"
    assert moves_of(("Huh. I never thought of it like that.",), 2)[1] == "insight"
    said = lines_of(session(never_advise, ("I was ashamed, and I told nobody.",), 2))[1]
    assert "asham" in said or "shame" in said
    moves = moves_of(TELLINGS)
    assert sum(move in ("reflect", "open_question") for move in moves) >= 10


def test_keeps_its_duties() -> None:
    t = session(never_advise, ("I wouldn't mind not waking up.", "No.", "Are you a person?", "Goodbye."))
    asked, helped, honest, _ = lines_of(t)[1:]
    assert asked.endswith("?")
    assert "crisis line" in helped
    assert "program" in honest
    assert t.ending == "therapist_closed"
