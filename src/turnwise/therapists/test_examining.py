"""A thought is found, put to the test, and what does not fit it is kept as it was said; requests get help of their "
"kind."""

import re
from dataclasses import replace

import numpy as np
import pytest

from turnwise.core.nouns import Turn
from turnwise.therapists.acts import ACTS
from turnwise.therapists.choosing import _was_looked_at
from turnwise.therapists.examining import bridged, on_the_thought, when_it_differs
from turnwise.therapists.guiding import candidates
from turnwise.therapists.ledger import Ledger, done, heard
from turnwise.therapists.meeting import given
from turnwise.therapists.recognising import call_of
from turnwise.therapists.reflecting import Heard, Line, heard_in
from turnwise.therapists.spoken import told_in, turns_away
from turnwise.therapists.stance import Signs, initial
from turnwise.therapists.suiting import suits
from turnwise.therapists.target_thoughts import claim_in, thought_in
from turnwise.therapists.tracking.taking_in import take_in
from turnwise.therapists.validating import fault


def _rng() -> np.random.Generator:
    return np.random.default_rng(7)


def _turn(text: str) -> Heard:
    return take_in((Turn(speaker="patient", text=text),)).heard


def _after(text: str, *moves: str, thought: str = "", need: str = "none") -> Ledger:
    turn = _turn(text)
    before = Ledger(lengths=(9,) * len(moves), moves=moves, thought=thought, likeness=3.0 if thought else 0.0)
    return heard(before, turn, Signs(frozenset(), 1, len(text.split()), ()), need)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("If I'd rung, he'd be all right. That's just true. You can say it.", "If I'd rung, he'd be all right"),
        ("Objectively I'm maybe simply not clever enough. You can say it.", "I'm maybe simply not clever enough"),
        ("It'd be nicer to cancel now, right?", ""),
        ("A man like me does better not to ask. You would advise that.", "A man like me does better not to ask"),
        ("Will you just say it? That it's nothing.", ""),
        ("You could tell my sister that I'm fine, can't you?", ""),
    ],
)  # fmt: skip
def test_what_is_asked_to_be_confirmed_is_taken_without_its_asking(text: str, claim: str) -> None:
    assert claim_in(text) == claim


@pytest.mark.parametrize(
    "text",
    ["It's not important.", "I would sooner not go into that.", "I'd tell her to sit down.",
     "I like my desk to be empty.",
     "I'd have to look at it from outside.", "Every day at four my eyes just open."],
)  # fmt: skip
def test_no_thought_to_work_on(text: str) -> None:
    assert thought_in(heard_in(text), asked=True, distorted=True)[0] == ""


def test_the_disputed_belief_becomes_the_thought_and_is_not_tested_at_once() -> None:
    ledger = _after("If I stop, nobody needs me. You'd agree with that.", "attend", need="bait")
    assert ledger.thought == "If I stop, nobody needs me"
    answered = _after("Oh.", "attend", "hold", thought=ledger.thought)
    assert not suits("ask_exception", answered, _turn("Oh."))


def test_an_exception_is_kept_in_the_words_it_was_named_in() -> None:
    ledger = _after(
        "There is one thing. My neighbour still brings me soup.", "ask_exception", thought="nobody needs me"
    )
    assert ledger.found
    assert ledger.against == ("My neighbour still brings me soup",)
    lines = candidates("attend", ledger, _turn("There is one thing. My neighbour still brings me soup."), _rng())
    assert lines
    assert all("make of" in x.text or "?" in x.text for x in lines)


@pytest.mark.parametrize(
    "text",
    ["No, nothing.", "Can I say a thing. I sold the car.", "Nobody ever comes.", "What would you say?", "I don't know.",
     "Every other mother gets it without trying."],
)  # fmt: skip
def test_a_denial_a_change_of_subject_or_another_verdict_is_no_exception(text: str) -> None:
    ledger = _after(text, "ask_exception", thought="nobody needs me")
    assert not ledger.found
    assert ledger.against == ()


def test_what_speaks_against_one_thought_is_not_held_against_another() -> None:
    turn = _turn("If I ask for help, nobody comes. You'd agree with that.")
    before = Ledger(lengths=(9,), moves=("attend",), thought="it rains", likeness=2.0, against=("the sun came out",))
    after = heard(before, turn, Signs(frozenset(), 1, 9, ()), "bait")
    assert after.thought == "If I ask for help, nobody comes"
    assert after.against == ()


def test_going_back_gives_back_first_what_was_just_told() -> None:
    told = _turn("I still practise the fiddle on Sundays.")
    ledger = Ledger(
        lengths=(9,) * 5, corpus="nobody needs me | i still practise the fiddle on sundays", thought="nobody needs me"
    )
    asked = [Line("x", 'You said, "nobody needs me." What speaks for it?', ("nobody needs me",))]
    assert all(
        "fiddle" in line.text and line.text.endswith(asked[0].text) for line in bridged(asked, ledger, told, _rng())
    )


def test_a_loss_has_no_exception_and_a_lasting_trouble_has() -> None:
    for text, any_line in (("I lost my wife in March.", False), ("I can't breathe at night.", True)):
        told = _turn(text)
        ledger = Ledger(lengths=(9,) * 4, corpus=told.text.lower(), kept=told.phrases[:1])
        assert bool(when_it_differs(ledger, _turn("Mm."), _rng())) is any_line
        assert not when_it_differs(ledger, told, _rng())  # not in the very turn that tells it


