"""The one session loop: who speaks, how it ends, what a fault becomes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.core.nouns import Case, Cue, Intake, Reply, SessionSpec, Trajectory
from turnwise.core.play import play
from turnwise.core.seeds import generator

CASE = Case(id="c", intake=Intake(referral="sleeps badly"), truth={"secret": "zzqx"}, source="test", licence="test")


class Scripted:
    """Replies from a list; remembers what it was given."""

    def __init__(self, *replies: Any) -> None:
        self.replies, self.given, self.draws = replies, [], []  # type: ignore[var-annotated]

    def init(self, who: Any, rng: Any, prior: Any = None) -> int:
        self.given.append(who)
        return 0

    async def respond(self, state: int, transcript: Any, rng: Any) -> Any:
        self.draws.append(float(rng.random()))
        reply = self.replies[min(state, len(self.replies) - 1)]
        if isinstance(reply, Exception):
            raise reply
        return Reply(reply, state + 1) if isinstance(reply, str) else reply


def session(patient: Any, therapist: Any, turns: int = 4, seed: int = 1, name: str = "t.v1") -> Trajectory:
    spec = SessionSpec(case="c", patient="p.v1", therapist=name, seed=seed, max_turns=turns)
    return asyncio.run(play(spec, CASE, patient, therapist))


def test_the_therapist_opens_and_turns_count_therapist_turns() -> None:
    t = session(Scripted("hm"), Scripted("hello"), turns=3)
    assert [x.speaker for x in t.turns] == ["therapist", "patient"] * 3
    assert (t.ending, t.error) == ("max_turns", None)


def test_the_therapist_is_given_the_intake_and_never_the_case() -> None:
    patient, therapist = Scripted("hm"), Scripted("hello")
    session(patient, therapist)
    assert patient.given == [CASE]
    assert therapist.given == [CASE.intake]


@pytest.mark.parametrize("ending", ["patient_closed", "patient_left", "patient_faded"])
def test_the_patient_ends_through_the_typed_field(ending: Any) -> None:
    t = session(Scripted("hm", Reply("bye", 2, closes=ending)), Scripted("hello"))
    assert (t.ending, len(t.turns)) == (ending, 4)


def test_the_goodbye_of_the_therapist_is_still_answered() -> None:
    t = session(Scripted("right, bye"), Scripted("hello", Reply("goodbye", 2, closes="therapist_closed")))
    assert (t.ending, t.turns[-1].text) == ("therapist_closed", "right, bye")


@pytest.mark.parametrize("word", ["END", "###STOP###", "[DONE]", "</s>", "goodbye"])
def test_saying_a_magic_word_ends_nothing(word: str) -> None:
    t = session(Scripted(word), Scripted(word))
    assert (t.ending, len(t.turns)) == ("max_turns", 8)


FAULTS = {
    "raises": (RuntimeError("boom"), "RuntimeError: boom"),
    "says None": (Reply(None, 1), "NoneType instead of text"),  # type: ignore[arg-type]
    "says nothing": (Reply("", 1), "said nothing"),
    "not a reply": ({"text": "hi"}, "dict instead of a Reply"),
    "ends for the other": (Reply("x", 1, closes="error"), "cannot end a session"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("role", ["therapist", "patient"])
def test_a_fault_is_stored_as_data(role: str, fault: str) -> None:
    reply, words = FAULTS[fault]
    bad, good = Scripted("fine", reply), Scripted("hello")
    t = session(bad, good) if role == "patient" else session(good, bad)
    assert t.ending == "error"
    assert t.error is not None
    assert t.error.startswith(role)
    assert words in t.error
    assert len(t.turns) == (3 if role == "patient" else 2)  # what was said before the fault is kept


def test_a_silence_needs_a_cue() -> None:
    t = session(Scripted("?"), Scripted(Reply("", 1, cues=(Cue(kind="pause"),))))
    assert t.ending == "max_turns"


def test_the_patient_has_the_same_luck_whoever_the_therapist_is() -> None:
    one, two = Scripted("hm"), Scripted("hm")
    session(one, Scripted("hello"), name="a.v1")
    session(two, Scripted("go away"), name="b.v1")
    assert one.draws == two.draws
    assert len(set(one.draws)) == len(one.draws)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 2**31)] * 2, st.text(max_size=5), st.integers(-1, 90)), max_size=8, unique=True)
)
def test_every_step_has_luck_of_its_own(keys: Sequence[tuple[int, int, str, int]]) -> None:
    draws = [generator(seed, key, epoch, "patient", turn).random() for seed, epoch, key, turn in keys]
    assert len(set(draws)) == len(draws)
    assert draws == [generator(seed, key, epoch, "patient", turn).random() for seed, epoch, key, turn in keys]


@given(st.integers(0, 2**40), st.integers(0, 50), st.integers(-1, 50))
def test_the_two_sides_draw_apart(seed: int, epoch: int, turn: int) -> None:
    a = generator(seed, "p/c", epoch, "patient", turn).random()
    assert a != generator(seed, "p/c", epoch, "therapist", turn).random()
