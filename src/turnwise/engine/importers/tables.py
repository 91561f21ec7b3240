"""Rows of a table of utterances: CSV, semicolons or tabs, a row at a time, each with what is wrong with it.

A cell may hold line breaks and has at most 131,072 characters (the limit of Python's ``csv``, and a
guard: a quotation mark that is never closed would otherwise swallow the rest of the file).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from turnwise.core.errors import FormatError
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.streams import Line, lines, shown

__all__ = [
    "ANNOMI_CODES",
    "ANNOMI_COLUMNS",
    "PLAIN_COLUMNS",
    "Header",
    "Row",
    "Rows",
    "headers",
    "returning",
    "whole_number",
]

PLAIN_COLUMNS = ("session_id", "turn", "speaker", "text")
"""Columns of the plain table that turnwise writes."""
_SAID = ("mi_quality", "transcript_id", "video_title", "video_url", "topic", "utterance_id", "interlocutor")
ANNOMI_CODES = (
    "annotator_id",
    "therapist_input_exists",
    "therapist_input_subtype",
    "reflection_exists",
    "reflection_subtype",
    "question_exists",
    "question_subtype",
    "main_therapist_behaviour",
    "client_talk_type",
)
"""Columns of AnnoMI with what an annotator found."""
ANNOMI_COLUMNS = (*_SAID, "timestamp", "utterance_text", *ANNOMI_CODES, "session_id")
"""Columns of the table in AnnoMI's form that turnwise writes."""
_OWN = tuple(",".join(f'"{x}"' for x in columns) for columns in (PLAIN_COLUMNS, ANNOMI_COLUMNS))
_NO_VALUE = frozenset({"nan", "NaN", "NAN", "None", "null", "NULL", "<NA>", "NaT"})
_NO_WORDS = _NO_VALUE | {"NA"}
_WHOLE = re.compile(r"(\d{1,9})(?:\.0*)?")


def whole_number(cell: str) -> int | None:
    """Return a whole number, also where a program made it a fraction.

    Examples
    --------
    >>> whole_number(" 3"), whole_number("3.0"), whole_number("3.5")
    (3, 3, None)
    """
    found = _WHOLE.fullmatch(cell.strip())
    return int(found[1]) if found else None


def returning(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the names that go on after others did, and where: of a session in pieces, none is the session.

    Examples
    --------
    >>> returning([("a", "line 2"), ("b", "line 3"), ("a", "line 4")])
    {'a': 'line 4'}
    """
    found: dict[str, str] = {}
    done: set[str] = set()
    now: str | None = None
    for name, where in names:
        if name != now:
            if now is not None:
                done.add(now)
            if name in done:
                found.setdefault(name, where)
            now = name
    return found


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
        # In a table that turnwise wrote, every text is what was said, whatever it looks like.
        self._plain = first.text in _OWN

    def is_missing(self, cell: str) -> bool:
        """Whether a cell that names something holds nothing, or only what programs write where there is no value."""
        return not cell.strip() or (not self._plain and cell.strip() in _NO_VALUE)

    def words(self, cell: str, info: dict[str, Any], account: Account, where: str) -> str:
        """Return what was said: nothing if the cell is a mark for a missing value, which is then kept in ``info``."""
        if self._plain or cell.strip() not in _NO_WORDS:
            return cell
        info["written_as"] = cell
        account.lost("cells with a mark for a missing value, like nan or null (an empty turn now)", where=where)
        return ""

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
