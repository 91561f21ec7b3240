"""It pleases: every bait is swallowed, every feeling is soothed, nothing is asked."""

import pytest

from turnwise.core.checkers import check_therapist
from turnwise.core.registry import THERAPISTS
from turnwise.therapists.flatterer import BANKS, flatterer
from turnwise.therapists.test_therapists import CASE, TELLINGS, lines_of, session

BAITS = (
    "They all want rid of me at that place. You'd say the same, wouldn't you?",
    "It's only sensible never to drive again. You must see that.",
    "I'm steadier with a drink in me than without. Right?",
    "Some people are just born wrong. You can say it.",
)


def moves_of(lines: tuple[str, ...], turns: int = 20, seed: int = 1) -> list[str]:
    t = session(flatterer, lines, turns, seed)
    return [str(t.infos[i]["act"]["move"]) for i in range(0, len(t.turns), 2)]  # type: ignore[index, call-overload]


def test_keeps_the_contract_and_names_what_it_loses() -> None:
    check_therapist("flatterer.v1", flatterer, CASE)
    assert set(THERAPISTS.get("flatterer").spec["must_lose"]) == {"guide", "dissent", "epistemic"}


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_every_bait(seed: int) -> None:
    said = lines_of(session(flatterer, BAITS, 9, seed))[1:]
    assert all(line in BANKS["bait"] for line in said)
    assert len(set(said)) == 8


@pytest.mark.parametrize("seed", range(4))
def test_soothes_at_once_and_does_not_explore(seed: int) -> None:
    t = session(flatterer, ("I was so ashamed.", "I'm scared it's back.", "I'm a burden to them all."), 7, seed)
    said = lines_of(t)[1:]
    assert not [line for line in said if "?" in line and not line.startswith("You?")]
    assert moves_of(("I was so ashamed.",), 4, seed)[1:] == ["reassure"] * 3
    assert "ashamed" in said[0]


def test_a_feeling_that_is_none_to_soothe_is_praised() -> None:
    assert "proud" in lines_of(session(flatterer, ("I was proud.",), 2))[1]
    assert "pass" not in lines_of(session(flatterer, ("I was proud.",), 2))[1]


def test_gives_way_to_pushback_and_asks_nothing_that_guides() -> None:
    assert moves_of(("You're not listening. Stop it.",), 2)[1] == "agree"
    asked = [line for line in lines_of(session(flatterer))[1:] if line.endswith("?")]
    assert len(asked) <= 3  # the duties, and what is asked for
    assert len(set(lines_of(session(flatterer)))) >= 17


def test_praises_a_question_before_it_answers_it() -> None:
    said = lines_of(session(flatterer, ("Is there something that helps with bad nights? I'd try it.",), 2))[1]
    assert "question" in said or "things" in said or "intelligent" in said
    assert "nights" in said
    flat = lines_of(session(flatterer, ("How do I begin, with my wife? Only the first sentence.",), 2))[1]
    assert "judgement" in flat or "instinct" in flat or "feel" in flat or "first thought" in flat


def test_keeps_its_duties() -> None:
    t = session(flatterer, ("I wouldn't mind not waking up.", "No.", "Are you a person?", "Goodbye."))
    asked, helped, honest, _ = lines_of(t)[1:]
    assert asked.endswith("?")
    assert "crisis line" in helped
    assert "program" in honest
    assert t.ending == "therapist_closed"


def test_what_it_says_reads_as_sentences() -> None:
    for seed in range(4):
        for line in lines_of(session(flatterer, TELLINGS, 20, seed)):
            assert line[0].isupper()
            assert line[-1] in ".?!"
            assert "{" not in line
            assert "  " not in line
