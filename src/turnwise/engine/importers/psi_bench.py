"""PSI-Bench: sessions with the simulated patient as the ``assistant``, and so with both roles reversed.

The empty message that opens a session for the model is no turn of the patient's. A spare therapist
turn at the end is kept: it was said. (Nguyen et al. 2026, arXiv 2604.25840.)
"""

from __future__ import annotations

from types import MappingProxyType

from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.layouts import Layout, LayoutImporter

__all__ = ["LAYOUT", "psi_bench"]

LAYOUT = Layout(
    source="PSI-Bench",
    turns="messages",
    marks=("ccd", "num_patient_turns"),
    words=MappingProxyType({"assistant": "patient", "user": "therapist"}),
    hidden=("profile", "ccd"),
    ids=("session_id", "id"),
    opening="",
)
"""What PSI-Bench calls the parts of a session."""


@importer(
    name="psi_bench.v1",
    fmt="PSI-Bench sessions, JSON with messages, ccd and num_patient_turns",
    source="Nguyen et al. 2026, arXiv 2604.25840",
)
def psi_bench(account: Account | None = None) -> LayoutImporter:
    """PSI-Bench sessions: assistant is the patient and user the therapist, reversed to other chats."""
    return LayoutImporter(LAYOUT, account or Account())
