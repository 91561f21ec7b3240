"""How much one patient's sessions are alike: over seeds with the same lines, and over therapists with the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from turnwise.core.nouns import Score, Trajectory, unscored

__all__ = ["different_openings", "identical_replies", "same_whatever_was_said"]


def _replies(t: Trajectory) -> list[str]:
    return [" ".join(turn.text.casefold().split()) for turn in t.turns if turn.speaker == "patient"]


def identical_replies(ts: Sequence[Trajectory]) -> Score:
    """Return how likely two seeds are to give word for word the same reply at the same turn.

    Definition: sessions of one patient with the *same* therapist lines, one per seed; at each patient
    turn the share of pairs of sessions whose replies are equal (case and spacing aside), averaged over
    the turns that at least two sessions reached. Not likeness of content: other words for the same
    count as different.

    Returns
    -------
    Share in [0, 1]; lower is more varied. n = turns. Undefined (``too_short``): fewer than two sessions.

    Source
    ------
    Bound of .25 over 20 seeds: issue 4; .43 in the prototype (shared/patients.md 1.3).
    """
    columns = [_replies(t) for t in ts]
    shares = []
    for k in range(max((len(c) for c in columns), default=0)):
        at = Counter(c[k] for c in columns if len(c) > k)
        n = sum(at.values())
        if n > 1:
            shares.append(sum(m * (m - 1) for m in at.values()) / (n * (n - 1)))
    if not shares:
        return unscored("too_short", f"{len(columns)} sessions; two that reach a turn are needed", len(columns))
    worst = max(range(len(shares)), key=lambda k: shares[k])
    return Score(sum(shares) / len(shares), len(shares), detail=f"most alike at patient turn {worst + 1}")


def different_openings(ts: Sequence[Trajectory]) -> Score:
    """Return how many different first replies one patient gives to the same opening line over seeds.

    At least 1, at most the number of sessions; n = sessions. Undefined (``empty``): nobody replied.
    Source: shared/patients.md section 6 (at least 3 over 20 seeds).
    """
    firsts = [replies[0] for t in ts if (replies := _replies(t))]
    return Score(float(len(set(firsts))), len(firsts)) if firsts else unscored("empty", "nobody replied")


def same_whatever_was_said(ts: Sequence[Trajectory]) -> Score:
    """Return how likely a patient is to say the same at the same turn to two therapists who said something else.

    Definition: pairs of sessions of one patient and one seed with two different therapists; patient
    turns from the second on whose therapist's last turns differ; share with equal replies. Not a
    measure of how *well* it responds: an answer at random is different too.

    Returns
    -------
    Share in [0, 1]; a patient who follows a script has 1. n = turns compared. Undefined
    (``too_short``): no two therapists met the same patient with the same seed.

    Source
    ------
    Operational, from measures.md 23.2: "a fixed-script patient must fail".
    """
    by_seed: dict[tuple[int, int], list[Trajectory]] = {}
    for t in ts:
        if t.spec is not None:
            by_seed.setdefault((t.spec.seed, t.spec.epoch), []).append(t)
    same = total = 0
    for sessions in by_seed.values():
        for a, b in combinations(sessions, 2):
            for (asked_a, said_a), (asked_b, said_b) in list(zip(_pairs(a), _pairs(b), strict=False))[1:]:
                if asked_a != asked_b:
                    same, total = same + (said_a == said_b), total + 1
    return Score(same / total, total) if total else unscored("too_short", "no seed was met by two therapists")


def _pairs(t: Trajectory) -> list[tuple[str, str]]:
    folded = [" ".join(turn.text.casefold().split()) for turn in t.turns]
    return [(folded[i - 1] if i else "", folded[i]) for i, turn in enumerate(t.turns) if turn.speaker == "patient"]
