"""What a therapist's turn mainly does, read by a coder that may be used for anything.

The same item as ``therapist_behaviour``; fitted on BOLT and on examples written for this project,
never on AnnoMI, on which it is measured.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.session_reader import SessionReader

__all__ = ["therapist_behaviour_open"]


@reader(
    name="therapist_behaviour_open.v1",
    item="therapist_behaviour",
    labels=("question", "reflection", "therapist_input", "other"),
    reads="therapist",
    bundle="open",
)
def therapist_behaviour_open() -> SessionReader:
    """Main behaviour of a therapist's turn: question, reflection, input or other (open bundle)."""
    return SessionReader("therapist_behaviour_open.v1", "therapist", folds={})
