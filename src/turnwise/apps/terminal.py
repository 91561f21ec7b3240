"""What a person sees in a terminal: tables, progress, sessions. Results to stdout, progress to stderr.

Whatever a patient or a model said is data: control characters are shown, not obeyed.
"""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from turnwise.apps.report_words import is_bound

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from turnwise.core.nouns import Trajectory

__all__ = [
    "WIDEST_NAME",
    "Progress",
    "any_encoding",
    "bare_table",
    "consoles",
    "print_json",
    "print_table",
    "progress",
    "session_lines",
    "short",
    "summary_table",
    "visible",
]

WIDEST_NAME = 28
"""Columns of a table's first column: longer names are folded."""
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
_PLAIN: Mapping[str, str] = MappingProxyType(
    {"−": "-", "–": "-", "—": "-", "…": "...", "↑": "^", "↓": "v", "→": "->", "·": ".", "×": "x", "≥": ">=", "≤": "<="}
)
_ERRORS = "turnwise.plain"


def any_encoding() -> None:
    """Let every character be printed, whatever the encoding: what a stream cannot hold is said in ASCII, or as ``?``.

    Redirected output has the encoding of the system, which on Windows and in old locales is not UTF-8; a table is
    no less finished there. Names of files that are no text at all are printed with ``?``, too.
    """
    codecs.register_error(_ERRORS, _in_plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors=_ERRORS)


def _in_plain(fault: UnicodeError) -> tuple[str, int]:
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    return "".join(_PLAIN.get(c, "?") for c in fault.object[fault.start : fault.end]), fault.end


def print_json(document: object) -> None:
    """Print one JSON document; to a stream that is not UTF-8 in ASCII, so that no character of it is lost."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    ascii_only = not codecs.lookup(encoding).name.startswith("utf")
    click.echo(json.dumps(document, indent=2, sort_keys=True, ensure_ascii=ascii_only, default=str))


def visible(text: str) -> str:
    r"""Return ``text`` with control characters (ANSI, bidi overrides) shown as escapes.

    Examples
    --------
    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return _CONTROL.sub(lambda m: m.group().encode("unicode_escape").decode("ascii"), text)


def consoles() -> tuple[Console, Console]:
    """Return the consoles for results (stdout) and for progress (stderr)."""
    from rich.console import Console

    return Console(highlight=False, markup=False, soft_wrap=False), Console(stderr=True, highlight=False, markup=False)


class Progress:
    """A progress bar that is advanced or told how much has been done; silent when nobody watches."""

    def __init__(self, bar: Any, task: Any) -> None:
        self._bar, self._task = bar, task

    def step(self, _: object = None) -> None:
        """One more is done."""
        if self._bar is not None:
            self._bar.advance(self._task)

    def at(self, sessions: int, turns: int) -> None:
        """So many sessions and turns are done."""
        if self._bar is not None:
            self._bar.update(self._task, completed=sessions, note=f"{turns:,} turns")

    def of(self, done: int, total: int) -> None:
        """So many of so many are done."""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total)


@contextmanager
def progress(console: Console, what: str, total: int | None, *, quiet: bool) -> Iterator[Progress]:
    """Show a progress bar on ``console`` while the block runs."""
    if quiet:
        yield Progress(None, None)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=console, transient=not console.is_terminal) as bar:
        yield Progress(bar, bar.add_task(what, total=total, note=""))


def format_estimate(row: Mapping[str, Any] | None) -> str:
    """Return the value over its interval (and over how many it rests on, if not all), or the reason."""
    if row is None:
        return "–"
    if row["value"] is None:
        return str(row["code"]).replace("_", "\n", 1).replace("_", " ")
    low, high = row["low"], row["high"]
    interval = "" if low is None or high is None else f"\n{short(low)}–{short(high)}"
    some = "" if row["n"] == row["n_total"] else f"\nn {row['n']} of {row['n_total']}"
    seen = row.get("observed")
    if is_bound(row):
        known = "none seen" if seen is None else f"seen {short(seen)}, n {row['n_observed']}"
        return f"bound {short(row['value'])}\n{known}\nof {row['n_total']}"
    if seen is not None and abs(seen - row["value"]) >= 0.005:
        some = f"\nseen {short(seen)}{some}"
    return short(row["value"]) + interval + some


