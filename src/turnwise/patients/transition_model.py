"""Transitions of human clients from turn to turn: features, and the arithmetic of the fitted weights.

What a client says next (change, neutral or sustain talk; how many words) given the therapist's move,
what was said before, and a slow level of each. Weights come from ``tools/fit_transitions.py``; this
file knows how to use them and not what they mean for trust (``fitted`` does).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import FormatError
from turnwise.patients.package_data import read_document

__all__ = ["FEATURES", "KEEPS", "WEIGHTS_FILE", "features", "load_transitions", "p_talk", "said_length", "talk_level"]

FloatArray = npt.NDArray[np.float64]

WEIGHTS_FILE = "fitted_transitions.json"
KEEPS = 0.75
"""Share of a slow level left an exchange later: what sustain and change talk show (card human_sizes.json)."""
FEATURES: tuple[str, ...] = (
    "constant", "question", "reflection", "therapist_input", "therapist_words",
    "change_before", "sustain_before", "leaning", "talk",
)  # fmt: skip
"""Columns, in order; ``other`` is the move that the first three are compared with."""
INPUTS = 5
"""The first so many columns are a constant and the therapist; the rest is the client's own past."""


def talk_level(words: Any) -> Any:
    """Return how much is said on a scale of 0 to 1, by the logarithm of the words; 1 is a hundred or more.

    Examples
    --------
    >>> float(talk_level(0)), float(talk_level(100)), 0.4 < float(talk_level(8)) < 0.6
    (0.0, 1.0, True)
    """
    return np.minimum(1.0, np.log1p(words) / np.log(101.0))


def features(moves: Any, words: Any, last_talk: Any, leaning: Any, talk: Any) -> FloatArray:
    """Return the columns of ``FEATURES``, shape (..., 9).

    ``moves`` (..., 4) are probabilities of question, reflection, therapist input and other; ``words``
    of the therapist's turn; ``last_talk`` 0, 1 or 2; ``leaning`` and ``talk`` the slow levels, 0 to 1.
    """
    m = np.asarray(moves, dtype=np.float64)
    shape = np.broadcast_shapes(m.shape[:-1], np.shape(words), np.shape(last_talk), np.shape(leaning), np.shape(talk))
    x = np.empty((*shape, len(FEATURES)))
    x[..., 0] = 1.0
    x[..., 1:4] = m[..., :3]
    x[..., 4] = talk_level(words) - 0.5
    x[..., 5] = np.equal(last_talk, 0)
    x[..., 6] = np.equal(last_talk, 2)
    x[..., 7] = np.asarray(leaning) - 0.5
    x[..., 8] = np.asarray(talk) - 0.5
    return x


def _weighted(x: FloatArray, weights: Any) -> FloatArray:
    """Sum column by column, in order: a matrix product may add up in another one for another shape."""
    total = np.zeros(x.shape[:-1])
    for i, w in enumerate(weights):
        total = total + x[..., i] * w
    return total


def p_talk(x: FloatArray, weights: Mapping[str, Any]) -> FloatArray:
    """Return the probabilities of change, neutral and sustain talk, shape (..., 3); neutral is the reference."""
    scores = [_weighted(x, weights["change"]), np.zeros(x.shape[:-1]), _weighted(x, weights["sustain"])]
    e = [np.exp(s) for s in scores]
    total = e[0] + e[1] + e[2]
    return np.stack([y / total for y in e], axis=-1)


def said_length(x: FloatArray, weights: Mapping[str, Any], z: Any) -> Any:
    """Return how much is said, 0 to 1: a linear expectation and ``z`` standard deviations of chance."""
    expected = _weighted(x, weights["expected"])
    return np.clip(expected + weights["spread"] * z, 0.0, 1.0)


@cache
def load_transitions() -> Mapping[str, Any]:
    """Return the shipped document: ``weights`` and ``card``.

    Raises
    ------
    FormatError : it is missing or not what this version reads.
    """
    found = read_document(WEIGHTS_FILE)
    if tuple(found.get("features", ())) != FEATURES:
        raise FormatError(WEIGHTS_FILE, "features", "are not those of this version", "install turnwise again")
    return found
