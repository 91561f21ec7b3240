"""Sessions come through the door one after another, and nobody is kept out for ever."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

from turnwise.engine import stage
from turnwise.engine.stage import Door, Job, Keep, Plain


@pytest.fixture
def loop_work(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Say whether the loop is at work, as its clock of CPU time would."""
    work = SimpleNamespace(now=False)
    clock = SimpleNamespace(monotonic=time.monotonic, thread_time=lambda: time.monotonic() if work.now else 0.0)
    monkeypatch.setattr(stage, "time", clock)
    return work


def begun(door: Door | None, work: Any, *, rests: bool) -> list[str]:
    """Play three jobs together, each of which works, and rests before it ends; return what happened in which order."""
    seen: list[str] = []

    def job(name: str) -> Job:
        async def play(keep: Keep) -> None:
            seen.append(f"{name} begins")
            work.now = True
            await asyncio.sleep(0.02)
            work.now = not rests
            seen.append(f"{name} rests")
            await asyncio.sleep(0.1)
            keep(name)

        made = Job(name, "m", play, lambda name: seen.append(f"{name} kept"))
        return made if door is None else door.through(made)

    async def run() -> None:
        await Plain().run([job(name) for name in "abc"], 3)

    asyncio.run(run())
    return seen


def test_a_session_begins_when_the_one_before_waits_for_its_answer(loop_work: SimpleNamespace) -> None:
    assert begun(None, loop_work, rests=True)[:3] == ["a begins", "b begins", "c begins"]
    assert begun(Door(), loop_work, rests=True)[:5] == ["a begins", "a rests", "b begins", "b rests", "c begins"]


def test_a_loop_that_never_rests_keeps_nobody_out(loop_work: SimpleNamespace) -> None:
    seen = begun(Door(most_s=0.01), loop_work, rests=False)
    assert sorted(s for s in seen if s.endswith("kept")) == ["a kept", "b kept", "c kept"]


def test_what_was_asked_is_kept_under_its_own_name() -> None:
    job = Job("4/ladder", "m", lambda keep: asyncio.sleep(0), print, private=True)
    told = Door().through(job)
    assert (told.id, told.therapist, told.private, told.keep) == ("4/ladder", "m", True, print)
