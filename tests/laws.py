"""The laws that import-linter cannot say, as functions of a root path so that tests can prove they bite."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LOWER_ROOMS", "ROOMS", "Breach", "count_tests", "python_files", "side_effects", "sizes"]

ROOMS = (
    "apps",
    "inquiries",
    "training",
    "engine",
    "batteries",
    "patients",
    "therapists",
    "metrics",
    "reading",
    "belief",
    "stats",
    "core",
)
LOWER_ROOMS = ("core", "stats", "belief", "reading", "metrics", "patients", "therapists", "batteries")

MAX_FILE, MAX_FUNCTION, MAX_PARAMETERS = 400, 50, 7
_NAMES_THAT_SAY_NOTHING = ("utils", "util", "helpers", "helper", "manager", "misc", "common")

_FORBIDDEN_MODULES = {
    "time": "clock",
    "random": "global randomness",
    "secrets": "global randomness",
    "uuid": "global randomness",
    "pickle": "pickle",
    "marshal": "pickle",
    "shelve": "pickle",
    "dill": "pickle",
    "joblib": "pickle",
    "cloudpickle": "pickle",
    "subprocess": "process",
    "multiprocessing": "process",
    "runpy": "dynamic import",
    "pkgutil": "dynamic import",
    "sklearn": "fitting belongs in tools",
}
_FORBIDDEN_CALLS = {
    "importlib.import_module": "dynamic import",
    "importlib.util.spec_from_file_location": "dynamic import",
    "__import__": "dynamic import",
    "exec": "dynamic code",
    "eval": "dynamic code",
    "compile": "dynamic code",
    "open": "file",
    "io.open": "file",
    "os.open": "file",
    "print": "output",
    "input": "input",
    "hash": "salted hash",
    "datetime.datetime.now": "clock",
    "datetime.datetime.today": "clock",
    "datetime.datetime.utcnow": "clock",
    "datetime.date.today": "clock",
    "os.getenv": "environment",
    "os.putenv": "environment",
    "os.urandom": "global randomness",
    "os.getcwd": "environment",
    "os.system": "process",
}
_FORBIDDEN_NAMES = {"os.environ": "environment", "os.environb": "environment"}
_FILE_METHODS = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "unlink", "mkdir", "rmdir", "touch"}
_SEEDED = {"Generator", "PCG64", "PCG64DXSM", "Philox", "SFC64", "SeedSequence", "BitGenerator"}


@dataclass(frozen=True, slots=True)
class Breach:
    """Where which law is broken, and by what."""

    path: str
    line: int
    law: str
    what: str


def python_files(root: Path) -> list[Path]:
    """Return the Python files under ``root``, in order."""
    return sorted(p for p in root.rglob("*.py") if "__pycache__" not in p.parts and not p.is_symlink())


def _is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.name == "conftest.py"


def _aliases(tree: ast.AST) -> dict[str, str]:
    """Return what each imported local name stands for, e.g. ``dt`` for ``datetime.datetime``."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                names[a.asname or a.name.split(".")[0]] = a.name if a.asname else a.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update({a.asname or a.name: f"{node.module}.{a.name}" for a in node.names})
    return names


def _dotted(node: ast.AST, aliases: dict[str, str]) -> str | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([aliases.get(node.id, node.id), *reversed(parts)])


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [a.name for a in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return []


def _breach_of_call(node: ast.Call, aliases: dict[str, str]) -> tuple[str, str] | None:
    name = _dotted(node.func, aliases)
    if name in _FORBIDDEN_CALLS:
        return _FORBIDDEN_CALLS[name], name
    if name == "numpy.random.default_rng":
        unseeded = not node.args and not node.keywords
        none = bool(node.args) and isinstance(node.args[0], ast.Constant) and node.args[0].value is None
        return ("global randomness", "default_rng without a seed") if unseeded or none else None
    if isinstance(node.func, ast.Attribute) and node.func.attr in _FILE_METHODS:
        return "file", f".{node.func.attr}()"
    return None


def _breach_of_name(node: ast.Attribute | ast.Name, aliases: dict[str, str]) -> tuple[str, str] | None:
    name = _dotted(node, aliases) or ""
    if name in _FORBIDDEN_NAMES:
        return _FORBIDDEN_NAMES[name], name
    if name.startswith("numpy.random.") and name.count(".") == 2:
        last = name.rsplit(".", 1)[1]
        if last not in _SEEDED and last != "default_rng":
            return "global randomness", name
    return None


def _breaches(tree: ast.AST) -> Iterator[tuple[int, str, str]]:
    aliases = _aliases(tree)
    for node in ast.walk(tree):
        for module in _imported(node):
            root = module.split(".")[0]
            if root in _FORBIDDEN_MODULES:
                yield node.lineno, _FORBIDDEN_MODULES[root], module  # type: ignore[attr-defined]
        found = None
        if isinstance(node, ast.Call):
            found = _breach_of_call(node, aliases)
        elif isinstance(node, ast.Attribute | ast.Name):
            found = _breach_of_name(node, aliases)
        if found:
            yield node.lineno, *found  # type: ignore[attr-defined]


def side_effects(package: Path) -> list[Breach]:
    """Return every side effect in the rooms below the engine of the package at ``package`` (tests aside)."""
    found: list[Breach] = []
    for room in LOWER_ROOMS:
        for path in python_files(package / room):
            if not _is_test(path):
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found += [Breach(path.relative_to(package).as_posix(), *b) for b in _breaches(tree)]
    return found


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    a = node.args
    named = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]
    return len([x for x in named if x.arg not in ("self", "cls")])


def _body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from ``def`` to the end without the docstring: explaining more must not cost anything."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def _size_of(path: Path) -> Iterator[tuple[int, str, str]]:
    text = path.read_text(encoding="utf-8")
    if (n := len(text.splitlines())) > MAX_FILE:
        yield 1, "file", f"{n} lines"
    stem = path.stem.removeprefix("test_")
    if stem in _NAMES_THAT_SAY_NOTHING or stem.startswith("base_"):
        yield 1, "name", path.name
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if (n := _body_lines(node)) > MAX_FUNCTION:
                yield node.lineno, "function", f"{node.name}: {n} lines"
            if (n := _parameters(node)) > MAX_PARAMETERS:
                yield node.lineno, "signature", f"{node.name}: {n} parameters"


def sizes(root: Path) -> list[Breach]:
    """Return what is too long, takes too much, or has a name that says nothing, below ``root``."""
    return [Breach(p.relative_to(root).as_posix(), *b) for p in python_files(root) for b in _size_of(p)]


def count_tests(folder: Path) -> int:
    """Return the number of test functions (and methods) written below ``folder``."""
    count = 0
    for path in python_files(folder):
        if path.name.startswith("test_"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
            count += sum(isinstance(n, kinds) and n.name.startswith("test_") for n in ast.walk(tree))
    return count
