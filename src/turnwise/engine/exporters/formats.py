"""Which formats sessions can be written in, what each can hold, and an account of what it cannot.

A format that has no place for how a session ended cannot say that one broke off, so sessions that
ended ``error`` are left out of it and counted: read back they would pass for whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from turnwise.core.errors import UsageError
from turnwise.core.nouns import Trajectory
from turnwise.core.registry import closest
from turnwise.engine.exporters.chats import write_openai_chat, write_sharegpt
from turnwise.engine.exporters.convokit import CORPUS_FILES, write_convokit
from turnwise.engine.exporters.plain_text import write_plain_text
from turnwise.engine.exporters.tables import Defused, write_annomi, write_csv_table
from turnwise.engine.exporters.turnwise_jsonl import as_transcript
from turnwise.engine.exporters.writing import text_into, write_records
from turnwise.engine.importers.tables import ANNOMI_CODES
from turnwise.engine.store import free_target, plain_target

__all__ = ["FORMATS", "Exported", "Format", "export_sessions", "format_named"]

_MARKS = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)
_ANNOMI_INFO = ("labels", "utterance_id", "timestamp")
_ANNOMI_META = ("mi_quality", "topic", "video_title", "video_url", "transcript_id", "n_annotators", "source")


class Format(NamedTuple):
    """A format sessions are written in.

    ``write`` takes sessions, path and whether infos go in. ``infos`` and ``meta`` are the keys that it has a place for
    (``None``: all), ``labels`` the same for the labels of a turn, ``holds`` what else it can say: ``cues``,
    ``ending``, ``empty`` (a session without turns), ``spec``, and ``plain``: a reader takes the text as it stands,
    whatever marks are in it. ``importer`` reads it back. ``cells`` writes a table that is safe in a spreadsheet.
    """

    summary: str
    importer: str
    write: Callable[[Iterable[Trajectory], Path, bool], int]
    infos: tuple[str, ...] | None = ()
    meta: tuple[str, ...] | None = ()
    labels: tuple[str, ...] | None = None
    holds: frozenset[str] = frozenset()
    cells: Callable[[Iterable[Trajectory], Path, Defused], int] | None = None


def _quietly(write: Callable[[Iterable[Trajectory], Path], int]) -> Callable[[Iterable[Trajectory], Path, bool], int]:
    return lambda sessions, path, infos: write(sessions if infos else map(_bare, sessions), path)


def _bare(t: Trajectory) -> Trajectory:
    return t.model_copy(update={"infos": ()})


def _write_transcripts(sessions: Iterable[Trajectory], path: Path, infos: bool) -> int:
    return write_records((as_transcript(t, infos=infos) for t in sessions), path)


def _write_trajectories(sessions: Iterable[Trajectory], path: Path, infos: bool) -> int:
    count = 0
    with text_into(path) as text:
        for t in sessions:
            text.write((t if infos else _bare(t)).model_dump_json() + "\n")
            count += 1
    return count


FORMATS: dict[str, Format] = {
    "turnwise_jsonl": Format(
        "our transcripts: turns with cues and infos, ending, meta; JSON Lines",
        "turnwise_jsonl",
        _write_transcripts,
        infos=None,
        meta=None,
        holds=frozenset({"cues", "ending", "empty", "spec"}),
    ),
    "turnwise_trajectory": Format(
        "sessions as a run stores them, with nothing changed; JSON Lines",
        "turnwise_trajectory",
        _write_trajectories,
        infos=None,
        meta=None,
        holds=frozenset({"cues", "ending", "empty", "spec", "plain"}),
    ),
    "openai_chat": Format(
        "chats with messages of user and assistant; JSON Lines, or a list for NAME.json",
        "openai_chat",
        _quietly(write_openai_chat),
        holds=frozenset({"empty"}),
    ),
    "sharegpt": Format(
        "conversations of human and gpt; JSON Lines, or a list for NAME.json",
        "sharegpt",
        _quietly(write_sharegpt),
        holds=frozenset({"empty"}),
    ),
    "convokit": Format(
        "a ConvoKit corpus; OUT is a folder",
        "convokit",
        _quietly(write_convokit),
        infos=None,
        meta=None,
        holds=frozenset({"plain"}),
    ),
    "annomi": Format(
        "a table with the columns of AnnoMI and the id of the session; CSV",
        "annomi",
        _quietly(write_annomi),
        infos=_ANNOMI_INFO,
        meta=_ANNOMI_META,
        labels=("annotations", *ANNOMI_CODES),
        holds=frozenset({"plain"}),
        cells=write_annomi,
    ),
    "csv_table": Format(
        "a table of session_id, turn, speaker and text; CSV",
        "csv_table",
        _quietly(write_csv_table),
        holds=frozenset({"plain"}),
        cells=write_csv_table,
    ),
    "plain_text": Format(
        "text to read, a turn under Therapist: or Patient:",
        "plain_text",
        _quietly(write_plain_text),
        holds=frozenset({"empty", "plain"}),
    ),
}
"""Formats by the name that ``--format`` takes; the importer of that name reads each back."""


def format_named(name: str) -> Format:
    """Return the format called ``name``, with or without a version.

    Raises
    ------
    UsageError : there is none (with the closest name).
    """
    found = FORMATS.get(name.partition(".")[0])
    if found is None:
        hint = closest(name, sorted(FORMATS), 0.4, f"there are {', '.join(FORMATS)}.")
        raise UsageError(f"sessions cannot be written as {name!r}; {hint}")
    return found


@dataclass(slots=True)
class Exported:
    """What was written and what was not: ``losses`` counts by kind, ``left_out`` sessions by reason."""

    sessions: int = 0
    turns: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """Return the account as JSON values."""
        return {
            "sessions": self.sessions,
            "turns": self.turns,
            "left_out": dict(self.left_out),
            "not_kept": dict(self.losses),
        }

    def _lost(self, what: str, n: int = 1) -> None:
        if n:
            self.losses[what] = self.losses.get(what, 0) + n

    def passing(self, sessions: Iterable[Trajectory], fmt: Format, *, infos: bool) -> Iterator[Trajectory]:
        """Yield the sessions that ``fmt`` can hold, and count what it cannot."""
        for t in sessions:
            reason = _why_not(t, fmt)
            if reason:
                self.left_out[reason] = self.left_out.get(reason, 0) + 1
                continue
            self._weigh(t, fmt, infos=infos)
            self.sessions += 1
            self.turns += len(t.turns)
            yield t

    def _weigh(self, t: Trajectory, fmt: Format, *, infos: bool) -> None:
        for info in t.infos:
            for key in _outside(info, fmt.infos if infos else ()):
                self._lost(f"infos of turns: {key}")
            labels = info.get("labels")
            for key in _outside(labels, fmt.labels) if infos and fmt.infos != () and isinstance(labels, dict) else ():
                self._lost(f"labels of turns: {key}")
        for key in _outside(t.meta, fmt.meta):
            self._lost(f"meta of sessions: {key}")
        if "cues" not in fmt.holds:
            self._lost("cues of turns", sum(bool(x.cues) for x in t.turns))
        if "ending" not in fmt.holds:
            self._lost("how sessions ended", int(t.ending != "unknown"))
        if "spec" not in fmt.holds:
            self._lost("recipes of sessions (spec)", int(t.spec is not None))
        if "plain" not in fmt.holds:
            marked = sum(bool(_MARKS.search(x.text)) for x in t.turns)
            self._lost(
                "texts with marks like <think>, which readers take for hidden reasoning (written as they are)", marked
            )


def _outside(given: Mapping[str, Any], kept: tuple[str, ...] | None) -> list[str]:
    return [] if kept is None else [key for key in given if key not in kept]


def _why_not(t: Trajectory, fmt: Format) -> str | None:
    if t.ending == "error" and "ending" not in fmt.holds:
        return "ended in an error, which this format cannot say"
    if not t.turns and "empty" not in fmt.holds:
        return "without a turn, for which this format has no place"
    return None


def export_sessions(
    sessions: Iterable[Trajectory],
    path: Path,
    name: str,
    *,
    infos: bool = True,
    force: bool = False,
    defuse: bool = False,
) -> Exported:
    """Write ``sessions`` to ``path`` in the format ``name``, whole or not at all; return an account.

    Parameters
    ----------
    sessions : read as a stream, one at a time.
    path : a file (``.gz`` compresses), or a folder for ConvoKit.
    name : a key of ``FORMATS``.
    infos : also write what turns carry beyond the words, where the format has a place for it.
    force : replace what is there.
    defuse : in a table, put an apostrophe before every cell that a spreadsheet would run as a formula.

    Raises
    ------
    UsageError : no such format, or one without cells to defuse; ``path`` is taken or cannot be written; or no session
        could be written.
    """
    fmt = format_named(name)
    if defuse and fmt.cells is None:
        tables = " and ".join(x for x, other in FORMATS.items() if other.cells)
        raise UsageError(f"--defuse has no effect on {name}, which is no table; leave it out, or write {tables}.")
    _check_free(path, folder=fmt.importer == "convokit", force=force)
    done = Exported()

    def at_least_one() -> Iterator[Trajectory]:
        yield from done.passing(sessions, fmt, infos=infos)
        if not done.sessions:
            why = "; ".join(f"{n} {reason}" for reason, n in done.left_out.items()) or "there is none"
            raise UsageError(f"{path}: no session could be written as {name}: {why}.")

    if fmt.cells is not None and defuse:
        defused = Defused()
        fmt.cells(at_least_one() if infos else map(_bare, at_least_one()), path, defused)
        done._lost("cells that a spreadsheet would run (an apostrophe stands before them now)", defused.n)
    else:
        fmt.write(at_least_one(), path, infos)
    return done


def _check_free(path: Path, *, folder: bool, force: bool) -> None:
    if folder and path.is_dir():
        there = {x.name for x in path.iterdir()}
        for name in there:
            plain_target(path / name)
        if there and (not force or not there <= set(CORPUS_FILES)):
            what = "holds other files" if force else "is not empty"
            raise UsageError(f"{path}: the folder {what}; choose another --out{'' if force else ', or --force'}.")
    elif folder:
        plain_target(path)
        if path.exists():
            raise UsageError(f"{path}: this is a file; a ConvoKit corpus is a folder.")
    else:
        free_target(path, force=force)
