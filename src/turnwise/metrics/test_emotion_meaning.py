from __future__ import annotations

import pytest

from turnwise.metrics.emotion_events import Emotion, emotions_in, new_emotions
from turnwise.metrics.emotion_information_yield import emotion_information_yield
from turnwise.metrics.explicit_meaning import Meaning, meanings_after, roles_in
from turnwise.metrics.test_panel_sessions import session

EVENT = ("p", "I'm furious with my sister.", {})
GOLDEN = "She decided about Mum without me, and I need to count in this family."
ASK = ("t", "What was it that got to you?", {})


def p(text):
    return ("p", text, {})


def test_golden_of_the_yield():
    t = session(EVENT, ASK, p(GOLDEN))
    assert meanings_after(t) == (Meaning(0, 1, frozenset({"value", "between"})),)
    assert emotion_information_yield(t)[:2] == (1.0, 1)


def test_golden_a_bare_yes_after_the_therapist_said_it_is_nothing():
    said = ("t", "She decided about Mum without you, and you need to count in this family.", {})
    assert emotion_information_yield(session(EVENT, said, p("Yeah.")))[:2] == (0.0, 1)
    assert emotion_information_yield(session(EVENT, said, p("Yeah, I need to count in this family.")))[:2] == (0.0, 1)
    more = p("Yeah. She never asks me at all, not even at the hospital on Sundays.")
    assert emotion_information_yield(session(EVENT, said, more)).value == 1.0


def test_only_three_turns_count_and_saying_it_twice_is_once():
    filler = [x for _ in range(2) for x in (ASK, p("Mm."))]
    assert emotion_information_yield(session(EVENT, *filler, ASK, p(GOLDEN))).value == 1.0
    assert emotion_information_yield(session(EVENT, *filler, ASK, p("Mm."), ASK, p(GOLDEN))).value == 0.0
    assert emotion_information_yield(session(EVENT, ASK, p(GOLDEN), ASK, p(GOLDEN))).value == 1.0


def test_a_sentence_counts_for_the_latest_emotion_only():
    t = session(EVENT, ASK, p("I'm ashamed of it."), ASK, p(GOLDEN))
    assert [(m.turn, m.triples) for m in meanings_after(t)] == [(0, 0), (2, 1)]
    assert emotion_information_yield(t)[:2] == (0.5, 2)


def test_no_new_emotion_or_none_spoken_after_is_unscored():
    for said in ([], [p("The bus was late.")], [ASK], [EVENT], [EVENT, ASK], [p("I'm not angry."), ASK, p(GOLDEN)]):
        assert emotion_information_yield(session(*said)).code == "no_denominator"


@pytest.mark.parametrize(
    ("sentence", "roles"),
    [
        ("nobody ever stays, people always leave", {"world", "between"}),
        ("it matters to me that the house is quiet", {"value"}),
        ("he never asks me", {"between"}),
        ("that's just how it goes", {"world"}),
        ("the bus was late on tuesday", set()),
        ("fine", set()),
    ],
)
def test_roles_by_wording(sentence, roles):
    assert roles_in(sentence) == roles


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I'm furious with my sister", [Emotion("anger", "siste")]),
        ("It makes me sad.", [Emotion("sadness")]),
        ("Furious, if I'm honest.", [Emotion("anger")]),
        ("My anger is a problem.", [Emotion("anger")]),
        ("I am not angry, just scared of him", [Emotion("fear")]),
        ("He was furious and she was scared.", []),
        ("My sister was furious.", []),
        ("I told her you were sad", []),
        ("I don’t feel guilty.", []),
        ("I felt fine.", []),
    ],
)
def test_emotions_of_ones_own(text, found):
    assert list(emotions_in(text)) == found


def test_new_is_another_family_or_another_object():
    said = ["I'm furious with my sister.", "I'm furious.", "I'm furious with Dad.", "I'm furious with my sister.",
            "I'm sad."]  # fmt: skip
    assert new_emotions(session(*map(p, said))) == (0, 2, 4)
    assert new_emotions(session(("t", "I'm furious with my sister.", {}), p("I'm furious."))) == (1,)
    played = session(("p", "It isn't the big days.", {"moment": "disclosure"}), p("Mm."), truth=True)
    assert new_emotions(played) == (0,)
