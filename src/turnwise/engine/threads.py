"""Calls in threads of their own, which the end of the program does not wait for: what hangs may hang."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

__all__ = ["in_thread"]

T = TypeVar("T")


async def in_thread(call: Callable[[], T]) -> T:
    """Return what ``call`` returns or raise what it raises, from a daemon thread; the loop goes on meanwhile.

    It is no pool: whoever calls decides how many there may be at a time. What is cancelled goes on to its end, unheard.

    Raises
    ------
    RuntimeError : in place of what no future can hold (``SystemExit``, ``StopIteration``), with its name.

    Examples
    --------
    >>> asyncio.run(in_thread(lambda: 4))
    4
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, fault: BaseException | None) -> None:
        if not future.done():  # the session may have been given up meanwhile
            future.set_exception(fault) if fault is not None else future.set_result(result)  # type: ignore[arg-type]

    def work() -> None:
        result: T | None = None
        fault: BaseException | None = None
        try:
            result = call()
        except BaseException as raised:  # SystemExit and the like of a bot must not end the run either
            # A future cannot hold a StopIteration.
            plain = isinstance(raised, Exception) and not isinstance(raised, StopIteration)
            fault = raised if plain else RuntimeError(type(raised).__name__)
        with suppress(RuntimeError):  # the run is over and its loop is closed
            loop.call_soon_threadsafe(settle, result, fault)

    threading.Thread(target=work, daemon=True).start()
    return await future
