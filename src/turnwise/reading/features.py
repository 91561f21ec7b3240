"""Two families of features, so that what participants hear with is not what scores them.

*Ears*: the embedding of the turn and of what the other said before it, and surface cues.
*Raters*: that and word n-grams of the turn, of what the other said before it and of what the
speaker said before it, the embedding of the speaker's earlier turns, and how far the turn takes up
what was said. A row depends on its own window only, never on what else is in the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.cues import CUES_OF, SHORT_WORDS, cues_of
from turnwise.reading.encoder import DIM, encode
from turnwise.reading.terms import tokens_of
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
    words = tokens_of(text)
    found = dict.fromkeys(words)
    for n in range(2, longest + 1):
        found |= dict.fromkeys(map(" ".join, zip(*(words[i:] for i in range(n)), strict=False)))
    return tuple(found)


def before(window: Window) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what the other said before this turn, and what its speaker said, both oldest first."""
    speaker = window.turn.speaker
    heard: list[str] = []
    own: list[str] = []
    for turn in window.before:
        (own if turn.speaker == speaker else heard).append(turn.text)
    return tuple(heard), tuple(own)


_MOST_VECTORS = 16_384
"""Embeddings kept in mind, about 1 kB each: coders that read the same texts encode them once."""


def lookup_of(texts: Iterable[str]) -> Lookup:
    """Encode those of ``texts`` that are not known yet, and return how to look a vector up."""
    global _vectors
    new = [text for text in dict.fromkeys(texts) if text not in _vectors]
    if len(_vectors) + len(new) > _MOST_VECTORS:
        # Begun anew and not emptied: a lookup that was handed out before keeps what it has.
        _vectors = _Vectors()
        new = list(dict.fromkeys(texts))
    if new:
        _vectors.update(zip(new, encode(new), strict=True))
    return _vectors.__getitem__


class _Vectors(dict[str, npt.NDArray[np.float32]]):
    """Vectors by text; what was not foreseen (a stretch of a long turn) is encoded when asked for."""

    def __missing__(self, text: str) -> npt.NDArray[np.float32]:
        row: npt.NDArray[np.float32] = encode([text])[0]
        self[text] = row
        return row


_vectors = _Vectors()


class _Rows:
    """Distinct texts of a batch with their embeddings, (texts, 256); row 0 is the blank text."""

    def __init__(self, texts: Sequence[str]) -> None:
        distinct = dict.fromkeys(("", *texts))
        # Stretches of a long turn are new to whoever looked up the turns: better encoded together than one by one.
        vector = lookup_of(distinct)
        self.at = {text: i for i, text in enumerate(distinct)}
        self.table = np.array([vector(text) for text in distinct], dtype=np.float32).reshape(-1, DIM)

    def of(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self.table[[self.at[text] for text in texts]]

    def cosine(self, a: Sequence[str], b: Sequence[str]) -> FloatArray:
        # Not a BLAS product: its last bit may depend on where the rows lie in memory.
        return np.asarray((self.of(a).astype(np.float64) * self.of(b)).sum(axis=1))


_Spoken: TypeAlias = Sequence[tuple[tuple[str, ...], tuple[str, ...]]]


def _dense(texts: Sequence[str], spoken: _Spoken, item: str, family: Family) -> FloatArray:
    rows = _Rows([*texts, *(t for heard, own in spoken for t in (*heard, *own))])
    seen = rows.of([heard[-1] if heard else "" for heard, _ in spoken])
    short = np.array([len(t.split()) <= SHORT_WORDS for t in texts], dtype=np.float32)[:, None]
    parts: list[npt.NDArray[np.floating]] = [_TURN * rows.of(texts), _BEFORE * seen, _BEFORE * short * seen]
    if family == "raters":
        earlier = np.zeros((len(texts), DIM))
        for k in range(max((len(own) for _, own in spoken), default=0)):
            earlier += rows.of([own[k] if k < len(own) else "" for _, own in spoken])
        many = np.array([max(1, len(own)) for _, own in spoken])[:, None]
        parts.append(_BEFORE * earlier / many)
        parts.append(_UPTAKE * uptake_of([(t, *s) for t, s in zip(texts, spoken, strict=True)], rows.cosine))
    parts.append(_CUES * np.array([cues_of(t, item) for t in texts]))
    return np.concatenate(parts, axis=1)


def _said(text: str, heard: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
    said = {"turn": text, "other": heard[-1] if heard else "", "own": own[-1] if own else ""}
    return tuple(said[block] for block in TERM_BLOCKS)


def features_of(windows: Sequence[Window], item: str, family: Family) -> Features:
    """Return the features of ``windows`` for the coders of ``item``.

    Parameters
    ----------
    windows : turns with what came before; the item's speaker is not checked here.
    item : ``"therapist_behaviour"`` or ``"client_talk"``.
    family : ``"ears"`` or ``"raters"``.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> f = features_of([Window(Turn(speaker="patient", text="I will."))], "client_talk", "raters")
    >>> f.dense.shape == (1, len(dense_names("client_talk", "raters"))), f.said
    (True, (('I will.', '', ''),))
    """
    key = (id(CUES_OF[item]), family, *map(id, windows))
    if _latest and _latest[0][0] == key:
        return _latest[0][2]
    texts, spoken = [w.turn.text for w in windows], [before(w) for w in windows]
    width = len(dense_names(item, family))
    dense = _dense(texts, spoken, item, family) if windows else np.zeros((0, width))
    dense.flags.writeable = False  # it may be handed out again
    said = tuple(_said(t, *s) for t, s in zip(texts, spoken, strict=True)) if family == "raters" else ()
    found = Features(dense, said)
    _latest[:] = [(key, tuple(windows), found)]
    return found


_latest: list[tuple[tuple[object, ...], tuple[Window, ...], Features]] = []
"""The latest features with the windows they are of (kept, so that no other window can have their ids)."""


@cache
def dense_names(item: str, family: Family) -> tuple[str, ...]:
    """Return the names of the dense columns, in order."""
    blocks = ["turn", "other", "other_if_short", *(["own"] if family == "raters" else [])]
    cues = [*CUES_OF[item], "log_words", "short", "long"]
    embedded = (f"{b}:{i}" for b in blocks for i in range(DIM))
    compared = (f"uptake:{u}" for u in UPTAKE) if family == "raters" else ()
    return (*embedded, *compared, *(f"cue:{c}" for c in cues))
