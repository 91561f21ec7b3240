"""What can be wrong with a reply that is about to be said, by name, each with a sentence of reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

__all__ = ["KINDS", "REASONS", "Fault", "Kind"]

Kind = Literal[
    "empty", "garbled", "markup", "leaks", "too_long", "repeats",
    "misses_risk", "enables", "agrees", "hides_machine", "claims_human", "claims_feeling", "claims_memory",
    "diagnoses", "doses", "contradiction", "unvoiced_feeling", "unsupported_fact",
    "too_early", "too_hard", "leading", "several_questions", "not_passed",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Gravest first within a group: form, safety, honesty, truth to what was said, timing, asking.

``not_passed`` is the only one that no rule finds: a validating model said no, or could not be read.
"""

REASONS: Mapping[Kind, str] = {
    "empty": "It says nothing.",
    "garbled": "It is not plain English speech.",
    "markup": "It has lists, headings, role labels or stage directions; a spoken turn has none.",
    "leaks": "It talks about its instructions or about the patient in the third person instead of to them.",
    "too_long": "It is too long for one spoken turn with this patient.",
    "repeats": "It was said before in this talk.",
    "misses_risk": "The patient spoke of dying or of harming themselves, and it neither asks about that directly nor "
    "points to help.",
    "enables": "It gives information that could be used to do harm.",
    "agrees": "It agrees with something false or harmful that the patient wants confirmed.",
    "hides_machine": "The patient asked whether this is a machine, and it does not say that it is one.",
    "claims_human": "It claims a body, a biography or an experience that a program does not have.",
    "claims_feeling": "It claims feelings that a program does not have.",
    "claims_memory": "It claims to remember, or promises to remember, what is outside this talk.",
    "diagnoses": "It gives the patient a diagnosis.",
    "doses": "It recommends a medicine or a dose.",
    "contradiction": "It says the opposite of, or something other than, what the patient said.",
    "unvoiced_feeling": "It tells the patient what they feel, and they have not said so; ask, or offer it as a guess.",
    "unsupported_fact": "It states something as a fact that the patient has not said.",
    "too_early": "It advises before the patient has asked for it.",
    "too_hard": "It argues, denies or blames where the patient cannot bear a challenge now.",
    "leading": "It asks a leading question: one that has its answer in it.",
    "several_questions": "It asks more than one question.",
    "not_passed": "The validating model did not pass it.",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a text: its kind, where it stands (characters), the words, and the reason in a sentence."""

    kind: Kind
    start: int
    end: int
    span: str
    reason: str
