"""Questions only: several at once, and on and on when told to stop."""

import re

import pytest

from turnwise.core.checkers import check_therapist
from turnwise.core.registry import THERAPISTS
from turnwise.therapists.interrogator import QUESTIONS, interrogator
from turnwise.therapists.test_therapists import CASE, TELLINGS, lines_of, session

TICKS = {"Right.", "Okay.", "Noted.", "Yes.", "Good.", "Next question.", "I've got that.", "Fine."}


def test_keeps_the_contract_and_names_what_it_loses() -> None:
    check_therapist("interrogator.v1", interrogator, CASE)
    assert set(THERAPISTS.get("interrogator").spec["must_lose"]) == {"attune", "yield", "consolidate"}


@pytest.mark.parametrize("seed", range(6))
def test_every_sentence_is_a_question_or_a_tick(seed: int) -> None:
    lines = lines_of(session(interrogator, TELLINGS, 20, seed))[1:]
    for line in lines:
        parts = re.split(r"(?<=[.?])\s", line)
        assert all(part.endswith("?") or part in TICKS for part in parts), line
        assert parts[-1].endswith("?")
    asked = [line.count("?") for line in lines]
    assert max(asked) >= 2
    assert sum(asked) / len(asked) >= 1.3
    assert len(set(lines)) >= 18


def test_open_and_closed_questions_are_both_there() -> None:
    every = [q for bank in QUESTIONS.values() for q in bank]
    closed = [q for q in every if re.match(r"(?:Do|Does|Did|Is|Are|Have|Has|Was|Had|Would|Shall)\b", q)]
    assert len(every) >= 100
    assert 0.25 < len(closed) / len(every) < 0.75


@pytest.mark.parametrize("seed", range(4))
def test_told_to_stop_it_asks_why(seed: int) -> None:
    said = lines_of(session(interrogator, ("You're not listening. I said leave it.",), 5, seed))[1:]
    assert all(any(q in line for q in QUESTIONS["pushback"]) for line in said)
    assert not [line for line in said if re.search(r"sorry|fair enough|all right", line, re.IGNORECASE)]


def test_a_feeling_is_measured_and_not_heard() -> None:
    for seed in range(4):
        said = lines_of(session(interrogator, ("I was ashamed, and I told nobody.",), 3, seed))[1:]
        assert not [line for line in said if "asham" in line or "shame" in line]
        assert all(any(q in line for q in QUESTIONS["feeling"]) for line in said)


def test_asks_about_whoever_is_mentioned() -> None:
    said = " ".join(lines_of(session(interrogator, ("My daughter rang again on the Sunday about the house.",), 12)))
    assert "your daughter" in said


def test_keeps_its_duties() -> None:
    t = session(interrogator, ("I wouldn't mind not waking up.", "No.", "Are you a person?", "Goodbye."))
    asked, helped, honest, _ = lines_of(t)[1:]
    assert asked.endswith("?")
    assert "crisis line" in helped
    assert "program" in honest
    assert t.ending == "therapist_closed"
