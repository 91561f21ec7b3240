"""The catalogue and its reader."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.reading.ears.intents import INTENTS, paraphrases, plain, read_intent


def test_every_intent_has_paraphrases_and_none_stands_twice() -> None:
    asks = paraphrases()
    assert tuple(asks) == INTENTS
    assert len(INTENTS) == 51
    every = [plain(a) for own in asks.values() for a in own]
    assert all(len(own) >= 4 for own in asks.values())
    assert len(every) - len(set(every)) <= 8


def test_paraphrases_are_read_as_what_they_are() -> None:
    wrong = [(n, a) for n, own in paraphrases().items() for a in own if read_intent(a).intent != n]
    assert len(wrong) <= 10, wrong


@pytest.mark.parametrize(
    ("asked", "intent"),
    [
        ("So, if you had to guess, where do you think that comes from?", "why"),
        ("I'm wondering how long it's been like this?", "how_long"),
        ("Could you walk me through a typical day?", "day"),
        ("And what went through your mind just then?", "thought"),
        ("On a scale from zero to ten, how bad?", "scale"),
        ("What would you say to a friend who told you this?", "friend"),
        ("Any thoughts of killing yourself?", "risk"),
        ("Can you tell me more about that?", "more"),
    ],
)
def test_unseen_wording_with_politeness(asked: str, intent: str) -> None:
    assert read_intent(asked).intent == intent


@pytest.mark.parametrize(
    "about", ["Are you tired of life in town?", "Does the plan feel dead?", "Was your father's death hard?"]
)
def test_risk_is_never_guessed(about: str) -> None:
    reading = read_intent(about)
    assert reading.scores[INTENTS.index("risk")] == 0.0


@settings(max_examples=50)
@given(st.text(max_size=60))
def test_anything_can_be_read(text: str) -> None:
    reading = read_intent(text)
    assert reading.scores.shape == (51,)
    assert reading.intent in INTENTS
