"""Sessions that are one JSON object with a list of turns in it: what differs is what the keys are called.

A ``Layout`` says how one system calls them. Nothing that a record carries is dropped: what nobody
in the session could hear (thoughts, plans, the hidden half of a profile) goes to ``private``, the
rest stays under its own name in the turn's info or the session's meta.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

from turnwise.core.model_turns import hide_thinking
from turnwise.core.nouns import Speaker, Trajectory, Turn
from turnwise.engine.importers.account import Account, no_words
from turnwise.engine.importers.ordering import must_run_forwards
from turnwise.engine.importers.records import BadRecord, Record, json_records, kind_of, read_records, sessions
from turnwise.engine.importers.shapes import Shape, shapes
from turnwise.engine.importers.streams import shown
from turnwise.engine.importers.turnwise_jsonl import merged
from turnwise.engine.importers.unheard import UNHEARD, call_only

__all__ = ["Layout", "LayoutImporter", "built", "name_of", "named"]

_SUFFIXES = re.compile(r"(?:\.(?:jsonl?|csv|tsv|txt|eval|gz))+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Layout:
    """What a system calls the parts of a session.

    ``turns``, ``who``, ``text`` : keys of the list, of the speaker and of what was said (the first that is there).
    ``marks`` : keys of which one has to be there for the format to be recognised; ``unless`` : keys that forbid it.
    ``roles`` : matched in the head of the file besides, if given.
    ``words`` : names of speakers with a meaning of their own; ``unheard`` : speakers nobody hears.
    ``labels`` : keys of a turn that are labels; ``private`` : keys of a turn that were never said.
    ``hidden`` : keys of a session that a therapist may not see.
    ``opening`` : a first patient turn that a program wrote; ``silence`` : how an empty reply is written.
    ``thinks`` : whether a therapist may be a model whose reasoning stands between marks in the text.
    """

    source: str
    turns: str
    who: tuple[str, ...] = ("role",)
    text: tuple[str, ...] = ("content",)
    marks: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    roles: re.Pattern[str] | None = None
    words: Mapping[str, Speaker] = field(default_factory=lambda: MappingProxyType({}))
    unheard: tuple[str, ...] = UNHEARD
    labels: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    ids: tuple[str, ...] = ("id", "session_id", "conversation_id")
    opening: str | None = None
    silence: str = ""
    thinks: bool = True
    trimmed: bool = False

    def fits(self, shape: Shape) -> bool:
        """Whether a record of this shape is a session in this layout."""
        keys = shape.keys
        return (
            keys.get(self.turns) == "["
            and (not self.marks or any(key in keys for key in self.marks))
            and not any(key in keys for key in self.unless)
        )

    def found_in(self, head: str) -> bool:
        """Whether most records with such a list, in a file that begins like ``head``, are in this layout."""
        alike = [self.fits(s) for s in shapes(head) if s.keys.get(self.turns) == "["]
        return sum(alike) * 2 > len(alike) and (self.roles is None or bool(self.roles.search(head)))


@dataclass(frozen=True, slots=True)
class LayoutImporter:
    """Reads the sessions of one layout from JSON Lines, a JSON list, or one JSON object."""

    layout: Layout
    account: Account

    def detect(self, head: str, /) -> bool:
        """Whether some record is a session in this layout."""
        return self.layout.found_in(head)

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the sessions of ``path``, the unreadable ones as ``error``."""
        build = partial(built, self.layout, self.account)
        found = read_records(named(json_records(path), path), build, *self.layout.ids, account=self.account)
        return sessions(path, found, self.layout.source)


def name_of(path: Path) -> str:
    """Return the name of a file without the endings of formats.

    Examples
    --------
    >>> name_of(Path("a/session 3.json.gz"))
    'session 3'
    """
    return shown(_SUFFIXES.sub("", path.name) or path.name, 200)


def named(records: Iterable[Record], path: Path) -> Iterator[Record]:
    """Yield ``records``; if there is only one, its id falls back to the name of the file."""
    records = iter(records)
    first = list(islice(records, 2))
    if len(first) == 1:
        return iter([first[0]._replace(fallback=name_of(path))])
    return chain(first, records)


