"""Whether two independent readers order therapists alike: what is concluded must not hang on who read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

from turnwise.batteries.ladder.losing import LEAST_PATIENTS, ByPatient
from turnwise.core.nouns import Estimate
from turnwise.stats.paired import paired_difference

__all__ = ["Order", "PairOfTherapists", "orders"]

Order: TypeAlias = Literal["same", "flips", "open"]


@dataclass(frozen=True, slots=True)
class PairOfTherapists:
    """Two therapists on one skill, as each reader sees them: ``first − second`` therapist, paired over patients.

    ``order`` is ``"flips"`` where both readers tell them apart and put another one first, ``"same"`` where both do and
    agree, ``"open"`` where one of them cannot tell them apart. ``raw_flip`` says whether the bare means point in
    different directions, told apart or not.
    """

    skill: str
    therapists: tuple[str, str]
    first: Estimate
    second: Estimate
    order: Order

    @property
    def raw_flip(self) -> bool:
        """Whether the two differences have different signs, whatever their intervals."""
        a, b = self.first.value, self.second.value
        return a is not None and b is not None and a * b < 0.0


def _told_apart(x: Estimate) -> int:
    if x.low is None or x.high is None or x.n < LEAST_PATIENTS:
        return 0
    return 1 if x.low > 0.0 else -1 if x.high < 0.0 else 0


def orders(first: Mapping[str, ByPatient], second: Mapping[str, ByPatient], *, seed: int = 0) -> list[PairOfTherapists]:
    """Return every pair of therapists on every skill that both readers have values for.

    Definition: values by skill, therapist and patient (``losing.sustained``) of one reader and of the other; the
    difference of two therapists with a bootstrap interval over patients, ``LEAST_PATIENTS`` or more. Not agreement on
    single turns: two readers may differ on many and still order therapists alike, and the other way round. Why a flip
    needs both intervals: a conclusion of the first reader is what its interval supports, and only a second reader
    that supports the opposite overturns it; two means that lie on either side of 0 within their intervals say that
    the therapists are alike, which both readers then agree on. Those are ``raw_flip``, counted beside the others.

    Examples
    --------
    >>> high, low = dict.fromkeys("abcde", 0.9), dict.fromkeys("abcde", 0.1)
    >>> one, other = {"guide": {"x": high, "y": low}}, {"guide": {"x": low, "y": high}}
    >>> [(p.therapists, p.order) for p in orders(one, other)], orders(one, one)[0].order
    ([(('x', 'y'), 'flips')], 'same')
    """
    found = []
    for skill in sorted(set(first) & set(second)):
        both = sorted(set(first[skill]) & set(second[skill]))
        for a, b in combinations(both, 2):
            x, y = (_difference(values[skill], a, b, seed) for values in (first, second))
            signs = _told_apart(x), _told_apart(y)
            order: Order = "open" if 0 in signs else "same" if signs[0] == signs[1] else "flips"
            found.append(PairOfTherapists(skill, (a, b), x, y, order))
    return found


def _difference(values: ByPatient, a: str, b: str, seed: int) -> Estimate:
    common = sorted(set(values[a]) & set(values[b]))
    return paired_difference([values[a][p] for p in common], [values[b][p] for p in common], rng=seed)
