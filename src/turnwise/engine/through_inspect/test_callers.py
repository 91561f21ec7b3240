"""Calls made by other processes are the same calls: same bytes, same faults, same keys nowhere, and none left over."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model_studies import IMPATIENT, everything_in, played, small_study
from scripted_server import Scripted, plain_therapist
from turnwise.core.errors import BoundaryError
from turnwise.core.nouns import Turn
from turnwise.engine.through_inspect import callers
from turnwise.engine.through_inspect.callers import Callers
from turnwise.patients.casebook import load_case

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the processes as they are begun."""
    found: list[Any] = []
    begin = callers.subprocess.Popen

    def noted(*args: Any, **kwargs: Any) -> Any:
        found.append(begin(*args, **kwargs))
        return found[-1]

    monkeypatch.setattr(callers.subprocess, "Popen", noted)
    return found


def test_sessions_are_those_of_one_process_and_faults_and_keys_too(
    loopback: Callable[..., Scripted], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[Any]
) -> None:
    def script(number: int, body: dict[str, Any]) -> Any:
        prompt, begun_well = body["messages"][0]["content"], len(body["messages"]) < 4
        if load_case("keisha").intake.referral in prompt and not begun_well:
            return 400, f"the key {key} was refused"
        return "word " * 200_000 if load_case("renata").intake.referral in prompt else plain_therapist(number, body)

    server = loopback(script)
    key = f"key{secrets.token_hex(12)}"
    monkeypatch.setenv("LOOP_API_KEY", key)
    study = small_study(patients=("alun", "keisha", "renata"))
    elsewhere = played(study, tmp_path / "elsewhere", callers=1, log=True, concurrency=3)
    assert [process.poll() for process in begun] == [0], "it ends with the run"
    made = len(server.requests)
    assert made == 3 + 2 + 1
    assert all(h["authorization"] == f"Bearer {key}" for h in server.headers)
    assert not [name for name, text in everything_in(tmp_path / "elsewhere").items() if key in text]
    assert played(study, tmp_path / "elsewhere") == elsewhere
    assert len(server.requests) == made, "what was recorded is not paid twice"
    assert played(study, tmp_path / "here") == elsewhere
    assert [t.ending for t in elsewhere] == ["max_turns", "error", "error"]


STUB = """
import sys
from turnwise.engine.through_inspect.caller import read_frame, write_frame
into, out = sys.stdin.buffer, sys.stdout.buffer
read_frame(into)
while (asked := read_frame(into)) is not None:
    if asked["turns"][-1][1] == "Die.":
        sys.exit(3)
    write_frame(out, {"id": asked["id"], "said": [f"{asked['seed']}", 0, "stop", None, None, "m"]})
"""


def test_a_caller_that_dies_fails_its_calls_and_another_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[Any]
) -> None:
    (tmp_path / "stub.py").write_text(STUB, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", ""))))
    monkeypatch.setattr(callers, "_PROGRAM", "stub")
    model = Callers("openai-api/loop/m", IMPATIENT, processes=2)

    async def said(words: str, seed: int) -> str:
        return (await model.generate("", (Turn(speaker="patient", text=words),), seed=seed)).text

    async def all_of(*words: str) -> list[Any]:
        return await asyncio.gather(*(said(w, i) for i, w in enumerate(words)), return_exceptions=True)

    try:
        assert asyncio.run(all_of(*"abcdefgh")) == [str(i) for i in range(8)], "each gets its own answer"
        assert len(begun) == 2
        (fault,) = asyncio.run(all_of("Die."))
        assert isinstance(fault, BoundaryError)
        assert "the process that makes the calls has ended" in str(fault)
        assert asyncio.run(all_of(*"abcd")) == [str(i) for i in range(4)], "in another loop too"
        assert len(begun) == 3
    finally:
        model.close()
    assert sorted(process.poll() for process in begun) == [0, 0, 3]


def test_none_begins_before_the_first_call_or_outlives_its_asker(begun: list[Any]) -> None:
    model = Callers("openai-api/loop/m", IMPATIENT, processes=3)
    model.close()
    assert not begun
    caller = callers._Caller(model._told)
    begun[0].stdin.close()  # as when who asks is killed
    assert begun[0].wait(30) == 0
    caller.close()
