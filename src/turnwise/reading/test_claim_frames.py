from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.reading.claim_frames import assures, frames
from turnwise.reading.claims import claims_in, words_said

TOLD = words_said("I'm so ashamed. It takes longer than the conversation. I am a weight on that girl.")


@pytest.mark.parametrize(
    "reply",
    [
        "Put your shoes by the door the night before.",
        "When you catch yourself at it, get up and do something with your hands.",
        "You should keep a diary. Write down when you went to bed, and what you'd eaten.",
        "Please call a crisis line as soon as we've finished. They're there day and night.",
        "I'd like you to have the numbers by you.",
        "If you're awake you get tired.",
        "Say as much about that as you want to.",
        "That's fine. There's room for that here.",
    ],
)
def test_orders_offers_and_what_follows_them_claim_nothing(reply: str) -> None:
    assert claims_in(reply, said=TOLD) == ()


@pytest.mark.parametrize(
    ("reply", "span"),
    [
        ("Ashamed. I hear that.", "Ashamed"),
        ("It takes longer than the conversation, then.", "It takes longer than the conversation"),
        ('"I am a weight." What do you go by?', "I am a weight."),
        ("It sounds as if you're ashamed.", "you're ashamed"),
        ("So as you tell it, you're a weight.", "you're a weight"),
    ],
)
def test_what_is_given_back_is_a_claim(reply: str, span: str) -> None:
    assert [c.span for c in claims_in(reply, said=TOLD) if not c.hedged] == [span]


def test_a_quotation_counts_only_if_the_patient_said_it_and_it_is_not_asked_about() -> None:
    assert [c.quoted for c in claims_in('"I am a weight." Go on.', said=TOLD)] == [True]
    assert claims_in('"The ferry was late." Go on.', said=TOLD) == ()
    assert claims_in('What do you mean by "a weight on that girl"?', said=TOLD) == ()


@pytest.mark.parametrize("reply", ["You'll be fine.", "Everything will come right.", "A person of few words."])
def test_praise_and_comfort_say_something_of_the_patient(reply: str) -> None:
    assert assures(reply)
    assert claims_in(reply)


def test_a_clause_that_begins_with_the_patient_leaves_the_frame() -> None:
    assert [c.span for c in claims_in("I'm sorry, and you miss him.")] == ["you miss him"]


@given(st.text(alphabet="you put when, it. i?'d be", max_size=60))
def test_any_text_is_a_frame_or_not(text: str) -> None:
    assert frames(text) in (True, False)
