"""Whole files: transcripts in any known format in, redacted ones out, the map apart; and back."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Trajectory
from turnwise.engine.exporters.turnwise_jsonl import as_transcript
from turnwise.engine.exporters.writing import as_json, text_into
from turnwise.engine.importers.account import Account, Side
from turnwise.engine.importers.detect import open_transcripts
from turnwise.engine.importers.streams import lines
from turnwise.engine.redacting.given import GivenNames
from turnwise.engine.redacting.lexicon import lexicon, plain
from turnwise.engine.redacting.sessions import redact_session, restore_session
from turnwise.engine.redacting.spans import KINDS, Kind
from turnwise.engine.store import TRAJECTORIES, RunFolder, free_target, replacing, sentence_for
from turnwise.engine.whole_runs import require_whole

__all__ = ["MAP_FORMAT", "Redaction", "Restoration", "Wanted", "known_names", "redact_file", "restore_file"]

MAP_FORMAT = "turnwise.redaction-map/1"
_OWNER_ONLY = 0o600
OnSession = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a file is read and what is to be kept or looked for.

    Attributes
    ----------
    fmt : name of an importer; ``None`` recognises the format by content.
    speakers : side by name of speaker; these names are looked for in what was said too.
    known : names that are known to occur.
    keep : keys of meta, sessions or turns that are kept, their texts redacted.
    """

    fmt: str | None = None
    speakers: Mapping[str, Side] = field(default_factory=dict)
    known: Sequence[str] = ()
    keep: Collection[str] = ()


