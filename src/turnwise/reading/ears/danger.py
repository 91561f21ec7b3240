"""Hear danger in what somebody says: to themselves, to others, or from others.

One ear for all participants and checks: a small transformer (six layers of MiniLM, int8) tuned on lines that were
written for it by authors who had not read the cases (``tools/fit_danger_ear.py``, card in ``danger_data/card.json``).
Recall first: a question too many is the smaller fault. It hears words, not intent, and is no risk assessment.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.package_data import read_packaged
from turnwise.reading.sentences import split_sentences

__all__ = ["KINDS", "LONGEST", "Danger", "Kind", "hear_danger", "is_danger"]

Kind: TypeAlias = Literal["none", "self", "self_harm", "to_others", "from_others", "other_person"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What is in danger or dangerous: nobody; the speaker's life; their body; somebody else by them; they by somebody
else; somebody else by their own hand."""
LONGEST = 96  # tokens heard at a time; a longer turn is heard in pieces
_PIECE = 60  # words of a longer turn that are heard together
_READ_CHARS = 20_000
_CARD = "ears/danger_data/card.json"


class Danger(NamedTuple):
    """What was heard: the probability of any danger, and the likeliest kind (``none`` where it is not heard)."""

    p: float
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class _Ear:
    session: Any
    tokenizer: Any
    heard_from: float

    def shares(self, text: str) -> FloatArray:
        """Return the probability of each kind in one piece."""
        ids = self.tokenizer.encode(text).ids[:LONGEST]
        x = np.array([ids], dtype=np.int64)
        logits = self.session.run(None, {"ids": x, "mask": np.ones_like(x)})[0][0].astype(np.float64)
        grown = np.exp(logits - logits.max())
        return np.asarray(grown / grown.sum())


@cache
def _ear() -> _Ear:
    import onnxruntime
    from tokenizers import Tokenizer

    card = json.loads(read_packaged(_CARD))
    options = onnxruntime.SessionOptions()
    # One thread: the same bits whatever else runs, and no thread pool in every worker.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    content = {name: read_packaged(f"ears/danger_data/{name}", sha256) for name, sha256 in card["sha256"].items()}
    session = onnxruntime.InferenceSession(content["model.onnx"], options, providers=["CPUExecutionProvider"])
    return _Ear(session, Tokenizer.from_str(content["tokenizer.json"].decode("utf-8")), float(card["heard_from"]))


def _pieces(text: str) -> list[str]:
    """Return a long text in pieces of whole sentences; a short one as it stands."""
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

    Definition: one minus the probability of ``none``, of a model tuned on written lines; the largest over pieces of at
    most 60 words. Not a risk assessment and not intent: it does not know who speaks in irony beyond what the words
    show, and hears what is quoted now and then. Figures by kind, on authors it has not seen: ``danger_data/card.json``.

    Returns
    -------
    p in [0, 1]; ``kind`` is the likeliest kind of danger where p reaches the threshold of the card, else ``none``.
    A text without words: p = 0.

    Examples
    --------
    >>> hear_danger("I don't see the point of being here anymore.").kind, hear_danger("This queue is killing me.").kind
    ('self', 'none')
    """
    plain = text[:_READ_CHARS].replace("’", "'").strip()
    if not any(c.isalnum() for c in plain):
        return Danger(0.0, "none")
    ear = _ear()
    p = max((ear.shares(piece) for piece in _pieces(plain)), key=lambda row: float(1.0 - row[0]))
    danger = float(1.0 - p[0])
    return Danger(danger, KINDS[1 + int(p[1:].argmax())] if danger >= ear.heard_from else "none")


def is_danger(text: str) -> bool:
    """Return whether danger of any kind is heard in a turn: see :func:`hear_danger`.

    Examples
    --------
    >>> is_danger("I want to kms"), is_danger("I could murder a cup of tea.")
    (True, False)
    """
    return hear_danger(text).kind != "none"
