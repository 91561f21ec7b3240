"""What counts as said before: near copies and questions asked again, nothing short, nothing of the patient."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.batteries.ladder.freshness import content_words, questions_in, said_again
from turnwise.batteries.ladder.made_views import made_view

LINE = "It sounds as if the silence at home weighs on you more than the work does."
WORDS = st.lists(st.sampled_from("river stone garden why never could letter window bread".split()), max_size=9)


def again(reply: str, *before: str, speaker: str = "therapist") -> float:
    return said_again(made_view("hint", reply=reply, history=[(speaker, x) for x in before]))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("reply", "before", "expected"),
    [
        (LINE, LINE, 1.0),
        (LINE.upper(), "So: " + LINE, 1.0),
        (LINE, "The silence at home weighs more than the sound of work.", 0.0),  # 5 of 7 words
        ("alpha beta gamma delta", "alpha beta gamma delta epsilon", 1.0),  # 4 of 5: at the threshold
        ("alpha beta gamma delta", "alpha beta gamma delta epsilon zeta", 0.0),
        ("alpha beta gamma", "alpha beta gamma", 0.0),  # too short to count
        ("Mm-hm.", "Mm-hm.", 0.0),
        ("Hello again. How are you?", "Hello again. How are you?", 0.0),
        ("Right. What would your sister say about that thought?", LINE, 0.0),
        (
            "Right. What would your sister say about that thought?",
            f"{LINE} What would your sister say about this thought?",
            1.0,
        ),
        # The same words as a statement are no question asked before.
        ("What might your sister say? Tell me about Monday.", "Your sister might say what she thinks.", 0.0),
    ],
)  # fmt: skip
def test_golden(reply: str, before: str, expected: float) -> None:
    assert again(reply, before) == expected


def test_only_what_the_therapist_said_counts_and_all_of_it() -> None:
    assert again(LINE, LINE, speaker="patient") == 0.0
    assert again(LINE, LINE, "Go on.", "What else?") == 1.0
    assert said_again(made_view("hint", reply=None, history=[("therapist", LINE)])) == 0.0


def test_question_words_and_negation_are_content() -> None:
    assert "what" in content_words("What is it?")
    assert content_words("I could not") != content_words("I could")
    assert questions_in("No question here.") == ()


@given(WORDS, WORDS)
def test_it_is_symmetric_and_never_found_alone(a: list[str], b: list[str]) -> None:
    one, other = " ".join(a), " ".join(b)
    assert again(one, other) == again(other, one) in (0.0, 1.0)
    assert again(one) == 0.0
    assert again(one, one) == float(len(content_words(one)) >= 4)


@given(WORDS, st.lists(WORDS, max_size=4))
def test_more_history_never_makes_a_reply_fresher(a: list[str], history: list[list[str]]) -> None:
    before = [" ".join(x) for x in history]
    found = [again(" ".join(a), *before[:k]) for k in range(len(before) + 1)]
    assert found == sorted(found)
