"""What a therapist's turn does, by BOLT's thirteen behaviours: any number of them.

Definition: the behaviours of Chiu, Sharma, Lin, Althoff 2024 (arXiv 2401.00820): six kinds of reflection, three of
questions, problem-solving, planning, normalizing, psychoeducation. It is not how well they are done, and
a turn of which none is read may still have one: the data are few (see the card).
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.sentence_coder import load_sentence_coder
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["LABELS", "bolt_therapist"]

LABELS = (
    "Reflections on Needs",
    "Reflections on Emotions",
    "Reflections on Values",
    "Reflections on Consequences",
    "Reflections on Conflicts",
    "Reflections on Strengths",
    "Questions on Experiences",
    "Questions on Perspectives",
    "Questions on Emotions",
    "Problem-Solving",
    "Planning",
    "Normalizing",
    "Psychoeducation",
)


@reader(
    name="bolt_therapist.v1",
    item="bolt_therapist",
    labels=LABELS,
    reads="therapist",
    kind="many",
    bundle="open",
)
def bolt_therapist() -> SessionReader:
    """Behaviours of a therapist's turn, any number of thirteen (BOLT)."""
    coder = load_sentence_coder("bolt_therapist.v1")
    return SessionReader("bolt_therapist.v1", "therapist", training_folds("bolt"), coder)
