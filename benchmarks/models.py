"""A hundred sessions at once against an endpoint that takes a second: how much of the time is ours?

    python benchmarks/models.py [--sessions 100] [--turns 10] [--seconds 1.0] [--no-log]

The endpoint is a scripted server in a process of its own on the loopback. Printed: wall time against the ideal (turns x
seconds), our own CPU for each turn (patient, loop, recording, Inspect's client and log), and the ceiling: turns a
second of one process when the endpoint answers at once.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

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


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(seconds: float, sessions: int, turns: int, log: bool) -> tuple[float, float, int]:
    """Return wall and CPU seconds of playing, and how many turns were answered."""
    from model_studies import IMPATIENT, played, small_study

    ready: multiprocessing.Queue[int] = multiprocessing.Queue()
    process = multiprocessing.Process(target=serve, args=(seconds, ready), daemon=True)
    process.start()
    os.environ["LOOP_BASE_URL"] = f"http://127.0.0.1:{ready.get()}/v1"
    os.environ["LOOP_API_KEY"] = "none"
    study = small_study(patients=("alun", "keisha"), epochs=(sessions + 1) // 2, turns=turns, calls=IMPATIENT)
    with TemporaryDirectory() as folder:
        wall, used = time.perf_counter(), cpu()
        found = played(study, Path(folder) / "run", concurrency=sessions, log=log)
        wall, used = time.perf_counter() - wall, cpu() - used
    process.terminate()
    failed = [t.error for t in found if t.ending == "error"]
    if failed:
        print(f"{len(failed)} of {len(found)} sessions failed, e.g.: {failed[0]}")
    return wall, used, sum(turn.speaker == "therapist" for t in found for turn in t.turns)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--sessions", type=int, default=100)
    asked.add_argument("--turns", type=int, default=10)
    asked.add_argument("--seconds", type=float, default=1.0)
    asked.add_argument("--log", action=argparse.BooleanOptionalAction, default=True)
    given = asked.parse_args()
    measured(0.0, 2, 2, given.log)  # imports, encoder, first connections
    wall, used, turns = measured(given.seconds, given.sessions, given.turns, given.log)
    ideal = given.turns * given.seconds
    print(f"{given.sessions} sessions of {given.turns} turns at once, {given.seconds:g} s a call, log: {given.log}")
    print(f"  wall {wall:.2f} s, ideal {ideal:.2f} s: {wall / ideal:.2f} times")
    print(f"  our CPU {used:.2f} s for {turns:,} turns: {1000 * used / turns:.2f} ms a turn")
    wall, used, turns = measured(0.0, given.sessions, given.turns, given.log)
    print(f"  ceiling: {turns / wall:,.0f} turns a second of one process when the endpoint answers at once")
    print(f"  load while measuring: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
