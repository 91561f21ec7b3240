"""Whether a clause voices a thought one could examine together: learnt from marked turns, beside the nets of forms.

Nets know the forms they list, and hear few of the thoughts that people voice. Language models marked, in written turns,
the words one could quote back (``tools/written/thoughts.jsonl``); a logistic model of a clause's form and vectors says
how likely a clause is such a thought (figures: ``about`` in ``voiced_thoughts.json``). The therapist's own ear, no
rater: whether what is thought is true, or distorted, is not what it says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.features import lookup_of
from turnwise.reading.package_data import document_of

__all__ = ["ASPECTS", "CLAUSE_SCALE", "TURN_SCALE", "Clause", "VoicedThoughts", "load_voiced_thoughts", "numbers_of"]

CLAUSE_SCALE, TURN_SCALE = 4.0, 2.0
"""What vectors of a clause and of its turn are multiplied by beside aspects of 0 and 1; one penalty serves all."""
_LONG_TURN = 50.0  # words; lengths are told in these


class Clause(NamedTuple):
    """A clause of a turn: its words, whether told as a thought ("I think that …"), and its likeness by the nets."""

    words: str
    told: bool
    likeness: float


_NETS: dict[str, re.Pattern[str]] = {
    name: re.compile(net, re.IGNORECASE)
    for name, net in {
        "absolute": r"\b(?:always|never|nobody|no one|nothing|everything|everyone|everybody|all|every|only|at all)\b",
        "of_self": r"\b(?:i|i'\w+|me|my|mine|myself)\b",
        "begins_i": r"^i(?:'\w+)? ",
        "begins_if": r"^(?:if|when) ",
        "begins_people": r"^(?:they|people|everyone|everybody|nobody|no one)\b",
        "begins_other": r"^(?:he|she|my)\b",
        "begins_it": r"^(?:it|that|this|there)\b",
        "to_come": r"\b(?:will|won't|'ll|going to|never|gonna)\b",
        "must": r"\b(?:should|must|ought|have to|supposed|can't|cannot|got to)\b",
        "is": r"\b(?:is|are|am)\b|'(?:s|re|m)\b",
        "past": r"\b(?:was|were|had|did|went|said|told|got|came|\w+ed)\b",
        "of_minds": r"\b(?:thinks?|thought|knows?|sees?|hates?|laugh|judg\w*|pity|wish)\b",
        "number": r"\d",
        "unsure": r"\b(?:maybe|perhaps|might|suppose|probably)\b",
        "wants": r"\b(?:want|need|hope|like|love|try|trying)\b",
        "you": r"\byou(?:r)?\b",
        "whole": r"\b(?:proof|means|proves|just|only|whole|entire|always|every|complete\w*|total\w*|either|or)\b",
    }.items()
}
_LENGTHS = (4, 11, 15)
ASPECTS = ("likeness", "judges", "told", *_NETS, "short", "longer", "long", "first", "last", "turn_words")
"""Names of the numbers of a clause, before the vectors, in order."""


def numbers_of(clauses: Sequence[Clause], turn: str) -> FloatArray:
    """Return the numbers of each clause of ``turn``, (n, aspects + two vectors)."""
    vector = lookup_of([turn, *(c.words for c in clauses)])
    whole = " ".join(turn.lower().split()).rstrip(".!… ")
    length = len(turn.split()) / _LONG_TURN
    rows = []
    for c in clauses:
        words, n = c.words.lower().rstrip(".!… "), len(c.words.split())
        aspects = [c.likeness / 4.0, float(c.likeness > 0), float(c.told)]
        aspects += [float(net.search(words) is not None) for net in _NETS.values()]
        aspects += [float(n <= _LENGTHS[0]), float(n > _LENGTHS[1]), float(n > _LENGTHS[2])]
        aspects += [float(whole.startswith(words)), float(whole.endswith(words)), length]
        rows.append(np.concatenate([aspects, CLAUSE_SCALE * vector(c.words), TURN_SCALE * vector(turn)]))
    return np.array(rows, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class VoicedThoughts:
    """Weights of a logistic model over ``numbers_of``, (d,), and its bias."""

    weights: FloatArray
    bias: float

    def chances(self, clauses: Sequence[Clause], turn: str) -> FloatArray:
        """Return the chance that each clause voices a thought to examine, (n,); empty where there is no clause."""
        if not clauses:
            return np.empty(0)
        return np.asarray(1.0 / (1.0 + np.exp(-(numbers_of(clauses, turn) @ self.weights + self.bias))))


@cache
def load_voiced_thoughts() -> VoicedThoughts:
    """Return the weights that ship (``tools/fit_voiced_thoughts.py`` makes them again)."""
    stored = document_of("turnwise.therapists", "voiced_thoughts.json")
    aspects = [float(stored["aspects"][name]) for name in ASPECTS]
    vectors = [float(x) for name in ("clause", "turn") for x in " ".join(stored[name]).split()]
    return VoicedThoughts(np.array(aspects + vectors), float(stored["bias"]))
