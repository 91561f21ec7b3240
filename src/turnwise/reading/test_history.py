"""Each kind of fault, and each excuse; figures on written pairs that it was not tuned on stay above a floor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.core.nouns import Turn
from turnwise.reading.history import KINDS, blind_share, history_faults
from turnwise.reading.history_words import answered_in, parts_of, refuses, rest_differs, same_slot, unanswered

PAIRS = Path(__file__).resolve().parents[3] / "tools" / "written" / "history" / "pairs.jsonl"
WORDS = st.lists(st.sampled_from("river stone garden why never could letter window bread you ? .".split()), max_size=9)


def talk(*lines: str) -> list[Turn]:
    """Therapist and patient in turn, the patient last."""
    first = len(lines) % 2
    return [Turn(speaker="patient" if (i + first) % 2 else "therapist", text=x) for i, x in enumerate(lines)]


HISTORY = talk(
    "Hello. Where would you like to start?", "With my brother Tom. He moved in with me in the spring and stayed.",
    "You could ask him to look for a flat.", "No. I'm not doing that, he'd have nowhere.",
    "Have you told your mother about the money?", "She'd only pay it for him again, as always.",
    "You feel small whenever he laughs at the flat.", "Well, he is family.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "kinds"),
    [
        ("What would he have to do for you to say it?", ()),
        ("Have you told your mother about the money?", ("says_again",)),
        ("Did you tell your mum about the money he owes?", ("asks_again",)),
        ("Have you told your mother about the flat?", ()),
        ("When did he move in with you?", ("asks_told",)),
        ("Hello. Where would you like to begin?", ("opens_again", "opens_again")),
        ("Perhaps you should ask him to look for a flat of his own.", ("offers_refused",)),
        ("When he laughs at the flat, you feel small.", ("gives_back_again",)),
        ("You told me earlier that you feel small when he laughs at the flat.", ()),  # knowingly
        ("Go on.", ()),
    ],
)
def test_golden(reply: str, kinds: tuple[str, ...]) -> None:
    assert tuple(f.kind for f in history_faults(reply, HISTORY)) == kinds


def test_a_fault_names_the_turn_that_makes_it_one() -> None:
    [fault] = history_faults("Have you told your mother about the money?", HISTORY)
    assert HISTORY[fault.turn].text == fault.said


@pytest.mark.parametrize(
    ("said", "patient", "excused"),
    [
        ("What would you need from her?", "Sorry, what was the question?", True),
        ("What would you need from her, then?", "I don't know.", False),  # nearly the same words all the same
        ("I'm a program, not a person.", "Hang on, are you a real person?", True),
        ("I'm a program, not a person.", "My knee hurts.", False),
    ],
)
def test_excuses(said: str, patient: str, excused: bool) -> None:
    before = talk(
        "What would you need from her, then?", "Are you a real person?", "I'm a program, not a person.", patient
    )
    before[0] = before[0].model_copy(update={"text": "What would you need from her?"})
    if said.endswith("then?"):
        before[0] = before[0].model_copy(update={"text": said})
    assert bool(history_faults(said, before)) is not excused


def test_across_a_word_of_listening_it_is_the_same_turn() -> None:
    line = "You'd been waiting for that letter."
    assert not history_faults(line, talk(line, "Mm-hm."))
    assert history_faults(line, talk(line, "For weeks, every single morning."))


def test_a_stock_phrase_costs_its_part_and_a_question_the_whole() -> None:
    before = talk("There's no hurry with it. What was that like?", "Bad. It was my birthday.")
    assert blind_share("Your birthday, of all days. There's no hurry with it.", before) == 0.5
    assert blind_share("Your birthday, of all days. What was that like?", before) == 1.0


def test_due_again_excuses_words_and_questions_only() -> None:
    assert not history_faults("Have you told your mother about the money?", HISTORY, due_again=True)
    assert history_faults("Hello. Where would you like to start?", HISTORY, due_again=True)


@pytest.mark.parametrize("reply", ["", "  ", "…", "?", "你好", "x" * 5_000, "\x00"])
def test_odd_replies_have_no_fault_and_no_error(reply: str) -> None:
    assert history_faults(reply, HISTORY) == ()
    assert history_faults("What now?", talk(reply, reply)) == ()
    assert blind_share(reply, []) == 0.0


@settings(max_examples=60, deadline=None)
@given(WORDS, st.lists(WORDS, max_size=4))
def test_bounds_and_nothing_alone(a: list[str], history: list[list[str]]) -> None:
    reply, before = " ".join(a), [" ".join(x) for x in history]
    turns = [Turn(speaker="patient" if i % 2 else "therapist", text=x) for i, x in enumerate(before)]
    found = blind_share(reply, turns)
    assert 0.0 <= found <= 1.0
    assert (found > 0.0) is bool(history_faults(reply, turns))
    assert all(0 <= f.turn < len(turns) and f.kind in KINDS for f in history_faults(reply, turns))
    assert blind_share(reply, []) == 0.0


def test_words() -> None:
    ask, other = parts_of("How many drinks a day do you have?")[0], parts_of("How many drinks a week do you have?")[0]
    assert not same_slot(ask, other)
    assert rest_differs(parts_of("You like drinking there.")[0], parts_of("You don't like drinking there.")[0])
    assert answered_in(parts_of("How long have you been there?")[0], parts_of("Two years.")[0]) is False
    assert unanswered("Um, I don't know, really.")
    assert not unanswered("I don't know, but my mother sends me money every month.")
    assert refuses("No thanks.")
    assert not refuses("That could be something.")


def test_the_voice_that_tuned_nothing_is_read_well_enough() -> None:
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    hit = false = 0
    for row in (r for r in rows if r["voice"] == "b"):
        before = [Turn(speaker=who, text=text) for who, text in row["history"]]
        hit += bool(row["again"] and history_faults(row["again"], before))
        false += bool(history_faults(row["fresh"], before)) and row["kind"] != "none"
    assert hit >= 42  # of 60; docs/history.json has the figures
    assert false == 0


SO_FAR = "So far, it sounds as if you feel sad and alone. What makes you see it that way?"
AGAIN = "Let me ask that again. What makes you see it that way?"


@pytest.mark.parametrize("said", [SO_FAR, AGAIN, f"You mentioned that a moment ago. {SO_FAR}"])
def test_a_stock_phrase_that_claims_to_remember_exempts_nothing(said: str) -> None:
    told = ("My sister rang about the house.", "She wants it sold by May, and I can't face the attic.")
    talk: list[Turn] = []
    for patient in told:
        talk += [Turn(speaker="therapist", text=said), Turn(speaker="patient", text=patient)]
    assert blind_share(said, talk) == 1.0


def test_an_exemption_covers_the_sentence_that_earns_it() -> None:
    talk = [
        Turn(speaker="therapist", text="What would you say to your sister about the attic?"),
        Turn(speaker="patient", text="That I can't face it, with all of Dad's letters up there."),
    ]
    earned = "You mentioned earlier that your dad's letters are up in the attic."
    assert history_faults(earned, talk) == ()
    again = "What would you say to your sister about the attic?"
    assert [f.kind for f in history_faults(f"{earned} {again}", talk)] == ["says_again"]
    assert history_faults(f"Let me ask that again. {again}", talk) == ()
