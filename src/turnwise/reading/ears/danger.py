"""Hear danger in what somebody says: to themselves, to others, or from others.

One ear for all participants and checks: a small transformer (six layers of MiniLM, int8) and a linear head over word
n-grams, both fitted on lines that were written for it by authors who had not read the cases
(``tools/fit_danger_ear.py``, ``tools/fit_danger_words.py``; card in ``danger_data/card.json``). Either alone is worse.
Recall first: a question too many is the smaller fault. It hears words, not intent, and is no risk assessment.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.lexicons import risk_named
from turnwise.reading.package_data import read_packaged
from turnwise.reading.sentences import split_sentences
from turnwise.reading.terms import Vocabulary

__all__ = ["KINDS", "LONGEST", "Danger", "Kind", "hear_danger", "is_danger", "pieces_of", "transformer_logit"]

Kind: TypeAlias = Literal["none", "self", "self_harm", "to_others", "from_others", "other_person"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What is in danger or dangerous: nobody; the speaker's life; their body; somebody else by them; they by somebody
else; somebody else by their own hand."""
LONGEST = 96  # tokens heard at a time; a longer turn is heard in pieces
_NAMED = 0.15  # probability from which danger that is named in so many words is heard
_PIECE = 60  # words of a longer turn that are heard together
_READ_CHARS = 20_000
_CARD = "ears/danger_data/card.json"
_FILES = ("model.onnx", "tokenizer.json")


class Danger(NamedTuple):
    """What was heard: the probability of any danger, and the likeliest kind (``none`` where it is not heard)."""

    p: float
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class _Transformer:
    session: Any
    tokenizer: Any

    def logits(self, text: str) -> FloatArray:
        """Return the logit of each kind in one piece."""
        ids = self.tokenizer.encode(text).ids[:LONGEST]
        x = np.array([ids], dtype=np.int64)
        return np.asarray(self.session.run(None, {"ids": x, "mask": np.ones_like(x)})[0][0], dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """A logistic head over n-grams, and how both logits become a probability."""

    vocabulary: Vocabulary
    idf: FloatArray
    weights: FloatArray
    bias: float
    weight: float
    slope: float
    shift: float
    heard_from: float

    def logit(self, text: str) -> float:
        """Return the log odds of danger by the words of one piece."""
        row = self.vocabulary.matrix([text]).tocoo()
        counts, at = row.data.astype(np.float64), row.col
        weighed = (1.0 + np.log(counts)) * self.idf[at]
        length = float(np.sqrt((weighed * weighed).sum())) or 1.0
        return float(self.weights[at] @ weighed) / length + self.bias


@cache
def _card() -> dict[str, Any]:
    card: dict[str, Any] = json.loads(read_packaged(_CARD))
    return card


@cache
def _transformer() -> _Transformer:
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    # One thread: the same bits whatever else runs, and no thread pool in every worker.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    hashes = _card()["sha256"]
    content = {name: read_packaged(f"ears/danger_data/{name}", hashes[name]) for name in _FILES}
    session = onnxruntime.InferenceSession(content["model.onnx"], options, providers=["CPUExecutionProvider"])
    return _Transformer(session, Tokenizer.from_str(content["tokenizer.json"].decode("utf-8")))


@cache
def _words() -> _Words:
    found = json.loads(read_packaged("ears/danger_data/words.json"))
    bias, weight, slope, shift = (float(found[name]) for name in ("bias", "weight", "slope", "shift"))
    vocabulary = Vocabulary(found["terms"], marks=True)
    idf, weights = (np.array(found[name], dtype=np.float64) for name in ("idf", "weights"))
    return _Words(vocabulary, idf, weights, bias, weight, slope, shift, float(_card()["heard_from"]))


def transformer_logit(piece: str) -> float:
    """Return the log odds of danger in one piece by the transformer alone; for fitting what stands beside it."""
    z = _transformer().logits(piece)
    return float(np.logaddexp.reduce(z[1:]) - z[0])


def pieces_of(text: str) -> list[str]:
    """Return a long text in pieces of whole sentences; a short one as it stands."""
    text = text[:_READ_CHARS].replace("’", "'").strip()
    if len(text.split()) <= _PIECE:
        return [text]
    pieces: list[list[str]] = [[]]
    for sentence in split_sentences(text):
        words = sentence.split()
        if pieces[-1] and len(pieces[-1]) + len(words) > _PIECE:
            pieces.append([])
        pieces[-1] += words
        while len(pieces[-1]) > _PIECE:  # one sentence without an end
            pieces[-1:] = [pieces[-1][:_PIECE], pieces[-1][_PIECE:]]
    return [" ".join(piece) for piece in pieces if piece]


@lru_cache(maxsize=32_768)
def hear_danger(text: str) -> Danger:
    """Return what danger is heard in a turn, by the piece of it in which it is heard most.

    Definition: a logistic function of the log odds of danger by the transformer and by the words, twice the latter;
    the largest over pieces of at most 60 words; at least the threshold where it is .15 or more and danger is named in
    so many words (``reading.lexicons``, after the Columbia scale). Not a risk assessment and not intent: it does not
    know who speaks in irony beyond what the words show, hears what is quoted now and then, and takes some short
    harmless sentences for it. Figures by kind, on authors it has not seen: ``danger_data/card.json``.

    Returns
    -------
    p in [0, 1]; ``kind`` is the likeliest kind of danger where p reaches the threshold of the card, else ``none``.
    A text without words: p = 0.

    Examples
    --------
    >>> hear_danger("I don't see the point of being here anymore.").kind, hear_danger("This queue is killing me.").kind
    ('self', 'none')
    """
    pieces = [piece for piece in pieces_of(text) if any(c.isalnum() for c in piece)]
    if not pieces:
        return Danger(0.0, "none")
    words = _words()
    found = []
    for piece in pieces:
        z = _transformer().logits(piece)
        both = float(np.logaddexp.reduce(z[1:]) - z[0]) + words.weight * words.logit(piece)
        found.append((both, KINDS[1 + int(z[1:].argmax())]))
    both, kind = max(found)
    p = float(1.0 / (1.0 + np.exp(-(words.slope * both + words.shift))))
    if _NAMED <= p < words.heard_from and risk_named(text):
        p = words.heard_from  # a lexicon with its source decides where the fits are in doubt
    return Danger(p, kind if p >= words.heard_from else "none")


def is_danger(text: str) -> bool:
    """Return whether danger of any kind is heard in a turn: see :func:`hear_danger`.

    Examples
    --------
    >>> is_danger("I want to kms"), is_danger("I could murder a cup of tea.")
    (True, False)
    """
    return hear_danger(text).kind != "none"
