"""Whether a therapist's question is open or closed.

Definition: the subtype of a question as AnnoMI codes it (Wu et al. 2022, ICASSP; after MITI). Read for every
therapist turn, and meaningful only where the turn's main behaviour is a question.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.sentence_coder import load_sentence_coder
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["question_type"]


@reader(
    name="question_type.v1",
    item="question_type",
    labels=("open", "closed"),
    reads="therapist",
    kind="one",
    bundle="research",
)
def question_type() -> SessionReader:
    """Type of a therapist's question, given that it is one: open or closed (AnnoMI)."""
    coder = load_sentence_coder("question_type.v1")
    return SessionReader("question_type.v1", "therapist", training_folds("annomi_subtypes"), coder)
