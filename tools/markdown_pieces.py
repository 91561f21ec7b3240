"""Pieces of Markdown that every generated page is made of."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

from turnwise.core.registry import Entry

__all__ = ["cell", "definition", "table"]


def cell(value: object) -> str:
    """Return a value as the text of one table cell."""
    if value is None or value in ("", ()):
        return "–"
    if isinstance(value, tuple | list):
        return ", ".join(f"`{x}`" for x in value)
    return " ".join(str(value).split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell(x) for x in row) + " |" for row in rows]
    return "\n".join(lines)


def definition(e: Entry[Any]) -> str:
    """Return the docstring of a registered thing under its name."""
    return f"### {e.name}\n\n```text\n{inspect.getdoc(e.obj) or ''}\n```"
