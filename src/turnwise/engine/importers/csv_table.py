"""Any table of utterances, one row each: CSV, semicolons or tabs, with a column for the speaker and one for the text.

Columns with common names are recognised; others are named by the user (``--map text=utterance``).
Rows of a session stand together and in order, by the number of the turn or else by a time, so one
session at a time is in memory; a session in pieces is an error as a whole. A table without a column
for the session is one session. Every other column stays in the turn's info.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Trajectory, Turn
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.annomi import Annomi
from turnwise.engine.importers.layouts import name_of
from turnwise.engine.importers.ordering import backwards
from turnwise.engine.importers.records import BadRecord, Unreadable, sessions
from turnwise.engine.importers.streams import shown
from turnwise.engine.importers.tables import (
    Header,
    Row,
    Rows,
    headers,
    returning,
    whole_number,
)

__all__ = ["FIELDS", "CsvTable", "csv_table"]

FIELDS: Mapping[str, tuple[str, ...]] = {
    "speaker": ("speaker", "role", "interlocutor", "sender", "author"),
    "text": ("text", "utterance", "utterance_text", "message", "content"),
    "session": ("session_id", "session", "conversation_id", "dialogue_id", "dialog_id", "transcript_id"),
    "turn": ("turn", "turn_index", "utterance_index"),
}
"""What a column can be, and the names by which it is recognised (the first that is there)."""
_NEEDED = ("speaker", "text")
_TOGETHER = "put its rows together, or say which columns name a session: --map session=A+B"


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which column is what; ``session`` may be several that only together name a session."""

    speaker: str
    text: str
    session: tuple[str, ...]
    turn: str | None

    @property
    def used(self) -> set[str]:
        return {self.speaker, self.text, *self.session, *([self.turn] if self.turn else [])}


def _columns(names: list[str], asked: Mapping[str, str]) -> _Columns | None:
    """Return which column is what, ``None`` if there is none for the speaker or the text.

    Raises
    ------
    UsageError : the user named a column that is not there.
    """
    by_name = {name.lower(): name for name in reversed(names)}
    found: dict[str, tuple[str, ...]] = {}
    for role, usual in FIELDS.items():
        if role in asked:
            wanted = asked[role].split("+") if role == "session" else [asked[role]]
            missing = [x for x in wanted if x.strip().lower() not in by_name]
            if missing:
                there = ", ".join(repr(shown(x, 30)) for x in names[:30])
                raise UsageError(f"--map {role}={asked[role]}: there is no column {missing[0]!r}; there are {there}.")
            found[role] = tuple(by_name[x.strip().lower()] for x in wanted)
        else:
            found[role] = tuple(by_name[x] for x in usual if x in by_name)[:1]
    if not all(found[role] for role in _NEEDED):
        return None
    return _Columns(found["speaker"][0], found["text"][0], found["session"], next(iter(found["turn"]), None))


def _header(line: str, asked: Mapping[str, str]) -> Header | None:
    likely: Header | None = None
    for header in headers(line):
        # What separates the columns is not known yet: a name may be missing only because it was looked for wrongly.
        with suppress(UsageError):
            if _columns(header.names, asked):
                return header
        likely = header if likely is None or len(header.names) > len(likely.names) else likely
    if likely is not None:
        _columns(likely.names, asked)  # says which column is missing
    return None


