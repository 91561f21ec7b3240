"""Tests of the coders of expressed empathy: levels that people would give, bits that do not depend on company."""

from __future__ import annotations

import numpy as np
import pytest

from turnwise.core.nouns import Turn
from turnwise.reading.epitome import (
    LEVELS,
    PLACE,
    POOLED,
    load_mechanism,
    locate,
    pack,
    place,
    pooled,
    replies_of,
    unpack,
)
from turnwise.reading.window import Window

ITEMS = ("er.v1", "ip.v1", "ex.v1")
REPLIES = (
    "I'm so sorry you're going through this. It breaks my heart. I'm here for you.",
    "I know exactly how that feels. I was in the same place last year and I couldn't get out of bed either.",
    "What happened with your sister? How long have you been feeling this way?",
    "Drink water.",
    "Mm-hmm.",
)


def windows(*texts: str) -> list[Window]:
    """One window per text, nothing before it."""
    return [Window(Turn(speaker="therapist", text=t)) for t in texts]


@pytest.mark.parametrize(("name", "at"), [("er.v1", 0), ("ip.v1", 1), ("ex.v1", 2)])
def test_each_mechanism_is_seen_where_it_is_expressed_and_not_elsewhere(name: str, at: int) -> None:
    coder = load_mechanism(name)
    expressed = coder.read(windows(*REPLIES))[:, 1:].sum(axis=1)
    assert expressed.argmax() == at
    assert coder.decide(coder.read(windows("Drink water."))) == ["0"]


@pytest.mark.parametrize("name", ITEMS)
def test_a_reply_gets_the_same_bits_in_any_company_and_order(name: str) -> None:
    coder = load_mechanism(name)
    together = coder.read(windows(*REPLIES, *REPLIES[::-1]))
    alone = np.vstack([coder.read(windows(t)) for t in REPLIES])
    assert (together == np.vstack([alone, alone[::-1]])).all()
    assert np.allclose(together.sum(axis=1), 1.0)
    assert coder.read([]).shape == (0, 3)


@pytest.mark.parametrize("name", ITEMS)
def test_cross_fitted_weights_are_others_and_an_unknown_fit_is_refused(name: str) -> None:
    coder = load_mechanism(name)
    assert set(coder.fits) == {"full", *(f"fold{k}" for k in range(5))}
    assert (coder.read(windows(*REPLIES), "fold0") != coder.read(windows(*REPLIES))).any()
    with pytest.raises(KeyError):
        coder.read(windows("Hi."), "fold9")


def test_spans_are_the_sentences_that_carry_the_mechanism() -> None:
    text = "Drink water. I'm so sorry, that is awful."
    found = load_mechanism("er.v1").spans(Window(Turn(speaker="therapist", text=text)))
    assert [(text[a:b], item) for a, b, item, _ in found] == [("I'm so sorry, that is awful.", "er")]
    assert all(0.0 < p <= 1.0 for *_, p in found)


def test_packing_keeps_what_is_read() -> None:
    coder = load_mechanism("ex.v1")
    again = unpack(pack(coder))
    assert again.sha256 == coder.sha256
    assert (again.read(windows(*REPLIES)) == coder.read(windows(*REPLIES))).all()


def test_pooling_has_a_name_for_every_number_and_takes_the_first_of_equal_sentences() -> None:
    replies = replies_of(("I am sad. You are too. So.", "Well."))
    q = np.array([[0.5, 0.5, 0.0], [0.2, 0.5, 0.3], [0.2, 0.8, 0.0], [1.0, 0.0, 0.0]])
    found = pooled(q, replies)
    assert found.shape == (2, len(POOLED))
    assert found[0, POOLED.index("log_top_words")] == pytest.approx(np.log1p(3))
    assert found[1, POOLED.index("one_sentence")] == 1.0


def test_place_has_a_name_for_every_number() -> None:
    numbers, words, has_i = place("Do you know my name?", 1, 3)
    assert len(numbers) == len(PLACE)
    assert (words, has_i) == (5, True)


def test_repeated_sentences_are_located_one_after_the_other() -> None:
    assert locate("No. No.", ["No.", "No."]) == [(0, 3), (4, 7)]


def test_the_labels_are_levels() -> None:
    assert load_mechanism("er.v1").labels == LEVELS
