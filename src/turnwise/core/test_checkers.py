"""The public checkers name the breach; broken plugins are caught, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from turnwise.core.checkers import (
    check_check,
    check_metric,
    check_patient,
    check_reward,
    check_skill,
    check_therapist,
    sessions_for_checks,
)
from turnwise.core.errors import ContractError, UndefinedError
from turnwise.core.measure import measure, truth_series
from turnwise.core.nouns import Case, Finding, Intake, Reply, Score, Trajectory, Turn, unscored
from turnwise.core.registry import Entry

CASE = Case(id="c", intake=Intake(), truth={}, source="test", licence="test")
SPEC = {
    "unit": "share",
    "bounds": (0.0, 1.0),
    "orientation": "none",
    "source": "test",
    "needs": (),
    "about": "session",
    "over": "session",
}


class Sound:
    """A participant that keeps its state in the reply."""

    def init(self, who: Any, rng: Any, prior: Any = None) -> int:
        return 0

    async def respond(self, state: int, transcript: Any, rng: Any) -> Reply[int]:
        return Reply(f"{state} {rng.integers(9)}", state + 1, {"state": {"trust": 0.5}})


class KeepsState(Sound):
    count = 0

    async def respond(self, state: int, transcript: Any, rng: Any) -> Reply[int]:
        KeepsState.count += 1
        return Reply(str(KeepsState.count), state)


class OwnLuck(Sound):
    async def respond(self, state: int, transcript: Any, rng: Any) -> Reply[int]:
        return Reply(str(np.random.default_rng().random()), state)


class NotAPerson(Sound):
    async def respond(self, state: int, transcript: Any, rng: Any) -> Reply[int]:
        return Reply("x", state, {"p": float("nan")})


class Fragile(Sound):
    async def respond(self, state: int, transcript: Any, rng: Any) -> Reply[int]:
        return Reply(transcript[-1].text[:5].encode("ascii").decode() if transcript else "hi", state)


BROKEN = {KeepsState: "two plays", OwnLuck: "two plays", NotAPerson: "not JSON", Fragile: "error"}


@pytest.mark.parametrize("broken", BROKEN, ids=lambda b: b.__name__)
def test_broken_participants_are_caught(broken: Any) -> None:
    with pytest.raises(ContractError, match=BROKEN[broken]):
        check_patient("x", broken, CASE)
    with pytest.raises(ContractError, match=BROKEN[broken]):
        check_therapist("x", broken, CASE)


def test_sound_participants_pass_and_must_emit_what_they_declare() -> None:
    check_patient("x", Sound, CASE, emits=("state.trust",))
    check_therapist("x", Sound, CASE)
    with pytest.raises(ContractError, match=r"nothing under 'state\.distress'"):
        check_patient("x", Sound, CASE, emits=("state.distress",))


def entry(f: Any, **spec: Any) -> Entry[Any]:
    return Entry("m.v1", f, SPEC | spec)


METRICS = {
    "out of bounds": (lambda t: Score(2.0, 1), "outside its bounds"),
    "not a number": (lambda t: Score(float("nan"), 1), "outside its bounds"),
    "another shape": (lambda t: 0.5, "instead of a Score"),
    "no reason": (lambda t: Score(None, 0), "neither a value nor a reason"),
    "raises": (lambda t: 1 / 0, "ZeroDivisionError"),
    "n of nothing": (lambda t: Score(0.5, 0), "n = 0"),
    "no sentence": (lambda t: Score(None, 0, "empty"), "without a sentence"),
    "by chance": (lambda t: Score(float(np.random.default_rng().random()), 1), "not pure"),
}


@pytest.mark.parametrize("name", METRICS)
def test_broken_metrics_are_caught(name: str) -> None:
    function, words = METRICS[name]
    with pytest.raises(ContractError, match=words):
        check_metric(entry(function), sessions_for_checks())


def test_a_fault_stays_in_its_cell() -> None:
    usual = sessions_for_checks()[4]

    def undefined(t: Trajectory) -> Score:
        raise UndefinedError("too_short", "two turns are needed")

    assert measure(entry(undefined), usual) == unscored("too_short", "two turns are needed")
    assert measure(entry(lambda t: 1 / 0), usual).code == "failed"
    assert measure(entry(lambda t: Score(0.5, 1), needs=("reading:x",)), usual).code == "no_reading"
    assert measure(entry(lambda t: Score(0.5, 1), needs=("truth:state.trust",)), usual).code == "needs_truth"
    broken = Trajectory(session_id="s", source="x", ending="error", error="boom")
    assert measure(entry(lambda t: Score(0.5, 1)), broken) == unscored("session_error", "boom")


def test_truth_walks_into_what_was_emitted() -> None:
    turns = tuple(Turn(speaker="patient", text="x") for _ in range(3))
    infos: Any = ({"a": {"b": 1}}, {}, {"a": {"b": True}})
    t = Trajectory(session_id="s", source="x", turns=turns, infos=infos)
    assert truth_series(t, "a.b") == [(0, 1.0)]


def test_broken_checks_and_rewards_are_caught() -> None:
    ts = sessions_for_checks()
    check_check("c", lambda t: Finding("pass"), ts)
    for bad, words in (
        (Finding("fail"), "without evidence"),
        (Finding("fail", 10**9, "x"), "points to turn"),
        (True, "bool"),
    ):
        with pytest.raises(ContractError, match=words):
            check_check("c", lambda t, bad=bad: bad, ts)

    def flat(t: Trajectory, value: float = 0.5, extra: int = 0) -> Any:
        return np.full(sum(x.speaker == "therapist" for x in t.turns) + extra, value)

    spec = {"bounds": (0.0, 1.0), "exploits": ("all",)}
    check_reward(Entry("r.v1", flat, spec), ts)
    for bad_reward, words in ((lambda t: flat(t, 2.0), "leaves its bounds"), (lambda t: flat(t, extra=1), "has shape")):
        with pytest.raises(ContractError, match=words):
            check_reward(Entry("r.v1", bad_reward, spec), ts)


@dataclass(frozen=True)
class View:
    """As much of a moment's view as a skill sees."""

    moment: str = "hint"
    reply: Turn | None = field(default_factory=lambda: Turn(speaker="therapist", text="Is there more to it?"))
    readings: Mapping[str, str] = field(default_factory=lambda: {"good": "yes", "kind": "yes"})
    truth: Mapping[str, Any] = field(default_factory=lambda: {"x": 1})

    def label(self, item: str) -> str | None:
        return self.readings.get(item) if self.reply else None

    def p(self, item: str, label: str) -> float | None:
        return float(self.label(item) == label) if self.label(item) else None


