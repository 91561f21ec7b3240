"""Which thinking trap a patient's turn shows.

Definition: the traps of Burns (1980) as Sharma et al. (2023, ACL) code them. It is not whether the
thought is false. Fitted on invented thoughts; on what people coded it names the right trap far
above chance and cannot tell whether there is one, so it is for asking *which*, never *whether*.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.coder import load_coder
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.thinking_trap import TrapCoder

__all__ = ["distortion"]


@reader(
    name="distortion.v1",
    item="distortion",
    labels=(
        "all_or_nothing", "blaming", "catastrophizing", "comparing", "disqualifying_the_positive",
        "emotional_reasoning", "fortune_telling", "labeling", "mind_reading", "overgeneralizing", "personalizing",
        "should_statements",
    ),
    reads="patient",
    kind="many",
    bundle="open",
)  # fmt: skip
def distortion() -> SessionReader:
    """Thinking trap in a patient's turn: at most one of twelve, fitted on written thoughts."""
    coder = TrapCoder(load_coder("distortion.v1", "raters"))
    return SessionReader("distortion.v1", "patient", folds={}, coder=coder, words=(6, 60))
