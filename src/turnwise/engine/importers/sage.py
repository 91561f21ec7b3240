"""SAGE traces: JSON Lines with the session in ``history`` and the simulated emotion beside each patient turn.

``emo_point`` (0 to 100) is the score that SAGE publishes, as a mean over sessions; it stays in meta
under its name, and ``emotion-point`` in the infos of the patient's turns. What the simulator thought
and planned, and the scene with its hidden theme, is private. Texts are Chinese: coders of English
have nothing to say about them. (Zhang et al. 2025, arXiv 2505.02847.)
"""

from __future__ import annotations

from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.layouts import Layout, LayoutImporter

__all__ = ["LAYOUT", "sage"]

LAYOUT = Layout(
    source="SAGE",
    turns="history",
    marks=("emo_point", "emo_state", "player"),
    private=("planning", "thinking"),
    hidden=("player", "scene", "character", "target", "task"),
)
"""What SAGE calls the parts of a session."""


@importer(
    name="sage.v1",
    fmt="SAGE traces, JSON Lines with history and emo_point",
    source="Zhang et al. 2025, arXiv 2505.02847",
)
def sage(account: Account | None = None) -> LayoutImporter:
    """SAGE traces: user is the patient, assistant the therapist; emotion points stay in infos and meta."""
    return LayoutImporter(LAYOUT, account or Account())
