"""What is private stays private: the case from the therapist, its log and every error; keys from everything."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model_studies import SMALL_LADDER, everything_in, played, small_study
from scripted_server import Scripted, plain_therapist
from turnwise.core.nouns import Case
from turnwise.engine.ladder_store import replies
from turnwise.engine.model_messages import model_messages
from turnwise.engine.store import RunFolder
from turnwise.patients.casebook import load_case
from turnwise.therapists.bare_model import PROMPT, intake_lines

PRIVATE = ("notes", "formulation")
"""Parts of a case that are prose. What a patient says of its case is public once it has been said."""


def mark() -> str:
    return f"zq{secrets.token_hex(6)}"


def marked(value: Any, found: list[str]) -> Any:
    """Put a marker of its own behind every text of some prose."""
    if isinstance(value, str) and " " in value:
        found.append(mark())
        return f"{value} {found[-1]}"
    if isinstance(value, list):
        return [marked(v, found) for v in value]
    return {k: marked(v, found) for k, v in value.items()} if isinstance(value, dict) else value


@pytest.fixture
def case(monkeypatch: pytest.MonkeyPatch) -> tuple[Case, list[str], str]:
    """Return a case with markers in its private prose and one in its intake, and make every run use it."""
    case, private, public = load_case("alun"), [mark(), mark()], mark()
    truth = {k: marked(v, private) if k in PRIVATE else v for k, v in case.truth.items()}
    intake = case.intake.model_copy(update={"referral": f"{case.intake.referral} {public}"})
    case = Case(id="alun", intake=intake, truth=truth, source=private[0], licence=private[1])
    monkeypatch.setattr("turnwise.patients.casebook.load_case", lambda name: case)
    return case, private, public


def sent(server: Scripted) -> list[str]:
    return ["\n".join(m["content"] for m in body["messages"]) for body in server.requests]


def test_the_transcript_and_the_intake_are_all_that_a_model_gets(
    loopback: Callable[..., Scripted], run_folder: Path, case: tuple[Case, list[str], str]
) -> None:
    server = loopback()
    _, private, public = case
    played(small_study(turns=18), run_folder, ladder=SMALL_LADDER, log=True)
    system = PROMPT.format(intake=intake_lines(case[0].intake))
    whole = list(RunFolder(run_folder).sessions())
    whole += list(replies(run_folder))
    allowed = [model_messages(system, t.turns[:i]) for t in whole for i in range(len(t.turns))]
    assert len(private) > 10
    assert len(server.requests) > 18
    for body in server.requests:
        assert body["messages"] in allowed, "a message that is neither prompt, intake nor transcript"
        assert public in body["messages"][0]["content"]


@pytest.mark.parametrize("therapist", ["openai-api/loop/m", "socratic:openai-api/loop/m"])
def test_markers_of_the_case_reach_nobody(
    loopback: Callable[..., Scripted], run_folder: Path, case: tuple[Case, list[str], str], therapist: str
) -> None:
    # Half of the calls are refused with an answer that repeats all that was sent.
    server = loopback(lambda n, body: (400, str(body)) if n % 5 == 4 else plain_therapist(n, body))
    _, private, public = case
    sessions = played(small_study(therapist, turns=6, epochs=3), run_folder, ladder=SMALL_LADDER, log=True)
    assert any(t.ending == "error" for t in sessions)
    said = " ".join(turn.text for t in sessions for turn in t.turns)
    files = everything_in(run_folder)
    logs = {name: text for name, text in files.items() if name.endswith((".eval", "calls.jsonl"))}
    assert len(logs) >= 2
    assert any(public in text for text in logs.values()), "the markers can be found where they may be"
    for marker in private:
        assert marker not in said
        assert not [text for text in sent(server) if marker in text]
        assert not [name for name, text in logs.items() if marker in text]
        assert not [t.error for t in sessions if marker in str(t.error)]
    assert all(public in text for text in sent(server))


def test_keys_are_nowhere(
    loopback: Callable[..., Scripted],
    run_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    server = loopback()
    key = f"key{secrets.token_hex(12)}"  # of no known shape
    monkeypatch.setenv("LOOP_API_KEY", key)
    repeats = f"the key {key} was refused"
    server.script = lambda n, body: {
        "refuses": (401, repeats),
        "rejects": (400, repeats),
        "breaks": repeats.encode(),
    }.get(body["model"], "Go on.")
    names = tuple(f"openai-api/loop/{name}" for name in ("refuses", "rejects", "breaks", "good"))
    sessions = played(small_study(*names), run_folder, log=True)
    assert sum(t.ending == "error" for t in sessions) == 3
    assert all(f"Bearer {key}" == h["authorization"] for h in server.headers), "it was used"
    assert not [name for name, text in everything_in(run_folder).items() if key in text]
    out, err = capfd.readouterr()
    assert key not in out + err
