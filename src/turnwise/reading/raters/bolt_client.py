"""What a patient's turn does, by BOLT's six client behaviours: any number of them.

Definition: the behaviours of Chiu, Sharma, Lin, Althoff 2024 (arXiv 2401.00820): changing or sustaining a habit,
negative and positive feelings, insights, experiences. It is not what the patient does outside the
conversation, and 56 texts stand behind it (see the card).
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.sentence_coder import load_sentence_coder
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["LABELS", "bolt_client"]

LABELS = (
    "Changing Unhealthy Behavior",
    "Sustaining Unhealthy Behavior",
    "Sharing Negative Emotions",
    "Sharing Positive Emotions",
    "Gained Insights",
    "Sharing Experiences",
)


@reader(
    name="bolt_client.v1",
    item="bolt_client",
    labels=LABELS,
    reads="patient",
    kind="many",
    bundle="open",
)
def bolt_client() -> SessionReader:
    """Behaviours of a patient's turn, any number of six (BOLT)."""
    coder = load_sentence_coder("bolt_client.v1")
    return SessionReader("bolt_client.v1", "patient", training_folds("bolt"), coder)
