"""Stepping back: what is said fits the kind of complaint, and a postponement or an answer is no refusal."""

import re

import numpy as np
import pytest

from turnwise.therapists.ledger import Ledger
from turnwise.therapists.pushing_back import Objection, objection_in
from turnwise.therapists.recognising import call_of
from turnwise.therapists.reflecting import Line, heard_in
from turnwise.therapists.stance import initial
from turnwise.therapists.validating import fault
from turnwise.therapists.yielding import NAMED, stepping_back
from turnwise.therapists.yielding_lines import (
    AFTER_DANGER,
    AND_STILL,
    NEXT_STEP,
    NOT_THAT,
    OF_MOVE,
    OPTION,
    STUCK_AND,
    TURNED_TO,
)

_CLOSES = re.compile(r"off the table|\bnever\b|won't bring it up|my business|no longer", re.IGNORECASE)


def _said(text: str, *moves: str, seeds: int = 6) -> list[str]:
    """Return what would be tried first, over several seeds."""
    ledger = Ledger(moves=moves or ("open_question",), rupture=True)
    return [stepping_back(ledger, heard_in(text), np.random.default_rng(s))[0].text for s in range(seeds)]


@pytest.mark.parametrize(
    "text",
    [
        "May we return to that?", "Could we come back to that one?", "Let's leave that for now.", "Not right now.",
        "Ask me that some other time.", "We can get to it later.", "I'd rather not, today.", "Some other day, maybe.",
        "Can we park this?", "Later, please.", "I'd sooner not go into that just now.",
    ],
)  # fmt: skip
def test_a_postponement_is_told_from_a_refusal(text: str) -> None:
    assert objection_in(text) == "later"
    assert call_of(text) == "pushback"
    assert not any(_CLOSES.search(line) or "sorry" in line for line in _said(text))


@pytest.mark.parametrize(
    "text", ["Can we leave it?", "Skip this one.", "Not that one.", "I'd rather not.", "I don't want to talk about it."]
)
def test_a_refusal_is_met_in_few_words_and_nothing_is_sworn_off(text: str) -> None:
    assert objection_in(text) == "subject"
    assert not any(_CLOSES.search(line) for line in NAMED["subject"])
    assert all(len(line.split()) <= 16 for line in NAMED["subject"])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("You're being patient with me again.", "handled"),
        ("Stop being careful with me.", "handled"),
        ("Who's this for, then?", "record"),
        ("And then you have a file on me.", "record"),
        ("You ask, I answer.", "interrogated"),
        ("Let me finish what I was saying.", "unfinished"),
        ("That's not what I said.", "misquoted"),
        ("You're going to tell me it's nerves.", "foretold"),
        ("It's not the drinking thing.", "not_that"),
        ("We're going round and round.", "stuck"),
        ("I don't see what this will do.", "doubt"),
        ("I'm not sure what this is for.", "doubt"),
        ("I give you what I can, and the rest I'm keeping.", "limit"),
        ("I'm fine as I am.", "keeps"),
        ("They all say that.", "advice"),
        ("What has that got to do with it?", "asked_why"),
        ("Why do you ask?", "asked_why"),
        ("None of your business.", "prying"),
        ("Don't lecture me.", "judged"),
        ("How d'you mean?", "unclear"),
        ("So we disagree.", "differ"),
        ("It was just a question.", "asked_only"),
        ("I thought you'd say more.", "answer"),
        ("This is too much.", "pace"),
        ("Back off.", "stop"),
    ],
)
def test_the_kind_of_complaint(text: str, kind: Objection) -> None:
    assert objection_in(text) == kind
    assert call_of(text) == "pushback"
    assert _said(text)[0] in NAMED[kind] or kind == "not_that"


@pytest.mark.parametrize(
    "text",
    [
        "Being told to slow down.", "A question in writing.", "Four out of five. I'm keeping one back.",
        "You listen and you do not rush me.", "I worry I'm too much bother.", "I just get on with it.",
        "He said he'd come back to that shop.", "If I'm going too quick, say so.", "I got to it later.",
    ],
)  # fmt: skip
def test_an_answer_is_no_complaint(text: str) -> None:
    assert objection_in(text) is None
    assert call_of(text) != "pushback"


def test_what_is_said_of_pushing_needs_a_push() -> None:
    kinds: tuple[Objection, ...] = ("handled", "limit", "later", "differ", "asked_only", "record")
    assert not any(re.search(r"push|too fast|everybody", line) for kind in kinds for line in NAMED[kind])


def test_who_asks_about_the_record_is_answered() -> None:
    assert all("service" in line for line in _said("Who's it for, all this?"))


def test_a_doubt_is_not_all_that_was_said() -> None:
    said = _said("I can't see what talking will do. And the bed's still cold when I get in.")
    assert all(
        "the bed's still cold when you get in" in line for line in (x.replace("The bed", "the bed") for x in said)
    )
    assert set(_said("I can't see what talking will do.")) <= set(NAMED["doubt"])
    assert set(_said("We've been going round and round. What's the next step?")) <= set(NEXT_STEP)
    assert "you could have painted the hall" in _said("We're going nowhere. I could have painted the hall.")[0].lower()


def test_what_is_told_after_a_refusal_is_taken_up() -> None:
    assert all("you sold the piano on Friday" in x for x in (s.replace("You s", "you s") for s in _said(_ASIDE)))
    assert set(_said("Leave that one. If you like.")) <= set(NAMED["subject"])


_ASIDE = "Leave that one. I sold the piano on Friday."


def test_what_it_is_not_is_named() -> None:
    assert all("the drinking thing" in line for line in _said("It's not the drinking thing."))
    assert all("your divorce thing" in line for line in _said("It is not my divorce thing."))


def test_what_was_asked_before_counts() -> None:
    assert set(_said("Not that one.", "give")) <= set(OPTION)
    assert set(_said("Can we skip that?", "safety_check")) <= set(AFTER_DANGER)
    assert set(_said("May we come back to that?", "safety_check")) <= set(AFTER_DANGER)
    assert set(_said("What's that got to do with it?", "ask_exception")) <= set(OF_MOVE)
    assert not any(_CLOSES.search(line) or "fine" in line for line in AFTER_DANGER)


def test_who_says_sorry_need_not() -> None:
    assert all(line.startswith("No need to be sorry.") for line in _said("Can we skip that one? Sorry."))


def test_a_choice_is_only_named_where_one_was_made() -> None:
    ledger = Ledger(moves=("open_question",), rupture=True)
    general = [line.text for line in stepping_back(ledger, heard_in("You only ask."), np.random.default_rng(1))]
    assert general
    assert not any("your call" in line or "the no in that" in line for line in general)


def test_the_other_lines_can_be_said_too() -> None:
    for bank in (AFTER_DANGER, AND_STILL, NEXT_STEP, NOT_THAT, OF_MOVE, OPTION, STUCK_AND, TURNED_TO):
        for line in bank:
            plain = re.sub(r"\{\w\}", "that", line)
            assert fault(Line("x", plain), None, Ledger(), initial()) is None, line
            assert plain.count("?") <= 1
    for line in (line for bank in NAMED.values() for line in bank):
        assert line.count("?") <= 1
        assert "!" not in line
