"""From text to sound records: JSON that can be stored again, and what becomes of a record that is none.

A record that cannot be read is data: it becomes a session that ended ``error``, with its place
and one sentence, and the file goes on. Only a file in which nothing can be read is refused.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.shapes import scan
from turnwise.engine.importers.streams import Line, lines, read_head, shown, whole_text

if TYPE_CHECKING:
    from turnwise.engine.importers.account import Account

__all__ = [
    "BadRecord",
    "Record",
    "Unreadable",
    "id_of",
    "json_records",
    "kind_of",
    "parse_json",
    "read_records",
    "sessions",
    "sound",
]

MAX_DEPTH = 64
_HELD_BACK = 100


class BadRecord(Exception):
    """A record cannot be read; says why, without its place. Never leaves this package."""


class Unreadable(NamedTuple):
    """A record that could not be read: where it stands, what is wrong, and its id if it had one."""

    where: str
    problem: str
    session_id: str


class Record(NamedTuple):
    """One record of a file: its place in words, the id it gets if it has none, and its JSON value."""

    where: str
    fallback: str
    value: Any
    problem: str | None = None


def kind_of(value: object) -> str:
    """Return what a JSON value is, in words (never its content: messages may be published).

    Examples
    --------
    >>> kind_of([1]), kind_of(None), kind_of(True), kind_of(2.0)
    ('a list', 'null', 'true or false', 'a number')
    """
    if value is None:
        return "null"
    names = ((bool, "true or false"), (int | float, "a number"), (str, "text"), (list, "a list"), (dict, "an object"))
    return next((name for kind, name in names if isinstance(value, kind)), type(value).__name__)


def parse_json(text: str) -> Any:
    """Return the value of a JSON text; ``NaN``, which JSON does not have, means "no value" and becomes null.

    Raises
    ------
    BadRecord : it is not JSON, is nested too deeply, or holds what cannot be stored again.
    """
    try:
        value = json.loads(text, parse_constant=_constant)
    except json.JSONDecodeError as fault:
        end = " (cut off?)" if fault.pos >= len(text.rstrip()) or fault.msg.startswith("Unterminated") else ""
        place = f"column {fault.colno}" if fault.lineno == 1 else f"line {fault.lineno} column {fault.colno}"
        raise BadRecord(f"is not valid JSON: {fault.msg[:1].lower()}{fault.msg[1:]} at {place}{end}") from fault
    except RecursionError as fault:
        raise BadRecord(f"is nested more than {MAX_DEPTH} levels deep") from fault
    except ValueError as fault:  # e.g. an integer of thousands of digits
        raise BadRecord(f"is not valid JSON: {shown(fault, 200)}") from fault
    sound(value)
    return value


def _constant(name: str) -> None:
    if name != "NaN":
        raise ValueError(f"{name} is not a JSON number")


def sound(value: Any) -> None:
    """Raise ``BadRecord`` if ``value`` could not be written and read again: depth, infinities, broken Unicode."""
    stack: list[tuple[Any, int]] = [(value, 1)]
    while stack:
        x, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise BadRecord(f"is nested more than {MAX_DEPTH} levels deep")
        if isinstance(x, str):
            if not _is_text(x):
                raise BadRecord("holds half of a surrogate pair, which is no character; write the text as UTF-8 again")
        elif isinstance(x, float):
            if not math.isfinite(x):
                raise BadRecord("holds a number that is not finite; write null where there is no value")
        elif isinstance(x, dict):
            stack.extend((key, depth) for key in x)
            stack.extend((child, depth + 1) for child in x.values())
        elif isinstance(x, list | tuple):
            stack.extend((child, depth + 1) for child in x)


def _is_text(x: str) -> bool:
    try:
        x.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def id_of(value: Any, *keys: str) -> str | None:
    """Return the id of a record under the first of ``keys`` that holds one: text, or a number.

    A whole number that some program made a fraction (``101.0``) is a whole number again.

    Examples
    --------
    >>> id_of({"id": 7}, "id"), id_of({"id": 101.0}, "id"), id_of({"id": ""}, "id"), id_of([], "id")
    ('7', '101', None, None)
    """
    if not isinstance(value, dict):
        return None
    for key in keys:
        found = value.get(key)
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found) if abs(found) < 10**18 else None
        if isinstance(found, float) and abs(found) < 2**53:
            return str(int(found)) if found.is_integer() else repr(found)
        if isinstance(found, str) and found.strip():
            return found if _is_text(found) else None
    return None


# --- records of a file ------------------------------------------------------------------------


def json_records(path: Path) -> Iterator[Record]:
    """Yield the records of JSON Lines, of a JSON list, or of one JSON object.

    Lines are streamed. Anything else has to be parsed whole, and is refused above ``MAX_WHOLE``.

    Raises
    ------
    FormatError : one JSON document that is damaged or too large.
    """
    if _is_lines(read_head(path)):
        return (_line_record(line) for line in lines(path) if line.text.strip() or line.problem)
    return _document_records(path)


def _is_lines(head: str) -> bool:
    def complete(line: str) -> bool:
        try:
            return isinstance(json.loads(line), dict | list)
        except (ValueError, RecursionError):
            return False

    start = [line for line in head.split("\n") if line.strip()]
    if len(start) < 2:  # one long line: an object is one record either way, a list holds many
        return bool(start) and not start[0].lstrip().startswith("[")
    if complete(start[0]):
        return True
    if start[0].strip() == "{" or start[0].lstrip().startswith("["):
        return False
    # A first line that is torn must not make a document of the file: look for records at the margin.
    return any(line.startswith("{") for line in start[1:])


def _line_record(line: Line) -> Record:
    where, fallback = f"line {line.number}", f"line-{line.number}"
    problem = line.problem
    try:
        if not problem:
            return Record(where, fallback, parse_json(line.text))
    except BadRecord as fault:
        problem = str(fault)
    # Even a torn record often says who it was before it breaks off.
    return Record(where, fallback, dict(scan(line.text).strings()), problem)


def _document_records(path: Path) -> Iterator[Record]:
    try:
        value = json.loads(whole_text(path), parse_constant=_constant)
    except RecursionError as fault:
        raise FormatError(shown(path), "", f"is nested more than {MAX_DEPTH} levels deep") from fault
    except ValueError as fault:
        remedy = "mend the file, or write one session a line (JSON Lines) so that the others can be read"
        raise FormatError(shown(path), "", f"is not valid JSON ({shown(fault, 200)})", remedy) from fault
    # A bare list of messages is one conversation; a list of conversations is many.
    one = not isinstance(value, list) or any(isinstance(x, dict) and "role" in x for x in value)
    for i, item in enumerate([value] if one else value, 1):
        where = f"item {i}"
        try:
            sound(item)
            yield Record(where, f"item-{i}", item)
        except BadRecord as fault:
            yield Record(where, f"item-{i}", item, str(fault))


# --- from records to sessions -----------------------------------------------------------------


def read_records(
    records: Iterable[Record],
    build: Callable[[Any, str], Trajectory],
    *id_keys: str,
    account: Account | None = None,
) -> Iterator[Trajectory | Unreadable]:
    """Build a session from every record; what cannot be built is named instead, and does not count in ``account``."""
    for record in records:
        known = id_of(record.value, *id_keys)
        session_id = known or record.fallback
        if record.problem:
            yield Unreadable(record.where, record.problem, session_id)
            continue
        made = _attempted(record, build, session_id)
        if account:
            if known is None and isinstance(record.value, dict):
                odd = any(record.value.get(key) not in (None, "") for key in id_keys)
                account.lost("ids that are neither text nor a number (the session is called after its place)", int(odd))
            account.commit(record.where) if isinstance(made, Trajectory) else account.rollback()
        yield made


def _attempted(record: Record, build: Callable[[Any, str], Trajectory], session_id: str) -> Trajectory | Unreadable:
    try:
        return build(record.value, session_id)
    except BadRecord as fault:
        return Unreadable(record.where, str(fault), session_id)
    except ValidationError as fault:
        problem = fault.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(x) for x in problem["loc"])
        return Unreadable(record.where, shown(f"{place}: {problem['msg']}".lstrip(": "), 300), session_id)


def sessions(path: Path, found: Iterable[Trajectory | Unreadable], source: str) -> Iterator[Trajectory]:
    """Yield sessions, the unreadable ones as ``error``; refuse a file in which nothing can be read.

    The first hundred unreadable records are held back until something readable comes, so that a
    file of another format is refused before it has filled anybody's table with errors.

    Raises
    ------
    FormatError : no record, or none that is readable; quotes the first problem.
    """
    held: list[Trajectory] = []
    first: Unreadable | None = None
    readable = count = 0
    for item in found:
        count += 1
        if isinstance(item, Trajectory):
            readable += 1
            yield from held
            held = []
            yield item
            continue
        first = first or item
        error = FormatError(shown(path), item.where, item.problem)
        held.append(Trajectory(session_id=item.session_id, source=source, ending="error", error=shown(error)))
        if readable or len(held) > _HELD_BACK:
            yield from held
            held = []
    if not count:
        raise FormatError(shown(path), "", "holds no session", "name a file with transcripts in it")
    if not readable and first:
        problem = f"{first.problem}, and none of the {count} records of the file can be read"
        raise FormatError(shown(path), first.where, problem, "correct the file and try again")
