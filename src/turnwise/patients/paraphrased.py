"""The paraphrased family: the same people in other words, so that a therapist tuned to our phrases is found out.

Decisions, state and truth are those of the principled family, number for number: the person inside hears the same
transcript with its own lines as it first worded them, and never learns that other words were said. What changes is
what the therapist and the raters read. A therapist who reads the person and not the phrase does as well here.

A therapist who gives back the other words gives back what the person inside does not know as its own: a reflection
counts as one in somebody else's words, and a copy as less of a copy. That costs every therapist alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.nouns import Case, Course, Reply, Transcript, Turn
from turnwise.core.registry import patient
from turnwise.patients.memory import Carried
from turnwise.patients.paraphrasing import paraphrased, share_changed
from turnwise.patients.stateful import EMITS, Stateful, stateful
from turnwise.reading.ears.hearing import Ear

__all__ = ["Paraphrased", "Reworded", "paraphrased_patient"]


@dataclass(frozen=True, slots=True)
class Reworded:
    """What is carried on: the person inside, whose way of speaking it has, and what it meant by what was said."""

    inside: Carried
    voice: int
    meant: Mapping[str, str] = field(default_factory=dict)
    """What was said, to the line as the person worded it."""


class Paraphrased:
    """Says in other words what a patient of the principled family says."""

    def __init__(self, inner: Stateful) -> None:
        self._inner = inner

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> Reworded:
        """Return the state before the first word; the way of speaking is drawn after everything else."""
        inside = self._inner.init(case, rng, prior)
        return Reworded(inside, int(rng.integers(2**31 - 1)))

    def next_session(self, state: Reworded, rng: Generator, weeks: float) -> Reworded:
        """Return the state before the first word of the next session: the same person, speaking the same way."""
        return replace(state, inside=self._inner.next_session(state.inside, rng, weeks))

    async def respond(self, state: Reworded, transcript: Transcript, rng: Generator) -> Reply[Reworded]:
        """Decide and word as the person inside does, then say it in other words; what is said of danger stays."""
        reply = await self._inner.respond(state.inside, _as_meant(transcript, state.meant), rng)
        said = reply.info["said"]
        danger = reply.info["moment"] == "risk" or (isinstance(said, dict) and said["kind"] == "risk")
        own = str(said["words"] or "") if isinstance(said, dict) else ""
        parts = reply.text.removesuffix(own), own  # a planned moment has the same words whatever leads up to it
        names = reply.state.index.proper
        lead, words = parts if danger else (paraphrased(part, state.voice, names) for part in parts)
        text = lead + words
        share = share_changed(reply.text, text)
        other: dict[str, JsonValue] = {"meant": reply.text, "changed": None if share is None else round(share, 6)}
        carried = Reworded(reply.state, state.voice, {**state.meant, text: reply.text})
        info = {**reply.info, "said": {**said, "words": words or None}} if isinstance(said, dict) else reply.info
        return Reply(text, carried, {**info, "other_words": other}, reply.closes, reply.cues)


def _as_meant(transcript: Transcript, meant: Mapping[str, str]) -> Transcript:
    """Return the transcript with the patient's lines as it worded them first."""
    return tuple(
        t if t.speaker == "therapist" else Turn(speaker="patient", text=meant.get(t.text, t.text), cues=t.cues)
        for t in transcript
    )


@patient(
    name="paraphrased.v1",
    emits=(*EMITS, "other_words"),
    source="stateful.v1 in other words: a table of general English written for this project (paraphrases.json)",
)
def paraphrased_patient(*, ear: Ear) -> Paraphrased:
    """Patients as in stateful, every line said in other words by rules; decisions and truth stay the same.

    Shows whether a therapist hears people or the phrases of the simulator. The truth record holds each line as it was
    meant, and the share of its content words that are others.
    """
    return Paraphrased(stateful(ear=ear))
