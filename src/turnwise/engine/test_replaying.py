"""Replies from a transcript alone: what a session said, whatever is remembered of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from turnwise.core.errors import BoundaryError, UsageError
from turnwise.core.nouns import Intake, Reply, Transcript, Turn
from turnwise.engine.completions import ChatRequest, Refused, as_chunks, as_completion, read_request
from turnwise.engine.luck import Luck
from turnwise.engine.replaying import Replayer, Seat, SessionOver
from turnwise.engine.serving import House


class Counting:
    """Says how often it was asked and with which luck; closes at its fourth reply; counts the work it does."""

    def __init__(self) -> None:
        self.asked = 0

    def init(self, told: Any, rng: Any, prior: Any = None) -> tuple[int, int]:
        return 0, int(rng.integers(10**6))

    async def respond(self, state: tuple[int, int], transcript: Transcript, rng: Any) -> Reply[tuple[int, int]]:
        self.asked += 1
        n, luck = state
        if transcript and transcript[-1].text == "fail":
            raise RuntimeError("what was said: fail")
        closes = "therapist_closed" if n == 3 else None
        text = f"{n} {luck} {rng.integers(10**6)} to {len(transcript)}"
        return Reply(text, (n + 1, luck), closes=closes)


def seat(who: Counting, seed: int = 1) -> Seat:
    return Seat("counting", "therapist", who, Intake(), Luck.of(seed, ""))


def said(*texts: str, first: str = "therapist") -> Transcript:
    order = ["therapist", "patient"] if first == "therapist" else ["patient", "therapist"]
    return tuple(Turn(speaker=order[i % 2], text=text) for i, text in enumerate(texts))  # type: ignore[arg-type]


def session(kept: int, who: Counting, turns: int = 3) -> list[str]:
    replayer, so_far, out = Replayer(kept), (), []
    for n in range(turns):
        reply = asyncio.run(replayer.reply(seat(who), so_far))
        out.append(reply.text)
        so_far += said(reply.text, f"patient {n}")
    return out


def test_what_is_remembered_changes_no_word_and_saves_the_work() -> None:
    remembered, forgotten = Counting(), Counting()
    assert session(1024, remembered) == session(0, forgotten)
    assert remembered.asked == 3
    assert forgotten.asked == 1 + 2 + 3


def test_the_store_is_bounded() -> None:
    replayer, who = Replayer(5), Counting()
    for n in range(50):
        asyncio.run(replayer.reply(seat(who), said("hello", f"patient {n}")))
    assert len(replayer._replies) == 5


def test_another_transcript_or_seed_is_another_session() -> None:
    replayer, who = Replayer(), Counting()
    first = asyncio.run(replayer.reply(seat(who), said("a", "b")))
    assert asyncio.run(replayer.reply(seat(who, 2), said("a", "b"))).text != first.text
    asked = who.asked
    assert asyncio.run(replayer.reply(seat(who), said("a", "b"))) is first
    assert who.asked == asked
    # "ab" + "c" and "a" + "bc" are two transcripts.
    one = asyncio.run(replayer.reply(seat(who), said("ab", "c")))
    assert asyncio.run(replayer.reply(seat(who), said("a", "bc"))) is not one


def test_what_was_really_said_takes_the_place_of_what_would_have_been() -> None:
    reply = asyncio.run(Replayer().reply(seat(Counting()), said("words of somebody else", "mine", "his", "mine")))
    assert reply.text.startswith("2 ")


def test_a_session_that_was_closed_is_over_and_nothing_to_answer_is_said() -> None:
    replayer, who = Replayer(), Counting()
    over = said(*["x"] * 8)
    for _ in range(2):  # afresh, and from what is remembered
        with pytest.raises(SessionOver, match=r"over at turn 6 \(therapist_closed\)"):
            asyncio.run(replayer.reply(seat(who), over))
    with pytest.raises(UsageError, match="end with what the other side says"):
        asyncio.run(replayer.reply(seat(who), said("a")))
    with pytest.raises(UsageError, match="nothing was said to the patient"):
        asyncio.run(replayer.reply(Seat("p", "patient", who, Intake(), Luck.of(1, "")), ()))


def test_a_fault_is_named_without_the_words() -> None:
    with pytest.raises(BoundaryError) as caught:
        asyncio.run(Replayer().reply(seat(Counting()), said("a", "fail")))
    assert str(caught.value) == "counting failed at turn 2 (RuntimeError)"


# --- requests ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid_json"),
        (b"\xff", "invalid_json"),
        (b"[" * 100_000, "invalid_json"),
        (b"[]", "invalid_json"),
        (b"{}", "missing_model"),
        (b'{"model": 3}', "missing_model"),
        (b'{"model": "m"}', "invalid_messages"),
        (b'{"model": "m", "messages": "hello"}', "invalid_messages"),
        (b'{"model": "m", "messages": [' + b"0," * 1100 + b"0]}", "too_many_messages"),
        (b'{"model": "m", "messages": [], "seed": -1}', "invalid_seed"),
        (b'{"model": "m", "messages": [], "seed": true}', "invalid_seed"),
        (b'{"model": "m", "messages": [], "seed": 9223372036854775808}', "invalid_seed"),
        (b'{"model": "m", "messages": [], "seed": "1"}', "invalid_seed"),
        (b'{"model": "m", "messages": [], "n": 2}', "unsupported_value"),
        (b'{"model": "m", "messages": [], "stream": "yes"}', "unsupported_value"),
        (b'{"model": "m", "messages": [], "response_format": {"type": "json_object"}}', "unsupported_value"),
        (b'{"model": "m", "messages": [], "tool_choice": "required"}', "unsupported_value"),
    ],
)
def test_a_request_that_is_none_is_refused_with_its_reason(body: bytes, code: str) -> None:
    with pytest.raises(Refused) as caught:
        read_request(body)
    assert (caught.value.status, caught.value.code) == (400, code)


def test_settings_of_sampling_have_no_effect() -> None:
    plain = b'{"model": "m", "messages": [], "temperature": 0.7, "max_tokens": 5, "user": "x", "stream": null}'
    assert read_request(plain) == ChatRequest("m", (), 1, False)


@pytest.mark.parametrize("text", ["Hello.", "  two  spaces \n\n and a line ", "né “quoted” 你好", "", "x" * 5000])
def test_the_chunks_of_a_stream_are_the_reply(text: str) -> None:
    asked, reply = ChatRequest("m", (), 1, True), Reply(text, None, {"state": "private"}, "patient_left")
    chunks = list(as_chunks(asked, reply, 5))
    whole = as_completion(asked, reply, 5)
    joined = "".join(c["choices"][0]["delta"].get("content", "") for c in chunks)
    assert joined == whole["choices"][0]["message"]["content"] == (text or "(silence)")
    assert [c["choices"][0]["finish_reason"] for c in chunks] == [None] * (len(chunks) - 1) + ["stop"]
    assert chunks[-1]["turnwise"] == whole["turnwise"]
    assert whole["turnwise"]["closes"] == "patient_left"
    assert {c["id"] for c in chunks} == {whole["id"]}
    assert "private" not in str(chunks) + str(whole)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("socratic", "therapist/NAME or patient/CASE"),
        ("therapist/socratik", "did you mean 'socratic'"),
        ("therapist/", "unknown therapist"),
        ("therapist/http://127.0.0.1:1/", "unknown therapist"),
        ("therapist/python:os:getcwd", "unknown therapist"),
        ("patient/renatta", "did you mean 'renata'"),
        ("patient/../../etc/passwd", "unknown patient"),
        ("patient/nobody:renata", "unknown patient 'nobody'"),
    ],
)
def test_only_registered_names_are_models(model: str, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        asyncio.run(House().reply(ChatRequest(model, ({"role": "user", "content": "Hello."},), 1, False)))
    assert (caught.value.status, caught.value.code) == (404, "model_not_found")
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("hello", "message 0"),
        ({"role": "tool", "content": "x"}, "has a role"),
        ({"role": "user"}, "not text"),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}, "words only"),
        ({"role": "user", "content": "\ud800"}, "lone surrogate"),
        ({"role": "assistant", "content": "x"}, "end with what the other side says"),
    ],
)
def test_a_message_that_is_none_is_refused_with_its_place(message: Any, reason: str) -> None:
    with pytest.raises(Refused, match=reason) as caught:
        asyncio.run(House().reply(ChatRequest("patient/alun", (message,), 1, False)))
    assert caught.value.param == "messages"
