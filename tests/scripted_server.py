"""An OpenAI-compatible server on the loopback that does what a test tells it to: answers, and every kind of fault."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Scripted", "chat_reply", "listening", "plain_therapist"]

Script = Callable[[int, dict[str, Any]], Any]
"""From the number of the request (0-based) and its body to what is done: see :class:`Scripted`."""


def plain_therapist(number: int, body: dict[str, Any]) -> str:
    """Answer from the request alone, so that the same request always gets the same words."""
    last = body["messages"][-1]["content"] if body["messages"] else ""
    return f"You said {len(last.split())} words. What matters most in that? ({len(body['messages'])})"


def chat_reply(text: Any, model: str, tokens: tuple[int, int] = (11, 7)) -> dict[str, Any]:
    """Return a chat completion in the shape of the OpenAI API."""
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536
    server: Scripted

    def _send(self, body: bytes, code: int = 200, **headers: str) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        number = self.server.note(body, dict(self.headers))
        what = self.server.script(number, body)
        if isinstance(what, float):  # so many seconds of silence, then a reply
            time.sleep(what)
            what = plain_therapist(number, body)
        if isinstance(what, int):  # a status
            self._send(json.dumps({"error": {"message": f"scripted {what}", "type": "scripted"}}).encode(), what)
        elif isinstance(what, bytes):  # a body as it is
            self._send(what)
        elif what is None:  # promise more than is sent, and hang up
            self.send_response(200)
            self.send_header("content-length", "4000")
            self.end_headers()
            self.wfile.write(b'{"id": "scripted", "choices": [{"ind')
            self.wfile.flush()
            self.close_connection = True
        elif isinstance(what, tuple):  # a status, the message that comes with it, and headers if there are any
            more: dict[str, str] = what[2] if len(what) > 2 else {}
            self._send(json.dumps({"error": {"message": what[1]}}).encode(), what[0], **more)
        else:
            self._send(json.dumps(chat_reply(what, body["model"])).encode())

    def log_message(self, *args: object) -> None:
        pass


class Scripted(ThreadingHTTPServer):
    """Notes every request and answers by ``script``.

    The script returns words, or an ``int`` (that status), ``(status, message)`` and perhaps headers, a ``float`` (so
    many seconds, then words), ``bytes`` (that body) or ``None`` (closes in the middle of the body).
    """

    request_queue_size = 256
    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._lock = threading.Lock()

    def note(self, body: dict[str, Any], headers: dict[str, str]) -> int:
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            return len(self.requests) - 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # a client that hung up is what some tests are about

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


@contextmanager
def listening(script: Script = plain_therapist) -> Iterator[Scripted]:
    """Serve ``script`` while the block runs."""
    server = Scripted(script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
