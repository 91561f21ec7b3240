"""Tables of cells with a known gap in them: what the analysis is tried on before it is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from turnwise.batteries.ladder.moments import Cell, Rung

__all__ = ["Planted"]


@dataclass(frozen=True, slots=True)
class Planted:
    """Studies in which one therapist loses a stated amount of one skill; each call draws one.

    Every patient has a rate of its own; each scheduled moment is met or not, independently on each rung: with the
    patient's rate alone, less ``context`` after a replayed history, and less a loss that grows evenly from 0 at
    the first moment of a session to ``2 * fade`` at the last, so that it is ``fade`` on average. Not a model of
    therapists: real moments differ in difficulty, and real replies on two rungs are alike for other reasons.

    Attributes
    ----------
    patients, epochs, moments : how many, and moments per session (at least 2).
    level, spread : mean rate of the skill alone, and how far patients lie from it at most (uniform).
    context, fade : what the replayed history costs, and what the live session costs on top; negative = gains.

    Raises
    ------
    ValueError : a rate would leave [0, 1].

    Examples
    --------
    >>> study = Planted(patients=2, epochs=1, moments=3)(np.random.default_rng(1))
    >>> len(study), sorted({c.rung for c in study}), {c.value for c in study} <= {0.0, 1.0}
    (18, ['resume', 'show', 'sustain'], True)
    """

    patients: int = 16
    epochs: int = 2
    moments: int = 4
    level: float = 0.8
    spread: float = 0.15
    context: float = 0.0
    fade: float = 0.2

    def __post_init__(self) -> None:
        if self.patients < 1 or self.epochs < 1 or self.moments < 2 or self.spread < 0.0:
            raise ValueError("at least one patient, one epoch and two moments, and a spread of 0 or more, are needed.")
        losses = (0.0, self.context, self.context + 2.0 * self.fade)
        if self.level + self.spread - min(losses) > 1.0 or self.level - self.spread - max(losses) < 0.0:
            raise ValueError(f"a rate of {self.level} ± {self.spread} less {losses} leaves [0, 1].")

    def __call__(self, rng: Generator) -> list[Cell]:
        """Draw one study."""
        return list(self._cells(rng))

    def _cells(self, rng: Generator) -> Iterator[Cell]:
        own = self.level + self.spread * rng.uniform(-1.0, 1.0, self.patients)
        late = np.linspace(0.0, 2.0, self.moments) * self.fade
        losses: dict[Rung, np.ndarray] = {
            "show": np.zeros(self.moments),
            "resume": np.full(self.moments, self.context),
            "sustain": self.context + late,
        }
        for rung, loss in losses.items():
            rate = own[:, None, None] - loss
            met = rng.random((self.patients, self.epochs, self.moments)) < rate
            for p, epoch, m in np.ndindex(met.shape):
                value = float(met[p, epoch, m])
                yield Cell("t", f"p{p:04d}", epoch, f"k{m}", "hint", "infer", rung, True, 2 * m + 1, value)
