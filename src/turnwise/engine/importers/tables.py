"""Rows of a table of utterances: CSV, semicolons or tabs, a row at a time, each with what is wrong with it.

A cell may hold line breaks and has at most 131,072 characters (the limit of Python's ``csv``, and a
guard: a quotation mark that is never closed would otherwise swallow the rest of the file).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from turnwise.core.errors import FormatError
from turnwise.engine.importers.streams import Line, lines, shown

__all__ = ["Header", "Row", "Rows", "headers"]


class Header(NamedTuple):
    """Names of the columns, and what stands between them."""

    names: list[str]
    delimiter: str


class Row(NamedTuple):
    """One row: where it ends, its cells by column (``None`` if it cannot be told what they are), and its problem."""

    where: str
    cells: dict[str, str] | None
    problem: str | None


def headers(line: str) -> Iterator[Header]:
    """Yield what the first line of a table could be: its columns under each delimiter that is used.

    Examples
    --------
    >>> [h.names for h in headers("speaker;text")][1]
    ['speaker', 'text']
    """
    for delimiter in ",;\t":
        try:
            yield Header([x.strip() for x in next(csv.reader([line], delimiter=delimiter), [])], delimiter)
        except csv.Error:
            continue


class Rows:
    """The rows below the header of a table.

    Parameters
    ----------
    path : the file.
    header_of : picks the header from the first line that is not blank, ``None`` if it is none.
    wanted : what such a header would have, for the sentence that refuses the file; ``remedy`` says what to do.

    Raises
    ------
    FormatError : the first line is no header.
    """

    def __init__(self, path: Path, header_of: Callable[[str], Header | None], wanted: str, remedy: str) -> None:
        self._lines = lines(path)
        self._bad: str | None = None
        self._at = 0
        first = next((x for x in self._lines if x.text.strip()), Line(0, ""))
        header = header_of(first.text)
        if header is None:
            raise FormatError(shown(path), "line 1", f"has no header with {wanted}", remedy)
        self.names, self._delimiter = header

    def _texts(self) -> Iterator[str]:
        for line in self._lines:
            self._at = line.number
            self._bad = self._bad or line.problem
            yield line.text + line.end

    def __iter__(self) -> Iterator[Row]:
        texts = self._texts()
        # After a fault a new reader starts on the next line; the lines before it are spent.
        while True:
            reader, ended = csv.reader(texts, delimiter=self._delimiter, strict=True), True
            try:
                for values in reader:
                    if "".join(values).strip() or self._bad:
                        yield self._row(values)
            except csv.Error as fault:
                ended = False
                yield Row(f"line {self._at}", None, f"is not valid CSV ({fault}); is a quotation mark open?")
            if ended:
                return

    def _row(self, values: list[str]) -> Row:
        problem, self._bad = self._bad, None
        where = f"line {self._at}"
        if len(values) != len(self.names):
            found = f"has {len(values)} columns where the header has {len(self.names)}"
            return Row(where, None, problem or found)
        return Row(where, dict(zip(self.names, values, strict=True)), problem)
