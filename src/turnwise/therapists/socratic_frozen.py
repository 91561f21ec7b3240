"""The Socratic therapist with its belief held at the prior: what tracking the patient is worth."""

from __future__ import annotations

from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.therapists.socratic import Socratic

__all__ = ["socratic_frozen"]


@therapist(
    name="socratic_frozen.v1",
    source="definition of this project: the ablation of the belief; everything else is socratic.v1",
    emits=("act.move", "belief", "entropy", "evidence"),
)
def socratic_frozen(*, ear: Ear) -> Socratic:
    """Guided discovery by the prior alone: the same acts, values, ledger and lines, no update.

    It still answers risk, questions about itself, requests and insights, which are read from
    explicit words and not from the belief.
    """
    return Socratic(ear, frozen=True)
