"""What the patient's last turn calls for, as a belief over kinds of moment (design, section 1).

The therapist's own ear: a linear reading of the sentence vector, the explicit calls and the markers, fitted on
written examples (``tools/fit_needs.py``; other features and another half of the examples than the raters have),
taken as a likelihood and weighed by how often each moment comes after what was just done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from turnwise.belief.filter import UpdateInfo, prior, update
from turnwise.core.nouns import Belief, FloatArray
from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.package_data import document_of
from turnwise.therapists.markers import MARKERS, markers
from turnwise.therapists.recognising import CALLS, call_of
from turnwise.therapists.reflecting import heard_in
from turnwise.therapists.stance import ActClass

__all__ = ["BASE", "NEEDS", "NeedsReader", "features", "load_reader", "perceived"]

NEEDS: tuple[str, ...] = (
    "disclosure", "thin", "distortion", "invalidation", "request", "hint", "bait", "risk", "identity", "insight",
    "none",
)  # fmt: skip
"""Kinds of moment; ``none`` is the explicit rest: a turn that calls for nothing in particular."""
BASE: tuple[float, ...] = (0.12, 0.11, 0.06, 0.06, 0.06, 0.03, 0.02, 0.01, 0.01, 0.02, 0.50)
"""How often each comes, stated and not fitted: half of what people say calls for nothing in particular."""
_AFTER: Mapping[ActClass, Mapping[str, float]] = {
    "challenge": {"invalidation": 2.5, "insight": 2.0, "distortion": 1.3},
    "offer": {"invalidation": 2.0, "request": 1.3},
    "question": {"thin": 1.3},
    "support": {"disclosure": 1.3},
}
"""How many times likelier a moment is after an act of each class; judgement, not fitted."""
_MARKS = tuple(MARKERS)
_FLOOR = 1e-4


def features(text: str, hearing: Hearing) -> FloatArray:
    """Return the numbers a turn is read by, (d,): vector, call, markers, length, a question mark, a feeling."""
    call, found, words = call_of(text), markers(text), len(text.split())
    return np.concatenate([
        3.0 * np.asarray(hearing.vector, dtype=np.float64),
        [1.5 * (call == c) for c in CALLS],
        [float(m in found) for m in _MARKS],
        [0.5 * np.log1p(words), float("?" in text), float(text.rstrip().endswith("?")),
         float(bool(heard_in(text).feelings)), float(words <= 4)],
    ])  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class NeedsReader:
    """Weights (d, K) and bias (K,) of a multinomial fit on equally many examples of each, and its temper."""

    weights: FloatArray
    bias: FloatArray
    temper: float

    def log_likelihood(self, x: FloatArray) -> FloatArray:
        """Return ln P(turn | moment) up to a constant, (K,): the examples were balanced, so no prior is in it."""
        z = x @ self.weights + self.bias
        return np.asarray(np.maximum(z - np.logaddexp.reduce(z), np.log(_FLOOR)))


@cache
def load_reader() -> NeedsReader:
    """Return the reader that ships."""
    stored = document_of("turnwise.therapists.tracking", "needs.json")
    scale = float(stored["scale"])
    return NeedsReader(
        np.array(stored["weights"], dtype=np.float64) / scale,
        np.array(stored["bias"], dtype=np.float64) / scale,
        float(stored["temper"]),
    )


def perceived(text: str, hearing: Hearing, after: ActClass, *, tempered: bool = True) -> tuple[Belief, UpdateInfo]:
    """Return the belief about what ``text`` calls for, and what hearing it did to the belief before.

    A blank turn is a silence and calls for what nobody knows: the prior stays.

    Parameters
    ----------
    text : of the patient's turn. hearing : what the ear made of it.
    after : class of the act it answers.

    Examples
    --------
    >>> import asyncio
    >>> from turnwise.core.nouns import Turn
    >>> from turnwise.reading.ears.direct import DirectEar
    >>> from turnwise.reading.window import Window
    >>> said = "Could you give me a way to sleep through?"
    >>> hearing = asyncio.run(DirectEar().hear(Window(Turn(speaker="patient", text=said))))
    >>> belief, _ = perceived(said, hearing, "support")
    >>> NEEDS[int(belief.p.argmax())]
    'request'
    """
    times = np.array([_AFTER[after].get(n, 1.0) for n in NEEDS])
    base = np.array(BASE) * times
    before = prior(NEEDS, [float(p) for p in base / base.sum()])
    if not text.strip():
        return update(before, None)
    reader = load_reader()
    return update(before, reader.log_likelihood(features(text, hearing)), temper=reader.temper if tempered else 1.0)
