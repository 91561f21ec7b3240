"""How much patients say: words per turn, their spread, and what each kind of therapist turn draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from turnwise.core.nouns import Reason, Score, Trajectory, unscored

__all__ = [
    "LEAST_TURNS",
    "MOVES",
    "TYPED_ROW",
    "MoveOf",
    "outside_by_move",
    "read_move",
    "short_share",
    "words_by_move",
    "words_mean",
    "words_median",
    "words_of",
    "words_spread",
]

MoveOf: TypeAlias = Callable[[Trajectory, int], str | None]
"""What kind of turn a therapist's turn is, by people's labels or by a coder; ``None`` where nobody said."""

MOVES: tuple[str, ...] = (
    "open question",
    "closed question",
    "simple reflection",
    "complex reflection",
    "information",
    "advice",
    "other",
)
"""Rows of the table of shared/patients.md 1.3 (AnnoMI's subtypes)."""
TYPED_ROW: Mapping[str, str] = {
    "open question": "Question",
    "closed question": "Question",
    "simple reflection": "Restatement or Paraphrasing",
    "complex reflection": "Reflection of feelings",
    "information": "Information",
    "advice": "Providing Suggestions",
    "other": "Others",
}
"""The row of ESConv's strategies that comes nearest: they do not part open from closed questions."""
LEAST_TURNS = 20
"""A kind of therapist turn that was answered less often is not compared (and is named as such)."""
_SHORT = 3
_SUBTYPE = {"question": "question_type", "reflection": "reflection_depth", "therapist_input": "input_type"}
_NAMED = {
    "open": "open question",
    "closed": "closed question",
    "simple": "simple reflection",
    "complex": "complex reflection",
}


def words_of(ts: Sequence[Trajectory]) -> list[int]:
    """Return the whitespace-separated words of every patient turn that has any, in order."""
    return [turn.n_words for t in ts for turn in t.turns if turn.speaker == "patient" and turn.n_words]


def read_move(t: Trajectory, turn: int) -> str | None:
    """Return the kind of a therapist's turn as the coders (``reading.raters``) read it, in the words of ``MOVES``.

    Coders confuse kinds: the table of a simulated patient is blurred by that, the human one is not.
    """
    behaviour = t.reading("therapist_behaviour")
    main = behaviour.values()[turn] if behaviour is not None else None
    if main not in _SUBTYPE:
        return main
    finer = t.reading(_SUBTYPE[main])
    subtype = finer.values()[turn] if finer is not None else None
    return None if subtype is None else _NAMED.get(subtype, subtype)


def words_by_move(ts: Sequence[Trajectory], move_of: MoveOf) -> dict[str, list[int]]:
    """Return the words of the patient's turn that follows each kind of therapist turn.

    Definition: whitespace-separated words of a patient turn directly after a therapist's turn, by the
    kind of the latter. Not an effect of the move: therapists choose it by what patients say.
    """
    found: dict[str, list[int]] = {}
    for t in ts:
        for i, turn in enumerate(t.turns[:-1]):
            after = t.turns[i + 1]
            if turn.speaker != "therapist" or after.speaker != "patient" or not after.n_words:
                continue
            move = move_of(t, i)
            if move is not None:
                found.setdefault(move, []).append(after.n_words)
    return found


def outside_by_move(
    found: Mapping[str, Sequence[int]], human: Mapping[str, Mapping[str, float]], row_of: Mapping[str, str]
) -> Score:
    """Return the share of kinds of therapist turn after which the patient's median length lies outside the human one.

    Definition: kinds in ``MOVES`` answered at least ``LEAST_TURNS`` times; outside means below the
    human 25 % or above the human 75 % quantile of the same kind. Not a test of equal distributions.

    Parameters
    ----------
    found : words by move (``words_by_move``).
    human : row of the band → its quantiles, ``{"25": …, "75": …}``.
    row_of : move → row of the band; a move that is not named there keeps its own name.

    Returns
    -------
    Share in [0, 1]; 0 is human. n = kinds compared. ``detail`` names each kind that lies outside with
    its median and band. Undefined (``too_short``): no kind was answered often enough.

    Source
    ------
    Bands: AnnoMI and ESConv, development portions (``bands.json``).
    """
    compared, out = 0, []
    for move in MOVES:
        row, words = human.get(row_of.get(move, move)), found.get(move, ())
        if row is None or len(words) < LEAST_TURNS:
            continue
        compared += 1
        middle = float(np.median(words))
        if not row["25"] <= middle <= row["75"]:
            out.append(f"{move} {middle:g} (human {row['25']:g}-{row['75']:g}, n {len(words)})")
    if not compared:
        return unscored("too_short", f"no kind of therapist turn was answered {LEAST_TURNS} times")
    return Score(len(out) / compared, compared, detail="; ".join(out))


def _of_words(words: Sequence[int], least: int = 1) -> Score | None:
    if len(words) < least:
        code: Reason = "too_short" if words else "empty"
        return unscored(code, f"the patient says something in {len(words)} turns; {least} are needed", len(words))
    return None


def words_mean(ts: Sequence[Trajectory]) -> Score:
    """Return the mean words of a patient's turns: words, at least 1. Silences are left out, not counted as 0.

    Undefined (``empty``): the patient says nothing. n = turns. Source: measures.md 23.1.
    """
    words = words_of(ts)
    return _of_words(words) or Score(float(np.mean(words)), len(words))


def words_median(ts: Sequence[Trajectory]) -> Score:
    """Return the median words of a patient's turns: words, at least 1. Silences are left out.

    Not the mean: people's turns are many short ones and a few long ones. Undefined (``empty``): the
    patient says nothing. n = turns. Source: measures.md 23.1; band of issue 4.
    """
    words = words_of(ts)
    return _of_words(words) or Score(float(np.median(words)), len(words))


def words_spread(ts: Sequence[Trajectory]) -> Score:
    """Return the standard deviation of words per turn over their mean (n - 1 in the denominator), at least 0.

    Not the spread between patients: turns of the given sessions are pooled. Undefined (``empty``,
    ``too_short``): fewer than two turns with words. n = turns. Source: measures.md 23.1.
    """
    words = words_of(ts)
    return _of_words(words, 2) or Score(float(np.std(words, ddof=1) / np.mean(words)), len(words))


def short_share(ts: Sequence[Trajectory]) -> Score:
    """Return the share of a patient's turns of three words or fewer, in [0, 1].

    Not reluctance: in speech a third of a client's turns are backchannels. Undefined (``empty``): the
    patient says nothing. n = turns. Source: shared/patients.md 1.3.
    """
    words = words_of(ts)
    return _of_words(words) or Score(sum(n <= _SHORT for n in words) / len(words), len(words))
