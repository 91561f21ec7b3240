"""Open questions that presuppose nothing the patient did not say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from numpy.random import Generator

from turnwise.therapists.reflecting import Heard, Line, shuffled
from turnwise.therapists.wording import people

__all__ = ["DEEPENING", "INFORMING", "OPENINGS", "WITH_PERSON", "questions"]

OPENINGS: tuple[str, ...] = (
    "Hello, and thank you for coming. What would you like to talk about today?",
    "Hello. It's good that you're here. Where would you like to begin?",
    "Hello. There's no set way to do this. What brings you here today?",
    "Welcome. I'd like to hear it from you, in your own words. What's been going on?",
    "Hello. We can take this at your pace. What made you decide to come?",
)
INFORMING: tuple[str, ...] = (
    "How long has it been like this?",
    "When did you first notice it?",
    "What does a usual day look like at the moment?",
    "Who else knows how things are?",
    "What have you tried so far?",
    "How often does it come up?",
    "When was the last time?",
    "How have you been sleeping?",
    "What was it like before all this?",
    "What do you find helps, even a bit?",
)
"""Stage 1: what happened, how often, since when."""

DEEPENING: tuple[str, ...] = (
    "What's that like for you?",
    "What's the hardest part of it?",
    "How do you feel about that?",
    "Can you tell me more about that?",
    "What matters most to you in that?",
    "What stays with you about it?",
    "Where does that leave you?",
    "What do you make of that?",
    "How do you manage, when it's at its worst?",
    "What would you like to be different?",
    "What would you want me to understand about that?",
    "What does that do to you?",
    "How is it to talk about that?",
    "What would it be like if that were easier?",
    "What goes on inside you, when you tell me that?",
)
"""Stage 2: how it is for the person."""

NARRATIVE: tuple[str, ...] = (
    "What happened then?",
    "What did you do next?",
    "How was that for you, at the time?",
    "What was the worst moment?",
)
WITH_PERSON: tuple[str, ...] = (
    "How are things between you and {p}?",
    "How does {p} come into this?",
    "How much of this does {p} know?",
    "What does {p} say about it?",
    "How is it for you with {p}?",
)
_PAST = re.compile(
    r"\bI (?:was|went|had|sat|stood|got|came|lay|put|told|said|rang|left|ran|took|couldn't|didn't|\w+ed)\b"
)


def questions(heard: Heard, bank: Sequence[str], rng: Generator) -> list[Line]:
    """Return candidate questions: about a person just mentioned, about what just happened, or from ``bank``."""
    name = "informing" if bank is INFORMING else "deepening"
    special: list[Line] = []
    for person in people(heard.text)[:1]:
        special += [Line(f"person.{i}", line.format(p=person), (person,)) for i, line in shuffled(WITH_PERSON, rng)]
    if _PAST.search(heard.text):
        special += [Line(f"narrative.{i}", line) for i, line in shuffled(NARRATIVE, rng)]
    general = [Line(f"{name}.{i}", line) for i, line in shuffled(bank, rng)]
    return special[:1] + general + special[1:] if rng.random() < 0.5 else general + special
