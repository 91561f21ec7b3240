"""What a turn calls for is read from that turn, and any text can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.therapists.duties import DUTIES
from turnwise.therapists.recognising import CALLS, about_the_speaker, call_of, owed, speaks_of_being_missed, wanted
from turnwise.therapists.reflecting import heard_in


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("I was ashamed of it and I told nobody.", "feeling"),
        ("Is there something that helps with the nights? I'd try it.", "request"),
        ("Do people usually feel like this a year on? I'd like to know.", "request"),
        ("They all want rid of me at that office. You'd say the same, wouldn't you?", "bait"),
        ("It's only sensible to stop going out. You must see that.", "bait"),
        ("They missed something. You think so too, don't you, you know.", "bait"),
        ("Would you let me get to the end of one thing?", "pushback"),
        ("You're not listening. I've tried that.", "pushback"),
        ("With respect, I don't see what this is meant to do.", "pushback"),
        ("What's the point of it?", "pushback"),
        ("Fine.", "thin"),
        ("Huh.", "thin"),
        ("You know, is there a thing people do for the sleep, that isn't tablets?", "request"),
        ("I don't know.", "thin"),
        ("I'd not mind if I didn't wake up, some nights.", "risk"),
        ("I wouldn't do anything. It's only there.", "risk_told"),
        ("Is there a person at your end, or is it a program?", "identity"),
        ("Next week, will you remember any of this?", "memory"),
        ("Do you think about me, when I've gone?", "care"),
        ("Huh. I never thought of it like that. Maybe he was only shy.", "insight"),
        ("There's a parcel in the hall I've not opened. Anyway. It doesn't matter.", "hint"),
        ("I'm a burden to the whole lot of them.", "distortion"),
        ("People like me always get found out.", "distortion"),
        ("Everyone else was given the book on how to live.", "distortion"),
        ("I'm one more job for people.", "distortion"),
        ("Nobody ever stays.", "distortion"),
        ("I know she is at work on Mondays.", "telling"),
        ("I think the whole street knows. They're only being polite.", "distortion"),
        ("I thought, what kind of a mother does that.", "distortion"),
        ("How do I know? He told me. Maybe he only wanted company.", "insight"),
        ("Can we leave that one? I took him for proud. Maybe he was only shy.", "insight"),
        ("It's not moving. It was promised for the spring.", "telling"),
        ("Goodbye then.", "goodbye"),
        ("...", "silence"),
        ("My brother came on the Sunday with the van and we shifted the piano down two flights.", "telling"),
    ],
)
def test_a_turn_calls_for_something(text: str, call: str) -> None:
    assert call_of(text) == call
    assert call_of(text.replace("'", "’")) == call


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who do you have to tell, if I say something about money?", "about_me"),
        ("How do I begin, with my wife? Only the first sentence.", "wording"),
        ("Give me something for the mornings. A plan.", "method"),
        ("Is it something that passes to the children?", "info"),
        ("What's that got to do with it?", None),
        ("I sat there, because what do you do. You wait.", None),
        ("Give me a minute.", None),
        ("So what have I been selling her since? I'd hate to know.", None),
        ("I don't know. What would you think?", "about_me"),
    ],
)
def test_what_is_wanted(text: str, kind: str | None) -> None:
    assert wanted(text) == kind


def test_duties_stay_duties() -> None:
    assert owed("Goodbye.") == "goodbye"
    assert owed("No.", asked_about_risk=True) == "risk_answered"
    assert owed("I fed the cat.") is None
    assert speaks_of_being_missed("They'd be better off, the two of them, without me.")
    assert not speaks_of_being_missed("They went to the fair without me.")


def test_what_is_said_of_others_is_left_out() -> None:
    heard = about_the_speaker(heard_in("They ran out of ham. The hall was full. I sat on the stairs."))
    assert [p.said for p in heard.phrases] == ["I sat on the stairs"]


@given(st.text())
def test_any_text_calls_for_something(text: str) -> None:
    assert call_of(text) in CALLS
    assert owed(text) in (*DUTIES, None)
    assert wanted(text) in ("about_me", "wording", "method", "info", None)
