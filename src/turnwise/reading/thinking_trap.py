"""Which thinking trap a thought shows: a linear coder whose "none" is not a label but what remains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.coder import Coder
from turnwise.reading.features import Lookup
from turnwise.reading.window import Window

__all__ = ["NONE", "TrapCoder"]

NONE = "none"


@dataclass(frozen=True, slots=True)
class TrapCoder:
    """Wraps a coder whose last label is ``"none"``; the probabilities of a row sum to one less that of none."""

    inner: Coder

    def __post_init__(self) -> None:
        if self.inner.labels[-1] != NONE:
            raise ValueError(f"the last label has to be {NONE!r}, not {self.inner.labels[-1]!r}")

    @property
    def item(self) -> str:
        """What it rates."""
        return self.inner.item

    @property
    def labels(self) -> tuple[str, ...]:
        """The traps."""
        return self.inner.labels[:-1]

    @property
    def sha256(self) -> str:
        """Hash of the weights."""
        return self.inner.sha256

    def read(self, windows: Sequence[Window], fit: str = "full", vector: Lookup | None = None) -> FloatArray:
        """Return the probability of each trap for each window, (n, traps)."""
        out: FloatArray = self.inner.read(windows, fit, vector)[:, :-1]
        return out

    def decide(self, p: FloatArray, fit: str = "full") -> list[str]:
        """Return the most probable trap of each row, or ``"none"`` where none of them is more probable."""
        none = 1.0 - p.sum(axis=1)
        return [
            self.labels[int(at)] if row[at] >= rest else NONE
            for row, at, rest in zip(p, np.argmax(p, axis=1) if len(p) else (), none, strict=True)
        ]
