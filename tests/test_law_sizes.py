"""Short files, short functions, narrow signatures, telling names; and a repository that ties nobody to a host."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from laws import ROOMS, python_files, sizes

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "turnwise"
EMPTY_ROOMS = ("inquiries", "training")
"""Rooms that hold nothing but their docstring so far; README says the same."""

# "path" or "path::function": one sentence of defence. Whatever is listed and no longer needed fails too.
DEFENDED: dict[str, str] = {
    "src/turnwise/core/registry.py::metric": "the signature is the spec of a measure; all but the name are keywords",
}

# In pieces, so that this file does not break its own law.
HOSTS = tuple("".join(p) for p in (("pypi", ".org"), ("files.python", "hosted"), ("anaconda", ".org")))
OPTIONS = tuple("--" + o for o in ("index-" + "url", "extra-" + "index-url", "find-" + "links"))
NOT_OURS_TO_READ = {".safetensors", ".parquet", ".png"}


@cache
def _breaches() -> dict[str, str]:
    found = {}
    for folder in ("src", "tests", "tools", "benchmarks"):
        for b in sizes(ROOT / folder):
            function = f"::{b.what.partition(':')[0]}" if b.law in ("function", "signature") else ""
            found[f"{folder}/{b.path}{function}"] = f"{folder}/{b.path}:{b.line}: {b.law} ({b.what})"
    return found


def _kept_files() -> list[Path]:
    """Return the files git tracks or would track; without git, everything that is not a cache."""
    try:
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        out = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=30).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        parts = {".venv", ".git", "runs", "__pycache__", ".mypy_cache", ".ruff_cache", ".hypothesis"}
        return [p for p in ROOT.rglob("*") if p.is_file() and not parts & set(p.relative_to(ROOT).parts)]
    return [p for p in (ROOT / name for name in out.split("\0") if name) if p.is_file()]


def _modules() -> list[str]:
    files = [p.relative_to(PACKAGE.parent).with_suffix("") for p in python_files(PACKAGE)]
    names = [".".join(p.parts).removesuffix(".__init__") for p in files if not p.name.startswith(("test_", "conftest"))]
    return sorted(n for n in names if not n.endswith("__main__"))


def test_nothing_is_too_long_or_too_wide_or_badly_named() -> None:
    undefended = {k: v for k, v in _breaches().items() if k not in DEFENDED}
    assert not undefended, "\n".join(undefended.values())


def test_no_defence_outlives_its_case() -> None:
    assert set(DEFENDED) <= set(_breaches())
    assert all(len(sentence.split()) > 4 for sentence in DEFENDED.values())


@pytest.mark.parametrize(
    ("name", "code", "law"),
    [
        ("long.py", "x = 1\n" * 401, "file"),
        ("deep.py", "def f():\n" + "    x = 1\n" * 51, "function"),
        ("deep_method.py", "class A:\n    async def f(self):\n" + "        x = 1\n" * 51, "function"),
        ("wide.py", "def f(a, b, c, d, *, e, f, g, h): ...\n", "signature"),
        ("variadic.py", "def f(a, b, c, d, e, f, *g, **h): ...\n", "signature"),
        ("utils.py", "", "name"),
        ("test_helpers.py", "", "name"),
        ("base_patient.py", "", "name"),
    ],
)
def test_the_law_of_sizes_bites(tmp_path: Path, name: str, code: str, law: str) -> None:
    (tmp_path / name).write_text(code, encoding="utf-8")
    assert [b.law for b in sizes(tmp_path)] == [law]


def test_the_law_of_sizes_lets_the_limit_pass(tmp_path: Path) -> None:
    body = '    """Say it\n\n    at length.\n    """\n' + "    x = 1\n" * 49
    (tmp_path / "fine.py").write_text("def f(self, a, b, c, d, e, f, g):\n" + body + "y = 2\n" * 100, encoding="utf-8")
    assert sizes(tmp_path) == []


def test_no_package_registry_is_named_anywhere() -> None:
    files = [p for p in _kept_files() if p.suffix not in NOT_OURS_TO_READ]
    assert len(files) > 40
    for path in files:
        content = path.read_bytes()
        named = [word for word in (*HOSTS, *OPTIONS) if word.encode() in content]
        assert not named, f"{path.relative_to(ROOT)} names {named}"


@pytest.mark.parametrize("path", sorted((ROOT / "constraints").glob("*.txt")), ids=lambda p: p.name)
def test_constraints_are_plain_pins(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines
    assert [x for x in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", x)] == []


def test_every_dependency_is_pinned_and_both_lists_agree() -> None:
    import tomllib

    def pins(name: str) -> dict[str, str]:
        lines = (ROOT / "constraints" / name).read_text(encoding="utf-8").splitlines()
        return {re.sub(r"[-_.]+", "-", a).lower(): b for a, b in (x.split("==") for x in lines)}

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def names(requirements: list[str]) -> set[str]:
        return {re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", r)[0]).lower() for r in requirements}

    run, dev = pins("run.txt"), pins("dev.txt")
    assert names(project["dependencies"]) <= set(run)
    assert names(project["optional-dependencies"]["dev"]) <= set(dev)
    assert run.items() <= dev.items()


@pytest.mark.parametrize("name", _modules())
def test_what_a_module_offers_is_there(name: str) -> None:
    module = importlib.import_module(name)
    assert (module.__doc__ or "").strip(), f"{name} does not say what it is"
    missing = [x for x in getattr(module, "__all__", ()) if not hasattr(module, x)]
    assert not missing, f"{name}.__all__ names {missing}, which it has not"


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_says_what_it_is_for(room: str) -> None:
    doc = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert doc.lower().startswith(room)
    assert "May not:" in doc or room == "apps"
    assert ("Still empty." in doc) == (room in EMPTY_ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_exactly_the_rooms_called_empty_are_empty(room: str) -> None:
    files = python_files(PACKAGE / room)
    only_docstring = len(files) == 1 and len(ast.parse(files[0].read_text(encoding="utf-8")).body) == 1
    assert only_docstring == (room in EMPTY_ROOMS)
