"""What became of the courses of a run: who came to which session, and where the patients' state stood at its end.

Every planned session counts in its place: held, left in the middle, not held any more, or broken. The state of a
patient who left is carried forward at its last value, so that a therapist from whom patients run keeps them in the
mean.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from turnwise.core.nouns import Ending, Estimate, Reason, SessionSpec
from turnwise.engine.counting import LEFT

__all__ = ["CourseSummary"]

Mean = Callable[[Sequence[float | None], Sequence[str], Mapping[Reason, int]], Estimate]
_PLACES = 6


class CourseSummary:
    """Collects sessions one at a time, those of one pair in order; says nothing where there are no courses."""

    def __init__(self) -> None:
        self._endings: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        self._ends: dict[tuple[str, str, int], list[tuple[str, float]]] = defaultdict(list)
        self._last: dict[tuple[str, str], Mapping[str, float]] = {}
        self._longest = 1

    def add(self, spec: SessionSpec | None, ending: Ending, group: str, ends: Mapping[str, float]) -> None:
        """Take one session; ``ends`` holds the last value of each quantity of the patient's state."""
        if spec is None:
            return
        self._longest = max(self._longest, spec.session)
        self._endings[group, spec.session][ending] += 1
        pair = (group, f"{spec.patient}/{spec.case}/{spec.epoch}")
        values = self._last.get(pair, {}) if ending == "not_held" else ends
        if ending in LEFT:
            self._last[pair] = values
        for key, value in values.items():
            self._ends[group, key, spec.session].append((spec.case, value))

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each group and session: how many were planned, held, left, not held, broken."""
        if self._longest == 1:
            return []
        found = []
        for (group, session), endings in sorted(self._endings.items(), key=lambda item: item[0][1]):
            planned, gone, broke = endings.total(), endings["not_held"], endings["error"]
            found.append(
                {
                    "group": group,
                    "session": session,
                    "planned": planned,
                    "held": planned - gone - broke,
                    "left": endings["patient_left"] + endings["patient_faded"],
                    "not_held": gone,
                    "errors": broke,
                }
            )
        return found

    def curves(self, titles: Mapping[str, str], mean: Mean) -> list[dict[str, Any]]:
        """Return one curve for each group and quantity: its value at the end of each session.

        Parameters
        ----------
        titles : quantity → how it is called.
        mean : values, units and reasons → their mean with its interval.
        """
        if self._longest == 1:
            return []
        held = {(row["group"], row["session"]): row["held"] for row in self.rows()}
        groups = list(dict.fromkeys(group for group, _ in self._endings))
        found = []
        for key in titles:
            for group in groups:
                x = [k for k in range(1, self._longest + 1) if self._ends.get((group, key, k))]
                cells = [self._ends[group, key, k] for k in x]
                means = [mean([v for _, v in cell], [unit for unit, _ in cell], Counter()) for cell in cells]
                if x:
                    found.append(_curve((group, key, titles[key]), x, means, [held.get((group, k), 0) for k in x]))
        return found


def _curve(who: tuple[str, str, str], x: list[int], means: Sequence[Estimate], held: list[int]) -> dict[str, Any]:
    group, key, title = who
    return {
        "group": group,
        "key": f"course.{key}",
        "title": f"{title} at the end of each session (simulated; last value carried forward)",
        "x_title": "session of the course",
        "x": x,
        "n": [e.n for e in means],
        "held": held,
        **{side: [_plain(getattr(e, side)) for e in means] for side in ("value", "low", "high")},
    }


def _plain(value: float | None) -> float | None:
    return None if value is None else round(float(value), _PLACES)
