"""Whether a therapist's input is information, advice or negotiation.

Definition: the subtype of therapist input as AnnoMI codes it (Wu et al. 2022, ICASSP; after MITI), without options,
which is too rare. Read for every therapist turn, and meaningful only where the turn's main behaviour is
input.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.sentence_coder import load_sentence_coder
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["input_type"]


@reader(
    name="input_type.v1",
    item="input_type",
    labels=("information", "advice", "negotiation"),
    reads="therapist",
    kind="one",
    bundle="research",
)
def input_type() -> SessionReader:
    """Kind of a therapist's input, given that it is input: information, advice or negotiation (AnnoMI)."""
    coder = load_sentence_coder("input_type.v1")
    return SessionReader("input_type.v1", "therapist", training_folds("annomi_subtypes"), coder)
