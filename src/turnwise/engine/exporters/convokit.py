"""ConvoKit corpora: a folder with the five files that ``convokit.Corpus`` opens (Chang et al. 2020, SIGDIAL).

The utterances are streamed; ConvoKit wants one object with all conversations and one with all
speakers, so their metas are held in memory. Sessions that came from a corpus keep their utterance
and speaker ids; in others an utterance is called ``<session>#<turn>`` and answers the one before it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from turnwise.core.nouns import Trajectory
from turnwise.engine.exporters.writing import as_json, write_records
from turnwise.engine.importers.convokit import UTTERANCES, ConvoKit
from turnwise.engine.store import sentence_for

__all__ = ["CORPUS_FILES", "write_convokit"]

CORPUS_FILES = (UTTERANCES, "speakers.json", "conversations.json", "corpus.json", "index.json")
_OWN = ("id", "reply-to", "speaker_id", "timestamp", "meta", "vectors")


def write_convokit(sessions: Iterable[Trajectory], path: Path) -> int:
    """Write the folder ``path``, whole or not at all; return how many sessions.

    Raises
    ------
    UsageError : the folder cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    speakers: dict[str, Any] = {}
    conversations: dict[str, Any] = {}
    try:
        beside.mkdir()
        write_records(_utterances(sessions, speakers, conversations), beside / UTTERANCES)
        index: dict[str, Any] = {f"{kind}-index": {} for kind in ("utterances", "conversations", "overall")}
        index["speakers-index"] = {"role": ["<class 'str'>"]}
        for name, value in (
            ("speakers.json", speakers),
            ("conversations.json", conversations),
            ("corpus.json", {}),
            ("index.json", {**index, "version": 1, "vectors": []}),
        ):
            (beside / name).write_text(as_json(value), encoding="utf-8")
        path.mkdir(exist_ok=True)
        for name in CORPUS_FILES:
            os.replace(beside / name, path / name)
    except OSError as fault:
        raise sentence_for(fault, path) from fault
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return len(conversations)


def _utterances(
    sessions: Iterable[Trajectory], speakers: dict[str, Any], conversations: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    for t in sessions:
        conversations[t.session_id] = {"meta": t.model_dump(mode="json")["meta"], "vectors": []}
        theirs = t.source == ConvoKit.source
        before: str | None = None
        for i, turn in enumerate(t.turns):
            info = dict(t.info(i))
            given = info.get("id") if theirs else None
            name = given if isinstance(given, str) and given else f"{t.session_id}#{i}"
            stamp = info.get("timestamp")
            yield {
                "id": name,
                "conversation_id": t.session_id,
                "text": turn.text,
                "speaker": _speaker(info.get("speaker_id") if theirs else None, turn.speaker, speakers),
                "meta": _meta(info, theirs=theirs),
                "reply-to": info.get("reply-to") if theirs else before,
                "timestamp": stamp if isinstance(stamp, int | float) and not isinstance(stamp, bool) else None,
                "vectors": [],
            }
            before = name


def _speaker(given: Any, side: str, speakers: dict[str, Any]) -> str:
    """Return the id of a speaker, and see that its meta says on which side it is."""
    name = given if isinstance(given, str) and given else side
    while speakers.setdefault(name, {"meta": {"role": side}, "vectors": []})["meta"]["role"] != side:
        name = f"{name} ({side})"
    return name


def _meta(info: dict[str, Any], *, theirs: bool) -> dict[str, Any]:
    if not theirs:
        return info
    given = info.get("meta")
    rest = {key: value for key, value in info.items() if key not in _OWN}
    return rest | (given if isinstance(given, dict) else {})
