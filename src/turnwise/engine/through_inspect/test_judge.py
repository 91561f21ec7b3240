"""A judge over real HTTP: the schema is sent where it is wanted, and a server that breaks is a reason in a row."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model_studies import IMPATIENT
from scripted_server import Scripted
from turnwise.batteries.rubric.items import ITEMS
from turnwise.core.nouns import Trajectory, Turn
from turnwise.engine.judging import Judging, judge_run

ITEM = ITEMS["client_talk"]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    said = (Turn(speaker="therapist", text="Hello."), Turn(speaker="patient", text="I will stop."))
    t = Trajectory(session_id="s", source="x", turns=said)
    (tmp_path / "trajectories.jsonl").write_text(t.model_dump_json() + "\n", encoding="utf-8")
    return tmp_path


def says(number: int, body: dict[str, Any]) -> Any:
    return json.dumps({"answer": "change", "reason": "A step."})


@pytest.mark.parametrize("schema", [True, False])
def test_answers_are_held_to_the_items_own_schema(loopback: Callable[..., Scripted], run: Path, schema: bool) -> None:
    server = loopback(says)
    how = Judging("openai-api/loop/j", ("client_talk",), schema=schema, settings=IMPATIENT)
    record = judge_run(run, how)
    (body,) = server.requests
    assert ("response_format" in body) is schema
    if schema:
        sent = body["response_format"]["json_schema"]["schema"]
        assert sent["properties"]["answer"]["enum"] == list(ITEM.options)
    assert record["answers"] == {"client_talk": {"change": 1}}
    assert (record["cost"]["calls"], record["cost"]["tokens_in"]) == (1, 11)


@pytest.mark.parametrize(("what", "code"), [(500, "no_answer"), ("", "unparsed"), ("change", "unparsed")])
def test_a_judge_that_breaks_is_counted(loopback: Callable[..., Scripted], run: Path, what: Any, code: str) -> None:
    loopback(lambda n, body: what)
    record = judge_run(run, Judging("openai-api/loop/j", ("client_talk",), settings=IMPATIENT))
    assert record["answers"] == {"client_talk": {f"unscored: {code}": 1}}
