"""Turns with human labels, as the fitting and validation scripts read them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.turnwise_jsonl import turnwise_jsonl
from turnwise.reading.scope import scope_code
from turnwise.reading.window import Window, windows_of

ANNOMI = Path("annomi") / "dialogues.jsonl.gz"
FOLDS = 5
LOW_WEIGHT = 2.0
"""One session in six is of low quality; a coder that reads those worse hides what the shares are compared for."""


@dataclass(frozen=True)
class Item:
    """What is coded: whose turns, which label key of the corpus, which label order."""

    name: str
    speaker: str
    key: str
    labels: tuple[str, ...]


ITEMS = (
    Item(
        "therapist_behaviour",
        "therapist",
        "main_therapist_behaviour",
        ("question", "reflection", "therapist_input", "other"),
    ),
    Item("client_talk", "patient", "client_talk_type", ("change", "neutral", "sustain")),
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
    path = data / ANNOMI if data.is_dir() else data
    return list(turnwise_jsonl().read(path)), hashlib.sha256(path.read_bytes()).hexdigest()


def series_of(t: Trajectory) -> str:
    """Return the cluster of a transcript: those of one source video or demonstration pair share it."""
    return str(t.meta.get("series", t.session_id))


def label_of(t: Trajectory, turn: int, item: Item) -> str | None:
    """Return the human label of a turn (majority; ties go to the first of the label order)."""
    labels: Any = t.info(turn).get("labels") or {}
    found = labels.get(item.key)
    return found if found in item.labels else None


def labelled(ts: Sequence[Trajectory], item: Item) -> Labelled:
    """Return the turns of one item that have a label and are in scope."""
    windows: list[Window] = []
    gold: list[int] = []
    series: list[str] = []
    where: list[tuple[str, int]] = []
    weight: list[float] = []
    for t in ts:
        for i, window in enumerate(windows_of(t.turns)):
            label = label_of(t, i, item)
            if window.turn.speaker == item.speaker and label is not None and scope_code(window.turn.text) is None:
                windows.append(window)
                gold.append(item.labels.index(label))
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
