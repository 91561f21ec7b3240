"""How sessions go: shapes of the path of distress, recovery, and patients who are lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from turnwise.core.measure import truth_series
from turnwise.core.nouns import FloatArray, Score, Trajectory, unscored

__all__ = [
    "TOLERANCE",
    "Shape",
    "by_therapist",
    "lost_at_best",
    "lost_at_worst",
    "lost_share",
    "path",
    "recovered",
    "recovered_at_best",
    "shape_of",
    "shapes",
    "variety",
]

Shape: TypeAlias = Literal["falling", "flat", "up-down", "rising"]
TOLERANCE = 0.05
"""A twentieth of the scale: a rise or fall below it is not counted as one."""
_LEAST_SHARE = 0.05
_HALF = 0.5
_WITHIN = 20


def path(t: Trajectory, name: str) -> FloatArray:
    """Return a quantity of the state from before the first turn to after the last; empty without truth."""
    before = truth_series(t, f"state_before.{name}")[:1]
    return np.array([v for _, v in (*before, *truth_series(t, f"state.{name}"))], dtype=np.float64)


def shape_of(values: Sequence[float] | FloatArray, tolerance: float = TOLERANCE) -> Shape:
    """Return the shape of a path, by the largest rise and the largest fall between any two of its points in order.

    Definition: ``rise`` is the greatest later value minus an earlier one, ``fall`` the greatest earlier
    value minus a later one. Above the tolerance: only the fall, *falling*; only the rise, *rising*;
    both, *up-down* (whichever came first); neither, *flat*. Every path has exactly one shape.
    Not the sign of the net change: a path that falls after a rise is up-down.

    Examples
    --------
    >>> shape_of([0.6, 0.5, 0.4]), shape_of([0.6, 0.7, 0.4]), shape_of([0.6, 0.62, 0.6]), shape_of([0.4, 0.6])
    ('falling', 'up-down', 'flat', 'rising')
    """
    v = np.asarray(values, dtype=np.float64)
    rise = float((v - np.minimum.accumulate(v)).max(initial=0.0))
    fall = float((np.maximum.accumulate(v) - v).max(initial=0.0))
    kinds: dict[tuple[bool, bool], Shape] = {
        (False, False): "flat",
        (False, True): "falling",
        (True, False): "rising",
        (True, True): "up-down",
    }
    return kinds[rise > tolerance, fall > tolerance]


def shapes(ts: Sequence[Trajectory], tolerance: float = TOLERANCE) -> Counter[str]:
    """Return how many sessions have which shape of distress; sessions without truth are left out."""
    paths = [p for t in ts if len(p := path(t, "distress")) > 1]
    return Counter(shape_of(p, tolerance) for p in paths)


def variety(ts: Sequence[Trajectory]) -> Score:
    """Return how many of the four shapes of distress path occur in at least 5 % of the sessions.

    Whole number in [1, 4]; n = sessions. Not how different the paths of one shape are. ``detail``
    gives the counts, and the number of shapes at half and at twice the tolerance. Undefined
    (``needs_truth``): the patient emits no distress. Source: issue 4; PSI-Bench (arXiv 2604.25840)
    finds one negative-to-positive path in language-model patients.
    """
    found = shapes(ts)
    if not found:
        return unscored("needs_truth", "the patient emits no distress")

    def kinds(counts: Counter[str]) -> int:
        return sum(n >= _LEAST_SHARE * sum(counts.values()) for n in counts.values())

    counted = ", ".join(f"{name} {n}" for name, n in sorted(found.items()))
    half, twice = (kinds(shapes(ts, TOLERANCE * factor)) for factor in (0.5, 2.0))
    detail = f"{counted}; {half} shapes at half the tolerance, {twice} at twice"
    return Score(float(kinds(found)), sum(found.values()), detail=detail)


def recovered(t: Trajectory) -> bool | None:
    """Whether a patient has recovered within 20 of its turns; ``None`` without truth.

    Definition: after some turn, distress is at most half of what it was before the first turn, *or* the
    conviction of the belief at most half of what it was. Halving is the usual criterion of response in
    trials of treatments for depression, which take weeks: within one session it is far too quick.
    Either of the two counts, and once is enough, so the figure errs towards calling a patient recovered.
    """
    paths = [p for name in ("distress", "conviction") if len(p := path(t, name)) > 1]
    if not paths:
        return None
    return any(bool((p[1 : _WITHIN + 1] <= _HALF * p[0]).any()) for p in paths)


def by_therapist(ts: Sequence[Trajectory]) -> Mapping[str, list[Trajectory]]:
    """Return the sessions of each therapist, in order of first appearance."""
    found: dict[str, list[Trajectory]] = {}
    for t in ts:
        found.setdefault(t.spec.therapist if t.spec is not None else "unknown", []).append(t)
    return found


def _extreme(shares: Mapping[str, Score], pick: Callable[..., str], missing: str) -> Score:
    known = {name: s.value for name, s in shares.items() if s.value is not None}
    if not known:
        return unscored("needs_truth", missing)
    chosen = pick(known, key=lambda name: known[name])
    every = ", ".join(f"{name.partition('.')[0]} {value:.2f}" for name, value in known.items())
    return Score(known[chosen], shares[chosen].n, detail=every)


def recovered_at_best(ts: Sequence[Trajectory]) -> Score:
    """Return the share of sessions that end recovered with the therapist with whom most do.

    Share in [0, 1]; n = that therapist's sessions; ``detail`` has every therapist. Not an outcome of
    therapy. Undefined (``needs_truth``): no state is emitted. Source: bound of .15 within 20 turns,
    issue 4; in published traces 35 of 100 reach the ceiling in 8.3 turns (SAGE, anchors 1.4).
    """
    shares = {}
    for name, sessions in by_therapist(ts).items():
        found = [r for t in sessions if (r := recovered(t)) is not None]
        shares[name] = Score(sum(found) / len(found), len(found)) if found else unscored("needs_truth", "no state")
    return _extreme(shares, max, "the patient emits neither distress nor conviction")


def lost_share(ts: Sequence[Trajectory]) -> Score:
    """Return the share of sessions that the patient left or let fade, in [0, 1]; n = sessions.

    Not drop-out between sessions. Undefined (``empty``): no session. Source: endings of docs/design.md.
    """
    if not ts:
        return unscored("empty", "there is no session")
    return Score(sum(t.ending in ("patient_left", "patient_faded") for t in ts) / len(ts), len(ts))


def lost_at_best(ts: Sequence[Trajectory]) -> Score:
    """Return the share of lost sessions with the therapist who loses fewest; ``detail`` has every therapist.

    Share in [0, 1]. Source: no client walks out in AnnoMI; over whole treatments 19.7 % [18.7, 20.7] stay
    away (Swift & Greenberg 2012), which bounds a single session with the best of the panel from above.
    """
    return _extreme({name: lost_share(own) for name, own in by_therapist(ts).items()}, min, "there is no session")


def lost_at_worst(ts: Sequence[Trajectory]) -> Score:
    """Return the share of lost sessions with the therapist who loses most; ``detail`` has every therapist.

    Share in [0, 1]. No bound: with a harmful therapist people should leave, and no human rate is known
    (language-model users: 21-44 % a session, anchors 1.4).
    """
    return _extreme({name: lost_share(own) for name, own in by_therapist(ts).items()}, max, "there is no session")
