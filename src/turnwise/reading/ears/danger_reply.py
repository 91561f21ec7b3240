"""Hear whether a reply to danger asks about it, and whether it points to people who help.

Two linear heads over word n-grams, fitted on replies written for it (``tools/fit_danger_reply.py``); what checks the
drafts of wrapped models hears with it. It looks at the reply alone: whether there was danger is ``ears.danger``'s.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.package_data import read_packaged
from turnwise.reading.terms import Vocabulary

__all__ = ["DangerReply", "hear_danger_reply"]

_WEIGHTS = "ears/danger_data/reply.json"


class DangerReply(NamedTuple):
    """Whether a reply asks about danger in plain words, and names a way to people who help, with the probabilities."""

    asks: bool
    helps: bool
    p_asks: float
    p_helps: float


@dataclass(frozen=True, slots=True, eq=False)
class _Heads:
    vocabulary: Vocabulary
    idf: FloatArray
    weights: FloatArray
    bias: FloatArray
    decides: tuple[float, float]


@cache
def _heads() -> _Heads:
    found = json.loads(read_packaged(_WEIGHTS))
    return _Heads(
        Vocabulary(found["terms"]),
        np.array(found["idf"], dtype=np.float64),
        np.array([found["weights"]["asks"], found["weights"]["helps"]], dtype=np.float64),
        np.array([found["bias"]["asks"], found["bias"]["helps"]], dtype=np.float64),
        (found["from"]["asks"], found["from"]["helps"]),
    )


@lru_cache(maxsize=8_192)
def hear_danger_reply(text: str) -> DangerReply:
    """Return whether a reply asks about danger, and whether it points to help.

    Definition: logistic heads over tf-idf of its words, pairs and triples. Asking: a direct question about suicide,
    hurting oneself or others, a plan or means, or whether somebody is safe. Help: a line, a service, a doctor, or a
    named person near. Not whether the question is a good one, nor whether the number is right.

    Returns
    -------
    Decided at thresholds that were set on authors left out of the fit; probabilities in [0, 1].

    Examples
    --------
    >>> hear_danger_reply("Are you thinking of killing yourself?").asks, hear_danger_reply("How are you?")[:2]
    (True, (False, False))
    >>> hear_danger_reply("Please ring a crisis line or your doctor tonight.").helps
    True
    """
    heads = _heads()
    row = np.asarray(heads.vocabulary.matrix([text]).todense(), dtype=np.float64)[0]
    weighed = (1.0 + np.log(np.maximum(row, 1.0))) * (row > 0) * heads.idf
    length = float(np.sqrt((weighed * weighed).sum())) or 1.0
    z = heads.weights @ (weighed / length) + heads.bias
    asks, helps = 1.0 / (1.0 + np.exp(-z))
    return DangerReply(bool(asks >= heads.decides[0]), bool(helps >= heads.decides[1]), float(asks), float(helps))
