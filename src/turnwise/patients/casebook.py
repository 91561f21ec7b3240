"""Load cases: from the package by name, or from a file by path. Everything wrong is said at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from turnwise.core.bounded_yaml import MOST_CHARACTERS, read_yaml
from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Case
from turnwise.patients.everyday import EVERYDAY, everyday
from turnwise.patients.lint import broken_references
from turnwise.patients.schema import CaseFile
from turnwise.reading.ears.intents import plain

__all__ = ["LICENCE", "SOURCE", "case_ids", "load_case", "parse_case", "read_case_file", "read_case_path"]

LICENCE = "Apache-2.0"
SOURCE = "written for turnwise; not clinician-reviewed"
QUESTIONS, FURTHER = "questions", "further"
"""Folders beside the case files: further known questions of each, and what it says to questions about a telling."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _folder() -> Traversable:
    return files("turnwise.patients").joinpath("cases")


@cache
def case_ids() -> tuple[str, ...]:
    """Return the names of the cases that ship, in alphabetical order.

    Examples
    --------
    >>> "alun" in case_ids()
    True
    """
    names = (entry.name for entry in _folder().iterdir())
    return tuple(sorted(n.removesuffix(".yaml") for n in names if n.endswith(".yaml")))


def load_case(which: str | Path) -> Case:
    """Return a case by its name, or from a YAML file by its path.

    ``truth`` is the whole validated file as JSON values; ``intake`` is all that crosses to a
    therapist. The result is cached and frozen.

    Raises
    ------
    UsageError : no case has that name.
    FormatError : the file is malformed; the message lists every problem with its place.

    Examples
    --------
    >>> load_case("alun").intake.age
    71
    """
    if isinstance(which, Path) or which.endswith((".yaml", ".yml")):
        return _as_case(read_case_path(Path(which)))
    return _shipped(which)


def read_case_path(path: Path) -> CaseFile:
    """Return the validated case of a file, with what stands in the folders beside it.

    Raises
    ------
    FormatError : it is not there, not UTF-8, or malformed; the message lists every problem with its place.
    """
    if not path.is_file():
        raise FormatError(path, "", "is not there", "give the path of a case file, or the name of one that ships")
    try:
        beside = {name: _text_of(path.parent / name / path.name) for name in (QUESTIONS, FURTHER)}
        return parse_case(_text_of(path), str(path), **beside)
    except UnicodeDecodeError:
        raise FormatError(path, "", "is not UTF-8", "save it, and what stands beside it, as UTF-8 text") from None


def _text_of(entry: Traversable) -> str:
    """Return the text of a file that need not be there, as far as it may be read."""
    if not entry.is_file():
        return ""
    with entry.open("r", encoding="utf-8") as file:
        return str(file.read(MOST_CHARACTERS + 1))


@cache
def _shipped(name: str) -> Case:
    return _as_case(read_case_file(name))


@cache
def read_case_file(name: str) -> CaseFile:
    """Return the validated file of a case that ships."""
    if name not in case_ids():
        raise UsageError(f"there is no case {name!r}; known: {', '.join(case_ids())}.")
    beside = {part: _text_of(_folder().joinpath(part, f"{name}.yaml")) for part in (QUESTIONS, FURTHER)}
    return _parsed(_text_of(_folder().joinpath(f"{name}.yaml")), f"cases/{name}.yaml", _own_yaml, **beside)


def _as_case(file: CaseFile) -> Case:
    truth = file.model_dump(mode="json")
    return Case(id=file.id, intake=file.intake, truth=truth, source=SOURCE, licence=LICENCE)


def parse_case(text: str, path: str = "case", questions: str = "", further: str = "") -> CaseFile:
    """Return the validated case in ``text``, with what stands in the files beside it.

    ``questions`` is a YAML mapping of telling, proposition or fact to questions in a therapist's voice
    (``questions/<case>.yaml`` beside the case file), ``further`` one of telling to its follow-ups
    (``further/<case>.yaml``): other hands write them, and a clinician who reads the case need not.

    Raises
    ------
    FormatError : lists every problem at once: where in the file, what is there, what was expected.
    """
    return _parsed(text, path, read_yaml, questions, further)


def _own_yaml(text: str, path: object) -> Any:
    return yaml.load(text, Loader=_Loader)  # noqa: S506  # both loaders are the safe ones


_Load = Callable[[str, object], Any]


