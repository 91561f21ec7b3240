"""A bot on this machine that does as a test tells it: answers, refuses, hangs, breaks off; and a patient for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from turnwise.core.nouns import Case, Intake, Reply, Trajectory, Transcript
from turnwise.engine.asking import Asking
from turnwise.engine.running import Options, play_study
from turnwise.engine.store import RunFolder
from turnwise.engine.study import Cast, Study

__all__ = ["INTAKE", "QUICK", "TURNS", "Answerer", "Asked", "Bot", "Does", "completion", "played"]

QUICK = Asking(timeout_s=5, attempts=3, pause_s=0.001)
INTAKE = Intake(age=71, gender="man", referral="Sleeps badly.")
TURNS = 3


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    document: dict[str, Any]
    raw: bytes


@dataclass(frozen=True)
class Does:
    """What the bot does with a request: a status, headers and a body; or one of the ways not to answer."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    breaks_off: bool = False


def completion(text: Any, **more: Any) -> Does:
    """Answer as an OpenAI chat completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return Does(json.dumps({"object": "chat.completion", "choices": [choice], **more}).encode())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536
    server: _Server

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        asked = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(raw), raw)
        with self.server.lock:
            self.server.asked.append(asked)
            number = len(self.server.asked) - 1
        does = self.server.script(number, asked)
        if does.hangs:
            self.server.let_go.wait(30)
            self.close_connection = True
            return
        self.send_response(does.status)
        for name, value in does.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(does.body) + (100 if does.breaks_off else 0)))
        self.end_headers()
        self.wfile.write(does.body)
        self.close_connection = does.breaks_off

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True
    script: Callable[[int, Asked], Does]
    asked: list[Asked]
    lock: threading.Lock
    let_go: threading.Event

    def handle_error(self, *_: object) -> None:
        pass  # the other side went away, as some tests want it to


class Bot:
    """``with Bot(script) as bot``: ``script`` says for the n-th request what to do; ``bot.asked`` holds all of them."""

    def __init__(self, script: Callable[[int, Asked], Does]) -> None:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.script, self._server.asked = script, []
        self._server.lock, self._server.let_go = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(0.02), daemon=True)

    @property
    def asked(self) -> list[Asked]:
        return self._server.asked

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1/chat/completions"

    def __enter__(self) -> Bot:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.let_go.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Answerer:
    """A patient that says which turn it is."""

    def init(self, who: Case, rng: Any, prior: Any = None) -> None:
        return None

    async def respond(self, state: None, transcript: Transcript, rng: Any) -> Reply[None]:
        return Reply(f"patient turn {len(transcript)}", None)


def played(folder: Path, therapist: Any, epochs: int = 1, **options: Any) -> list[Trajectory]:
    study = Study(therapists=("bot",), patients=("p.v1:x",), seed=3, epochs=epochs, turns=TURNS, versions={})
    case = Case(id="x", intake=INTAKE, truth={}, source="test", licence="test")
    cast = Cast({"bot": therapist}, {"p.v1": Answerer()}, {"x": case})
    run = RunFolder(folder)
    play_study(study, run, Options(**options), cast=cast)
    return list(run.sessions())
