"""Reads the tables of a run folder; one that is missing or damaged is one sentence with what to do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from turnwise.core.errors import FormatError, UsageError

__all__ = ["stored_rows", "stored_table"]


def stored_rows(folder: Path, name: str, columns: Sequence[str], filters: Any = None) -> list[dict[str, Any]]:
    """Return the rows of a table as ``stored_table`` reads it."""
    rows: list[dict[str, Any]] = stored_table(folder, name, columns, filters).to_pylist()
    return rows


def stored_table(folder: Path, name: str, columns: Sequence[str], filters: Any = None) -> Any:
    """Return ``name.parquet`` as an Arrow table with those of ``columns`` that are there; the first has to be.

    ``filters`` are those of ``pyarrow.parquet.read_table``.

    Raises
    ------
    UsageError : there is no such table.
    FormatError : it is empty, cut off, or no such table at all.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = folder / f"{name}.parquet"
    remedy = f"score the run again with: turnwise score {folder}"
    if not file.is_file():
        raise UsageError(f"{file} is missing; {remedy}")
    try:
        there = set(pq.read_schema(file).names)
        if columns[0] not in there:
            raise FormatError(file, "", f"has no column {columns[0]!r}", remedy)
        return pq.read_table(file, columns=[c for c in columns if c in there], filters=filters)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as fault:
        raise FormatError(file, "", "is damaged", remedy) from fault
