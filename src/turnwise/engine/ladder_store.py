"""The ladder on disk: replies read back as sessions, and the tables of moments and gaps."""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import ValidationError

from turnwise.batteries.ladder.gaps import GapRow, gap_rows
from turnwise.batteries.ladder.judging import PlannedMoment, cells_of, cells_of_reply, planned_in, therapist_of
from turnwise.batteries.ladder.losing import met_live, sustained
from turnwise.batteries.ladder.moments import RUNGS, Cell
from turnwise.batteries.ladder.stock import SAME, Said, Stock, answers_alone, stock_of
from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Reading, Reason, Trajectory
from turnwise.engine.instrument_check import instrument_check, panel_values
from turnwise.engine.ladder_bank import BANK, scheduled_moments
from turnwise.engine.ladder_play import REPLIES, StoredReply
from turnwise.engine.ratings import CoderFault, Readers
from turnwise.engine.second_reading import SecondChunk, SecondReading
from turnwise.engine.side_by_side import side_by_side
from turnwise.engine.store import RunFolder, replacing
from turnwise.engine.summary import Summary

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "LadderChunk",
    "LadderTables",
    "bank_moments",
    "copy_replies",
    "has_replies",
    "ladder_cells",
    "remove_tables",
    "replies",
    "reply_cells",
]

MOMENTS, GAPS_TABLE = "moments.parquet", "gap.parquet"
FIRST_ONLY = (
    "of courses the ladder takes the first sessions: later ones begin where this therapist's earlier ones ended"
)
NOT_A_FINDING = "instrument check: embedded therapists on simulated patients, by construction; not a finding"
_READ_AGAIN = 5  # turns of a replayed session that the raters see: the reply and the four before it
_CHUNK = 512
_AGAIN = "run again with --force"


def has_replies(path: Path) -> bool:
    """Return whether the ladder of a run folder was played (folders of earlier versions have none)."""
    return (path / REPLIES).exists() and (path / BANK).exists()


def replies(path: Path) -> Iterator[Trajectory]:
    """Yield every reply of a run folder as a session: what came before it on its rung, the moment, the reply.

    Only one session of the bank is held at a time.

    Raises
    ------
    UsageError : the folder has no replies, or ``bank.jsonl`` does not hold what they speak of.
    FormatError : a line cannot be read.
    """
    if not has_replies(path):
        raise UsageError(f"{path} holds no replies; was it played with --no-ladder, or by an earlier version?")
    sessions = RunFolder(path, BANK).sessions()
    bank: Trajectory | None = None
    for stored in _lines(path / REPLIES):
        while bank is None or bank.session_id != stored.bank:
            bank = next(sessions, None)
            if bank is None:
                raise UsageError(
                    f"{path / BANK} does not hold the session {stored.bank!r}, or not in order, that a reply belongs "
                    f"to; {_AGAIN}."
                )
        yield stored.whole(bank)


def _lines(path: Path) -> Iterator[StoredReply]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield StoredReply.model_validate_json(line)
                except ValidationError as fault:
                    raise FormatError(path, f"line {number}", fault.errors()[0]["msg"], _AGAIN) from fault
    except UnicodeDecodeError as fault:
        raise FormatError(path, "", "is not UTF-8 text", _AGAIN) from fault


# --- cells ---------------------------------------------------------------------------------------


def bank_moments(path: Path) -> list[PlannedMoment]:
    """Return what the bank of a run folder scheduled: the moments that every therapist is measured on."""
    found: list[PlannedMoment] = []
    for t in RunFolder(path, BANK).sessions():
        answerable = {moment.turn for moment in scheduled_moments(t)}
        found += [moment for moment in planned_in(t) if moment.position in answerable]
    return found


