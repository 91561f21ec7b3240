"""How alike sessions are, counted by hand."""

from __future__ import annotations

import pytest

from turnwise.batteries.conformance.alike import different_openings, identical_replies, same_whatever_was_said
from turnwise.batteries.conformance.test_made_sessions import made, replies


def test_identical_replies_are_counted_over_pairs_of_seeds_turn_by_turn() -> None:
    ts = [replies("Hi.", "A"), replies("hi.", "B"), replies("Hi. ", "C"), replies("Oh.")]
    score = identical_replies(ts)
    assert score.value == pytest.approx((3 / 6 + 0 / 3) / 2)
    assert (score.n, score.detail) == (2, "most alike at patient turn 1")


def test_a_script_is_wholly_alike_and_one_session_says_nothing() -> None:
    assert identical_replies([replies("A", "B")] * 3).value == 1.0
    assert identical_replies([replies("A")]).code == "too_short"
    assert identical_replies([]).code == "too_short"


def test_openings_are_counted_once_each() -> None:
    assert different_openings([replies("Hi."), replies("hi."), replies("Oh.")])[:2] == (2.0, 3)
    assert different_openings([]).code == "empty"


def test_only_turns_after_different_words_of_two_therapists_are_compared() -> None:
    a = made("Hello.", "Hi.", "Why?", "No idea.", "Go on.", "It hurts.", therapist="a")
    b = made("Hello.", "Hi.", "When?", "No idea.", "Go on.", "It hurts.", therapist="b")
    other_seed = made("Hello.", "Hi.", "Who?", "Nobody.", therapist="b", epoch=1)
    assert same_whatever_was_said([a, b, other_seed])[:2] == (1.0, 1)
    c = made("Hello.", "Hi.", "Who?", "Nobody.", therapist="c")
    assert same_whatever_was_said([a, b, c])[:2] == (pytest.approx(1 / 3), 3)
    assert same_whatever_was_said([a]).code == "too_short"
