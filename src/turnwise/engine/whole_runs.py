"""Whether a run folder still holds all that its record speaks of: what was lost is said, and nothing made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import ValidationError

from turnwise.core.errors import FormatError
from turnwise.engine.ladder_bank import BANK
from turnwise.engine.ladder_play import PLAYED_RUNGS, REPLIES
from turnwise.engine.store import RESCUE, TRAJECTORIES, RunFolder
from turnwise.engine.stored_tables import as_stored, rows_in
from turnwise.engine.study import Study

__all__ = ["Parts", "require_whole"]

Parts: TypeAlias = Literal["sessions", "words", "all"]


def require_whole(folder: Path, parts: Parts = "all") -> None:
    """Refuse a finished run of which sessions, replies, or rows are missing; pass over everything else.

    Compared are the ids in ``trajectories.jsonl`` with those that the study plans (of scored transcripts: how many
    there were), the lines of the ladder's files and the rows of the tables with what ``run.json`` counts. Not a check
    of what the lines say: who reads them meets that. A folder without a record, or of a run that is not finished,
    is passed over.

    Parameters
    ----------
    folder : a run folder.
    parts : what is going to be read. ``"sessions"``: those alone; ``"words"``: sessions and the ladder, to be scored
        again; ``"all"``: these and the tables, but the files with words may be gone (``RETENTION.md`` says how).

    Raises
    ------
    FormatError : something is missing; the sentence says how much of what, and how to get it back.
    """
    record = RunFolder(folder).read_record()
    if record is None or record.get("status") == "playing":
        return
    with as_stored(folder):
        lost = [*_lines_lost(folder, record, parts), *(_rows_lost(folder, record) if parts == "all" else ())]
        played = bool(record.get("study"))
    if lost:
        again = "run the same command again to play what is missing" if played else "score the transcripts again"
        raise FormatError(folder, "", "; ".join(lost), f"{again}, or restore the files; {RESCUE}")


def _lines_lost(folder: Path, record: Mapping[str, Any], parts: Parts) -> Iterator[str]:
    for name, what, planned in _planned(record):
        log = RunFolder(folder, name)
        if parts == "sessions" and name != TRAJECTORIES:
            continue
        if not log.trajectories.is_file():
            if parts == "words":
                yield f"{name} is missing"
            continue
        found = list(log.ids())
        missing = planned - len(found) if isinstance(planned, int) else len(gone := sorted(set(planned) - set(found)))
        total = planned if isinstance(planned, int) else len(planned)
        if missing > 0:
            example = "" if isinstance(planned, int) else f", e.g. {gone[0]!r}"
            yield f"{name} lacks {missing:,} of the {total:,} {what} of this run{example}"


def _planned(record: Mapping[str, Any]) -> Iterator[tuple[str, str, int | Sequence[str]]]:
    """Yield the files with words, what their lines are, and how many there have to be, or of which names."""
    names = _sessions_of(record)
    if names or "sessions" in record:
        yield TRAJECTORIES, "sessions", names or int(record["sessions"])
    ladder = record.get("ladder") or {}
    if "bank_sessions" in ladder:
        yield BANK, "sessions", int(ladder["bank_sessions"])
        met = int(ladder["replayed_moments"]) * len(PLAYED_RUNGS)
        yield REPLIES, "replies", met * len(record["study"]["therapists"])


def _sessions_of(record: Mapping[str, Any]) -> list[str]:
    """Return the sessions that a record's study plans; none where it plans none, or was written by another version."""
    try:
        return [spec.session_id for spec in Study.model_validate(record.get("study")).specs()]
    except ValidationError:
        return []


def _rows_lost(folder: Path, record: Mapping[str, Any]) -> Iterator[str]:
    planned, counted = len(_sessions_of(record)), record.get("sessions")
    if planned and counted is not None and counted < planned:
        yield f"its tables and figures are of {counted:,} of the {planned:,} sessions of this run"
    for name, wanted in _rows(record):
        found = rows_in(folder, name)
        if found is not None and found < wanted:
            yield f"{name}.parquet has {found:,} of the {wanted:,} rows that run.json counts"
    if rows_in(folder, "ratings") == 0 and record.get("coders_seen") and record.get("turns"):
        yield "ratings.parquet has no rows"


def _rows(record: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    if {"sessions", "turns", "metrics"} <= record.keys():
        yield from (("sessions", record["sessions"]), ("turns", record["turns"]))
        yield "scores", record["sessions"] * len(record["metrics"])
    ladder = (record.get("summary") or {}).get("ladder") or {}
    if "cells" in ladder:
        yield "moments", sum(rung["cells"] for rung in ladder["cells"].values())
        yield "gap", len(ladder["gaps"])
