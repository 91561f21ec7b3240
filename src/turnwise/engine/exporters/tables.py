"""Tables with one utterance a row: a plain one, and one with the columns of AnnoMI."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwise.core.nouns import Trajectory
from turnwise.engine.exporters.writing import text_into
from turnwise.engine.importers.tables import ANNOMI_COLUMNS, PLAIN_COLUMNS

__all__ = ["Defused", "write_annomi", "write_csv_table"]

_SIDES = {"therapist": "therapist", "patient": "client"}


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(slots=True)
class Defused:
    """Makes cells safe to open in a spreadsheet, and counts them: what would be a formula begins with an apostrophe.

    A spreadsheet may run a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return, and so may
    what a patient or a model said. Read back, such a cell has the apostrophe in it.

    Examples
    --------
    >>> Defused().cell("=1+1"), Defused().cell("one"), Defused().cell(-1)
    ("'=1+1", 'one', -1)
    """

    n: int = 0

    def cell(self, value: Any) -> Any:
        """Return a cell as it may be opened anywhere; numbers are left alone."""
        if not isinstance(value, str) or not value.startswith(_FORMULA):
            return value
        self.n += 1
        return f"'{value}"


def _write(
    path: Path, columns: tuple[str, ...], sessions: Iterable[Iterable[list[Any]]], defused: Defused | None
) -> int:
    count = 0
    with text_into(path) as text:
        # Every cell in quotation marks: a bare carriage return in a text would end the row otherwise.
        table = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        table.writerow(columns)
        for rows in sessions:
            table.writerows(rows if defused is None else ([defused.cell(x) for x in row] for row in rows))
            count += 1
    return count


def write_csv_table(sessions: Iterable[Trajectory], path: Path, defused: Defused | None = None) -> int:
    """Write the columns ``session_id, turn, speaker, text``; return how many sessions."""
    rows = ([[t.session_id, i, x.speaker, x.text] for i, x in enumerate(t.turns)] for t in sessions)
    return _write(path, PLAIN_COLUMNS, rows, defused)


def write_annomi(sessions: Iterable[Trajectory], path: Path, defused: Defused | None = None) -> int:
    """Write the columns of AnnoMI, a row for each annotator of an utterance; return how many sessions.

    ``session_id`` is added at the end, since AnnoMI knows a transcript only by a number.
    """
    used: set[str] = set()
    return _write(path, ANNOMI_COLUMNS, (_annomi_rows(t, _number(t, used)) for t in sessions), defused)


def _number(t: Trajectory, used: set[str]) -> str:
    name = t.session_id.removeprefix("annomi-") if t.source == "AnnoMI" else ""
    if not name.isdecimal():
        name = f"session-{len(used) + 1}"
    while name in used:
        name += "-"
    used.add(name)
    return name


def _annomi_rows(t: Trajectory, number: str) -> Iterator[list[Any]]:
    given = [t.info(i).get("utterance_id") for i in range(len(t.turns))]
    first = given[0] if given and isinstance(given[0], int) and not isinstance(given[0], bool) else None
    start = first if first is not None and given == list(range(first, first + len(given))) else 0
    about = {key: t.meta.get(key) for key in ("mi_quality", "topic", "video_title", "video_url")}
    for i, turn in enumerate(t.turns):
        stamp = t.info(i).get("timestamp")
        row = about | {
            "transcript_id": number,
            "utterance_id": max(start, 0) + i,
            "interlocutor": _SIDES[turn.speaker],
            "timestamp": stamp if isinstance(stamp, str) else "",
            "utterance_text": turn.text,
            "session_id": t.session_id,
        }
        for note in _annotations(t.info(i).get("labels")):
            yield [_cell(row[key]) if key in row else _cell(note.get(key), "n/a") for key in ANNOMI_COLUMNS]


def _annotations(labels: Any) -> list[Mapping[str, Any]]:
    if not isinstance(labels, dict):
        return [{}]
    notes = labels.get("annotations")
    if isinstance(notes, list) and notes and all(isinstance(x, dict) for x in notes):
        return notes
    return [labels]


def _cell(value: Any, absent: str = "") -> str:
    return absent if value is None or isinstance(value, list | dict) else str(value)
