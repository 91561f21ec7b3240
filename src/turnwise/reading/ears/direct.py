"""The ear that reads at once, one window or a block of them; both give the same bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.coder import load_coder
from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.encoder import DIM
from turnwise.reading.features import before, lookup_of
from turnwise.reading.sentences import split_sentences
from turnwise.reading.window import Window

__all__ = ["DirectEar", "hear_block"]

_HEARD = {"therapist": ("therapist_behaviour", "therapist_behaviour.v1"), "patient": ("client_talk", "client_talk.v1")}


def hear_block(windows: Sequence[Window]) -> list[Hearing]:
    """Return what is heard in each window; a window's answer does not depend on the others.

    Parameters
    ----------
    windows : any number; 64 make one block of the matrix product.

    Returns
    -------
    one hearing per window, in order. A blank turn is a silence: no sentences, zero vector, empty
    ``p``. The probabilities are those of the coder that belongs to the speaker of the turn.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> [h] = hear_block([Window(Turn(speaker="therapist", text="What happened then?"))])
    >>> bool(h.probability("therapist_behaviour", "question") > 0.5), h.vectors.shape
    (True, (1, 256))
    """
    sentences = [split_sentences(w.turn.text) for w in windows]
    said = (t for w, cut in zip(windows, sentences, strict=True) for t in (w.turn.text, *before(w)[0][-1:], *cut))
    texts = dict.fromkeys(said)
    vector = lookup_of(tuple(texts))
    p: list[dict[str, FloatArray]] = [{} for _ in windows]
    for speaker, (item, coder) in _HEARD.items():
        mine = [i for i, w in enumerate(windows) if w.turn.speaker == speaker and sentences[i]]
        if mine:
            read = load_coder(coder, "ears").read([windows[i] for i in mine], vector=vector)
            for i, row in zip(mine, read, strict=True):
                p[i][item] = row
    return [
        Hearing(cut, _stack([vector(s) for s in cut]), vector(w.turn.text), heard)
        for w, cut, heard in zip(windows, sentences, p, strict=True)
    ]


def _stack(vectors: list[np.ndarray]) -> np.ndarray:
    return np.array(vectors, dtype=np.float32).reshape(len(vectors), DIM)


class DirectEar:
    """Hears one window at a time, at once. For tests, pages and single sessions."""

    async def hear(self, window: Window) -> Hearing:
        """Return what was heard in ``window.turn``."""
        return hear_block([window])[0]
