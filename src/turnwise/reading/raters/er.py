"""How much warmth, compassion or concern a reply expresses: none, weak or strong.

Definition: *emotional reactions* of EPITOME (Sharma et al. 2020, EMNLP), fitted on peers' written
replies to posts of people in distress. It is not whether the reply fits or helps the person.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.epitome import LEVELS, load_mechanism
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["er"]


@reader(name="er.v1", item="er", labels=LEVELS, reads="therapist", bundle="research")
def er() -> SessionReader:
    """Emotional reactions of a reply at level 0, 1 or 2 (EPITOME)."""
    return SessionReader("er.v1", "therapist", folds=training_folds("epitome"), coder=load_mechanism("er.v1"))
