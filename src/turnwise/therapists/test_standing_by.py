"""What keeps to its view after a challenge is heard as that, stepped back from, and no evidence."""

from __future__ import annotations

import numpy as np
import pytest

from turnwise.therapists.ledger import Ledger, heard
from turnwise.therapists.reflecting import heard_in
from turnwise.therapists.stance import Signs
from turnwise.therapists.standing_by import rebuffs, takes_up, was_challenged
from turnwise.therapists.suiting import suits
from turnwise.therapists.test_socratic import answer, started
from turnwise.therapists.working_edge import bearable, initial_edge, moved_edge

KEPT = ("I can't see it any other way.", "That's just how it is.", "I know what I know.", "That question doesn't help.")
ANSWERED = ("My sister rang on Sunday, just to talk.", "There was one evening in June.", "The dog, maybe.")


def _signs(text: str) -> Signs:
    return Signs(frozenset(), 1, len(text.split()), ())


@pytest.mark.parametrize("text", KEPT)
def test_keeping_to_ones_view_is_a_rebuff_only_after_a_challenge(text: str) -> None:
    assert rebuffs(("ask_exception",), text)
    assert takes_up(("ask_exception",), _signs(text), text) is False
    assert not rebuffs(("reflect_content",), text)
    assert takes_up(("reflect_content",), _signs(text), text) is None


@pytest.mark.parametrize("text", ANSWERED)
def test_an_answer_is_none(text: str) -> None:
    assert not rebuffs(("ask_exception",), text)
    assert takes_up(("ask_exception",), _signs(text), text) is not False


def test_a_rebuff_is_no_evidence_and_no_thought_to_work_on() -> None:
    before = Ledger(moves=("ask_exception",), thought="I'm a burden", lengths=(10,))
    text = "I know what I'm like."
    after = heard(before, heard_in(text), _signs(text))
    assert after.rebuffed
    assert after.rupture
    assert (after.thought, after.against, after.kept) == (before.thought, (), ())
    assert suits("step_back", after, heard_in(text))
    assert not suits("ask_exception", after, heard_in(text))


@pytest.mark.parametrize("text", KEPT)
def test_the_controller_steps_back(text: str) -> None:
    who, state = started("ask_exception")
    acts = {answer(who, state, text, seed=s).info["act"]["move"] for s in range(3)}  # type: ignore[index,call-overload]
    assert acts == {"step_back"}


def test_the_edge_moves_with_what_becomes_of_a_challenge() -> None:
    signs, start = _signs("It was in June."), initial_edge()
    up, none, down = (bearable(moved_edge(start, signs, "challenge", taken_up=x)[0]) for x in (True, None, False))
    assert down < none < up
    assert was_challenged(("ask_other_view",))
    assert not was_challenged(("ask_view",)), "it asks what somebody makes of it"
    assert not was_challenged(())
    assert np.isfinite([up, none, down]).all()
