"""Turns with human labels, as the fitting and validation scripts read them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import Trajectory
from turnwise.engine.corpora.annomi import ANNOMI, series_of
from turnwise.reading.scope import scope_code
from turnwise.reading.window import Window, windows_of

FOLDS = 5
LOW_WEIGHT = 2.0
"""One session in six is of low quality; a coder that reads those worse hides what the shares are compared for."""


@dataclass(frozen=True)
class Item:
    """What is coded: whose turns, in which label order."""

    name: str
    speaker: str
    labels: tuple[str, ...]


ITEMS = (
    Item("therapist_behaviour", "therapist", ("question", "reflection", "therapist_input", "other")),
    Item("client_talk", "patient", ("change", "neutral", "sustain")),
)


@dataclass(frozen=True)
class Labelled:
    """Labelled turns of one item: windows, gold labels, and the series (cluster) of each."""

    windows: tuple[Window, ...]
    gold: npt.NDArray[np.int64]
    series: npt.NDArray[np.str_]
    where: tuple[tuple[str, int], ...]
    weight: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.windows)


def load_annomi(data: Path) -> tuple[list[Trajectory], str]:
    """Return the transcripts under the data folder and the file's hash."""
    path = data / ANNOMI.file
    return list(ANNOMI.load(path)), hashlib.sha256(path.read_bytes()).hexdigest()


def labelled(ts: Sequence[Trajectory], item: Item) -> Labelled:
    """Return the turns of one item that have a label and are in scope."""
    windows: list[Window] = []
    gold: list[int] = []
    series: list[str] = []
    where: list[tuple[str, int]] = []
    weight: list[float] = []
    gold_of = ANNOMI.gold[item.name]
    for t in ts:
        for i, window in enumerate(windows_of(t.turns)):
            label = gold_of(t, i)
            if window.turn.speaker == item.speaker and label in item.labels and scope_code(window.turn.text) is None:
                windows.append(window)
                gold.append(item.labels.index(str(label)))
                series.append(series_of(t))
                where.append((t.session_id, i))
                weight.append(LOW_WEIGHT if t.meta.get("mi_quality") == "low" else 1.0)
    return Labelled(
        tuple(windows),
        np.array(gold, dtype=np.int64),
        np.array(series, dtype=np.str_),
        tuple(where),
        np.array(weight, dtype=np.float64),
    )


def split_series(ts: Sequence[Trajectory], k: int) -> dict[str, int]:
    """Return a part (0 to k - 1) for each series; parts have about equally many turns.

    Largest series first, each to the part with the fewest turns so far.
    """
    size: Counter[str] = Counter()
    for t in ts:
        size[series_of(t)] += len(t.turns)
    load = [0] * k
    part: dict[str, int] = {}
    for name, n in sorted(size.items(), key=lambda x: (-x[1], x[0])):
        part[name] = load.index(min(load))
        load[part[name]] += n
    return part
