"""Our own transcript format: one session a line, meant to be written by hand or by a short script.

::

    {"id": "s1", "turns": [{"speaker": "therapist", "text": "What brings you here?"},
                           {"speaker": "client", "text": "…", "labels": {"talk": "neutral"}}], "meta": {}}

Whatever else a turn carries goes to ``infos``, whatever else a session carries to ``meta``:
nothing is lost, and no turn is dropped or merged, so an index here is the index in the source
(unless the user wants the turns of somebody left out).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

from turnwise.core.model_turns import hide_thinking
from turnwise.core.nouns import ENDINGS, Ending, Trajectory, Turn
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account, no_words
from turnwise.engine.importers.records import BadRecord, json_records, kind_of, read_records, sessions
from turnwise.engine.importers.roles import cues_of
from turnwise.engine.importers.shapes import shapes

__all__ = ["TURN_KEYS", "TurnwiseJsonl", "merged", "turnwise_jsonl"]

TURN_KEYS = ("speaker", "text", "cues", "info")
"""Keys of a turn with a meaning of their own; all others are the turn's info."""
_IDS = ("id", "session_id", "conversation_id")
_SESSION_KEYS = ("id", "turns", "meta", "ending", "error")
_TRAJECTORY_MARK = "turnwise.trajectory/"


class TurnwiseJsonl:
    """Reads ``{"id", "turns": [{"speaker", "text", "cues"?, …}], "meta"?, …}``, one session a line."""

    source = "imported"

    def __init__(self, account: Account | None = None) -> None:
        self._account = account or Account()

    def detect(self, head: str, /) -> bool:
        """Whether some record has a list of ``turns`` (and is no stored trajectory)."""
        return any(
            s.keys.get("turns") == "[" and not (s.text("format") or "").startswith(_TRAJECTORY_MARK)
            for s in shapes(head)
        )

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the sessions of ``path``, the unreadable ones as ``error``."""
        build = partial(_session, self._account)
        return sessions(path, read_records(json_records(path), build, *_IDS, account=self._account), self.source)


def _session(account: Account, record: Any, session_id: str) -> Trajectory:
    if not isinstance(record, dict):
        raise BadRecord(f'is {kind_of(record)}, not a session; write {{"id": …, "turns": […]}}')
    given = record.get("turns")
    if not isinstance(given, list):
        found = "has no turns" if "turns" not in record else f"has turns that are {kind_of(given)}"
        raise BadRecord(f'{found}; write a list of {{"speaker", "text"}}')
    turns, infos = [], []
    for i, x in enumerate(given):
        spoken = _turn(x, f"turn {i}", account)
        if spoken is not None:
            turns.append(spoken[0])
            infos.append(spoken[1])
    ending, error = _ending(record)
    top = {k: v for k, v in record.items() if k not in _SESSION_KEYS}
    if ending == "unknown" and record.get("ending") not in (None, "unknown"):
        top["ending"] = record["ending"]
    if ending != "error" and record.get("error") is not None:
        top["error"] = record["error"]
    source = record.get("source")
    return Trajectory(
        session_id=session_id,
        source=source if isinstance(source, str) and source.strip() else TurnwiseJsonl.source,
        turns=tuple(turns),
        infos=tuple(infos) if any(infos) else (),
        ending=ending,
        error=error,
        meta=merged(_meta(record), top),
    )


def _turn(x: Any, where: str, account: Account) -> tuple[Turn, dict[str, Any]] | None:
    if not isinstance(x, dict):
        raise BadRecord(f'{where} is {kind_of(x)}; write {{"speaker", "text"}}')
    text = x.get("text")
    if text is None and "text" in x:
        text = no_words(account, where)
    if not isinstance(text, str):
        raise BadRecord(f"{where} has {'no text' if text is None else f'a text that is {kind_of(text)}'}")
    speaker = account.speaker(x.get("speaker"), where)
    if speaker is None:
        return None
    info = {k: v for k, v in x.items() if k not in TURN_KEYS}
    given = x.get("info")
    # The exporter puts here what would otherwise collide with a turn's own keys.
    if isinstance(given, dict) and not info.keys() & given.keys():
        info |= given
    elif given is not None:
        info["info"] = given
    if speaker == "therapist":
        said = hide_thinking(text, info)
        account.lost("hidden reasoning inside a text (moved to a private field)", int(said != text), where)
        text = said
    return Turn(speaker=speaker, text=text, cues=cues_of(x.get("cues"), where)), info


def _ending(record: dict[str, Any]) -> tuple[Ending, str | None]:
    ending, error = record.get("ending"), record.get("error")
    if not isinstance(ending, str) or ending not in ENDINGS:
        return "unknown", None
    if ending == "error":  # a session that failed somewhere else has failed here too
        return "error", error if isinstance(error, str) and error else "the file says that this session failed"
    return cast("Ending", ending), None


def _meta(record: dict[str, Any]) -> dict[str, Any]:
    meta = record.get("meta")
    if meta is None:
        return {}
    if not isinstance(meta, dict):
        raise BadRecord(f"has meta that is {kind_of(meta)}; make it an object")
    return meta


def merged(meta: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Return ``meta`` with ``more`` added; a key that stands there with another value gets a ``_`` at its end.

    Examples
    --------
    >>> merged({"topic": "a"}, {"topic": "b", "source": "x"})
    {'topic': 'a', 'topic_': 'b', 'source': 'x'}
    """
    out = dict(meta)
    for key, value in more.items():
        while key in out and out[key] != value:
            key += "_"
        out[key] = value
    return out


@importer(name="turnwise_jsonl.v1", fmt="our transcripts, JSON Lines with id and turns", source="this project")
def turnwise_jsonl(account: Account | None = None) -> TurnwiseJsonl:
    """Our own transcript format: one session a line, {"id", "turns": [{"speaker", "text"}], "meta"}."""
    return TurnwiseJsonl(account)
