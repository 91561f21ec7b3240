from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.reading.claim_runs import plainly, runs
from turnwise.reading.claim_trees import Trees


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("My, my daughter put me in for this.", "my daughter put me in for this."),
        ("I'm, you know, a weight, um, on that girl.", "I'm a weight on that girl."),
        ("She rang, and I cried.", "She rang, and I cried."),
        ("Like, yes.", "yes."),
        ("Um.", "Um."),
    ],
)
def test_fillers_and_false_starts_go(said: str, plain: str) -> None:
    assert plainly(said) == plain


@given(st.text(alphabet="um, you know. i", max_size=60))
def test_nothing_is_added(text: str) -> None:
    assert len(plainly(text)) <= len(text)


def test_words_turned_round_are_the_same_words_and_a_denial_is_not() -> None:
    told = [("i'm not safe".split(), 0), ("my wife left".split(), 2)]
    claims = [("you're not safe".split(), 3), ("you're safe".split(), 3), ("your wife left".split(), 1)]
    found = runs(claims, told)
    assert found[0, 0] == 1.0
    assert found[1, 3] == 0.0
    assert found[1, 4] == 1.0
    assert found[2, 0] == 0.0, "said only later"


def test_a_feeling_of_the_same_kind_was_said() -> None:
    found = runs(
        [("there's shame in that".split(), 1), ("you feel afraid".split(), 1)], [("i am not ashamed".split(), 0)]
    )
    assert found[0, 6:].tolist() == [0.0, 1.0]
    assert found[1, 6:].tolist() == [0.0, 0.0]


def test_trees_add_up_to_the_same_alone_and_in_company() -> None:
    rng = np.random.default_rng(7)
    made = Trees(
        rng.integers(0, 4, (12, 7)).astype(np.int32),
        rng.random((12, 7)).astype(np.float32),
        rng.integers(-9999, 9999, (12, 8)).astype(np.int32),
        np.array([1, 2, 3], dtype=np.int32),
    )
    x = rng.random((20, 4))
    together = made.scores(x)
    assert all(made.scores(x[i : i + 1]).tobytes() == together[i].tobytes() for i in range(20))
