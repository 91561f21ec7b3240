"""From figures to a verdict: what a patient's figures are beside their bands, and whether it passes the gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.batteries.conformance.measures import MEASURES, Band, Measure
from turnwise.batteries.conformance.played import Human, Played
from turnwise.core.nouns import Score, Verdict, unscored

__all__ = ["Judged", "figures_of", "judge", "passed", "within"]


@dataclass(frozen=True, slots=True)
class Judged:
    """One figure beside its band. ``undetermined`` (no value) fails a gated measure: the gate fails closed."""

    measure: Measure
    score: Score
    band: Band
    verdict: Verdict

    @property
    def fails(self) -> bool:
        """Whether this keeps the patient from passing."""
        return self.measure.gated and self.verdict != "pass"

    def document(self) -> dict[str, Any]:
        """Return plain values."""
        s, b = self.score, self.band
        return {
            "measure": self.measure.name,
            "unit": self.measure.unit,
            "value": s.value,
            "n": s.n,
            "code": s.code,
            "detail": s.detail,
            "low": b.low,
            "high": b.high,
            "source": b.source,
            "gated": self.measure.gated,
            "verdict": self.verdict,
        }


def within(value: float, low: float | None, high: float | None) -> bool:
    """Whether a value lies in a band, ends included (to nine places: rounding must not decide).

    Examples
    --------
    >>> within(0.8, 0.8, None), within(21.0, 7, 20), within(0.1 + 0.2, None, 0.3)
    (True, False, True)
    """
    slack = 1e-9
    return (low is None or value >= low - slack) and (high is None or value <= high + slack)


def figures_of(played: Played, human: Human) -> dict[str, Score]:
    """Return every figure of one patient by name; a measure that cannot be computed says why."""
    return {m.name: m.of(played, human) for m in MEASURES}


def judge(figures: Mapping[str, Score], human: Human) -> tuple[Judged, ...]:
    """Return the figures beside their bands, in the order of ``MEASURES``; one that is missing is undetermined."""
    found = []
    for m in MEASURES:
        score = figures.get(m.name) or unscored("no_answer", "was not measured")
        band = m.band(human)
        inside = score.value is not None and within(score.value, band.low, band.high)
        verdict: Verdict = "undetermined" if score.value is None else "pass" if inside else "fail"
        found.append(Judged(m, score, band, verdict))
    return tuple(found)


def passed(judged: Iterable[Judged]) -> bool:
    """Whether a patient passes the gate: every gated measure has a value inside its band."""
    return not any(j.fails for j in judged)
