"""A run that was killed goes on: every session once, and nothing that was paid for is paid twice."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from killed_runs import killed_in_the_middle
from model_studies import IMPATIENT, SMALL_LADDER, played, small_study
from scripted_server import Scripted, plain_therapist
from turnwise.core.errors import FormatError, UsageError
from turnwise.engine.recording import CALLS

TOGETHER = 3
PLAY = """
import sys
from pathlib import Path
sys.path[:0] = [{tests!r}]
from model_studies import played, small_study
study = small_study(patients=("alun", "keisha", "renata"), epochs=3)
played(study, Path({folder!r}), log=True, concurrency={together}, processes={processes})
"""
PATIENTS: dict[str, Any] = {"patients": ("alun", "keisha", "renata"), "epochs": 3}
TESTS = Path(__file__).resolve().parents[4] / "tests"


def slow(number: int, body: dict[str, Any]) -> str:
    time.sleep(0.1)
    return plain_therapist(number, body)


def calls_made(server: Scripted) -> Counter[str]:
    return Counter(json.dumps([r["messages"], r.get("seed")]) for r in server.requests)


@pytest.mark.skipif(sys.platform != "linux", reason="signals, and forks")
@pytest.mark.parametrize(
    ("how", "processes"),
    [(signal.SIGINT, 1), (signal.SIGKILL, 1), (signal.SIGINT, 2), (signal.SIGKILL, 2)],
    ids=["SIGINT", "SIGKILL", "SIGINT-two", "SIGKILL-two"],
)
def test_killed_in_the_middle(
    loopback: Callable[..., Scripted], run_folder: Path, how: signal.Signals, processes: int
) -> None:
    server = loopback(slow)
    code = PLAY.format(tests=str(TESTS), folder=str(run_folder), together=TOGETHER, processes=processes)
    killed_in_the_middle(code, run_folder, how)
    paid = len(server.requests)
    assert paid < 27
    time.sleep(3 * 0.1)
    assert len(server.requests) <= paid + TOGETHER, "nobody is left who goes on playing"
    sessions = played(small_study(**PATIENTS), run_folder, concurrency=TOGETHER)
    assert len({t.session_id for t in sessions}) == len(sessions) == 9
    assert {t.ending for t in sessions} == {"max_turns"}
    made = calls_made(server)
    assert len(made) == 27, "each turn of each session was asked for"
    twice = sum(made.values()) - len(made)
    assert twice <= TOGETHER, "only what was in the air when the process died is asked again"


def test_a_finished_run_asks_nothing_and_a_replay_needs_nobody(
    loopback: Callable[..., Scripted], run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = loopback()
    study = small_study("openai-api/loop/m", "socratic:openai-api/loop/m", "reflector", turns=18)
    first = played(study, run_folder, ladder=SMALL_LADDER)
    paid = len(server.requests)
    assert played(study, run_folder, ladder=SMALL_LADDER) == first
    assert len(server.requests) == paid

    server.shutdown()
    for name in ("LOOP_BASE_URL", "LOOP_API_KEY"):
        monkeypatch.delenv(name)
    refused = lambda what: pytest.fail("a replay needs no Inspect")  # noqa: E731
    monkeypatch.setattr("turnwise.engine.through_inspect.port.need_inspect", refused)
    again = tmp_path / "again"
    played(study, again, ladder=SMALL_LADDER, replay=run_folder, concurrency=3, shuffle=True)
    for name in ("trajectories.jsonl", "replies.jsonl", "bank.jsonl"):
        assert (again / name).read_bytes() == (run_folder / name).read_bytes()
    assert (run_folder / "replies.jsonl").read_text().count("\n") > 0
    assert not (again / CALLS).exists()


def test_sessions_do_not_depend_on_how_many_play_at_once_or_on_the_log(
    loopback: Callable[..., Scripted], tmp_path: Path
) -> None:
    loopback()
    study = small_study("openai-api/loop/m", "flatterer", patients=("alun", "keisha"), epochs=2)
    ways = [{"concurrency": 1}, {"concurrency": 16, "shuffle": True}, {"concurrency": 4, "log": True}]
    for i, way in enumerate(ways):
        played(study, tmp_path / str(i), **way)
    assert len({(tmp_path / str(i) / "trajectories.jsonl").read_bytes() for i in range(len(ways))}) == 1


def test_faults_replay_too(loopback: Callable[..., Scripted], run_folder: Path, tmp_path: Path) -> None:
    loopback(lambda n, body: plain_therapist(n, body) if n < 2 else 400)
    study = small_study()
    (t,) = played(study, run_folder)
    assert played(study, tmp_path / "again", replay=run_folder) == [t]
    assert t.ending == "error"


def test_a_recording_of_something_else_says_so(
    loopback: Callable[..., Scripted], run_folder: Path, tmp_path: Path
) -> None:
    loopback()
    played(small_study(), run_folder)
    (t,) = played(small_study(patients=("keisha",)), tmp_path / "other", replay=run_folder)
    assert "the recording holds no answer of openai-api/loop/m to this" in str(t.error)
    with pytest.raises(UsageError, match="does not exist; --replay takes"):
        played(small_study(), tmp_path / "other", replay=tmp_path / "nothing")
    (tmp_path / CALLS).write_text('{"no": "call"}\n')
    with pytest.raises(FormatError, match="line 1"):
        played(small_study(), tmp_path / "other", replay=tmp_path)


def test_another_setting_is_another_study(loopback: Callable[..., Scripted], run_folder: Path) -> None:
    loopback()
    played(small_study(), run_folder)
    with pytest.raises(UsageError, match="holds another study"):
        played(small_study(calls=replace(IMPATIENT, temperature=0.5)), run_folder)
    assert len(played(small_study(calls=replace(IMPATIENT, patience=50)), run_folder)) == 1