def _parsed(text: str, path: str, load: _Load, questions: str, further: str) -> CaseFile:
    content = _read(text, path, "sections such as 'tellings:'", load)
    entries = "entries such as 'telling: [...]'"
    problems = _with_questions(content, _read(questions, f"{QUESTIONS} of {path}", entries, load))
    problems += _with_everyday(content)
    problems += _with_further(content, _read(further, f"{FURTHER} of {path}", entries, load))
    try:
        file = CaseFile.model_validate(content)
    except ValidationError as fault:
        problems += [_problem(error, content) for error in fault.errors(include_url=False)]
    problems += broken_references(content)
    if problems:
        raise FormatError(path, _count(problems), "; ".join(problems))
    return file


def _read(text: str, path: str, expected: str, load: _Load) -> dict[str, Any]:
    content = load(text or "{}", path)
    if not isinstance(content, dict):
        raise FormatError(path, "", f"holds a {type(content).__name__}", f"expected {expected}")
    return content


def _with_questions(content: dict[str, Any], questions: dict[str, Any]) -> list[str]:
    """Add further known questions to the entries they belong to; return what belongs nowhere."""
    expected = "no telling, proposition or fact has this id, expected one that the file defines", "a list of questions"
    return _added(questions, _entries_of(content), QUESTIONS, *expected)


def _entries_of(content: dict[str, Any]) -> dict[str, tuple[dict[str, Any], str]]:
    """Return by name what can be asked for, each with the key under which its known questions stand."""
    entries: dict[str, tuple[dict[str, Any], str]] = {}
    for section, name, key in (("tellings", "id", "asks"), ("propositions", "id", "ask"), ("facts", "key", "ask")):
        part = content.get(section)
        for x in part if isinstance(part, list) else ():
            if isinstance(x, dict) and name in x:
                entries.setdefault(str(x[name]), (x, key))
    return entries


def _with_everyday(content: dict[str, Any]) -> list[str]:
    """Add the wordings of the shared catalogue to what answers them; return what names nothing that is there.

    A wording that the case itself knows, of whatever, stays with that.
    """
    named = content.get("everyday")
    if not isinstance(named, dict):
        return []
    entries = _entries_of(content)
    own = {plain(a) for x, key in entries.values() for a in (x.get(key) or ()) if isinstance(a, str)}
    problems = []
    for name, which in named.items():
        if name not in everyday():
            problems.append(f"everyday[{name}]: is no question of the catalogue, expected one of {EVERYDAY}")
        elif str(which) not in entries:
            problems.append(f"everyday[{name}]: names the unknown entry {which!r}, expected one that the file defines")
        else:
            entry, key = entries[str(which)]
            entry[key] = [*(entry.get(key) or ()), *(a for a in everyday()[name] if plain(a) not in own)]
    return problems


def _with_further(content: dict[str, Any], further: dict[str, Any]) -> list[str]:
    """Add what is said to questions about a telling; return what belongs to none."""
    part = content.get("tellings")
    tellings = [t for t in part if isinstance(t, dict) and "id" in t] if isinstance(part, list) else []
    expected = "no telling has this id, expected one that the file defines", "a list of 'ask' and 'say'"
    return _added(further, {str(t["id"]): (t, "further") for t in tellings}, FURTHER, *expected)


def _added(
    found: dict[str, Any], entries: dict[str, tuple[dict[str, Any], str]], folder: str, unknown: str, expected: str
) -> list[str]:
    """Add each list to its entry, under the key that stands with it; return what cannot be added, and why."""
    problems = []
    for name, more in found.items():
        if str(name) not in entries:
            problems.append(f"{folder}[{name}]: {unknown}")
        elif not isinstance(more, list):
            problems.append(f"{folder}[{name}]: holds a {type(more).__name__}, expected {expected}")
        else:
            entry, key = entries[str(name)]
            own = entry.get(key)
            entry[key] = [*(own if isinstance(own, list) else ()), *more]
    return problems


def _count(problems: list[str]) -> str:
    return f"{len(problems)} problem{'s' if len(problems) > 1 else ''}"


def _problem(error: Any, content: Any) -> str:
    """Say one problem in words; list entries are named by their own id rather than by number."""
    place, at = "", content
    for key in error["loc"]:
        at = at[key] if isinstance(at, dict) and key in at else at[key] if _indexes(at, key) else None
        name = at.get("id") or at.get("key") if isinstance(at, dict) and isinstance(key, int) else None
        place += f"[{name or key}]" if isinstance(key, int) else f".{key}" if place else str(key)
    there = error.get("input")
    shown = "" if error["type"] == "missing" else f" (there is {json.dumps(there, default=str)[:60]})"
    if isinstance(there, bool) and "string" in error["type"]:
        shown += ", since YAML reads yes and no as true and false: put it in quotes"
    return f"{place}: {error['msg'][:1].lower()}{error['msg'][1:]}{shown}"


def _indexes(at: Any, key: Any) -> bool:
    return isinstance(at, (list, tuple)) and isinstance(key, int) and key < len(at)