def built(layout: Layout, account: Account, record: Any, session_id: str) -> Trajectory:
    """Return one session; a turn keeps its place in the source as ``message_index`` where turns before it were skipped.

    Raises
    ------
    BadRecord : the record is no session in this layout.
    """
    if not isinstance(record, dict):
        raise BadRecord(f"is {kind_of(record)}, not a session with {layout.turns!r}")
    given = record.get(layout.turns)
    if not isinstance(given, list):
        absent = layout.turns not in record
        raise BadRecord(f"has no {layout.turns!r}" if absent else f"has {layout.turns} that are {kind_of(given)}")
    turns: list[Turn] = []
    infos: list[dict[str, Any]] = []
    skipped: Counter[str] = Counter()
    for i, x in enumerate(given):
        spoken = _turn(layout, account, x, i, skipped)
        if spoken is None:
            continue
        if i != len(turns):
            spoken[1]["message_index"] = i
        turns.append(spoken[0])
        infos.append(spoken[1])
    must_run_forwards(infos)
    meta = _meta(layout, record)
    if skipped:
        meta = merged(meta, {"skipped_messages": dict(sorted(skipped.items()))})
    kept = tuple(infos) if any(infos) else ()
    return Trajectory(session_id=session_id, source=layout.source, turns=tuple(turns), infos=kept, meta=meta)


def _turn(
    layout: Layout, account: Account, x: Any, i: int, skipped: Counter[str]
) -> tuple[Turn, dict[str, Any]] | None:
    where = f"{layout.turns}[{i}]"
    if not isinstance(x, dict):
        raise BadRecord(f"{where} is {kind_of(x)}, not a turn")
    who = next((x[key] for key in layout.who if x.get(key) is not None), None)
    text = next((x[key] for key in layout.text if x.get(key) is not None), None)
    word = who.strip().lower() if isinstance(who, str) else ""
    unheard = word if word in layout.unheard else call_only(x, text)
    if unheard and unheard not in account.given:
        skipped[unheard] += 1
        account.lost(f"messages of {unheard!r}, which nobody hears (counted in meta)", where=where)
        return None
    speaker = account.speaker(who, where, layout.words)
    if speaker is None:
        return None
    if text is None and any(key in x for key in layout.text):
        text = no_words(account, where)
    if not isinstance(text, str):
        raise BadRecord(f"{where} has {'no text' if text is None else f'a text that is {kind_of(text)}'}")
    if i == 0 and layout.opening is not None and speaker == "patient" and text.strip(" .!\n").lower() == layout.opening:
        skipped["opening"] += 1
        account.lost("openings that a program wrote, not the patient (counted in meta)", where=where)
        return None
    info = _info(layout, x)
    return Turn(speaker=speaker, text=_said(layout, account, speaker, text, info)), info


def _said(layout: Layout, account: Account, speaker: Speaker, text: str, info: dict[str, Any]) -> str:
    if layout.silence and text.strip() == layout.silence:
        info["written_as"] = text
        account.lost(f"empty replies that the file writes as {layout.silence!r} (an empty turn now)")
        return ""
    if layout.trimmed and text != text.strip():
        account.lost("white space around a text (cut off)")
        text = text.strip()
    if not layout.thinks:
        return text
    said = hide_thinking(text, info, torn=speaker == "therapist")
    account.lost("hidden reasoning inside a text (moved to a private field)", int(said != text))
    return said


def _info(layout: Layout, x: dict[str, Any]) -> dict[str, Any]:
    aside = {*layout.who, *layout.text, *layout.labels, *layout.private}
    info = {key: value for key, value in x.items() if key not in aside}
    labels: dict[str, Any] = {}
    for key in layout.labels:
        if isinstance(x.get(key), dict):
            labels |= x[key]
        elif x.get(key) is not None:
            labels[key] = x[key]
    private = {key: x[key] for key in layout.private if x.get(key) is not None}
    if labels:
        info["labels"] = labels
    if private:
        info["private"] = private | ({"given": info["private"]} if "private" in info else {})
    return info


def _meta(layout: Layout, record: dict[str, Any]) -> dict[str, Any]:
    given = record.get("meta")
    meta = dict(given) if isinstance(given, dict) else {}
    aside = {layout.turns, *layout.hidden} | ({"meta"} if isinstance(given, dict) else set())
    rest = {key: value for key, value in record.items() if key not in aside and key != "id"}
    hidden = {key: record[key] for key in layout.hidden if record.get(key) is not None}
    return merged(meta, rest | ({"private": hidden} if hidden else {}))
