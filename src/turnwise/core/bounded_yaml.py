"""YAML that comes from a user, read so that no file however made can hang the process or end it.

Aliases, depth and size are counted over the stream of events, before anything is built; numbers before they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml

from turnwise.core.errors import FormatError

__all__ = ["MOST_CHARACTERS", "MOST_DEPTH", "MOST_DIGITS", "MOST_VALUES", "read_yaml"]

MOST_CHARACTERS = 4_000_000
"""The largest case that ships has less than 200,000."""
MOST_VALUES = 200_000
"""Scalars, lists and mappings, each as often as aliases repeat it."""
MOST_DEPTH = 64
MOST_DIGITS = 64
"""Signs of one number."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Refused(yaml.YAMLError):
    """What stands where that is not read, and what to do."""

    def __init__(self, what: str, mark: Any, remedy: str) -> None:
        super().__init__(what)
        self.what, self.remedy = what, remedy
        self.place = f"line {mark.line + 1}, column {mark.column + 1}"


class _Bounded(_Loader):  # type: ignore[misc]  # which of the two loaders it is, is known when it runs
    """The safe loader, without numbers that take minutes and with one kind of fault for what is no value."""


_MEND = "correct it, or put it in quotes if it is text"


def _kind_of(node: Any) -> str:
    return str(node.tag).rpartition(":")[2]


def _short(build: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def built(loader: Any, node: Any) -> Any:
        if not isinstance(node, yaml.ScalarNode):
            raise _Refused(f"a {node.id} where its tag says {_kind_of(node)}", node.start_mark, _MEND)
        if len(node.value) > MOST_DIGITS:
            raise _Refused(
                f"a number of more than {MOST_DIGITS} signs", node.start_mark, "put it in quotes if it is text"
            )
        try:
            return build(loader, node)
        except (ValueError, LookupError, ArithmeticError, AttributeError):  # the 99th of a month, "!!bool maybe"
            raise _Refused(f"{node.value!r}, which is no {_kind_of(node)}", node.start_mark, _MEND) from None

    return built


for _kind in ("int", "float", "bool", "timestamp"):
    _build = getattr(yaml.SafeLoader, f"construct_yaml_{_kind}")
    _Bounded.add_constructor(f"tag:yaml.org,2002:{_kind}", _short(_build))


def read_yaml(text: str, path: object) -> Any:
    """Return the value of a YAML text of plain values, in time and memory that its bounds limit; ``None`` for none.

    Not a check of what the values are. Tags that would build objects are refused, as the safe loader does.

    Parameters
    ----------
    text : what the file holds. path : the file, for the sentence.

    Raises
    ------
    FormatError : it is no YAML, or there are more than ``MOST_CHARACTERS``, ``MOST_VALUES`` (aliases count as what
        they repeat), ``MOST_DEPTH`` or ``MOST_DIGITS``; the message says which and where.

    Examples
    --------
    >>> read_yaml("a: [1, 2]", "a.yaml")
    {'a': [1, 2]}
    >>> read_yaml("[" * 100_000, "it")
    Traceback (most recent call last):
    turnwise.core.errors.FormatError: it, line 1, column 65: holds values more than 64 levels deep; write it flatter.
    """
    if len(text) > MOST_CHARACTERS:
        raise FormatError(path, "", f"holds more than {MOST_CHARACTERS:,} characters", "leave out what is not needed")
    try:
        _check(text)
        return yaml.load(text, Loader=_Bounded)  # noqa: S506  # a subclass of the safe loader
    except _Refused as fault:
        raise FormatError(path, fault.place, f"holds {fault.what}", fault.remedy) from None
    except yaml.YAMLError as fault:
        raise FormatError(path, "", f"is no YAML ({' '.join(str(fault).split())})", "mend the quoting there") from None


@dataclass(slots=True)
class _Extent:
    """How many values a collection holds, and how deep they go; what an alias repeats is counted where it stands."""

    anchor: str | None = None
    values: int = 1
    depth: int = 1

    def take(self, values: int, depth: int) -> None:
        self.values += values
        self.depth = max(self.depth, 1 + depth)


def _check(text: str) -> None:
    """Raise if what is built of a text would be too deep or too large; builds nothing."""
    known: dict[str, _Extent] = {}
    within = [_Extent()]
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            within.append(_Extent(event.anchor))
        elif isinstance(event, yaml.CollectionEndEvent):
            whole = within.pop()
            within[-1].take(whole.values, whole.depth)
            if whole.anchor is not None:
                known[whole.anchor] = whole
        elif isinstance(event, yaml.AliasEvent):
            if any(x.anchor == event.anchor for x in within):
                raise _Refused("an alias of what it stands in", event.start_mark, "write out what is meant")
            repeated = known.get(str(event.anchor), _Extent())
            within[-1].take(repeated.values, repeated.depth)
        elif isinstance(event, yaml.ScalarEvent):
            within[-1].take(1, 0)
            if event.anchor is not None:
                known[event.anchor] = _Extent(depth=0)
        if len(within) - 1 + within[-1].depth - 1 > MOST_DEPTH:
            raise _Refused(f"values more than {MOST_DEPTH} levels deep", event.start_mark, "write it flatter")
        if within[-1].values > MOST_VALUES:
            many = f"more than {MOST_VALUES:,} values, aliases counted as what they repeat"
            raise _Refused(many, event.start_mark, "leave out what is not needed")
