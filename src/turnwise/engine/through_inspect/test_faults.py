"""Whatever an endpoint does, a session ends, says why, is stored and counted; the others go on."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model_studies import IMPATIENT, everything_in, played, small_study
from scripted_server import Scripted, chat_reply, listening, plain_therapist
from turnwise.core.errors import UsageError
from turnwise.engine.through_inspect.secrets import HIDDEN


def answer(content: Any, stop: str = "stop", **more: Any) -> bytes:
    """Return a completion with this message, as bytes."""
    reply = chat_reply(content, "m")
    reply["choices"][0] |= {"finish_reason": stop, "message": {"role": "assistant", "content": content, **more}}
    return json.dumps(reply).encode()


TOOLS = [{"id": "c1", "type": "function", "function": {"name": "end_session", "arguments": "{}"}}]
FAULTS: dict[str, tuple[Any, str]] = {
    "always-429": (429, "RateLimitError"),
    "always-500": (500, "InternalServerError"),
    "bad-request": (400, "BadRequestError"),
    "key-refused": ((401, "Incorrect API key provided: sk-loopback-4f1d2c9e77"), HIDDEN),
    "hangs-up": (None, "APIConnectionError"),
    "empty": ("", "no words"),
    "blank": (" \n\t ", "no words"),
    "null": (answer(None), "no words (it stopped because of 'stop')"),
    "tools": (answer(None, "tool_calls", tool_calls=TOOLS), "no words (it stopped because of 'tool_calls')"),
    "number": (answer(42), "failed: TypeError"),
    "surrogate": (answer("\ud800"), "no valid text"),
    "repeats-key": (answer("Your key is sk-loopback-4f1d2c9e77."), "repeats the key that was sent; it is not stored"),
    "thought-cut": ("<think>He hides", "thought and said nothing"),
    "error-in-200": (b'{"error": {"message": "Provider returned error", "code": 429}}', "Provider returned error, 429"),
    "refused-in-200": (b'{"error": {"message": "no such model", "code": 404}}', "error: no such model, 404"),
    "not-json": (b"<html>busy</html>", "failed: JSONDecodeError: its answer is not JSON"),
    "usage": (answer("Hi.").replace(b": 18}", b': "many"}'), "ValidationError: its answer has not the shape of"),
    "no-object": (b'"hello"', "OpenAIResponseError"),
    "no-choices": (b"{}", "failed"),
    "megabyte": ("word " * 200_000, "1,000,000 characters"),
}


def by_model(number: int, body: dict[str, Any]) -> Any:
    """Answer well until a transcript has begun, then do what the model's name says."""
    fault = FAULTS.get(body["model"])
    return plain_therapist(number, body) if fault is None or len(body["messages"]) < 4 else fault[0]


@pytest.mark.parametrize(
    ("faults", "logged"),
    [(tuple(FAULTS), False), (("key-refused", "repeats-key", "hangs-up", "megabyte"), True)],
    ids=["plain", "logged"],
)
def test_every_fault_ends_its_own_session_and_no_other(
    loopback: Callable[..., Scripted], run_folder: Path, faults: tuple[str, ...], logged: bool
) -> None:
    loopback(by_model)
    names = tuple(f"openai-api/loop/{name}" for name in (*faults, "good"))
    sessions = {t.spec.therapist.rpartition("/")[2]: t for t in played(small_study(*names), run_folder, log=logged)}
    assert len(sessions) == len(faults) + 1
    assert sessions["good"].ending == "max_turns"
    for name in faults:
        said = FAULTS[name][1]
        t = sessions[name]
        assert t.ending == "error", name
        assert t.error is not None
        assert t.error.startswith("therapist at turn 2: "), "what was said before is kept"
        assert said in t.error, t.error
        assert len(t.turns) == 2
        assert "\n" not in t.error
        assert len(t.error) < 500
    assert not [name for name, text in everything_in(run_folder).items() if "sk-loopback-4f1d2c9e77" in text]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_what_was_said_is_not_sent_to_where_an_endpoint_redirects(
    loopback: Callable[..., Scripted], run_folder: Path, status: int
) -> None:
    with listening() as other:
        loopback(lambda n, body: (status, "moved", {"location": f"{other.url}/chat/completions"}))
        (t,) = played(small_study(), run_folder)
        assert not other.requests
    assert t.ending == "error"
    assert "redirects elsewhere, which is not followed" in str(t.error)


def test_words_beside_a_tool_call_and_words_cut_short_are_words(
    loopback: Callable[..., Scripted], run_folder: Path
) -> None:
    both, cut = answer("Let us stop.", "tool_calls", tool_calls=TOOLS), answer("I was going to", "length")
    loopback(lambda n, body: both if len(body["messages"]) < 4 else cut)
    (t,) = played(small_study(turns=2), run_folder)
    assert [t.turns[i].text for i in (0, 2)] == ["Let us stop.", "I was going to"]
    assert [t.infos[i]["lm"]["stop"] for i in (0, 2)] == ["tool_calls", "max_tokens"]  # type: ignore[call-overload, index]


