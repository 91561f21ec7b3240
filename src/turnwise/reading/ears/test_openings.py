from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from turnwise.reading.ears.intents import INTENTS, paraphrases, plain
from turnwise.reading.ears.openings import opening_table, openings
from turnwise.reading.package_data import read_packaged

CATALOGUE = yaml.safe_load(read_packaged("ears/intents.yaml"))
LISTS = [CATALOGUE[name]["patterns"] for name in INTENTS]
SLOW = [re.compile("|".join(patterns)) for patterns in LISTS]
TABLE = opening_table(LISTS)
ASKS = [plain(a) for own in paraphrases().values() for a in own]
WORDS = sorted({w for a in ASKS for w in a.split()})


def slow(text: str) -> tuple[int, ...]:
    return tuple(i for i, pattern in enumerate(SLOW) if pattern.search(text))


@pytest.mark.parametrize("start", range(6))
def test_the_table_hits_what_searching_for_every_pattern_hits(start: int) -> None:
    for text in ASKS[start::6]:
        assert TABLE.hits(text) == slow(text), text


@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), st.sampled_from(["", "so ", "'", "10 "]))
def test_it_does_so_for_words_in_any_order(text: str, before: str) -> None:
    assert TABLE.hits(before + text) == slow(before + text)


def test_nearly_every_pattern_of_the_catalogue_tells_how_it_opens() -> None:
    unknown = [p for patterns in LISTS for p in patterns if openings(p) is None]
    assert len(unknown) <= 3


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\bwhat\b", "wha"),
        (r"^(?:how|when) is", "how whe"),
        (r"\b(?:(?:one|two) of|0) (?:a|b)", "one two 0"),
        (r"\b(?:so )?(?:and|then)\b", "so and the"),
        (r"\b[(|]x", None),
        (r"\bw?hat", None),
        (r"\b(?:a|)b", None),
        (r"(?:a|b)c", None),
        (r"\ba|b", None),
        (r"\b(?:a(?:b|c)){0,2}d", None),
        (r"\b\(", None),
    ],
)
def test_what_a_pattern_may_begin_with(pattern: str, expected: str | None) -> None:
    found = openings(pattern)
    assert found == (None if expected is None else frozenset(expected.split()))
