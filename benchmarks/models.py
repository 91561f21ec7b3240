"""A hundred sessions at once against an endpoint that takes a second: how much of the time is ours?

    python benchmarks/models.py [--sessions 100] [--turns 10] [--seconds 1.0] [--processes 0] [--no-log] [--count]

The endpoint is a server in a process of its own on the loopback. Printed: wall time against the ideal (turns times
seconds); CPU for each turn of this process and of those that play beside it; the
ceiling, turns a second when the endpoint answers at once; and, beside it, what Inspect alone needs for a call with as
many messages as half a session has (Inspect's ceiling), so that what is left is ours: patient, loop, recording, log.
Last stands how long a fixed loop takes on this machine now: look at it, and at the load, before comparing figures.
``--count`` prints one figure that no load changes: the functions called for a turn.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import multiprocessing
import os
import pstats
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def serve(seconds: float, ready: Any) -> None:
    """Answer every call after ``seconds``; asyncio, so that hundreds of open calls cost nothing."""
    from scripted_server import chat_reply, plain_therapist

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        import json

        while line := await reader.readline():
            length = 0
            while (header := await reader.readline()) not in (b"\r\n", b""):
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            body = json.loads(await reader.readexactly(length))
            if not line.startswith(b"POST"):
                break
            await asyncio.sleep(seconds)
            said = json.dumps(chat_reply(plain_therapist(0, body), "m")).encode()
            head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(said)}\r\n\r\n"
            writer.write(head.encode() + said)
            await writer.drain()
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024)
        ready.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


def cpu(whose: int = resource.RUSAGE_SELF) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def fixed_loop() -> float:
    """Return the seconds of twenty million empty steps at module level; about 1.1 on an idle core of usual speed."""
    began = time.perf_counter()
    exec(compile("for step in range(5_000_000): pass", "fixed loop", "exec"), {})
    return 4 * (time.perf_counter() - began)


@contextmanager
def endpoint(seconds: float) -> Iterator[None]:
    """Run the server and name it in the environment."""
    ready: multiprocessing.Queue[int] = multiprocessing.Queue()
    process = multiprocessing.Process(target=serve, args=(seconds, ready), daemon=True)
    process.start()
    os.environ["LOOP_BASE_URL"] = f"http://127.0.0.1:{ready.get()}/v1"
    os.environ["LOOP_API_KEY"] = "none"
    try:
        yield
    finally:
        process.terminate()


class Measured(NamedTuple):
    """Wall and CPU seconds of playing, here and in other processes, and how many turns were answered."""

    wall: float
    used: float
    elsewhere: float
    turns: int


def measured(seconds: float, sessions: int, turns: int, log: bool, processes: int = 1) -> Measured:
    """Play, and return what it took."""
    from model_studies import IMPATIENT, played, small_study

    study = small_study(patients=("alun", "keisha"), epochs=(sessions + 1) // 2, turns=turns, calls=IMPATIENT)
    with endpoint(seconds), TemporaryDirectory() as folder:
        wall, used, elsewhere = time.perf_counter(), cpu(), cpu(resource.RUSAGE_CHILDREN)
        found = played(study, Path(folder) / "run", concurrency=sessions, log=log, processes=processes)
        wall, used = time.perf_counter() - wall, cpu() - used
        elsewhere = cpu(resource.RUSAGE_CHILDREN) - elsewhere
    failed = [t.error for t in found if t.ending == "error"]
    if failed:
        print(f"{len(failed)} of {len(found)} sessions failed, e.g.: {failed[0]}")
    return Measured(wall, used, elsewhere, sum(turn.speaker == "therapist" for t in found for turn in t.turns))


def inspect_alone(calls: int, together: int, turns: int) -> tuple[float, float]:
    """Return calls a second and CPU seconds a call of Inspect's model API, with nothing of ours but the words."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model

    said = "I have been lying awake again. It is the mornings, mostly, and then I go to the library."

    async def ask() -> tuple[float, float]:
        model = get_model("openai-api/loop/m", config=GenerateConfig(max_connections=together), memoize=False)
        waiting = iter(range(calls))

        async def worker() -> None:
            for number in waiting:
                chat: list[Any] = [ChatMessageSystem(content=said * 4), ChatMessageUser(content="Begin.")]
                for _ in range(turns // 2):
                    chat += [ChatMessageAssistant(content=said), ChatMessageUser(content=said)]
                await model.generate(chat, config=GenerateConfig(seed=number))

        wall, used = time.perf_counter(), cpu()
        await asyncio.gather(*(worker() for _ in range(together)))
        wall, used = time.perf_counter() - wall, cpu() - used
        await model.api.aclose()
        return calls / wall, used / calls

    with endpoint(0.0):
        return asyncio.run(ask())


def steps_a_turn(sessions: int, turns: int, log: bool) -> float:
    """Return how many functions are called for a turn in one process: the same on a loaded machine."""
    profile = cProfile.Profile()
    profile.enable()
    took = measured(0.0, sessions, turns, log)
    profile.disable()
    return float(pstats.Stats(profile).total_calls) / took.turns  # type: ignore[attr-defined]


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--sessions", type=int, default=100)
    asked.add_argument("--turns", type=int, default=10)
    asked.add_argument("--seconds", type=float, default=1.0)
    asked.add_argument("--processes", type=int, default=0, help="0: as many as turnwise run would take")
    asked.add_argument("--log", action=argparse.BooleanOptionalAction, default=True)
    asked.add_argument("--count", action="store_true", help="only count the functions called for a turn")
    given = asked.parse_args()
    from turnwise.engine.spreading import processes_for

    how = (given.sessions, given.turns, given.log, given.processes)
    before = fixed_loop()
    measured(0.0, 2, 2, given.log)  # imports, encoder, first connections
    if given.count:
        print(f"{steps_a_turn(given.sessions, given.turns, given.log):,.0f} functions called a turn, in one process")
        return 0
    took = measured(given.seconds, *how)
    ideal = given.turns * given.seconds
    print(
        f"{given.sessions} sessions of {given.turns} turns at once, {given.seconds:g} s a call, log: {given.log}, "
        f"processes: {given.processes or processes_for(given.sessions)}"
    )
    print(f"  wall {took.wall:.2f} s, ideal {ideal:.2f} s: {took.wall / ideal:.2f} times")
    here, there = 1000 * took.used / took.turns, 1000 * took.elsewhere / took.turns
    print(f"  CPU a turn: {here:.2f} ms here, {there:.2f} ms in processes that play ({took.turns:,} turns)")
    most = measured(0.0, *how)
    print(f"  ceiling: {most.turns / most.wall:,.0f} turns a second when the endpoint answers at once")
    rate, each = inspect_alone(4 * given.sessions, given.sessions, given.turns)
    print(f"  Inspect alone: {rate:,.0f} calls a second, {1000 * each:.2f} ms of CPU a call")
    print(f"  fixed loop: {before:.2f} s before, {fixed_loop():.2f} s after", end="; ")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
