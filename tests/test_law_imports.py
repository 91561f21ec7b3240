"""Every contract of the house is broken on purpose, in a copy, and import-linter has to see it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from configparser import ConfigParser
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from laws import LOWER_ROOMS, ROOMS

ROOT = Path(__file__).resolve().parents[1]
CONFIG = ROOT / ".importlinter"
FORBIDDEN_OUTSIDE = ("requests", "httpx", "aiohttp", "urllib.request", "http.client", "socket", "ssl", "openai")
FORBIDDEN_OUTSIDE += ("inspect_ai", "torch", "transformers", "trl", "ray", "pandas", "fastapi", "uvicorn", "flask")
FORBIDDEN_OUTSIDE += ("click", "rich.console", "typer", "httpx2")


def _breaks() -> Iterator[tuple[str, str, str]]:
    """Yield (contract, file of the copy, line written into it)."""
    floors = [["apps"], ["inquiries", "training"], ["engine"], ["batteries"]]
    floors += [["patients", "therapists", "metrics"], ["reading", "belief", "stats"], ["core"]]
    for upper, lower in pairwise(floors):
        yield "layers", f"{lower[0]}/broken.py", f"import turnwise.{upper[0]}"
    yield "layers", "core/broken.py", "import turnwise.apps"
    for floor in floors:
        for a in floor:
            yield from (("layers", f"{a}/broken.py", f"from turnwise import {b}") for b in floor if a != b)
    yield "layers", "attic.py", "x = 1"
    yield from (("core-alone", "core/broken.py", f"import turnwise.{r}") for r in ROOMS if r != "core")
    yield "core-alone", "core/test_broken.py", "import turnwise.stats"
    yield "no-inverse-crime", "patients/broken.py", "import turnwise.belief"
    for a, b in [("therapists", "patients"), ("metrics", "patients"), ("metrics", "therapists")]:
        yield "transcript-only", f"{a}/broken.py", f"import turnwise.{b}"
    for room in ("patients", "therapists"):
        yield "participants-never-rate", f"{room}/broken.py", "import turnwise.reading.raters"
    yield "participants-never-rate", "patients/test_broken.py", "def f():\n    from turnwise.reading import raters"
    yield "metrics-never-hear", "metrics/broken.py", "import turnwise.reading.ears.hearing"
    yield "batteries-never-hear", "batteries/broken.py", "import turnwise.reading.ears"
    yield "ears-apart-from-raters", "reading/ears/broken.py", "import turnwise.reading.raters"
    yield "ears-apart-from-raters", "reading/raters/broken.py", "from turnwise.reading.ears import hearing"
    yield from (("side-effects-upstairs", f"{room}/broken.py", "import socket") for room in LOWER_ROOMS)
    yield from (("side-effects-upstairs", "stats/broken.py", f"import {name}") for name in FORBIDDEN_OUTSIDE)


BREAKS = list(_breaks())


def _contracts() -> dict[str, str]:
    """Return the contracts of the house: identifier to name."""
    parser = ConfigParser()
    parser.read(CONFIG, encoding="utf-8")
    prefix = "importlinter:contract:"
    return {s.removeprefix(prefix): parser[s]["name"] for s in parser.sections() if s.startswith(prefix)}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("house")
    only_code = shutil.ignore_patterns("__pycache__", "*.json", "*.safetensors", "*.parquet", "*.yaml", "*.pyc")
    shutil.copytree(ROOT / "src" / "turnwise", root / "turnwise", ignore=only_code)
    shutil.copy(CONFIG, root / ".importlinter")
    return root


@contextmanager
def _broken(copy: Path, name: str, line: str) -> Iterator[None]:
    path = copy / "turnwise" / name
    assert not path.exists()
    path.write_text(line + "\n", encoding="utf-8")
    try:
        yield
    finally:
        path.unlink()


LINTER = """
import contextlib, io, json, sys
from importlinter.cli import lint_imports
for asked in sys.stdin:
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        code = lint_imports(limit_to_contracts=tuple(json.loads(asked)), cache_dir=".read_before", no_logo=True)
    print(json.dumps([code, told.getvalue()]), flush=True)
"""
"""A process of its own, where ``turnwise`` is the copy; one for all breaks, which reads again only what changed."""

Lint = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def lint(copy: Path) -> Iterator[Lint]:
    """Check the copy as it is now, whole or only some contracts; returns the exit code and what was printed."""
    # COLUMNS keeps the names of contracts on one line; the copy has to be found before the real package.
    env = {**os.environ, "PYTHONPATH": str(copy), "COLUMNS": "250", "PYTHONDONTWRITEBYTECODE": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", LINTER], cwd=copy, env=env, text=True, bufsize=1, **pipes) as linter:
        assert linter.stdin is not None
        assert linter.stdout is not None

        def check(*contracts: str) -> tuple[int, str]:
            linter.stdin.write(json.dumps(contracts) + "\n")
            code, out = json.loads(linter.stdout.readline())
            return code, out

        yield check
        linter.stdin.close()


def test_the_house_as_it_stands_keeps_every_contract(lint: Lint) -> None:
    code, out = lint()
    assert code == 0, out
    for name in _contracts().values():
        assert f"{name} KEPT" in out


@pytest.mark.parametrize(("contract", "name", "line"), BREAKS)
def test_breaking_a_contract_is_seen(copy: Path, lint: Lint, contract: str, name: str, line: str) -> None:
    with _broken(copy, name, line):
        code, out = lint(contract)
    assert code == 1, out
    assert f"{_contracts()[contract]} BROKEN" in out


def test_every_contract_is_broken_at_least_once() -> None:
    assert {contract for contract, _, _ in BREAKS} == set(_contracts())


def test_every_room_has_its_place() -> None:
    there = {p.parent.name for p in (ROOT / "src" / "turnwise").glob("*/__init__.py")}
    assert there == set(ROOMS)


def test_a_door_of_the_engine_may_use_the_network(copy: Path, lint: Lint) -> None:
    with _broken(copy, "engine/broken.py", "import socket"):
        code, out = lint()
    assert code == 0, out
