"""How much understanding of the person's experience a reply expresses: none, weak or strong.

Definition: *interpretations* of EPITOME (Sharma et al. 2020, EMNLP), fitted on peers' written
replies to posts of people in distress. It is not whether the understanding is right; level 1 is
rare in the corpus and hardly readable.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.epitome import LEVELS, load_mechanism
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["ip"]


@reader(name="ip.v1", item="ip", labels=LEVELS, reads="therapist", bundle="research")
def ip() -> SessionReader:
    """Interpretations of a reply at level 0, 1 or 2 (EPITOME)."""
    return SessionReader("ip.v1", "therapist", folds=training_folds("epitome"), coder=load_mechanism("ip.v1"))