def short(x: float) -> str:
    """Return a number with two decimals, as narrow as it goes.

    Examples
    --------
    >>> short(0.254), short(-0.5), short(1.0)
    ('.25', '−.50', '1.00')
    """
    text = f"{x + 0.0 if abs(x) >= 0.005 else 0.0:.2f}"
    if abs(x) < 1 and not text.endswith("1.00"):
        text = text.replace("0.", ".", 1)
    return text.replace("-", "−")


def summary_table(record: Mapping[str, Any], columns: Sequence[str]) -> Table:
    """Return the headline table: one row a group, one column a measure, each with its interval and n."""
    from rich.text import Text

    summary = record["summary"]
    cells = {(row["group"], row["metric"]): row for row in summary["metrics"]}
    table = bare_table()
    # An address is long, and a column that may not wrap would take the numbers' place.
    widest = max((len(visible(str(g["label"]))) for g in summary["groups"]), default=0)
    table.add_column(
        visible(str(summary["group_by"])), no_wrap=widest <= WIDEST_NAME, max_width=WIDEST_NAME, overflow="fold"
    )
    table.add_column("n", justify="right")
    for column in columns:
        arrow = {"higher": " ↑", "lower": " ↓"}.get(summary["orientation"].get(column, ""), "")
        table.add_column(column.replace("_", "\n", 1).replace("_", " ") + arrow, justify="right")
    for group in summary["groups"]:
        row = [cells.get((group["group"], column)) for column in columns]
        texts = [_stacked(format_estimate(c)) for c in row]
        table.add_row(Text(visible(str(group["label"]))), str(group["sessions"]), *texts)
    return table


def bare_table() -> Table:
    """Return an empty table as all of ours look: a line under the head, two spaces between columns, no frame."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1), collapse_padding=True)


def print_table(console: Console, table: Table) -> None:
    """Print a table, or its rows below each other, a line for each cell, where the terminal is too narrow for it."""
    if _needed(table) <= console.width:
        console.print(table)
        return
    headers = [" ".join(str(column.header).split()) for column in table.columns]
    for row in zip(*(column.cells for column in table.columns), strict=True):
        title, *cells = (", ".join(filter(None, str(cell).split("\n"))) for cell in row)
        if title:
            console.print(f"{headers[0]}: {title}" if headers[0] else title, style="bold")
        for header, cell in zip(headers[1:], cells, strict=True):
            if cell:
                console.print(f"  {header}: {cell}" if header else f"  {cell}")


def _needed(table: Table) -> int:
    """Return how many columns of a terminal a table needs so that no word of it is cut."""
    from rich.cells import cell_len

    widths = []
    for column in table.columns:
        texts = [str(x) for x in (column.header, *column.cells)]
        parts = [part for text in texts for part in (text.split("\n") if column.no_wrap else text.split())]
        widest = max(map(cell_len, parts), default=0)
        widths.append(max(column.min_width or 0, min(widest, column.max_width or widest)))
    return sum(widths) + 2 * (len(widths) - 1)


def _stacked(cell: str) -> Text:
    from rich.text import Text

    first, _, rest = cell.partition("\n")
    return Text(visible(first)) + Text("\n" + rest if rest else "", style="dim")


def session_lines(t: Trajectory, *, state: bool) -> Iterator[str]:
    """Yield a session as lines of plain text, with the patient's state after each turn if wanted."""
    for i, turn in enumerate(t.turns):
        who = "T" if turn.speaker == "therapist" else "P"
        cues = "".join(f" ({c.kind}{': ' + c.detail if c.detail else ''})" for c in turn.cues)
        yield f"{i:>3} {who}  {visible(turn.text).strip() or '—'}{visible(cues)}"
        info = t.info(i)
        shown = {k: info[k] for k in ("moment", "state", "act", "belief") if info.get(k) is not None} if state else {}
        for key, value in shown.items():
            yield f"        {key}: {visible(_compact(value))}"
    yield f"    ended: {t.ending}" + (f" ({visible(t.error)})" if t.error else "")


def _compact(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_compact(v)}" for k, v in value.items())
    return f"{value:.2f}" if isinstance(value, float) else str(value)
