"""A model as reasoner: it proposes how likely the patient's words are under each stance; the code infers."""

from __future__ import annotations

from turnwise.belief.hybrid import Asked, Hybrid, Rules, track
from turnwise.belief.proposals import instruction
from turnwise.core.contracts import LanguageModel
from turnwise.core.nouns import Belief, Turn
from turnwise.therapists.wrapper.calling import Answered, ask

__all__ = ["ModelProposer", "reasoned"]

RULES = Rules(temper=0.3, most=6, retire_below=0.0)
"""No stance is added or retired. The ear has heard the same words before, so the proposal is tempered twice over."""
_MEANING = (
    "The hypotheses say how the person stands towards the talk right now: engaged = working on it, raw = in fresh "
    "pain, ambivalent = wanting and not wanting, "
    "resisting = pushing back, withdrawing = pulling away."
)


class ModelProposer:
    """The proposer's port over a language model; keeps the calls it made."""

    def __init__(self, lm: LanguageModel, seed: int) -> None:
        self._lm = lm
        self._seed = seed
        self.calls: list[Answered] = []

    async def propose(self, asked: Asked, /) -> str:
        """Return what the model answered; nothing when it answered nothing."""
        system = f"{instruction(asked.hypotheses, asked.room)}\n{_MEANING}"
        turns = (Turn(speaker="patient", text=asked.observation),)
        answered = await ask(self._lm, system, turns, seed=self._seed)
        self.calls.append(answered)
        return answered.text


async def reasoned(belief: Belief, said: str, lm: LanguageModel, *, seed: int) -> tuple[Belief, str, list[Answered]]:
    """Return the belief after the model's proposal, why it was left as it was if it was, and the calls."""
    proposer = ModelProposer(lm, seed)
    after, did = await track(Hybrid(belief), said, proposer, rules=RULES)
    return after.belief, did.reason, proposer.calls
