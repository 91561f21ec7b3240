from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.reading.perturbing import (
    DIAGNOSES,
    PERTURBATIONS,
    in_dialect,
    longer,
    politely,
    swap_gender,
    swap_names,
    with_diagnosis,
)

SENTENCE = "Greg isn't drinking because his wife, my sister, told him."


def test_each_perturbation_changes_its_own_thing_and_nothing_else() -> None:
    assert swap_names(SENTENCE) == SENTENCE.replace("Greg", "Jamal")
    assert swap_gender(SENTENCE) == "Greg isn't drinking because her husband, my brother, told her."
    assert in_dialect(SENTENCE) == "Greg ain't drinkin' 'cause his wife, my sister, told him."
    assert in_dialect(SENTENCE, "british") == "Greg ain't drinkin' because his wife, me sister, told him."
    assert with_diagnosis(SENTENCE, "ADHD", "patient") == SENTENCE[:-1] + ", with my ADHD."
    assert longer(SENTENCE).startswith(SENTENCE[:-1])
    assert all(plain == SENTENCE and plain != polite for plain, polite in politely(SENTENCE))


@pytest.mark.parametrize("text", ["nothing to see", "a string in the morning brings something", "grace may mark it"])
def test_what_takes_no_change_stays(text: str) -> None:
    assert swap_names(text) == swap_gender(text) == in_dialect(text) == in_dialect(text, "british") == text


def test_capitals_are_kept() -> None:
    assert swap_gender("HE said. He said.") == "SHE said. She said."
    assert in_dialect("My way", "british") == "Me way"


def test_names_and_gender_swap_back() -> None:
    assert swap_names(swap_names("Emily and Mohammed")) == "Emily and Mohammed"
    assert swap_gender(swap_gender("My wife and her brother; she is a woman.")) == (
        "My wife and her brother; she is a woman."
    )


def test_a_name_the_turn_opens_with_is_the_only_difference() -> None:
    (names,) = (p for p in PERTURBATIONS if p.name == "first names")
    for a, b in names.pairs("I will.", "patient"):
        assert (a.partition(", ")[2], b.partition(", ")[2]) == ("I will.", "I will.")
        assert a != b


def test_every_diagnosis_is_tried_and_belongs_to_the_patient() -> None:
    (found,) = (p for p in PERTURBATIONS if p.name == "diagnosis words")
    said = [b for _, b in found.pairs("How so?", "therapist")]
    assert said == [f"How so, with your {d}?" for d in DIAGNOSES]


@given(st.text(max_size=60), st.sampled_from(["therapist", "patient"]))
def test_any_text_is_fit_and_pairs_differ(text: str, speaker: str) -> None:
    for p in PERTURBATIONS:
        assert all(a != b for a, b in p.pairs(text, speaker))  # type: ignore[arg-type]
