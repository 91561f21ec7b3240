"""Two families of features, so that what participants hear with is not what scores them.

*Ears*: the embedding of the turn and of what the other said before it, and surface cues.
*Raters*: that and word n-grams of the turn, of what the other said before it and of what the
speaker said before it, the embedding of the speaker's earlier turns, and how far the turn takes up
what was said. A row depends on its own window only, never on what else is in the batch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.cues import CLIENT_CUES, SHORT_WORDS, THERAPIST_CUES, cues_of
from turnwise.reading.encoder import DIM, encode
from turnwise.reading.uptake import UPTAKE, uptake_of
from turnwise.reading.window import Window

__all__ = ["FAMILIES", "TERM_BLOCKS", "Family", "Features", "dense_names", "features_of", "lookup_of", "terms_of"]

Family = Literal["ears", "raters"]
FAMILIES: tuple[Family, ...] = ("ears", "raters")
Lookup: TypeAlias = Callable[[str], npt.NDArray[np.float32]]

TERM_BLOCKS: dict[str, tuple[int, float]] = {"turn": (3, 2.5), "other": (2, 1.0), "own": (2, 0.7)}
"""Blocks of word n-grams of a rater: longest n-gram, and the length each row of the block is scaled to."""
_TURN, _BEFORE, _CUES, _UPTAKE = 3.0, 1.0, 0.7, 2.0
"""How far each block counts under one common penalty; chosen by cross-validation grouped by series."""

_TOKEN = re.compile(r"[a-z']+|[?.!,-]")
_READ_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Features:
    """Dense features (n, d), and per row the text of each block of n-grams (nothing for ears)."""

    dense: FloatArray
    said: tuple[tuple[str, ...], ...]


def terms_of(text: str, longest: int) -> tuple[str, ...]:
    """Return the distinct word n-grams of ``text``, one to ``longest`` words, in order of appearance.

    Examples
    --------
    >>> terms_of("I do. I do!", 2)
    ('i', 'do', '.', '!', 'i do', 'do .', '. i', 'do !')
    """
    words = _TOKEN.findall(text[:_READ_CHARS].lower())
    found = dict.fromkeys(words)
    for n in range(2, longest + 1):
        found |= dict.fromkeys(map(" ".join, zip(*(words[i:] for i in range(n)), strict=False)))
    return tuple(found)


def before(window: Window) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what the other said before this turn, and what its speaker said, both oldest first."""
    speaker = window.turn.speaker
    heard = tuple(t.text for t in window.before if t.speaker != speaker)
    return heard, tuple(t.text for t in window.before if t.speaker == speaker)


@lru_cache(maxsize=1)
def lookup_of(texts: tuple[str, ...]) -> Lookup:
    """Encode distinct ``texts`` and return how to look a vector up; the last answer is kept for the next coder."""
    return _Vectors(zip(texts, encode(texts), strict=True)).__getitem__


class _Vectors(dict[str, npt.NDArray[np.float32]]):
    """Vectors by text; what was not foreseen (a stretch of a long turn) is encoded when asked for."""

    def __missing__(self, text: str) -> npt.NDArray[np.float32]:
        row: npt.NDArray[np.float32] = encode([text])[0]
        self[text] = row
        return row


def _lookup(windows: Sequence[Window]) -> Lookup:
    return lookup_of(tuple(dict.fromkeys(t.text for w in windows for t in (*w.before, w.turn))))


def _dense(window: Window, item: str, family: Family, vector: Lookup) -> FloatArray:
    heard, own = before(window)
    seen = vector(heard[-1] if heard else "")
    short = len(window.turn.text.split()) <= SHORT_WORDS
    parts = [_TURN * vector(window.turn.text), _BEFORE * seen, _BEFORE * short * seen]
    if family == "raters":
        earlier = np.zeros(DIM)
        for text in own:
            earlier += vector(text)
        parts.append(_BEFORE * earlier / max(1, len(own)))
        parts.append(_UPTAKE * uptake_of(window.turn.text, heard, own, vector))
    return np.concatenate([*parts, _CUES * cues_of(window.turn.text, item)])


def _said(window: Window) -> tuple[str, ...]:
    heard, own = before(window)
    said = {"turn": window.turn.text, "other": heard[-1] if heard else "", "own": own[-1] if own else ""}
    return tuple(said[block] for block in TERM_BLOCKS)


def features_of(windows: Sequence[Window], item: str, family: Family, vector: Lookup | None = None) -> Features:
    """Return the features of ``windows`` for the coders of ``item``.

    Parameters
    ----------
    windows : turns with what came before; the item's speaker is not checked here.
    item : ``"therapist_behaviour"`` or ``"client_talk"``.
    family : ``"ears"`` or ``"raters"``.
    vector : looks up the embedding of a text; by default every distinct text is encoded once.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> f = features_of([Window(Turn(speaker="patient", text="I will."))], "client_talk", "raters")
    >>> f.dense.shape == (1, len(dense_names("client_talk", "raters"))), f.said
    (True, (('I will.', '', ''),))
    """
    look = _lookup(windows) if vector is None else vector
    rows = [_dense(w, item, family, look) for w in windows]
    width = len(dense_names(item, family))
    dense = np.array(rows, dtype=np.float64).reshape(len(rows), width)
    return Features(dense, tuple(_said(w) for w in windows) if family == "raters" else ())


def dense_names(item: str, family: Family) -> tuple[str, ...]:
    """Return the names of the dense columns, in order."""
    blocks = ["turn", "other", "other_if_short", *(["own"] if family == "raters" else [])]
    table = CLIENT_CUES if item == "client_talk" else THERAPIST_CUES
    cues = [*table, "log_words", "short", "long"]
    embedded = (f"{b}:{i}" for b in blocks for i in range(DIM))
    compared = (f"uptake:{u}" for u in UPTAKE) if family == "raters" else ()
    return (*embedded, *compared, *(f"cue:{c}" for c in cues))
