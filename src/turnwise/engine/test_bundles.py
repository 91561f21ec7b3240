from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from turnwise.core.errors import UsageError
from turnwise.core.nouns import Trajectory, Turn
from turnwise.core.registry import READERS
from turnwise.engine.discovery import discover
from turnwise.engine.ratings import Readers, in_bundle
from turnwise.engine.scoring import Scoring, score_sessions
from turnwise.engine.store import RunFolder
from turnwise.engine.summary import Summary
from turnwise.reading.cards import load_card

SESSION = Trajectory(
    session_id="s",
    source="test",
    turns=(
        Turn(speaker="patient", text="I want to stop, but I can't see how."),
        Turn(speaker="therapist", text="You want to stop. What would help you?"),
        Turn(speaker="patient", text="Maybe my sister."),
    ),
)


def test_each_bundle_has_one_coder_of_each_of_its_items() -> None:
    for bundle in ("open", "research"):
        items = [e.spec["item"] for e in in_bundle(bundle)]
        assert len(set(items)) == len(items)
        assert {"therapist_behaviour", "client_talk"} <= set(items)
    with pytest.raises(UsageError, match="open or research"):
        in_bundle("free")


def test_the_open_bundle_holds_nothing_that_is_for_research_only() -> None:
    for entry in in_bundle("open"):
        card = load_card(entry.name, "raters")
        assert card.bundle == "open"
        # What it was measured on may be for research; what it was fitted on may not.
        fitted_on = card.extra_data or (card.data.licence,)
        assert not [x for x in fitted_on if "NC" in x or x.startswith(("R:", "ND"))], card.coder


def test_every_registered_reader_says_what_its_card_says() -> None:
    discover()
    for entry in READERS.newest():
        card, reader = load_card(entry.name, "raters"), entry.obj()
        stated = (card.item, card.labels, card.reads, card.kind, card.bundle, card.sha256)
        spec = entry.spec
        assert stated == (
            spec["item"], tuple(spec["labels"]), spec["reads"], spec["kind"], spec["bundle"], reader.sha256,
        )  # fmt: skip
        assert reader.labels == card.labels


def test_the_bundle_is_in_the_record_with_its_licences(tmp_path: Path) -> None:
    records = {}
    for bundle in ("open", "research"):
        folder = RunFolder(tmp_path / bundle)
        folder.create()
        records[bundle] = score_sessions([SESSION], folder, summary=Summary(), how=Scoring(readers=bundle)).record()
    assert records["open"]["bundle"] == "open"
    assert records["open"]["licences"]["readers"].startswith("open: ")
    assert "AnnoMI" not in records["open"]["licences"]["readers"]
    assert "therapist_behaviour_open.v1" in records["open"]["readers"]
    assert "therapist_behaviour.v1" in records["research"]["readers"]
    assert not set(records["open"]["coders_seen"]) & {"therapist_behaviour.v1", "client_talk.v1"}


def test_a_turn_is_read_the_same_alone_and_with_others_by_every_coder() -> None:
    other = SESSION.model_copy(update={"session_id": "t", "turns": SESSION.turns[::-1] * 3})
    readers = Readers.load()
    assert not readers.faults
    [together, _] = readers.rate([SESSION, other])
    [alone] = readers.rate([SESSION])
    for item, reading in alone.ratings.items():
        assert reading.p.tobytes() == together.ratings[item].p.tobytes(), item
        assert reading.values() == together.ratings[item].values()


AWKWARD = {
    "": "empty", "   \n": "empty", "😊😊": "out_of_scope", "\x00\x00\x00": "out_of_scope",
    "def f(x):\n    return {k: v for k, v in x.items() if (v > 0) and k}": "out_of_scope",
    "Ich weiß nicht, warum ich jeden Abend trinke und danach weine.": "out_of_scope",
    "Some ideas:\n- go for a **walk**\n- call a friend\n1. sleep\n2. eat": None,
    "I am tired of it, and you know that. " * 2_700: None,
    "I\x00 am \x1b[31mhere\x1b[0m.": None,
}  # fmt: skip


def test_awkward_turns_are_read_or_excused_by_every_coder() -> None:
    turns = tuple(Turn(speaker=s, text=text) for text in AWKWARD for s in ("patient", "therapist"))
    t = Trajectory(session_id="awkward", source="test", turns=turns)
    for bundle in ("open", "research"):
        readers = Readers.load(bundle)
        [read] = readers.rate([t])
        assert not readers.faults
        for reading in read.ratings.values():
            for i, turn in enumerate(turns):
                code = reading.codes[i]
                if reading.item == "distortion" and not 6 <= turn.n_words <= 60 and code == "out_of_scope":
                    continue  # fitted on thoughts of that length only
                if code == "undetermined" and load_card(reading.coder, "raters").undetermined:
                    continue  # read, but below its floor on transcripts
                assert code in ("not_applicable", AWKWARD[turn.text]), (reading.item, turn.text[:30])
                assert np.isfinite(reading.p[i]).all() == (code is None)
                assert (reading.values()[i] is None) == (code is not None)


@pytest.mark.parametrize("bundle", ["open", "research"])
def test_risk_that_is_named_outright_is_never_passed_over(bundle: str) -> None:
    said = (
        "I want to kill myself.",
        "some days i just think about suicide, you know",
        "I've been cutting myself again.",
    )
    turns = tuple(Turn(speaker="patient", text=text) for text in said)
    readers = Readers.load(bundle)
    [read] = readers.rate([Trajectory(session_id="r", source="test", turns=turns)])
    assert read.ratings["risk"].values() == ("risk",) * len(said)
