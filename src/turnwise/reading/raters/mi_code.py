"""Which of fifteen codes of the MITI family the sentences of a therapist's turn have.

Definition: codes of sentences (Welivita & Pu; after MITI): questions, reflections, advice with and without
permission, affirm, confront, warn and others. A turn is read sentence by sentence; its probability of a
code is the highest of any sentence, and it has the likeliest code and every other of at least .5. It is
not a count of behaviours, and not a MITI global score.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.sentence_coder import load_sentence_coder
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["LABELS", "mi_code"]

LABELS = (
    "Closed Question",
    "Open Question",
    "Simple Reflection",
    "Complex Reflection",
    "Give Information",
    "Advise with Permission",
    "Affirm",
    "Emphasize Autonomy",
    "Support",
    "Advise without Permission",
    "Confront",
    "Direct",
    "Warn",
    "Self-Disclose",
    "Other",
)


@reader(
    name="mi_code.v1",
    item="mi_code",
    labels=LABELS,
    reads="therapist",
    kind="many",
    bundle="research",
)
def mi_code() -> SessionReader:
    """Codes of the sentences of a therapist's turn, fifteen of the MITI family."""
    coder = load_sentence_coder("mi_code.v1")
    return SessionReader("mi_code.v1", "therapist", training_folds("mi_sentences"), coder)
