from __future__ import annotations

import pytest

from turnwise.core.errors import FormatError, RegistryError
from turnwise.core.registry import READERS
from turnwise.reading import cards as cards_module
from turnwise.reading.cards import bundle_licence, card_names, cards, load_card
from turnwise.reading.coder import load_coder
from turnwise.reading.encoder import ENCODER
from turnwise.reading.features import FAMILIES, Family
from turnwise.reading.package_data import read_packaged, sha256_of
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
    assert sha256_of(read_packaged(f"{side}/weights/{name}.safetensors")) == card.sha256
    assert (card.coder, card.side, card.encoder) == (name, side, ENCODER)
    assert card.written_or_observed == "observed"


@pytest.mark.parametrize(("name", "side"), SHIPPED)
def test_figures_are_possible_and_lie_between_floor_and_ceiling(name: str, side: Family) -> None:
    card = load_card(name, side)
    for f in (card.macro_f1_cv, card.accuracy_cv, card.disagreement):
        assert 0 <= f.low <= f.value <= f.high <= 1
        assert f.n > 0
    assert card.majority_macro_f1 < card.length_only_macro_f1 < card.macro_f1 < card.ceiling.macro_f1
    assert set(card.f1_by_label) == set(card.labels) == set(card.data.by_label)
    assert sum(card.data.by_label.values()) == card.data.turns
    assert sum(card.f1_by_label.values()) / len(card.labels) == pytest.approx(card.macro_f1, abs=1e-3)
    assert card.calibration.ece < 0.05
    assert f"{card.macro_f1:.2f}" in card.figure_sentence()
    assert f"{card.ceiling.macro_f1:.2f}" in card.ceiling_sentence()


def test_ears_and_raters_are_not_the_same_fit_and_say_how_far_apart_they_are() -> None:
    for ear in cards("ears"):
        rater = load_card(ear.coder, "raters")
        assert ear.sha256 != rater.sha256
        assert ear.data.series < rater.data.series
        assert ear.disagreement == rater.disagreement
        assert set(load_coder(ear.coder, "ears").fits) == {"full"}


def test_data_without_a_licence_file_is_in_the_research_bundle_and_says_so() -> None:
    for side in FAMILIES:
        assert all(c.bundle == "research" for c in cards(side) if c.data.licence.startswith("R"))
    assert "not redistributed" in bundle_licence("research")
    assert bundle_licence("open") == "open: no coder in this bundle yet."
    with pytest.raises(RegistryError, match="known: open, research"):
        bundle_licence("closed")


def test_an_unversioned_name_is_the_newest_and_an_unknown_one_an_error() -> None:
    assert load_card("client_talk", "ears") == load_card("client_talk.v1", "ears")
    with pytest.raises(RegistryError, match=r"no card for coder 'mood' among the raters; known: client_talk\.v1"):
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
