"""What is spared on the way to the wire changes nothing on it."""

from __future__ import annotations

import asyncio
import json
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
        assert json.dumps(one) == json.dumps(other), "the same fields in the same order"
        assert [m["role"] for m in one["messages"]][:2] == ["system", "user"]


def test_the_client_in_use_is_one_that_can_be_spared(loopback: Callable[..., Scripted]) -> None:
    loopback()
    model = InspectModel("openai-api/loop/m", IMPATIENT)._make()
    assert model.api.client.chat.completions.create.__name__ == "created"
    asyncio.run(model.api.aclose())


class Completions:
    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    async def create(self, **asked: Any) -> None:
        self.asked.append(asked)


Completions.__module__ = "openai.resources"
WORDS = {"role": "user", "content": "Hello."}


def spared(**asked: Any) -> dict[str, Any]:
    class Holder:
        pass

    model: Any = Holder()
    model.api = model.client = model.chat = model
    model.completions = kept = Completions()
    send_as_is(model)
    asyncio.run(model.completions.create(model="m", **asked))
    return kept.asked[0]


def test_only_plain_words_are_sent_as_they_are() -> None:
    sent = spared(messages=[WORDS], extra_body={"top_k": 3}, seed=1)
    assert sent == {"model": "m", "messages": [], "seed": 1, "extra_body": {"messages": [WORDS], "top_k": 3}}
    for asked in (
        {"messages": [WORDS | {"content": [{"type": "text", "text": "Hello."}]}]},
        {"messages": iter([WORDS])},
        {"messages": [WORDS], "extra_body": {"messages": []}},
    ):
        assert spared(**asked) == {"model": "m"} | asked


def test_calls_outside_a_sample_are_not_kept_in_memory(loopback: Callable[..., Scripted]) -> None:
    loopback()

    async def kept() -> int:
        from inspect_ai.log import transcript

        await asked(InspectModel("openai-api/loop/m", IMPATIENT), 3)
        return len(transcript().events)

    assert asyncio.run(kept()) == 0
