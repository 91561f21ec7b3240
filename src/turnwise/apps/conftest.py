"""What the tests of the command line share: the command line itself, run in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from turnwise.apps.cli import main

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Cli:
    """Run ``turnwise`` with arguments; returns exit code, stdout and stderr, and there is never a traceback."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        try:
            main([str(a) for a in arguments])
            code: object = 0
        except SystemExit as done:
            code = done.code
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return int(code or 0), out, err  # type: ignore[call-overload]

    return run
