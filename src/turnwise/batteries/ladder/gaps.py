"""From cells to rows: each skill on each rung, and what is lost between them, paired within patients."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from turnwise.batteries.ladder.fading import decay, thirds
from turnwise.batteries.ladder.moments import Cell, Rung
from turnwise.batteries.ladder.rung_values import RungValues, matched, mean_of, rung_values, sorted_cells
from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import DRAWS, LEVEL, IntArray, bootstrap, bootstrap_mean
from turnwise.stats.paired import paired_difference
from turnwise.stats.share import clustered_share

__all__ = ["GAPS", "MEASURES", "NOT_PER_MOMENT", "GapRow", "Measure", "gap_rows", "rung_gap", "rung_pairs"]

Measure: TypeAlias = Literal[
    "show", "resume", "sustain", "sustain_best", "sustain_all", "context_cost", "compounding", "arc_gap", "emergent",
    "decay", "retention", "unreached", "unscored",
]  # fmt: skip
MEASURES: tuple[Measure, ...] = get_args(Measure)
GAPS: Mapping[Measure, tuple[Rung, Rung]] = {
    "context_cost": ("show", "resume"),
    "compounding": ("resume", "sustain"),
    "arc_gap": ("show", "sustain"),
}
"""First rung minus second: positive = the skill is lost on the way."""
NOT_PER_MOMENT: Mapping[str, str] = {"entrain": "entrainment is a property of whole sessions: no moment calls for it"}
"""Skills of the table that have no rungs: their rows say so instead of being absent."""


@dataclass(frozen=True, slots=True)
class GapRow:
    """One figure of one therapist and skill: a row of ``gap.parquet``.

    ``value`` is ``None`` where the quantity is undefined; then ``detail`` begins with the reason's code. ``low`` and
    ``high`` are ``None`` under two patients. ``n`` counts moments (pairs of them in a gap, sessions in ``decay`` and
    ``retention``), ``n_patients`` the patients they come from.
    """

    therapist: str
    skill: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_patients: int
    detail: str = ""


def row_of(who: tuple[str, str, str], found: Estimate, n: int, patients: int, detail: str = "") -> GapRow:
    """Return an estimate as a row; ``who`` is therapist, skill and measure.

    Examples
    --------
    >>> nothing = Estimate(None, None, None, 0.95, 0, "", "empty", "no moment was met")
    >>> row_of(("t", "infer", "show"), nothing, 0, 0).detail
    'empty: no moment was met'
    """
    if found.value is None:
        said = f"{found.code}: {'; '.join(filter(None, (found.detail, detail)))}"
        return GapRow(*who, None, None, None, n, patients, said)
    few = patients < 2
    said = "; ".join(filter(None, ("no interval: under two patients" if few else "", detail)))
    return GapRow(*who, found.value, None if few else found.low, None if few else found.high, n, patients, said)


def rung_gap(a: RungValues, b: RungValues, *, rng: int, draws: int = DRAWS, level: float = LEVEL) -> Estimate:
    """Return rung ``a`` minus rung ``b``, paired within patients, with an interval over patients.

    Definition: per patient the mean difference over the moments (epoch and key) that have a value on both rungs;
    where a patient has values on both but none for the same moment, the difference of the patient's two means. Then
    the mean over patients, each counted once. Not the difference of two averages over different moments, which
    would compare easy ones with hard ones; where it had to be, ``detail`` says for how many patients.

    Returns
    -------
    Value in [-1, 1], positive = ``a`` is higher, with a bootstrap interval over patients. ``n`` = patients. No patient
    with values on both rungs: ``empty``.

    References
    ----------
    Definition of this project (docs/design.md, the sustain gap).

    Examples
    --------
    >>> a = RungValues({"p": {(0, "x"): 1.0, (0, "y"): 1.0}}, 2, 0)
    >>> b = RungValues({"p": {(0, "x"): 0.5}}, 1, 0)
    >>> rung_gap(a, b, rng=1).value
    0.5
    """
    pairs = list(rung_pairs(a, b))
    first, second = [x for x, _, _ in pairs], [y for _, y, _ in pairs]
    found = paired_difference(first, second, rng=rng, draws=draws, level=level)
    if found.value is None:
        return replace(found, detail="no patient has a value on both rungs")
    loose, known = sum(not n for _, _, n in pairs), len(set(a.by_patient) | set(b.by_patient))
    notes = [f"{known - len(pairs)} of {known} patients have a value on one rung only"] if known > len(pairs) else []
    if loose:
        notes.append(f"{loose} of {len(pairs)} patients paired by their means, without a common moment")
    return replace(found, detail="; ".join(notes))


def rung_pairs(a: RungValues, b: RungValues) -> Iterator[tuple[float, float, int]]:
    """Yield per patient of both, by name, the mean on each and over how many common moments (0: whatever there is).

    Examples
    --------
    >>> a = RungValues({"p": {(0, "x"): 1.0, (0, "y"): 1.0}}, 2, 0)
    >>> list(rung_pairs(a, RungValues({"p": {(0, "x"): 0.5}}, 1, 0)))
    [(1.0, 0.5, 1)]
    """
    for patient in sorted(set(a.by_patient) & set(b.by_patient)):
        x, y = a.by_patient[patient], b.by_patient[patient]
        common = sorted(set(x) & set(y))
        yield mean_of(x[u] for u in common or x), mean_of(y[u] for u in common or y), len(common)


def gap_rows(cells: Iterable[Cell], *, seed: int = 0, draws: int = DRAWS, level: float = LEVEL) -> list[GapRow]:
    """Return every measure of every therapist and skill, in order of their names.

    ``show``, ``resume``, ``sustain`` are means over moments within patients, then over patients, of the scheduled
    moments that have a value on all of these rungs (``rung_values.matched``), so that what is printed is what is
    subtracted; a moment that never came, because somebody ended the session or left no room for it, counts as not met,
    in ``sustain_best`` as met; ``sustain_all`` takes every scheduled moment of the live sessions.
    ``context_cost``, ``compounding`` and ``arc_gap`` are :func:`rung_gap` of them. ``emergent`` is the mean over the
    live moments that were not scheduled: the therapist caused them, so two therapists are not compared by it.
    ``decay`` is the mean slope over live sessions, ``retention`` the mean of their last thirds / that of their first
    thirds, over scheduled moments. ``unreached`` and ``unscored`` are counts. Not one number per therapist: nothing
    is averaged over skills.

    Cells without a value take no part in a mean; they are counted with their reasons in ``detail``. Intervals are
    expanded percentiles of ``draws`` bootstrap samples of patients (``stats.bootstrap``); the order of ``cells``
    moves nothing.

    Examples
    --------
    >>> def cell(rung, patient, value):
    ...     return Cell("t", patient, 0, "k", "hint", "infer", rung, True, 3, value)
    >>> met = [cell("show", p, 1.0) for p in "ab"] + [cell("sustain", "a", 1.0), cell("sustain", "b", 0.0)]
    >>> [(r.value, r.low, r.high) for r in gap_rows(met) if (r.skill, r.measure) == ("infer", "arc_gap")]
    [(0.5, 0.0, 1.0)]
    """
    groups: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for cell in sorted_cells(cells):
        groups[cell.therapist, cell.skill].append(cell)
    rows: list[GapRow] = []
    for (therapist, skill), own in groups.items():
        rows += _rows_of((therapist, skill), own, _Drawing(seed, draws, level))
    for therapist in sorted({t for t, _ in groups}):
        for skill, why in NOT_PER_MOMENT.items():
            said = f"not_applicable: {why}"
            rows += [GapRow(therapist, skill, m, None, None, None, 0, 0, said) for m in MEASURES]
    order: dict[str, int] = {m: i for i, m in enumerate(MEASURES)}
    return sorted(rows, key=lambda r: (r.therapist, r.skill, order[r.measure]))


@dataclass(frozen=True, slots=True)
class _Drawing:
    """How intervals are drawn; one seed for all, so that a row does not hang on which others there are."""

    seed: int
    draws: int
    level: float


def _rows_of(who: tuple[str, str], cells: Sequence[Cell], how: _Drawing) -> Iterator[GapRow]:
    every = {rung: rung_values(cells, rung) for rung in get_args(Rung)}
    rungs = matched(every)
    best = matched(every | {"sustain": rung_values(cells, "sustain", unreached=1.0)})["sustain"]
    emergent = rung_values(cells, "sustain", scheduled=False)
    beside = (("sustain_best", best), ("sustain_all", every["sustain"]), ("emergent", emergent))
    for measure, values in (*rungs.items(), *beside):
        yield _mean_row((*who, measure), values, how)
    for measure, (a, b) in GAPS.items():
        found = rung_gap(rungs[a], rungs[b], rng=how.seed, draws=how.draws, level=how.level)
        counts = [n for _, _, n in rung_pairs(rungs[a], rungs[b])]
        notes = [f"{r}: {note}" for r in (a, b) if (note := rungs[r].note())]
        loose = found.detail if found.value is not None else ""
        yield row_of((*who, measure), found, sum(counts), len(counts), "; ".join(filter(None, (loose, *notes))))
    yield from _course_rows(who, cells, how)
    yield from _count_rows(who, cells, every["sustain"])


def _mean_row(who: tuple[str, str, str], values: RungValues, how: _Drawing) -> GapRow:
    means = list(values.patient_means().values())
    found = clustered_share(means, rng=how.seed, draws=how.draws, level=how.level)
    if found.value is None:
        found = replace(found, detail="no moment has a value" if values.moments else "there is no such moment")
    return row_of(who, found, values.scored, len(means), values.note())


def _course_rows(who: tuple[str, str], cells: Sequence[Cell], how: _Drawing) -> Iterator[GapRow]:
    courses: dict[tuple[str, int], list[Cell]] = defaultdict(list)
    for c in cells:
        if c.rung == "sustain" and c.scheduled and c.value is not None:
            courses[c.patient, c.epoch].append(c)
    slopes: list[tuple[str, float]] = []
    ends: list[tuple[str, tuple[float, float]]] = []
    for (patient, _), found in courses.items():
        values = [c.value for c in found if c.value is not None]
        slope, pair = decay(values, [c.position for c in found]).value, thirds(values)
        if slope is not None and pair is not None:
            slopes.append((patient, slope))
            ends.append((patient, pair))
    note = f"{len(slopes)} of {len(courses)} sessions have three scheduled moments with a value"
    patients = [p for p, _ in slopes]
    k = len(set(patients))
    mean = bootstrap_mean(
        [x for _, x in slopes], rng=how.seed, clusters=patients, draws=how.draws, level=how.level
    ) if slopes else Estimate(None, None, None, how.level, 0, "", "too_short", "no session is long enough")  # fmt: skip
    yield row_of((*who, "decay"), mean, len(slopes), k, note)
    yield row_of((*who, "retention"), _retained([x for _, x in ends], patients, how), len(ends), k, note)


def _retained(ends: Sequence[tuple[float, float]], patients: Sequence[str], how: _Drawing) -> Estimate:
    """Return mean last third / mean first third over sessions: a ratio of means, so that no session is dropped."""
    if not ends:
        return Estimate(None, None, None, how.level, 0, "", "too_short", "no session is long enough")
    x = np.asarray(ends, dtype=np.float64)
    if x[:, 0].sum() == 0.0:
        why = "the first third is 0 in every session"
        return Estimate(None, None, None, how.level, len(ends), "", "no_denominator", why)

    def ratio(rows: IntArray) -> float:
        first, last = x[rows].sum(axis=0)
        return float(last / first) if first > 0.0 else float("nan")

    return bootstrap(ratio, len(ends), rng=how.seed, clusters=patients, draws=how.draws, level=how.level)


def _count_rows(who: tuple[str, str], cells: Sequence[Cell], live: RungValues) -> Iterator[GapRow]:
    patients = len({c.patient for c in cells})
    said = f"of {live.moments} scheduled moments of live sessions"
    yield GapRow(*who, "unreached", float(live.unreached), None, None, live.moments, patients, said)
    lost = Counter((c.rung, c.code or "failed") for c in cells if c.value is None)
    why = ", ".join(f"{rung} {code} {n}" for (rung, code), n in sorted(lost.items()))
    yield GapRow(*who, "unscored", float(sum(lost.values())), None, None, len(cells), patients, why)
