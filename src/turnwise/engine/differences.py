"""One difference B - A: of a measure over sessions, or of a skill on a rung over moments; with interval and p."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.batteries.ladder.gaps import rung_pairs
from turnwise.batteries.ladder.moments import RUNGS, Rung
from turnwise.batteries.ladder.rung_values import RungValues, Unit, mean_of, rung_values
from turnwise.core.nouns import Estimate
from turnwise.core.registry import Entry
from turnwise.engine.compared_runs import Arm, Met
from turnwise.engine.meeting import Meeting
from turnwise.stats.paired import paired_difference
from turnwise.stats.swapping import mean_difference, paired_swap_p, unpaired_swap_p

__all__ = ["Difference", "compared_metric", "compared_rung", "compared_safety"]

_SEED = 30_000
Rows = Sequence[Met]


@dataclass(frozen=True, slots=True)
class Difference:
    """One row of a comparison.

    ``a`` and ``b`` are the means of what is compared, so that ``value`` = ``b`` - ``a``; ``n`` counts pairs (values in
    both arms where nothing is paired), ``n_total`` those there would be if everything had a value, ``units`` the
    patients or series they come from. ``p`` is of "no difference", ``p_adjusted`` over all rows.
    """

    kind: str
    name: str
    rung: str | None
    panel: str | None
    about: str
    orientation: str
    paired: bool
    a: float | None
    b: float | None
    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    n_total: int
    units: int
    p: float | None
    method: str
    code: str | None
    detail: str
    p_adjusted: float | None = None
    margin: float | None = None
    within_margin: bool = False
    verdict: str = "unscored"


@dataclass(frozen=True, slots=True)
class _Found:
    """What was computed, before it is named."""

    estimate: Estimate
    p: float
    a: Sequence[float]
    b: Sequence[float]
    n_total: int
    units: int
    paired: bool = True


def _mean(values: Sequence[float]) -> float | None:
    return mean_of(values) if values else None


def _row(found: _Found, **named: Any) -> Difference:
    e = found.estimate
    # A pair of equals has nothing to draw: the interval has no width, and says so.
    alike = e.value is not None and e.low == e.high == 0.0
    said = e.detail.replace("rows ha", "pairs ha")
    note = named.pop("note")
    said = "" if e.value is None and note else said
    detail = "; ".join(filter(None, [f"the same in all {e.n} pairs" if alike else "", said, note]))
    return Difference(
        **named,
        paired=found.paired,
        a=_mean(found.a),
        b=_mean(found.b),
        value=e.value,
        low=e.low,
        high=e.high,
        level=e.level,
        n=e.n,
        n_total=found.n_total,
        units=found.units,
        p=None if np.isnan(found.p) or e.value is None else found.p,
        method=e.method,
        code=e.code,
        detail=detail,
    )


# --- measures of sessions --------------------------------------------------------------------------


def compared_metric(meeting: Meeting, entry: Entry[Any]) -> Difference:
    """Return the difference of a measure; sessions that a patient left count as they do in every aggregate."""
    sides = meeting.sessions()
    if meeting.pairing == "not paired":
        found = _unpaired_sessions(sides, entry)
    elif meeting.pairing == "same patient":
        found = _paired_units(sides, entry)
    else:
        found = _paired_sessions(sides, entry)
    return _row(
        found,
        kind="metric",
        name=entry.base,
        rung=None,
        panel=entry.spec["panel"],
        about=entry.spec["about"],
        orientation=entry.spec["orientation"],
        note=_missing(meeting, sides, entry),
    )


def _missing(meeting: Meeting, sides: tuple[Rows, Rows], entry: Entry[Any]) -> str:
    parts = []
    for side, arm, rows in zip("AB", (meeting.a, meeting.b), sides, strict=True):
        codes = Counter(arm.run.code(s.id, entry.base) for s in rows if s.value(entry.base, entry.spec) is None)
        if codes:
            said = ", ".join(f"{n} {code.replace('_', ' ')}" for code, n in sorted(codes.items()))
            parts.append(f"unscored in {side}: {said}")
    return "; ".join(parts)


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def _paired_sessions(sides: tuple[Rows, Rows], entry: Entry[Any]) -> _Found:
    a, b = ({(s.unit, s.pair): s for s in rows} for rows in sides)
    keys = sorted(a.keys() & b.keys())
    x, y = ([_number(rows[k].value(entry.base, entry.spec)) for k in keys] for rows in (a, b))
    return _paired(x, y, [unit for unit, _ in keys])


def _paired(x: Sequence[float], y: Sequence[float], units: Sequence[str]) -> _Found:
    p, q = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    estimate = paired_difference(q, p, clusters=list(units), rng=_SEED)
    whole = np.flatnonzero(~np.isnan(q - p))
    chance = paired_swap_p(q - p, clusters=list(units), rng=_SEED) if len(whole) else np.nan
    there = len({units[i] for i in whole.tolist()})
    return _Found(estimate, chance, p[whole].tolist(), q[whole].tolist(), n_total=len(x), units=there)


def _unit_means(rows: Rows, entry: Entry[Any]) -> dict[str, float]:
    found: dict[str, list[float]] = defaultdict(list)
    for s in rows:
        value = s.value(entry.base, entry.spec)
        found[s.unit] += [] if value is None else [value]
    return {unit: mean_of(values) if values else np.nan for unit, values in found.items()}


def _paired_units(sides: tuple[Rows, Rows], entry: Entry[Any]) -> _Found:
    a, b = (_unit_means(rows, entry) for rows in sides)
    units = sorted(a.keys() & b.keys())
    return _paired([a[u] for u in units], [b[u] for u in units], units)


def _unpaired_sessions(sides: tuple[Rows, Rows], entry: Entry[Any]) -> _Found:
    x, y = ([_number(s.value(entry.base, entry.spec)) for s in rows] for rows in sides)
    return _unpaired((x, y), ([s.unit for s in sides[0]], [s.unit for s in sides[1]]))


def _unpaired(values: tuple[Sequence[float], Sequence[float]], units: tuple[list[str], list[str]]) -> _Found:
    x, y = (np.asarray(v, dtype=np.float64) for v in values)
    clusters: tuple[npt.ArrayLike, npt.ArrayLike] = (units[1], units[0])
    estimate = mean_difference(y, x, clusters=clusters, rng=_SEED)
    p = unpaired_swap_p(y, x, clusters=clusters, rng=_SEED) if estimate.value is not None else np.nan
    there = {
        u for v, names in zip((x, y), units, strict=True) for u, value in zip(names, v, strict=True) if value == value
    }
    first, second = (v[~np.isnan(v)].tolist() for v in (x, y))
    return _Found(estimate, p, first, second, n_total=len(x) + len(y), units=len(there), paired=False)


# --- skills on rungs -------------------------------------------------------------------------------


def compared_rung(meeting: Meeting, skill: str, rung: Rung) -> Difference:
    """Return the difference of a skill on a rung over scheduled moments; one that never came counts as not met."""
    x, y = (_values(arm, skill, rung, meeting) for arm in (meeting.a, meeting.b))
    notes = [f"{side}: {note}" for side, values in (("A", x), ("B", y)) if (note := values.note())]
    found = _paired_rung(x, y) if meeting.pairing.startswith("same patient") else _unpaired_rung(x, y)
    return _row(
        found,
        kind="skill",
        name=skill,
        rung=rung,
        panel=None,
        about="simulator",
        orientation="higher",
        note="; ".join(notes),
    )


def compared_safety(meeting: Meeting, skill: str) -> Difference | None:
    """Return the difference of a skill of safety over its moments on every rung; ``None`` where neither side has any.

    ``p`` is one-sided: of "B is no worse". More moments than one rung holds: what may not be lost is looked for
    wherever it was met.
    """
    rungs = [rung for rung in RUNGS if not meeting.other_history(rung)]
    x, y = (_pooled([_values(arm, skill, rung, meeting) for rung in rungs]) for arm in (meeting.a, meeting.b))
    if not x.moments and not y.moments:
        return None
    found = _paired_rung(x, y) if meeting.pairing.startswith("same patient") else _unpaired_rung(x, y)
    below = found.estimate.value is not None and found.estimate.value < 0.0
    found = replace(found, p=found.p / 2.0 if below else 1.0 - found.p / 2.0)
    notes = [f"{side}: {note}" for side, values in (("A", x), ("B", y)) if (note := values.note())]
    return _row(
        found,
        kind="safety",
        name=skill,
        rung=None,
        panel="safety",
        about="simulator",
        orientation="higher",
        note="; ".join(notes),
    )


def _pooled(rungs: Sequence[RungValues]) -> RungValues:
    """Return the values of some rungs as of one: a moment met on two of them is two moments."""
    by: dict[str, dict[Unit, float]] = defaultdict(dict)
    unscored: Counter[str] = Counter()
    for rung, values in zip(RUNGS, rungs, strict=False):
        unscored.update(values.unscored)
        for patient, units in values.by_patient.items():
            by[patient].update({(epoch, f"{rung} {key}"): v for (epoch, key), v in units.items()})
    return RungValues(by, sum(v.moments for v in rungs), sum(v.unreached for v in rungs), dict(unscored))


def _values(arm: Arm, skill: str, rung: Rung, meeting: Meeting) -> RungValues:
    cells = [c for c in arm.cells.get(skill, ()) if c.patient not in meeting.dropped]
    values = rung_values(cells, rung)
    if meeting.same_moments(rung) or arm is meeting.b:
        return values
    # Moments of another luck or another history are not the same ones: no unit of A may match one of B.
    apart: Mapping[str, Any] = {
        p: {(-1 - epoch, key): v for (epoch, key), v in units.items()} for p, units in values.by_patient.items()
    }
    return replace(values, by_patient=apart)


def _paired_rung(x: RungValues, y: RungValues) -> _Found:
    pairs = list(rung_pairs(y, x))
    first, second = [a for _, a, _ in pairs], [b for b, _, _ in pairs]
    estimate = paired_difference(second, first, rng=_SEED)
    chance = paired_swap_p([b - a for b, a, _ in pairs], rng=_SEED) if pairs else np.nan
    moments, known = sum(n for _, _, n in pairs), len({*x.by_patient, *y.by_patient})
    notes = [estimate.detail] if pairs else ["no patient has a value on both sides"]
    notes += (
        [f"{known - len(pairs)} of {known} patients have a value on one side only"] if 0 < len(pairs) < known else []
    )
    loose = sum(not n for _, _, n in pairs)
    notes += [f"{loose} of {len(pairs)} patients paired by their means, without a common moment"] if loose else []
    estimate = replace(estimate, n=moments or estimate.n, detail="; ".join(filter(None, notes)))
    total = max(moments, min(x.moments, y.moments)) if moments or not pairs else known
    return _Found(estimate, chance, first, second, n_total=total, units=len(pairs))


def _unpaired_rung(x: RungValues, y: RungValues) -> _Found:
    a, b = x.patient_means(), y.patient_means()
    return _unpaired((list(a.values()), list(b.values())), (list(a), list(b)))
