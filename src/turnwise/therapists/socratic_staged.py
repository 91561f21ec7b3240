"""The Socratic therapist in a fixed order of stages: what adapting is worth."""

from __future__ import annotations

from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.therapists.choosing import Policy
from turnwise.therapists.socratic import Socratic

__all__ = ["socratic_staged"]


@therapist(
    name="socratic_staged.v1",
    source="definition of this project: the ablation of the order; everything else is socratic.v1",
    emits=("act.move", "belief", "entropy", "evidence"),
)
def socratic_staged(*, ear: Ear) -> Socratic:
    """Guided discovery in a fixed order of stages: what adapting is worth.

    The same acts, values, ledger and lines as ``socratic``, with one switch off (``adapts=False``): no act comes
    before the turns of its stage, and after them only one that answers what was called for. It still answers risk,
    questions about itself and a goodbye first, which are read from explicit words.
    """
    return Socratic(ear, Policy(adapts=False))
