"""Sessions with models played by several processes are the same: bytes, faults, keys nowhere, nothing paid twice."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model_studies import SMALL_LADDER, everything_in, played, small_study
from scripted_server import Scripted, plain_therapist
from turnwise.patients.casebook import load_case

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks")
FILES = ("trajectories.jsonl", "replies.jsonl", "bank.jsonl")


def test_sessions_are_those_of_one_process_and_faults_and_keys_too(
    loopback: Callable[..., Scripted], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    spread = played(study, tmp_path / "spread", processes=3, log=True, concurrency=3)
    made = len(server.requests)
    assert made == 3 + 2 + 1
    assert all(h["authorization"] == f"Bearer {key}" for h in server.headers)
    assert not [name for name, text in everything_in(tmp_path / "spread").items() if key in text]
    assert played(study, tmp_path / "spread") == spread
    assert len(server.requests) == made, "what was recorded is not paid twice"
    assert played(study, tmp_path / "here") == spread
    assert [t.ending for t in spread] == ["max_turns", "error", "error"]


def test_a_whole_run_with_its_ladder_leaves_the_same_folder(loopback: Callable[..., Scripted], tmp_path: Path) -> None:
    server = loopback()
    study = small_study("openai-api/loop/m", "reflector", patients=("alun", "keisha"), turns=12)
    for name, how in (("one", {"processes": 1}), ("two", {"processes": 2, "shuffle": True, "log": True})):
        before = len(server.requests)
        played(study, tmp_path / name, ladder=SMALL_LADDER, **how)
        made = len(server.requests) - before
        lines = (tmp_path / name / "calls.jsonl").read_text().splitlines()
        assert len(lines) == len({*lines}) == made, "one line for each call, whole"
    for file in FILES:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    assert (tmp_path / "two" / "replies.jsonl").read_text()
    assert (tmp_path / "two" / "inspect").is_dir()
