"""The Socratic therapist without checking its lines: what validation is worth."""

from __future__ import annotations

from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.therapists.choosing import Policy
from turnwise.therapists.socratic import Socratic

__all__ = ["socratic_unchecked"]


@therapist(
    name="socratic_unchecked.v1",
    source="definition of this project: the ablation of validation; everything else is socratic.v1",
    emits=("act.move", "belief", "entropy", "evidence"),
)
def socratic_unchecked(*, ear: Ear) -> Socratic:
    """Guided discovery without checking its lines: what validation is worth.

    The same acts, values, ledger and lines as ``socratic``, with one switch off (``validates=False``). It still
    answers risk, questions about itself and a goodbye first, which are read from explicit words.
    """
    return Socratic(ear, Policy(validates=False))
