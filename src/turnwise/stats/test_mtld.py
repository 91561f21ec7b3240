"""Golden value of measures.md 23.3, a reference written the long way, and what is undefined."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.stats.mtld import mtld, spoken_tokens

GOLDEN = "the cat sat on the mat and the dog sat on the rug and the cat ran".split()


def forward(tokens: list[str], threshold: float = 0.72) -> float:
    """One direction as the paper words it: cut off factor after factor from the front."""
    rest, factors = list(tokens), 0.0
    while rest:
        for n in range(1, len(rest) + 1):
            if len(set(rest[:n])) / n <= threshold:
                factors, rest = factors + 1, rest[n:]
                break
        else:
            return len(tokens) / (factors + (1 - len(set(rest)) / len(rest)) / (1 - threshold))
    return len(tokens) / factors


def test_the_golden_text_in_both_directions() -> None:
    assert forward(GOLDEN) == pytest.approx(11.25675676, abs=1e-8)
    assert forward(GOLDEN[::-1]) == pytest.approx(17.0, abs=1e-8)
    assert mtld(GOLDEN).value == pytest.approx(14.12837838, abs=1e-8)


@settings(deadline=None)
@given(st.lists(st.sampled_from("abcdefgh"), min_size=12, max_size=80))
def test_it_is_the_mean_of_both_directions_of_the_reference(tokens: list[str]) -> None:
    assert mtld(tokens).value == pytest.approx((forward(tokens) + forward(tokens[::-1])) / 2)
    assert mtld(tokens).value == pytest.approx(mtld(tokens[::-1]).value)


def test_more_varied_text_scores_higher() -> None:
    plain = ["a", "b", "a", "b"] * 20
    varied = [f"w{i % 30}" for i in range(80)]
    more, less = mtld(varied).value, mtld(plain).value
    assert more is not None
    assert less is not None
    assert more > 3 * less


def test_undefined_is_never_a_number() -> None:
    assert (mtld([]).value, mtld([]).code) == (None, "empty")
    new = mtld(["every", "word", "is", "new"])
    assert (new.value, new.code, new.n) == (None, "too_short", 4)
    with pytest.raises(ValueError, match="threshold"):
        mtld(GOLDEN, threshold=1.0)


def test_tokens_are_words_without_um_and_marks() -> None:
    assert spoken_tokens("Um... I don’t -- uh -- know; 3 times, y'know?") == "i don't know 3 times y'know".split()
