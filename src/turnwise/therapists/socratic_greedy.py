"""The Socratic therapist without looking ahead: what planning is worth."""

from __future__ import annotations

from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.therapists.choosing import Policy
from turnwise.therapists.socratic import Socratic

__all__ = ["socratic_greedy"]


@therapist(
    name="socratic_greedy.v1",
    source="definition of this project: the ablation of planning; everything else is socratic.v1",
    emits=("act.move", "belief", "entropy", "evidence"),
)
def socratic_greedy(*, ear: Ear) -> Socratic:
    """Guided discovery without looking ahead: what planning is worth.

    The same acts, values, ledger and lines as ``socratic``, with one switch off (``foresees=False``). It still
    answers risk, questions about itself and a goodbye first, which are read from explicit words.
    """
    return Socratic(ear, Policy(foresees=False))