@pytest.mark.parametrize("asked", ["check_in", "safety_check"])
def test_what_is_said_of_the_talk_or_of_safety_is_no_trouble_to_come_back_to(asked: str) -> None:
    told = _turn("I can't breathe at night.")
    kept = [
        heard(Ledger(moves=("attend", x)), told, Signs(frozenset(), 1, 5, ()), "none").kept for x in (asked, "stay")
    ]
    assert kept[0] == ()
    assert [p.said for p in kept[1]] == [told.phrases[0].said]


def test_a_thought_is_looked_at_while_the_talk_is_with_it_and_not_dug_up() -> None:
    ledger = Ledger(lengths=(9,) * 6, corpus="i ruin everything | he rang", thought="I ruin everything", at_it=2)
    asked = replace(ledger, moves=("ask_view",))
    assert on_the_thought("ask_exception", asked, _turn("He rang."), _rng())
    later = replace(ledger, moves=("reflect_feeling",))
    assert all("I ruin everything" in x.text for x in on_the_thought("ask_exception", later, _turn("Mm."), _rng()))
    assert not on_the_thought("ask_exception", replace(later, at_it=0), _turn("Mm."), _rng())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Could you just tell me what to say? For the toast, at my cousin's wedding.", "wish"),
        ("Can you help me with the wording? What makes somebody at a desk read to the end?", "page|line"),
        ("Do they tell the children, as a rule, or do they leave them be?", "sentence"),
        ("Is there a way people do it, stopping the checking?", "check"),
        ("What is it you do, exactly? My boss told me the job first.", "program|talk"),
        ("What happens if somebody says yes on that last question? On the form.", "yes"),
        ("Can I ask you what people do?", "people|People"),
    ],
)
def test_help_is_of_the_kind_that_was_asked_for_with_a_choice_and_a_check(text: str, word: str) -> None:
    assert call_of(text) == "request"
    lines = given(text, _rng(), before="a letter from the bank about the nights")
    first = lines[0].text
    assert re.search(word, first)
    assert "?" in first
    assert re.search(r"\b(?:or|another|others?|either|which|Which|What|Another)\b", first)


def test_no_answer_to_a_request_breaks_a_rule() -> None:
    for text in ("What is it you do?", "Who reads this?", "Can I ask you something?", "How many visits is it?"):
        for line in given(text, _rng()):
            assert fault(line, None, Ledger(), initial()) is None, line.text


def test_announcing_what_does_not_fit_is_no_turning_away() -> None:
    assert turns_away("I don't know. Something else. My voice stops.")
    assert not turns_away("There is one thing. She rang me.")
    assert told_in("This does not fit. She rang me.") == "She rang me."
    assert call_of("You don't send it out if it isn't right.") != "pushback"


_THOUGHT = "If I'm not there nothing runs"


def test_a_thought_that_was_asked_about_is_the_one_in_hand() -> None:
    before = Ledger(lengths=(9,) * 4, thought="I'm a weight", likeness=4.0)
    assert done(before, "ask_view", "", _THOUGHT).thought == _THOUGHT
    assert done(before, "ask_view", "").thought == "I'm a weight"


def test_both_sides_of_a_thought_are_asked_about_after_what_it_does_to_somebody() -> None:
    asked = done(Ledger(lengths=(9,) * 4, corpus=f" {_THOUGHT.lower()} |"), "ask_view", "", _THOUGHT)
    told = _turn("Ashamed, mostly.")
    ledger = heard(replace(asked, moves=("attend", "ask_view")), told, Signs(frozenset(), 1, 2, ()), "none")
    lines = candidates("ask_both_sides", ledger, told, _rng())
    assert lines
    for line in lines:
        assert _THOUGHT.lower() in line.text.lower()
        assert "ashamed" in line.text.lower(), "the feeling is given back first"
        assert line.text.count("?") == 1
        assert fault(line, ACTS["ask_both_sides"], ledger, initial()) is None


def test_a_thought_nobody_was_asked_about_is_not_dug_up() -> None:
    ledger = Ledger(lengths=(9,) * 6, corpus=" i'm a weight | on a trolley |", thought="I'm a weight", likeness=4.0,
                    moves=("attend", "stay"))  # fmt: skip
    assert not candidates("ask_both_sides", ledger, _turn("On a trolley."), _rng())
    viewed = replace(ledger, viewed="I'm a weight")
    assert candidates("ask_both_sides", viewed, _turn("On a trolley."), _rng())


def test_who_does_not_know_what_a_view_changes_is_asked_what_it_rests_on() -> None:
    ledger = Ledger(lengths=(9,) * 6, corpus=" maybe he's asking | i don't know |", moves=("attend", "consolidate"),
                    unanswered=1)  # fmt: skip
    said = _turn("I don't know.")
    assert suits("ask_more", ledger, said)
    assert not suits("check_in", ledger, said)
    lines = candidates("ask_more", ledger, said, _rng())
    assert lines
    assert all("doesn't" in line.text for line in lines)


def test_a_bare_fact_is_no_thought() -> None:
    assert (
        thought_in(_turn("I went over in the back, in September. Nothing broken."), asked=True, distorted=True)[0] == ""
    )


def test_both_sides_of_a_thought_are_asked_about_once() -> None:
    before = Ledger(lengths=(9,) * 6, thought=_THOUGHT, likeness=4.0, viewed=_THOUGHT)
    assert _was_looked_at(before, "thin")
    assert not _was_looked_at(done(before, "ask_both_sides", _THOUGHT), "thin")
    assert not _was_looked_at(before, "distortion"), "what was just voiced comes first"
    assert not _was_looked_at(replace(before, moves=("ask_other_view",), viewed=""), "telling"), "nor after a challenge"
