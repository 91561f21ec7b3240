"""A run folder that somebody else may write into too: nothing of ours goes where a link or a pipe leads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from turnwise.core.errors import UsageError
from turnwise.engine.store import RunFolder, replacing


@pytest.mark.parametrize("name", [".lock", ".writable"])
@pytest.mark.parametrize("there", ["a link to a file", "a link to nothing", "a pipe", "a folder"])
def test_our_own_small_files_are_never_a_link_or_a_pipe(tmp_path: Path, name: str, there: str) -> None:
    folder, other = tmp_path / "run", tmp_path / "other"
    folder.mkdir()
    if there == "a pipe":
        os.mkfifo(folder / name)
    elif there == "a folder":
        (folder / name).mkdir()
    else:
        (folder / name).symlink_to(other)
    if there == "a link to a file":
        other.write_text("kept")
    with pytest.raises(UsageError, match=rf"{name}: .*(link|no file|folder)"), RunFolder(folder).claimed():
        pass
    assert not other.exists() or other.read_text() == "kept"


def test_what_a_killed_process_left_is_used_again(tmp_path: Path) -> None:
    for name in (".lock", ".writable"):
        (tmp_path / name).write_text("")
    with RunFolder(tmp_path).claimed():
        assert not (tmp_path / ".writable").exists()


def test_a_link_in_the_place_of_what_is_being_written_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("kept")
    with replacing(tmp_path / "a") as temporary:
        pass_by = temporary
        temporary.write_text("new")
    pass_by.symlink_to(other)
    with replacing(tmp_path / "a") as temporary:
        temporary.write_text("newer")
    assert (other.read_text(), (tmp_path / "a").read_text()) == ("kept", "newer")