SKILL_SPEC = {"moments": ("hint",), "needs": ("good",), "source": "test", "may_need_truth": False}


def sound_skill(view: Any, item: str = "good") -> Score:
    if view.reply is None or not view.reply.text.strip():
        return unscored("no_answer", "no reply")
    label = view.label(item)
    return unscored("no_reading", "not read") if label is None else Score(float(label == "yes"), 1)


SKILLS_BROKEN = {
    "no number": (lambda v: 0.5, {}, "not a Score"),
    "no sentence": (lambda v: Score(None, 0, "no_answer"), {}, "without a code and a sentence"),
    "out of bounds": (lambda v: Score(1.5, 1), {}, "outside \\[0, 1\\]"),
    "n of nothing": (lambda v: Score(0.5, 0), {}, "n = 0"),
    "by chance": (lambda v: Score(float(np.random.default_rng().random()), 1), {}, "not pure"),
    "another item": (lambda v: sound_skill(v, "kind"), {}, r"reads \['kind'\]"),
    "by p": (lambda v: (v.p("kind", "yes"), sound_skill(v))[1], {}, r"reads \['kind'\]"),
    "by truth": (lambda v: Score(float(bool(v.truth)), 1), {}, "moves with the truth"),
    "silence is bad": (lambda v: Score(0.0, 1), {}, "nothing was replied"),
    "a default": (lambda v: Score(0.5, 1) if v.reply and v.reply.text.strip() else sound_skill(v), {}, "no rater read"),
    "unknown name": (sound_skill, {"name": "charm.v1"}, "no skill of the ladder"),
    "no moment": (sound_skill, {"moments": ()}, "names no moment"),
}


@pytest.mark.parametrize("name", SKILLS_BROKEN)
def test_broken_skills_are_caught(name: str) -> None:
    function, more, words = SKILLS_BROKEN[name]
    spec = {**SKILL_SPEC, **more}
    with pytest.raises(ContractError, match=words):
        check_skill(Entry(str(spec.pop("name", "infer.v1")), function, spec), [View()])


def test_sound_skills_pass_and_other_moments_are_passed_over() -> None:
    check_skill(Entry("infer.v1", sound_skill, SKILL_SPEC), [View(), View(readings={}), View(reply=None)])
    check_skill(Entry("infer.v1", lambda v: 1 / 0, SKILL_SPEC), [View(moment="risk")])
    with pytest.raises(ContractError, match="has no 'needs'"):
        check_skill(Entry("infer.v1", sound_skill, {"moments": ("hint",)}), [View()])
