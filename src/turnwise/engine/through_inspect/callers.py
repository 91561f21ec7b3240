"""Calls of a model made by several processes: for many sessions at a time, when one processor is not enough.

Sessions, patients, recording and resuming stay where they are; only the call crosses, as the port has it. Three
quarters of our CPU for a turn lie in the clients, so that a few callers carry hundreds of open sessions. Inspect's
logs then hold what was said, but not what went over the wire, which happens elsewhere.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from turnwise.core.contracts import Completion
from turnwise.core.errors import BoundaryError
from turnwise.core.nouns import Speaker, Turn
from turnwise.engine.model_settings import CallSettings
from turnwise.engine.through_inspect.caller import read_frame, write_frame

__all__ = ["Callers"]

_PROGRAM = "turnwise.engine.through_inspect.caller"
_ROOT = Path(__file__).resolve().parents[3]
_GRACE_S = 5.0


class _Caller:
    """One process, and who waits for its answers."""

    def __init__(self, told: dict[str, Any]) -> None:
        # The same package as here, whatever the current folder holds.
        path = os.pathsep.join(p for p in (str(_ROOT), os.environ.get("PYTHONPATH", "")) if p)
        self._name = told["name"]
        self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and module, no word of anybody
            [sys.executable, "-P", "-m", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into: Any = self._process.stdin
        self._out: Any = self._process.stdout
        self._waiting: dict[int, tuple[asyncio.AbstractEventLoop, asyncio.Future[dict[str, Any]]]] = {}
        self._lock, self._number, self.alive = threading.Lock(), 0, True
        self._send(told)
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def __len__(self) -> int:
        return len(self._waiting)

    async def ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[dict[str, Any]] = loop.create_future()
        with self._lock:
            self._number += 1
            number = self._number
            self._waiting[number] = (loop, future)
        try:
            if not self.alive:
                return self._gone()
            self._send({"id": number, **asked})
            return await future
        finally:
            with self._lock:
                self._waiting.pop(number, None)

    def close(self) -> None:
        """End the process; what it is doing is of no use any more."""
        self.alive = False
        with suppress(OSError):
            self._into.close()
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(_GRACE_S)
        self._out.close()

    def _send(self, content: dict[str, Any]) -> None:
        with suppress(OSError, ValueError):  # it is gone: whoever reads it says so
            write_frame(self._into, content)

    def _gone(self) -> dict[str, Any]:
        return {"fault": f"{self._name} failed: the process that makes the calls has ended"}

    def _listen(self) -> None:
        while (answer := read_frame(self._out)) is not None:
            self._give(answer["id"], answer)
        self.alive = False
        for number in list(self._waiting):
            self._give(number, self._gone())

    def _give(self, number: int, answer: dict[str, Any]) -> None:
        with self._lock:
            loop, future = self._waiting.get(number, (None, None))
        if loop is not None and future is not None:
            with suppress(RuntimeError):  # nobody waits any longer: the loop is closed
                loop.call_soon_threadsafe(lambda: None if future.done() else future.set_result(answer))


class Callers:
    """One model behind Inspect's API, asked by ``processes`` processes; they begin with the first call."""

    def __init__(
        self, name: str, settings: CallSettings, *, processes: int, speaks_as: Speaker = "therapist", slots: int = 64
    ) -> None:
        self.name = name
        self._told = {"name": name, "settings": asdict(settings), "speaks_as": speaks_as, "slots": slots}
        self._processes = max(1, processes)
        self._callers: list[_Caller] = []

    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        """Return the model's next turn.

        Raises
        ------
        BoundaryError : the call failed for good, with the reason in one sentence.
        """
        asked = {"system": system, "turns": [(t.speaker, t.text) for t in turns], "seed": seed}
        answer = await self._least_busy().ask(asked)
        if "fault" in answer:
            raise BoundaryError(answer["fault"])
        return Completion(*answer["said"])

    async def aclose(self) -> None:
        """Do nothing: the processes serve the next loop too."""

    def close(self) -> None:
        """End the processes."""
        while self._callers:
            self._callers.pop().close()

    def _least_busy(self) -> _Caller:
        for gone in [c for c in self._callers if not c.alive]:
            self._callers.remove(gone)
            gone.close()
        if len(self._callers) < self._processes:
            self._callers.append(_Caller(self._told))
            return self._callers[-1]
        return min(self._callers, key=len)
