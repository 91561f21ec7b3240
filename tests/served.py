"""``turnwise serve`` on a free port of loopback, for the tests of what it answers and of what it refuses."""

from __future__ import annotations

import threading
from typing import Any

import httpx2
import uvicorn

from turnwise.apps.serving import listening

__all__ = ["HELLO", "Server"]

HELLO = {"model": "patient/renata", "messages": [{"role": "user", "content": "Hello. What brings you here?"}]}


class Server:
    """The application on a free port of loopback, in a thread of its own."""

    def __init__(self, app: Any, **more: Any) -> None:
        self._socket = listening("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", ws="none", **more)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=lambda: self._server.run(sockets=[self._socket]), daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        self._socket.close()

    def post(self, document: Any, **more: Any) -> httpx2.Response:
        return httpx2.post(f"{self.url}/v1/chat/completions", json=document, trust_env=False, timeout=30, **more)

    def get(self, path: str, **more: Any) -> httpx2.Response:
        return httpx2.get(self.url + path, trust_env=False, timeout=30, **more)
