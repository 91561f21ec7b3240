"""What is to be agreed to is told from orders and invitations, and each kind of claim and request gets its answer."""

import numpy as np
import pytest

from turnwise.therapists.answering import ANSWERS, particular
from turnwise.therapists.claiming import claim_in
from turnwise.therapists.duties import _AND_KEPT, _AND_READ, _NO_MATTER, identity_lines
from turnwise.therapists.holding import held, kind_of_claim, worth_holding
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.meeting import given
from turnwise.therapists.recognising import call_of
from turnwise.therapists.reflecting import Line
from turnwise.therapists.stance import initial
from turnwise.therapists.validating import fault


def _rng() -> np.random.Generator:
    return np.random.default_rng(3)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I drive the kids to school after a big night. That's fine, right?", "drives"),
        ("I'd say I'm ill, wouldn't you?", "verdict"),
        ("The scan missed it, whatever they found. You think so too, don't you?", "medical"),
        ("He'd be ashamed of me. He would, wouldn't he.", "others"),
        ("It's too late for any of it, isn't it?", "hopeless"),
        ("I'd better cancel the trip, hadn't I? You'd agree.", "plan"),
        ("I'm just not clever enough. You can say it.", "self"),
        ("Cats know when it rains. You'd agree with that.", "belief"),
        ("I walk to the school after tea. That's fine, right?", "belief"),
    ],
)
def test_an_answer_fits_what_is_claimed(text: str, kind: str) -> None:
    assert worth_holding(text)
    assert kind_of_claim(text) == kind
    assert held(text, _rng())[0].id.startswith("hold_said" if claim_in(text) and kind == "belief" else f"hold_{kind}")


@pytest.mark.parametrize(
    "text",
    [
        "Ask me about the boat, yeah?",
        "Okay. Say it better this time and we're fine.",
        "You're going to say it's nerves.",
        "Can we leave that one?",
    ],
)
def test_orders_invitations_and_what_is_foretold_are_no_claims(text: str) -> None:
    assert call_of(text) != "bait"
    assert not worth_holding(text)


def test_only_a_whole_claim_is_quoted() -> None:
    assert claim_in("A host should have no needs. There should be nothing of him in it. You would agree.") == (
        "A host should have no needs"
    )
    assert claim_in("They rang twice. That can't be chance. Say it can't.") == ""
    assert claim_in("I ask myself what for.") == "I ask myself what for"


@pytest.mark.parametrize(
    ("text", "bank"),
    [
        ("Go on, ask me about my garden.", "invited"),
        ("I have a form here for you to sign.", "paper"),
        ("Two things. I'd like to sleep, and I would like a note.", "paper_and_more"),
        ("I need a letter for the council. Who's writing this down?", "paper_and_records"),
        ("Who's writing this down? I'd like to know.", "records"),
        ("How old are you, if I may ask?", "of_me"),
        ("Give me a procedure for the interview. Numbered.", "numbered_meeting"),
        ("What I want to know is whether to tell my sister.", "object"),
    ],
)
def test_what_is_asked_of_the_listener_is_answered_as_what_it_is(text: str, bank: str) -> None:
    assert call_of(text) == "request"
    assert given(text, _rng())[0].id.rsplit(".", 1)[0] == bank


@pytest.mark.parametrize(
    "text",
    [
        "I wrote a letter to my son.",
        "What has to be in this letter for the court?",
        "He asked me about the garden.",
        "Can we find a way to sleep?",
        "What I want to know is whether to tell my sister that I'm leaving.",
    ],
)
def test_nothing_particular_is_heard_where_nothing_is_asked(text: str) -> None:
    assert particular(text, _rng()) == []


def test_two_questions_about_the_speaker_get_two_answers() -> None:
    name, lines = identity_lines("Are you a person? And do you still have this next week?", remembered=True)
    assert name == "identity_kept"
    assert all("program" in line and "next time" in line for line in lines)


def test_every_answer_can_be_said_and_asks_once() -> None:
    banks = (*ANSWERS.values(), _AND_KEPT, _AND_READ, _NO_MATTER)
    for line in (x.format(x="the garden", X="The garden", who="your son") for bank in banks for x in bank):
        assert fault(Line("x", line), None, Ledger(), initial()) is None, line
        assert line.count("?") == 1, line
