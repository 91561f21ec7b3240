"""Putting off, declining, complaining and answering are told apart, and each is met as what it is."""

import re

import numpy as np
import pytest

from turnwise.therapists.guiding_lines import LEFT_BE, LINES, SMALLER
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.meeting import MEETING
from turnwise.therapists.pushing_back import Objection, objection_in
from turnwise.therapists.putting_off import only_puts_off, put_off_in
from turnwise.therapists.receiving import received
from turnwise.therapists.recognising import call_of
from turnwise.therapists.reflecting import Heard, heard_in
from turnwise.therapists.safety_answers import puts_off
from turnwise.therapists.spoken import is_non_answer, told_in
from turnwise.therapists.topics import answered_with, defers
from turnwise.therapists.tracking.talking_here import how_it_is
from turnwise.therapists.withholding import defers as holds_off
from turnwise.therapists.yielding import stepping_back
from turnwise.therapists.yielding_lines import (
    AFTER_A_NO,
    GOES_ON,
    LEFT_ALONE,
    NAMED,
    NO_EXERCISE,
    SAID_AGAIN,
    STEP_BACK,
    STEP_BACK_DECIDED,
    STEP_BACK_PRESSED,
    TOO_SOON,
)

LATER = [
    "Could I tell you that later?", "Can that wait?", "Could we do this one next week?", "I'll tell you about it some "
    "other time.", "Not now, please.",
    "I'm not ready to talk about that yet.", "This part is for another session.", "You can ask me again tomorrow.",
    "Save that for next time.", "We could look at that another day, if you like.", "That'll have to wait.",
    "Not today, if you don't mind.", "We'll get round to it in a while.", "That one's for later.", "Later on, maybe.",
    "Let's come back to it.", "I'd sooner keep that for another day.", "Shall we leave that for now?", "In a bit.",
]  # fmt: skip
DECLINED = [
    "Oh, can we leave that?", "I'd pass on that one, if you don't mind.", "I would leave that one.", "Rather not.",
    "I'd prefer not to answer.", "Could we talk about something else?", "I won't go into that.", "That's private.",
    "That's a bit personal, sorry.", "Next question, please.", "Can we change the subject?", "Leave that alone.",
    "I'd rather you didn't ask.", "I don't like talking about that.", "We can skip that one.", "Let's not go there.",
    "I'd rather not talk about my father.", "Let's talk about something else.", "I'm not going to answer that.",
]  # fmt: skip
NEITHER = [
    "I came home later.", "I'd rather not be alone.", "I'd sooner not know.", "I don't want to go into hospital.",
    "I don't want to get into debt.", "Another day, another bill.", "I told him to park it.", "I leave the light on.",
    "You don't leave it till the last minute.", "I keep it for my son.", "The dishes can wait.", "I want to leave him.",
    "I'd leave him if I could.", "We get to it by bus.", "I skip breakfast.", "I can come on another day.",
    "I don't want to say goodbye.", "He'd rather not say what he earns.", "Tomorrow I'll ring her, maybe.",
    "Can I go back to something?", "Let's not forget the rent.", "I'm not ready to be a father.", "It was later.",
    "Not today, I haven't eaten.", "They leave him alone all day.", "I had to leave that behind.",
]  # fmt: skip


@pytest.mark.parametrize("text", LATER)
def test_what_is_put_off_is_known_to_all_who_ask(text: str) -> None:
    assert put_off_in(text) == only_puts_off(text) == "later"
    assert objection_in(text) == "later"
    assert call_of(text) == "pushback"
    assert defers(text)
    assert puts_off(text)
    assert holds_off(text.rstrip(".?"))
    assert answered_with(text) == ""


@pytest.mark.parametrize("text", DECLINED)
def test_what_is_declined_is_known_to_all_who_ask(text: str) -> None:
    assert put_off_in(text) == only_puts_off(text) == "declined"
    assert objection_in(text) == "subject"
    assert puts_off(text)
    assert not defers(text)


@pytest.mark.parametrize("text", NEITHER)
def test_what_only_sounds_like_it_is_neither(text: str) -> None:
    assert put_off_in(text) is None
    assert objection_in(text) is None
    assert not defers(text)
    assert not puts_off(text)


def test_with_something_told_beside_it() -> None:
    assert put_off_in("Can we leave that? I rang my brother instead.") == "declined"
    assert only_puts_off("Can we leave that? I rang my brother instead.") is None
    assert only_puts_off("What did I do then? Another time, maybe. Sorry.") == "later"
    assert put_off_in("I went home. Later. I slept.") is None
    assert put_off_in("I took the blue. Not that one, the other was torn.") is None


def _ids(text: str, *moves: str, rebuffed: bool = False) -> set[str]:
    """Return the banks of all that could be said."""
    ledger = Ledger(moves=moves or ("open_question",), rupture=True, rebuffed=rebuffed, last_class="challenge")
    return {line.id.rsplit(".", 1)[0] for line in stepping_back(ledger, heard_in(text), np.random.default_rng(0))}


@pytest.mark.parametrize("text", ["Ask me that another day.", "That can wait.", "I'd rather not say just now."])
def test_who_only_puts_off_is_not_apologised_to(text: str) -> None:
    for rebuffed in (False, True):
        assert _ids(text, "ask_exception", rebuffed=rebuffed) == {"named.later"}
    assert _ids(text, "hold") == {"named.later"}


