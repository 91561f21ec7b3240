"""What everybody who speaks through a language model has in common: one call, what is kept of it, what is no turn."""

from __future__ import annotations

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.contracts import Completion, LanguageModel
from turnwise.core.nouns import Transcript

__all__ = ["LONGEST_REPLY", "about", "asked", "seed_of"]

LONGEST_REPLY = 32_000
"""Characters. A reply beyond this is no turn of a conversation but a fault, and ends the session as one."""


def seed_of(rng: Generator) -> int:
    """Draw the seed that is sent with a call; providers that know no seed ignore it."""
    return int(rng.integers(2**31 - 1))


async def asked(lm: LanguageModel, system: str, transcript: Transcript, rng: Generator) -> Completion:
    """Ask for the next turn; refuse what is no turn.

    Raises
    ------
    ValueError : the model answered with nothing, or with more than :data:`LONGEST_REPLY` characters.
    """
    completion = await lm.generate(system, transcript, seed=seed_of(rng))
    if not completion.text.strip():
        raise ValueError(f"the model answered with no words (it stopped because of {completion.stop!r})")
    if len(completion.text) > LONGEST_REPLY:
        raise ValueError(
            f"the model answered with {len(completion.text):,} characters; a turn holds at most {LONGEST_REPLY:,}"
        )
    return completion


def about(*completions: Completion) -> dict[str, JsonValue]:
    """Return what is kept of the calls of one turn: how many, their tokens, why the last one stopped."""
    known = [c for c in completions if c.tokens_in is not None and c.tokens_out is not None]
    whole = len(known) == len(completions)
    return {
        "calls": len(completions),
        "tokens": sum(c.usage for c in completions),
        "tokens_in": sum(c.tokens_in or 0 for c in known) if whole else None,
        "tokens_out": sum(c.tokens_out or 0 for c in known) if whole else None,
        "stop": completions[-1].stop,
        "model": completions[-1].model,
    }
