from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from turnwise.core.errors import FormatError, RegistryError, UsageError
from turnwise.core.nouns import Estimate, Reading, Trajectory, Turn
from turnwise.core.registry import Entry
from turnwise.engine import validating
from turnwise.engine.corpora.annomi import ANNOMI, KEYS
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.finding import every_corpus
from turnwise.engine.validating import Portion, coded_turns, differs, find_portions, measure_coder, validate
from turnwise.reading.cards import Figure, load_card

SAID = (
    "I want to stop, I really do.",
    "I like drinking and I won't give it up.",
    "It was on a Tuesday, I think.",
    "I could try going for a walk instead.",
    "No, that is not something I'm going to do.",
    "Mm-hmm.",
)


def _sessions(n: int = 12, seed: int = 1) -> list[dict[str, Any]]:
    """Return sessions in the form of the corpus, labelled by chance."""
    rng = np.random.default_rng(seed)
    out = []
    for s in range(n):
        turns: list[dict[str, Any]] = []
        for i in range(8):
            talk = ("change", "neutral", "sustain")[int(rng.integers(3))]
            turns.append({"speaker": "therapist", "text": f"How was week {i}?", "labels": {}})
            labels = {KEYS["client_talk"]: talk}
            turns.append({"speaker": "client", "text": SAID[int(rng.integers(len(SAID)))] + f" {s}", "labels": labels})
        out.append({"id": f"s{s}", "turns": turns, "meta": {"series": f"v{s // 2}"}})
    return out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / ANNOMI.file
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt", encoding="utf-8") as f:
        f.writelines(json.dumps(s) + "\n" for s in _sessions())
    return tmp_path


def test_labels_by_chance_are_beyond_the_card_and_missing_corpora_are_listed(folder: Path) -> None:
    other = Corpus("other", "Other", "other.csv", "", "", "open", lambda _: (), {}, lambda t: t.session_id)
    found = validate(folder, ("client_talk",), (ANNOMI, other))
    assert [m["name"] for m in found["missing"]] == ["other"]
    (measured,) = found["coders"]
    assert (measured["n"], measured["groups"], measured["out_of_fold_sessions"]) == (96, 6, 0)
    assert measured["figures"]["macro_f1"]["differs"]
    assert "client_talk.v1 on annomi: macro-F1" in found["differing"][0]
    json.dumps(found)  # plain values only


def test_a_card_that_says_what_was_measured_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (portion,), _ = find_portions(folder, (ANNOMI,))
    entry = validating._entries(("client_talk",))[0]
    first = measure_coder(entry, portion)
    card = load_card("client_talk", "raters")
    stated = {
        f"{name}_cv": Figure(**{k: f["measured"][k] for k in ("value", "low", "high", "level", "n")}, unit="group")
        for name, f in first["figures"].items()
    }
    monkeypatch.setattr(validating, "_card", lambda _: card.model_copy(update=stated))
    assert validate(folder, ("client_talk",), (ANNOMI,))["differing"] == []
    monkeypatch.setattr(validating, "_card", lambda _: card.model_copy(update={"corpus": "elsewhere"}))
    elsewhere = measure_coder(entry, portion)
    assert [f["card"] for f in elsewhere["figures"].values()] == [None, None]


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0.4, 0.5, True), (0.4, 0.66, False), (0.74, 0.9, False), (0.8, 0.9, True)]
)
def test_a_figure_differs_when_the_intervals_do_not_meet(low: float, high: float, expected: bool) -> None:
    card = Figure(value=0.7, low=0.65, high=0.75, level=0.95, n=500, unit="group")
    assert differs(card, Estimate((low + high) / 2, low, high, 0.95, 90, "")) == expected
    assert not differs(card, Estimate(0.1, None, None, 0.95, 90, "one group"))


def _portion(said: Sequence[Any]) -> Portion:
    turns = tuple(Turn(speaker="patient", text=f"turn {i}") for i in range(len(said)))
    t = Trajectory(session_id="s", source="test", turns=turns)
    corpus = Corpus("c", "C", "c", "", "", "open", lambda _: (t,), {"x": lambda _, i: said[i]}, lambda t: t.session_id)
    return Portion(corpus, (t,), 0, "0" * 64)


def _reading(values: Sequence[str | None], codes: Sequence[Any]) -> Reading:
    p = np.full((len(values), 2), 0.5)
    return Reading("x", "x.v1", "0" * 64, ("a", "b"), p, tuple(codes), tuple(values))