@dataclass(slots=True)
class _Open:
    """A session whose rows are still coming."""

    session_id: str
    account: Account
    table: Rows
    turns: list[Turn] = field(default_factory=list)
    infos: list[dict[str, Any]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    last: int | None = None
    fault: tuple[str, str] | None = None

    def blame(self, where: str, problem: str) -> None:
        self.fault = self.fault or (where, problem)

    def add(self, row: Mapping[str, str], columns: _Columns, where: str) -> None:
        speaker = self.account.speaker(row[columns.speaker], "the row")
        info: dict[str, Any] = {key: x for key, x in row.items() if key not in columns.used and x.strip()}
        if columns.turn:
            info |= self._in_order(columns.turn, row[columns.turn].strip())
        if speaker is None:
            return
        text = self.table.words(row[columns.text], info, self.account, where)
        self.turns.append(Turn(speaker=speaker, text=text))
        self.infos.append(info)
        self.places.append(where)

    def _in_order(self, column: str, number: str) -> dict[str, Any]:
        """Check that the rows stand in order; return the number if it is not the place of the turn anyway."""
        at = whole_number(number)
        if at is None:
            raise BadRecord(f"has a {column!r} that is no whole number")
        if self.last is not None and at < self.last:
            raise BadRecord(f"has {column} {number} after {self.last}; put the rows of a session in order")
        self.last = at
        return {} if self.last == len(self.turns) else {column: self.last}

    def close(self, source: str) -> Trajectory | Unreadable:
        wrong = backwards(self.infos) if self.last is None else None
        if wrong:
            problem = f"is earlier than a row above it ({wrong.key!r}); put the rows of a session in order"
            self.blame(self.places[wrong.turn], problem)
        if self.fault:
            self.account.rollback()
            return Unreadable(*self.fault, self.session_id)
        self.account.commit()
        kept = tuple(self.infos) if any(self.infos) else ()
        return Trajectory(session_id=self.session_id, source=source, turns=tuple(self.turns), infos=kept)


class CsvTable:
    """Reads a table of utterances with the columns that ``FIELDS`` names or the user maps."""

    source = "imported"

    def __init__(self, account: Account | None = None, columns: Mapping[str, str] | None = None) -> None:
        self._account = account or Account()
        self._asked = dict(columns or {})
        for role in self._asked:
            if role not in FIELDS:
                raise UsageError(
                    f"--map {role}=…: a column can be {', '.join(FIELDS)}; other columns are kept as info."
                )

    def detect(self, head: str, /) -> bool:
        """Whether the first line is a header with a speaker and a text (and is not AnnoMI's)."""
        first = next((x for x in head.split("\n") if x.strip()), "").rstrip("\r")
        return not first.startswith(("{", "[")) and not Annomi().detect(head) and _header(first, {}) is not None

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the sessions of ``path``, the damaged ones as ``error``."""
        return sessions(path, self._sessions(path), self.source)

    def _sessions(self, path: Path) -> Iterator[Trajectory | Unreadable]:
        rows = self._rows(path)
        columns = _columns(rows.names, self._asked)
        twice = next((x for x in rows.names if rows.names.count(x) > 1), None)
        if columns is None or twice is not None:
            problem = f"has two columns called {shown(twice, 40)!r}"
            raise FormatError(shown(path), "line 1", problem, "give every column a name of its own")
        pieces = self._pieces(path, columns)
        now: _Open | None = None
        lost: tuple[str, str] | None = None
        told: set[str] = set()
        for row in rows:
            name = _session_of(row, rows, columns, path)
            if row.cells is None or name is None:
                lost = (row.where, row.problem or "does not say to which session it belongs")
                if now:  # whose row it was cannot be known: the sessions before and after it may lack a turn
                    now.blame(*lost)
                continue
            if now is None or name != now.session_id:
                if now and now.session_id not in told:
                    yield now.close(self.source)
                    told |= {now.session_id} & pieces.keys()
                now = _Open(name, self._account, rows)
                if name in pieces:
                    now.blame(pieces[name], f"session {shown(name, 40)!r} goes on after others; {_TOGETHER}")
            if lost:
                now.blame(*lost)
                lost = None
            _take(now, row, columns)
        if now and now.session_id not in told:
            yield now.close(self.source)
        if lost:  # rows at the end, whosever they were
            yield Unreadable(*lost, lost[0].replace(" ", "-"))

    def _pieces(self, path: Path, columns: _Columns) -> dict[str, str]:
        """Return the sessions whose rows do not stand together: none of their pieces is a session."""
        if not columns.session:
            return {}
        rows = self._rows(path)
        names = ((_session_of(row, rows, columns, path), row.where) for row in rows)
        return returning((name, where) for name, where in names if name is not None)

    def _rows(self, path: Path) -> Rows:
        wanted = "a column for the speaker and one for the text"
        remedy = "say which they are, e.g. --map speaker=who --map text=said"
        return Rows(path, partial(_header, asked=self._asked), wanted, remedy)


def _session_of(row: Row, table: Rows, columns: _Columns, path: Path) -> str | None:
    """Return to which session a row belongs, ``None`` if it does not say."""
    names = [row.cells[x] for x in columns.session] if row.cells else []
    if row.cells is None or any(table.is_missing(x) for x in names):
        return None
    return "/".join(names) or name_of(path)


def _take(now: _Open, row: Row, columns: _Columns) -> None:
    if row.problem:
        now.blame(row.where, row.problem)
    try:
        now.add(row.cells or {}, columns, row.where)
    except BadRecord as fault:
        now.blame(row.where, str(fault))


@importer(
    name="csv_table.v1",
    fmt="table of utterances, CSV, semicolons or tabs, with columns for speaker and text",
    source="this project",
)
def csv_table(account: Account | None = None, columns: Mapping[str, str] | None = None) -> CsvTable:
    """Any table with one utterance a row; columns are recognised by name or mapped by the user."""
    return CsvTable(account, columns)
