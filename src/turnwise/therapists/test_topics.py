"""Questions speak of what was said, insights are quoted, and small talk slights nothing."""

import numpy as np
import pytest

from turnwise.therapists.guiding import candidates
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.meeting import MEETING
from turnwise.therapists.near import near_questions, tells_an_event, times, who_in
from turnwise.therapists.reflecting import heard_in
from turnwise.therapists.seeing_anew import new_view, sees_anew
from turnwise.therapists.topics import answered_with, defers, heavy_lately, topic_in, worth_returning


def _rng() -> np.random.Generator:
    return np.random.default_rng(11)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("I can't breathe at night.", True),
        ("I lie awake since the spring.", True),
        ("I feel ashamed of my hands.", True),
        ("I'm the captain of the darts team.", False),
        ("I feel somebody's listening to me.", False),
        ("I don't mind putting it.", False),
        ("I can't sleep in it.", False),
        ("I feel bad taking the whole hour.", False),
    ],
)
def test_only_what_weighs_and_stands_by_itself_is_come_back_to(text: str, worth: bool) -> None:
    assert any(worth_returning(p) for p in heard_in(text).phrases) is worth


@pytest.mark.parametrize(
    ("text", "said"),
    [("Chess.", "Chess"), ("A hospital.", "A hospital"), ("Fine.", ""), ("Yes, I do.", ""), ("I don't know.", "")],
)
def test_a_word_that_names_something_is_taken_up(text: str, said: str) -> None:
    assert answered_with(text) == said
    assert bool(candidates("open_question", Ledger(), heard_in(text), _rng())[0].quoted) is bool(said)


@pytest.mark.parametrize(
    "text", ["We can come to that later.", "Another day for that, mind.", "That one later, please."]
)
def test_what_is_put_off_is_neither_quoted_nor_asked_about(text: str) -> None:
    assert defers(text)
    for move in ("open_question", "ask_feeling", "small_question"):
        assert all(text[:-1] not in line.text for line in candidates(move, Ledger(), heard_in(text), _rng()))


def test_a_thing_is_named_only_where_it_is_clear_what_it_is() -> None:
    assert topic_in("I like answering the reviews.") == "the reviews"
    assert topic_in("At the end of the day.") == ""
    assert topic_in("A person comes and goes.") == ""


def test_then_is_asked_only_after_an_event() -> None:
    assert tells_an_event("I drove up to the lights and then I turned the car round.")
    assert not tells_an_event("I always took the stairs, and I came in every time.")
    assert not tells_an_event("I was sent by a doctor for my throat, and it needs a paper.")
    assert times("I may refuse hearings at eight in the morning.") is None
    assert times("I lie there in the morning.") == ("in the morning", True)


def test_a_word_that_opens_a_sentence_is_nobody() -> None:
    assert who_in("Being said no to. Being asked asks a lot of me.") == ()
    assert who_in("My sister rang.") == ("your sister",)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I skipped a question on your form.", "question"),
        ("Our people say a thing to each other.", "say"),
        ("Nine years.", "long"),
        ("It was all fixed up and nobody asked me.", "you"),
        ("Morag said she'd feel easier if I talked to somebody.", "yourself"),
    ],
)
def test_what_was_held_out_is_asked_for_first(text: str, asked: str) -> None:
    first = near_questions(heard_in(text), _rng())[0].text
    assert asked in first or "go" in first


def test_nobody_is_asked_how_things_stand_with_the_dead() -> None:
    lines = near_questions(heard_in("My wife died in March."), _rng())
    assert lines
    assert all("between you" not in x.text and "notice it first" not in x.text for x in lines)


def test_small_talk_does_not_slight_what_is_heavy() -> None:
    heavy = Ledger(corpus=" i owe them four thousand | i don't know |", unanswered=1)
    assert heavy_lately(heavy)
    light = set(MEETING["small_question"])
    found = candidates("small_question", heavy, heard_in("I don't know."), _rng())
    assert found
    assert all(not any(x in line.text for x in light) for line in found)


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("I thought I was mocking them, doing their walks. I think I just like them.", "I think I just like them"),
        (
            "It struck me on the tram, I pass forty windows a day, and never mean a thing.",
            "I pass forty windows a day, and never mean a thing",
        ),
        ("I called it manners, and on Sunday I was not sure.", "I called it manners, and on Sunday I was not sure"),
    ],
)
def test_an_insight_is_said_back_in_its_own_words(text: str, view: str) -> None:
    turn = heard_in(text)
    assert new_view(turn) == view
    assert view in candidates("consolidate", Ledger(), turn, _rng())[0].text


@pytest.mark.parametrize(
    "text",
    [
        "I thought, I'm going to have to die to be looked at.",
        "Better than I thought, I'm telling you. I'm not even selling you anything.",
        "Maybe you never listened. You never asked what I do on Sundays.",
    ],
)
def test_distress_and_complaints_are_no_insight(text: str) -> None:
    assert not sees_anew(text)


def test_nothing_is_taken_along_over_what_was_just_told() -> None:
    told = heard_in("I sat on the stairs and I couldn't get up.")
    ledger = Ledger(lengths=(9,) * 19, moves=("attend",))
    assert all("+" in line.id for line in candidates("take_away", ledger, told, _rng()))


def test_a_list_of_pleasantries_is_no_summary() -> None:
    turns = ("I'd like to sleep.", "I want the old job.", "I need a letter.")
    kept = tuple(heard_in(x).phrases[0] for x in turns)
    assert candidates("summarise", Ledger(kept=kept, moves=("stay",)), heard_in("Yes."), _rng()) == []


def test_an_earlier_hint_waits_while_something_is_told() -> None:
    ledger = Ledger(hints=("There's the money. Anyway.",))
    assert candidates("check_hint", ledger, heard_in("I lie awake and I can't breathe."), _rng()) == []


def test_a_short_answer_is_said_back_before_the_ending() -> None:
    ledger = Ledger(lengths=(9,) * 19, moves=("attend",))
    assert all(line.text.startswith('"Chess."') for line in candidates("take_away", ledger, heard_in("Chess."), _rng()))
