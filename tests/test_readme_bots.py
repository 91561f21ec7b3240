"""The ten lines of the README do what it says: its code and its commands are run as they stand there."""

from __future__ import annotations

import json
import re
import shlex
import sys
import threading
from http.server import HTTPServer
from pathlib import Path

import click
import pytest

from turnwise.apps.cli import main
from turnwise.engine.store import RunFolder

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
SECTION = README.split("## Ten lines: evaluate your own bot\n")[1].split("\n## ")[0]
FUNCTION, SERVER = re.findall(r"^```python\n(.*?)^```", SECTION, re.DOTALL | re.MULTILINE)
OF_FUNCTION, OF_SERVER = re.findall(r"^turnwise (run .*)$", SECTION, re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    monkeypatch.delitem(sys.modules, "my_bot", raising=False)
    (tmp_path / "my_bot.py").write_text(FUNCTION, encoding="utf-8")
    return tmp_path


def played(folder: Path, command: str) -> list[str]:
    main([*shlex.split(command), "--out", "out"])
    sessions = list(RunFolder(folder / "out").sessions())
    assert [t.ending for t in sessions] == ["max_turns"] * 2
    assert {"gap.parquet", "report.html", "replies.jsonl", "sessions.parquet"} <= {
        p.name for p in (folder / "out").iterdir()
    }
    return [turn.text for t in sessions for turn in t.turns if turn.speaker == "therapist"]


def test_each_bot_has_about_ten_lines() -> None:
    assert len(FUNCTION.splitlines()) <= 10
    assert len([x for x in SERVER.splitlines() if x and not x.startswith(("import", "from"))]) <= 10


def test_the_function_is_played(folder: Path) -> None:
    said = played(folder, OF_FUNCTION)
    assert said[0] == "Hello. What would be good to talk about today?"
    assert said[1].startswith("So: ")


def test_the_server_is_played(folder: Path) -> None:
    names: dict[str, object] = {"__name__": "example"}
    exec(compile(FUNCTION + SERVER, "README.md", "exec"), names)
    handler: type = names["Chat"]  # type: ignore[assignment]
    handler.log_message = lambda *_: None  # type: ignore[attr-defined]
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=lambda: server.serve_forever(0.02), daemon=True)
    thread.start()
    try:
        assert "127.0.0.1:8000" in OF_SERVER
        said = played(folder, OF_SERVER.replace("127.0.0.1:8000", f"127.0.0.1:{server.server_port}"))
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert said[0] == "Hello. What would be good to talk about today?"


def test_what_a_bot_prints_is_no_part_of_the_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "my_bot.py").write_text("print('imported')\n" + FUNCTION, encoding="utf-8")

    def play(*_: object, **__: object) -> dict[str, str]:
        print("played")  # noqa: T201  # as the bot would
        return {"kind": "run"}

    monkeypatch.setattr("turnwise.engine.running.run_study", play)
    monkeypatch.setattr("turnwise.apps.commands._finish", lambda record, *_: click.echo(json.dumps(record)))
    main([*shlex.split(OF_FUNCTION), "--json"])
    out, err = capfd.readouterr()
    assert json.loads(out) == {"kind": "run"}
    assert "imported" in err
    assert "played" in err
