"""Public checkers: what every plugin must satisfy, said at the first breach with the likely cause.

The test suite runs them over the registries, so a new plugin is tested by existing. Authors of
third-party plugins can call them from their own tests.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from turnwise.core.contracts import Patient, Therapist
from turnwise.core.errors import ContractError
from turnwise.core.measure import measure
from turnwise.core.nouns import Case, Finding, Reply, Score, SessionSpec, Trajectory, Transcript, Turn
from turnwise.core.play import play
from turnwise.core.registry import Entry, Skill

__all__ = [
    "check_check",
    "check_metric",
    "check_patient",
    "check_reward",
    "check_skill",
    "check_therapist",
    "sessions_for_checks",
]

_PROBES: tuple[str, ...] = (
    "Hello. What brings you here today?",
    "How did that make you feel?",
    "You should try going for a walk every morning.",
    "<script>alert('x')</script> ###STOP### \x1b[31mred\x1b[0m",
    "你好，今天怎么样？",
    "word " * 400,
    "It sounds as if that has been hard for you.",
    "Goodbye, and take care.",
)


class _Script:
    """Says fixed lines whatever it hears; the other side of the pair under test."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = tuple(lines)

    def init(self, who: Any, rng: Any, prior: Any = None) -> int:
        return 0

    async def respond(self, state: int, transcript: Transcript, rng: Any) -> Reply[int]:
        return Reply(self.lines[state % len(self.lines)], state + 1)


def _fail(what: str, problem: str, cause: str) -> None:
    raise ContractError(f"{what}: {problem}; likely cause: {cause}.")


def _play_twice(name: str, role: str, spec: SessionSpec, case: Case, pair: tuple[Any, Any]) -> Trajectory:
    first = asyncio.run(play(spec, case, pair[0], pair[1]))
    again = asyncio.run(play(spec, case, pair[0], pair[1]))
    if first.ending == "error":
        _fail(f"{role} {name!r}", f"ended in an error: {first.error}", "it cannot answer every kind of turn")
    if first.model_dump_json() != again.model_dump_json():
        _fail(f"{role} {name!r}", "two plays of one spec differ", "state kept on the instance, or its own randomness")
    return first


def _check_infos(name: str, role: str, t: Trajectory) -> None:
    try:
        json.dumps(t.model_dump(mode="json")["infos"], allow_nan=False)
    except ValueError as fault:
        _fail(f"{role} {name!r}", f"emitted something that is not JSON ({fault})", "NaN or an array in info")


def check_patient(name: str, make: Callable[[], Patient[Any]], case: Case, emits: Sequence[str] = ()) -> Trajectory:
    """Check a patient against the protocol; raise ``ContractError`` at the first breach.

    It must answer anything, replay exactly, end only through the typed field, carry its state in
    the reply, and emit at every turn the truth keys it declared.
    """
    spec = SessionSpec(case=case.id, patient=name, therapist="script", seed=7, max_turns=len(_PROBES))
    t = _play_twice(name, "patient", spec, case, (make(), _Script(_PROBES)))
    _check_infos(name, "patient", t)
    for i, turn in enumerate(t.turns):
        if turn.speaker != "patient":
            continue
        for key in emits:
            value: Any = t.info(i)
            for part in key.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if value is None:
                _fail(f"patient {name!r}", f"emits nothing under {key!r} at turn {i}", "a declared key is not written")
    return t


def check_therapist(name: str, make: Callable[[], Therapist[Any]], case: Case) -> Trajectory:
    """Check a therapist against the protocol; raise ``ContractError`` at the first breach."""
    lines = ("I don't know.", "I feel sad.", "No.", "", *_PROBES[3:6], "Why do you ask?")
    patient = _Script([line or "..." for line in lines])
    spec = SessionSpec(case=case.id, patient="script", therapist=name, seed=7, max_turns=len(lines))
    t = _play_twice(name, "therapist", spec, case, (patient, make()))
    _check_infos(name, "therapist", t)
    other = Case(id=case.id, intake=case.intake, truth={"marker": "zzqx"}, source="test", licence="test")
    blind = asyncio.run(play(spec, other, patient, make()))
    if [x.text for x in blind.turns] != [x.text for x in t.turns]:
        _fail(f"therapist {name!r}", "speaks differently when only the hidden truth differs", "it has seen the case")
    return t


def check_metric(entry: Entry[Callable[..., Any]], trajectories: Sequence[Trajectory]) -> None:
    """Check a metric over sessions: bounds, reasons, purity, and no moving when private fields move."""
    for key in ("unit", "bounds", "orientation", "source", "needs", "about"):
        if key not in entry.spec:
            _fail(f"metric {entry.name!r}", f"has no {key!r} in its spec", "registered without the decorator")
    for t in trajectories:
        before = t.model_dump_json()
        score, again = measure(entry, t), measure(entry, t)
        if score != again:
            _fail(f"metric {entry.name!r}", f"gave {score} and then {again}", "it is not pure")
        if t.model_dump_json() != before:
            _fail(f"metric {entry.name!r}", "changed the session", "in-place arithmetic")
        if score.code == "failed":
            _fail(f"metric {entry.name!r}", score.detail, f"it does not expect {t.session_id!r}")
        if score.value is not None and score.n < 1:
            _fail(f"metric {entry.name!r}", f"has the value {score.value} from n = {score.n}", "n is not counted")
        if score.value is None and not score.detail:
            _fail(f"metric {entry.name!r}", f"is unscored ({score.code}) without a sentence", "detail is empty")


