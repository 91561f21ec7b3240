"""From sessions to tables: read, measure, write, a chunk at a time, in as many processes as there are processors.

Memory does not grow with the corpus beyond one row of numbers per session: sessions stream
through, and the tables appear together at the end or not at all.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadpoolctl import threadpool_limits

from turnwise import __version__
from turnwise.core.errors import UsageError
from turnwise.core.nouns import Trajectory
from turnwise.core.registry import METRICS
from turnwise.engine.conformance_run import RunConformance
from turnwise.engine.discovery import discover
from turnwise.engine.ladder_store import LadderChunk, LadderTables, remove_tables
from turnwise.engine.quiet import quiet
from turnwise.engine.ratings import DEFAULT_BUNDLE, CoderFault, Readers
from turnwise.engine.retention import write_retention
from turnwise.engine.side_by_side import side_by_side
from turnwise.engine.store import RECORD_FORMAT, TRAJECTORIES, RunFolder, replacing, sentence_for
from turnwise.engine.summary import Facts, Summary
from turnwise.engine.tables import TableMaker, TableWriter, score_session

if TYPE_CHECKING:
    from turnwise.engine.importers.tally import Tally

__all__ = ["ScoreResult", "Scoring", "score_file", "score_sessions"]

OnProgress = Callable[[int, int], None]
_CHUNK_TURNS = 2048
_CHUNK_SESSIONS = 512
_ERRORS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Scoring:
    """How sessions are scored.

    Attributes
    ----------
    no_text : leave every text column null, and store no transcript.
    keep : also store the sessions themselves (for transcripts read from elsewhere).
    readers : the bundle of coders, ``"open"`` or ``"research"``.
    ladder : the run folder whose bank and replies are scored with the sessions; ``None`` = no ladder.
    """

    no_text: bool = False
    keep: bool = False
    readers: str = DEFAULT_BUNDLE
    ladder: Path | None = None


@dataclass(slots=True)
class ScoreResult:
    """What scoring found, as it goes into ``run.json``."""

    no_text: bool = False
    bundle: str = DEFAULT_BUNDLE
    sessions: int = 0
    turns: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    errors: list[dict[str, str]] = field(default_factory=list)
    readers: dict[str, str] = field(default_factory=dict)
    coders_seen: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    summary: dict[str, Any] = field(default_factory=dict)
    conformance: RunConformance = field(default_factory=RunConformance)

    def see(self, t: Trajectory) -> None:
        """Count one session."""
        self.sessions += 1
        self.turns += len(t.turns)
        self.endings[t.ending] += 1
        self.conformance.see(t)
        for reading in t.ratings.values():
            self.coders_seen[reading.coder] += 1
        if t.ending == "error" and len(self.errors) < _ERRORS_SHOWN:
            self.errors.append({"session_id": t.session_id, "error": quiet(t.error or "", self.no_text)})

    def join(self, other: ScoreResult) -> None:
        """Take over what was counted of other sessions, which came after these."""
        self.sessions += other.sessions
        self.turns += other.turns
        self.endings.update(other.endings)
        self.coders_seen.update(other.coders_seen)
        self.conformance.join(other.conformance)
        self.errors += other.errors[: max(0, _ERRORS_SHOWN - len(self.errors))]

    def record(self) -> dict[str, Any]:
        """Return the part of ``run.json`` that scoring fills."""
        from turnwise.reading.cards import bundle_licence

        return {
            "format": RECORD_FORMAT,
            "turnwise": __version__,
            "sessions": self.sessions,
            "turns": self.turns,
            "endings": dict(sorted(self.endings.items())),
            "errors": self.errors,
            "bundle": self.bundle,
            "readers": self.readers,
            "coders_seen": dict(sorted(self.coders_seen.items())),
            "metrics": {e.base: e.version for e in METRICS.newest()},
            "licences": {"readers": bundle_licence(self.bundle)},
            "conformance": self.conformance.record(),
            "warnings": self.warnings,
            "summary": self.summary,
        }


_DEFAULT = Scoring()


def _chunks(sessions: Iterable[Trajectory]) -> Iterator[list[Trajectory]]:
    chunk: list[Trajectory] = []
    turns = 0
    for t in sessions:
        chunk.append(t)
        turns += len(t.turns)
        if turns >= _CHUNK_TURNS or len(chunk) >= _CHUNK_SESSIONS:
            yield chunk
            chunk, turns = [], 0
    if chunk:
        yield chunk


@dataclass(frozen=True, slots=True)
class _ChunkDone:
    """What is left of a chunk of sessions when it was scored: enough to write and to sum up, and no more."""

    tables: Mapping[str, Any]
    lines: str
    counted: ScoreResult
    facts: list[Facts]
    ladder: LadderChunk | None
    faults: list[CoderFault]


@dataclass(frozen=True, slots=True)
class _Work:
    """Scores a chunk of sessions; changes nothing, so that any process can do it."""

    readers: Readers
    maker: TableMaker
    summary: Summary
    ladder: LadderTables | None
    how: Scoring
    keeps: bool

    def __call__(self, chunk: Sequence[Trajectory]) -> _ChunkDone:
        readers, counted = self.readers.afresh(), ScoreResult(no_text=self.how.no_text)
        scored = [score_session(t, self.maker.metrics) for t in readers.rate(chunk)]
        for session in scored:
            counted.see(session.trajectory)
        return _ChunkDone(
            self.maker.tables(scored),
            "".join(f"{session.trajectory.model_dump_json()}\n" for session in scored) if self.keeps else "",
            counted,
            [self.summary.facts_of(session) for session in scored],
            self.ladder.read([session.trajectory for session in scored], readers) if self.ladder is not None else None,
            list(readers.faults.values()),
        )


def score_sessions(
    sessions: Iterable[Trajectory],
    folder: RunFolder,
    *,
    summary: Summary,
    how: Scoring = _DEFAULT,
    on_progress: OnProgress | None = None,
) -> ScoreResult:
    """Read and measure ``sessions`` as they come, and write the tables of ``folder``.

    Parameters
    ----------
    sessions : any iterable; consumed once, a chunk at a time.
    folder : where the tables go; nothing in it changes unless everything could be written.
    summary : collects one row of numbers per session for the aggregates.
    how : with which coders, and what is stored.
    on_progress : called with (sessions, turns) so far.
    """
    discover()
    readers, result = Readers.load(how.readers), ScoreResult(no_text=how.no_text, bundle=how.readers)
    with ExitStack() as stack:
        # The products of a chunk are too small to gain by threads; a default run took twice as long with them.
        stack.enter_context(threadpool_limits(limits=1))
        stack.enter_context(folder.claimed())
        writer = stack.enter_context(TableWriter(folder.path, no_text=how.no_text, group_of=summary.group_of))
        ladder = LadderTables(how.ladder, folder.path, no_text=how.no_text) if how.ladder else None
        if ladder is not None:
            stack.enter_context(ladder)
        log = None
        if how.keep and not how.no_text:
            path = stack.enter_context(replacing(folder.path / TRAJECTORIES))
            log = stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
        try:
            work = _Work(readers, writer.maker, summary, ladder, how, keeps=log is not None)
            for done in stack.enter_context(closing(side_by_side(work, _chunks(sessions), ready=readers.warm))):
                writer.append(done.tables)
                if ladder is not None and done.ladder is not None:
                    ladder.take(done.ladder)
                result.join(done.counted)
                readers.note(done.faults)
                for facts in done.facts:
                    summary.take(facts)
                if log is not None:
                    log.write(done.lines)
                del done  # before the next chunk is made
                if on_progress:
                    on_progress(result.sessions, result.turns)
            climbed = {"ladder": ladder.finish(readers, summary)} if ladder is not None else {}
        except OSError as fault:
            raise sentence_for(fault, folder.path) from fault
        summary.require_groups()
    if ladder is None:
        remove_tables(folder.path)
    result.readers = readers.versions()
    result.warnings += [*_of_coders(readers, no_text=how.no_text), *summary.warnings()]
    result.summary = summary.result() | climbed
    return result


def _of_coders(readers: Readers, *, no_text: bool) -> list[str]:
    return [
        f"coder {f.coder} failed on {f.sessions} sessions, its cells are unscored"
        + ("" if no_text else f": {f.problem}")  # what it raised may quote the turn
        for f in readers.faults.values()
    ]


def _file_sha256(path: Path) -> str | None:
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def score_file(
    path: Path,
    out: Path,
    *,
    by: str | None = None,
    fmt: str | None = None,
    how: Scoring = _DEFAULT,
    force: bool = False,
    on_progress: OnProgress | None = None,
) -> dict[str, Any]:
    """Score a file of transcripts in any known format into the run folder ``out``; return its record.

    ``by`` groups the aggregates by a key of each session's ``meta`` (e.g. ``mi_quality``). A folder
    that holds the results of another file is refused unless ``force`` is given.

    Raises
    ------
    FormatError : the file is not of a known format, or nothing in it can be read.
    UsageError : the file or the folder cannot be opened.
    """
    from turnwise.engine.importers.account import Account
    from turnwise.engine.importers.detect import detect, open_transcripts
    from turnwise.engine.importers.tally import Tally, quiet_reading, reading_notes, reading_record

    discover()
    importer = detect(path) if fmt is None else fmt
    account, tally = Account(), Tally()
    sessions = _peeked(open_transcripts(path, importer, account=account), tally)
    folder = RunFolder(out)
    folder.create()
    source = {"path": path.name, "importer": importer, "sha256": _file_sha256(path)}
    if not force:
        _refuse_foreign(folder, source, how.no_text)
    elif how.no_text:
        folder.trajectories.unlink(missing_ok=True)
    result = score_sessions(
        sessions, folder, summary=Summary(by=by), how=replace(how, keep=True), on_progress=on_progress
    )
    reading = reading_record(account, tally)
    record = result.record() | {
        "kind": "score",
        "name": out.name,
        "by": by,
        "no_text": how.no_text,
        "input": source,
        "reading": quiet_reading(reading) if how.no_text else reading,
    }
    record["warnings"] = [*reading_notes(record["reading"]), *record["warnings"]]
    folder.write_record(record)
    write_retention(folder, record)
    return record


def _peeked(sessions: Iterator[Trajectory], tally: Tally) -> Iterator[Trajectory]:
    """Pull the first session now, so that an unreadable file fails before anything is written; count them all."""
    first = next(sessions, None)

    def all_of_them() -> Iterator[Trajectory]:
        for t in sessions if first is None else chain([first], sessions):
            tally.add(t)
            yield t

    return all_of_them()


def _refuse_foreign(folder: RunFolder, mine: dict[str, Any], no_text: bool) -> None:
    """Refuse to overwrite results of something else, or to leave old words beside a quiet scoring."""
    there = folder.read_record()
    known = (TRAJECTORIES, "report.html", "turns.parquet", "sessions.parquet")
    remedy = "choose another --out, or --force to replace it."
    if there is None:
        if any((folder.path / name).exists() for name in known):
            raise UsageError(f"{folder.path} holds files that no turnwise record speaks of; {remedy}")
        return
    if there.get("kind") != "score":
        raise UsageError(f"{folder.path} holds a finished {there.get('kind')!r}, which this would overwrite; {remedy}")
    theirs = there.get("input") or {}
    if any(theirs.get(key) != mine[key] for key in ("path", "sha256")):
        raise UsageError(f"{folder.path} holds the scores of another file ({theirs.get('path')}); {remedy}")
    if no_text and folder.trajectories.exists():
        raise UsageError(f"{folder.path} holds what was said, from an earlier scoring without --no-text; {remedy}")
