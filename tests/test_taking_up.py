"""A question is turned round as the person asked would put it, and taken up only where that reads as speech."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.conformance_turns import frozen_turns
from turnwise.patients.speech import habits
from turnwise.patients.taking_up import FORMS, Form, named, taken_up, unknown
from turnwise.patients.turning_round import Asked, asked, contracted

ROUND = (
    ("How do you manage, when it's at its worst?", "how I manage", "how do I manage"),
    ("What does that say about you, in your own eyes?", None, None),
    ("What would you want me to understand about that?", "what I would want you to understand", None),
    ("What brings you here today?", "what brings me here", "what brings me here"),
    ("What made you decide to come?", "what made me decide to come", None),
    ("When that happens, what thought comes first?", "what thought comes first", None),
    ("How often does it come up?", "how often it comes up", "how often does it come up"),
    ("What did you take it to mean?", "what I took it to mean", "what did I take it to mean"),
    ("What does your mum say about it?", "what my mum says about it", "what does my mum say about it"),
    ("What were you telling yourself at that moment?", "what I was telling myself", "what was I telling myself"),
    ("How is it to talk about that?", "how it is to talk about it", None),
    ("Who else knows how things are?", "who else knows how things are", None),
    ("When did you last have a good day?", "when I last had a good day", None),
)
LINES = sorted({s for u in frozen_turns().unplanned for s in re.findall(r"[^.?!]+\?", u.text)} | {q for q, *_ in ROUND})
ANSWERS = (
    "I go to the library.",
    "Tired. Behind the eyes.",
    "Since April.",
    "The mornings.",
    "What of it?",
    "So.",
    "...",
)


def _of(question: str) -> Asked:
    found = asked(question)
    assert found is not None, question
    return found


@pytest.mark.parametrize(("question", "clause", "echo"), ROUND)
def test_a_question_is_turned_round(question: str, clause: str | None, echo: str | None) -> None:
    found = asked(question)
    assert (found.clause if found else None) == clause
    assert echo is None or (found is not None and found.echo == echo)


@pytest.mark.parametrize(
    "question",
    [
        "Does that bother you?",  # a yes or no
        "What makes you think I am a machine?",  # about the therapist
        'What goes with "I am one more job"?',  # quoted
        "What does that dream suggest to you?",  # "that dream" is no "it"
        "How long have you been not sleeping?",  # broken
        "What do you do?",  # holds no word of content
    ],
)
def test_what_is_not_surely_understood_is_left(question: str) -> None:
    assert asked(question) is None


@given(st.sampled_from(LINES))
def test_nobody_is_taken_for_somebody_else(question: str) -> None:
    found = asked(question)
    if found is not None:
        for text in (found.clause, found.echo, found.noun):
            assert not re.search(r"\b(?:I (?:is|are|was not I)|you (?:am|is)|you yourself|your own I)\b", text), text
            assert not re.search(r"\byour(?:self)?\b", text) or re.search(r"\b(?:my|me|mine)\b", question), text


@given(st.sampled_from(LINES), st.sampled_from(FORMS), st.sampled_from(ANSWERS), st.booleans(), st.booleans())
def test_the_answer_itself_is_left_as_it_is(
    question: str, form: Form, answer: str, contracts: bool, typed: bool
) -> None:
    found = asked(question)
    if found is None:
        return
    start, goes_on = taken_up(found, form, answer, contracts=contracts, typed=typed)
    assert start == "" or start[0].isupper()
    assert not (goes_on and start.endswith("?"))
    assert len(start.split()) <= 12


def test_only_a_whole_sentence_is_led_to() -> None:
    helps = _of("What do you find helps, even a bit?")
    assert taken_up(helps, "clause", "I walk.", contracts=True, typed=False)[0] == ""  # two words: too short
    assert taken_up(helps, "clause", "I walk by the river.", contracts=True, typed=False) == ("What helps is,", True)
    assert taken_up(helps, "clause", "I walk by the river.", contracts=True, typed=True) == ("What helps is that", True)
    for no in ("The mornings.", "Would you tell her?", "Hello. I walk by the river."):
        assert taken_up(helps, "clause", no, contracts=True, typed=False) == ("", False), no


def test_what_was_is_not_led_to_what_is() -> None:
    did = _of("What did you take it to mean?")
    assert taken_up(did, "clause", "I pay it every week.", contracts=True, typed=False) == ("", False)
    assert taken_up(did, "clause", "I thought it was over.", contracts=True, typed=False)[0].endswith(" was,")


def test_a_date_ends_the_questions_own_statement() -> None:
    when = _of("When did you first notice it?")
    assert taken_up(when, "clause", "In March.", contracts=True, typed=False) == ("I first noticed it", True)
    assert taken_up(when, "clause", "Since March.", contracts=True, typed=False) == ("", False)
    long = _of("How long have you felt tired?")
    assert taken_up(long, "clause", "Since March.", contracts=False, typed=False) == ("I have felt tired", True)


def test_how_long_is_no_answer_to_when() -> None:
    when, long = _of("When did it start?"), _of("How long has it been like that?")
    assert taken_up(when, "clause", "About seven months.", contracts=True, typed=False) == ("", False)
    assert taken_up(when, "clause", "About seven months ago.", contracts=True, typed=False) == ("It started", True)
    assert taken_up(long, "clause", "Four months of it.", contracts=True, typed=False) == ("", False)
    assert taken_up(long, "clause", "Four months now.", contracts=True, typed=False)[1]


def test_not_knowing_says_what_is_not_known() -> None:
    a = _of("How does that connect with the rest?")
    assert unknown("I don't know.", a, contracts=True) == "I don't know how it connects with the rest."
    assert unknown("Not sure.", a, contracts=True) == "Not sure how it connects with the rest."
    for other in ("I don't know, like.", "I don't know him.", "Pass.", "I'm not sure she came."):
        assert unknown(other, a, contracts=True) == "", other


def test_who_writes_every_word_out_is_not_contracted() -> None:
    would = _of("What would you like to be different?")
    answer = "I would like one quiet meeting."
    assert taken_up(would, "clause", answer, contracts=False, typed=False)[0] == "What I would like to be different is,"
    assert contracted("what I would like") == "what I'd like"
    assert contracted("how it is to talk") == "how it is to talk"


def test_what_is_somebodys_is_named_by_the_patient() -> None:
    assert list(named("And your sister, what about the flat?")) == [("my sister", "sister"), ("the flat", "flat")]


@pytest.mark.parametrize("modality", ["spoken", "typed"])
def test_people_take_questions_up_in_clauses(modality: str) -> None:
    h = habits(modality)
    assert 0.05 < h.takes_up < 0.3
    assert sum(h.forms) == pytest.approx(1.0, abs=0.01)
    assert h.forms[0] > 3 * h.forms[1] > 3 * h.forms[2]
