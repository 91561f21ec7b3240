"""How likely each intent is, from a linear classifier over a question's embedding and words.

Fitted by ``tools/fit_question_ear.py`` on the paraphrases of the catalogue and on the questions that
authors wrote for the tellings of all cases: written, not observed. What it reads was never used by a
rater, so it is an ear's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load
from scipy import sparse

from turnwise.core.nouns import FloatArray
from turnwise.reading.package_data import read_packaged
from turnwise.reading.products import softmax
from turnwise.reading.storing import lines_of
from turnwise.reading.terms import END, START, tokens_of

__all__ = ["GRID", "WEIGHTS", "IntentCoder", "grams", "intent_features", "load_intent_coder"]

WEIGHTS = "ears/weights/question_intent.v1.safetensors"
GRID = 1024.0
EMBEDDING_SCALE = 3.0
"""The embedding counts this much beside the words, whose vector has length one."""


def intent_features(vectors: npt.NDArray[np.float32], counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return what the classifier reads: (texts, 256 + terms + 1); the last column is the bias.

    ``vectors`` are embeddings of the plain questions, ``counts`` their terms (ones).
    """
    length = np.sqrt(np.asarray(counts.sum(axis=1)).ravel())
    words = sparse.diags_array(1.0 / np.maximum(length, 1.0)) @ counts
    dense = sparse.csr_matrix(EMBEDDING_SCALE * vectors.astype(np.float64))
    return sparse.hstack([dense, words, np.ones((len(vectors), 1))], format="csr")


def grams(text: str) -> set[str]:
    """Return the n-grams of one to three tokens of a plain question, its start and end marked.

    Examples
    --------
    >>> sorted(grams("why so"))
    ['<s> why', '<s> why so', 'so', 'so </s>', 'why', 'why so', 'why so </s>']
    """
    tokens = [START, *tokens_of(text), END]
    pairs, triples = pairwise(tokens), zip(tokens, tokens[1:], tokens[2:], strict=False)
    return {*tokens, *map(" ".join, pairs), *map(" ".join, triples)} - {START, END}


@dataclass(frozen=True, slots=True, eq=False)
class IntentCoder:
    """Weights of the embedding (256, 51), of the words (terms, 51), and the bias (51,).

    ``terms`` says which row of the words is whose.
    """

    terms: Mapping[str, int]
    dense: FloatArray
    words: FloatArray
    bias: FloatArray

    def probabilities(self, text: str, vector: npt.NDArray[np.float32]) -> FloatArray:
        """Return the probability of each intent, shape (51,), for one plain question."""
        terms = self.terms
        columns = sorted([terms[g] for g in grams(text) if g in terms])
        z = self.bias + EMBEDDING_SCALE * (vector.astype(np.float64) @ self.dense)
        if len(columns):
            z = z + self.words[columns].sum(axis=0) / np.sqrt(len(columns))
        return softmax(z)


@cache
def load_intent_coder() -> IntentCoder:
    """Return the classifier that ships."""
    stored = load(read_packaged(WEIGHTS))
    weights = stored["weights"].astype(np.float64) / GRID
    terms = lines_of(stored["terms"])
    return IntentCoder({t: i for i, t in enumerate(terms)}, weights[:256], weights[256:-1], weights[-1])
