"""What a participant hears in the last turn, and the port through which it hears.

Participants await an ``Ear`` that is handed to their factory (keyword ``ear``). The engine hands
in one that batches across concurrent sessions; ``DirectEar`` reads at once. Both read in blocks of
fixed size, so that concurrency never changes a byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.window import Window

__all__ = ["BEHAVIOURS", "TALK", "Ear", "Hearing"]

BEHAVIOURS: tuple[str, ...] = ("question", "reflection", "therapist_input", "other")
TALK: tuple[str, ...] = ("change", "neutral", "sustain")


@dataclass(frozen=True, slots=True, eq=False)
class Hearing:
    """The last turn as its listener understood it.

    ``sentences`` and ``vectors`` (S, 256; float32, unit rows, zero where nothing is known) run
    parallel; ``vector`` (256,) is the whole turn. ``p`` holds, by item, calibrated probabilities
    in the label order above: ``"therapist_behaviour"`` for a therapist's turn,
    ``"client_talk"`` for a patient's. A silent turn has no sentences and an empty ``p``.
    """

    sentences: tuple[str, ...]
    vectors: npt.NDArray[np.float32]
    vector: npt.NDArray[np.float32]
    p: Mapping[str, FloatArray]

    def probability(self, item: str, label: str) -> float:
        """Return one probability; 0.0 when the item was not heard (a silence)."""
        labels = BEHAVIOURS if item == "therapist_behaviour" else TALK
        row = self.p.get(item)
        return 0.0 if row is None else float(row[labels.index(label)])


class Ear(Protocol):
    """Hears one window. The only way a participant reads the other's words as moves."""

    async def hear(self, window: Window) -> Hearing:
        """Return what was heard in ``window.turn``."""
        ...