def test_who_declines_is_left_the_choice() -> None:
    assert _ids("Skip that one.", "ask_exception") == {"named.subject", "step_back_decided", "step_back"}
    assert not any(re.search(r"sorry|wrong|missing|understood", x) for x in (*STEP_BACK, *STEP_BACK_DECIDED))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I've told you that already.", "again"), ("You just asked me that.", "again"), ("I told you.", "again"),
        ("How many times must I say it?", "again"), ("I already answered that.", "again"),
        ("I don't think you understand.", "unheard"), ("I don't feel you've heard me.", "unheard"),
        ("You're missing the point.", "unheard"), ("You've got it all wrong.", "unheard"),
        ("You got round that neatly.", "evaded"), ("That's not an answer.", "evaded"), ("You're dodging.", "evaded"),
        ("I worry that you're judging me.", "graded"), ("You're marking me.", "graded"),
        ("Sometimes I think you're testing me.", "graded"), ("You're judging me.", "judged"),
        ("I shouldn't have asked.", "asked_only"), ("Sorry I asked.", "asked_only"),
    ],
)  # fmt: skip
def test_a_complaint_is_known_by_its_kind(text: str, kind: Objection) -> None:
    assert objection_in(text) == kind
    assert call_of(text) == "pushback"


@pytest.mark.parametrize(
    "text",
    [
        "I already told you about my aunt, she sings.", "I said that to my brother before.", "They're all judging me.",
        "I shouldn't ask him for money.", "My boss is being nice to me.", "They let me keep it.",
        "I don't start work till nine.", "I don't think you get many like me.", "I dodged the bus.",
        "I went round the block twice.", "He didn't answer the phone.", "My teacher is marking me down.",
    ],
)  # fmt: skip
def test_what_is_told_of_others_is_no_complaint(text: str) -> None:
    assert objection_in(text) is None


def test_who_has_to_say_it_again_is_heard_this_time() -> None:
    said = stepping_back(
        Ledger(), heard_in("I told you already. I sold the piano on Friday."), np.random.default_rng(0)
    )
    assert said[0].id.startswith("said_again")
    assert "you sold the piano on Friday" in said[0].text.replace("You", "you")
    assert _ids("I told you already.") == {"named.again"}
    assert "goes_on" in _ids("I said so before. Tea, toast, the bus, the office.")


def test_what_was_asked_for_too_early_and_a_no_are_met_by_what_comes_back() -> None:
    assert _ids("I see it like that.", rebuffed=True) == {"too_soon"}
    assert _ids("I'm no man for such exercises.", rebuffed=True) == {"no_exercise"}
    assert _ids("Okay. Fair enough.", "hold") == {"after_a_no"}
    assert _ids("Then I'm alone with it.", "hold") == {"left_alone"}


@pytest.mark.parametrize(
    "text",
    ["There's nothing there when I look at him.", "Nothing comes any more when I sing.", "Nothing there inside."],
)
def test_nothing_that_was_found_is_an_answer(text: str) -> None:
    assert not is_non_answer(text)
    assert told_in(text) == text


@pytest.mark.parametrize(
    "text", ["There's nothing there.", "Nothing comes.", "Nothing comes when I think.", "Nothing's coming, sorry."]
)
def test_nothing_alone_is_none(text: str) -> None:
    assert is_non_answer(text)


def test_who_is_glad_is_not_taken_to_hold_back() -> None:
    for text in ("I'm glad of it.", "I am grateful, it is a relief.", "Lovely.", "Better than I expected."):
        assert how_it_is(text) == "open"
    for text in (
        "I'm glad when it's over.",
        "I'd be glad of a break.",
        "A great deal of effort.",
        "A bit easier than last time, still hard.",
    ):
        assert how_it_is(text) != "open"


def test_the_half_that_holds_back_is_not_passed_over() -> None:
    turn = Heard("It's a little easier, but I'm still choosing every word.", (), ())
    said = received(Ledger(here="middling"), turn, np.random.default_rng(0))
    assert said[0].text.startswith('"I\'m still choosing every word."')


_PRESSES = re.compile(
    r"one small thing|a word or two|rough answer|nearest|beside the point|smaller|come at it|too much at once|was a "
    r"big",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"we can leave (?:that|it)|don't have to|needn't|\bwrong things|asking (?:a good deal|the wrong)"
)


def test_who_had_no_answer_is_not_asked_for_it_again() -> None:
    for line in (*MEETING["small_near"], *SMALLER, *LEFT_BE, *LINES["stay_unanswered"], *LINES["normalise_unanswered"]):
        assert not _PRESSES.search(line), line
        assert line.count("?") <= 1
    for line in LINES["give_room"]:  # after a yes, a story or no answer alike
        assert not _SUPPOSES.search(line), line


def test_each_line_asks_one_thing_at_most_and_says_no_more_than_was_said() -> None:
    banks = (
        AFTER_A_NO,
        GOES_ON,
        LEFT_ALONE,
        NO_EXERCISE,
        SAID_AGAIN,
        STEP_BACK,
        STEP_BACK_DECIDED,
        STEP_BACK_PRESSED,
        TOO_SOON,
    )
    for line in (x for bank in (*banks, *NAMED.values()) for x in bank):
        assert line.count("?") <= 1
        assert "!" not in line
