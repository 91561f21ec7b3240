"""Open a file of transcripts in whatever format it is: ask every importer, then read with the one that knows it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from turnwise.core.contracts import Importer
from turnwise.core.errors import ContractError, FormatError, TurnwiseError, UsageError
from turnwise.core.nouns import Trajectory
from turnwise.core.registry import IMPORTERS, Entry
from turnwise.engine.discovery import discover
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.convokit import utterances_of
from turnwise.engine.importers.shapes import scan
from turnwise.engine.importers.streams import read_head, shown

__all__ = ["detect", "open_transcripts"]

_KNOWN_STARTS = {
    "PK\x03\x04": "a zip archive (unpack it first)",
    "PAR1": "a Parquet table",
    "%PDF": "a PDF document",
    "BZh": "a bzip2 archive (unpack it first)",
    "SQLite format 3": "an SQLite database",
    "<!doctype html": "a web page",
    "<html": "a web page",
    "<?xml": "an XML document",
}


def detect(path: Path | str, account: Account | None = None) -> str:
    """Return the name of the importer that knows the format of ``path``, by content alone.

    ``account`` holds names of speakers that the user has placed, which makes plain text with them recognisable.

    Raises
    ------
    FormatError : no importer knows it, more than one claims it, or it is empty or damaged.
    UsageError : there is no such file, or it may not be read.
    """
    discover("turnwise.engine.importers")
    file = Path(path)
    head = read_head(utterances_of(file))
    found = [entry for entry in IMPORTERS.newest() if _claims(entry, head, account)]
    if len(found) == 1:
        return found[0].name
    if found:
        names = " and ".join(entry.name for entry in found)
        raise FormatError(shown(path), "", f"could be {names}", "say which with --format")
    known = ", ".join(e.name for e in IMPORTERS.newest())
    problem = f"is in no format known here: it looks like {_looks_like(head)}"
    remedy = f"known formats: {known} ('turnwise list importers' says what each is)"
    raise FormatError(shown(path), "", problem, remedy)


def _made(entry: Entry[Callable[..., Any]], **given: Any) -> Importer:
    """Return the importer with those of ``given`` that its factory takes."""
    takes = inspect.signature(entry.obj).parameters
    made: Importer = entry.obj(**{key: x for key, x in given.items() if key in takes and x is not None})
    return made


def _claims(entry: Entry[Callable[..., Any]], head: str, account: Account | None) -> bool:
    try:
        return bool(_made(entry, account=account).detect(head))
    except Exception as fault:
        raise ContractError(f"importer {entry.name!r} raised {type(fault).__name__} in detect: {fault}.") from fault


def _looks_like(head: str) -> str:
    start = head.lstrip()[:40].lower()
    for mark, what in _KNOWN_STARTS.items():
        if start.startswith(mark.lower()):
            return what
    if "\x00" in head:
        return "a binary file, or UTF-16 text without a byte order mark (save it as UTF-8)"
    if head.count("\ufffd") > len(head) // 20:
        return "a binary file, or text that is not UTF-8 (save it as UTF-8)"
    shape = scan(head.lstrip())
    if shape.keys:
        keys = ", ".join(repr(shown(key, 30)) for key in list(shape.keys)[:8])
        return f"JSON with the keys {keys}"
    if start[:1] in ("[", "{"):
        return "JSON without any keys"
    first = next((line for line in head.split("\n") if line.strip()), "")
    if first.count(",") >= 2 or first.count("\t") >= 2:
        return f"a table with {1 + max(first.count(','), first.count(chr(9)))} columns"
    return "plain text" if first else "nothing but blank space"


def open_transcripts(
    path: Path | str,
    fmt: str | None = None,
    *,
    account: Account | None = None,
    columns: Mapping[str, str] | None = None,
) -> Iterator[Trajectory]:
    """Return the sessions of ``path`` as a stream, in the order of the file.

    Parameters
    ----------
    path : a file, plain or gzip; or the folder of a ConvoKit corpus.
    fmt : name of an importer; by default the format is recognised by content.
    account : filled while reading with who was taken for whom and what was lost; may place speakers by name.
    columns : which column of a table is what, for tables whose columns have names of their own.

    Returns
    -------
    An iterator that holds one session at a time, and the ids seen so far. A session that cannot
    be read ends ``"error"`` with one sentence; so does a second one of the same id, as ``ID#2``.

    Raises
    ------
    FormatError : unknown format, damaged file, or nothing in it can be read (some of this is
        known only while reading, so it may come from the iterator).
    UsageError : there is no such file, it may not be read, or the format takes no such ``columns`` or speakers.
    RegistryError : ``fmt`` names no importer.
    """
    discover("turnwise.engine.importers")
    entry = IMPORTERS.get(fmt or ("csv_table" if columns else detect(path, account)))
    file = Path(path)
    read_head(utterances_of(file), 1)  # a missing file is reported here, not at the first session
    takes = inspect.signature(entry.obj).parameters
    if columns and "columns" not in takes:
        raise UsageError(f"{entry.name} has no columns to map; leave --map out, or read a table with csv_table.")
    if account and account.given and "account" not in takes:
        raise UsageError(f"{entry.name} does not let speakers be named; leave --speaker out.")
    return _unique(_guarded(entry, file, account=account, columns=columns), file)


def _guarded(entry: Entry[Callable[..., Any]], path: Path, **given: Any) -> Iterator[Trajectory]:
    try:
        yield from _made(entry, **given).read(path)
    except TurnwiseError:
        raise
    except Exception as fault:  # an importer may be somebody else's: its fault is no traceback for the user
        problem = f"the importer {entry.name} failed with {type(fault).__name__} ({shown(fault, 200)})"
        raise FormatError(shown(path), "", problem, "report this with a small file that shows it") from fault


def _unique(sessions: Iterator[Trajectory], path: Path) -> Iterator[Trajectory]:
    seen: dict[str, int] = {}
    for number, t in enumerate(sessions, 1):
        if t.session_id not in seen:
            seen[t.session_id] = 1
            yield t
            continue
        name = t.session_id
        while name in seen:
            seen[t.session_id] += 1
            name = f"{t.session_id}#{seen[t.session_id]}"
        seen[name] = 1
        again = f"is the {seen[t.session_id]}. with the id {t.session_id!r}; give every session an id of its own"
        error = t.error or shown(FormatError(shown(path), f"session {number}", again))
        yield Trajectory(session_id=name, source=t.source, ending="error", error=error)
