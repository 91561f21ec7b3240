"""Words per turn and speaker, for the measures of length (the confound behind most others).

Words are separated by whitespace, the unit of every published length band. Scripts written without
spaces are undercounted; they are out of scope.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.nouns import FloatArray, Score, Speaker, Trajectory, unscored

__all__ = ["mean_words", "word_series"]


def word_series(t: Trajectory, speaker: Speaker) -> FloatArray:
    """Return the words of each turn of ``speaker``, shape (turns,), NaN at the other's turns."""
    return np.array([float(x.n_words) if x.speaker == speaker else np.nan for x in t.turns], dtype=np.float64)


def mean_words(t: Trajectory, speaker: Speaker) -> Score:
    """Return the mean words per turn of ``speaker``; a blank turn has 0 words. n = turns."""
    words = word_series(t, speaker)
    own = words[~np.isnan(words)]
    if not len(own):
        return unscored("no_denominator", f"the {speaker} has no turn")
    return Score(float(own.mean()), len(own))
