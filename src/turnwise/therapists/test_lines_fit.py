"""Every line of the banks can be said; what suits a turn comes before what is worth most; the nets."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.therapists import duties, giving, giving_back, guiding_lines, holding, meeting, near, offers, yielding
from turnwise.therapists.guiding import candidates, fallbacks
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.mattering import burdens, stake_of
from turnwise.therapists.pushing_back import objection_in, speaks_to_me
from turnwise.therapists.recognising import asks_leave, asks_why, call_of, owed, wanted
from turnwise.therapists.reflecting import Line, heard_in
from turnwise.therapists.seeing_anew import new_view, sees_anew
from turnwise.therapists.spoken import is_non_answer, is_preface, plain_speech, told_in
from turnwise.therapists.stance import initial
from turnwise.therapists.suiting import CLOSING, assents, suits
from turnwise.therapists.target_thoughts import thought_in
from turnwise.therapists.validating import fault
from turnwise.therapists.wording import people

BANKS = (
    *guiding_lines.LINES.values(), *meeting.MEETING.values(), *offers.OFFERED.values(), *yielding.NAMED.values(),
    *giving_back._BY_STAKE.values(), *near._ABOUT.values(), *near._PAST.values(), *duties.DUTY_LINES.values(),
    *(lines for table in (giving._INFO, giving._METHODS) for _, lines in table),
    offers.GO_AHEAD, offers.WHY_ASKED, yielding.STEP_BACK, yielding.STEP_BACK_PRESSED, giving._READERS,
    *holding._HELD.values(), holding._MISSED, giving_back._ANY, giving_back._JUDGED, giving_back._ECHO,
)  # fmt: skip


def _rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_every_line_of_every_bank_can_be_said() -> None:
    for line in (line for bank in BANKS for line in bank):
        plain = re.sub(r'"?\{\w+\}[.,]?"?', "that", line)
        assert fault(Line("x", plain), None, Ledger(), initial()) is None, line
        assert plain.count("?") <= 3


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("You never asked what I do on Sundays.", "unasked"),
        ("You are being careful.", "handled"),
        ("That's a diplomatic answer.", "evaded"),
        ("It's going so slow, this.", "slow"),
        ("I feel bad, taking up the whole hour.", "takes_up"),
        ("I think that's probably enough from me.", "leaves"),
        ("I'm not one of those people.", "dismissed"),
        ("No offence, but there you are.", "other"),
        ("Do they tell them, or do they leave them be?", None),
        ("There's music in my head at night.", None),
        ("I have read that for bad dreams there are ways.", None),
        ("I said leave it till the spring.", None),
        ("The ones who get anywhere get up early.", None),
    ],
)
def test_what_is_objected_to(text: str, kind: str | None) -> None:
    assert objection_in(text) == kind


def test_praise_is_no_pushback() -> None:
    assert not speaks_to_me("You're doing lovely.")
    assert not speaks_to_me("Because you can do something about a letter.")
    assert speaks_to_me("You said that last week as well.")


@pytest.mark.parametrize(
    ("text", "anew"),
    [
        ("Maybe he was only tired.", True),
        ("I wasn't angry. I was scared.", True),
        ("Turns out it was never the weather.", True),
        ("I sit there and I never clocked that before.", True),
        ("It's maybe nothing, but.", False),
        ("I've never thought about it.", False),
        ("They said maybe it's nerves.", False),
        ("I see it, and I cry.", False),
        ("Oh, she's fine.", False),
    ],
)
def test_a_new_view_is_told_from_a_story(text: str, anew: bool) -> None:
    assert sees_anew(text) is anew
    assert anew or candidates("consolidate", Ledger(), heard_in(text), _rng()) == []


def test_a_new_view_is_given_back_in_its_own_words() -> None:
    turn = heard_in("She came on the Monday. Maybe she was only worried.")
    lines = candidates("consolidate", Ledger(), turn, _rng())
    assert lines
    assert new_view(turn) in lines[0].text
    assert candidates("reflect_content", Ledger(), turn, _rng())[0].id.startswith("consolidate")


@pytest.mark.parametrize(
    "text",
    [
        "There's nothing more to it.", "I'd have to make something up.", "It's blank there.", "I have no view on that.",
        "I'm not good at those ones.", "I couldn't tell you, God forgive me.", "I should have to consider it.",
        "I have not reached that.", "Depends what time you ask me.", "Nobody's ever asked me that.",
    ],
)  # fmt: skip
def test_what_is_no_answer_is_neither_told_nor_a_thought(text: str) -> None:
    assert is_non_answer(text)
    assert told_in(text) == ""
    assert thought_in(heard_in(text), asked=True, distorted=True)[0] == ""
    for move in ("reflect_content", "attend", "ask_thought", "ask_exception"):
        assert candidates(move, Ledger(unanswered=1), heard_in(text), _rng()) == []


def test_a_negation_is_no_announcement() -> None:
    assert not is_preface("It's not the money thing.")
    assert is_preface("There's one thing.")


@pytest.mark.parametrize("text", ["I'm not being funny.", "I'm not against it.", "I want a word.", "I'd like to know."])
def test_no_thought_to_work_on(text: str) -> None:
    assert thought_in(heard_in(text), asked=False, distorted=False)[0] == ""


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("That's how it is everywhere, isn't it?", {"hold"}),
        ("Is there anything that helps with waking at five?", {"give"}),
        ("Be plain with me, please.", {"step_back", "give_room"}),
    ],
)
def test_what_is_called_for_in_so_many_words_comes_first(text: str, moves: set[str]) -> None:
    turn = heard_in(text)
    acts = (*guiding_lines.LINES, "give", "hold", "step_back", "attend", "reflect_content")
    fit = {m for m in acts if suits(m, Ledger(), turn)}
    assert fit == moves
    first = fallbacks(Ledger(), turn, _rng())[0]
    assert (
        any(first.text == line.text for m in moves for line in candidates(m, Ledger(), turn, _rng()))
        or "step_back" in moves
    )


def test_nothing_is_brought_to_an_end_right_after_risk_or_on_something_told() -> None:
    told, nod = heard_in("I sat in the car and I could not get out."), heard_in("Right.")
    assert not suits("take_away", Ledger(moves=("attend",)), told)
    assert suits("take_away", Ledger(moves=("attend",)), nod)
    assert not suits("take_away", Ledger(moves=("safety_check",)), nod)


def test_a_thought_is_not_tested_for_ever() -> None:
    turn = heard_in("He rang on Friday.")
    moves = ("ask_exception", "attend", "ask_alternative", "attend", "ask_exception", "attend")
    assert not suits("ask_exception", Ledger(moves=moves, thought="I'm no use"), turn)
    assert suits("ask_exception", Ledger(moves=moves[:3], thought="I'm no use"), turn)


def test_yes_to_a_reflection_keeps_its_subject() -> None:
    assert assents(Ledger(moves=("reflect_content",)), heard_in("Yes, that's so."))
    assert not assents(Ledger(moves=("agenda",)), heard_in("Yes, that's so."))


def test_hard_is_only_said_of_what_is_hard() -> None:
    assert burdens("I couldn't sleep at all")
    assert not burdens("I slept right through")
    for seed in range(20):
        for line in giving_back.given_back(heard_in("I slept right through the storm."), np.random.default_rng(seed)):
            assert "hard" not in line.text
            assert "wear on you" not in line.text


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("My son-in-law rang.", ()),
        ("Never thought of it.", ()),
        ("Dr Holt rang me.", ()),
        ("My sister said so.", ("your sister",)),
    ],
)
def test_people_are_people(text: str, who: tuple[str, ...]) -> None:
    assert people(text) == who


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("May I ask what it is for?", "about_me"),
        ("Can I ask you something properly?", "about_me"),
        ("How does one tell a cold from the flu?", "info"),
        ("Is that a bad thing to say?", None),
    ],
)
def test_small_questions_about_the_talk_are_answered(text: str, kind: str | None) -> None:
    assert wanted(text) == kind
    assert kind is None or candidates("give", Ledger(), heard_in(text), _rng())


def test_what_is_a_word_is_no_hesitation() -> None:
    assert plain_speech("I was in the ER again.") == "I was in the ER again."
    assert plain_speech("I was, er, late.") == "I was late."
    assert wanted("I ate it, because what do you do, you just leave it?") is None


def test_leave_and_purpose() -> None:
    assert asks_leave("Could I ask you something?")
    assert asks_why("Is that for your notes?")
    assert not asks_why("What is the bus fare?")


def test_a_decision_is_helped_with_and_not_made() -> None:
    lines = candidates("give", Ledger(), heard_in("What I want to know is whether to sell the house."), _rng())
    assert lines
    assert all(line.id.startswith("offer.decide") for line in lines)


def test_who_is_speaking_comes_before_what_is_remembered() -> None:
    assert owed("Am I speaking, so to say, with a person? And will you remember any of this next week?") == "identity"


def test_furniture_does_not_matter() -> None:
    assert stake_of("there's boots in my trunk") == ""
    assert stake_of("I was sent by my manager") == ""
    assert stake_of("I threw up before the shift") == "body"


@given(st.text(max_size=200))
def test_any_turn_gets_a_fallback_that_needs_no_more_than_was_said(text: str) -> None:
    turn = heard_in(text)
    for line in fallbacks(Ledger(), turn, _rng())[:3]:
        assert line.text.strip()
    assert call_of(text) == call_of(text)


def test_near_the_end_what_is_taken_along_is_asked_for_unless_something_was_just_told() -> None:
    late = Ledger(moves=("attend",), lengths=(5,) * CLOSING)
    last = replace(late, lengths=(5,) * (CLOSING + 1))
    told = heard_in("Everybody has his job at the yard.")
    assert suits("take_away", late, heard_in("At the yard."))
    assert suits("take_away", last, told)
    assert not suits("take_away", late, told)  # it gets one more turn
    for ledger in (late, last):
        assert not suits("take_away", ledger, heard_in("I drove to the lights, and I couldn't cross."))


def test_a_planned_question_waits_until_nothing_new_was_told() -> None:
    ledger = Ledger(moves=("attend",), thought="I'm no use")
    assert not suits("ask_alternative", ledger, heard_in("He rang on Friday."))  # the talk has left it
    assert suits("ask_alternative", replace(ledger, at_it=2), heard_in("He rang on Friday."))
    assert not suits("ask_alternative", ledger, heard_in("I drove to the lights, and I couldn't cross."))
    assert suits("ask_alternative", ledger, heard_in("I'm no use. I couldn't cross."))
    turned = Ledger(moves=("attend",), thought="I'm no use", turned=True)
    assert not suits("ask_alternative", turned, heard_in("She put a sign on the fridge."))
    assert not suits("synthesise", Ledger(moves=("attend",), thought="I'm no use", unanswered=1), heard_in("Dunno."))
