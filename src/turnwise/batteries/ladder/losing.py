"""Whether bad therapists lose where they have to, and whether anybody is beaten nowhere: the instrument's own check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from turnwise.batteries.ladder.moments import Cell
from turnwise.batteries.ladder.rung_values import rung_values
from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import LEVEL
from turnwise.stats.paired import paired_difference

__all__ = [
    "LEAST_PATIENTS",
    "MATTERS",
    "SAME_MOMENTS",
    "ByPatient",
    "Loss",
    "Met",
    "beyond",
    "dominated_by",
    "losses",
    "met_live",
    "sustained",
]

LEAST_PATIENTS = 5
"""Under five patients even differences of one sign are no rarity (1 in 16 for four): nothing is concluded."""

MATTERS = 0.05
"""Differences below this are none, however sure: what the instrument promises is a planted gap found within .05.

Of rates that raters make, one or two in a hundred are within their own error: of the nine questions of ``socratic``
(1 in 100) that one default run read as leading, none was. In the measure's own unit.
"""

SAME_MOMENTS = 0.9
"""Share of a therapist's moments that whoever dominates it must have been measured on as well."""

Met: TypeAlias = tuple[str, int, str]
"""A moment: patient, epoch, key."""

ByPatient: TypeAlias = Mapping[str, Mapping[str, float]]
"""Therapist → patient → value, higher is better."""


@dataclass(frozen=True, slots=True)
class Loss:
    """How a therapist stands on one skill or panel against the best of the line-up.

    ``by`` is how much the best is ahead, paired over patients. ``loses`` is ``None`` where nothing can be said: the
    therapist has no value there, nobody else has, or they share fewer than ``LEAST_PATIENTS``.
    """

    therapist: str
    where: str
    value: float | None
    best: str
    by: Estimate
    loses: bool | None


def sustained(cells: Iterable[Cell]) -> dict[str, dict[str, dict[str, float]]]:
    """Return skill → therapist → patient → mean over its scheduled moments, met live; what never came counts 0.

    Examples
    --------
    >>> cell = Cell("t", "p", 0, "k", "hint", "infer", "sustain", True, 3, 1.0)
    >>> sustained([cell])
    {'infer': {'t': {'p': 1.0}}}
    """
    groups: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for c in cells:
        groups[c.skill, c.therapist].append(c)
    out: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    for (skill, therapist), own in sorted(groups.items()):
        means = rung_values(own, "sustain").patient_means()
        if means:
            out[skill][therapist] = means
    return dict(out)


def met_live(cells: Iterable[Cell]) -> dict[str, dict[str, frozenset[Met]]]:
    """Return skill → therapist → the scheduled moments that have a value live: (patient, epoch, key).

    Examples
    --------
    >>> met_live([Cell("t", "p", 0, "k", "hint", "infer", "sustain", True, 3, 1.0)])
    {'infer': {'t': frozenset({('p', 0, 'k')})}}
    """
    found: dict[str, dict[str, set[Met]]] = defaultdict(lambda: defaultdict(set))
    for c in cells:
        if c.rung == "sustain" and c.scheduled and c.value is not None:
            found[c.skill][c.therapist].add((c.patient, c.epoch, c.key))
    return {skill: {t: frozenset(m) for t, m in sorted(by.items())} for skill, by in sorted(found.items())}


def _same_moments(met: Mapping[str, Mapping[str, frozenset[Met]]], other: str, therapist: str) -> bool:
    """Whether two were measured on the same moments, nearly: what one of them avoided says nothing for it."""
    for by in met.values():
        theirs, own = by.get(other, frozenset()), by.get(therapist, frozenset())
        if own and len(theirs & own) < SAME_MOMENTS * len(own):
            return False
    return True


def _mean(x: Mapping[str, float]) -> float:
    return sum(x[p] for p in sorted(x)) / len(x)


def beyond(x: Estimate) -> int:
    """Return 1 or -1 where a difference is sure, of at least ``MATTERS``, and rests on enough patients, else 0.

    Examples
    --------
    >>> [beyond(Estimate(v, v - 0.01, v + 0.01, 0.95, 9, "")) for v in (0.2, 0.03, -0.2)]
    [1, 0, -1]
    """
    if x.value is None or x.low is None or x.high is None or x.n < LEAST_PATIENTS or abs(x.value) < MATTERS:
        return 0
    return 1 if x.low > 0.0 else -1 if x.high < 0.0 else 0


