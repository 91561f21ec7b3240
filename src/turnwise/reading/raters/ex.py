"""How far a reply asks after what was not said: not, generically, or about something named.

Definition: *explorations* of EPITOME (Sharma et al. 2020, EMNLP), fitted on peers' written
replies to posts of people in distress. It is not the number of questions.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.epitome import LEVELS, load_mechanism
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import training_folds

__all__ = ["ex"]


@reader(name="ex.v1", item="ex", labels=LEVELS, reads="therapist", bundle="research")
def ex() -> SessionReader:
    """Explorations of a reply at level 0, 1 or 2 (EPITOME)."""
    return SessionReader("ex.v1", "therapist", folds=training_folds("epitome"), coder=load_mechanism("ex.v1"))
