"""Text into a file, whole or not at all: plain or gzip by the name, same sessions, same bytes."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

from turnwise.engine.store import replacing, sentence_for

__all__ = ["as_json", "text_into", "write_records"]


@contextmanager
def text_into(path: Path) -> Iterator[TextIO]:
    """Hand out a text file that takes the place of ``path`` if all goes well; ``.gz`` at its end compresses.

    Raises
    ------
    UsageError : the file cannot be written.
    """
    try:
        with ExitStack() as stack:
            raw = stack.enter_context(stack.enter_context(replacing(path)).open("wb"))
            # No name and no time of writing in the header of an archive: they would differ from run to run.
            packed = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) if path.suffix == ".gz" else None
            binary = stack.enter_context(packed) if packed else raw
            yield stack.enter_context(io.TextIOWrapper(binary, encoding="utf-8", newline=""))
    except OSError as fault:
        raise sentence_for(fault, path) from fault


def as_json(value: Any) -> str:
    """Return ``value`` as one line of JSON; what JSON has no word for was taken out before."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def write_records(records: Iterable[dict[str, Any]], path: Path) -> int:
    """Write one record a line, or one JSON list if the name ends in ``.json``; return how many.

    Raises
    ------
    UsageError : the file cannot be written.
    """
    listed = path.name.removesuffix(".gz").endswith(".json")
    count = 0
    with text_into(path) as text:
        for record in records:
            text.write((",\n" if count else "[\n") + as_json(record) if listed else as_json(record) + "\n")
            count += 1
        if listed:
            text.write("\n]\n" if count else "[]\n")
    return count
