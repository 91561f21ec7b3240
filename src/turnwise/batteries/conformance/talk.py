"""How client talk follows on client talk: change, neutral and sustain, from one patient turn to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray, Score, Trajectory, unscored
from turnwise.stats.distances import jensen_shannon

__all__ = ["LEAST_PAIRS", "TALK", "TalkOf", "read_talk", "talk_distance", "transition_counts"]

TalkOf: TypeAlias = Callable[[Trajectory, int], str | None]
TALK: tuple[str, ...] = ("change", "neutral", "sustain")
LEAST_PAIRS = 20


def read_talk(t: Trajectory, turn: int) -> str | None:
    """Return the kind of a patient's turn as the coder ``client_talk`` reads it."""
    reading = t.reading("client_talk")
    return reading.values()[turn] if reading is not None else None


def transition_counts(ts: Sequence[Trajectory], talk_of: TalkOf) -> FloatArray:
    """Return how often each kind of talk follows each in successive patient turns, shape (from 3, to 3), ``TALK``.

    Turns that have no kind are passed over. Not an effect of anything: what the therapist said between is not seen.
    """
    counts = np.zeros((len(TALK), len(TALK)))
    for t in ts:
        kinds = [talk_of(t, i) for i, turn in enumerate(t.turns) if turn.speaker == "patient"]
        known = [TALK.index(k) for k in kinds if k in TALK]
        np.add.at(counts, (known[:-1], known[1:]), 1.0)
    return counts


def talk_distance(counts: npt.ArrayLike, human: npt.ArrayLike) -> Score:
    """Return how far the transitions of talk are from those of people read by the same coder.

    Definition: Jensen-Shannon distance, base 2, between the shares of the nine transitions. Both sides
    are read by the same coder (people's sessions by weights that never saw them), so that its errors are
    on both. Not a measure of motivation; the coder was fitted on motivational interviews, and where there
    is no behaviour to change the leaning of talk is mostly noise (its card says so). The band is lenient:
    people's groups hold few transitions, so part of their distance is chance, and a patient's many hold none.

    Returns
    -------
    Distance in [0, 1]; 0 is the human average. n = transitions of the patient. Undefined: fewer than
    20 transitions (``too_short``), or no reading (``no_reading``).

    Source
    ------
    Client talk: Miller et al. 2008 (MISC 2.1), labels of AnnoMI; distance: measures.md 23.3.
    """
    found = np.asarray(counts, dtype=np.float64)
    n = int(found.sum())
    if n == 0:
        return unscored("no_reading", "no patient turn was read as client talk")
    if n < LEAST_PAIRS:
        return unscored("too_short", f"{n} transitions; {LEAST_PAIRS} are needed", n)
    distance = jensen_shannon(found, human)
    return Score(distance.value, n, distance.code, distance.detail)
