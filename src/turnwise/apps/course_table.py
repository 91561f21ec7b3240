"""The sessions of courses: who came to which, and where the state of the simulated patients stood at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwise.apps.terminal import WIDEST_NAME, bare_table, short, visible

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["COUNTS", "course_rows", "course_table"]

COUNTS = {
    "planned": "planned",
    "held": "held",
    "left": "left in it",
    "not_held": "not held, patient had left",
    "errors": "error",
}
"""What is counted of each session of a course, and what it is called."""
_PREFIX = "course."


def course_rows(summary: Mapping[str, Any]) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the quantities that have a value at the end of sessions, and one row for each group and session.

    Examples
    --------
    >>> course_rows({})
    ([], [])
    """
    ends: dict[tuple[str, int], dict[str, Any]] = {}
    keys: dict[str, None] = {}
    for curve in summary.get("curves", ()):
        if not str(curve["key"]).startswith(_PREFIX):
            continue
        key = str(curve["key"]).removeprefix(_PREFIX)
        keys[key] = None
        for place, *cell in zip(*(curve[k] for k in ("x", "value", "low", "high")), strict=True):
            ends.setdefault((curve["group"], place), {})[key] = cell
    rows = [{**row, "ends": ends.get((row["group"], row["session"]), {})} for row in summary.get("courses", ())]
    return list(keys), rows


def course_table(summary: Mapping[str, Any]) -> Table | None:
    """Return the table for a terminal; ``None`` where every course is one session."""
    from rich.text import Text

    keys, rows = course_rows(summary)
    if not rows:
        return None
    labels = {g["group"]: visible(str(g["label"])) for g in summary["groups"]}
    table = bare_table()
    widest = min(WIDEST_NAME, max((len(label) for label in labels.values()), default=0))
    table.add_column("over the\nsessions", min_width=widest, max_width=WIDEST_NAME, overflow="fold")
    counted = {"": "", "held": "held", "left": "left\nin it"}
    counted |= {"errors": "error"} if any(row["errors"] for row in rows) else {}
    for words in counted.values():
        table.add_column(words, justify="right", no_wrap=True)
    for key in keys:
        table.add_column(f"{key}\nat end", justify="right", no_wrap=True)
    for group, label in labels.items():
        for row in (r for r in rows if r["group"] == group):
            name = label if row["session"] == 1 else ""
            counts = [str(row[k]) for k in counted if k not in ("", "held")]
            cells = [_cell(row["ends"].get(key)) for key in keys]
            table.add_row(Text(name), str(row["session"]), f"{row['held']} of {row['planned']}", *counts, *cells)
    return table


def _cell(end: Sequence[float | None] | None) -> str:
    value, low, high = end or (None, None, None)
    if value is None:
        return "–"
    return short(value) + ("" if low is None or high is None else f"\n{short(low)}–{short(high)}")
