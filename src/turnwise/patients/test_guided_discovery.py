"""Questions at a thought are answered from one's own life and count; a view that was found lasts as it is taken up."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from turnwise.core.nouns import Turn
from turnwise.patients.casebook import load_case
from turnwise.patients.dynamics import Impact, Mind, step
from turnwise.patients.index import index_case
from turnwise.patients.insights import own_evidence
from turnwise.patients.listening import Taken, impact_of, take
from turnwise.patients.matching import candidates
from turnwise.patients.memory import Memory
from turnwise.patients.plans import Plan, Situation
from turnwise.patients.test_stub_ear import RuleEar
from turnwise.reading.ears.questions import read_heard
from turnwise.reading.window import Window

INDEX = index_case(load_case("tobias"))
THOUGHT, STORIES = "th10", ("th1", "th2", "th3", "th4")
TRUSTS = Mind(trust=0.6, turn=8)
AT_A_THOUGHT = (
    "When was it last a little less true?", "What doesn't fit with that?", "Has there been an exception?",
    "Is there another way to see it?",
)  # fmt: skip


def told(*names: str, moment: str = "") -> Memory:
    lines = tuple(beat for name in names for beat in INDEX.tellings[name].beats)
    return Memory(said=names, lines=lines, last=names[-1], topic=INDEX.tellings[names[-1]].topic, moment=moment)


def taken(memory: Memory, text: str) -> Taken:
    """Return ``text`` as somebody takes it whose last words are the last of ``memory``."""
    talk = (Turn(speaker="patient", text=memory.lines[-1]), Turn(speaker="therapist", text=text))
    hearing = asyncio.run(RuleEar().hear(Window(talk[-1], talk[:-1])))
    return take(INDEX, memory, talk, hearing, read_heard(hearing, text))


def impact(memory: Memory, text: str) -> Impact:
    return impact_of(INDEX, memory, taken(memory, text), odd=False)


def answered(memory: Memory, text: str) -> Plan | None:
    heard = taken(memory, text)
    situation = Situation(INDEX, TRUSTS, memory, heard, np.random.default_rng(1))
    return own_evidence(situation, candidates(INDEX, memory, heard))


@pytest.mark.parametrize("question", AT_A_THOUGHT)
def test_a_question_for_evidence_is_answered_and_counts_at_a_thought_and_nowhere_else(question: str) -> None:
    assert impact(told(THOUGHT), question).evidence_question
    found = answered(told(THOUGHT), question)
    assert found is not None
    assert found.telling in INDEX.file.insight_track.evidence
    assert not impact(told(*STORIES), question).evidence_question


def test_a_thought_that_is_quoted_is_on_the_table_however_long_ago_it_was_voiced() -> None:
    long_ago, question = told(THOUGHT, *STORIES), "When was it last a little less true?"
    assert not impact(long_ago, question).evidence_question
    assert impact(long_ago, f'You said, "A result is right or it\'s not." {question}').evidence_question


def test_what_is_made_of_evidence_that_was_found_counts_and_of_a_story_does_not() -> None:
    evidence = INDEX.file.insight_track.evidence[0]
    question = "I have both of these from you. What do you make of that, side by side?"
    assert impact(told(THOUGHT, evidence), question).evidence_question
    assert not impact(told(THOUGHT), question).evidence_question
    assert not impact(told(*STORIES), question).evidence_question


def test_what_never_was_voiced_is_not_on_the_table_by_being_named() -> None:
    text = 'You may think, "A result is right or it\'s not." When was it last a little less true?'
    assert not impact(told(*STORIES), text).evidence_question


def test_quoting_the_last_words_is_heard_and_inventing_some_is_not() -> None:
    memory = told("new1", moment="insight")
    own = " ".join(memory.lines[-1].split()[:5])
    assert impact(memory, f'"{own}" What does that change, for you?').quotes
    assert not impact(memory, '"Everybody is against me now." What does that change, for you?').quotes
    assert impact(memory, "Mm-hm.").newly_seen
    assert not impact(told(THOUGHT), "Mm-hm.").newly_seen


def test_a_new_view_lasts_more_the_more_it_is_taken_up() -> None:
    seen = Impact(newly_seen=True)
    ways = {
        "passed over": seen,
        "given back": Impact(newly_seen=True, quotes=True),
        "gone on with": Impact(newly_seen=True, quotes=True, open_question=True, tied=True, questions=1),
        "topped with advice": Impact(newly_seen=True, quotes=True, advice=0.8),
        "nothing new": Impact(quotes=True, open_question=True, tied=True, questions=1),
    }
    fell = {name: TRUSTS.conviction - step(TRUSTS, heard)[0].conviction for name, heard in ways.items()}
    assert fell["gone on with"] > fell["given back"] > 0.0
    assert fell["passed over"] == fell["topped with advice"] == fell["nothing new"] == 0.0
