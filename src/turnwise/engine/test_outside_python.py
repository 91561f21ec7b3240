"""Bots written in Python: functions and therapists of one's own, their faults, and which version of them played."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from loopback_bot import INTAKE, QUICK, played
from turnwise.core.errors import UsageError
from turnwise.engine.asking import Asking
from turnwise.engine.chat import as_messages
from turnwise.engine.outside_python import PythonTherapist
from turnwise.engine.study import resolve_study
from turnwise.engine.therapist_names import Ports, outside

BOTS = """
import asyncio, threading, time
from turnwise.core.nouns import Reply
seen = []
def plain(messages):
    seen.append((threading.current_thread() is threading.main_thread(), messages))
    return f"reply to {len(messages)}"
async def later(messages):
    await asyncio.sleep(0)
    return f"reply to {len(messages)}"
class Callable:
    async def __call__(self, messages): return f"reply to {len(messages)}"
called = Callable()
def raises(messages): raise ValueError("no key sk-1234567890")
def exits(messages): raise SystemExit(3)
def stops(messages): raise StopIteration
def returns_none(messages): return None
def hangs(messages): time.sleep(3)
def times_out(messages): raise TimeoutError("of its own")
class Counting:
    def init(self, intake, rng, prior=None): return 0
    async def respond(self, state, transcript, rng): return Reply(f"reply {state} of {len(transcript)}", state + 1)
counting = Counting()
class Thinking(Counting):
    async def respond(self, state, transcript, rng): return Reply("He hides.</think> Hello.", state + 1, {"own": 1})
def thinks(messages): return "<think>He hides.</think> Hello."
def only_thinks(messages): return "<think>He hides"
class Needs:
    def __init__(self, what): pass
    init = respond = __init__
number = 4
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "my_bots.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    monkeypatch.delitem(sys.modules, "my_bots", raising=False)
    return "python:my_bots:"


def built(name: str, how: Asking = QUICK) -> Any:
    found = outside(name)
    assert found is not None
    return found.build(Ports(ear=None, asking=how))  # type: ignore[arg-type]


@pytest.mark.parametrize("which", ["plain", "later", "called"])
def test_a_function_of_messages_is_a_therapist(tmp_path: Path, bots: str, which: str) -> None:
    (t,) = played(tmp_path / "run", built(bots + which))
    said = [turn.text for turn in t.turns if turn.speaker == "therapist"]
    assert said == ["reply to 2", "reply to 4", "reply to 6"]
    if which == "plain":
        in_main, messages = sys.modules["my_bots"].seen[2]
        assert messages == as_messages(INTAKE, t.turns[:4])
        assert not in_main, "a blocking function would hold up every other session"


@pytest.mark.parametrize("which", ["counting", "Counting"])
def test_a_therapist_of_the_contract_is_used_as_it_is(tmp_path: Path, bots: str, which: str) -> None:
    (t,) = played(tmp_path / "run", built(bots + which))
    assert [turn.text for turn in t.turns][::2] == ["reply 0 of 0", "reply 1 of 2", "reply 2 of 4"]


@pytest.mark.parametrize("which", ["thinks", "Thinking"])
def test_what_is_thought_is_not_said(tmp_path: Path, bots: str, which: str) -> None:
    (t,) = played(tmp_path / "run", built(bots + which))
    assert {turn.text for turn in t.turns if turn.speaker == "therapist"} == {"Hello."}
    assert t.infos[0]["private"] == {"thinking": "He hides."}
    assert ("own" in t.infos[0]) == (which == "Thinking")


@pytest.mark.parametrize(
    ("which", "reason"),
    [
        ("only_thinks", "only thought and said nothing"),
        ("raises", "the bot raised ValueError: no key …"),
        ("exits", "the bot raised RuntimeError: SystemExit"),
        ("stops", "the bot raised RuntimeError: StopIteration"),
        ("returns_none", "NoneType instead of text"),
        ("hangs", "did not answer within 0.2 s"),
        ("times_out", "the bot raised TimeoutError: of its own"),
    ],
)
def test_a_fault_of_a_function_is_data(
    tmp_path: Path, bots: str, which: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "Bearer sk-1234567890")
    (t,) = played(tmp_path / "run", built(bots + which, Asking(timeout_s=0.2)))
    assert t.ending == "error"
    assert reason in str(t.error)


@pytest.mark.parametrize(("which", "reason"), [("Needs", "cannot be made"), ("number", "is neither a function")])
def test_what_cannot_be_a_therapist_is_refused(bots: str, which: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        built(bots + which)


def test_another_version_of_the_file_is_another_study(tmp_path: Path, bots: str) -> None:
    before = resolve_study(therapists=(bots + "plain",), patients=("alun",))
    assert before == resolve_study(therapists=(bots + "plain",), patients=("alun",))
    (tmp_path / "my_bots.py").write_text(BOTS + "# other\n", encoding="utf-8")
    after = resolve_study(therapists=(bots + "plain",), patients=("alun",))
    assert before.sha256() != after.sha256()


def test_functions_are_asked_side_by_side(tmp_path: Path) -> None:
    together = threading.Barrier(4, timeout=5)

    def waits(messages: list[dict[str, str]]) -> str:
        together.wait()
        return "All four are here."

    sessions = played(tmp_path, PythonTherapist(waits, QUICK), epochs=4, concurrency=4)
    assert {t.ending for t in sessions} == {"max_turns"}
