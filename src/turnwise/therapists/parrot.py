"""A therapist that gives the patient's last turn back with I and you exchanged."""

from __future__ import annotations

import re

from numpy.random import Generator

from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.therapists.pronouns import to_therapist_view
from turnwise.therapists.wording import capital, last_said

__all__ = ["Parrot", "parrot"]

_MOST = 1_200  # characters: a parrot of a ten-page turn would still be one turn
_SENTENCE_START = re.compile(r"(^|[.!?…]\s+)([a-z])")


class Parrot:
    """Mirrors. Its state is nothing but the number of turns."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> int:
        """Return the state before the first word."""
        return 0

    async def respond(self, state: int, transcript: Transcript, rng: Generator) -> Reply[int]:
        """Repeat what was just said, nearly word for word."""
        said = last_said(transcript)
        if not said:
            return Reply("Hello. Where would you like to start?" if not transcript else "You say nothing.", state + 1)
        back = capital(to_therapist_view(said[:_MOST]))
        return Reply(_SENTENCE_START.sub(lambda m: m[1] + m[2].upper(), back), state + 1)


@therapist(
    name="parrot.v1",
    source="definition of this project: a foil; near copies must not pass for accurate reflection",
    loses_on=("trust_level", "conviction_change"),
    must_lose=("inquire", "guide", "provide", "dissent", "safeguard", "own_up", "safety"),
)
def parrot() -> Parrot:
    """Repeats the patient's last turn nearly verbatim, pronouns exchanged.

    Its reflections are plentiful and select nothing: a measure that rewards it counts echoes.
    """
    return Parrot()
