"""How much the patient says at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.turn_words import mean_words, word_series

__all__ = ["PatientWordsPerTurn", "patient_words_per_turn"]


@dataclass(frozen=True, slots=True)
class PatientWordsPerTurn:
    """Mean words per patient turn.

    Definition: whitespace-separated words / patient turns; neighbouring turns of one speaker are kept
    apart, a blank turn has no words. Not quality: it is printed because length moves almost every
    other measure. Reference (mean, median): 15, 7 in AnnoMI (spoken), 15, 12 in ESConv (typed); language-model
    patients 35 to 176. Outside 5 to 30 a patient is suspected of not being like people.

    Returns
    -------
    Value >= 0, words per turn; no better direction. n = patient turns. Undefined: no patient turn
    (``no_denominator``).

    References
    ----------
    Wu et al. (2022), ICASSP (AnnoMI); Liu et al. (2021), ACL (ESConv).

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> said = Turn(speaker="patient", text="Tell me more about it.")
    >>> patient_words_per_turn(Trajectory(session_id="s", source="x", turns=(said,)))[:2]
    (5.0, 1)
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the mean, or the reason why there is none."""
        return mean_words(t, "patient")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return the words of each patient turn, shape (turns,), NaN elsewhere."""
        return word_series(t, "patient")


patient_words_per_turn = metric(
    "patient_words_per_turn.v1",
    unit="words per turn",
    bounds=(0.0, math.inf),
    orientation="none",
    source="Wu et al. 2022, ICASSP (AnnoMI); Liu et al. 2021, ACL (ESConv): length bands",
    about="session",
)(PatientWordsPerTurn())
