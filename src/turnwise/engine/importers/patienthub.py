"""PatientHub: one JSON file a session, ``{"profile", "messages", "num_turns", "usage"}``.

The shape of ``profile`` depends on the method that simulated the patient; it is kept whole, as
something no therapist saw. Where a session ended with the end word, PatientHub has already cut the
therapist's last message off: what it does not store cannot be read.
"""

from __future__ import annotations

import re

from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.layouts import Layout, LayoutImporter

__all__ = ["LAYOUT", "patienthub"]

LAYOUT = Layout(
    source="PatientHub",
    turns="messages",
    marks=("profile",),
    unless=("ccd", "num_patient_turns"),
    roles=re.compile(r'"role"\s*:\s*"(?:therapist|client)"', re.IGNORECASE),
    hidden=("profile",),
)
"""What PatientHub calls the parts of a session."""


@importer(
    name="patienthub.v1",
    fmt="PatientHub sessions, JSON with profile and messages of therapist and client",
    source="PatientHub 2026, arXiv 2602.11684",
)
def patienthub(account: Account | None = None) -> LayoutImporter:
    """PatientHub sessions: messages of therapist and client; the profile is kept as private."""
    return LayoutImporter(LAYOUT, account or Account())