def test_parts_are_joined_and_what_is_thought_is_private(loopback: Callable[..., Scripted], run_folder: Path) -> None:
    said, thought = "What is hardest?", "He hides."
    answers = [
        answer([{"type": "text", "text": "What is "}, {"type": "text", "text": "hardest?"}]),
        answer([{"type": "reasoning", "text": thought}, {"type": "text", "text": said}]),
        answer(f"<think>{thought}</think>{said}"),
        answer(f"{thought}</think>{said}"),
        answer(said, reasoning_content=thought),
    ]
    loopback(lambda n, body: answers[n])
    (t,) = played(small_study(turns=5), run_folder)
    assert t.ending == "max_turns", t.error
    assert {turn.text for turn in t.turns if turn.speaker == "therapist"} == {said}
    assert [info.get("private") for info in t.infos[::2]] == [None, *[{"thinking": thought}] * 4]
    again = run_folder.with_name("again")
    (replayed,) = played(small_study(turns=5), again, replay=run_folder)
    assert replayed.turns == t.turns
    assert replayed.infos == t.infos


def test_an_error_in_an_answer_is_asked_again_after(loopback: Callable[..., Scripted], run_folder: Path) -> None:
    server = loopback(lambda n, body: FAULTS["error-in-200"][0] if n == 0 else "Go on.")
    (t,) = played(small_study(turns=1), run_folder)
    assert t.ending == "max_turns"
    assert len(server.requests) == 2


def test_nobody_is_waited_for_an_hour(loopback: Callable[..., Scripted], run_folder: Path) -> None:
    server = loopback(lambda n, body: (429, "later", {"retry-after": "3600"}) if n < 2 else "Go on.")
    (t,) = played(small_study(turns=1), run_folder)
    assert t.ending == "max_turns"
    assert len(server.requests) == 3


def test_a_burst_of_refusals_is_waited_out(loopback: Callable[..., Scripted], run_folder: Path) -> None:
    server = loopback(lambda n, body: (429, 500, 503, None)[n % 4] if n % 3 else plain_therapist(n, body))
    (t,) = played(small_study(), run_folder)
    assert t.ending == "max_turns"
    assert len(server.requests) > 3


def test_a_server_that_hangs_is_left_when_patience_is_out(loopback: Callable[..., Scripted], run_folder: Path) -> None:
    loopback(lambda n, body: 6.0)
    brief = replace(IMPATIENT, patience=1, retries=0)
    (t,) = played(small_study(calls=brief), run_folder, settings=brief)
    assert t.ending == "error"
    assert "AttemptTimeoutError" in str(t.error)


def test_a_model_that_is_not_there_is_not_asked_for_ever(loopback: Callable[..., Scripted], run_folder: Path) -> None:
    server = loopback(lambda n, body: (401, "who are you?"))
    sessions = played(small_study(epochs=9, turns=1), run_folder, concurrency=1)
    assert {t.ending for t in sessions} == {"error"}
    assert len(server.requests) == 5
    assert "failed: not asked again, after 5 times in a row: AuthenticationError" in str(sessions[-1].error)


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch, run_folder: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        monkeypatch.setenv("DEAD_BASE_URL", f"http://127.0.0.1:{reserved.getsockname()[1]}/v1")
        monkeypatch.setenv("DEAD_API_KEY", "none")
        (t,) = played(small_study("openai-api/dead/m"), run_folder)
    assert t.ending == "error"
    assert "APIConnectionError" in str(t.error)


def test_an_error_is_stored_and_played_again_only_when_asked(
    loopback: Callable[..., Scripted], run_folder: Path
) -> None:
    well = [False]
    server = loopback(lambda n, body: plain_therapist(n, body) if well[0] or n < 2 else 400)
    study = small_study()
    assert played(study, run_folder)[0].ending == "error"
    before, well[0] = len(server.requests), True
    assert played(study, run_folder)[0].ending == "error"
    assert len(server.requests) == before
    (t,) = played(study, run_folder, retry_errors=True)
    assert t.ending == "max_turns"
    assert len(server.requests) == before + 1, "the two turns that had been answered are not paid twice"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("opnai/gpt", "did you mean 'openai'?"),
        ("openai-api/nowhere/m", "NOWHERE_API_KEY"),
    ],
)
def test_what_cannot_be_reached_is_said_before_play(name: str, said: str, run_folder: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")
    with pytest.raises(UsageError, match=r"cannot be reached|no provider") as refused:
        played(small_study(name), run_folder)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not run_folder.exists()


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch, run_folder: Path) -> None:
    monkeypatch.setattr("turnwise.engine.through_inspect.port.importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"^the language model 'openai/m' needs the extra \[inspect\]: pip install"):
        played(small_study("openai/m"), run_folder)


def test_no_setting_of_these_tests_is_part_of_the_study() -> None:
    assert set(IMPATIENT.versions()) == {"model:temperature", "model:max_tokens", "model:arguments"}
