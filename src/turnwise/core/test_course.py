"""Several sessions of one pair: what is carried, what is told to whom, and what is not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.course import CoursePatient, agreed_in, course_after
from turnwise.core.errors import BoundaryError
from turnwise.core.nouns import Case, Course, Intake, Reply, SessionSpec, Trajectory, Turn
from turnwise.core.play import play
from turnwise.core.test_play import Scripted

CASE = Case(id="c", intake=Intake(), truth={"secret": "zzqx"}, source="test", licence="test")


class Counter:
    """Counts its own turns, over sessions too if it may."""

    def init(self, case: Any, rng: Any, prior: Course | None = None) -> int:
        return 0

    async def respond(self, state: int, transcript: Any, rng: Any) -> Reply[int]:
        return Reply(f"{state} {rng.integers(10**6)}", state + 1, {"agreed": ["a secret of the patient"], "n": state})


class Returning(Counter):
    def next_session(self, state: int, rng: Any, weeks: float) -> int:
        return state + int(100 * weeks)


def spec(session: int = 1) -> SessionSpec:
    return SessionSpec(case="c", patient="p.v1", therapist="t.v1", seed=1, max_turns=3, session=session)


def two_sessions(patient: Any, therapist: Any = None) -> tuple[Trajectory, Trajectory, Any]:
    pair, therapist = CoursePatient(patient, 0.5), therapist or Scripted("hello")

    async def both() -> tuple[Trajectory, Trajectory]:
        first = await play(spec(), CASE, pair, therapist)
        return first, await play(spec(2), CASE, pair, therapist, prior=course_after(None, first))

    return (*asyncio.run(both()), pair)


def counted(t: Trajectory) -> list[Any]:
    return [info["n"] for turn, info in zip(t.turns, t.infos, strict=True) if turn.speaker == "patient"]


def test_a_returning_patient_goes_on_where_it_was_and_another_begins_anew() -> None:
    first, second, _ = two_sessions(Returning())
    assert (counted(first), counted(second)) == ([0, 1, 2], [53, 54, 55])
    first, second, _ = two_sessions(Counter())
    assert (counted(first), counted(second)) == ([0, 1, 2], [0, 1, 2])
    assert [t.text for t in first.turns] != [t.text for t in second.turns], "the second session has luck of its own"


def test_a_first_session_is_stored_as_if_there_were_no_courses() -> None:
    alone = asyncio.run(play(spec(), CASE, Counter(), Scripted("hello")))
    first, second, _ = two_sessions(Returning())
    assert first.model_dump_json() == alone.model_dump_json()
    assert "session" not in spec().model_dump()
    assert SessionSpec.model_validate(spec().model_dump()) == spec()
    assert second.spec is not None
    assert SessionSpec.model_validate_json(second.spec.model_dump_json()).session == 2
    assert (first.session_id, second.session_id) == ("t.v1/p.v1/c/0", "t.v1/p.v1/c/0/s2")


def test_a_stored_session_is_lived_through_and_the_next_is_the_same() -> None:
    first, second, _ = two_sessions(Returning())

    async def later() -> Trajectory:
        pair = CoursePatient(Returning(), 0.5)
        await pair.live_through(Trajectory.model_validate_json(first.model_dump_json()), CASE)
        return await play(spec(2), CASE, pair, Scripted("hello"), prior=course_after(None, first))

    assert asyncio.run(later()).model_dump_json() == second.model_dump_json()
    changed = first.model_copy(update={"turns": (*first.turns[:-1], Turn(speaker="patient", text="else"))})
    with pytest.raises(BoundaryError, match="turn 5"):
        asyncio.run(CoursePatient(Returning(), 0.5).live_through(changed, CASE))


class Agreeing(Scripted):
    """Agrees on something in every session; keeps the courses it was told of."""

    def __init__(self) -> None:
        super().__init__("hello")
        self.told: list[Course | None] = []

    def init(self, who: Any, rng: Any, prior: Any = None) -> int:
        self.told.append(prior)
        return 0

    async def respond(self, state: int, transcript: Any, rng: Any) -> Any:
        return Reply("hello", state + 1, {"agreed": ["too early"] if state < 2 else ["ring her", 7, " ", "ring her"]})


def test_what_was_agreed_reaches_the_therapist_and_nothing_of_the_patient_does() -> None:
    therapist = Agreeing()
    two_sessions(Returning(), therapist)
    first, second = therapist.told
    assert first is None
    assert second is not None
    assert [a.text for a in second.agreed] == ["ring her"]
    told = second.model_dump_json()
    assert not any(private in told for private in ("secret", "zzqx", "p.v1", "/c/", "t.v1")), told


texts = st.lists(st.one_of(st.text(max_size=8), st.integers(), st.none()), max_size=4)


@given(said=st.lists(st.tuples(st.sampled_from(("therapist", "patient")), st.one_of(texts, st.text())), max_size=6))
def test_agreements_are_clean_texts_of_the_therapist_alone(said: list[tuple[Any, Any]]) -> None:
    turns = tuple(Turn(speaker=who, text="x") for who, _ in said)
    t = Trajectory(session_id="s", source="test", turns=turns, infos=tuple({"agreed": x} for _, x in said))
    found = agreed_in(t)
    own = [x for who, x in said if who == "therapist"]
    assert all(x.strip() == x and x for x in found)
    assert len(set(found)) == len(found)
    last = own[-1] if own and isinstance(own[-1], list) else []
    assert set(found) == {x.strip() for x in last if isinstance(x, str) and x.strip()}
    course = course_after(course_after(None, t), t)
    assert course.session_ids == ("session 1", "session 2")
    assert len(course.agreed) == 2 * len(found)
