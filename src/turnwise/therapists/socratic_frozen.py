"""The Socratic therapist the belief held at the prior: what tracking the patient is worth."""

from __future__ import annotations

from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.therapists.choosing import Policy
from turnwise.therapists.socratic import Socratic

__all__ = ["socratic_frozen"]


@therapist(
    name="socratic_frozen.v1",
    source="definition of this project: the ablation of the beliefs; everything else is socratic.v1",
    emits=("act.move", "belief", "entropy", "evidence"),
)
def socratic_frozen(*, ear: Ear) -> Socratic:
    """Guided discovery the belief held at the prior: what tracking the patient is worth.

    The same acts, values, ledger and lines as ``socratic``, with one switch off (``tracks=False``). It still
    answers risk, questions about itself and a goodbye first, which are read from explicit words.
    """
    return Socratic(ear, Policy(tracks=False))
