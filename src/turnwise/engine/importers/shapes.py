"""What JSON at the start of a file looks like, even where it is cut off or torn.

An importer has to recognise its format in the first 64 Ki characters, and a single session may be
longer than that, so the text is scanned for its outermost keys instead of being parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["Shape", "scan", "shapes"]

_TOKEN = re.compile(r'\s*+(?:("(?:[^"\\]|\\.)*+")|([][{}:,])|([^][{}:,"\s]++))', re.DOTALL)
_OPENING = re.compile(r"\s*+(?:\[\s*+)*+\{")
_MAX_LINES = 200


@dataclass(slots=True)
class Shape:
    """The outermost keys of a JSON object, or of the first object in a list.

    ``keys`` maps each to what its value begins with: the text itself for a string, ``"["``,
    ``"{"``, or the word that stands there. ``listed`` says that the object stood in a list.
    """

    listed: bool = False
    keys: dict[str, str] = field(default_factory=dict)

    def strings(self) -> Iterator[tuple[str, str]]:
        """Yield the keys whose values are whole strings, with these."""
        return ((key, value[2:]) for key, value in self.keys.items() if value.startswith("s:"))

    def text(self, key: str) -> str | None:
        """Return the string under ``key``, if there is a whole one."""
        value = self.keys.get(key)
        return value[2:] if value is not None and value.startswith("s:") else None


def _string(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token[1:-1]


def scan(text: str) -> Shape:
    """Return the shape of the JSON value ``text`` begins with; never raises, stops where it is cut off.

    Examples
    --------
    >>> scan('[{"id": "a", "turns": [{"speaker": "th')
    Shape(listed=True, keys={'id': 's:a', 'turns': '['})
    """
    opening = _OPENING.match(text)
    if not opening:
        return Shape(listed=text.lstrip().startswith("["))
    shape = Shape(listed="[" in opening.group())
    depth, key, position = 0, None, opening.end()
    while match := _TOKEN.match(text, position):
        position = match.end()
        string, mark, word = match.groups()
        if not depth and mark == "}":
            break
        if not depth and key is not None and mark != ":":
            shape.keys[key] = "s:" + _string(string) if string is not None else mark or word[:40]
            key = None
        elif not depth and string is not None:
            key = _string(string)
        depth += (mark in ("[", "{")) - (mark in ("]", "}"))
    return shape


def shapes(head: str) -> Iterator[Shape]:
    """Yield the shape of the whole head, then of each later line that begins like a record."""
    yield scan(head.lstrip())
    for line in head.split("\n")[1:_MAX_LINES]:
        if line.startswith(("{", "[")):
            yield scan(line)
