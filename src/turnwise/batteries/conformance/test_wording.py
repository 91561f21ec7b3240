"""Repetition, diversity and answers that take up the question, on sessions small enough to count."""

from __future__ import annotations

import pytest

from turnwise.batteries.conformance.lengths import words_median
from turnwise.batteries.conformance.test_made_sessions import made, replies, said
from turnwise.batteries.conformance.wording import (
    beats_again,
    diversity,
    question_fit,
    repeated_grams,
    said_before,
    self_repetition,
    typical,
)


def test_five_grams_of_earlier_turns_count_those_of_the_same_turn_do_not() -> None:
    again = replies("a b c d e f", "x a b c d e", "a b c d e a b c d e")
    assert repeated_grams(again) == (2 + 2 + 6, 0 + 1 + 2)
    assert self_repetition([again]).value == pytest.approx(0.3)
    assert self_repetition([replies("a b c d e a b c d e")]).value == 0.0
    assert self_repetition([replies("a b c d")]).code == "too_short"


def test_another_session_is_no_repetition() -> None:
    once = replies("I never said that to anybody before.")
    assert self_repetition([once, once]).value == 0.0
    assert beats_again([once, once]).value == 0.0


def test_a_beat_twice_is_found_by_its_record_or_by_its_sentence() -> None:
    text = replies("He left in the spring. Yeah.", "Yeah. He left in the spring!", "Yeah.")
    assert said_before(text) == [(3, "He left in the spring")]
    record = said("tell", "t1")
    record["said"]["beats"] = ["Nobody ever came to see us."]
    told = replies(("Well, nobody ever came to see us.", record), ("nobody ever came to see us", record))
    assert beats_again([told])[:2] == (1.0, 2)
    assert "Nobody ever came" in beats_again([told]).detail


def test_an_answer_given_again_when_asked_again_is_no_repetition() -> None:
    first = ("I am forty one years old.", said("fact", "age"))
    again = ("Like I said, I am forty one years old.", said("repeated"))
    assert beats_again([replies(first, again)]).value == 0.0
    assert beats_again([]).code == "empty"


def test_diversity_needs_a_hundred_words() -> None:
    assert diversity([replies("one two three " * 33)]).code == "too_short"
    plain, varied = replies("one two three " * 40), replies(" ".join(f"w{i % 50}" for i in range(120)))
    low, high = diversity([plain]).value, diversity([varied]).value
    assert low is not None
    assert high is not None
    assert high > 5 * low


def test_answers_on_the_subject_fit_better_than_any_other_pairing() -> None:
    subjects = ("dog", "garden", "brother", "kitchen")
    on = made(*(x for s in subjects for x in (f"What about the {s}?", f"My {s} is old.")))
    off = made(*(x for s, o in zip(subjects, subjects[1:] + subjects[:1], strict=True)
                 for x in (f"What about the {s}?", f"My {o} is old.")))  # fmt: skip
    assert question_fit([on])[:2] == (1.0, 4)
    assert question_fit([off]).value == pytest.approx(-1 / 3)
    assert question_fit([made("What about the dog?", "My dog is old.")]).code == "too_short"


def test_typical_is_the_median_over_sessions_that_have_a_value() -> None:
    ts = [replies("one"), replies("one two three"), replies("one two three four five"), replies("")]
    assert typical(ts, words_median)[:2] == (3.0, 3)
    assert typical([replies("")], words_median).code == "empty"
    assert typical([], words_median).code == "empty"