@dataclass(slots=True)
class Redaction:
    """What was done, counted."""

    sessions: int = 0
    unreadable: int = 0
    turns: int = 0
    words: int = 0
    found: Counter[Kind] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    met: set[str] = field(default_factory=set)
    never_met: list[str] = field(default_factory=list)
    """Of the names that were given, those that occur nowhere."""

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON values; nothing that was found is repeated, names that never occur are."""
        return {
            "sessions": self.sessions,
            "unreadable_sessions": self.unreadable,
            "turns": self.turns,
            "words": self.words,
            "replaced": {kind: self.found[kind] for kind in KINDS if self.found[kind]},
            "left_out": dict(sorted(self.left_out.items())),
            "known_never_met": self.never_met,
        }


@dataclass(slots=True)
class Restoration:
    """How much was put back, and how much of it only by its placeholders."""

    sessions: int = 0
    unknown: int = 0
    turns: int = 0
    changed: int = 0

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return {
            "sessions": self.sessions,
            "sessions_not_in_the_map": self.unknown,
            "turns": self.turns,
            "turns_changed_since": self.changed,
        }


def known_names(path: Path) -> list[str]:
    """Return the names of a list, one a line or parted by commas; blank lines and those after ``#`` do not count.

    Raises
    ------
    UsageError, FormatError : it cannot be read, or is no text.
    """
    found = []
    for line in lines(path):
        if line.problem:
            raise FormatError(path, f"line {line.number}", line.problem)
        names = [] if line.text.lstrip().startswith("#") else re.split(r"[,;]", line.text)
        found += [name.strip() for name in names if name.strip()]
    return list(dict.fromkeys(found))


def redact_file(
    path: Path,
    out: Path,
    wanted: Wanted | None = None,
    *,
    map_to: Path | None = None,
    force: bool = False,
    on_session: OnSession | None = None,
) -> Redaction:
    """Write the sessions of ``path`` to ``out`` without what was found to identify somebody.

    Parameters
    ----------
    path : a file in any known format, or a run folder.
    out : our transcript format, one session a line; ``.gz`` compresses. Ids become ``session_0001`` and so on.
    wanted : what is to be kept or looked for.
    map_to : where to keep what was taken out, readable by its owner only; ``None`` keeps nothing.
    force : replace what is at ``out`` and ``map_to``.

    Raises
    ------
    FormatError, UsageError : nothing could be read; a target is taken, an input, or cannot be written; the map
        would lie beside the output.
    """
    wanted = wanted or Wanted()
    free_target(out, (path,), force=force)
    if map_to:
        free_target(map_to, (path,), option="--map", force=force)
    if map_to is not None:
        _check_apart(map_to, out)
    account = Account({name.strip().lower(): side for name, side in wanted.speakers.items()})
    is_run = path.is_dir() and (path / TRAJECTORIES).exists()
    if is_run:
        require_whole(path, "sessions")
    sessions = RunFolder(path).sessions() if is_run else open_transcripts(path, wanted.fmt, account=account)
    done = Redaction()
    with ExitStack() as stack:
        text = stack.enter_context(text_into(out))
        secret = stack.enter_context(_private(map_to)) if map_to else None
        if secret:
            secret.write(as_json({"format": MAP_FORMAT}) + "\n")
        for t in sessions:
            new, undo = _redacted(t, wanted, _names_heard(account), done)
            text.write(as_json(new) + "\n")
            if secret:
                secret.write(as_json(undo) + "\n")
            if on_session:
                on_session(t)
        if not done.sessions:
            raise UsageError(f"{path}: there is no session in it; name a file with transcripts in it.")
    done.never_met = [name for name in wanted.known if name not in done.met]
    return done


def _redacted(
    t: Trajectory, wanted: Wanted, heard: Iterable[str], done: Redaction
) -> tuple[dict[str, Any], dict[str, Any]]:
    done.sessions += 1
    done.turns += len(t.turns)
    done.unreadable += t.ending == "error"
    done.words += sum(turn.n_words for turn in t.turns)
    record = as_transcript(t)
    name = f"session_{done.sessions:04d}"
    known = GivenNames([*wanted.known, *heard], done.met)
    new, undo, found = redact_session(record, name, known=known, keep=wanted.keep)
    done.found += found
    done.left_out.update(k for k in record["meta"] if k not in wanted.keep)
    done.left_out.update(k for k in ("source", "spec") if k in record and k not in wanted.keep)
    done.left_out.update({k for info in t.infos for k in info if k not in wanted.keep})
    return new, undo


def _names_heard(account: Account) -> list[str]:
    """Return how speakers are called in the file, where that is a name and no role."""
    lists = lexicon()
    words = {word for name, _ in account.heard for word in (name, *name.split())}
    words |= {word for name in account.given for word in (name, *name.split())}
    return sorted(
        w for w in words if len(w) > 1 and w[0].isalpha() and not all(lists.ordinary(plain(x)) for x in w.split())
    )


def restore_file(path: Path, map_from: Path, out: Path, *, force: bool = False) -> Restoration:
    """Undo :func:`redact_file`: from its output, byte for byte what ``turnwise import`` writes.

    The result is readable by its owner only.

    Raises
    ------
    FormatError, UsageError : a file cannot be read or written, is not what it should be, or the map is of another file.
    """
    free_target(out, (path, map_from), force=force)
    done = Restoration()
    with _private(out) as text:
        undo = _Map(map_from)
        for number, record in _records(path):
            if not isinstance(record, dict) or not isinstance(record.get("turns"), list):
                raise FormatError(path, f"line {number}", "is no session that turnwise redact wrote", "name its --out")
            how = undo.of(record.get("id"))
            if how is None:
                done.unknown += 1
                text.write(as_json(record) + "\n")
                continue
            back, changed = restore_session(record, how)
            done.sessions += 1
            done.turns += len(back["turns"])
            done.changed += changed
            text.write(as_json(back) + "\n")
        if not done.sessions:
            raise UsageError(f"{map_from}: no session of {path} is in this map; name the map that was written with it.")
    return done


class _Map:
    """A map that is read as far as it is needed: sessions are mostly asked for in the order in which they stand."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._records = _records(path)
        self._seen: dict[str, dict[str, Any]] = {}
        head = next(self._records, (0, None))[1]
        if not isinstance(head, dict) or head.get("format") != MAP_FORMAT:
            raise FormatError(
                path, "", "is not a map that turnwise redact wrote", "name the file given with --map then"
            )

    def of(self, name: object) -> dict[str, Any] | None:
        """Return what undoes the session ``name``, ``None`` if it is not in the map."""
        while name not in self._seen:
            number, record = next(self._records, (0, None))
            if record is None:
                return None
            if not isinstance(record, dict) or {"id", "marks", "session"} - record.keys():
                raise FormatError(self._path, f"line {number}", "is damaged", "restore it from a backup")
            self._seen[record["id"]] = record
        return self._seen.pop(str(name))


def _records(path: Path) -> Iterator[tuple[int, Any]]:
    for line in lines(path):
        if not line.text.strip():
            continue
        try:
            yield line.number, json.loads(line.text)
        except (ValueError, RecursionError) as fault:
            raise FormatError(path, f"line {line.number}", "is not valid JSON", "copy the file again") from fault


@contextmanager
def _private(path: Path) -> Iterator[TextIO]:
    """Hand out a text file that only its owner may read, from its first byte on; whole or not at all."""
    try:
        with replacing(path) as temporary:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as text:
                yield text
    except OSError as fault:
        raise sentence_for(fault, path) from fault


def _check_apart(map_to: Path, out: Path) -> None:
    if map_to.absolute().parent.resolve() == out.absolute().parent.resolve():
        raise UsageError(
            f"{map_to}: the map undoes the redaction and may not lie beside {out.name}; put it into another folder, "
            "one that is not passed on."
        )
