"""How a supervisor would take a reply before it is said: learnt from judged replies, and weighed when an act is chosen.

Supervisors (language models; ``tools/written/tact``) judged, turn by turn, what the controller said and what else it
could have said: fitting, weak, or wrong (a listener would wince). Two logistic models of a reply's aspects say how
likely each is. An ear of the therapist's, fitted apart from every rater; no measure of therapy, and no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.package_data import document_of
from turnwise.therapists.reflecting import Line
from turnwise.therapists.tact_aspects import Setting, of_act, of_line, vectors_of

__all__ = ["COSTS", "TURN_SCALE", "Tact", "load_tact"]

TURN_SCALE = 2.0
"""What vectors are multiplied by beside aspects of 0 and 1, so that one penalty serves both."""
COSTS = (0.4, 0.6)
"""What a reply costs for not fitting, and for being wrong besides."""
_NOTHING = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Tact:
    """Weights by aspect (not fitting; wrong), of the vector of the turn and numbers of the line, (d, 2), and bias."""

    aspects: dict[str, tuple[float, float]]
    turn: FloatArray
    line: FloatArray
    bias: FloatArray

    def chances(self, lines: Sequence[Line], move: str, at: Setting) -> FloatArray:
        """Return the chances that each line, said for ``move`` now, is judged not fitting, and wrong, (n, 2)."""
        if not lines:
            return np.empty((0, 2))
        common = self._sum(of_act(move, at)) + self.bias + TURN_SCALE * at.vector @ self.turn
        own = np.array([self._sum(of_line(line, move, at)) for line in lines])
        z = common + own + TURN_SCALE * vectors_of(lines, at) @ self.line
        return np.asarray(1.0 / (1.0 + np.exp(-z)))

    def costs(self, lines: Sequence[Line], move: str, at: Setting) -> FloatArray:
        """Return what each line is expected to cost, (n,) in [0, 1]: 1 if it surely is wrong, 0.4 if surely weak."""
        return np.asarray(self.chances(lines, move, at) @ np.array(COSTS))

    def _sum(self, names: Iterable[str]) -> FloatArray:
        found = [self.aspects.get(name, _NOTHING) for name in names]
        return np.array([sum(x for x, _ in found), sum(y for _, y in found)])


@cache
def load_tact() -> Tact:
    """Return the weights that ship (``tools/fit_tact.py`` makes them again)."""
    stored = document_of("turnwise.therapists", "tact.json")
    aspects = {name: (float((x := row.split())[0]), float(x[1])) for name, row in stored["aspects"].items()}
    turn, line = (np.array([row.split() for row in stored[name]], dtype=np.float64) for name in ("turn", "line"))
    return Tact(aspects, turn, line, np.array(stored["bias"].split(), dtype=np.float64))
