"""Batch what concurrent sessions ask for at the same moment, without changing a byte of the answer.

Whatever is waiting when the event loop has run every ready session is done in one block of at
most 64. The block function must give each item the same answer in any company (readings are made
in blocks padded to a fixed size for that reason), so concurrency is a matter of speed only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.window import Window

__all__ = ["BLOCK", "BatchedEar", "MicroBatcher"]

X = TypeVar("X")
Y = TypeVar("Y")
BLOCK = 64


class MicroBatcher(Generic[X, Y]):
    """Collects items from concurrent tasks and answers them a block at a time."""

    def __init__(self, block: Callable[[Sequence[X]], Sequence[Y]], size: int = BLOCK) -> None:
        self._block = block
        self._size = size
        self._waiting: list[tuple[X, asyncio.Future[Y]]] = []
        self._planned: asyncio.Handle | None = None

    async def submit(self, item: X) -> Y:
        """Return the block function's answer to ``item``; its own fault if it fails alone."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Y] = loop.create_future()
        self._waiting.append((item, future))
        if len(self._waiting) >= self._size:
            self._flush()
        elif len(self._waiting) == 1:
            self._planned = loop.call_soon(self._flush)
        return await future

    def _flush(self) -> None:
        batch, self._waiting = self._waiting, []
        if self._planned is not None:
            self._planned.cancel()  # a block that filled up early must not cut the next one short
        if not batch:
            return
        try:
            answers = self._block([item for item, _ in batch])
        except Exception:
            # One bad item must not fail its neighbours: ask one at a time, and let only the bad one fail.
            self._one_by_one(batch)
            return
        for (_, future), answer in zip(batch, answers, strict=True):
            if not future.done():
                future.set_result(answer)

    def _one_by_one(self, batch: list[tuple[X, asyncio.Future[Y]]]) -> None:
        for item, future in batch:
            if future.done():
                continue
            try:
                future.set_result(self._block([item])[0])
            except Exception as fault:
                future.set_exception(fault)


class BatchedEar:
    """An ear that hears for all sessions of a run at once."""

    def __init__(self, hear_block: Callable[[Sequence[Window]], Sequence[Hearing]]) -> None:
        self._batcher: MicroBatcher[Window, Hearing] = MicroBatcher(hear_block)

    async def hear(self, window: Window) -> Hearing:
        """Return what was heard in ``window.turn``."""
        return await self._batcher.submit(window)
