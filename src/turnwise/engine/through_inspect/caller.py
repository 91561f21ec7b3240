"""The other end of ``callers``: a process that makes the calls it is told of, ``python -m …through_inspect.caller``.

It reads frames from its standard input and writes frames to its standard output, until the input ends. Whatever a
library prints goes nowhere. Keys come from the environment, as ever; no frame holds one.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from typing import Any, BinaryIO

from turnwise.core.errors import BoundaryError
from turnwise.core.nouns import Turn

__all__ = ["main", "read_frame", "write_frame"]

_LENGTH = 4


def write_frame(stream: BinaryIO, content: dict[str, Any]) -> None:
    """Write one JSON object, its length before it."""
    raw = json.dumps(content).encode()
    stream.write(len(raw).to_bytes(_LENGTH, "big") + raw)
    stream.flush()


def read_frame(stream: BinaryIO) -> dict[str, Any] | None:
    """Return the next object, or ``None`` where the stream ends."""
    head = stream.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    size = int.from_bytes(head, "big")
    raw = stream.read(size)
    return json.loads(raw) if len(raw) == size else None


async def _answer(model: Any, asked: dict[str, Any], out: BinaryIO) -> None:
    turns = [Turn(speaker=speaker, text=text) for speaker, text in asked["turns"]]
    answer: dict[str, Any] = {"id": asked["id"]}
    try:
        said = await model.generate(asked["system"], turns, seed=asked["seed"])
        answer["said"] = [said.text, said.usage, said.stop, said.tokens_in, said.tokens_out, said.model]
    except BoundaryError as fault:
        answer["fault"] = str(fault)
    except Exception as fault:  # its words may repeat what was sent
        answer["fault"] = f"{model.name} failed: {type(fault).__name__}"
    write_frame(out, answer)


async def _work(told: dict[str, Any], into: BinaryIO, out: BinaryIO) -> None:
    from turnwise.engine.model_settings import CallSettings
    from turnwise.engine.sweeping import swept_rarely
    from turnwise.engine.through_inspect.port import InspectModel

    model = InspectModel(
        told["name"], CallSettings(**told["settings"]), speaks_as=told["speaks_as"], slots=told["slots"]
    )
    loop, under_way = asyncio.get_running_loop(), set()

    def begin(asked: dict[str, Any]) -> None:
        task = loop.create_task(_answer(model, asked, out))
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    def listen() -> None:
        while (asked := read_frame(into)) is not None:
            loop.call_soon_threadsafe(begin, asked)
        os._exit(0)  # who asked is gone, and what is under way is of no use to anybody

    threading.Thread(target=listen, daemon=True).start()
    with swept_rarely():
        await asyncio.Event().wait()


def main() -> None:
    """Serve one asker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asked, who then closes our input
    into, out = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    told = read_frame(into)
    if told is not None:
        asyncio.run(_work(told, into, out))


if __name__ == "__main__":
    main()
