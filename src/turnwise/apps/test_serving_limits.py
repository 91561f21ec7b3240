"""What one client may take of all, and which pages may ask: refused in a sentence, and nobody else is held up."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

pytest.importorskip("fastapi", reason="needs the extra [web]")
pytest.importorskip("uvicorn", reason="needs the extra [web]")

from served import HELLO, Server
from turnwise.apps import serving_limits
from turnwise.apps.serving import application
from turnwise.core.nouns import Reply
from turnwise.engine.serving import House


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(application(House())) as there:
        yield there


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"content-type": "text/plain"}, 415, "wrong_content_type"),
        ({"content-type": "application/json", "origin": "http://evil.example"}, 403, "wrong_origin"),
        ({"content-type": "application/json", "origin": "null"}, 403, "wrong_origin"),
        ({"content-type": "application/json; charset=utf-8"}, 200, None),
        ({"content-type": "application/json", "origin": "OWN"}, 200, None),
    ],
)
def test_what_a_page_of_somebody_else_can_post_is_refused(
    server: Server, headers: dict[str, str], status: int, code: str | None
) -> None:
    given = {k: server.url if v == "OWN" else v for k, v in headers.items()}
    url, body = f"{server.url}/v1/chat/completions", json.dumps(HELLO).encode()
    response = httpx2.post(url, content=body, headers=given, trust_env=False, timeout=30)
    assert response.status_code == status
    assert response.json().get("error", {}).get("code") == code


def raw(server: Server, request: bytes) -> bytes:
    """Send bytes as they are; return what comes back until the server closes."""
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as there:
        there.sendall(request)
        found = b""
        while part := there.recv(65536):
            found += part
    return found


def test_two_lengths_of_one_request_are_refused(server: Server) -> None:
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    answer = raw(server, head + b"content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400")


def test_who_is_slow_to_ask_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving_limits, "BODY_S", 0.2)
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n"
    with Server(application(House()), http=serving_limits.read_in_time(0.2)) as there:
        assert raw(there, b"") == b""
        assert raw(there, head) == b""
        waits = raw(there, head + b"content-type: application/json\r\ncontent-length: 9\r\n\r\n{")
        assert waits.startswith(b"HTTP/1.1 408")
        assert there.post(HELLO).status_code == 200


class Slow(House):
    """Says nothing until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.busy, self.let_go = threading.Semaphore(0), threading.Event()

    async def reply(self, request: Any, luck: Any = None) -> Reply[Any]:
        if request.seed == 9:
            self.busy.release()
            self.let_go.wait(20)
        return await super().reply(request, luck)


def test_one_who_takes_long_holds_up_nobody() -> None:
    house = Slow()
    with Server(application(house)) as there:
        thread = threading.Thread(target=lambda: there.post(HELLO | {"seed": 9}))
        thread.start()
        assert house.busy.acquire(timeout=20)
        assert there.post(HELLO).status_code == 200
        assert there.get("/v1/models").status_code == 200
        house.let_go.set()
        thread.join()


def test_workers_refuse_what_takes_too_long_and_too_many() -> None:
    async def asked(workers: serving_limits.Workers, times: int) -> list[Any]:
        async def slow() -> int:
            await asyncio.sleep(0.3)
            return 4

        return await asyncio.gather(*(workers.answer(slow) for _ in range(times)), return_exceptions=True)

    assert asyncio.run(asked(serving_limits.Workers(), 3)) == [4, 4, 4]
    (late,) = asyncio.run(asked(serving_limits.Workers(longest_s=0.05), 1))
    assert (late.status, late.code) == (503, "not_yet_played")
    one, other = asyncio.run(asked(serving_limits.Workers(waiting=1), 2))
    assert one == 4
    assert (other.status, other.code) == (503, "overloaded")
