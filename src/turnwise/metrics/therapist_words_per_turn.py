"""How much the therapist says at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.turn_words import mean_words, word_series

__all__ = ["TherapistWordsPerTurn", "therapist_words_per_turn"]


@dataclass(frozen=True, slots=True)
class TherapistWordsPerTurn:
    """Mean words per therapist turn.

    Definition: whitespace-separated words / therapist turns; neighbouring turns of one speaker are kept
    apart, a blank turn has no words. Not quality: it is printed because length moves almost every
    other measure. Reference (mean, median): 16, 10 in AnnoMI; language models about 157, 160.

    Returns
    -------
    Value >= 0, words per turn; no better direction. n = therapist turns. Undefined: no therapist turn
    (``no_denominator``).

    References
    ----------
    Wu et al. (2022), ICASSP (AnnoMI); Liu et al. (2021), ACL (ESConv).

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> said = Turn(speaker="therapist", text="Tell me more about it.")
    >>> therapist_words_per_turn(Trajectory(session_id="s", source="x", turns=(said,)))[:2]
    (5.0, 1)
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the mean, or the reason why there is none."""
        return mean_words(t, "therapist")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return the words of each therapist turn, shape (turns,), NaN elsewhere."""
        return word_series(t, "therapist")


therapist_words_per_turn = metric(
    "therapist_words_per_turn.v1",
    unit="words per turn",
    bounds=(0.0, math.inf),
    orientation="none",
    source="Wu et al. 2022, ICASSP (AnnoMI); Liu et al. 2021, ACL (ESConv): length bands",
    about="therapist",
)(TherapistWordsPerTurn())