def test_only_turns_that_people_labelled_and_the_coder_read_count() -> None:
    said = ["a", "b", None, "a", "a", "unheard of"]
    codes = [None, None, None, "out_of_scope", "not_applicable", None]
    found, unread = coded_turns(
        _portion(said), "x", [_reading(["a", "a", "a", None, None, "a"], codes)], "one", ("a", "b")
    )
    assert (found.gold.tolist(), found.decided.tolist(), unread) == ([0, 1], [0, 0], 1)


def test_sets_of_labels_are_compared_as_sets() -> None:
    said = [frozenset({"b", "a"}), frozenset(), frozenset({"b", "unheard of"}), None]
    found, _ = coded_turns(_portion(said), "x", [_reading(["a|b", "a", "b", "b"], [None] * 4)], "many", ("a", "b"))
    assert found.gold.tolist() == [[1, 1], [0, 0], [0, 1]]
    assert found.decided.tolist() == [[1, 1], [1, 0], [0, 1]]
    assert found.confusion() is None
    assert found.accuracy().value == pytest.approx(2 / 3)
    assert found.calibration(1.0).share_coded == {"a": 0.3333, "b": 0.6667}


def test_a_reader_without_a_card_is_measured_all_the_same() -> None:
    class Constant:
        item, labels, sha256 = "x", ("a", "b"), "0" * 64

        def read(self, ts: Sequence[Trajectory]) -> list[Reading]:
            return [_reading(["a"] * len(t.turns), [None] * len(t.turns)) for t in ts]

    entry = Entry("stranger.v1", Constant, {"item": "x", "kind": "one", "bundle": "research"})
    found = measure_coder(entry, _portion(["a", "b", "a", "a"]))
    assert found["figures"]["accuracy"]["measured"]["value"] == 0.75
    assert found["figures"]["accuracy"]["card"] is None


def test_a_broken_coder_stops_no_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> None:
        raise FormatError("weights", "", "are damaged")

    good = validating._entries(("client_talk",))[0]
    bad = Entry("bad.v1", damaged, {"item": "client_talk", "kind": "one", "bundle": "open"})
    monkeypatch.setattr(validating, "_entries", lambda _: [bad, good])
    found = validate(folder, (), (ANNOMI,))
    assert found["broken"] == {"bad.v1": "weights: are damaged."}
    assert [m["coder"] for m in found["coders"]] == ["client_talk.v1"]
    assert found["unmeasured"] == []


def test_what_cannot_be_measured_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none of the corpora"):
        validate(tmp_path)
    with pytest.raises(UsageError, match="not a folder"):
        validate(tmp_path / "missing")
    with pytest.raises(RegistryError, match="client_talk"):
        validate(tmp_path, ("client_tlak",))


def test_corpora_are_found_by_being_in_the_folder() -> None:
    found = every_corpus()
    assert ANNOMI in found
    assert [c.name for c in found] == sorted({c.name for c in found})
    # One without labels of its own only lends ordinary turns (ESConv to the coders of risk).
    assert all(c.bundle in ("open", "research") and c.licence and c.file for c in found)
    assert {c.name for c in found if not c.gold} <= {"esconv", "failed_esconv"}


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("bolt/behaviour_sentences.csv.gz", b"speaker,label\ntherapist,Planning\n", "text"),
        ("bolt/behaviour_sentences.csv.gz", b"\xff\xfe\x00x", "UTF-8"),
        ("diasafety/diasafety.jsonl.gz", b"[1, 2]\n", "cannot be read"),
        ("epitome/pairs.csv.gz", b"sp_id,text\n1,a\n", "no column"),
    ],
)
def test_a_damaged_corpus_is_one_sentence_about_that_file(tmp_path: Path, file: str, content: bytes, says: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    packed = gzip.compress(content)
    path.write_bytes(packed)
    with pytest.raises(FormatError, match=says) as fault:
        validate(tmp_path)
    assert file in str(fault.value)
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(FormatError, match=r"cut off|UTF-8"):
        validate(tmp_path)
    path.write_bytes(content)
    with pytest.raises(FormatError):
        validate(tmp_path)


def test_a_fault_in_a_corpus_nobody_asked_about_stops_nothing(tmp_path: Path) -> None:
    for file in ("bolt/behaviour_sentences.csv.gz", "epitome/pairs.csv.gz"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_bytes(b"no archive")
    with pytest.raises(FormatError, match="epitome"):
        validate(tmp_path, ["er"])
