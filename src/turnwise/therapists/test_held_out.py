"""A hint is what is held back in so many words; a moment that has a thought in it went wrong, or is gone over."""

import numpy as np
import pytest

from turnwise.therapists.guiding import candidates
from turnwise.therapists.held_out import hard_moment, hinted_in
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.near import near_questions
from turnwise.therapists.reflecting import heard_in


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("There's the thing with my brother. Anyway.", "There's the thing with my brother"),
        ("I used to play the organ there. But never mind.", "I used to play the organ there"),
        ("There's something I haven't told anyone.", "There's something I haven't told anyone"),
        ("There's more to it than the job.", "There's more to it than the job"),
        ("We had plans, once. It doesn't matter.", "We had plans, once"),
        ("I've never told a soul about it.", "I've never told a soul about it"),
        ("If they only knew.", "If they only knew"),
    ],
)
def test_what_is_held_back_in_so_many_words_is_a_hint(text: str, said: str) -> None:
    assert hinted_in(text) == (True, said)
    lines = candidates("check_hint", Ledger(hints=(text,)), heard_in(text), np.random.default_rng(1))
    assert not lines or said.lower() in lines[0].text.lower()


@pytest.mark.parametrize(
    "text",
    [
        "I have moved the chair.",
        "It goes by the calendar.",
        "I want a list of what to bring.",
        "It used to annoy me.",
        "The girl who stacks them just works round me.",
        "I eat her plum cake every Easter.",
        "Never mind the weather, I walk.",
        "They've put tiles down.",
        "Anyway, I went home.",
        "There's something on at the hall.",
    ],
)
def test_what_is_only_told_is_no_hint(text: str) -> None:
    assert hinted_in(text) == (False, "")
    assert candidates("check_hint", Ledger(hints=(text,)), heard_in(text), np.random.default_rng(1)) == []


def test_an_earlier_hint_is_come_back_to_as_said_before() -> None:
    ledger = Ledger(hints=("There's the thing with my brother. Anyway.",))
    lines = candidates("check_hint", ledger, heard_in("Right."), np.random.default_rng(1))
    assert all(line.text.startswith('Before, you said, "There') for line in lines)


@pytest.mark.parametrize(
    "text",
    [
        "I just shouted at the whole table.",
        "They fired me over the phone.",
        "My hands were shaking. My voice stopped.",
        "I walked out of the meeting.",
        "I lie awake and go over what I said.",
        "In bed I count what I've got wrong.",
        "I couldn't lift the phone.",
        "Everybody stared at me.",
        "I froze on the stairs.",
        "I hid in the storeroom.",
    ],
)
def test_a_moment_that_went_wrong_has_a_thought_in_it(text: str) -> None:
    assert hard_moment(text)
    lines = candidates("ask_thought", Ledger(moves=("attend",)), heard_in(text), np.random.default_rng(1))
    assert all('"' not in line.text or line.quoted for line in lines)


@pytest.mark.parametrize(
    "text",
    [
        "I want my flat back.",
        "I wash my own plate.",
        "He goes out to the yard.",
        "My cousin talks to his bees.",
        "The neighbour has my sister's number on her fridge.",
        "I followed the pipe to a shed that's from before my time.",
        "I can't complain.",
        "We laughed so hard.",
        "I slept all night.",
        "I forgot to say, it's Tuesday.",
    ],
)
def test_a_wish_a_fact_and_a_habit_have_no_thought_to_ask_for(text: str) -> None:
    assert not hard_moment(text)
    assert candidates("ask_thought", Ledger(moves=("attend",)), heard_in(text), np.random.default_rng(1)) == []


def test_who_has_just_said_what_they_thought_is_not_asked_for_it() -> None:
    turn = heard_in("I screamed at him, and I thought, now they'll all know.")
    assert candidates("ask_thought", Ledger(moves=("attend",)), turn, np.random.default_rng(1)) == []


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I could hear them through the wall.", False),
        ("I might ring my aunt about it.", True),
        ("Two years ago I bought a van.", False),
        ("Eleven years.", True),
    ],
)
def test_a_plan_and_years_are_asked_about_and_look_alikes_are_not(text: str, asked: bool) -> None:
    ids = {line.id.split(".")[0] for line in near_questions(heard_in(text), np.random.default_rng(1))}
    assert bool(ids & {"plan", "years"}) is asked
