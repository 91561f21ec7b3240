"""The values of one therapist and skill by rung, patient and moment: what every row of the gap is computed from."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from turnwise.batteries.ladder.moments import Cell, Rung

__all__ = ["RungValues", "Unit", "matched", "mean_of", "rung_values", "sorted_cells"]

_UNREAD: frozenset[str | None] = frozenset(("undetermined", "no_reading"))
Unit: TypeAlias = tuple[int, str]
"""A moment of a patient that is the same on every rung: (epoch, key)."""


def sorted_cells(cells: Iterable[Cell]) -> list[Cell]:
    """Return cells in one order whatever order they came in, so that no figure hangs on it."""
    return sorted(
        cells,
        key=lambda c: (c.therapist, c.skill, c.patient, c.epoch, c.position, c.key, c.moment, c.rung, _last(c)),
    )


def _last(c: Cell) -> tuple[bool, bool, float, str, str]:
    return c.scheduled, c.reached, -1.0 if c.value is None else c.value, c.code or "", c.detail


def mean_of(values: Iterable[float]) -> float:
    """Return the mean, summed exactly: in [0, 1] where the values are, whatever their order.

    Examples
    --------
    >>> mean_of([0.1] * 10)
    0.1
    """
    found = list(values)
    return math.fsum(found) / len(found)


@dataclass(frozen=True, slots=True)
class RungValues:
    """What the cells of one therapist and skill say on one rung.

    Attributes
    ----------
    by_patient : values of scored moments, by patient and unit; several replies to one moment are averaged.
    moments : moments in all, scored or not.
    unreached : scheduled moments that never came (their value counts, as 0).
    unscored : cells without a value, by code.
    """

    by_patient: Mapping[str, Mapping[Unit, float]]
    moments: int
    unreached: int
    unscored: Mapping[str, int] = field(default_factory=dict)

    @property
    def scored(self) -> int:
        """Moments with a value."""
        return sum(len(units) for units in self.by_patient.values())

    def patient_means(self) -> dict[str, float]:
        """Return the mean over the moments of each patient that has one with a value."""
        return {p: mean_of(units.values()) for p, units in self.by_patient.items()}

    def note(self) -> str:
        """Return in words what has no value, and what never came."""
        parts = [f"{n} {code}" for code, n in sorted(self.unscored.items())]
        lost = sum(self.unscored.values())
        said = [f"{lost} unscored ({', '.join(parts)})"] if lost else []
        if self.unreached:
            said.append(f"{self.unreached} of {self.moments} moments never came")
        return "; ".join(said)


def rung_values(cells: Iterable[Cell], rung: Rung, *, scheduled: bool = True, unreached: float = 0.0) -> RungValues:
    """Return the values on a rung; ``unreached`` is what a moment that never came counts as.

    Cells are those of one therapist and one skill. With ``scheduled=False`` the emergent moments are taken, each for
    itself.

    Examples
    --------
    >>> cell = Cell("t", "p", 0, "k", "hint", "infer", "sustain", True, 3, 0.0, reached=False)
    >>> rung_values([cell], "sustain", unreached=1.0).patient_means()
    {'p': 1.0}
    """
    there = [c for c in cells if c.rung == rung and c.scheduled is scheduled]
    came = [c for c in there if c.reached]
    unread = {c.code for c in came} & _UNREAD
    if unread and all(c.value is None for c in came):
        # Nothing was read of any moment that came: that others never came is then no figure either.
        there = [c if c.reached else replace(c, value=None, code=max(map(str, unread))) for c in there]
    values: dict[str, dict[Unit, list[float]]] = defaultdict(lambda: defaultdict(list))
    units: set[tuple[str, Unit]] = set()
    missing: set[tuple[str, Unit]] = set()
    codes: Counter[str] = Counter()
    for c in there:
        unit = (c.epoch, c.key if scheduled else f"{c.position}")
        units.add((c.patient, unit))
        if c.value is None:
            codes[c.code or "failed"] += 1
            continue
        if not c.reached:
            missing.add((c.patient, unit))
        values[c.patient][unit].append(c.value if c.reached else unreached)
    kept = {p: {u: mean_of(v) for u, v in sorted(found.items())} for p, found in sorted(values.items())}
    return RungValues(kept, len(units), len(missing), dict(codes))


def matched(rungs: Mapping[Rung, RungValues]) -> dict[Rung, RungValues]:
    """Return the values of each rung at the moments that all rungs share: what may be subtracted.

    Definition: patients with a value on every rung that has any, and of each the moments (epoch and key) with a value
    on all of these rungs; where a patient has no such moment, all of its moments on each. So the means of two rungs
    differ by exactly the gap between them. Not all that was met on a rung: a live session meets moments of epochs
    that were not played again.

    Examples
    --------
    >>> show = RungValues({"p": {(0, "x"): 1.0, (0, "y"): 0.0}}, 2, 0)
    >>> live = RungValues({"p": {(0, "x"): 0.5}, "q": {(0, "x"): 0.0}}, 2, 0)
    >>> matched({"show": show, "sustain": live})["show"].by_patient
    {'p': {(0, 'x'): 1.0}}
    """
    met = [values.by_patient for values in rungs.values() if values.by_patient]
    patients = sorted(set.intersection(*map(set, met))) if met else []
    common = {p: set.intersection(*(set(by[p]) for by in met)) for p in patients}

    def kept(rung: Rung, p: str) -> dict[Unit, float]:
        found = rungs[rung].by_patient[p]
        if common[p]:
            return {u: found[u] for u in sorted(common[p])}
        # Some two rungs may share a moment that the third lacks: then all three are taken by their means.
        return {(epoch, f"{key} ({rung})"): v for (epoch, key), v in found.items()}

    return {
        rung: replace(values, by_patient={p: kept(rung, p) for p in patients} if values.by_patient else {})
        for rung, values in rungs.items()
    }
