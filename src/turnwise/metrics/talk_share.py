"""Who has the floor."""

from __future__ import annotations

import numpy as np

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.turn_words import word_series

__all__ = ["talk_share"]


@metric(
    "talk_share.v1",
    unit="share of all words",
    bounds=(0.0, 1.0),
    orientation="none",
    source="Miller & Rollnick 2013, Motivational Interviewing (3rd ed.): the client should do most of the talking",
)
def talk_share(t: Trajectory, /) -> Score:
    """Therapist's share of all words.

    Definition: whitespace-separated words of the therapist / words of both. Not listening: a
    silent therapist scores 0. Neither direction is better by itself, though teachers of
    motivational interviewing ask for less than one half.

    Returns
    -------
    Value in [0, 1], unitless; no better direction. n = turns of both speakers. Undefined: one of
    the two has no turn (``not_applicable``: nobody to share with); no words (``no_denominator``).

    References
    ----------
    Miller & Rollnick (2013), Motivational Interviewing, 3rd edition, Guilford.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> turns = (Turn(speaker="therapist", text="And you?"), Turn(speaker="patient", text="Not so well, I think."))
    >>> round(talk_share(Trajectory(session_id="s", source="x", turns=turns)).value, 3)
    0.286
    """
    therapist, patient = word_series(t, "therapist"), word_series(t, "patient")
    if np.isnan(therapist).all() or np.isnan(patient).all():
        return unscored("not_applicable", "only one of the two has a turn")
    spoken = float(np.nansum(therapist))
    total = spoken + float(np.nansum(patient))
    if total == 0.0:
        return unscored("no_denominator", "nobody said a word")
    return Score(spoken / total, len(t.turns))