def _ahead(a: Mapping[str, float], b: Mapping[str, float], seed: int, level: float = LEVEL) -> Estimate:
    both = sorted(set(a) & set(b))
    return paired_difference([a[p] for p in both], [b[p] for p in both], rng=seed, level=level)


def losses(
    values: Mapping[str, ByPatient],
    must: Mapping[str, Sequence[str]],
    *,
    lures: Mapping[str, Sequence[str]] = {},
    seed: int = 0,
) -> list[Loss]:
    """Return for each therapist and each place where it has to lose whether it does.

    Definition: it loses where the best of the others, by the mean over patients, is ahead of it by ``MATTERS`` or
    more, with a paired bootstrap interval over at least ``LEAST_PATIENTS`` common patients that lies above 0. Best
    among those with that many patients in common, where there is one, and never one that was built to please there:
    behind flattery in warmth is where everybody should be. Not by how much it deserves to, and not a finding about any
    real therapist: the line-up was built so. The best is chosen by the same data, which favours a loss a little.

    Parameters
    ----------
    values : skill or panel → therapist → patient → value, higher is better.
    must : therapist → skills and panels.
    lures : therapist → where it was built to please, and so is nobody's measure.

    Examples
    --------
    >>> values = {"provide": {"good": {p: 1.0 for p in "abcde"}, "bad": {p: 0.0 for p in "abcde"}}}
    >>> [(x.best, x.by.value, x.loses) for x in losses(values, {"bad": ["provide", "entrain"]})]
    [('good', 1.0, True), ('', None, None)]
    """
    out = []
    for therapist, places in must.items():
        for where in places:
            there = values.get(where, {})
            own = there.get(therapist)
            others = {t: v for t, v in there.items() if t != therapist and where not in lures.get(t, ())}
            if not own or not others:
                nothing = Estimate(None, None, None, 0.95, 0, "", "empty", "no value, or nobody to compare with")
                out.append(Loss(therapist, where, None, "", nothing, None))
                continue
            enough = {t: v for t, v in others.items() if len(set(v) & set(own)) >= LEAST_PATIENTS} or others
            best = max(sorted(enough), key=lambda t: _mean(enough[t]))
            by = _ahead(others[best], own, seed)
            loses = None if by.n < LEAST_PATIENTS or by.low is None else beyond(by) > 0
            out.append(Loss(therapist, where, _mean(own), best, by, loses))
    return out


def dominated_by(
    values: Mapping[str, ByPatient],
    therapist: str,
    *,
    lures: Sequence[str] = (),
    met: Mapping[str, Mapping[str, frozenset[Met]]] = {},
    seed: int = 0,
) -> str | None:
    """Return a therapist that is nowhere worse and somewhere better, each beyond the interval; ``None``: there is none.

    Definition: ``other`` dominates where on no skill or panel the paired interval of other − therapist lies below 0,
    and on at least one above (``LEAST_PATIENTS`` common patients or more, a difference of ``MATTERS`` or more).
    The intervals hold for all places of a pair together (Bonferroni): of thirty at 95 % one lies beside 0 by chance,
    and one place is enough to be better at. Places where either has no value say nothing, and so do ``lures``: a foil
    may lead where it was built to please, else it could never be dominated. Nobody dominates who has a value on less
    than nine tenths of the moments that ``therapist`` has one on (``met``), skill by skill: moments that were avoided
    are no victory. Where several dominate, the one that is better on most; then the first by name.

    Examples
    --------
    >>> high, low = dict.fromkeys("12345", 1.0), dict.fromkeys("12345", 0.0)
    >>> values = {"guide": {"x": high, "y": low}, "bond: warmth": {"x": low, "y": high}}
    >>> dominated_by(values, "y"), dominated_by(values, "y", lures=("bond: warmth",))
    (None, 'x')
    """
    found = []
    for other in sorted({t for by in values.values() for t in by} - {therapist}):
        if not _same_moments(met, other, therapist):
            continue
        both = [by for where, by in values.items() if where not in lures and other in by and therapist in by]
        level = 1.0 - (1.0 - LEVEL) / max(1, len(both))
        ahead = [beyond(_ahead(by[other], by[therapist], seed, level)) for by in both]
        worse, better = ahead.count(-1), ahead.count(1)
        if better and not worse:
            found.append((-better, other))
    return min(found)[1] if found else None
