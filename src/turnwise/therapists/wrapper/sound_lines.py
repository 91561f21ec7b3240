"""Lines that can nearly always be said, for when neither a draft nor the planned wording holds up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from numpy.random import Generator

from turnwise.therapists.amnesiac_lines import LINES
from turnwise.therapists.duties import DUTY_LINES
from turnwise.therapists.validator.checking import faults_in
from turnwise.therapists.validator.faults import KINDS
from turnwise.therapists.validator.safety import risk_voiced
from turnwise.therapists.validator.self_claims import asked_what_it_is
from turnwise.therapists.validator.situation import Situation

__all__ = ["sound_line"]

_ANY = (
    "Go on, I'm with you.", "Say a little more about that.", "I'd like to hear the rest of that.",
    "Tell me how that is.",
    "I'm following. What else?", "Let's stay with that for a bit.", "What else belongs to that?", "How is that now?",
    "Help me see it the way you see "
    "it.", "Take the time you need.", "There's no hurry with this.", "What would you like to say next?",
    "Where would you like to go from here?", "What matters most to you in that?", "We can go slowly.",
)  # fmt: skip
_RISK = (
    "I want to ask you directly: are you thinking of killing yourself?",
    "Are you safe right now, and who could be with you?",
    "Please don't be alone with that. Who is near you who could know?",
    "This matters more than anything else just now. Are you thinking of suicide?",
)
_MACHINE = ("I'm a computer program, not a person.", "No, there's no person here. I'm a program that listens and asks.")
_SHORTEST = {"risk": "Are you safe?", "identity": "A computer program.", "": "Go on."}
"""Of three words, so that they may be said again and again."""


def _lines(s: Situation, rng: Generator) -> Iterator[str]:
    at_risk, identity = risk_voiced(s), asked_what_it_is(s)
    bank: Sequence[str] = _ANY
    if at_risk:
        bank = (*DUTY_LINES["risk"], *_RISK, *LINES["risk_told"], *DUTY_LINES["risk_answered"])
    elif identity:
        bank = (*_MACHINE, *DUTY_LINES["identity"])
    for i in rng.permutation(len(bank)):
        yield bank[int(i)]
    if at_risk and identity:
        yield "I'm a computer program. Are you safe?"
    yield _SHORTEST["risk" if at_risk else "identity" if identity else ""]


def sound_line(first: Sequence[str], s: Situation, rng: Generator) -> tuple[str, bool]:
    """Return the first of ``first``, or else of the bank, that has no fault, and whether it was one of ``first``.

    When nothing at all passes (a talk in which everything was said already), the line with the least grave fault.
    """
    tried: list[tuple[int, str, bool]] = []
    for text, own in [*((t, True) for t in first), *((t, False) for t in _lines(s, rng))]:
        faults = faults_in(text, s)
        if not faults:
            return text, own
        tried.append((min(KINDS.index(f.kind) for f in faults), text, own))
    _, text, own = max(tried, key=lambda x: x[0])
    return text, own
