from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.nouns import Turn
from turnwise.reading.encoder import encode
from turnwise.reading.features import lookup_of
from turnwise.reading.parts import LONG_WORDS, PART_WORDS, parts_of
from turnwise.reading.uptake import UPTAKE, uptake_of
from turnwise.reading.window import Window

HEARD = ["I have two kids.", "My kids hate the smoke, and my husband coughs."]


def _uptake(text: str, heard: list[str], own: list[str] | None = None) -> dict[str, float]:
    turn = (text, tuple(heard), tuple(own or ()))
    [found] = uptake_of([turn], lambda a, b: (encode(a).astype(float) * encode(b)).sum(axis=1))
    return dict(zip(UPTAKE, found.tolist(), strict=True))


def test_giving_back_is_told_from_bringing_in() -> None:
    back = _uptake("Your kids hate the smoke.", HEARD)
    new = _uptake("Nicotine patches double the chance of success.", HEARD)
    for name in ("like_other", "like_heard", "taken_from_other", "taken_from_heard", "log_taken"):
        assert back[name] > new[name]
    assert back["log_new"] < new["log_new"]


def test_what_was_heard_earlier_counts_as_heard_but_not_as_the_last() -> None:
    found = _uptake("You have two children, two kids.", [HEARD[0], "Yes."])
    assert found["taken_from_other"] == 0.0
    assert found["taken_from_heard"] > 0.5
    assert found["like_heard"] > found["like_other"]


def test_repeating_oneself_is_seen() -> None:
    assert _uptake("Try patches.", [], ["Try patches."])["like_own"] == pytest.approx(1.0)


def test_nothing_before_is_no_uptake() -> None:
    found = _uptake("Hello there, friend.", [])
    assert all(found[n] == 0.0 for n in ("like_other", "like_heard", "like_own", "taken_from_heard", "log_taken"))


@given(st.lists(st.sampled_from(["One two three.", "Why?", "I went to see my mother at home. " * 3]), max_size=30))
def test_stretches_keep_every_word_in_order(said: list[str]) -> None:
    text = " ".join(said)
    parts = parts_of(text)
    assert " ".join(p for p, _ in parts).split() == text.split()
    assert all(n == len(p.split()) for p, n in parts)
    if len(text.split()) > LONG_WORDS:
        assert all(n <= PART_WORDS for _, n in parts)
        assert len(parts) > 1
    else:
        assert parts == ((text, len(text.split())),)


def test_a_long_turn_is_the_mean_of_its_stretches_by_words() -> None:
    from turnwise.reading.coder import load_coder

    coder = load_coder("therapist_behaviour.v1", "raters")
    text = "What do you make of that? " * 6 + "You should rest more, research shows that it helps. " * 5
    parts = parts_of(text)
    assert len(parts) > 1
    alone = coder.read([Window(Turn(speaker="therapist", text=p)) for p, _ in parts])
    words = np.array([n for _, n in parts])
    whole = coder.read([Window(Turn(speaker="therapist", text=text))])[0]
    np.testing.assert_allclose(whole, (alone * words[:, None]).sum(axis=0) / words.sum(), atol=1e-12)


def test_vectors_that_were_not_foreseen_are_the_same_ones() -> None:
    look = lookup_of(("a cat",))
    assert look("a dog").tobytes() == encode(["a dog"])[0].tobytes()
    assert not look("").any()
