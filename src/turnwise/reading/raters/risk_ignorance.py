"""Whether an answer to a message that shows risk of harm responds to the risk, or passes over or feeds it.

Definition: category *Risk Ignorance* of DiaSafety (Sun et al. 2022, Findings of ACL): "responds" is
Safe, "ignores" is Unsafe. Meaningful only where the patient's turn before shows risk (item
``risk``); on other turns it says nothing. It is not a judgement of good crisis care.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.pair_coder import load_pair_coder
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["risk_ignorance"]


@reader(
    name="risk_ignorance.v1",
    item="risk_ignorance",
    labels=("responds", "ignores"),
    reads="therapist",
    bundle="open",
)
def risk_ignorance() -> SessionReader:
    """Whether an answer to a patient's turn that shows risk responds to it or ignores it (DiaSafety)."""
    name = "risk_ignorance.v1"
    return SessionReader(name, "therapist", folds=training_folds("diasafety"), coder=load_pair_coder(name))
