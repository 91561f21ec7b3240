"""No command ever puts a file in the place of a link, a pipe, a device or a socket, whatever is forced."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from turnwise.apps.cli import main
from turnwise.core.errors import UsageError
from turnwise.engine.store import plain_target, replacing

TALK = "Therapist: How are you?\nClient: Tired.\n"
KINDS = ("link", "dangling link", "pipe", "socket")


def _special(path: Path, kind: str) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as mine:
            mine.bind(path.name)
    else:
        if kind == "link":
            (path.parent / "target").write_text("precious")
        path.symlink_to("target")


COMMANDS = {
    "import": ["import", "talk.txt", "--to", "there", "--force"],
    "export": ["export", "talk.txt", "--format", "csv_table", "--out", "there", "--force"],
    "export to a corpus": ["export", "talk.txt", "--format", "convokit", "--out", "there", "--force"],
    "redact": ["redact", "talk.txt", "--out", "there", "--force"],
    "the map of redact": ["redact", "talk.txt", "--out", "other", "--map", "there", "--force"],
    "restore": ["redact", "talk.txt", "--restore", "--map", "talk.txt", "--out", "there", "--force"],
    "patients new": ["patients", "new", "anna", "--out", "there"],
    "score": ["score", "talk.txt", "--out", "there", "--force"],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_plain_file_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.txt").write_text(TALK)
    _special(tmp_path / "there", kind)
    before = {x.name: stat.S_IFMT(x.lstat().st_mode) for x in tmp_path.iterdir()}
    with pytest.raises(SystemExit) as ended:
        main(COMMANDS[command])
    said = capsys.readouterr().err.strip()
    assert ended.value.code == 2
    assert said.startswith("turnwise: there")
    assert "\n" not in said
    assert {x.name: stat.S_IFMT(x.lstat().st_mode) for x in tmp_path.iterdir()} == before
    assert kind != "link" or (tmp_path / "target").read_text() == "precious"


def test_devices_are_told_from_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="this is a device, not a plain file"):
        plain_target(Path("/dev/null"))
    (tmp_path / "file").write_text("x")
    for name in ("file", "", "absent"):
        plain_target(tmp_path / name)


def test_file_within_a_run_folder_is_not_put_in_the_place_of_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("precious")
    (tmp_path / "run.json").symlink_to("target")
    with pytest.raises(UsageError, match="this is a link"), replacing(tmp_path / "run.json") as temporary:
        temporary.write_text("x")
    assert (tmp_path / "run.json").is_symlink()
    assert (tmp_path / "target").read_text() == "precious"
