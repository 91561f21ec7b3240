"""The tables of a run folder, read back: what is missing or damaged is one sentence with the way to mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.core.errors import FormatError, UsageError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["as_stored", "rows_in", "stored_rows", "stored_table"]


def _again(folder: Path) -> str:
    return f"score the run again with: turnwise score {folder}"


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except FileNotFoundError:
        raise UsageError(f"{file} is missing; {_again(file.parent)}") from None
    except (pa.ArrowException, OSError, ValueError, KeyError) as fault:
        raise FormatError(file, "", "is damaged", _again(file.parent)) from fault


def stored_table(folder: Path, name: str, columns: Sequence[str], filters: Any = None) -> pa.Table:
    """Return those of the columns that a table of a run folder has; the first of them has to be there.

    Raises
    ------
    UsageError : there is no such table.
    FormatError : it cannot be read, or is another table.
    """
    import pyarrow.parquet as pq

    file = folder / f"{name}.parquet"
    with _readable(file):
        there = set(pq.read_schema(file).names)
        if columns[0] not in there:
            raise FormatError(file, "", f"is damaged (it has no column {columns[0]!r})", _again(folder))
        return pq.read_table(file, columns=[c for c in columns if c in there], filters=filters)


def stored_rows(folder: Path, name: str, columns: Sequence[str], filters: Any = None) -> list[dict[str, Any]]:
    """Return the rows of a table as ``stored_table`` reads it."""
    rows: list[dict[str, Any]] = stored_table(folder, name, columns, filters).to_pylist()
    return rows


def rows_in(folder: Path, name: str) -> int | None:
    """Return how many rows a table of a run folder has, without reading them; ``None`` where it is not there.

    Raises
    ------
    FormatError : it is damaged.
    """
    import pyarrow.parquet as pq

    file = folder / f"{name}.parquet"
    if not file.is_file():
        return None
    with _readable(file):
        return int(pq.read_metadata(file).num_rows)


@contextmanager
def as_stored(folder: Path) -> Iterator[None]:
    """Take what stands in a run folder for what this version writes; where it is not, say so in one sentence.

    For the block that reads ``run.json`` and the tables by name: a key that is not there, or a list in place of a
    number, was not written by this version. Not for faults of our own, which the tests see by their cause.

    Raises
    ------
    FormatError : the block met something that it could not take.

    Examples
    --------
    >>> with as_stored(Path("runs/a")):
    ...     {"summary": 3}["groups"]  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    FormatError: runs/a: its run.json or a table is damaged, or of another version (KeyError: 'groups') …
    """
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as fault:
        what = f"{type(fault).__name__}: {fault}".splitlines()[0][:120]
        problem = f"its run.json or a table is damaged, or of another version ({what})"
        raise FormatError(folder, "", problem, _again(folder)) from fault
