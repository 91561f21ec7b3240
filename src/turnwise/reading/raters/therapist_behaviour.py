"""What a therapist's turn mainly does: asks, reflects, gives input, or something else.

Definition: the main behaviour of a turn as AnnoMI codes it (Wu et al. 2022, ICASSP; after MITI).
It is not a count of behaviours in the turn, and not how well they are done.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.session_reader import SessionReader

__all__ = ["therapist_behaviour"]


@reader(
    name="therapist_behaviour.v1",
    item="therapist_behaviour",
    labels=("question", "reflection", "therapist_input", "other"),
    reads="therapist",
)
def therapist_behaviour() -> SessionReader:
    """Main behaviour of a therapist's turn: question, reflection, input or other (AnnoMI)."""
    return SessionReader("therapist_behaviour.v1", "therapist")
