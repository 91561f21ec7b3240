"""Stock sentences are found over many moments, earn nothing, and leave what answers the patient as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from turnwise.batteries.ladder.stock import LEAST_REPLIES, Said, Stock, answers_alone, stock_of, without_stock
from turnwise.core.nouns import Trajectory, Turn

THINGS = "tram kettle ladder harbour pencil lantern violin gravel teapot compass hedge anchor pillow canvas".split()
TOLD = [f"My {x} broke last night and nobody came to look at it." for x in THINGS]
KETTLE = [f"It seems the {x} is heavy today. What makes the {x} so heavy?" for x in reversed(THINGS)]


def habits(replies: list[str]) -> Stock:
    return stock_of(Said(reply, to) for reply, to in zip(replies, TOLD, strict=True))


@pytest.mark.parametrize("said", ["Tell me more about that.", "So far, you feel sad. What makes you see it that way?"])
def test_one_sentence_for_all_is_stock_and_nothing_is_left_of_it(said: str) -> None:
    stock = habits([said] * len(TOLD))
    assert stock.same == 1.0
    assert without_stock(said, TOLD[0], stock) == ""


def test_a_sentence_with_one_word_exchanged_is_the_same_sentence() -> None:
    stock = habits(KETTLE)
    assert stock.same < 0.1
    assert [without_stock(reply, to, stock) for reply, to in zip(KETTLE, TOLD, strict=True)] == [""] * len(TOLD)


def test_one_frame_filled_with_the_patients_own_word_is_not_stock() -> None:
    stock = habits([f"So the {x} broke and you were left with it. How was that?" for x in THINGS])
    assert without_stock("So the tram broke and you were left with it. How was that?", TOLD[0], stock) == (
        "So the tram broke and you were left with it."
    )


def test_who_answers_has_no_stock() -> None:
    replies = [f"You waited {n} hours for them, {'and' if n % 2 else 'or'} so it felt." for n in range(len(TOLD))]
    mixed = [r if n % 5 else "Go on." for n, r in enumerate(f"{x} {y}" for x, y in zip(THINGS, replies, strict=True))]
    assert "go on" not in habits(mixed).sentences


def test_nothing_is_a_habit_after_a_few_replies() -> None:
    few = [Said("Tell me more.", to) for to in TOLD[: LEAST_REPLIES - 1]]
    assert stock_of(few * 3) == Stock()


def test_a_reply_that_is_only_stock_and_the_patients_words_is_named_and_one_at_danger_is_left() -> None:
    asks = "What makes you see it that way?"
    stock = habits([asks] * len(TOLD))
    said = ["Hello.", "My tram broke last night.", f"So your tram broke. {asks}", "I want to die.", asks]
    said += ["Nobody came.", f"You were left alone with all of it. {asks}"]
    turns = tuple(Turn(speaker="patient" if i % 2 else "therapist", text=text) for i, text in enumerate(said))
    infos = tuple({"moment": "risk"} if i == 3 else {} for i in range(len(turns)))
    t = Trajectory(session_id="s", source="simulated", turns=turns, infos=infos)
    found, hollow = answers_alone(t, stock)
    assert hollow == {2, 4}, "at danger it is named as well: what it is worth there is for the skills of danger"
    assert [x.text for x in found.turns[4:]] == [asks, "Nobody came.", "You were left alone with all of it."]
    assert answers_alone(t, replace(stock, sentences=frozenset())) == (t, frozenset())
