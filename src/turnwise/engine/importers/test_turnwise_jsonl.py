"""Our own transcripts, and sessions stored by a run."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Cue, SessionSpec, Trajectory, Turn
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.detect import open_transcripts
from turnwise.engine.importers.roles import PATIENT_WORDS, THERAPIST_WORDS
from turnwise.engine.importers.turnwise_jsonl import TurnwiseJsonl
from turnwise.engine.importers.turnwise_trajectory import TurnwiseTrajectories

SAID = [{"speaker": "therapist", "text": "And then?"}, {"speaker": "client", "text": "Nothing."}]
GOOD = json.dumps({"id": "good", "turns": SAID})


def _read(tmp_path: Path, *records: Any) -> list[Trajectory]:
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records), encoding="utf-8")
    return list(TurnwiseJsonl().read(path))


def test_nothing_is_lost_dropped_or_merged(tmp_path: Path) -> None:
    turns = [
        {"speaker": "client", "text": "", "labels": {"talk": "neutral"}, "utterance_id": 0},
        {"speaker": "client", "text": "Still here.", "timestamp": "00:01"},
        {"speaker": "supporter", "text": "Yes?", "cues": ["pause", {"kind": "tone", "detail": "low"}, "looks away"]},
        {"speaker": "client", "text": "x", "cues": [{"kind": "posture", "detail": "slumped"}, {"kind": "Sigh"}]},
    ]
    record = {"id": 12, "source": "Clinic", "turns": turns, "meta": {"topic": "work", "wave": 1}, "wave": 2, "n": 4}
    (t,) = _read(tmp_path, record)
    assert t.session_id == "12"
    assert t.source == "Clinic"
    assert [x.text for x in t.turns] == ["", "Still here.", "Yes?", "x"]
    assert [x.speaker for x in t.turns] == ["patient", "patient", "therapist", "patient"]
    assert t.infos == ({"labels": {"talk": "neutral"}, "utterance_id": 0}, {"timestamp": "00:01"}, {}, {})
    assert t.turns[2].cues == (
        Cue(kind="pause"),
        Cue(kind="tone", detail="low"),
        Cue(kind="other", detail="looks away"),
    )
    assert t.turns[3].cues == (Cue(kind="other", detail="posture: slumped"), Cue(kind="sigh"))
    assert t.meta == {"topic": "work", "wave": 1, "source": "Clinic", "wave_": 2, "n": 4}
    assert t.ending == "unknown"


def test_info_beside_a_key_of_the_same_name_is_kept_whole(tmp_path: Path) -> None:
    turn = {"speaker": "client", "text": "x"}
    turns = [turn | {"a": 1, "info": {"a": 2}}, turn | {"a": 1, "info": {"b": 2}}, turn | {"info": "note"}]
    (t,) = _read(tmp_path, {"id": "s", "turns": turns})
    assert t.infos == ({"a": 1, "info": {"a": 2}}, {"a": 1, "b": 2}, {"info": "note"})


@pytest.mark.parametrize(
    ("word", "side"), [(w, "patient") for w in PATIENT_WORDS] + [(w, "therapist") for w in THERAPIST_WORDS]
)
def test_words_for_the_two_sides(tmp_path: Path, word: str, side: str) -> None:
    for form in (word, word.upper(), f" {word.title()} "):
        (t,) = _read(tmp_path, {"id": "a", "turns": [{"speaker": form, "text": "x"}]})
        assert t.turns[0].speaker == side


OTHER = GOOD.replace("good", "other").encode()
DEEP = "[" * 5000 + "]" * 5000
BAD = {
    "cut off": ('{"id": "bad", "turns": [{"speaker": "client", "te', "not valid JSON", "bad"),
    "other speaker": ({"id": "bad", "turns": [{"speaker": "narrator", "text": "x"}]}, "turn 0 .*'narrator'", "bad"),
    "no speaker": ({"id": "bad", "turns": [*SAID, {"text": "x"}]}, "turn 2 does not say who speaks", "bad"),
    "no turns": ({"id": "bad", "meta": {}}, "has no turns", "bad"),
    "turns not a list": ({"id": "bad", "turns": {"a": 1}}, "turns that are an object", "bad"),
    "turn not an object": ({"id": "bad", "turns": ["hello"]}, "turn 0 is text", "bad"),
    "no text": ({"id": "bad", "turns": [{"speaker": "client"}]}, "turn 0 has no text", "bad"),
    "number as text": ({"id": "bad", "turns": [{"speaker": "client", "text": 3}]}, "a text that is a number", "bad"),
    "speaker a number": ({"id": "bad", "turns": [{"speaker": 1, "text": "x"}]}, "spoken by a number", "bad"),
    "cues": ({"id": "bad", "turns": [{"speaker": "client", "text": "x", "cues": 4}]}, "cues", "bad"),
    "meta": ({"id": "bad", "turns": SAID, "meta": [1]}, "meta that is a list", "bad"),
    "no object": ("[1, 2]", "is a list, not a session", "line-2"),
    "half a pair": ('{"id": "bad", "turns": [{"speaker": "client", "text": "\\ud800"}]}', "surrogate", "bad"),
    "half a pair in the id": ('{"id": "\\udfff", "turns": []}', "surrogate", "line-2"),
    "deep": ('{"id": "bad", "turns": [], "x": ' + DEEP + "}", "nested more than", "bad"),
    "infinite": ('{"id": "bad", "turns": [], "x": 1e999}', "not finite", "bad"),
    "minus infinity": ('{"id": "bad", "turns": [], "x": -Infinity}', "not a JSON number", "bad"),
    "endless integer": ('{"id": "bad", "turns": [], "x": ' + "9" * 5000 + "}", "not valid JSON", "bad"),
    "raw null byte": ('{"id": "bad", "turns": [{"speaker": "client", "text": "a\0b"}]}', "not valid JSON", "bad"),
    "no id": ({"turns": 1}, "turns that are a number", "line-2"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_session_in_a_good_file_is_an_error_and_the_rest_goes_on(tmp_path: Path, case: str) -> None:
    bad, why, name = BAD[case]
    found = _read(tmp_path, GOOD, bad, GOOD.replace("good", "next"))
    assert [t.session_id for t in found] == ["good", name, "next"]
    assert [t.ending for t in found] == ["unknown", "error", "unknown"]
    error = str(found[1].error)
    assert error.startswith(f"{tmp_path / 't.jsonl'}, line 2: ")
    assert re.search(why, error)
    assert "\n" not in error
    with pytest.raises(FormatError, match=why):
        _read(tmp_path, bad, bad)


def test_undecodable_line_is_an_error_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(GOOD.encode() + b"\n" + GOOD.replace("good", "b\u00e4d").encode("latin-1") + b"\n" + OTHER)
    found = list(open_transcripts(path))
    assert [t.ending for t in found] == ["unknown", "error", "unknown"]
    assert "is not UTF-8" in str(found[1].error)


def test_transcript_text_never_reaches_an_error(tmp_path: Path) -> None:
    secret = "my sister Ottilie"
    bad = {"id": "b", "turns": [{"speaker": "client", "text": secret}, {"speaker": "client", "text": [secret]}]}
    torn = json.dumps({"id": "c", "turns": [{"speaker": "client", "text": secret}]})[:-3]
    errors = [t.error for t in _read(tmp_path, GOOD, bad, torn) if t.error]
    assert len(errors) == 2
    assert not any("Ottilie" in e for e in errors)


def test_odd_sessions_are_data(tmp_path: Path) -> None:
    records = [
        {"id": "empty", "turns": []},
        {"id": "one", "turns": [{"speaker": "client", "text": "x"}]},
        {"id": "long", "turns": [{"speaker": "client", "text": "a" * 100_000}]},
        {"id": "scripts", "turns": [{"speaker": "client", "text": "你好 مرحبا 👩‍👩‍👧"}]},
        {"id": "escaped null", "turns": [{"speaker": "client", "text": "a\0b"}]},
        {"turns": SAID},
        '{"id": "nan label", "turns": [{"speaker": "client", "text": "x", "labels": {"talk": NaN}}]}',
    ]
    found = _read(tmp_path, *records)
    assert all(t.ending == "unknown" for t in found)
    assert found[5].session_id == "line-6"
    assert found[6].infos == ({"labels": {"talk": None}},)


def test_a_failed_session_stays_failed(tmp_path: Path) -> None:
    found = _read(tmp_path, {"id": "a", "turns": SAID, "ending": "error", "error": "the line dropped"})
    assert (found[0].ending, found[0].error) == ("error", "the line dropped")
    (t,) = _read(tmp_path, {"id": "a", "turns": SAID, "ending": "patient_left"})
    assert t.ending == "patient_left"
    (t,) = _read(tmp_path, {"id": "a", "turns": SAID, "ending": "lunch", "error": 3})
    assert (t.ending, t.meta) == ("unknown", {"ending": "lunch", "error": 3})


def test_hidden_reasoning_is_not_heard(tmp_path: Path) -> None:
    said = "<think>He blames himself.\nAsk.</think>\nWhat happened?"
    turns = [{"speaker": "counselor", "text": said, "labels": {"a": 1}}, {"speaker": "client", "text": said}]
    (t,) = _read(tmp_path, {"id": "a", "turns": turns})
    assert t.turns[0].text == "What happened?"
    assert t.infos[0] == {"labels": {"a": 1}, "private": {"thinking": "He blames himself.\nAsk."}}
    assert t.turns[1].text == said


def test_many_bad_records_before_a_good_one_are_kept_in_order(tmp_path: Path) -> None:
    found = _read(tmp_path, *["{}"] * 150, GOOD)
    assert [t.session_id for t in found] == [f"line-{i}" for i in range(1, 151)] + ["good"]


def test_no_readable_record_yields_nothing_first(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"turns": 1}\n{"turns": 2}\n')
    with pytest.raises(FormatError, match=r"line 1: .*none of the 2 records"):
        next(TurnwiseJsonl().read(path))


# --- stored by a run --------------------------------------------------------------------------


def _stored(name: str, **more: Any) -> Trajectory:
    given: dict[str, Any] = {
        "spec": SessionSpec(case="c", patient="p.v1", therapist="t.v1", seed=5, versions={"p": "abc"}),
        "turns": (Turn(speaker="therapist", text="<think>kept</think>", cues=(Cue(kind="pause"),)),),
        "infos": ({"belief": {"p": [0.5, 0.5]}},),
        "ending": "patient_left",
        "meta": {"a": 1},
    }
    return Trajectory(session_id=name, source="simulated", **(given | more))


def test_stored_sessions_come_back_unchanged(tmp_path: Path) -> None:
    stored = [_stored("a"), _stored("b", ending="error", error="the model was not reached")]
    path = tmp_path / "trajectories.jsonl"
    path.write_text("".join(t.model_dump_json() + "\n" for t in stored))
    assert list(open_transcripts(path)) == stored
    # A run in which every session failed is readable: what failed is the sessions, not the file.
    path.write_text(stored[1].model_dump_json())
    assert list(open_transcripts(path)) == stored[1:]


def test_stored_session_that_is_damaged_or_newer_is_an_error(tmp_path: Path) -> None:
    good = _stored("a").model_dump_json()
    lines = [
        good,
        good.replace('"session_id":"a"', '"session_id":"n"').replace("trajectory/1", "trajectory/2"),
        good.replace('"session_id":"a"', '"session_id":"x","surprise":1'),
        good.replace('"session_id":"a"', '"session_id":"y"').replace('"infos":[', '"infos":[{},'),
        good.replace('"session_id":"a"', '"session_id":"torn"')[:-30],
    ]
    path = tmp_path / "trajectories.jsonl"
    path.write_text("\n".join(lines))
    found = list(TurnwiseTrajectories().read(path))
    assert [t.session_id for t in found] == ["a", "n", "x", "y", "torn"]
    assert [t.ending for t in found] == ["patient_left", *["error"] * 4]
    for t, why in zip(
        found[1:], ["update turnwise", "surprise", "2 entries for 1 turns", "not valid JSON"], strict=True
    ):
        assert why in str(t.error)


@pytest.mark.parametrize("null", ["null", "NaN"])
def test_one_turn_without_a_text_does_not_cost_the_session(tmp_path: Path, null: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"id": "a", "turns": [{"speaker": "client", "text": ' + null + '}, {"speaker": "therapist", "text": "So?"}]}'
    )
    account = Account()
    (t,) = open_transcripts(path, account=account)
    assert [(x.speaker, x.text) for x in t.turns] == [("patient", ""), ("therapist", "So?")]
    assert {what: tuple(loss) for what, loss in account.losses.items()} == {
        "texts that are null (an empty turn now)": (1, "line 1, turn 0")
    }


@pytest.mark.parametrize(
    ("given", "name", "odd"),
    [
        ({"id": 101.0}, "101", 0),
        ({"id": 1.5}, "1.5", 0),
        ({"session_id": "s7"}, "s7", 0),
        ({"id": None, "session_id": 8.0}, "8", 0),
        ({"conversation_id": "c"}, "c", 0),
        ({"id": [1]}, "line-1", 1),
        ({"id": True}, "line-1", 1),
        ({"id": 10**30}, "line-1", 1),
        ({}, "line-1", 0),
    ],
)
def test_id_is_never_replaced_in_silence(tmp_path: Path, given: dict[str, Any], name: str, odd: int) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({**given, "turns": [{"speaker": "client", "text": "x"}]}))
    account = Account()
    assert [t.session_id for t in open_transcripts(path, account=account)] == [name]
    assert sum(loss.n for loss in account.losses.values()) == odd
