"""How much of something the patient has now: conviction, openness, alliance, distress, resistance, in bands.

One hidden chain for each variable, all heard in the same signs, over the band and the *kind of person* together: how
each kind moves after each class of act, and how probable each sign is in each band. The tables are learnt by counting
(``tools/fit_levels.py``) from sessions with simulated patients of four kinds other than the default: in one, whose
movements come from human transcripts only, an alliance wears off, in the others it grows, usually, little by anything
or much, so that a mean of all would know nothing. The evidence is tempered, because signs come together. The truth of
a patient is never seen here: only its words are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from turnwise.belief.filter import expected_information_gain, moved_together, prior
from turnwise.belief.observation import Table, evidence_of, table_from_document
from turnwise.core.nouns import Belief, FloatArray
from turnwise.reading.ears.hearing import TALK
from turnwise.reading.package_data import document_of
from turnwise.therapists.markers import MARKERS
from turnwise.therapists.stance import Signs

__all__ = [
    "ACT_GROUPS",
    "BANDS",
    "BEARABLE",
    "PLAIN",
    "VARIABLES",
    "Level",
    "act_group",
    "band_shares",
    "expected",
    "initial_levels",
    "level_evidence",
    "load_levels",
    "moved_levels",
    "observed",
    "ready",
    "states_of",
    "to_learn",
]

VARIABLES: tuple[str, ...] = ("conviction", "openness", "bond", "task", "goal", "distress", "reactance", "edge")
"""Conviction in the target thought, openness, the three parts of the alliance, distress, irritation, and the edge:
the room for challenge, 0 where a mild one can just be borne (Ribeiro et al. 2013)."""
BANDS: tuple[str, ...] = ("lowest", "low", "middling", "high", "highest")
"""Fifths of what is usual for a variable (its ``cuts`` in [0, 1]): the band is tracked, not the number. Of the edge the
last two are where a mild challenge can be borne, in halves, and the first three where it cannot, in thirds."""
BEARABLE = 3
"""Place of the first band of the edge in which a mild challenge can be borne."""
ACT_GROUPS: tuple[str, ...] = ("feeling", "support", "question", "challenge", "offer", "repair")
PLAIN: tuple[str, ...] = ("taken_up", "here")
"""Signs that come alone and are asked for: their evidence is taken as it is. All others come together: tempered."""
_GROUP_OF: Mapping[str, str] = {
    "reflect_feeling": "feeling", "ask_feeling": "feeling", "step_back": "repair", "give_room": "repair",
}  # fmt: skip
_LENGTHS = ("short", "usual", "long")


def act_group(move: str, kind: str) -> str:
    """Return the group of acts that a move belongs to; ``kind`` is its class (support, question, challenge, offer).

    Examples
    --------
    >>> act_group("reflect_feeling", "support"), act_group("ask_evidence", "challenge")
    ('feeling', 'challenge')
    """
    return _GROUP_OF.get(move, kind)


def observed(
    signs: Signs, call: str, *, pressed: bool, taken_up: bool | None = None, here: str | None = None
) -> dict[str, str | None]:
    """Return what one patient turn shows, by kind of observation.

    Parameters
    ----------
    signs : of the turn. call : what it calls for (``recognising.call_of``).
    pressed : it answers a challenge or an offer; lengths mean something else then.
    taken_up : whether it answers a challenge or rebuffs it (``standing_by.takes_up``); ``None`` where it is no matter.
    here : how the talk is said to be, where that was asked (``talking_here.answered_here``).
    """
    seen: dict[str, str | None] = {m: "yes" if m in signs.present else "no" for m in (*MARKERS, "feeling")}
    seen["call"] = call
    seen["length_pressed" if pressed else "length"] = _LENGTHS[signs.length]
    seen["talk"] = TALK[int(np.argmax(signs.talk))] if signs.talk else None
    seen["taken_up"] = None if taken_up is None else "yes" if taken_up else "no"
    seen["here"] = here
    return seen


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """One variable, in bands: where they are cut, how it starts and moves, and the signs of it.

    ``cuts`` (B-1,) and ``centres`` (B,) are of its B bands; ``initial`` (K,), ``transitions`` (groups, K, K) and the
    tables of its K states: each kind of person, and each band of it.
    """

    kinds: tuple[str, ...]
    cuts: FloatArray
    centres: FloatArray
    initial: FloatArray
    transitions: FloatArray
    tables: Mapping[str, Table]
    temper: float


@cache
def load_levels() -> Mapping[str, Level]:
    """Return the tables that ship."""
    stored = document_of("turnwise.therapists.tracking", "levels.json")
    return {
        name: Level(
            tuple(doc["kinds"]),
            np.array(doc["cuts"], dtype=np.float64),
            np.array(doc["centres"], dtype=np.float64),
            _rows(doc["initial"]),
            _rows(doc["transitions"]),
            {kind: table_from_document(t) for kind, t in doc["tables"].items()},
            float(doc["temper"]),
        )
        for name, doc in stored["variables"].items()
    }


def _rows(stored: object) -> FloatArray:
    """Return distributions that were stored rounded, normalised again."""
    p = np.array(stored, dtype=np.float64)
    return np.asarray(p / p.sum(axis=-1, keepdims=True))


def initial_levels() -> dict[str, Belief]:
    """Return the belief about each variable before the first word."""
    return {name: prior(states_of(v.kinds), [float(p) for p in v.initial]) for name, v in load_levels().items()}


def states_of(kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the names of what is tracked: every band of the first kind of person, then of the next.

    Examples
    --------
    >>> states_of(["opens", "closes"])[4:6]
    ('opens: highest', 'closes: lowest')
    """
    return tuple(f"{kind}: {band}" for kind in kinds for band in BANDS)


