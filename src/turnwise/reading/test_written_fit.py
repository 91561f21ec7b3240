"""The calibration of coders that are fitted on written examples."""

from __future__ import annotations

import numpy as np
import pytest

from fit_written_coders import fit, never_sharper, towards
from turn_corpus import ITEMS
from turnwise.reading.coder import LinearWeights
from turnwise.reading.products import softmax
from written_examples import as_labelled, window

TALK = next(item for item in ITEMS if item.name == "client_talk")
SAID = {
    "change": ("I want to stop {}.", "I will quit {} now.", "I'm ready to change {}."),
    "neutral": ("{} was on Monday.", "My sister knows {}.", "Then came {}."),
    "sustain": ("I like {} too much.", "I won't stop {}.", "I need {} to sleep."),
}
TOPICS = ("smoking", "drinking", "the diet", "gaming", "work", "coffee", "late nights", "sugar", "bets", "pills")


def _weights(temperature: float) -> LinearWeights:
    return LinearWeights(np.ones((2, 3)), {}, np.array([0.3, -0.1, -0.2]), temperature)


@pytest.mark.parametrize(("held_out", "kept"), [(0.4, 1.0), (1.0, 1.0), (1.7, 1.7)])
def test_held_out_voices_may_soften_a_fit_and_never_sharpen_it(held_out: float, kept: float) -> None:
    found = never_sharper(_weights(held_out))
    assert found.temperature == kept
    assert found.bias.tolist() == _weights(held_out).bias.tolist()


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_moved_shares_multiply_the_odds_whatever_the_temperature(temperature: float) -> None:
    seen, observed = np.array([40.0, 40.0, 20.0]), np.array([10.0, 80.0, 10.0])
    before, logits = _weights(temperature), np.random.default_rng(0).normal(size=(6, 3))
    after = towards(before, seen, observed)
    p, q = (softmax((logits + w.bias) / w.temperature) for w in (before, after))
    by_hand = p * (observed / observed.sum()) / (seen / seen.sum())
    np.testing.assert_allclose(q, by_hand / by_hand.sum(axis=1, keepdims=True), atol=1e-4)
    assert towards(before, seen, seen * 3).bias.tolist() == before.bias.tolist()


def test_a_fit_of_written_voices_is_never_sharpened_and_goes_to_the_shares_people_have() -> None:
    rows = [
        (window({"text": text.format(topic)}, "patient"), label, f"written:{topic}")
        for topic in TOPICS
        for label, texts in SAID.items()
        for text in texts
    ]
    data = as_labelled(rows, TALK)
    alone = fit(TALK, data)
    assert alone.fits["full"].temperature == 1.0
    observed = np.array([1 if x == "sustain" else 50 for x in TALK.labels], dtype=np.int64)
    moved = fit(TALK, data, observed)
    at = TALK.labels.index("sustain")
    p, q = (c.read(data.windows)[:, at].mean() for c in (alone, moved))
    assert q < p < 0.5
