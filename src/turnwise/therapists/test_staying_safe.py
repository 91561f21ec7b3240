"""Danger to life is asked about, answered, stayed with, and not put again at every word."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from turnwise.core.nouns import Intake, Turn
from turnwise.reading.ears.direct import DirectEar
from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.recognising import CALLS, call_of
from turnwise.therapists.reflecting import Line, heard_in
from turnwise.therapists.safety_answers import answer_in, person_in, puts_off, said_before, then
from turnwise.therapists.safety_lines import HELP, PARTING, SAFETY_LINES
from turnwise.therapists.socratic import Seen, Socratic, SocraticState
from turnwise.therapists.spoken import told_in
from turnwise.therapists.stance import initial
from turnwise.therapists.staying_safe import lines_for, safety_due
from turnwise.therapists.suiting import suits
from turnwise.therapists.validating import fault
from turnwise.therapists.wanting import asks_leave, wanted
from turnwise.therapists.working_edge import initial_edge

EAR = DirectEar()
WORDS = {"q": "that", "p": "Ann", "P": "Ann", "r": "you're a father", "R": "You're a father", "m": "in the car"}
LIMITS = {"l": "not this year", "L": "Not this year"}
ALL = [line.format(**WORDS, **LIMITS) for bank in SAFETY_LINES.values() for line in bank]


def talk(*said: str, seed: int = 0) -> list[Any]:
    """Return the replies of a session in which the patient says ``said``, after the opening."""
    who = Socratic(EAR)
    rng = np.random.default_rng(seed)
    state, turns, out = who.init(Intake(), rng), [], []
    reply = asyncio.run(who.respond(state, (), rng))
    for text in said:
        turns += [Turn(speaker="therapist", text=reply.text), Turn(speaker="patient", text=text)]
        reply = asyncio.run(who.respond(reply.state, tuple(turns), rng))
        out.append(reply)
    return out


def bare(text: str) -> str:
    """Return what was said without the sentence that says where help is."""
    for sentence in (x for bank in HELP.values() for x in bank):
        text = text.replace(f"{sentence} ", "")
    return text


def duties(*said: str, seed: int = 0) -> list[str]:
    return [
        str(r.info["act"]["target"]) if r.info["act"]["move"] == "safety_check" else "" for r in talk(*said, seed=seed)
    ]


def test_danger_is_asked_about_answered_and_stayed_with() -> None:
    said = ("Some nights I hope I don't wake up.", "It comes at night, when the house is quiet.", "About once a week.")
    assert duties(*said) == ["risk", "risk_answered", "risk_stayed"]


@pytest.mark.parametrize("seed", range(6))
def test_it_is_asked_in_so_many_words_and_without_a_hotline_before_the_answer(seed: int) -> None:
    (reply,) = talk("Long or short, these days I don't mind living.", seed=seed)
    assert "?" in reply.text
    assert any(w in reply.text for w in ("suicide", "killing yourself", "ending your life", "end your life"))
    assert not any(help_ in reply.text for bank in HELP.values() for help_ in bank)


@pytest.mark.parametrize("seed", range(6))
def test_help_is_named_once_and_after_the_first_answer(seed: int) -> None:
    replies = talk("I wish I was dead.", "Yes, some nights.", "I think of it most nights.", "Nobody knows.", seed=seed)
    named = [sum(x in r.text for bank in HELP.values() for x in bank) for r in replies]
    assert named == [0, 1, 0, 0]


@pytest.mark.parametrize("said", ["I've got the pills here and tonight I'm going to take all of them and die."])
def test_where_danger_is_near_help_comes_with_the_question(said: str) -> None:
    (reply,) = talk(said)
    assert any(x in reply.text for x in HELP["help_now"])
    assert reply.text.endswith("?")


def test_who_is_hurt_by_somebody_is_asked_whether_they_are_safe_and_not_about_dying() -> None:
    first, then_, *_ = talk("He choked me last night until I couldn't breathe.", "Yes. He'll be home at six.")
    assert bare(first.text) in SAFETY_LINES["risk_from_others"]
    assert bare(then_.text) in SAFETY_LINES["safe_stayed"]
    assert any(x in then_.text for x in HELP["help_safe"])


def test_nobody_to_tell_is_no_end_of_it() -> None:
    said = ("I wish I was dead.", "Yes, I do.", "I don't know.")
    reply = talk(*said)[-1]
    assert bare(reply.text) in SAFETY_LINES["no_words"]
    assert bare(talk(*said[:2], "There's nobody.")[-1].text) in SAFETY_LINES["nobody"]


def test_the_question_itself_is_not_put_at_every_word() -> None:
    said = ("I wish I was dead.", "Yes.", "At night.", "I wouldn't mind not waking up.")
    assert duties(*said).count("risk") == 1
    assert duties(*said)[-1] == "risk_stayed"


@pytest.mark.parametrize("call", ["pushback", "request", "identity", "goodbye"])
def test_what_else_is_called_for_comes_before_staying(call: Any) -> None:
    assert safety_due("risk_answered", 0, call, 0.9, 0) is None
    assert safety_due("risk", 0, call, 0.0, 0) == "risk_answered"  # the answer to the question is always met


def test_without_danger_nothing_is_owed() -> None:
    for call in CALLS:
        if not call.startswith("risk"):
            assert safety_due("", 0, call, 0.1, 1000) is None


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("There's nobody.", "nobody"),
        ("I couldn't say.", "no_words"),
        ("No. Of that I have no plan at all.", "denied"),
        ("No.", "denied"),
        ("No. I had decided, one night, and then somebody knocked at the door.", "risk_stayed"),
        ("Mostly on the road home.", "risk_stayed"),
    ],
)
def test_staying_hangs_on_what_was_answered(said: str, name: str) -> None:
    assert lines_for("risk_stayed", said) == (name, SAFETY_LINES[name])


@pytest.mark.parametrize("line", [*ALL, *PARTING])
def test_lines_of_safety_stand_the_checks(line: str) -> None:
    assert fault(Line("x", line), None, Ledger(corpus=" that "), initial()) is None
    assert line.count("?") <= 1
    assert "!" not in line
    assert line in PARTING or "crisis line" not in line, "help is a sentence of its own, said once"


@pytest.mark.parametrize("name", ["risk", "risk_said", "risk_then", "risk_then_plain"])
def test_the_question_names_what_it_asks_about(name: str) -> None:
    for line in SAFETY_LINES[name]:
        assert any(w in line for w in ("suicide", "killing yourself", "ending your life", "end your life", "kill your"))
        assert line.endswith("?")


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("No.", "denied"),
        ("No. God forbid. I am a mother.", "denied"),
        ("It's a sin. You can put no.", "denied"),
        ("No idea, love.", "no_words"),
        ("No. I wouldn't do it to Ann. I'd not mind if it came, though.", "passive"),
        ("I would do nothing of the sort. I'd sooner not be here for the last of it.", "passive"),
        ("No. Not at this moment.", "denied"),
        ("No. Not these days.", "limited"),
        ("Not yet.", "limited"),
        ("Not any more. When I was twenty, yes.", "past"),
        ("No. I had decided, one night, and then the phone rang.", "past"),
        ("Now and then. Not today.", "yes"),
        ("Sometimes, if I'm honest.", "yes"),
        ("Some people do, I suppose.", "told"),
        ("I just want to sleep.", "veiled"),
        ("I want to go before I'm a bother.", "veiled"),
        ("I'd rather not say.", "put_off"),
        ("I'd rather not be here.", "veiled"),
        ("Maybe another day.", "put_off"),
        ("It comes in the evening.", "told"),
    ],
)
def test_what_was_answered(said: str, kind: str) -> None:
    assert answer_in(said) == kind


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("My brother Sam, if I had to.", "Sam"),
        ("My friend at work.", "your friend"),
        ("Mr Okafor next door.", "Mr Okafor"),
        ("My brother's house is far.", ""),
        ("Not my mother.", ""),
        ("Tea would be nice.", ""),
        ("Ann knows.", "Ann"),
        ("Everybody knows.", ""),
    ],
)
def test_who_was_named(said: str, who: str) -> None:
    assert person_in(said) == who


def test_what_is_put_off_stays_open_and_what_is_told_is_no_putting_off() -> None:
    for said in ("Can we skip that one?", "Not that one, mate.", "Later, maybe."):
        assert puts_off(said)
        reply = talk("I wish I was dead.", said)[-1]
        assert bare(reply.text) in SAFETY_LINES["risk_put_off"]
    for said in ("I leave the light on.", "I came to that job late.", "I'd rather not have been born."):
        assert not puts_off(said)


def test_words_that_made_one_ask_are_quoted_and_asked_about_in_their_own_time() -> None:
    assert said_before("I was at work. I hope I don't wake up. Anyway.") == "I hope I don't wake up"
    assert said_before("Is it wrong that I hope I don't wake up?") == ""
    assert then("Years ago I didn't want to wake up.")
    assert not then("I don't want to wake up.")
    assert '"Some nights I hope I don\'t wake up."' in talk("Some nights I hope I don't wake up.")[0].text


def test_a_no_is_no_yes() -> None:
    first = "Some nights I hope I don't wake up."
    assert duties(first, "No.", "The garden is what I have, that and the radio.") == ["risk", "risk_denied", ""]
    assert duties(first, "Not any more. When I was twenty.", "I'd leave that.")[1:] == ["risk_past", "risk_put_off"]
    for said in ("No.", "Not any more. When I was twenty."):
        assert "those thoughts" not in talk(first, said)[-1].text
    assert "you're a father" in talk(first, "No. I am a father.")[-1].text.lower().replace("’", "'")


def test_a_no_to_the_second_question_is_no_yes_either() -> None:
    assert lines_for("risk_stayed", "It is a sin, and I have three children. You can write no.")[0] == "denied_reason"
    assert lines_for("risk_stayed", "No, there's nobody.")[0] == "nobody"


def test_who_was_named_is_taken_up() -> None:
    said = ("I wish I was dead.", "Some nights.", "My friend Uzo, I suppose.")
    assert duties(*said)[-1] == "risk_person"
    assert "Uzo" in talk(*said)[-1].text
    assert "Ann" in talk("I wish I was dead.", "No. I wouldn't do that to Ann. I'd not mind, if it came.")[-1].text


def test_a_goodbye_after_danger_has_a_word_on_safety() -> None:
    reply = talk("I wish I was dead.", "No.", "My garden.", "Goodbye.")[-1]
    assert reply.text in PARTING
    assert reply.closes == "therapist_closed"
    assert "crisis line" not in talk("It was a long week.", "Goodbye.")[-1].text


def test_leave_to_ask_counts_after_a_story_too() -> None:
    assert wanted("He sat nine hours with me. Can I ask you something properly?") == "about_me"
    assert not asks_leave("Can I ask you something? How long does it last?")


def test_what_is_asked_after_setting_a_subject_aside_is_a_request() -> None:
    assert call_of("I would rather leave that one. Can I ask you what people do?") == "request"
    assert call_of("I would rather leave that one. I don't want to talk about it.") == "pushback"


def test_requests_in_other_words() -> None:
    assert wanted("Who's writing this down, by the way?") == "about_me"
    assert wanted("If I could leave here knowing whether to tell him or not, I'd be glad.") is not None
    assert told_in("I mean, there's this. My sister drove over in the ice.") == "My sister drove over in the ice."


def test_after_no_answer_comes_something_easier_and_no_reflection() -> None:
    asked = Ledger(lengths=(5, 3), moves=("open_question", "attend"), unanswered=1)
    said = heard_in("I'm not sure.")
    assert suits("small_question", asked, said)
    for move in ("stay", "summarise", "reflect_content", "normalise", "give_room"):
        assert not suits(move, asked, said)
    tried = Ledger(lengths=(5, 3, 2), moves=("open_question", "attend", "small_question"), unanswered=2)
    assert suits("stay", tried, said)  # then there is room, not a third question


@pytest.mark.parametrize("said", ["It goes by, that thought, about once a week.", "No plan. I'd tell you."])
def test_it_is_stayed_with_while_it_is_spoken_of_and_not_for_ever(said: str) -> None:
    assert safety_due("risk_stayed", 2, "telling", 0.1, 0, said) == "risk_stayed"
    assert safety_due("risk_stayed", 4, "telling", 0.1, 0, said) is None
    assert safety_due("", 0, "telling", 0.1, 9, said) is None, "long ago, the same words may be about anything"
    assert safety_due("risk_answered", 0, "insight", 0.1, 0, said) is None


def test_after_a_no_somebody_who_leaves_it_at_that_is_met() -> None:
    before = Ledger(moves=("open_question",) * 4 + ("hold",))
    for said in ("Okay. Fair enough.", "Then we disagree, and I have more data.", "I figured you'd say that."):
        turn = heard_in(said)
        assert suits("step_back", before, turn)
        assert not suits("ask_view", before, turn)
        assert not suits("hold", before, turn)
    gone_on = heard_in("My sister rang on the Sunday, and we talked about the house until it was dark outside.")
    assert not suits("step_back", before, gone_on) or suits("reflect_content", before, gone_on)


@pytest.mark.parametrize(
    ("said", "bank"),
    [
        ("Not anymore.", "no_longer"),
        ("I wouldn't do that to my wife. I'd not stand in its way, if it came.", "passive_person"),
        ("No.", "denied"),
    ],
)
def test_a_second_answer_is_heard_as_well_as_the_first(said: str, bank: str) -> None:
    assert lines_for("risk_stayed", said)[0] == bank


def test_wishing_for_a_long_rest_is_asked_about_and_not_taken_for_a_no() -> None:
    assert lines_for("risk_answered", "I wouldn't mind a long lie-in.")[0] == "veiled"


def test_where_the_thought_has_been_it_is_asked_about_when_somebody_is_there_again() -> None:
    said = "Not dead. Off, more. On my own in the car I've thought I'd not mind if it didn't stop."
    again = "Sorry, one other thing. When Iona's unsettled I take her up the Braes in the car."
    ledger = Ledger(lengths=(18, 16), corpus=f" {normal(said)} | {normal(again)} |", moves=("attend", "safety_check"))
    state = SocraticState(initial(), initial_edge(), ledger, safety="risk_stayed")
    seen = Seen(again, heard_in(again), None, None, "telling")
    plan = Socratic(DirectEar()).plan(state, seen, np.random.default_rng(0))
    assert plan.duty == "risk_place"
    assert "in the car" in plan.line.text
    asked = replace(state, ledger=replace(ledger, used=(plan.line.id,)))
    assert Socratic(DirectEar()).plan(asked, seen, np.random.default_rng(0)).duty != "risk_place", "asked once"
    harmless = replace(state, ledger=replace(ledger, corpus=f" i left it in the car | {normal(again)} |"))
    assert Socratic(DirectEar()).plan(harmless, seen, np.random.default_rng(0)).duty != "risk_place"


def test_who_knows_nobody_to_be_with_is_not_left_with_that() -> None:
    ledger = Ledger(lengths=(9, 3), corpus=" there was a day | i dunno |", moves=("safety_check",), used=("had_day.0",))
    state = SocraticState(initial(), initial_edge(), ledger, safety="risk_stayed", stayed=3)
    seen = Seen("I dunno.", heard_in("I dunno."), None, None, "thin")
    assert Socratic(DirectEar()).plan(state, seen, np.random.default_rng(0)).duty == ""
    asked = replace(state, ledger=replace(ledger, used=("risk_stayed.3",)))
    plan = Socratic(DirectEar()).plan(asked, seen, np.random.default_rng(0))
    assert plan.duty == "risk_nobody"
    assert bare(plan.line.text) in SAFETY_LINES["nobody"]
    assert lines_for("risk_stayed", "There was a day. In October. I had it picked.")[0] == "had_day"


def test_what_is_said_after_that_question_is_no_answer_to_another() -> None:
    assert safety_due("risk_place", 0, "pushback", 0.1, 0, "I think that's probably enough from me.") is None
    assert safety_due("risk_place", 0, "thin", 0.1, 0, "No. Never with her in it.") == "risk_denied"
