"""Aggregates of a run: what stands in the headline table, its intervals and what it rests on.

Losing a patient can never raise an aggregate. In a session that a simulated patient left, planned
turns that were never reached count as not met: a mean over turns takes them in at its worst bound,
any other oriented measure counts at its worst bound. The value of the sessions as observed, which
assumes the best of what was never reached, is kept beside it (``observed``: the plain mean of what was
measured), and ``n_observed`` says how many sessions had a value of their own.

One row of numbers is kept per session; text is not. Units of resampling are patients (played
sessions), series or transcripts (imported ones), never turns. Nothing unscored enters a mean, and
nothing unscored disappears: every cell carries how many sessions it rests on, of how many, and why
the others have no value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from turnwise.core.errors import UsageError
from turnwise.core.nouns import REASONS, Ending, Estimate, FloatArray, Reason, SessionSpec, Trajectory
from turnwise.core.registry import METRICS, Entry
from turnwise.engine.counting import LEFT, counted
from turnwise.engine.course_summary import CourseSummary
from turnwise.engine.discovery import discover
from turnwise.engine.grouping import NO_VALUE, group_named
from turnwise.engine.session_curves import TRUTH_CURVES, read_curves, truth_curves
from turnwise.engine.tables import ScoredSession, own_group
from turnwise.stats.attendance import attendance
from turnwise.stats.auc import auc
from turnwise.stats.bootstrap import bootstrap_mean
from turnwise.stats.paired import paired_difference
from turnwise.stats.proportion import wilson

__all__ = ["Facts", "Summary"]

_SEED = 20_000
_FEW_UNITS = 8


@dataclass(frozen=True, slots=True)
class Facts:
    """What the aggregates need of one session: computed where it was scored, kept where all come together."""

    row: _Row
    spec: SessionSpec | None
    ending: Ending
    lacks_key: bool


@dataclass(slots=True)
class _Row:
    """What is kept of one session."""

    group: str
    unit: str
    pair: str
    values: FloatArray
    """(metrics,) in the order of ``METRICS.newest()``, NaN where unscored."""
    codes: bytes
    """(metrics,) 0 where scored, else 1 + index into ``REASONS``: a corpus may have a million sessions."""
    planned: int | None
    attended: int
    left: bool
    broke: bool
    curves: dict[str, FloatArray] = field(default_factory=dict)


def _label(group: str) -> str:
    base, _, version = group.rpartition(".v")
    return base if base and version.isdigit() else group


def _plain(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(float(value), 6)


def _as_row(estimate: Estimate, **more: Any) -> dict[str, Any]:
    row = asdict(estimate)
    return row | {k: _plain(row[k]) for k in ("value", "low", "high")} | more


class Summary:
    """Collects sessions one at a time and turns them into estimates at the end.

    ``by`` names a key of each session's ``meta`` to group by; without it, played sessions are
    grouped by therapist and imported ones by where they came from.
    """

    def __init__(self, by: str | None = None) -> None:
        self.by = by
        discover()
        self._entries = METRICS.newest()
        self._at = {entry.base: i for i, entry in enumerate(self._entries)}
        self._rows: list[_Row] = []
        self._played = False
        self._without_key = 0
        self._courses = CourseSummary()

    def take(self, facts: Facts) -> None:
        """Keep one session, in the order of the run."""
        row = facts.row
        self._played |= facts.spec is not None
        self._without_key += facts.lacks_key
        ends = {key: float(curve[-1]) for key, curve in row.curves.items()}
        self._courses.add(facts.spec, facts.ending, row.group, ends)
        self._rows.append(row)

    def facts_of(self, session: ScoredSession) -> Facts:
        """Return what the aggregates need of one session; changes nothing here."""
        t = session.trajectory
        scores = [session.scores[name] for name in self._at]
        row = _Row(
            group=self.group_of(t),
            unit=t.spec.case if t.spec else str(t.meta.get("series", t.session_id)),
            pair=f"{t.spec.luck}/{t.spec.epoch}" if t.spec else t.session_id,
            values=np.array([np.nan if x.value is None else x.value for x in scores], dtype=np.float64),
            codes=bytes(0 if x.code is None else 1 + REASONS.index(x.code) for x in scores),
            planned=t.spec.max_turns if t.spec else None,
            attended=sum(turn.speaker == "patient" for turn in t.turns),
            left=t.spec is not None and t.ending in LEFT,
            broke=t.ending == "error",
        )
        if t.ending != "error":
            row.curves = truth_curves(t) if t.spec else read_curves(t)
        lacks_key = self.by is not None and t.ending != "error" and group_named(t.meta.get(self.by)) == NO_VALUE
        return Facts(row, t.spec, t.ending, lacks_key)

    def group_of(self, t: Trajectory) -> str:
        """Return the group a session belongs to."""
        if self.by is not None:
            value = t.meta.get(self.by)
            if value is None and t.ending == "error":
                return "(could not be read)"
            return group_named(value)
        return own_group(t)

    # --- results ----------------------------------------------------------------------------

    def groups(self) -> list[str]:
        """Return the groups in the order in which they first came."""
        return list(dict.fromkeys(row.group for row in self._rows))

    def _of(self, group: str) -> list[_Row]:
        return [row for row in self._rows if row.group == group]

    def values(self, entry: Entry[Any]) -> Iterator[tuple[str, str, float]]:
        """Yield group, unit and value of each session as it enters an aggregate of ``entry``."""
        for row in self._rows:
            value = _counted(row, self._at[entry.base], entry)
            if value is not None:
                yield row.group, row.unit, value

    def require_groups(self) -> None:
        """Refuse a grouping that no session knows, before anything is written."""
        if self.by is not None and self._rows and self._without_key == sum(not row.broke for row in self._rows):
            raise UsageError(f"no session has {self.by!r} in its meta, so --by {self.by} groups nothing; leave it out.")

    def warnings(self) -> list[str]:
        """Return what a reader has to know before believing an interval."""
        found = []
        for group in self.groups():
            units = len({row.unit for row in self._of(group) if not row.broke})
            if 0 < units < _FEW_UNITS:
                what = "patients" if self._played else "independent transcripts"
                found.append(
                    f"{_label(group)}: intervals rest on {units} {what}; with so few they are narrower than the truth"
                )
        if self._without_key:
            found.append(
                f"{self._without_key} sessions have no {self.by!r} in their meta; they form a group of their own"
            )
        return _merged(found)

    def result(self) -> dict[str, Any]:
        """Return the aggregates as JSON."""
        entries = self._entries
        groups = self.groups()
        return {
            "group_by": self.by or ("therapist" if self._played else "source"),
            "unit": "patient" if self._played else "series",
            "groups": [
                {
                    "group": g,
                    "label": _label(g),
                    "sessions": len(self._of(g)),
                    "units": len({row.unit for row in self._of(g)}),
                }
                for g in groups
            ],
            "orientation": {e.base: e.spec["orientation"] for e in entries},
            "about": {e.base: e.spec["about"] for e in entries},
            "units": {e.base: e.spec["unit"] for e in entries},
            "metrics": [self._cell(g, e) for g in groups for e in entries],
            "contrasts": [self._contrast(g, groups[0], e) for g in groups[1:] for e in entries if self._played],
            "separation": self._separation([e.base for e in entries]),
            "curves": [c for g in groups for c in self._curves(g)] + self._courses.curves(TRUTH_CURVES, _mean),
            "attendance": [self._attendance(g) for g in groups if self._played],
            "validity": {e.base: _validity((*e.spec["needs"], *e.spec["may_read"])) for e in entries},
        } | ({"courses": courses} if (courses := self._courses.rows()) else {})

    def _cell(self, group: str, entry: Entry[Any]) -> dict[str, Any]:
        rows = self._of(group)
        at = self._at[entry.base]
        values = [(_counted(row, at, entry), row) for row in rows]
        scored = [(value, row) for value, row in values if value is not None]
        codes = Counter(REASONS[row.codes[at] - 1] for value, row in values if value is None and row.codes[at])
        estimate = _mean(
            [value for value, _ in scored],
            [row.unit for _, row in scored],
            codes,
            all_or_none=entry.spec["over"] == "planned",
        )
        observed = [row.values[at] for row in rows if not row.codes[at]]
        more = {
            "n_total": len(rows),
            "units": len({row.unit for _, row in scored}),
            "codes": dict(sorted(codes.items())),
            "observed": _plain(sum(observed) / len(observed)) if observed else None,
            "n_left": sum(row.left for row in rows),
            "n_observed": len(observed),
        }
        return _as_row(estimate, group=group, metric=entry.base, **more)

    def _contrast(self, group: str, reference: str, entry: Entry[Any]) -> dict[str, Any]:
        """Paired difference ``group − reference`` on the same patient with the same luck."""
        mine = {row.pair: row for row in self._of(group)}
        theirs = {row.pair: row for row in self._of(reference)}
        pairs = sorted(mine.keys() & theirs.keys())
        values = [
            [np.nan if v is None else v for v in (_counted(rows[pair], self._at[entry.base], entry) for pair in pairs)]
            for rows in (mine, theirs)
        ]
        units = [mine[pair].unit for pair in pairs]
        estimate = paired_difference(values[0], values[1], clusters=units, rng=_SEED)
        more = {"n_total": len(pairs), "units": len(set(units))}
        return _as_row(estimate, group=group, reference=reference, metric=entry.base, **more)

    def _separation(self, metrics: Sequence[str]) -> list[dict[str, Any]]:
        """How well each measure alone tells two groups of transcripts apart (AUC), if there are two."""
        readable = sorted({row.group for row in self._rows if not row.broke})
        if self.by is None or len(readable) != 2:
            return []
        positive, negative = readable
        found = []
        for metric in metrics:
            at = self._at[metric]
            rows = [row for row in self._rows if not row.codes[at]]
            if not rows:
                found.append(_as_row(self._nothing(at), metric=metric, positive=positive, negative=negative))
                continue
            scores = np.array([row.values[at] for row in rows], dtype=np.float64)
            labels = np.array([row.group == positive for row in rows], dtype=bool)
            estimate = auc(scores, labels, clusters=[row.unit for row in rows], rng=_SEED)
            found.append(_as_row(estimate, metric=metric, positive=positive, negative=negative))
        return found

    def _nothing(self, at: int) -> Estimate:
        codes = Counter(REASONS[row.codes[at] - 1] for row in self._rows)
        return _mean([], [], codes)

    def _curves(self, group: str) -> list[dict[str, Any]]:
        rows = self._of(group)
        keys = list(dict.fromkeys(key for row in rows for key in row.curves))
        return [self._curve(group, key, [row for row in rows if key in row.curves]) for key in keys]

    def _curve(self, group: str, key: str, rows: Sequence[_Row]) -> dict[str, Any]:
        points = max(len(row.curves[key]) for row in rows)
        table = np.full((len(rows), points), np.nan)
        for i, row in enumerate(rows):
            table[i, : len(row.curves[key])] = row.curves[key]
        estimates = []
        for column in table.T:
            there = ~np.isnan(column)
            units = [row.unit for row, ok in zip(rows, there, strict=True) if ok]
            estimates.append(_mean(column[there].tolist(), units, Counter()))
        played = key in TRUTH_CURVES
        return {
            "group": group,
            "key": key,
            "title": f"{TRUTH_CURVES[key]} (simulated; last value carried forward)" if played else key,
            "x_title": "exchange" if played else "tenth of the session",
            "x": list(range(1, points + 1)),
            "n": [e.n for e in estimates],
            **{side: [_plain(getattr(e, side)) for e in estimates] for side in ("value", "low", "high")},
        }

    def _attendance(self, group: str) -> dict[str, Any]:
        rows = self._of(group)
        planned = max((row.planned or 0) for row in rows)
        found = attendance(
            [row.attended for row in rows],
            [row.left or row.broke for row in rows],
            planned_turns=max(1, planned),
            clusters=[row.unit for row in rows],
            rng=_SEED,
        )
        return {
            "group": group,
            "x": list(found.turn),
            "at_risk": list(found.at_risk),
            "share": [_plain(e.value) for e in found.share],
            "low": [_plain(e.low) for e in found.share],
            "high": [_plain(e.high) for e in found.share],
        }


def _counted(row: _Row, at: int, entry: Entry[Any]) -> float | None:
    """Return the value with which a session enters aggregates (see the module's first paragraph)."""
    value = None if row.codes[at] else float(row.values[at])
    return counted(value, entry.spec, left=row.left, attended=row.attended, planned=row.planned)


def _mean(
    values: Sequence[float | None], units: Sequence[str], codes: Mapping[Reason, int], *, all_or_none: bool = False
) -> Estimate:
    kept = np.array([v for v in values if v is not None], dtype=np.float64)
    if not len(kept):
        reason = max(codes, key=lambda code: codes[code]) if codes else "empty"
        return Estimate(None, None, None, 0.95, 0, "none", reason, "no session has a value")
    if len(set(kept.tolist())) == 1:
        # Every draw would be the same, which says nothing about other patients.
        if not all_or_none:
            why = "no interval: every session has the same value"
            return Estimate(float(kept[0]), None, None, 0.95, len(kept), "mean", detail=why)
        n = len(set(units))
        return replace(wilson(n if kept[0] else 0, n), n=len(kept), method=f"Wilson over {n} units")
    return bootstrap_mean(kept, clusters=list(units), rng=_SEED)


def _validity(needs: Sequence[str]) -> dict[str, Any]:
    from turnwise.reading.cards import load_card

    items = [need.partition(":")[2] for need in needs if need.startswith("reading:")]
    if not items:
        words = {"coder": None, "figure": "counted, not coded", "ceiling": "not needed: no judgement is involved"}
        if any(need.startswith("truth:") for need in needs):
            words["figure"] = "known by construction of the simulator"
        return words
    cards = [load_card(item, "raters") for item in items]
    worst = min(cards, key=lambda card: card.macro_f1)
    return {"coder": worst.coder, "figure": worst.figure_sentence(), "ceiling": worst.ceiling_sentence()}


def _merged(lines: Sequence[str]) -> list[str]:
    """Join warnings that say the same of several groups."""
    groups: dict[str, list[str]] = {}
    for line in lines:
        who, _, what = line.partition(": ")
        groups.setdefault(what or who, []).append(who)
    return [f"{', '.join(who)}: {what}" if what not in who else what for what, who in groups.items()]
