"""What a comparison reads of a run folder: sessions by group, moments of the ladder, who read them, what was replayed.

Only the tables and ``run.json`` are read (and, for the ladder, which histories were replayed): nothing is played, and
nothing is read by a coder again.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from turnwise.batteries.ladder.moments import Cell
from turnwise.core.errors import UsageError
from turnwise.core.registry import METRICS, closest
from turnwise.engine.counting import LEFT, counted
from turnwise.engine.grouping import NO_VALUE, group_named
from turnwise.engine.ladder_bank import BANK
from turnwise.engine.ladder_store import MOMENTS
from turnwise.engine.store import RunFolder
from turnwise.engine.stored_tables import as_stored, stored_rows, stored_table
from turnwise.engine.whole_runs import require_whole

__all__ = ["Arm", "ComparedRun", "Met"]

_COLUMNS = ("session_id", "source", "group", "therapist", "patient", "epoch", "session", "ending", "max_turns", "meta")
_WORDS = ("read", "said", "reply")
_LOADED: tuple[str, ...] = tuple(f.name for f in fields(Cell) if f.name not in _WORDS)


@dataclass(frozen=True, slots=True)
class Met:
    """One session as a comparison sees it.

    ``unit`` is what is drawn again (the patient, or the series of a transcript) and ``pair`` what makes two sessions
    the same one with another therapist (epoch and place in the course, or the id of the transcript).
    """

    id: str
    unit: str
    pair: str
    left: bool
    attended: int
    planned: int | None
    values: Mapping[str, float | None]

    def value(self, metric: str, spec: Mapping[str, Any]) -> float | None:
        """Return the value with which the session counts for a measure."""
        own = self.values.get(metric)
        return counted(own, spec, left=self.left, attended=self.attended, planned=self.planned)


@dataclass(frozen=True, slots=True)
class Arm:
    """One side of a comparison: the sessions and the moments of one group of one run."""

    run: ComparedRun
    group: str
    label: str
    sessions: Sequence[Met]
    cells: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    """By skill."""


class ComparedRun:
    """A finished run folder, opened to be compared. ``by`` names a key of ``meta`` to group transcripts by."""

    def __init__(self, path: Path, by: str | None = None) -> None:
        self.path, self.by = path, by
        self.record = _record(path)
        with as_stored(path):
            self._read()

    def _read(self) -> None:
        path, by = self.path, self.by
        study = self.record.get("study") or {}
        self.played = bool(study)
        self.seed: int | None = study.get("seed")
        self.versions: Mapping[str, str] = study.get("versions") or {}
        self.metrics: Mapping[str, int] = self.record.get("metrics") or {}
        self.input: str | None = (self.record.get("input") or {}).get("sha256")
        self._rows = _grouped(path, self.record, by)
        self.lengths = {row["max_turns"] for row in self._rows if row["max_turns"] is not None}
        self._coders: dict[str, set[tuple[str, str]]] | None = None
        self._bank: dict[tuple[str, int], str] | None = None
        self._codes: dict[tuple[str, str], str] | None = None

    @property
    def reference(self) -> str | None:
        """Who led the replayed histories; ``None`` without a ladder."""
        return (self.record.get("ladder") or {}).get("reference") if self.has_ladder else None

    @property
    def has_ladder(self) -> bool:
        """Whether the ladder was played and scored."""
        return (self.path / MOMENTS).is_file()

    def groups(self) -> list[str]:
        """Return the groups in the order in which they first came."""
        return list(dict.fromkeys(row["group"] for row in self._rows))

    def group(self, asked: str) -> str:
        """Return the group of that name; a name without a version means the one version there is."""
        there, asked = self.groups(), group_named(asked)
        found = [g for g in there if asked in (g, g.rpartition(".v")[0])]
        if len(found) == 1:
            return found[0]
        hint = f"it has {' and '.join(found)}." if found else closest(asked, there, 0.5, f"it has {_listed(there)}.")
        raise UsageError(f"{self.path} has no single group {asked!r}; {hint}")

    def arm(self, group: str) -> Arm:
        """Return one group as a side of a comparison."""
        with as_stored(self.path):
            return self._arm(group)

    def _arm(self, group: str) -> Arm:
        rows = [row for row in self._rows if row["group"] == group]
        gone = [row["session_id"] for row in rows if row["patient"] is not None and row["ending"] in LEFT]
        attended = _patient_turns(self.path, gone)
        sessions = [_met(row, self.metrics, attended) for row in rows]
        base, _, version = group.rpartition(".v")
        label = base if base and version.isdigit() else group
        return Arm(self, group, label, sessions, self._cells(group))

    def _cells(self, group: str) -> dict[str, list[Cell]]:
        found: dict[str, list[Cell]] = defaultdict(list)
        if self.has_ladder and self.by is None:
            for row in stored_rows(self.path, MOMENTS.removesuffix(".parquet"), _LOADED, [("therapist", "=", group)]):
                found[row["skill"]].append(Cell(**row | {"detail": row["detail"] or ""}))
        return dict(found)

    def coders(self, item: str) -> set[tuple[str, str]]:
        """Return which coders, with which weights, read an item in this run."""
        if self._coders is None:
            self._coders = defaultdict(set)
            for name, coder, weights in _distinct(self.path):
                self._coders[name].add((coder, weights))
        return self._coders.get(item, set())

    def code(self, session: str, metric: str) -> str:
        """Return why a session has no value."""
        if self._codes is None:
            rows = stored_rows(self.path, "scores", ("session_id", "metric", "code"), [("code", "!=", "")])
            self._codes = {(r["session_id"], r["metric"]): r["code"] for r in rows}
        return self._codes.get((session, metric), "no_value")

    def bank(self) -> dict[tuple[str, int], str]:
        """Return patient and epoch → hash of what was said in the history that is replayed."""
        if self._bank is None:
            sessions = RunFolder(self.path, BANK).sessions() if (self.path / BANK).is_file() else iter(())
            self._bank = {}
            for t in sessions:
                if t.spec is not None:
                    said = json.dumps([[turn.speaker, turn.text] for turn in t.turns])
                    key = (f"{t.spec.patient}:{t.spec.case}", t.spec.epoch)
                    self._bank[key] = hashlib.sha256(said.encode()).hexdigest()
        return self._bank


def _listed(groups: Sequence[str]) -> str:
    return ", ".join(groups[:12]) + (f" and {len(groups) - 12} more" if len(groups) > 12 else "")


def _record(path: Path) -> dict[str, Any]:
    if path.is_file():
        raise UsageError(
            f"{path} is a file, and run folders are compared: score it first with 'turnwise score {path}'."
        )
    record = RunFolder(path).read_record()
    if record is None:
        raise UsageError(f"{path} is not a run folder: it has no run.json.")
    if not record.get("summary"):
        raise UsageError(f"{path} holds an unfinished run; run the same command again to resume it.")
    require_whole(path)
    return record


def _distinct(path: Path) -> Iterator[tuple[str, str, str]]:
    if (path / "ratings.parquet").is_file():
        columns = ["item", "coder", "weights"]
        for row in stored_table(path, "ratings", columns).group_by(columns).aggregate([]).to_pylist():
            yield row["item"], row["coder"], row["weights"]


def _patient_turns(path: Path, sessions: Sequence[str]) -> dict[str, int]:
    if not sessions:
        return {}
    wanted = [("session_id", "in", list(sessions)), ("speaker", "=", "patient")]
    found: dict[str, int] = defaultdict(int)
    for row in stored_rows(path, "turns", ("session_id",), wanted):
        found[row["session_id"]] += 1
    return found


def _grouped(path: Path, record: Mapping[str, Any], by: str | None) -> list[dict[str, Any]]:
    rows = stored_rows(path, "sessions", [*_COLUMNS, *(record.get("metrics") or {})])
    for row in rows:
        row["meta"] = json.loads(row["meta"]) if row.get("meta") else {}
        row["patient"], row["epoch"], row["max_turns"] = (row.get(k) for k in ("patient", "epoch", "max_turns"))
        named = row.get("group")
        own = group_named(named) if named is not None else row.get("therapist") or row["source"]
        row["group"] = own if by in (None, record.get("by")) else group_named(row["meta"].get(by))
    if by is None or by == record.get("by"):
        return rows
    known = [row for row in rows if row["group"] != NO_VALUE]
    if not known:
        lost = "it was scored with --no-text and keeps no meta" if record.get("no_text") else "no session has it"
        raise UsageError(f"{path} cannot be grouped by {by!r}: {lost}.")
    return known


def _place(row: Mapping[str, Any]) -> str:
    """Return epoch and place in the course; folders of earlier versions know no courses."""
    session = row.get("session") or 1
    return f"{row['epoch']}/{session}" if session > 1 else str(row["epoch"])


def _met(row: Mapping[str, Any], metrics: Mapping[str, int], attended: Mapping[str, int]) -> Met:
    played = row["patient"] is not None
    return Met(
        id=row["session_id"],
        unit=row["patient"] if played else str(row["meta"].get("series", row["session_id"])),
        pair=_place(row) if played else row["session_id"],
        left=played and row["ending"] in LEFT,
        attended=attended.get(row["session_id"], 0),
        planned=row["max_turns"],
        values={name: row.get(name) for name in metrics if f"{name}.v{metrics[name]}" in METRICS},
    )
