"""Cards made of made-up evidence: every part says what it says it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from coder_cards import card_of
from evidence import Evidence
from reliability_svg import reliability_svg
from turnwise.core.nouns import Turn
from turnwise.engine.corpora.annomi import ANNOMI
from turnwise.reading.cards import Card
from turnwise.reading.window import Window

N = 240
WORDS = ("I will go", "I went to see him", "Maybe not", "She is drinking a lot, isn't it")


def _read(windows: Sequence[Window]) -> np.ndarray:
    """Read "please" as the second label, and nothing else as anything."""
    p = np.array([0.9 if "please" in w.turn.text else 0.2 for w in windows])
    return np.stack([1 - p, p], axis=1)


def _decide(p: np.ndarray) -> list[str]:
    return [("a", "b")[i] for i in p.argmax(axis=1)]


def _evidence() -> Evidence:
    rng = np.random.default_rng(7)
    stated = rng.uniform(0.05, 0.95, N)
    gold = (rng.random(N) < stated).astype(np.int64)
    p = np.stack([1 - stated, stated], axis=1)
    said = [WORDS[i % len(WORDS)] + " now" * (i % 7) for i in range(N)]
    return Evidence(
        name="x.v1",
        item="x",
        side="raters",
        kind="one",
        labels=("a", "b"),
        reads="patient",
        definition="",
        corpus=ANNOMI,
        data_sha256="0" * 64,
        windows=[Window(Turn(speaker="patient", text=text)) for text in said],
        gold=gold,
        group=np.array([f"g{i % 24}" for i in range(N)]),
        p=p,
        decided=p.argmax(axis=1),
        floor=rng.integers(2, size=N),
        length=np.zeros(N, dtype=np.int64),
        read=_read,
        decide=_decide,
        sha256="1" * 64,
        fit_command="",
        weighting="",
        validation="",
        scope="",
        bundle="research",
        licence="",
    )


@pytest.fixture(scope="module")
def card() -> Card:
    return Card.model_validate(card_of(_evidence()))


def test_figures_floors_and_gains_belong_together(card: Card) -> None:
    f = card.floors
    assert f.gain_over_tfidf.value == pytest.approx(card.macro_f1 - f.tfidf.value, abs=2e-4)
    assert f.gain_over_tfidf.low > 0
    assert f.length.value == pytest.approx(f.constant, abs=0.02)
    assert (card.data.turns, card.data.groups, sum(card.data.by_label.values())) == (N, 24, N)


def test_a_calibrated_coder_is_called_one(card: Card) -> None:
    assert card.calibration.within_null
    assert abs(card.calibration.debiased_ece) < 0.05
    sure = replace(_evidence(), p=np.clip(_evidence().p * 3 - 1, 0.01, 0.99))
    assert not Card.model_validate(card_of(sure)).calibration.within_null


def test_only_what_the_coder_listens_to_moves_it(card: Card) -> None:
    moved = {i.name: i for i in card.invariance}
    assert set(moved) == {
        "first names",
        "gendered words",
        "dialect",
        "diagnosis words",
        "politeness",
        "length",
    }
    assert moved["politeness"].share_moved == pytest.approx(1 / 3, abs=0.01)  # one pair in three says please
    assert moved["politeness"].mean_change == pytest.approx(0.7 / 3, abs=0.01)
    assert all(i.share_moved == i.mean_change == 0.0 for name, i in moved.items() if name != "politeness")


def test_several_labels_a_turn() -> None:
    one = _evidence()
    gold = np.stack([one.gold, 1 - one.gold], axis=1)
    decided = np.stack([one.decided, 1 - one.decided], axis=1)
    many = replace(
        one,
        kind="many",
        gold=gold,
        decided=decided,
        p=one.p[:, ::-1],
        floor=np.ones_like(gold),
        length=np.ones_like(gold),
        decide=lambda p: ["|".join(x for x, v in zip("ab", row, strict=True) if v > 0.5) or "none" for row in p],
    )
    card = Card.model_validate(card_of(many))
    assert card.kind == "many"
    assert card.floors.constant == card.floors.length.value
    assert sum(b.n for b in card.calibration.reliability) == 2 * N
    assert card.accuracy_cv.value == Card.model_validate(card_of(one)).accuracy_cv.value


def test_a_diagram_has_a_dot_for_every_bin(card: Card) -> None:
    drawn = reliability_svg("x.v1", [b.model_dump() for b in card.calibration.reliability])
    assert drawn.count("<circle") == len(card.calibration.reliability)
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
