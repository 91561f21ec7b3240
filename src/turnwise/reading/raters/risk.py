"""Whether a patient's turn shows a risk of harm: recall first, and a named suicide or self-harm is never passed over.

Definition: messages as DiaSafety collected them for *Risk Ignorance* (Sun et al. 2022) and examples
written for turnwise, against ordinary turns of AnnoMI and ESConv; decided at 5 % false alarms on
those. It calls for a look. It is no assessment of a person, and "none" is no clearance.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.pair_coder import load_pair_coder
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["risk", "risk_open"]

_LABELS = ("none", "risk")


def _reader(name: str) -> SessionReader:
    # The pairs of DiaSafety are in one table, the conversations and written examples in another.
    folds = {**training_folds("diasafety"), **training_folds("risk")}
    return SessionReader(name, "patient", folds=folds, coder=load_pair_coder(name))


@reader(name="risk.v1", item="risk", labels=_LABELS, reads="patient", bundle="research")
def risk() -> SessionReader:
    """Whether a patient's turn shows a risk of harm (DiaSafety, written examples, AnnoMI, ESConv)."""
    return _reader("risk.v1")


@reader(name="risk_open.v1", item="risk", labels=_LABELS, reads="patient", bundle="open")
def risk_open() -> SessionReader:
    """Whether a patient's turn shows a risk of harm (DiaSafety and written examples only); more false alarms."""
    return _reader("risk_open.v1")
