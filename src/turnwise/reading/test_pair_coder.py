"""Tests of the linear coders of a turn and what it answers."""

from __future__ import annotations

import numpy as np
import pytest

from turnwise.core.nouns import Turn
from turnwise.reading.lexicons import names_risk, risk_named
from turnwise.reading.pair_coder import load_pair_coder, pack, said_in, unpack
from turnwise.reading.window import Window

RISK = "I can't do this anymore, I just want to die."


def answer(text: str, before: str = RISK) -> Window:
    """A therapist's turn after a patient's."""
    return Window(Turn(speaker="therapist", text=text), (Turn(speaker="patient", text=before),))


GOOD = answer("I'm so sorry you feel like this. Please talk to someone, is there anybody with you right now?")
BAD = answer("Haha same, that sounds like a good idea.")


def test_an_answer_that_takes_the_risk_up_is_told_from_one_that_does_not() -> None:
    coder = load_pair_coder("risk_ignorance.v1")
    assert coder.decide(coder.read([GOOD, BAD])) == ["responds", "ignores"]


def test_what_was_answered_counts() -> None:
    coder = load_pair_coder("risk_ignorance.v1")
    same = answer(BAD.turn.text, "We had pancakes for breakfast.")
    assert (coder.read([BAD]) != coder.read([same])).any()


def test_a_turn_gets_the_same_bits_in_any_company() -> None:
    coder = load_pair_coder("risk_ignorance.v1")
    many = [GOOD, BAD, answer(""), GOOD, answer("Oh?")] * 30
    together = coder.read(many)
    assert (together[:5] == np.vstack([coder.read([w]) for w in many[:5]])).all()
    assert coder.read([]).shape == (0, 2)


@pytest.mark.parametrize("name", ["risk.v1", "risk_open.v1"])
def test_a_named_risk_is_never_passed_over_by_any_fit(name: str) -> None:
    coder = load_pair_coder(name)
    named = "Oh the bus was late and we had pancakes and I want to kill myself and the weather was nice."
    windows = [Window(Turn(speaker="patient", text=named))]
    assert coder.decide(coder.read(windows)) == ["risk"]
    for fit, w in coder.fits.items():
        p = coder.read(windows, fit)
        assert (np.log(p) + w.offsets).argmax(axis=1).tolist() == [1]
        assert p[0, 1] >= w.named > 0.5


@pytest.mark.parametrize("name", ["risk.v1", "risk_open.v1"])
def test_plain_talk_is_no_risk_and_despair_without_a_risk_word_is(name: str) -> None:
    coder = load_pair_coder(name)
    said = ["We had pancakes for breakfast.", "I feel so hopeless and worthless, everything hurts and I can't go on."]
    assert coder.decide(coder.read([Window(Turn(speaker="patient", text=t)) for t in said])) == ["none", "risk"]


def test_packing_keeps_what_is_read() -> None:
    coder = load_pair_coder("risk_ignorance.v1")
    again = unpack(pack(coder))
    assert again.sha256 == coder.sha256
    assert (again.read([GOOD, BAD], "fold3") == coder.read([GOOD, BAD], "fold3")).all()


def test_what_the_other_said_last_is_found_behind_an_own_turn() -> None:
    turns = (Turn(speaker="patient", text="a"), Turn(speaker="therapist", text="b"))
    assert said_in(Window(Turn(speaker="therapist", text="c"), turns)) == ("c", "a")
    assert said_in(Window(Turn(speaker="therapist", text="c"))) == ("c", "")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (RISK, ("suicide",)),
        ("I DON’T WANT TO WAKE UP.", ("suicide",)),
        ("I've been cutting myself again.", ("self_harm",)),
        ("I'd rather be dead.", ("suicide",)),
        ("I want to unalive myself.", ("suicide",)),
        ("I took the whole bottle an hour ago.", ("suicide",)),
        ("I scratched my arms until they bled.", ("self_harm",)),
        ("I'm going to stab him.", ("others",)),
        ("My husband hits me.", ("others",)),
        ("I cut my finger on the tin.", ()),
        ("I cut myself shaving this morning.", ()),
        ("This job is killing me.", ()),
        ("I don't want to live in London.", ()),
        ("I don't want to wake up early tomorrow.", ()),
        ("This traffic is killing time.", ()),
        ("", ()),
    ],
)
def test_named_risk(text: str, kinds: tuple[str, ...]) -> None:
    assert risk_named(text) == kinds


def test_the_quick_look_never_hides_a_named_risk() -> None:
    from turnwise.reading.lexicons import _COMPILED

    texts = [
        *(
            "no point in living",
            "take my own life",
            "better off without me",
            "self-harm",
            "punish myself",
            "starving myself",
        ),
        *(
            "I overdosed",
            "kms",
            "happier without me",
            "I bought a rope",
            "saving up my pills",
            "slit my wrists",
            "scratching my legs",
            "he chokes me",
            "the voices tell me to",
            "end it all",
            "wish I was never born",
            "off myself",
            "ready to die",
            "cut my arm",
            "hang myself",
        ),
    ]
    slow = [any(p.search(t.lower()) for p in _COMPILED.values()) for t in texts]
    assert names_risk(texts).tolist() == slow == [True] * len(texts)
