"""Work that is spread over processes comes back in order and whole; faults come back as sentences, nobody is left."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Trajectory
from turnwise.engine import scoring, side_by_side
from turnwise.engine.scoring import Scoring, score_sessions
from turnwise.engine.side_by_side import side_by_side as run
from turnwise.engine.store import RunFolder
from turnwise.engine.summary import Summary
from turnwise.engine.test_scoring import coders, many  # noqa: F401  (a fixture)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks")


@pytest.fixture(autouse=True)
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "processors", lambda: 3)


def _named(n: int) -> tuple[int, int]:
    time.sleep(0.02)  # or one process might do it all before another has begun
    return n, os.getpid()


def test_results_come_in_order_from_several_processes_that_all_end() -> None:
    found = list(run(_named, range(40)))
    assert [n for n, _ in found] == list(range(40))
    assert os.getpid() not in {pid for _, pid in found}
    assert len({pid for _, pid in found}) > 1
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(("things", "processes"), [(1, 3), (0, 3), (5, 1)])
def test_what_one_process_can_do_is_done_here(things: int, processes: int) -> None:
    assert {pid for _, pid in run(_named, range(things), processes)} <= {os.getpid()}


def test_things_are_taken_only_a_few_ahead() -> None:
    taken: list[int] = []

    def things() -> Iterator[int]:
        for n in range(100):
            taken.append(n)
            yield n

    with closing(run(_named, things())) as found:
        next(found)
        assert len(taken) <= 2 + 3 * side_by_side._AHEAD
    assert not multiprocessing.active_children()


def _fails(how: str) -> Callable[[int], int]:
    def work(n: int) -> int:
        if n == 3 and how == "sentence":
            raise FormatError("file.csv", "line 3", "has no speaker", "add one")
        if n == 3 and how == "fault":
            raise ZeroDivisionError("by three")
        if n == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return n

    return work


@pytest.mark.parametrize(
    ("how", "kind", "words"),
    [
        ("sentence", UsageError, "line 3"),
        ("fault", ZeroDivisionError, "by three"),
        ("killed", UsageError, "ended from outside"),
    ],
)
def test_what_goes_wrong_in_a_process_is_told_here(how: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        list(run(_fails(how), range(8)))
    assert not multiprocessing.active_children()


def test_scores_do_not_depend_on_the_number_of_processes(
    coders: Any,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coders("client_talk")  # a broken coder: its faults are counted whichever process met them
    monkeypatch.setattr(scoring, "_CHUNK_TURNS", 100)
    sessions: list[Trajectory] = many()
    records = []
    for processes in (1, 3):
        monkeypatch.setattr(side_by_side, "processors", lambda n=processes: n)
        folder = RunFolder(tmp_path / str(processes))
        folder.create()
        records.append(score_sessions(sessions, folder, summary=Summary(), how=Scoring(keep=True)).record())
    assert records[0] == records[1]
    assert f"failed on {len(sessions)} sessions" in str(records[0]["warnings"])
    one, three = ({p.name: p.read_bytes() for p in (tmp_path / n).iterdir()} for n in ("1", "3"))
    assert one == three
    assert {"turns.parquet", "ratings.parquet", "scores.parquet", "sessions.parquet"} < set(one)
