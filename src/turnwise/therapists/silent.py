"""A therapist that says nothing."""

from __future__ import annotations

from numpy.random import Generator

from turnwise.core.nouns import Course, Cue, Intake, Reply, Transcript
from turnwise.core.registry import therapist

__all__ = ["Silent", "silent"]


class Silent:
    """Keeps a pause at every turn. Its state is the number of pauses so far."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> int:
        """Return the state before the first word."""
        return 0

    async def respond(self, state: int, transcript: Transcript, rng: Generator) -> Reply[int]:
        """Say nothing, with a cue that says it was a pause."""
        return Reply("", state + 1, cues=(Cue(kind="pause"),))


@therapist(
    name="silent.v1",
    source="definition of this project: a foil; what happens when only time passes",
    loses_on=("reflection_share", "trust_level"),
    must_lose=("attune", "inquire", "guide", "yield", "provide", "dissent", "safeguard", "own_up"),
)
def silent() -> Silent:
    """Says nothing at all: the floor of every comparison.

    It is not a therapist who listens quietly: it gives no sign of having heard. No panel is named: their measures
    are of what a therapist says, and who says nothing is unscored there; moments that never come because nobody
    asks count against it as skills.
    """
    return Silent()
