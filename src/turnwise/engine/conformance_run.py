"""What a run says of its simulated patients: whether they passed the gate, and whether they keep to it here.

In a run only what the therapist cannot influence is checked: length, repetition, consistency. All
else was measured once, on the fixed panel.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwise.batteries.conformance.consistency import contradictions_within
from turnwise.batteries.conformance.judging import within
from turnwise.batteries.conformance.wording import repeated_grams, said_before
from turnwise.core.nouns import Trajectory
from turnwise.engine import conformance_store

__all__ = ["IN_A_RUN", "LEAST_TURNS", "RunConformance"]

IN_A_RUN: Mapping[str, tuple[float | None, float | None]] = {
    "words_mean": (5.0, 30.0),
    "words_spread": (0.5, None),
    "self_repetition": (None, 0.1),
    "beats_again": (None, 0.0),
    "contradictions": (None, 0.0),
}
"""Bands of a run: measures.md 23.1 for length (wider than the gate's), the gate's own for the rest."""
LEAST_TURNS = 100
"""Patient turns with words below which the length of a patient in a run is not judged: a few sessions say little."""


@dataclass(slots=True)
class _Tally:
    """Sums over the sessions of one patient; memory does not grow with the run."""

    sessions: int = 0
    turns: int = 0
    words: float = 0.0
    squares: float = 0.0
    grams: int = 0
    again: int = 0
    beats: int = 0
    contradicted: int = 0

    def add(self, t: Trajectory) -> None:
        self.sessions += 1
        self.beats += len(said_before(t))
        self.contradicted += len(contradictions_within(t))
        total, again = repeated_grams(t)
        self.grams, self.again = self.grams + total, self.again + again
        if not any(c.isalnum() for x in t.turns if x.speaker == "therapist" for c in x.text):
            return  # nobody spoke to this patient: how little it says is no band of conversation
        for turn in t.turns:
            if turn.speaker == "patient" and turn.n_words:
                self.turns, self.words = self.turns + 1, self.words + turn.n_words
                self.squares += turn.n_words**2

    def join(self, other: _Tally) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def figures(self) -> dict[str, float | None]:
        """Return the figures of the run; ``None`` where too little was said to tell."""
        mean = spread = None
        if self.turns >= LEAST_TURNS:
            mean = self.words / self.turns
            variance = max(0.0, (self.squares - self.turns * mean**2) / (self.turns - 1))
            spread = math.sqrt(variance) / mean
        return {
            "words_mean": mean,
            "words_spread": spread,
            "self_repetition": self.again / self.grams if self.grams else None,
            "beats_again": float(self.beats),
            "contradictions": float(self.contradicted),
        }


@dataclass(slots=True)
class RunConformance:
    """Collects, session by session, what ``run.json`` says under ``conformance``."""

    _tallies: dict[str, _Tally] = field(default_factory=dict)

    def see(self, t: Trajectory) -> None:
        """Count one session; transcripts that were not played here have no simulated patient."""
        if t.spec is not None and t.ending != "error":
            self._tallies.setdefault(f"{t.spec.patient}:{t.spec.case}", _Tally()).add(t)

    def join(self, other: RunConformance) -> None:
        """Take over what was counted of other sessions."""
        for name, tally in other._tallies.items():
            self._tallies.setdefault(name, _Tally()).join(tally)

    def record(self) -> dict[str, Any]:
        """Return status (``passed``, ``out of band``, ``not gated``, ``not applicable``), a sentence, and each patient.

        ``out of band`` where a patient failed the gate or leaves a band in this run; else ``not gated``
        where one was not played on the panel in this version; else ``passed``.
        """
        if not self._tallies:
            return {"status": "not applicable", "detail": "no simulated patient in these sessions", "patients": {}}
        rows = {}
        for name, (gate, why) in conformance_store.statuses(sorted(self._tallies)).items():
            figures = self._tallies[name].figures()
            out = [k for k, v in figures.items() if v is not None and not within(v, *IN_A_RUN[k])]
            shown = {k: None if v is None else round(v, 4) for k, v in figures.items()}
            rows[name] = {"gate": gate, "why": why, "out_in_this_run": out, "figures": shown}
        return {**_summary(rows), "patients": rows}


def _summary(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    failed = [name for name, row in rows.items() if row["gate"] == "failed"]
    outside = [name for name, row in rows.items() if row["out_in_this_run"]]
    ungated = [name for name, row in rows.items() if row["gate"] == "not gated"]
    said = [
        f"{len(names)} of {len(rows)} patients {what} ({_few(names)})"
        for names, what in (
            (failed, "failed the gate on the panel"),
            (outside, "leave a band in this run"),
            (ungated, "were not gated in this version"),
        )
        if names
    ]
    status = "out of band" if failed or outside else "not gated" if ungated else "passed"
    remedy = "; read scores as provisional" if said else ""
    return {"status": status, "detail": "; ".join(said) + remedy if said else "all patients passed the gate"}


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
