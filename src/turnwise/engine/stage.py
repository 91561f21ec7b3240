"""Where sessions and replies are played: so many at a time, each whatever happens to the others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from turnwise.core.nouns import Trajectory

__all__ = ["Job", "Keep", "Plain", "Stage"]

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
