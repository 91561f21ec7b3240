"""Whether a therapist's reflection is simple or complex.

Definition: the subtype of a reflection as AnnoMI codes it (Wu et al. 2022, ICASSP; after MITI). Read for every
therapist turn, and meaningful only where the turn's main behaviour is a reflection.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.sentence_coder import load_sentence_coder
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["reflection_depth"]


@reader(
    name="reflection_depth.v1",
    item="reflection_depth",
    labels=("simple", "complex"),
    reads="therapist",
    kind="one",
    bundle="research",
)
def reflection_depth() -> SessionReader:
    """Depth of a therapist's reflection, given that it is one: simple or complex (AnnoMI)."""
    coder = load_sentence_coder("reflection_depth.v1")
    return SessionReader("reflection_depth.v1", "therapist", training_folds("annomi_subtypes"), coder)
