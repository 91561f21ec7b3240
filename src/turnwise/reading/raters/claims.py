"""Whether what a therapist says of the patient is what the patient said: the worst of a turn's claims.

Definition: a *claim* is a feeling or a fact attributed to the patient or the patient's life; questions, hedged guesses,
advice and general statements are none. Held against all that the patient said before (the latest statement wins) it is
supported, contradicted or unmentioned (Nie et al. 2021; Nie et al. 2024). It is not the truth about the patient, and
not a
verdict on a reflection that rightly goes beyond the words: that one is unmentioned too.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.claim_coder import LABELS, ClaimReader, claim_reader

__all__ = ["claims"]


@reader(name="claims.v1", item="claims", labels=LABELS, reads="therapist", bundle="open")
def claims() -> ClaimReader:
    """Worst of what a therapist's turn claims of the patient: none, supported, unsupported or contradicted."""
    return claim_reader("claims.v1")
