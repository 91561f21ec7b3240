"""A patient in a later session: what lasts, what has passed, and that nothing is told twice as new."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from turnwise.core.nouns import Turn
from turnwise.core.seeds import generator
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.coming_back import come_back, planned_moments
from turnwise.patients.index import index_case
from turnwise.patients.memory import AGAIN, Carried, Memory
from turnwise.patients.mind import Mind
from turnwise.patients.natural_course import between_sessions
from turnwise.patients.stateful import Stateful, stateful
from turnwise.patients.test_stub_ear import RuleEar

CASES = case_ids()


def rng(turn: int = -1, session: int = 1) -> Any:
    return generator(1, f"x/s{session}", 0, "patient", turn)


def carried(case: str = "alun", **mind: Any) -> Carried:
    patient = stateful(ear=RuleEar())
    state = patient.init(load_case(case), rng())
    return replace(state, mind=replace(state.mind, **mind))


def said(patient: Stateful, state: Carried, lines: Sequence[str], session: int) -> tuple[Carried, list[Any]]:
    async def talk() -> tuple[Carried, list[Any]]:
        now, heard, replies = state, (), []
        for line in lines:
            heard += (Turn(speaker="therapist", text=line),)  # type: ignore[assignment]
            reply = await patient.respond(now, heard, rng(len(heard), session))
            heard += (Turn(speaker="patient", text=reply.text),)
            now = reply.state
            replies.append(reply)
        return now, replies

    return asyncio.run(talk())


def test_the_natural_course_and_nothing_else_moves_the_state() -> None:
    moved = {"trust": 0.61, "distress": 0.8, "stirred": 0.1, "conviction": 0.7, "reactance": 0.5, "goals": 0.44,
             "tasks": 0.52, "turn": 20, "pushed_back": True, "corrected": True, "evidence_asked": 3}  # fmt: skip
    before = carried(**moved)
    first, later = come_back(before, rng(), 1.0), come_back(come_back(before, rng(), 1.0), rng(), 1.0)
    expected = between_sessions(before.mind, 1.0, first=True)
    assert first.mind == replace(expected, pushed_back=False, corrected=False)
    assert (first.mind.trust, first.mind.goals, first.mind.tasks) == (0.61, 0.44, 0.52)
    assert later.mind.distress == pytest.approx(between_sessions(first.mind, 1.0, first=False).distress)
    assert (first.mind.turn, first.mind.stirred, first.mind.fatigue, first.mind.evidence_asked) == (0, 0.0, 0.0, 3)
    assert before.mind.turn == 20, "the state before is not changed"


@pytest.mark.parametrize(("told", "drawn", "left"), [(3, 1, 2), (1, 1, 0), (0, 2, 0), (2, 0, 2)])
def test_evidence_that_a_thought_was_drawn_from_is_used_up(told: int, drawn: int, left: int) -> None:
    after = come_back(carried(evidence_told=told, insights=drawn), rng(), 1.0).mind
    assert (after.evidence_told, after.insights) == (left, 0)


def test_what_was_said_stays_said_and_what_belonged_to_the_session_is_gone() -> None:
    before = carried()
    memory = Memory(
        said=("come1", "someone", f"{AGAIN}come1"), lines=("A line.",), pending=("more",), last="come1", topic="club",
        known=("delyth",), answered=(("q", "a"),), guarded=("club",), odd=1, goodbyes=1, silences=2,
        planned=before.memory.planned,
    )  # fmt: skip
    after = come_back(replace(before, memory=memory), rng(), 1.0).memory
    assert (after.said, after.known, after.answered) == (("come1", "someone"), ("delyth",), (("q", "a"),))
    assert (after.lines, after.pending, after.last, after.guarded) == ((), (), "", ())
    assert (after.odd, after.goodbyes, after.silences, after.sessions) == (0, 0, 0, 1)
    assert after.earlier == {"come1", "someone"}


@pytest.mark.parametrize("case", CASES)
def test_every_session_plans_moments_of_its_own_whatever_the_therapist_did(case: str) -> None:
    index = index_case(load_case(case))
    state = Carried(index, Mind(), Memory(planned=planned_moments(index, rng())))
    other = replace(state, memory=replace(state.memory, said=tuple(x.telling for x in index.file.schedule[:5])))
    seen: set[str] = set()
    for session in range(2, 6):
        planned = {p.telling for p in state.memory.planned}
        assert not planned & seen
        assert planned == {p.telling for p in other.memory.planned}
        seen |= planned
        state, other = (come_back(x, rng(session=session), 1.0) for x in (state, other))
    assert len(seen) > len(index.file.schedule) / 2


QUESTIONS = ("What brings you here?", "How do you sleep?", "What does your day look like?", "Who is at home with you?",
             "What is the worst of it?", "How old are you?", "What went through your mind?")  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_same_questions_a_week_later_bring_nothing_told_as_new(case: str) -> None:
    patient = stateful(ear=RuleEar())
    state, first = said(patient, patient.init(load_case(case), rng()), QUESTIONS, 1)
    told = {r.info["said"]["telling"] for r in first if r.info["said"]["telling"]} & set(state.index.tellings)
    _, second = said(patient, patient.next_session(state, rng(session=2), 1.0), QUESTIONS, 2)
    assert second[0].text != first[0].text, "it does not come for the same thing as if for the first time"
    for reply in second:
        record = reply.info["said"]
        assert record["telling"] not in told or "said before" in reply.info["why"] or record["kind"] == "continue"


def test_a_fact_of_an_earlier_session_is_said_as_one() -> None:
    patient = stateful(ear=RuleEar())
    fact = index_case(load_case("alun")).file.facts[0]
    state, first = said(patient, patient.init(load_case("alun"), rng()), ("Hello.", fact.ask[0]), 1)
    assert first[1].info["said"]["kind"] == "fact"
    _, second = said(patient, patient.next_session(state, rng(session=2), 1.0), ("Hello again.", fact.ask[0]), 2)
    assert second[1].info["said"]["kind"] == "repeated"
    assert fact.say in second[1].text
    assert second[1].text != fact.say


@pytest.mark.parametrize("case", CASES)
def test_whether_there_is_danger_is_answered_as_truly_the_second_time(case: str) -> None:
    patient = stateful(ear=RuleEar())
    asks = ("Hello.", "Are you thinking of ending your life?")
    state, first = said(patient, patient.init(load_case(case), rng()), asks, 1)
    _, second = said(patient, patient.next_session(state, rng(session=2), 1.0), asks, 2)
    a, b = first[1].info, second[1].info
    assert (a["said"]["kind"], b["said"]["kind"]) == ("risk", "risk")
    assert a["moment"] == b["moment"]
    # The point of the answer is there again, not only "like I said".
    assert first[1].text.split(".")[0] in second[1].text or b["said"]["telling"] not in (None, a["said"]["telling"])
