"""ConvoKit corpora: interleaved conversations, roles from the side file, damage kept to its conversation."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.detect import detect, open_transcripts


def _said(uid: str, conversation: str, speaker: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": uid, "conversation_id": conversation, "speaker": speaker, "text": text, "reply-to": None, **more}


UTTERANCES = [
    _said("u1", "c1", "anna", "How are you?", meta={"intent": "open"}),
    _said("u2", "c2", "therapist", "Hello."),
    _said("u3", "c1", "bo", "Tired.", timestamp=12),
    _said("u4", "c2", "seeker", "Hi."),
    _said("u5", "c1", "anna", "Since when?"),
]
SPEAKERS = {"anna": {"meta": {"role": "Counselor"}, "vectors": []}, "bo": {"type": "client"}}
CONVERSATIONS = {"c1": {"meta": {"topic": "sleep"}, "vectors": []}, "c2": {"outcome": 1}}


def _corpus(
    tmp_path: Path, utterances: list[Any], speakers: Any = SPEAKERS, conversations: Any = CONVERSATIONS
) -> Path:
    text = "\n".join(u if isinstance(u, str) else json.dumps(u) for u in utterances)
    (tmp_path / "utterances.jsonl").write_text(text)
    if speakers is not None:
        (tmp_path / "speakers.json").write_text(json.dumps(speakers))
    if conversations is not None:
        (tmp_path / "conversations.json").write_text(json.dumps(conversations))
    return tmp_path


def _endings(found: list[Trajectory]) -> dict[str, bool]:
    return {t.session_id: t.ending == "error" for t in found}


@pytest.mark.parametrize("as_folder", [True, False])
def test_interleaved_conversations(tmp_path: Path, as_folder: bool) -> None:
    folder = _corpus(tmp_path, UTTERANCES)
    path = folder if as_folder else folder / "utterances.jsonl"
    assert detect(path) == "convokit.v1"
    found = {t.session_id: t for t in open_transcripts(path)}
    assert [(x.speaker, x.text) for x in found["c1"].turns] == [
        ("therapist", "How are you?"),
        ("patient", "Tired."),
        ("therapist", "Since when?"),
    ]
    assert [x.speaker for x in found["c2"].turns] == ["therapist", "patient"]
    assert found["c1"].infos[0] == {"id": "u1", "reply-to": None, "meta": {"intent": "open"}, "speaker_id": "anna"}
    assert found["c1"].infos[1]["timestamp"] == 12
    assert found["c1"].meta == {"topic": "sleep"}
    assert found["c2"].meta == {"outcome": 1}


def test_packed_corpus_without_side_files(tmp_path: Path) -> None:
    old = [{"id": i, "root": "c", "user": u, "text": "x"} for i, u in enumerate(["client", "therapist"])]
    (tmp_path / "utterances.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, old)).encode()))
    (t,) = open_transcripts(tmp_path)
    assert [x.speaker for x in t.turns] == ["patient", "therapist"]
    assert t.meta == {}


def test_unknown_side_says_how_to_map_it(tmp_path: Path) -> None:
    found = list(open_transcripts(_corpus(tmp_path, UTTERANCES, speakers=None)))
    assert _endings(found) == {"c1": True, "c2": False}
    error = next(str(t.error) for t in found if t.error)
    assert "line 1" in error
    assert "'anna'" in error
    assert "speakers.json" in error


def test_torn_utterance_spoils_its_own_conversation(tmp_path: Path) -> None:
    torn = json.dumps(UTTERANCES[2])[:60]
    assert "c1" in torn
    found = list(open_transcripts(_corpus(tmp_path, [*UTTERANCES[:2], torn, *UTTERANCES[3:]])))
    assert _endings(found) == {"c1": True, "c2": False}
    assert "line 3" in str(next(t.error for t in found if t.error))


def test_unreadable_utterance_makes_its_neighbours_suspect(tmp_path: Path) -> None:
    others = [_said(f"o{i}", f"d{i}", "client", "x") for i in range(3)]
    found = list(open_transcripts(_corpus(tmp_path, [others[0], others[1], '{"id": "u', UTTERANCES[3], others[2]])))
    assert _endings(found) == {"d0": False, "d1": True, "line-3": True, "c2": True, "d2": False}


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ({k: v for k, v in _said("u", "bad", "client", "x").items() if k != "text"}, "no text"),
        (_said("u", "bad", "client", "x") | {"speaker": None}, "no speaker"),
        (_said("u", "bad", "client", "x") | {"text": 7}, "a text that is a number"),
    ],
)
def test_bad_conversation_among_good_ones(tmp_path: Path, bad: Any, why: str) -> None:
    found = list(open_transcripts(_corpus(tmp_path, [*UTTERANCES, bad])))
    assert _endings(found) == {"c1": False, "c2": False, "bad": True}
    assert why in str(found[-1].error)


def test_utterance_of_no_conversation_is_counted(tmp_path: Path) -> None:
    found = list(open_transcripts(_corpus(tmp_path, [*UTTERANCES, {"id": "u", "text": "x", "speaker": "client"}])))
    assert _endings(found) == {"c2": False, "c1": True, "line-6": True}


def test_folder_without_a_corpus_and_damaged_side_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"folder without utterances\.jsonl"):
        open_transcripts(tmp_path)
    folder = _corpus(tmp_path, UTTERANCES)
    (folder / "speakers.json").write_text("{")
    with pytest.raises(FormatError, match=r"speakers\.json"):
        list(open_transcripts(folder))
    (folder / "speakers.json").write_text("[]")
    with pytest.raises(FormatError, match="not an object by id"):
        list(open_transcripts(folder))


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ([("3", "2", 30), ("2", "1", 20), ("1", None, 10)], "123"),
        ([("3", "2", None), ("2", "1", None), ("1", None, None)], "123"),
        ([("3", None, "30"), ("2", None, "20"), ("1", None, "10")], "123"),
        ([("1", None, 10), ("2", "1", 10), ("3", "1", 10)], "123"),
        ([("1", None, None), ("3", "1", None), ("2", "elsewhere", None)], "132"),
        ([("1", None, 10), ("2", "1", 20), ("3", None, None)], "123"),
    ],
)
def test_utterances_are_in_the_order_of_time_or_reply(tmp_path: Path, said: list[tuple[Any, ...]], order: str) -> None:
    given = [_said(uid, "c", "client", uid) | {"reply-to": to, "timestamp": at} for uid, to, at in said]
    account = Account()
    (t,) = open_transcripts(_corpus(tmp_path, given), account=account)
    assert "".join(x.text for x in t.turns) == order
    assert len(account.losses) == ("".join(uid for uid, _, _ in said) != order)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([("1", None, 30), ("2", "1", 20)], "another order than 'reply-to'"),
        ([("1", "2", None), ("2", "1", None)], "in a circle"),
        ([("1", None, 30), ("2", None, None), ("3", None, 20)], "some are missing"),
    ],
)
def test_order_that_nobody_can_know_is_an_error(tmp_path: Path, said: list[tuple[Any, ...]], why: str) -> None:
    given = [_said(uid, "c", "client", uid) | {"reply-to": to, "timestamp": at} for uid, to, at in said]
    found = list(open_transcripts(_corpus(tmp_path, [*given, _said("x", "d", "client", "x")])))
    assert _endings(found) == {"c": True, "d": False}
    assert why in str(found[0].error)


def test_null_text_is_an_empty_turn(tmp_path: Path) -> None:
    found = list(open_transcripts(_corpus(tmp_path, [*UTTERANCES, _said("u", "e", "client", "x") | {"text": None}])))
    assert [x.text for x in found[-1].turns] == [""]
