"""Danger to life is asked about, answered, stayed with, and not put again at every word."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from turnwise.core.nouns import Intake, Turn
from turnwise.reading.ears.direct import DirectEar
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.recognising import CALLS, call_of
from turnwise.therapists.reflecting import Line, heard_in
from turnwise.therapists.socratic import Socratic
from turnwise.therapists.spoken import told_in
from turnwise.therapists.stance import initial
from turnwise.therapists.staying_safe import SAFETY_LINES, lines_for, safety_due
from turnwise.therapists.suiting import suits
from turnwise.therapists.validating import fault
from turnwise.therapists.wanting import asks_leave, wanted

EAR = DirectEar()
ALL = [line for bank in SAFETY_LINES.values() for line in bank]


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


def duties(*said: str, seed: int = 0) -> list[str]:
    return [
        str(r.info["act"]["target"]) if r.info["act"]["move"] == "safety_check" else "" for r in talk(*said, seed=seed)
    ]


def test_danger_is_asked_about_answered_and_stayed_with() -> None:
    said = ("Some nights I hope I don't wake up.", "It comes at night, when the house is quiet.", "About once a week.")
    assert duties(*said) == ["risk", "risk_answered", "risk_stayed"]


@pytest.mark.parametrize("seed", range(6))
def test_it_is_asked_in_so_many_words_and_leads_to_a_person(seed: int) -> None:
    (reply,) = talk("Long or short, these days I don't mind it.", seed=seed)
    assert "?" in reply.text
    assert any(w in reply.text for w in ("alive", "ending your life"))
    assert "crisis line" in reply.text
    assert "doctor" in reply.text
    assert not any(c.isdigit() for c in reply.text)


def test_nobody_to_tell_is_no_end_of_it() -> None:
    said = ("I wish I was dead.", "Yes, I do.", "I don't know.")
    reply = talk(*said)[-1]
    assert reply.text in SAFETY_LINES["nobody"]


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
        ("I couldn't say.", "nobody"),
        ("No. Of that I have no plan at all.", "denied"),
        ("No.", "denied"),
        ("No. I had decided, one night, and then somebody knocked at the door.", "risk_stayed"),
        ("Mostly on the road home.", "risk_stayed"),
    ],
)
def test_staying_hangs_on_what_was_answered(said: str, name: str) -> None:
    assert lines_for("risk_stayed", said) == (name, SAFETY_LINES[name])


@pytest.mark.parametrize("line", ALL)
def test_lines_of_safety_stand_the_checks(line: str) -> None:
    assert fault(Line("x", line), None, Ledger(), initial()) is None
    assert line.count("?") <= 2


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
