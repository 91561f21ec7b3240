"""Questions about what was just told are answered from what the case holds on it, and only while it is fresh."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Turn
from turnwise.patients.casebook import case_ids, load_case, parse_case, read_case_file
from turnwise.patients.follow_ups import answered_further, fresh, key_of
from turnwise.patients.index import CaseIndex, index_case
from turnwise.patients.lint import lint_case
from turnwise.patients.listening import take
from turnwise.patients.matching import candidates
from turnwise.patients.memory import Memory
from turnwise.patients.mind import Mind
from turnwise.patients.plans import Plan, Situation
from turnwise.patients.schema import Telling
from turnwise.reading.ears.direct import DirectEar
from turnwise.reading.ears.questions import read_heard
from turnwise.reading.window import Window


async def _ask(index: CaseIndex, told: tuple[Telling, ...], question: str, said: tuple[str, ...] = ()) -> Plan | None:
    """Return what a question gets right after some tellings, by their first beats."""
    last = told[-1]
    memory = Memory(
        said=(*(t.id for t in told), *said),
        lines=tuple(t.beats[0] for t in told),
        last=last.id,
        topic=last.topic,
        focus=(last.topic,),
    )
    before = Turn(speaker="patient", text=last.beats[0])
    now = Turn(speaker="therapist", text=question)
    hearing = await DirectEar().hear(Window(now, (before,)))
    taken = take(index, memory, (before, now), hearing, read_heard(hearing, question))
    s = Situation(index, Mind(0.5, 0.1, 0.4, 0.7), memory, taken, np.random.default_rng(0))
    assert taken.query is not None
    return answered_further(s, candidates(index, memory, taken), taken.query)


def _asked(index: CaseIndex, told: tuple[Telling, ...], question: str, said: tuple[str, ...] = ()) -> Plan | None:
    return asyncio.run(_ask(index, told, question, said))


def _some(index: CaseIndex) -> list[Telling]:
    return [t for t in index.file.tellings if t.further and t.id not in index.risky]


def _question(ask: str) -> str:
    return f"{ask[:1].upper()}{ask[1:]}?"


@pytest.mark.parametrize("case", ["alun", "jordan", "selam", "vikram"])
def test_what_was_written_for_a_question_is_mostly_what_answers_it(case: str) -> None:
    index = index_case(load_case(case))
    found = []
    for t in _some(index)[::8]:
        for i, f in enumerate(t.further):
            plan = _asked(index, (t,), _question(f.ask[0]))
            found.append(plan is not None and plan.key == key_of(t, i) and plan.beats == (f.say,))
    assert np.mean(found) > 0.7


def test_nothing_is_answered_twice_or_for_a_story_of_long_ago() -> None:
    index = index_case(load_case("alun"))
    told = next(t for t in _some(index) if t.id == "new1")
    others = tuple(t for t in _some(index) if t.topic != told.topic)[:3]
    question = _question(told.further[0].ask[0])  # the next names a bus, which is of another subject
    first = _asked(index, (told,), question)
    assert first is not None
    assert first.key == "new1/0"
    again = _asked(index, (told,), question, said=("new1/0",))
    assert again is None or again.key != "new1/0"
    assert _asked(index, (told, others[0]), question) is not None
    late = _asked(index, (told, *others), question)
    assert late is None or not late.key.startswith("new1/")


@pytest.mark.parametrize("case", case_ids())
def test_a_yes_no_question_is_never_answered_from_here(case: str) -> None:
    index = index_case(load_case(case))
    for t in _some(index)[::10]:
        for question in ("Did you tell anybody what you did then?", "Was that hard for you?", "So you went home?"):
            assert _asked(index, (t,), question) is None


@pytest.mark.parametrize("case", case_ids())
def test_what_ships_is_written_as_it_should_be(case: str) -> None:
    file = read_case_file(case)
    said = [f.say for t in file.tellings for f in t.further]
    assert len(said) > 300
    assert len(set(said)) == len(said)
    assert not [note for note in lint_case(file) if "further" in note]


def test_what_is_said_of_danger_has_none() -> None:
    for case in case_ids():
        index = index_case(load_case(case))
        memory = Memory(said=tuple(index.risky), last=next(iter(index.risky), ""))
        assert not fresh(index, memory)


def test_a_broken_file_beside_the_case_says_all_that_is_wrong() -> None:
    text = "id: mine\ntellings:\n- {id: one, topic: home, level: 0, beats: [Hello there.]}\n"
    with pytest.raises(FormatError) as fault:
        parse_case(text, "mine.yaml", further='two:\n- {ask: ["why"], say: "So."}\none: 3\n')
    assert "further[two]: no telling has this id" in str(fault.value)
    assert "further[one]: holds a int, expected a list of 'ask' and 'say'" in str(fault.value)
    with pytest.raises(FormatError, match=r"tellings\[one\]\.further\[0\]\.say"):
        parse_case(text, "mine.yaml", further='one:\n- {ask: ["why"]}\n')


def test_what_the_turn_goes_back_to_is_not_what_was_just_told() -> None:
    index = index_case(load_case("renata"))
    told = (index.tellings["job1"],)
    found = _asked(index, told, "What happened there?")
    assert found is not None
    assert found.kind == "further"
    assert _asked(index, told, "You said you shouted at somebody. What happened there?") is None
    for back in ("You've said you shouted at somebody.", "You were talking about the letters."):
        assert _asked(index, told, f"{back} What happened there?") is None
    for here in ("You said you were a dispatcher for school buses.", "You mentioned that earlier."):
        assert _asked(index, told, f"{here} What happened there?") is not None


def test_what_is_surely_meant_may_be_the_one_before_the_last() -> None:
    index = index_case(load_case("keisha"))
    told = (index.tellings["pan_often"], index.tellings["pan_scale"])
    found = _asked(index, told, "When do they come?")
    assert found is not None
    assert found.key.startswith("pan_often/")
