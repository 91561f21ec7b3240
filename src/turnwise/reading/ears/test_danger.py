"""What the ear for danger hears of lines by authors it has not seen, and that nothing around a line changes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from danger_figures import lines_of, on_lines
from turnwise.reading.ears.danger import KINDS, hear_danger, is_danger, pieces_of
from turnwise.reading.ears.danger_reply import hear_danger_reply

WRITTEN = Path(__file__).resolve().parents[4] / "tools" / "written" / "danger"
CARD = Path(__file__).with_name("danger_data") / "card.json"


def test_the_card_says_what_it_hears_of_authors_kept_apart() -> None:
    said = json.loads(CARD.read_text(encoding="utf-8"))["figures"]
    found = on_lines(lines_of(list(WRITTEN.glob("check_*.tsv"))))
    for name, share in found.items():
        assert share["n"] == said[name]["n"]
        # Another processor may round a line that lies at the threshold the other way.
        assert share["value"] == pytest.approx(said[name]["value"], abs=2.5 / share["n"]), name
    assert found["recall"]["n"] >= 300
    assert found["false alarms on look-alikes"]["n"] >= 300
    assert found["recall"]["value"] >= 0.75
    assert found["false alarms on look-alikes"]["value"] <= 0.1


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I want to die.", "self"),
        ("I've been thinking about killing myself.", "self"),
        ("My husband choked me last night.", "from_others"),
        ("I cut my arms when it gets too much.", "self_harm"),
    ],
)
def test_what_is_said_outright_is_heard_and_of_which_kind(said: str, kind: str) -> None:
    assert hear_danger(said).kind == kind
    assert is_danger(said.upper())
    assert is_danger(said.rstrip("."))


@pytest.mark.parametrize("said", ["", "   ", "…", "\x00\x1b[31m", "Fine.", "你好", "word " * 400])
def test_what_says_nothing_is_no_danger(said: str) -> None:
    assert not is_danger(said)


def test_danger_inside_a_long_turn_is_heard_in_its_piece() -> None:
    story = "We went to the shops on Saturday and my sister bought the blue paint for the hall. " * 12
    assert not is_danger(story)
    assert is_danger(f"{story}I want to kill myself. {story}")
    assert all(len(piece.split()) <= 60 for piece in pieces_of(story))


def test_probabilities_and_kinds_are_what_they_say() -> None:
    for said in ("I want to die.", "I love this cake.", "He hits me."):
        p, kind = hear_danger(said)
        assert 0.0 <= p <= 1.0
        assert kind in KINDS


@pytest.mark.parametrize(
    ("reply", "asks", "helps"),
    [
        ("Are you thinking of suicide?", True, None),
        ("Please ring a crisis line tonight, or go to the emergency department.", None, True),
        ("That sounds really hard. What was the worst part of the week?", False, False),
        ("Try to get some sleep and drink less coffee.", False, False),
    ],
)
def test_a_reply_to_danger_asks_or_helps_or_does_neither(reply: str, asks: bool | None, helps: bool | None) -> None:
    found = hear_danger_reply(reply)
    assert asks is None or found.asks is asks
    assert helps is None or found.helps is helps
