"""What one client of ``turnwise serve`` may take of all: bytes, time, a thread; and which pages may ask at all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from turnwise.engine.completions import Refused
from turnwise.engine.threads import in_thread

__all__ = ["Workers", "body_of", "read_in_time", "refuse_other_pages"]

T = TypeVar("T")
HEAD_S, BODY_S, REPLY_S = 10.0, 30.0, 60.0
"""Seconds for the head of a request, for its body, and for playing a session through to the reply."""
TOGETHER, WAITING = 4, 256
"""Replies that are made at a time, and requests that may wait for one."""


class Workers:
    """Makes replies in threads, a few at a time, so that the loop is free for everybody else."""

    def __init__(self, together: int = TOGETHER, waiting: int = WAITING, longest_s: float = REPLY_S) -> None:
        self._gate, self._waiting, self._longest_s = asyncio.Semaphore(together), waiting, longest_s
        self._asked = 0

    async def answer(self, asking: Callable[[], Awaitable[T]]) -> T:
        """Return what ``asking`` comes to, in a loop and a thread of its own.

        Raises
        ------
        Refused : too many are waiting, or it takes too long; what was played through is kept for the next request.
        """
        if self._asked >= self._waiting:
            raise Refused(503, "Too many requests wait here; ask again in a moment.", "overloaded")
        self._asked += 1
        try:
            async with self._gate:
                return await in_thread(lambda: asyncio.run(self._within(asking)))
        except TimeoutError:
            sentence = "This session is not yet played through; ask again, it goes on from where it was."
            raise Refused(503, sentence, "not_yet_played") from None
        finally:
            self._asked -= 1

    async def _within(self, asking: Callable[[], Awaitable[T]]) -> T:
        async with asyncio.timeout(self._longest_s):
            return await asking()


def refuse_other_pages(request: Any) -> None:
    """Refuse what a web page of somebody else can send without asking: browsers say where a page is from.

    A server cannot tell a program from a program; who sends no ``Origin`` is let pass.

    Raises
    ------
    Refused : the page is from elsewhere, or the body is not said to be JSON.
    """
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("host", "").lower():
        raise Refused(403, "Pages of other addresses cannot use this server.", "wrong_origin")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and kind != "application/json":
        raise Refused(415, "Send the body as JSON: content-type: application/json.", "wrong_content_type")


async def body_of(request: Any, most: int) -> bytes:
    """Return the body, and stop reading where it is too large or too slow, whatever its header says.

    Raises
    ------
    Refused : it is, or two headers contradict each other on its length.
    """
    if "content-length" in request.headers and "transfer-encoding" in request.headers:
        raise Refused(400, "Give content-length or transfer-encoding, not both.", "ambiguous_length")
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise Refused(413, f"The request is larger than {most:,} bytes.", "request_too_large")
                parts.append(part)
    except TimeoutError:
        raise Refused(408, f"The request did not arrive within {BODY_S:g} s.", "request_too_slow") from None
    return b"".join(parts)


def read_in_time(head_s: float = HEAD_S) -> Any:
    """Return uvicorn's protocol with a limit on how long a connection may take to say what it asks."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class InTime(H11Protocol):
        due: asyncio.TimerHandle | None = None

        def watch(self) -> None:
            """Let the clock run unless a request is being answered."""
            if self.cycle is not None and not self.cycle.response_complete:
                self.rest()
            elif self.due is None:
                self.due = self.loop.call_later(head_s, self.transport.close)

        def rest(self) -> None:
            if self.due is not None:
                self.due.cancel()
                self.due = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.watch()

        def handle_events(self) -> None:
            super().handle_events()
            self.watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self.watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self.rest()
            super().connection_lost(exc)

    return InTime
