"""Which way a patient's turn leans: towards change, against it, or neither.

Definition: the client's talk type as AnnoMI codes it (Wu et al. 2022, ICASSP; after MISC). It is
not whether the patient changes, and human coders agree on it only moderately (see the card).
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.session_reader import SessionReader

__all__ = ["client_talk"]


@reader(name="client_talk.v1", item="client_talk", labels=("change", "neutral", "sustain"), reads="patient")
def client_talk() -> SessionReader:
    """Talk type of a patient's turn: change, neutral or sustain (AnnoMI)."""
    return SessionReader("client_talk.v1", "patient")
