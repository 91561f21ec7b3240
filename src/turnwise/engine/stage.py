"""Where sessions and replies are played: so many at a time, each whatever happens to the others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from turnwise.core.nouns import Trajectory

__all__ = ["Door", "Job", "Keep", "Plain", "Stage"]

Keep = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to play: its name in the run, who speaks in it, and how. What it returns may be logged.

    ``play`` hands what is to be stored to ``keep`` the moment it is there; it may be played in another process than
    it is kept in.
    """

    id: str
    therapist: str
    play: Callable[[Keep], Awaitable[Trajectory | None]]
    keep: Keep
    private: bool = False
    """What is sent to a model in it tells of the case: nothing of it may be logged."""

    async def played(self) -> Trajectory | None:
        """Play it, and keep what comes of it."""
        return await self.play(self.keep)


class Door:
    """Lets sessions of the running loop begin one after another, each when the loop is nearly at rest.

    A loop divides its time among all that are ready. Sessions that begin together would be worked on together at every
    turn, so that all of their calls went out late; begun apart, each is worked on alone while the others wait for
    their answers. Nobody waits longer than ``most_s`` for the one before.
    """

    def __init__(self, most_s: float = 0.25) -> None:
        self._free, self._most_s = asyncio.Lock(), most_s

    def through(self, job: Job) -> Job:
        """Return ``job`` as one that begins in its turn."""

        async def play(keep: Keep) -> Trajectory | None:
            async with self._free:
                await self._at_rest()
            return await job.play(keep)

        return replace(job, play=play)

    async def _at_rest(self) -> None:
        last = time.monotonic() + self._most_s
        while (now := time.monotonic()) < last:
            used = time.thread_time()
            await asyncio.sleep(_GLANCE_S)
            if time.thread_time() - used < (time.monotonic() - now) / 2:
                return


_GLANCE_S = 0.002


class Stage(Protocol):
    """Plays jobs. What a job says never depends on the stage."""

    async def run(self, jobs: Iterable[Job], concurrency: int) -> None:
        """Play ``jobs``, at most ``concurrency`` at a time; the first fault of a job cancels the rest and is raised."""
        ...


class Plain:
    """Plays jobs as tasks of the running loop. Jobs are taken from the iterable as room becomes free."""

    async def run(self, jobs: Iterable[Job], concurrency: int) -> None:
        """Play ``jobs``, at most ``concurrency`` at a time."""
        waiting = iter(jobs)

        async def worker() -> None:
            for job in waiting:
                await job.played()

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, concurrency)):
                    group.create_task(worker())
        except* Exception as faults:
            raise faults.exceptions[0] from None
