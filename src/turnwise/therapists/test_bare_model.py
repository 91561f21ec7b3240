"""A bare model gets the prompt, the intake and the transcript; what is no turn is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from turnwise.core.checkers import check_therapist
from turnwise.core.contracts import Completion
from turnwise.core.nouns import Case, Intake, Turn
from turnwise.core.seeds import generator
from turnwise.therapists.bare_model import LONGEST_REPLY, PROMPT, BareModel, bare_model, intake_lines

CASE = Case(
    id="c", intake=Intake(age=30, gender="woman", referral="Sleeps badly {x}."), truth={}, source="s", licence="l"
)


class Says:
    """A model that says the given lines in turn, and keeps what it was asked."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.asked = lines, []

    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        self.asked.append((system, tuple(turns), seed))
        line = self.lines[min(len(self.asked), len(self.lines)) - 1]
        return Completion(line, 5, "stop", 3, 2, "narrow-name")


class SaysFromTheTranscript(Says):
    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        await super().generate(system, turns, seed=seed)
        return Completion(f"I heard {len(turns)} turns. What else is there ({seed})?", 1, "stop")


def first(who: BareModel, *said: str, turn: int = 0) -> object:
    turns = tuple(Turn(speaker=("therapist", "patient")[i % 2], text=x) for i, x in enumerate(said))
    state = who.init(CASE.intake, generator(1, "k", 0, "therapist", -1))
    return asyncio.run(who.respond(state, turns, generator(1, "k", 0, "therapist", turn)))


def test_the_contract_is_kept() -> None:
    check_therapist("bare_model.v1", lambda: bare_model(lm=SaysFromTheTranscript("")), CASE)


def test_prompt_intake_and_transcript_are_all_that_is_asked_with() -> None:
    model = Says("  How was the night?\n")
    reply = first(bare_model(lm=model), "Hello.", "I can't sleep.", turn=2)
    ((system, turns, seed),) = model.asked
    assert system == PROMPT.format(intake="- age: 30\n- gender: woman\n- referral: Sleeps badly {x}.")
    assert [t.text for t in turns] == ["Hello.", "I can't sleep."]
    assert 0 <= seed < 2**31
    assert reply.text == "How was the night?"
    assert reply.closes is None
    assert reply.info == {
        "lm": {"calls": 1, "tokens": 5, "tokens_in": 3, "tokens_out": 2, "stop": "stop", "model": "narrow-name"}
    }


def test_another_turn_has_another_seed() -> None:
    model = Says("Yes?")
    for turn in (0, 2, 4):
        first(bare_model(lm=model), turn=turn)
    assert len({seed for _, _, seed in model.asked}) == 3


def test_an_unknown_intake_is_said_to_be_nothing() -> None:
    assert intake_lines(Intake()) == "- nothing"


@pytest.mark.parametrize(("words", "why"), [(" \n", "no words"), ("x" * (LONGEST_REPLY + 1), "at most 32,000")])
def test_what_is_no_turn_is_refused(words: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        first(bare_model(lm=Says(words)))