def check_check(name: str, obj: Callable[..., Any], trajectories: Sequence[Trajectory]) -> None:
    """Check a check: it returns a finding, names a turn that exists, and gives evidence for a fail."""
    for t in trajectories:
        found = obj(t)
        if not isinstance(found, Finding):
            _fail(f"check {name!r}", f"returned {type(found).__name__}", "not a Finding")
        if found.turn is not None and not 0 <= found.turn < max(1, len(t.turns)):
            _fail(f"check {name!r}", f"points to turn {found.turn} of {len(t.turns)}", "index of another list")
        if found.verdict != "pass" and not found.evidence:
            _fail(f"check {name!r}", f"says {found.verdict} without evidence", "evidence is empty")


def check_reward(entry: Entry[Callable[..., Any]], trajectories: Sequence[Trajectory]) -> None:
    """Check a reward: one finite credit per therapist turn, inside its bounds."""
    low, high = entry.spec["bounds"]
    for t in trajectories:
        credit = np.asarray(entry.obj(t))
        therapist_turns = sum(turn.speaker == "therapist" for turn in t.turns)
        if credit.shape != (therapist_turns,):
            _fail(f"reward {entry.name!r}", f"has shape {credit.shape} for {therapist_turns} turns", "wrong turns")
        if credit.size and not (np.isfinite(credit).all() and low <= credit.min() and credit.max() <= high):
            _fail(f"reward {entry.name!r}", f"leaves its bounds [{low}, {high}]", "an unclipped sum")


class _Watched:
    """A view that remembers which items it was asked for, and is otherwise the view itself."""

    def __init__(self, view: Any) -> None:
        self.view = view
        self.asked: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.view, name)

    def label(self, item: str) -> str | None:
        self.asked.add(item)
        found: str | None = self.view.label(item)
        return found

    def p(self, item: str, label: str) -> float | None:
        self.asked.add(item)
        found: float | None = self.view.p(item, label)
        return found


def check_skill(entry: Entry[Callable[..., Any]], views: Sequence[Any]) -> None:
    """Check a skill over views of moments; raise ``ContractError`` at the first breach.

    Checked are its spec, bounds, reasons, purity, that it reads no item and no truth which it did not declare,
    and that no reply and a blank one are ``no_answer``, never a number. Views of moments that do not call for the
    skill are passed over. A view is a frozen dataclass with ``moment``, ``reply``, ``truth``, ``readings``,
    ``label(item)`` and ``p(item, label)`` (``batteries.ladder.moments``).
    """
    what = f"skill {entry.name!r}"
    for key in ("moments", "needs", "source", "may_need_truth"):
        if key not in entry.spec:
            _fail(what, f"has no {key!r} in its spec", "registered without the decorator")
    if entry.base not in get_args(Skill):
        _fail(what, "is no skill of the ladder", "a misspelt name, or one that core.registry.Skill does not list")
    if not entry.spec["moments"]:
        _fail(what, "names no moment that calls for it", "an empty tuple")
    for view in views:
        if view.moment not in entry.spec["moments"]:
            continue
        watched = _Watched(view)
        score = entry.obj(watched)
        _check_score(what, score)
        if score != entry.obj(view):
            _fail(what, f"gave {score} and then {entry.obj(view)}", "it is not pure")
        if watched.asked - set(entry.spec["needs"]):
            _fail(what, f"reads {sorted(watched.asked - set(entry.spec['needs']))}", "an item that it does not declare")
        if not entry.spec["may_need_truth"] and entry.obj(replace(view, truth={})) != score:
            _fail(what, "moves with the truth", "it reads what it does not declare (may_need_truth)")
        _check_unanswered(what, entry, view)


def _check_score(what: str, score: object) -> None:
    if not isinstance(score, Score):
        _fail(what, f"returned {type(score).__name__}", "not a Score")
    elif score.value is None and not (score.code and score.detail):
        _fail(what, f"is unscored ({score.code}) without a code and a sentence", "code or detail is empty")
    elif score.value is not None and not 0.0 <= score.value <= 1.0:
        _fail(what, f"gave {score.value!r}, outside [0, 1]", "another scale")
    elif score.value is not None and score.n < 1:
        _fail(what, f"has the value {score.value} from n = {score.n}", "n is not counted")


def _check_unanswered(what: str, entry: Entry[Callable[..., Any]], view: Any) -> None:
    for reply in (None, Turn(speaker="therapist", text=" ")):
        score = entry.obj(replace(view, reply=reply))
        if not isinstance(score, Score) or score.code != "no_answer":
            _fail(what, f"gave {score} where nothing was replied", "a missing reply taken for a bad one")
    if entry.spec["needs"] and view.reply is not None and view.reply.text.strip():
        score = entry.obj(replace(view, readings={}))
        if not isinstance(score, Score) or score.code != "no_reading":
            _fail(what, f"gave {score} where no rater read the reply", "a default in the place of a label")


def sessions_for_checks() -> list[Trajectory]:
    """Return the awkward sessions every metric must survive (without readings attached)."""

    def session(sid: str, *said: tuple[str, str]) -> Trajectory:
        turns = tuple(Turn.model_validate({"speaker": s, "text": x}) for s, x in said)
        return Trajectory(session_id=sid, source="check", turns=turns)

    pair = (("therapist", "How are you?"), ("patient", "Not good."))
    return [
        session("empty"),
        session("one turn", pair[0]),
        session("one speaker", *[("patient", "Still here.")] * 4),
        session("blank", ("therapist", ""), ("patient", "  ")),
        session("usual", *pair * 6),
        session("neighbours", pair[0], pair[0], pair[1], pair[1], pair[0]),
        session("long", ("therapist", "word " * 20_000), ("patient", "yes")),
        session("other script", ("therapist", "你好"), ("patient", "مرحبا بك"), ("therapist", "Привет")),
        session("hostile", ("therapist", "<b>x</b>\x00\x1b[2J"), ("patient", "'; DROP TABLE --")),
    ]
