from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.reading.terms import END, START, Vocabulary, tokens_of

WORDS = ["i", "you", "don't", "know", ".", "?"]
texts = st.lists(st.lists(st.sampled_from([*WORDS, "zebra", "I", "Don’t"]), max_size=9).map(" ".join), max_size=6)


def slow(text: str, terms: tuple[str, ...], *, marks: bool) -> list[float]:
    tokens = [START, *tokens_of(text), END] if marks else tokens_of(text)
    grams = {" ".join(tokens[i : i + n]) for n in (1, 2, 3) for i in range(len(tokens) - n + 1)}
    return [float(t in grams) for t in terms]


@given(texts, st.booleans())
def test_the_quick_way_finds_what_the_plain_way_finds(given_texts: list[str], marks: bool) -> None:
    terms = ("i", "you know", "i don't know", "?", f"{START} i", f"know {END}", "don't")
    found = Vocabulary(terms, marks=marks).matrix(given_texts).toarray()
    assert found.tolist() == [slow(t, terms, marks=marks) for t in given_texts]


def test_a_row_does_not_depend_on_the_batch_and_columns_are_in_order() -> None:
    v = Vocabulary(("you", "do you", "do"))
    together = v.matrix(["", "do you", "100,000 " * 9000, "you do"])
    for i, text in enumerate(["", "do you", "100,000 " * 9000, "you do"]):
        assert (v.matrix([text]) != together[i]).nnz == 0
    assert together[1].indices.tolist() == [0, 1, 2]
    assert v.matrix([]).shape == (0, 3)
    assert Vocabulary(()).matrix(["a b"]).shape == (1, 0)


def test_what_cannot_be_a_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="same"):
        Vocabulary(("a", "a"))
    with pytest.raises(ValueError, match="tokens"):
        Vocabulary(("a b c d",))


def test_products_over_a_vocabulary_are_the_same_bits_alone_and_together() -> None:
    said = ["i don't know", "do you know?", "know . know .", "you"] * 20
    terms = tuple(sorted({g for t in said for g in tokens_of(t)} | {"don't know", "you know"}))
    v, weights = Vocabulary(terms), np.random.default_rng(1).normal(size=(len(set(terms)), 3))
    together = v.matrix(said) @ weights
    for i, text in enumerate(said):
        assert (v.matrix([text]) @ weights).tobytes() == together[i : i + 1].tobytes()