@dataclass(frozen=True, slots=True)
class Habits:
    """What each therapist says to whatever comes, and the rungs on which it nearly always gives the same reply."""

    stock: Mapping[str, Stock] = field(default_factory=dict)
    same: Mapping[tuple[str, str], float] = field(default_factory=dict)

    @classmethod
    def of(cls, sessions: Iterable[Trajectory]) -> Habits:
        """Return the habits that replies of Show and Resume show."""
        said: dict[tuple[str, str], list[Said]] = defaultdict(list)
        for t in sessions:
            if len(t.turns) > 1 and t.turns[-1].speaker == "therapist":
                said[therapist_of(t), str(t.meta["rung"])].append(Said(t.turns[-1].text, t.turns[-2].text))
        rungs = {who: stock_of(own) for who, own in said.items()}
        by_therapist: dict[str, list[Said]] = defaultdict(list)
        for (therapist, _), own in said.items():
            by_therapist[therapist] += own
        return cls(
            {therapist: stock_of(own) for therapist, own in by_therapist.items()},
            {who: stock.same for who, stock in rungs.items() if stock.same > SAME},
        )

    def answered(self, t: Trajectory) -> tuple[Trajectory, frozenset[int]]:
        """Return a session without the stock sentences of its therapist, and the turns that were nothing else."""
        stock = self.stock.get(therapist_of(t))
        return (t, frozenset()) if stock is None or not stock.sentences else answers_alone(t, stock)

    def determined(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return cells without a value where a rung met nearly always the same reply."""
        return [self._determined(c) for c in cells]

    def _determined(self, c: Cell) -> Cell:
        share = self.same.get((c.therapist, c.rung))
        if share is None:
            return c
        return replace(c, value=None, code="undetermined", detail=f"the same reply at {share:.0%} of the moments")


def reply_cells(sessions: Iterable[Trajectory], readers: Readers, habits: Habits | None = None) -> Iterator[list[Cell]]:
    """Yield the cells of Show and Resume, a chunk of replies at a time.

    The raters read the last five turns only; the skills see the whole history.
    """
    waiting = iter(sessions)
    chunks = iter(lambda: list(islice(waiting, _CHUNK)), [])
    with closing(side_by_side(partial(_reply_chunk, readers, habits or Habits()), chunks, ready=readers.warm)) as done:
        for cells, faults in done:
            readers.note(faults)
            yield cells


def _reply_chunk(readers: Readers, habits: Habits, chunk: Sequence[Trajectory]) -> tuple[list[Cell], list[CoderFault]]:
    own = readers.afresh()
    answered = [habits.answered(t) for t in chunk]
    rated = own.rate([_end_of(t) for t, _ in answered])
    cells: list[tuple[Cell, Trajectory]] = []
    for whole, (t, hollow), r in zip(chunk, answered, rated, strict=True):
        read = t.with_ratings(_stretched(r, len(t.turns)))
        cells += ((cell, whole) for cell in cells_of_reply(read, hollow=len(t.turns) - 1 in hollow))
    return habits.determined(_with_words(c, t) for c, t in cells), list(own.faults.values())


def _with_words(cell: Cell, t: Trajectory) -> Cell:
    """Return a cell with what was said at its moment and in reply, as it was said."""
    at = cell.position if cell.rung == "sustain" else _last_of_patient(t)
    if not cell.reached or not 0 <= at < len(t.turns):
        return cell
    after = t.turns[at + 1] if at + 1 < len(t.turns) and t.turns[at + 1].speaker == "therapist" else None
    return replace(cell, said=t.turns[at].text, reply="" if after is None else after.text)


def _last_of_patient(t: Trajectory) -> int:
    return max((i for i, turn in enumerate(t.turns) if turn.speaker == "patient"), default=-1)


def _end_of(t: Trajectory) -> Trajectory:
    return t.model_copy(update={"turns": t.turns[-_READ_AGAIN:], "infos": t.infos[-_READ_AGAIN:]})


def _stretched(t: Trajectory, rows: int) -> dict[str, Reading]:
    """Return the readings of the end of a session as readings of all of it: the turns before were not read."""
    missing = rows - len(t.turns)
    return {item: _after(reading, missing) for item, reading in t.ratings.items()}


def _after(reading: Reading, missing: int) -> Reading:
    unread = np.full((missing, reading.p.shape[1]), np.nan)
    decided = None if reading.decided is None else (None,) * missing + tuple(reading.decided)
    nothing: Reason = "no_reading"
    return Reading(
        reading.item,
        reading.coder,
        reading.sha256,
        reading.labels,
        np.concatenate([unread, reading.p]),
        (nothing,) * missing + tuple(reading.codes),
        decided,
    )


def ladder_cells(
    sessions: Iterable[Trajectory],
    replies: Iterable[Trajectory],
    readers: Readers,
    planned: Sequence[PlannedMoment] = (),
) -> list[Cell]:
    """Return every cell of the ladder: the live sessions and the replies of Show and Resume.

    Parameters
    ----------
    sessions : live sessions, of courses the first ones; those with readings attached are not read again.
    replies : what :func:`replies` yields.
    planned : what the bank scheduled, so that a moment that a live session never came to is counted as not met.
    """
    cells: list[Cell] = []
    waiting = iter(sessions)
    while chunk := list(islice(waiting, _CHUNK)):
        cells += [cell for t in _rated(chunk, readers) for cell in cells_of(t, "sustain", planned=planned)]
    for found in reply_cells(replies, readers):
        cells += found
    return cells


def _rated(chunk: Sequence[Trajectory], readers: Readers) -> list[Trajectory]:
    fresh = iter(readers.rate([t for t in chunk if not t.ratings]))
    return [t if t.ratings else next(fresh) for t in chunk]


# --- tables --------------------------------------------------------------------------------------


def _moments_schema() -> pa.Schema:
    import pyarrow as pa

    kinds = {"str": pa.string(), "Rung": pa.string(), "int": pa.int32(), "bool": pa.bool_()}
    return pa.schema([(f.name, kinds.get(str(f.type).split(" ")[0], pa.float64())) for f in fields(Cell)])


def _gap_schema() -> pa.Schema:
    import pyarrow as pa

    kinds = {"str": pa.string(), "int": pa.int32()}
    return pa.schema([(f.name, kinds.get(str(f.type), pa.float64())) for f in fields(GapRow)])


@dataclass(frozen=True, slots=True)
class LadderChunk:
    """What some live sessions are worth: their cells, what the second reader says, how many were later sessions."""

    cells: list[Cell]
    second: SecondChunk
    later: int


class LadderTables:
    """Collects the cells of a run while its sessions are scored; both tables appear at the end, or neither.

    ``source`` is the run folder that holds ``bank.jsonl`` and ``replies.jsonl``, ``target`` where the tables go.
    With ``no_text`` the words of a cell and its ``detail``, which may repeat them, are null.
    """

    def __init__(self, source: Path, target: Path, *, no_text: bool = False) -> None:
        self._source, self._target, self._no_text = source, target, no_text
        self._planned: list[PlannedMoment] = []
        self._habits = Habits()
        self._cells: list[Cell] = []
        self._second = SecondReading()
        self._later = 0
        self._stack = ExitStack()
        self._writer: Any = None
        self._gaps = target

    def __enter__(self) -> LadderTables:
        import pyarrow.parquet as pq

        self._planned = bank_moments(self._source)
        self._habits = Habits.of(replies(self._source))
        with ExitStack() as opening:
            path = opening.enter_context(replacing(self._target / MOMENTS))
            self._gaps = opening.enter_context(replacing(self._target / GAPS_TABLE))
            self._writer = opening.enter_context(pq.ParquetWriter(path, _moments_schema(), compression="zstd"))
            self._stack = opening.pop_all()
        return self

    def __exit__(self, *fault: Any) -> bool | None:
        return self._stack.__exit__(*fault)

    def read(self, rated: Sequence[Trajectory], readers: Readers) -> LadderChunk:
        """Return what one chunk of live sessions, with their readings, is worth; changes nothing here.

        Of courses only the first sessions count. What a therapist says to whatever comes is left out, and a session
        in which that changes something is read again.
        """
        firsts = [t for t in rated if t.spec is None or t.spec.session == 1]
        answered = [self._habits.answered(t) for t in firsts]
        fresh = _rated([t for t, _ in answered], readers)
        cells = [
            _with_words(cell, whole)
            for whole, t, (_, hollow) in zip(firsts, fresh, answered, strict=True)
            for cell in cells_of(t, "sustain", planned=self._planned, hollow=hollow)
        ]
        return LadderChunk(cells, self._second.read(firsts, self._planned), len(rated) - len(firsts))

    def take(self, chunk: LadderChunk) -> None:
        """Keep what was read of one chunk, in the order of the run."""
        self._keep(chunk.cells)
        self._second.take(chunk.second)
        self._later += chunk.later

    def finish(self, readers: Readers, summary: Summary) -> dict[str, Any]:
        """Read the replies, write what is lost between the rungs, and return it for ``run.json``."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        for cells in reply_cells(replies(self._source), readers, self._habits):
            self._keep(cells)
        rows = [asdict(row) for row in gap_rows(self._cells)]
        pq.write_table(pa.Table.from_pylist(rows, schema=_gap_schema()), self._gaps, compression="zstd")
        return {
            "note": NOT_A_FINDING,
            "about": "by construction of the simulator",
            "moments": len({(m.patient, m.epoch, m.key) for m in self._planned}),
            "cells": {rung: _counts(c for c in self._cells if c.rung == rung) for rung in RUNGS},
            "gaps": rows,
            "check": instrument_check(sustained(self._cells), panel_values(summary), met_live(self._cells)),
            "second_reader": self._second.record(self._cells),
        } | ({"courses": FIRST_ONLY} if self._later else {})

    def _keep(self, cells: Sequence[Cell]) -> None:
        import pyarrow as pa

        self._cells += (replace(cell, said="", reply="") for cell in cells)  # words are stored, not kept
        rows = [asdict(cell) for cell in cells]
        if self._no_text:
            rows = [row | {"detail": None, "said": None, "reply": None} for row in rows]
        self._writer.write_table(pa.Table.from_pylist(rows, schema=_moments_schema()))


def _counts(cells: Iterable[Cell]) -> dict[str, Any]:
    found = list(cells)
    codes = Counter(c.code for c in found if c.code)
    return {
        "cells": len(found),
        "with_a_value": sum(c.value is not None for c in found),
        "never_came": sum(not c.reached for c in found),
        "codes": dict(sorted(codes.items())),
    }


def copy_replies(source: Path, target: Path) -> None:
    """Copy what was played of a ladder into another run folder, so that it can be scored from there."""
    for name in (BANK, REPLIES):
        with replacing(target / name) as temporary:
            shutil.copyfile(source / name, temporary)


def remove_tables(path: Path) -> None:
    """Remove the ladder's tables of an earlier scoring, which would speak of other sessions than the rest."""
    for name in (MOMENTS, GAPS_TABLE):
        (path / name).unlink(missing_ok=True)
