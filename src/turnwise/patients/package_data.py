"""Read the fitted documents that ship with this room: the one place where it touches package data besides cases."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from turnwise.core.errors import FormatError

__all__ = ["read_document"]


def read_document(*path: str) -> dict[str, Any]:
    """Return a JSON document of ``turnwise.patients``; ``path`` is where it lies inside the room.

    Raises
    ------
    FormatError : it is missing, or no JSON object.

    Examples
    --------
    >>> read_document("human_sizes.json")["card"]
    'human_sizes'
    """
    where = files("turnwise.patients").joinpath(*path)
    if not where.is_file():
        raise FormatError(where, "package data", "is missing", "install turnwise again")
    try:
        found = json.loads(where.read_text(encoding="utf-8"))
    except ValueError as fault:
        raise FormatError(where, "package data", f"is not JSON ({fault})", "install turnwise again") from None
    if not isinstance(found, dict):
        raise FormatError(where, "package data", f"holds a {type(found).__name__}", "install turnwise again")
    return found
