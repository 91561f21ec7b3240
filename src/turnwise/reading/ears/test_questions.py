"""Forms and moves: the distinctions that went wrong in the prototype, one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.ears.questions import asserted_emotions, read_heard, read_sentence
from turnwise.reading.encoder import encode
from turnwise.reading.sentences import split_sentences


def hear(text: str, p: tuple[float, float, float, float] = (0.25, 0.25, 0.25, 0.25)) -> Hearing:
    sentences = split_sentences(text)
    return Hearing(sentences, encode(sentences), encode([text])[0], {"therapist_behaviour": np.array(p)})


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("What happened then?", "wh"), ("Do you sleep?", "yes_no"), ("Is there anyone you can talk to?", "disguised"),
        ("Tell me about your daughter.", "imperative"), ("And then?", "ellipsis"), ("Because?", "ellipsis"),
        ("Does that make sense?", "check"), ("Is that right?", "check"), ("You were alone?", "ellipsis"),
        ("You sat there for an hour with nobody coming?", "declarative"), ("Are you sad or angry?", "alternative"),
        ("I see.", "none"), ("Could you tell me what happened?", "wh"), ("That was hard, wasn't it?", "yes_no"),
        ("What helps most people is a walk.", "none"), ("Perhaps you could tell me a little about work.", "imperative"),
        ("You could tell her how you feel.", "none"), ("You can tell me when you are ready.", "none"),
        ("You could describe him as distant.", "none"), ("You could say something to your boss.", "none"),
        ("Perhaps you could describe to your wife how you feel.", "none"), ("Maybe you could say more.", "imperative"),
    ],
)  # fmt: skip
def test_forms(text: str, form: str) -> None:
    found = read_sentence(text).form
    assert (
        found == form
        or (form == "ellipsis" and found == "declarative")
        or (text.startswith("That was") and found in ("yes_no", "declarative"))
    )


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("You should try lavender.", "advice"), ("Have you tried yoga?", "advice"),
        ("Why don't you call him?", "advice"),
        ("Just make a list.", "advice"), ("But surely he would come if you asked.", "challenge"),
        ("It'll be fine.", "reassure"), ("You're very brave.", "praise"), ("I'm sorry, I jumped ahead.", "repair"),
        ("Why did you let him down?", "accuse"), ("You're not a burden.", "counter"), ("We can leave that.", "yield"),
        ("Hello, nice to meet you.", "greet"), ("That's our time for today.", "close"), ("Mm-hm.", "minimal"),
        ("My own brother is a plumber.", "self"), ("That makes sense.", "normalise"),
        ("May I suggest something?", "permission"),
        ("You're right, there isn't.", "agree"), ("Before we stop, one more thing.", "closing_soon"),
        ("You don't care about your children.", "accuse"), ("You let your father down.", "accuse"),
        ("Will we leave it there?", "close"), ("I think we have to stop here for today.", "close"),
    ],
)  # fmt: skip
def test_moves(text: str, move: str) -> None:
    assert move in read_sentence(text).moves


@pytest.mark.parametrize(
    "text",
    [
        "What made your doctor think it would be good to come?", "Is there one small thing you would like to try?",
        "What could you try this week?", "You must miss her.", "Tell me about the walk.",
        "Have you thought about killing yourself?", "Why don't you sign anything before nine?",
        "Your GP said you should come.", "Have you thought of ending your life?",
    ],
)  # fmt: skip
def test_what_is_no_advice(text: str) -> None:
    assert "advice" not in read_sentence(text).moves


@pytest.mark.parametrize(
    "text",
    ["Would you let someone know?", "What's the evidence that you failed as a father?", "What if you let it go?"],
)
def test_what_is_no_accusation(text: str) -> None:
    assert "accuse" not in read_sentence(text).moves


def test_does_that_fit_with_something_is_a_question() -> None:
    assert read_sentence("Does that fit?").form == "check"
    assert read_sentence("Does that fit with you being nothing to her?").form == "yes_no"


@pytest.mark.parametrize(
    "text",
    [
        "Do you ever wish you would not wake up?",
        "Did you hope you wouldn't wake up?",
        "Do you ever feel that life isn't worth living?",
        "Some people wish they were dead. Do you ever wish you were dead?",
    ],
)
def test_a_wish_not_to_wake_is_heard_as_a_risk_question(text: str) -> None:
    asked = read_sentence(text).intent
    assert asked is not None
    assert asked.intent == "risk"


def test_stem_and_coder_decide_together_on_a_reflection() -> None:
    stem = "You're tired of it."
    assert "reflect" in read_sentence(stem, 0.5).moves
    assert "reflect" not in read_sentence("The bus leaves at ten.", 0.3).moves
    assert "reflect" in read_sentence("All that, and nobody asked you.", 0.9).moves


def test_feelings_are_asserted_and_not_denied() -> None:
    assert asserted_emotions("You're not angry, you're sad") == ("sad",)
    assert read_sentence("You feel ashamed.", 0.9).emotions == ("ashamed",)
    assert read_sentence("What makes you sad?").emotions == ()


@pytest.mark.parametrize("text", ["...", "", "(silence)", "[waits]"])
def test_silence(text: str) -> None:
    assert read_heard(hear(text), text).silence


@pytest.mark.parametrize("text", ["你好，今天怎么样？", "<script>alert('x')</script>", "word " * 100])
def test_nonsense(text: str) -> None:
    assert read_heard(hear(text), text).nonsense


def test_unmarked_advice_needs_the_coder() -> None:
    text = "Put your worries on a sheet of paper every evening and leave them there until the morning."
    assert read_heard(hear(text, (0.05, 0.05, 0.85, 0.05)), text).does("advice")
    assert not read_heard(hear(text, (0.1, 0.4, 0.1, 0.4)), text).does("advice")


@settings(max_examples=60)
@given(st.text(max_size=120))
def test_anything_can_be_heard(text: str) -> None:
    heard = read_heard(hear(text), text)
    assert heard.n_words == len(text.split())


def test_a_summary_that_ends_in_a_question_is_heard_as_a_summary() -> None:
    """The coder gives the whole turn one main behaviour; the sentences before the question keep theirs."""
    text = "Let me see if I have this so far. You don't get much post, and you know where you are. What have I missed?"
    heard = read_heard(hear(text, (0.97, 0.02, 0.005, 0.005)), text)
    assert ["reflect" in s.moves for s in heard.sentences] == [True, True, False]
    advice = "Have you slept? You should try a walk."
    assert not any("reflect" in s.moves for s in read_heard(hear(advice, (0.9, 0.02, 0.07, 0.01)), advice).sentences)