def band_shares(belief: Belief) -> FloatArray:
    """Return the probability of each band, (B,), whatever kind of person it is.

    Examples
    --------
    >>> band_shares(initial_levels()["bond"]).shape
    (5,)
    """
    return np.asarray(belief.p.reshape(-1, len(BANDS)).sum(axis=0))


def moved_levels(beliefs: Mapping[str, Belief], seen: Mapping[str, str | None], group: str | None) -> dict[str, Belief]:
    """Return the beliefs after an act of ``group`` and the patient's answer to it; ``None`` is the first turn of all.

    Raises
    ------
    ValueError : a group or a kind of sign nobody knows.

    Examples
    --------
    >>> start = initial_levels()
    >>> guarded, open_here = (moved_levels(start, {"here": x}, "question") for x in ("guarded", "open"))
    >>> expected("bond", guarded["bond"]) < expected("bond", open_here["bond"])
    True
    """
    if group is not None and group not in ACT_GROUPS:
        raise ValueError(f"no act group {group!r}; there are {', '.join(ACT_GROUPS)}.")
    together = _together()
    log_p = np.array([beliefs[name].log_p for name in together.names])
    moves = None if group is None else together.log_transitions[ACT_GROUPS.index(group)]
    after = moved_together(log_p, moves, together.evidence(seen))
    return {name: Belief(beliefs[name].hypotheses, row) for name, row in zip(together.names, after, strict=True)}


@dataclass(frozen=True, slots=True)
class _Together:
    """The tables of all V variables as arrays, so that a turn moves them at once.

    ``log_transitions`` (groups, V, K, K); ``tempers`` (V, 1); ``shown`` (V, K) by sign and outcome, signs in the order
    of the tables.
    """

    names: tuple[str, ...]
    log_transitions: FloatArray
    tempers: FloatArray
    shown: Mapping[str, Mapping[str, FloatArray]]

    def evidence(self, seen: Mapping[str, str | None]) -> FloatArray:
        """Return ``level_evidence`` of every variable, (V, K)."""
        if unknown := set(seen) - set(self.shown):
            raise ValueError(f"no table for {', '.join(sorted(unknown))}; there are {', '.join(self.shown)}.")
        rest, plain = np.zeros_like(self.log_transitions[0, :, 0]), np.zeros_like(self.log_transitions[0, :, 0])
        for sign, by_outcome in self.shown.items():
            if (outcome := seen.get(sign)) is not None:
                if sign in PLAIN:
                    plain = plain + by_outcome[outcome]
                else:
                    rest = rest + by_outcome[outcome]
        return np.asarray(self.tempers * rest + plain)


@cache
def _together() -> _Together:
    levels = load_levels()
    first = next(iter(levels.values()))
    with np.errstate(divide="ignore"):  # nobody changes from one kind of person to another
        moves = np.log(np.array([level.transitions for level in levels.values()])).swapaxes(0, 1)
    shown = {
        sign: {
            outcome: np.array([level.tables[sign].log_likelihood(outcome) for level in levels.values()])
            for outcome in table.outcomes
        }
        for sign, table in first.tables.items()
    }
    return _Together(tuple(levels), moves, np.array([[level.temper] for level in levels.values()]), shown)


def level_evidence(tables: Mapping[str, Table], seen: Mapping[str, str | None], temper: float) -> FloatArray:
    """Return the log likelihood of what a turn showed, (K,): signs that come together tempered, ``PLAIN`` ones not."""
    shown = {sign: x for sign, x in seen.items() if x is not None}
    plain = {sign: x for sign, x in shown.items() if sign in PLAIN}
    rest = {sign: x for sign, x in shown.items() if sign not in PLAIN}
    return np.asarray(temper * _evidence(tables, rest) + _evidence(tables, plain))


def _evidence(tables: Mapping[str, Table], seen: Mapping[str, str]) -> FloatArray:
    """Return what some signs say, by their own tables alone: the others need not be gone through for every turn."""
    return evidence_of({sign: table for sign, table in tables.items() if sign in seen} or tables, seen)


def ready(belief: Belief) -> float:
    """Return the probability that a mild challenge can be borne, by the belief about the edge.

    Examples
    --------
    >>> start = initial_levels()
    >>> open_here = moved_levels(start, {"here": "open"}, "question")
    >>> ready(open_here["edge"]) > ready(start["edge"])
    True
    """
    return float(band_shares(belief)[BEARABLE:].sum())


def to_learn(belief: Belief, sign: str, name: str = "edge") -> float:
    """Return what seeing a kind of sign is expected to teach about a variable, in nats.

    Examples
    --------
    >>> to_learn(initial_levels()["edge"], "here") > to_learn(initial_levels()["edge"], "thanks") >= 0.0
    True
    """
    level = load_levels()[name]
    log_p = level.tables[sign].log_p.T * (1.0 if sign in PLAIN else level.temper)
    return expected_information_gain(belief, log_p - np.logaddexp.reduce(log_p, axis=0))


def expected(name: str, belief: Belief) -> float:
    """Return the expected level of a variable in [0, 1], of the edge in [-1, 1]: the mean of its bands, weighted."""
    return float(band_shares(belief) @ load_levels()[name].centres)
