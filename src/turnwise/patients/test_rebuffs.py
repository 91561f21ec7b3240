"""A challenge beyond the working edge may be rebuffed, one within it is not, and what is said fits."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from turnwise.core.nouns import Turn
from turnwise.patients.banks import said_of
from turnwise.patients.casebook import case_ids, load_case, read_case_file
from turnwise.patients.index import index_case
from turnwise.patients.listening import take
from turnwise.patients.matching import candidates
from turnwise.patients.memory import Memory
from turnwise.patients.mind import Mind
from turnwise.patients.planner import decide
from turnwise.patients.plans import Situation
from turnwise.patients.statements import rebuffs
from turnwise.reading.ears.direct import DirectEar
from turnwise.reading.ears.questions import read_heard
from turnwise.reading.window import Window

ASKS = (
    "What speaks against that?",
    "What would you say to a friend who thought that about themselves?",
    "Is there another way of looking at it?",
)
PLAIN = ("What happened then?", "How long have you felt like that?", "Who is at home with you?")


def situation(case: str, question: str, mind: Mind, seed: int = 0) -> Situation:
    index = index_case(load_case(case))
    told = index.tellings[index.file.spine[0]]
    memory = Memory(said=(told.id,), lines=told.beats[:1], last=told.id, topic=told.topic, focus=(told.topic,))
    before, now = Turn(speaker="patient", text=told.beats[0]), Turn(speaker="therapist", text=question)
    hearing = asyncio.run(DirectEar().hear(Window(now, (before,))))
    taken = take(index, memory, (before, now), hearing, read_heard(hearing, question))
    return Situation(index, mind, memory, taken, np.random.default_rng(seed))


def _rebuffed(case: str, question: str, mind: Mind, seeds: int = 40) -> float:
    s = situation(case, question, mind)
    fresh = (replace(s, rng=np.random.default_rng(seed)) for seed in range(seeds))
    return float(np.mean([rebuffs(x, answerable=True) is not None for x in fresh]))


@pytest.mark.parametrize("question", ASKS)
def test_the_further_beyond_the_edge_the_likelier_a_rebuff_and_none_within(question: str) -> None:
    far, near, within = (_rebuffed("alun", question, Mind(trust=t, reactance=0.1)) for t in (0.2, 0.4, 0.7))
    assert within == 0.0
    assert 0.0 < near < far
    assert far > 0.6


@pytest.mark.parametrize("question", PLAIN)
def test_what_asks_for_no_other_view_is_never_rebuffed(question: str) -> None:
    assert _rebuffed("alun", question, Mind(trust=0.1, reactance=0.5)) == 0.0


def test_a_challenge_that_nothing_answers_is_always_rebuffed_beyond_the_edge() -> None:
    s = situation("alun", "Isn't that a bit black and white?", Mind(trust=0.3, reactance=0.1))
    assert s.taken.heard.does("challenge")
    plan = rebuffs(s)
    assert plan is not None
    assert plan.moment == "invalidation"


@pytest.mark.parametrize("case", case_ids())
def test_every_case_keeps_to_its_view_in_words_of_its_own(case: str) -> None:
    own = said_of(read_case_file(case).reactions.defends)
    assert len(set(own)) >= 8
    others = {line for x in case_ids() if x != case for line in said_of(read_case_file(x).reactions.defends)}
    assert not set(own) & others
    assert not [line for line in own if line.lower().startswith(("yes", "no,", "no."))]


@pytest.mark.parametrize("case", ["alun", "luca", "tobias"])
def test_a_plain_question_after_a_challenge_is_answered_and_not_rebuffed(case: str) -> None:
    challenge, mind = "I'm not here to tell you that you're imagining it.", Mind(trust=0.1, reactance=0.5)
    s = situation(case, f"{challenge} When did you first notice it happening?", mind)
    assert s.taken.heard.does("challenge")
    assert rebuffs(s, answerable=True) is None
    assert rebuffs(situation(case, "Isn't it rather that you're imagining it?", mind)) is not None


def test_whoever_asks_of_another_subject_gets_no_more_of_the_last() -> None:
    s = situation("alun", "You spoke of the letter. Tell me about it.", Mind(trust=0.6, turn=5))
    told = s.index.tellings[s.memory.last]
    s = replace(s, memory=replace(s.memory, pending=told.beats[1:]))
    plan = decide(s, candidates(s.index, s.memory, s.taken))
    assert not plan.continues
    assert plan.telling not in told.leads_to


@pytest.mark.parametrize("case", case_ids())
def test_everybody_can_be_asked_after_by_what_they_are_to_the_patient(case: str) -> None:
    index = index_case(load_case(case))
    for name, person in index.file.people.items():
        assert name in index.people_in(f"What did your {person.kind} say to you?")
