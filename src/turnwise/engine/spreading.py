"""Whole sessions in several processes: for many at a time, when one processor is not enough.

Each process plays its share as one process would play all of it, and what is to be stored goes back to the one that
began them: one store, one progress bar, one recording. They are forked, so that nothing is imported or read twice.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Literal

from threadpoolctl import threadpool_limits

from turnwise.core.errors import TurnwiseError, UsageError
from turnwise.engine.forking import Lifeline, expected_threads, lifeline, live_with, processors
from turnwise.engine.stage import Job, Stage

__all__ = ["Spread", "processes_for"]

_WORTH_IT = 25  # sessions at a time that give one process enough to do, where a call takes a second or more
_GRACE_S = 10.0
_Said = tuple[Literal["keep", "fault", "end"], Any]


def processes_for(together: int) -> int:
    """Return how many processes are worth their while for so many sessions at a time; one where none can be forked.

    Examples
    --------
    >>> processes_for(20)
    1
    """
    return max(1, min(processors(), together // _WORTH_IT))


class Spread:
    """Plays jobs on the stage ``inner`` of each of ``processes`` processes.

    ``lent`` is open while they play: what they share with this one is made ready there, and read back.
    """

    def __init__(self, inner: Stage, processes: int, lent: Callable[[], AbstractContextManager[None]]) -> None:
        self._inner, self._processes, self._lent = inner, processes, lent

    async def run(self, jobs: Iterable[Job], concurrency: int) -> None:
        """Play ``jobs``, at most ``concurrency`` at a time in all; the first fault ends the other processes.

        Raises
        ------
        UsageError : a process was ended from outside.
        """
        todo = list(jobs)
        processes = min(self._processes, len(todo), max(1, concurrency))
        with ExitStack() as left:
            # Forks inherit it. A turn's products are too small to gain by threads, which would take the processors
            # from the other players: 30 ms of CPU a turn instead of 14.
            left.enter_context(threadpool_limits(limits=1))
            if processes <= 1:
                await self._inner.run(todo, concurrency)
                return
            left.enter_context(self._lent())
            line = left.enter_context(lifeline())
            players: list[_Player] = []
            left.callback(_end, players)
            for n in range(processes):
                together = len(range(n, max(1, concurrency), processes))
                players.append(_Player(self._inner, todo[n::processes], together, line))
            try:
                async with asyncio.TaskGroup() as group:
                    for player in players:
                        group.create_task(player.listen())
            except* Exception as faults:
                raise faults.exceptions[0] from None


class _Player:
    """One forked process and its share of the jobs."""

    def __init__(self, inner: Stage, jobs: Sequence[Job], together: int, line: Lifeline) -> None:
        self._jobs, self._played = jobs, False
        fork = multiprocessing.get_context("fork")
        self._heard, said = fork.Pipe(duplex=False)
        self._process = fork.Process(target=_play, args=(inner, jobs, together, said, line), daemon=True)
        with expected_threads():
            self._process.start()
        said.close()

    async def listen(self) -> None:
        """Keep what is to be kept until the share is played; raise what went wrong."""
        while True:
            kind, what = await self._next()
            if kind == "end":
                self._played = True
                return
            if kind == "fault":
                raise what
            number, thing = what
            self._jobs[number].keep(thing)

    async def _next(self) -> _Said:
        loop = asyncio.get_running_loop()
        there: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._heard.fileno(), lambda: None if there.done() else there.set_result(None))
        try:
            await there
        finally:
            loop.remove_reader(self._heard.fileno())
        try:
            said: _Said = self._heard.recv()
        except (EOFError, OSError):
            self._process.join(_GRACE_S)
            raise UsageError(
                f"a process that played sessions was ended (exit code {self._process.exitcode}); run the same command "
                "again: it plays what is missing."
            ) from None
        return said

    def stop(self) -> None:
        """Ask the process to end if it still plays."""
        if not self._played:
            self._process.terminate()

    def close(self) -> None:
        """See the process end, at any rate."""
        self._process.join(_GRACE_S)
        self._process.kill()
        self._process.join()
        self._process.close()
        self._heard.close()


def _end(players: Sequence[_Player]) -> None:
    for player in players:
        player.stop()
    for player in players:
        player.close()


# --- in the forked process --------------------------------------------------------------------------


def _play(inner: Stage, jobs: Sequence[Job], together: int, said: Connection, line: Lifeline) -> None:
    live_with(line)

    def keep(number: int, thing: Any) -> None:
        said.send(("keep", (number, thing)))

    ours = [replace(job, keep=partial(keep, number)) for number, job in enumerate(jobs)]
    with suppress(OSError):  # nobody listens any more
        try:
            asyncio.run(_until_ended(inner.run(ours, together)))
        except TurnwiseError as fault:
            said.send(("fault", UsageError(str(fault))))
        except (KeyboardInterrupt, asyncio.CancelledError):
            pass
        except Exception as fault:
            said.send(("fault", RuntimeError(f"{type(fault).__name__}: {fault}")))
        else:
            said.send(("end", None))


async def _until_ended(playing: Any) -> None:
    task = asyncio.ensure_future(playing)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await task
