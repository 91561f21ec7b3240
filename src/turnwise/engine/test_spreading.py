"""Jobs that are spread over processes are kept here, once each; faults end all of them, and nobody is left over."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import UsageError
from turnwise.engine.spreading import Spread, processes_for
from turnwise.engine.stage import Job, Keep, Plain

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks")


class Lending:
    """Notes when what is shared was lent and given back."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    @contextmanager
    def __call__(self) -> Iterator[None]:
        self.seen.append("lent")
        yield
        self.seen.append("back")


def spread(does: Any, jobs: int, processes: int, together: int, keep: Keep, lending: Lending) -> None:
    """Play ``jobs`` jobs that each do ``does(number, keep)``."""

    def job(number: int) -> Job:
        async def play(keep: Keep) -> None:
            await does(number, keep)

        return Job(str(number), "m", play, keep)

    stage = Spread(Plain(), processes, lending)
    asyncio.run(stage.run((job(n) for n in range(jobs)), together))


async def named(number: int, keep: Keep) -> None:
    await asyncio.sleep(0.01)
    keep((number, os.getpid()))


def test_each_job_is_kept_once_and_here_and_the_share_of_each_process_is_even() -> None:
    kept: list[tuple[int, int]] = []
    lending = Lending()
    spread(named, 11, 3, 6, kept.append, lending)
    assert sorted(number for number, _ in kept) == list(range(11))
    who = {pid: [n for n, p in kept if p == pid] for _, pid in kept}
    assert sorted(map(len, who.values())) == [3, 4, 4]
    assert os.getpid() not in who
    assert lending.seen == ["lent", "back"]
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(("jobs", "processes", "together"), [(5, 1, 4), (1, 3, 4), (5, 3, 1), (0, 3, 4)])
def test_what_one_process_can_do_is_done_here(jobs: int, processes: int, together: int) -> None:
    kept: list[tuple[int, int]] = []
    lending = Lending()
    spread(named, jobs, processes, together, kept.append, lending)
    assert {pid for _, pid in kept} <= {os.getpid()}
    assert len(kept) == jobs
    assert not lending.seen, "nothing is lent where nobody borrows"


def test_at_most_so_many_at_a_time_in_all(tmp_path: Path) -> None:
    async def counted(number: int, keep: Keep) -> None:
        mark = tmp_path / str(number)
        mark.touch()
        keep(len(list(tmp_path.iterdir())))
        await asyncio.sleep(0.03)
        mark.unlink()

    seen: list[int] = []
    spread(counted, 20, 2, 3, seen.append, Lending())
    assert len(seen) == 20
    assert max(seen) <= 3


@pytest.mark.parametrize("where", ["there", "here", "bug", "killed"])
def test_the_first_fault_ends_all_and_is_raised(where: str) -> None:
    async def does(number: int, keep: Keep) -> None:
        if number != 1:
            keep(number)
            await asyncio.sleep(60)
        if where == "there":
            raise UsageError("run.json: the disk is full.")
        if where == "bug":
            raise ZeroDivisionError("by zero")
        if where == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        keep(number)
        await asyncio.sleep(60)

    def keep(number: int) -> None:
        if number == 1:
            raise UsageError("trajectories.jsonl: the disk is full.")

    expected = {
        "there": (UsageError, r"^run.json: the disk is full.$"),
        "here": (UsageError, r"^trajectories.jsonl: the disk is full.$"),
        "bug": (RuntimeError, "ZeroDivisionError: by zero"),
        "killed": (UsageError, r"ended \(exit code -9\); run the same command again"),
    }[where]
    lending = Lending()
    with pytest.raises(expected[0], match=expected[1]):
        spread(does, 4, 2, 4, keep, lending)
    assert not multiprocessing.active_children()


def test_a_few_sessions_are_not_spread() -> None:
    assert [processes_for(n) for n in (0, 1, 24)] == [1, 1, 1]
    assert 1 <= processes_for(1000) <= min(4, os.cpu_count() or 1)
