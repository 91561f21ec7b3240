"""Which way a patient's turn leans, read by a coder that may be used for anything.

The same item as ``client_talk``; fitted on BOLT and on examples written for this project, never on
AnnoMI, on which it is measured.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.session_reader import SessionReader

__all__ = ["client_talk_open"]


@reader(
    name="client_talk_open.v1",
    item="client_talk",
    labels=("change", "neutral", "sustain"),
    reads="patient",
    bundle="open",
)
def client_talk_open() -> SessionReader:
    """Talk type of a patient's turn: change, neutral or sustain (open bundle)."""
    return SessionReader("client_talk_open.v1", "patient", folds={})
