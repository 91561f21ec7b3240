from __future__ import annotations

import pytest
from pydantic import ValidationError

from turnwise.core.errors import FormatError, RegistryError
from turnwise.core.registry import READERS
from turnwise.reading import cards as cards_module
from turnwise.reading.cards import Card, bundle_licence, card_names, cards, load_card
from turnwise.reading.coder import load_coder
from turnwise.reading.encoder import ENCODER
from turnwise.reading.features import FAMILIES, Family
from turnwise.reading.package_data import read_packaged, sha256_of
from turnwise.reading.perturbing import PERTURBATIONS
from turnwise.reading.raters import client_talk, therapist_behaviour

SHIPPED = [(name, side) for side in FAMILIES for name in card_names(side)]
assert client_talk
assert therapist_behaviour  # importing them registers the readers


def test_each_registered_reader_has_a_card_of_its_own_weights() -> None:
    assert len(READERS) >= 2
    for entry in READERS:
        card, made = load_card(entry.name, "raters"), entry.obj()
        assert (card.coder, card.item, card.labels) == (entry.name, entry.spec["item"], entry.spec["labels"])
        assert (card.sha256, card.reads) == (made.sha256, entry.spec["reads"])


@pytest.mark.parametrize(("name", "side"), SHIPPED)
def test_a_card_speaks_of_the_weights_beside_it(name: str, side: Family) -> None:
    card = load_card(name, side)
    assert sha256_of(read_packaged(f"{side}/weights/{card.weights or name}.safetensors")) == card.sha256
    assert (card.coder, card.side, card.encoder) == (name, side, ENCODER)


@pytest.mark.parametrize(("name", "side"), SHIPPED)
def test_figures_are_possible_and_lie_above_the_floors(name: str, side: Family) -> None:
    card = load_card(name, side)
    for f in (card.macro_f1_cv, card.accuracy_cv, card.floors.tfidf, card.floors.length):
        assert 0 <= f.low <= f.value <= f.high <= 1
        assert f.n == card.macro_f1_cv.n > 0
    assert card.macro_f1 > card.floors.constant
    for floor, gain in (
        (card.floors.tfidf, card.floors.gain_over_tfidf),
        (card.floors.length, card.floors.gain_over_length),
    ):
        assert gain.value == pytest.approx(card.macro_f1 - floor.value, abs=2e-4)
        # On clean written examples of two labels or three a plain pipeline may do as well: the turns that readers
        # coded decide about those (``undetermined``).
        assert gain.high >= 0 or card.corpus == "skill_examples", "worse than a floor"
    assert card.floors.gain_over_length.low > 0, "no coder loses to the length of the turn"
    assert set(card.f1_by_label) == set(card.labels) == set(card.data.by_label)
    assert sum(card.f1_by_label.values()) / len(card.labels) == pytest.approx(card.macro_f1, abs=1e-3)
    assert f"{card.macro_f1:.2f}" in card.figure_sentence()
    assert card.ceiling_sentence()


@pytest.mark.parametrize(("name", "side"), SHIPPED)
def test_probabilities_are_shares_within_what_is_promised(name: str, side: Family) -> None:
    card = load_card(name, side)
    c = card.calibration
    # Fitted on written examples, a coder meets people for the first time here: its card says how far off it is.
    assert c.debiased_ece <= 0.05 or c.within_null or card.written_or_observed == "written"
    assert c.debiased_ece == pytest.approx(c.ece - c.null_mean, abs=2e-4)
    assert all(b.low < b.high and b.n > 0 for b in c.reliability)
    error = sum(b.n * abs(b.correct - b.confidence) for b in c.reliability) / sum(b.n for b in c.reliability)
    assert error == pytest.approx(c.ece, abs=1e-3)


@pytest.mark.parametrize(("name", "side"), SHIPPED)
def test_every_card_says_what_moves_it(name: str, side: Family) -> None:
    said = {i.name for i in load_card(name, side).invariance}
    assert said <= {p.name for p in PERTURBATIONS}
    assert {"first names", "diagnosis words", "politeness", "length"} <= said


def test_ears_and_raters_are_not_the_same_fit_and_say_how_far_apart_they_are() -> None:
    for ear in cards("ears"):
        rater = load_card(ear.coder, "raters")
        assert ear.sha256 != rater.sha256
        assert ear.data.groups < rater.data.groups
        assert ear.disagreement == rater.disagreement
        assert set(load_coder(ear.coder, "ears").fits) == {"full"}


def test_data_without_a_licence_file_is_in_the_research_bundle_and_says_so() -> None:
    for side in FAMILIES:
        observed = [c for c in cards(side) if c.written_or_observed == "observed"]
        assert all(c.bundle == "research" for c in observed if c.data.licence.startswith("R"))
    assert "not redistributed" in bundle_licence("research")
    free = bundle_licence("open")
    assert free.startswith("open: ")
    assert not [c.coder for side in FAMILIES for c in cards(side) if c.bundle == "research" and c.licence in free]
    with pytest.raises(RegistryError, match="known: open, research"):
        bundle_licence("closed")


def test_an_unversioned_name_is_the_newest_and_an_unknown_one_an_error() -> None:
    assert load_card("client_talk", "ears") == load_card("client_talk.v1", "ears")
    with pytest.raises(RegistryError, match=r"no card for coder 'mood' among the raters; known: .*client_talk\.v1"):
        load_card("mood", "raters")


def test_weights_that_are_not_the_cards_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    right = load_card("client_talk.v1", "raters")
    monkeypatch.setattr(cards_module, "load_card", lambda *_: right.model_copy(update={"sha256": "0" * 64}))
    with pytest.raises(FormatError, match="is expected"):
        load_coder.__wrapped__("client_talk.v1", "raters")
    swapped = right.model_copy(update={"labels": right.labels[::-1]})
    monkeypatch.setattr(cards_module, "load_card", lambda *_: swapped)
    with pytest.raises(FormatError, match="another coder than its card says"):
        load_coder.__wrapped__("client_talk.v1", "raters")


def test_a_card_without_what_is_not_known_still_speaks() -> None:
    card = load_card("client_talk.v1", "raters")
    assert card.ceiling is not None
    assert card.ceiling_sentence() == "one person against the majority of the others: macro-F1 0.70 (169 turns)"
    kappa = card.ceiling.model_copy(update={"macro_f1": None})
    assert card.model_copy(update={"ceiling": kappa}).ceiling_sentence() == (
        "people among each other: Fleiss' kappa 0.44, accuracy 0.76 (169 turns)"
    )
    assert "not published" in card.model_copy(update={"ceiling": None}).ceiling_sentence()
    with pytest.raises(ValidationError, match="mood"):
        Card.model_validate(card.model_dump() | {"mood": 1})
    assert Card.model_validate(card.model_dump(mode="json")) == card
