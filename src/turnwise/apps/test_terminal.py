"""A terminal that is narrow, or a stream that is not UTF-8, costs signs but never a number, a word or the exit code."""

from __future__ import annotations

import io
import json
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console
from rich.table import Table

from turnwise.apps.cli import main
from turnwise.apps.terminal import bare_table, print_table

SESSION = {
    "id": "s",
    "turns": [{"speaker": "therapist", "text": "Née 你 → how?"}, {"speaker": "client", "text": "↓ low"}],
}


class _Ran(NamedTuple):
    code: object
    out: bytes
    err: str


def _ran(folder: Path, encoding: str, *arguments: str, columns: int = 80) -> _Ran:
    """Run a command with streams of that encoding; a traceback is one, as nothing catches it here."""
    out, err = (TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True) for _ in range(2))
    code: object = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("COLUMNS", str(columns))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            main(list(arguments))
        except SystemExit as done:
            code = done.code
    return _Ran(code or 0, out.buffer.getvalue(), err.buffer.getvalue().decode(encoding))


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scored")
    (folder / "a.jsonl").write_text(json.dumps(SESSION) + "\n" + json.dumps({**SESSION, "id": "t", "source": "b"}))
    done = _ran(folder, "cp1252", "score", "a.jsonl", "--out", "run")
    assert done.code == 0, done.err
    assert b"share ^" in done.out
    assert b"report: run" in done.out
    return folder


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "run"),
        ("show", "run", "s"),
        ("show", "reflection_share"),
        ("compare", "run", "--group", "imported", "--group", "b", "--margin", "1"),
        ("explain", "run", "s", "1"),
        ("import", "a.jsonl", "--explain"),
        ("list",),
        ("patients", "show", "alun"),
        ("doctor",),
    ],
)
def test_any_encoding_is_enough(scored: Path, encoding: str, arguments: tuple[str, ...]) -> None:
    done = _ran(scored, encoding, *arguments)
    assert done.code == 0, done.err
    assert done.out.decode(encoding)


def test_json_loses_no_character(scored: Path) -> None:
    done = _ran(scored, "cp1252", "show", "run", "s", "--json")
    assert json.loads(done.out)["turns"][0]["text"] == "Née 你 → how?"
    assert "Née 你" in _ran(scored, "utf-8", "show", "run", "s", "--json").out.decode()


def test_name_of_a_file_that_is_no_text_is_no_traceback(scored: Path) -> None:
    name = os.fsdecode(b"caf\xe9.jsonl")
    (scored / name).write_text(json.dumps(SESSION))
    for asked in (["import", name, "--explain"], ["import", name, "--to", f"{name}.x"], ["import", f"{name}.absent"]):
        done = _ran(scored, "utf-8", *asked)
        assert done.code == (2 if "absent" in asked[1] else 0)


def _table() -> Table:
    table = bare_table()
    table.add_column("source", no_wrap=True)
    table.add_column("reflection\nshare", justify="right")
    table.add_column("", justify="right")
    table.add_row("imported", ".50\n.10–.90", "n 3")
    table.add_row("b", "–", "")
    return table


@pytest.mark.parametrize("width", [10, 20, 22, 30, 80])
def test_narrow_terminal_cuts_no_number(width: int) -> None:
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False)
    print_table(console, _table())
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "…" not in text
    assert {".50", ".10–.90", "3"} <= set(text.replace(",", " ").split())


def test_rows_below_each_other() -> None:
    console = Console(file=io.StringIO(), width=22, highlight=False, markup=False)
    print_table(console, _table())
    assert console.file.getvalue().splitlines() == [  # type: ignore[attr-defined]
        "source: imported",
        "  reflection share: ",
        ".50, .10–.90",
        "  n 3",
        "source: b",
        "  reflection share: –",
    ]


def test_score_at_thirty_columns(scored: Path) -> None:
    shown = _ran(scored, "utf-8", "show", "run", columns=30).out.decode()
    assert "source: imported" in shown
    assert "reflection share ↑:" in shown
