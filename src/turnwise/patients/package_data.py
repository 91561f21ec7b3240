"""The fitted documents that ship with this room."""

from __future__ import annotations

from typing import Any

from turnwise.reading.package_data import document_of

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
    return document_of("turnwise.patients", *path)
