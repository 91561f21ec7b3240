"""Read the files that ship with this room, checked against the hash they were measured with; documents of others."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from typing import Any

from turnwise.core.errors import FormatError

__all__ = ["document_of", "read_packaged", "sha256_of", "text_of"]

_REMEDY = "install turnwise again"


def sha256_of(content: bytes) -> str:
    """Return the SHA-256 of ``content`` in hexadecimal.

    Examples
    --------
    >>> sha256_of(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(content).hexdigest()


def read_packaged(path: str, sha256: str | None = None) -> bytes:
    """Return the bytes of a file of ``turnwise.reading``.

    Parameters
    ----------
    path : where it lies inside the room, with forward slashes.
    sha256 : the hash it must have, in hexadecimal; ``None`` where nothing was fitted to its bytes.

    Raises
    ------
    FormatError : the file is missing, or is not the one this version was measured with.
    """
    where = files("turnwise.reading").joinpath(path)
    if not where.is_file():
        raise FormatError(where, "package data", "is missing", _REMEDY)
    content = where.read_bytes()
    if sha256 is not None and (found := sha256_of(content)) != sha256:
        raise FormatError(where, "package data", f"has sha256 {found[:16]} where {sha256[:16]} is expected", _REMEDY)
    return content


def text_of(room: str, *path: str) -> str:
    """Return a text that ships with a room; ``path`` is where it lies inside the room.

    Raises
    ------
    FormatError : it is missing.
    """
    where = files(room).joinpath(*path)
    if not where.is_file():
        raise FormatError(where, "package data", "is missing", _REMEDY)
    return where.read_text(encoding="utf-8")


def document_of(room: str, *path: str) -> dict[str, Any]:
    """Return a JSON document that ships with a room; ``path`` is where it lies inside the room.

    Rooms above this one read their fitted documents here, so that there is one place that touches files.

    Raises
    ------
    FormatError : it is missing, or no JSON object.

    Examples
    --------
    >>> document_of("turnwise.patients", "human_sizes.json")["card"]
    'human_sizes'
    """
    where = files(room).joinpath(*path)
    try:
        found = json.loads(text_of(room, *path))
    except ValueError as fault:
        raise FormatError(where, "package data", f"is not JSON ({fault})", _REMEDY) from None
    if not isinstance(found, dict):
        raise FormatError(where, "package data", f"holds a {type(found).__name__}", _REMEDY)
    return found
