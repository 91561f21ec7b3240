"""Read everything a second time with other raters: how often the two disagree, and whether any order flips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.batteries.ladder.judging import PlannedMoment, cells_of
from turnwise.batteries.ladder.losing import sustained
from turnwise.batteries.ladder.moments import Cell, views_of
from turnwise.batteries.ladder.two_readers import orders
from turnwise.core.nouns import Trajectory
from turnwise.engine.ratings import Readers
from turnwise.reading.skill_items import SKILL_ITEMS

__all__ = ["SecondChunk", "SecondReading"]

_BUNDLE = "second"


@dataclass(frozen=True)
class SecondChunk:
    """What the second reader says of some sessions: cells, turns that both read by item, and where they differ."""

    cells: list[Cell] = field(default_factory=list)
    turns: Counter[str] = field(default_factory=Counter)
    differ: Counter[str] = field(default_factory=Counter)


class SecondReading:
    """Collects what the second reader says of live sessions, beside what the first said.

    The second reader was fitted on examples of other hands and sees other features (``reading/raters``).
    """

    def __init__(self) -> None:
        self._readers = Readers.load(_BUNDLE)
        self._all = SecondChunk()

    def read(self, rated: Sequence[Trajectory], planned: Sequence[PlannedMoment]) -> SecondChunk:
        """Read the sessions of one chunk, with the readings of the first reader attached; changes nothing here."""
        bare, found = [t.model_copy(update={"ratings": {}}) for t in rated], SecondChunk()
        for first, second in zip(rated, self._readers.rate(bare), strict=True):
            _compare(first, second, found)
            found.cells.extend(cells_of(second, "sustain", planned=planned))
        return found

    def take(self, found: SecondChunk) -> None:
        """Keep what was read of one chunk."""
        self._all.cells.extend(found.cells)
        self._all.turns.update(found.turns)
        self._all.differ.update(found.differ)

    def record(self, first: Iterable[Cell]) -> dict[str, Any]:
        """Return what goes into ``run.json``: pairs of therapists by order, flips, and disagreement by item.

        ``flips`` are those that both readers' intervals support, ``raw_flips`` counts differing signs of means.
        Disagreement is counted on the replies to the moment that an item presupposes, where it presupposes one:
        elsewhere its labels mean nothing to either reader.
        """
        pairs = orders(sustained(first), sustained(self._all.cells))
        counts = Counter(p.order for p in pairs)
        return {
            "pairs": {order: counts[order] for order in ("same", "open", "flips")},
            "raw_flips": sum(p.raw_flip for p in pairs),
            "flips": [
                {"skill": p.skill, "therapists": list(p.therapists), "first": p.first.value, "second": p.second.value}
                for p in pairs
                if p.order == "flips"
            ],
            "disagreement": {
                item: {"turns": n, "share": round(self._all.differ[item] / n, 4) if n else None}
                for item, n in sorted(self._all.turns.items())
            },
            "readers": self._readers.versions(),
        }


def _compare(first: Trajectory, second: Trajectory, found: SecondChunk) -> None:
    for item, reading in second.ratings.items():
        other = first.reading(item)
        if other is None:
            continue
        rows = _presupposed(item, first)
        pairs = enumerate(zip(other.values(), reading.values(), strict=True))
        both = [(a, b) for i, (a, b) in pairs if a and b and (rows is None or i in rows)]
        found.turns[item] += len(both)
        found.differ[item] += sum(a != b for a, b in both)


def _presupposed(item: str, t: Trajectory) -> set[int] | None:
    """Return the rows of the replies to the moment that an item presupposes; ``None``: it presupposes none."""
    moment = SKILL_ITEMS[item].moment if item in SKILL_ITEMS else ""
    return {turn + 1 for turn, view in views_of(t) if view.moment == moment} if moment else None
