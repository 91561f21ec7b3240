"""What is spared on the way to the wire changes nothing on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from model_studies import IMPATIENT
from scripted_server import Scripted
from turnwise.core.nouns import Turn
from turnwise.engine.through_inspect import port
from turnwise.engine.through_inspect.port import InspectModel
from turnwise.engine.through_inspect.wire import send_as_is

TURNS = tuple(
    Turn(speaker=who, text=text)
    for who, text in (
        ("therapist", "Hello."),
        ("patient", 'Não sei…\n"Well" \u2028 it\'s late.'),
        ("therapist", "Go on."),
    )
)


async def asked(model: InspectModel, times: int = 1) -> list[str]:
    try:
        return [(await model.generate("Be brief.", TURNS[: 2 + n % 2], seed=n)).text for n in range(times)]
    finally:
        await model.aclose()


def test_the_same_is_sent_with_and_without_the_clients_walk(
    loopback: Callable[..., Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = loopback()
    spared = asyncio.run(asked(InspectModel("openai-api/loop/m", IMPATIENT), 4))
    monkeypatch.setattr(port, "send_as_is", lambda model: None)
    walked = asyncio.run(asked(InspectModel("openai-api/loop/m", IMPATIENT), 4))
    assert spared == walked
    assert len(server.requests) == 8
    for one, other in zip(server.requests[:4], server.requests[4:], strict=True):
        assert one == other
        assert [m["role"] for m in one["messages"]][:2] == ["system", "user"]
    own = [{k: v for k, v in headers.items() if k != "x-irid"} for headers in server.headers]
    assert [h | {"content-length": ""} for h in own[:4]] == [h | {"content-length": ""} for h in own[4:]]


def test_the_client_in_use_is_one_that_can_be_spared(loopback: Callable[..., Scripted]) -> None:
    loopback()
    model = InspectModel("openai-api/loop/m", IMPATIENT)._make()
    assert model.api.client.chat.completions.create.__name__ == "created"
    asyncio.run(model.api.aclose())


class Client:
    """Notes what goes through ``create`` and what through ``post``."""

    def __init__(self) -> None:
        self.api = self.client = self.chat = self.completions = self
        self.created: list[dict[str, Any]] = []
        self.posted: list[dict[str, Any]] = []

    async def create(self, **asked: Any) -> None:
        self.created.append(asked)

    async def post(self, path: str, **asked: Any) -> None:
        assert path == "/chat/completions"
        self.posted.append(asked)


Client.__module__ = "openai.resources"
WORDS = {"role": "user", "content": "Hello."}


def through(**asked: Any) -> Client:
    client = Client()
    send_as_is(client)
    asyncio.run(client.completions.create(model="m", **asked))
    assert len(client.created) + len(client.posted) == 1
    return client


def test_only_plain_words_are_sent_as_they_are() -> None:
    from openai import NOT_GIVEN

    schema = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": {"enum": ["a", None]}}}
    given = {"messages": [WORDS], "seed": 1, "stop": ["x"], "response_format": schema}
    (sent,) = through(**given, tools=NOT_GIVEN, extra_headers={"x-irid": "1"}).posted
    assert sent["body"] == {"model": "m"} | given
    assert sent["options"] == {"headers": {"x-irid": "1"}, "security": {"bearer_auth": True}}
    for asked in (
        {"messages": [WORDS | {"content": [{"type": "text", "text": "Hello."}]}]},
        {"messages": iter([WORDS])},
        {"messages": [WORDS], "extra_body": {"top_k": 3}},
        {"messages": [WORDS], "response_format": object},
        {"messages": [WORDS], "stream": True},
    ):
        assert through(**asked, extra_headers=None).created == [{"model": "m", "extra_headers": None} | asked]


def test_calls_outside_a_sample_are_not_kept_in_memory(loopback: Callable[..., Scripted]) -> None:
    loopback()

    async def kept() -> int:
        from inspect_ai.log import transcript

        await asked(InspectModel("openai-api/loop/m", IMPATIENT), 3)
        return len(transcript().events)

    assert asyncio.run(kept()) == 0
