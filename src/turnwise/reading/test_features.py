from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.nouns import Turn
from turnwise.reading.cues import CLIENT_CUES, HINTS, THERAPIST_CUES, cues_of
from turnwise.reading.features import FAMILIES, Family, before, dense_names, features_of, terms_of
from turnwise.reading.window import Window

TABLES = {"client_talk": CLIENT_CUES, "therapist_behaviour": THERAPIST_CUES}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("item", sorted(TABLES))
def test_every_dense_column_has_one_name(item: str, family: Family) -> None:
    names = dense_names(item, family)
    assert len(set(names)) == len(names)
    window = Window(Turn(speaker="patient", text="I can't, but I want to."), (Turn(speaker="therapist", text="Why?"),))
    found = features_of([window, window], item, family)
    assert found.dense.shape == (2, len(names))
    assert (len(found.said) == 0) == (family == "ears")


def test_before_finds_the_other_and_the_own_earlier_turns() -> None:
    a, b = (Turn(speaker="therapist", text=x) for x in ("a", "b"))
    x, y = (Turn(speaker="patient", text=t) for t in ("x", "y"))
    assert before(Window(y, (a, x, b))) == (("a", "b"), ("x",))
    assert before(Window(y, (x,))) == ((), ("x",))
    assert before(Window(a)) == ((), ())


@pytest.mark.parametrize(
    ("item", "cue", "yes", "no"),
    [
        ("client_talk", "wants", "I really want that.", "You want that."),
        ("client_talk", "negates", "I don't.", "I do."),
        ("client_talk", "refuses", "I'm not really ready.", "I'm ready."),
        ("client_talk", "will", "I'll try.", "I tried."),
        ("client_talk", "says_yes", "Yeah, sure.", "Oh, yeah."),
        ("client_talk", "unable", "It's hard.", "It's easy."),
        ("therapist_behaviour", "ends_asking", 'He said "why?"', "Why? Because."),
        ("therapist_behaviour", "reflects", "It sounds like you're torn.", "Go on."),
        ("therapist_behaviour", "opens_reflecting", "You're torn.", "Are you torn?"),
        ("therapist_behaviour", "advises", "You should rest.", "You rest."),
    ],
)
def test_a_cue_fires_where_it_should(item: str, cue: str, yes: str, no: str) -> None:
    at = list(TABLES[item]).index(cue)
    assert cues_of(yes, item)[at] > 0
    assert cues_of(no, item)[at] == 0


@given(st.text(max_size=300), st.sampled_from(sorted(TABLES)))
def test_cues_are_bounded(text: str, item: str) -> None:
    found = cues_of(text, item)
    assert found.shape == (len(TABLES[item]) + 3,)
    assert (found[: len(TABLES[item])] <= np.sqrt(3)).all()
    assert (found >= 0).all()


@given(st.text(alphabet="ab ?.", max_size=30))
def test_terms_are_distinct_and_no_longer_than_asked(text: str) -> None:
    found = terms_of(text, 3)
    assert len(set(found)) == len(found)
    assert all(1 <= len(t.split(" ")) <= 3 for t in found)
    assert set(terms_of(text, 2)) <= set(found)


WORDS = " ".join((*CLIENT_CUES.values(), *THERAPIST_CUES.values(), *(h for hints in HINTS.values() for h in hints)))
PIECES = sorted(set(re.findall(r"[a-z']+", WORDS)) | {"i", "you", "to", ".", "?", "like", "don't", "I'll"})


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join), st.sampled_from(sorted(TABLES)))
def test_a_hint_never_hides_what_a_pattern_would_find(text: str, item: str) -> None:
    found = cues_of(text, item)
    for at, pattern in enumerate(TABLES[item].values()):
        assert (found[at] > 0) == bool(re.findall(pattern, text.lower()))
