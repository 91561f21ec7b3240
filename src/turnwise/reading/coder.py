"""Linear coders: calibrated multinomial logistic weights over the features of a family.

Read in blocks of 64 rows, padded with zeros, so that the matrix product always takes the same
path: a turn gets the same bits alone, in a session or in a corpus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import FormatError
from turnwise.core.nouns import FloatArray
from turnwise.reading.features import TERM_BLOCKS, Family, Features, Lookup, dense_names, features_of
from turnwise.reading.package_data import sha256_of
from turnwise.reading.parts import parts_of
from turnwise.reading.products import padded_product, softmax
from turnwise.reading.storing import lines_of, text_of, to_grid
from turnwise.reading.term_weights import Joined
from turnwise.reading.terms import Vocabulary
from turnwise.reading.window import Window

__all__ = ["GRID", "Coder", "LinearWeights", "TurnCoder", "load_coder", "pack", "unpack"]

GRID = 4096.0
"""Weights are stored as int16 multiples of 1/4096: a refit that differs in the last bits is the same file."""


class TurnCoder(Protocol):
    """What every coder of turns can do; how it is made inside is its own affair."""

    @property
    def item(self) -> str:
        """What it rates."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of its columns."""
        ...

    @property
    def sha256(self) -> str:
        """Hash of its weights."""
        ...

    def read(self, windows: Sequence[Window], fit: str = "full", vector: Lookup | None = None) -> FloatArray:
        """Return the probability of each label for each window, (n, L); a row does not depend on the batch."""
        ...

    def decide(self, p: FloatArray, fit: str = "full") -> list[str]:
        """Return the label of each row; where several may hold, joined by ``"|"``, and ``"none"`` for none.

        ``fit`` says whose probabilities they are: a threshold or an offset belongs to one fit.
        """
        ...


@dataclass(frozen=True, slots=True)
class LinearWeights:
    """One fit: ``dense`` (d, L), ``terms`` by block (V, L), ``bias`` (L,), and the temperature (> 0)."""

    dense: FloatArray
    terms: Mapping[str, FloatArray]
    bias: FloatArray
    temperature: float
    joined: Joined = field(default_factory=Joined, init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Coder:
    """Everything one weights file holds: the fit on all its data and the cross-fitted ones.

    ``fits`` has ``"full"`` and, where a coder is cross-fitted, ``"fold0"`` and on: weights that
    saw no transcript of that fold. ``idf`` holds the squared inverse document frequency per term.
    """

    item: str
    family: Family
    labels: tuple[str, ...]
    fits: Mapping[str, LinearWeights]
    vocabulary: Mapping[str, Mapping[str, int]]
    idf: Mapping[str, FloatArray]
    sha256: str = field(default="")
    _words: dict[str, Vocabulary] = field(default_factory=dict, compare=False, repr=False)
    """The vocabularies as they are looked up, made when first needed."""

    def read(self, windows: Sequence[Window], fit: str = "full", vector: Lookup | None = None) -> FloatArray:
        """Return the probability of each label for each window.

        Parameters
        ----------
        windows : turns of the speaker this coder reads; text that is out of scope gets numbers too,
            so whether it may be read is the caller's question (``turnwise.reading.scope``).
        fit : which weights: ``"full"``, or ``"foldK"``.
        vector : not needed here, because embeddings are remembered (``features.lookup_of``); other coders use it.

        Returns
        -------
        array (n, L), float64; rows sum to one and do not depend on the batch. A turn of more than
        60 words is the mean over its stretches, weighted by their words.

        Raises
        ------
        KeyError : this coder has no such fit.
        """
        parts = [parts_of(w.turn.text) for w in windows]
        cut = [
            Window(w.turn.model_copy(update={"text": text}), w.before) if len(found) > 1 else w
            for w, found in zip(windows, parts, strict=True)
            for text, _ in found
        ]
        p = self.read_features(features_of(cut, self.item, self.family), fit)
        if len(cut) == len(windows):
            return p
        out, at = np.empty((len(windows), len(self.labels))), 0
        for i, found in enumerate(parts):
            words = np.array([n for _, n in found], dtype=np.float64)
            # A stretch at a time: a sum over rows of one turn must not depend on where they lie.
            out[i] = (
                p[at] if len(found) == 1 else (p[at : at + len(found)] * (words / words.sum())[:, None]).sum(axis=0)
            )
            at += len(found)
        return out

    def decide(self, p: FloatArray, fit: str = "full") -> list[str]:
        """Return the most probable label of each row, whichever fit it comes from."""
        return [self.labels[int(at)] for at in p.argmax(axis=1)] if len(p) else []

    def read_features(self, found: Features, fit: str = "full") -> FloatArray:
        """Return the probabilities for features made before."""
        w = self.fits[fit]
        logits = padded_product(found.dense, w.dense)
        for b, name in enumerate(TERM_BLOCKS if found.said else ()):
            # People repeat themselves ("Mm-hmm."), so what a text adds is worked out once.
            texts = [row[b] for row in found.said]
            distinct = {text: i for i, text in enumerate(dict.fromkeys(texts))}
            logits += self._of_terms(name, tuple(distinct), w)[[distinct[text] for text in texts]]
        return softmax((logits + w.bias) / w.temperature)

    def _of_terms(self, block: str, texts: tuple[str, ...], w: LinearWeights) -> FloatArray:
        """Return what each text's n-grams add, (texts, L): weights times idf over the norm of the known idf."""
        if block not in self._words:
            vocabulary = self.vocabulary[block]
            self._words[block] = Vocabulary(sorted(vocabulary, key=lambda term: vocabulary[term]))
        _, scale = TERM_BLOCKS[block]
        total = self._words[block].matrix(texts) @ w.joined.of(block, w.terms[block], self.idf[block])
        norm = np.sqrt(total[:, -1])
        out: FloatArray = total[:, :-1] * (scale / np.where(norm > 0.0, norm, 1.0))[:, None]
        return out


def pack(coder: Coder) -> bytes:
    """Return the coder as the bytes of a safetensors file; the same coder gives the same bytes."""
    from safetensors.numpy import save

    # No metadata: its order in the file is not fixed. Text goes in as bytes.
    out: dict[str, npt.NDArray[np.generic]] = {
        "about": text_of([coder.item, coder.family]),
        "labels": text_of(coder.labels),
    }
    for block, vocabulary in coder.vocabulary.items():
        out[f"terms.{block}"] = text_of(sorted(vocabulary, key=lambda term: vocabulary[term]))
        out[f"idf.{block}"] = np.round(coder.idf[block], 4).astype(np.float32)
    for name, w in coder.fits.items():
        out[f"{name}.dense"] = to_grid(w.dense, GRID)
        out[f"{name}.bias"] = to_grid(w.bias, GRID)
        out[f"{name}.temperature"] = np.array([round(w.temperature * GRID)], dtype=np.int32)
        out |= {f"{name}.terms.{block}": to_grid(x, GRID) for block, x in w.terms.items()}
    return bytes(save(out))


def unpack(content: bytes) -> Coder:
    """Return the coder stored in ``content``; the inverse of ``pack`` up to the grid."""
    from safetensors.numpy import load

    stored = load(content)
    item, family = lines_of(stored["about"])
    blocks = tuple(TERM_BLOCKS) if family == "raters" else ()

    def fit(name: str) -> LinearWeights:
        return LinearWeights(
            dense=stored[f"{name}.dense"] / GRID,
            terms={b: stored[f"{name}.terms.{b}"] / GRID for b in blocks},
            bias=stored[f"{name}.bias"] / GRID,
            temperature=float(stored[f"{name}.temperature"][0]) / GRID,
        )

    names = sorted(key.removesuffix(".bias") for key in stored if key.endswith(".bias"))
    return Coder(
        item=item,
        family="raters" if family == "raters" else "ears",
        labels=lines_of(stored["labels"]),
        fits={name: fit(name) for name in names},
        vocabulary={b: {t: i for i, t in enumerate(lines_of(stored[f"terms.{b}"]))} for b in blocks},
        idf={b: stored[f"idf.{b}"].astype(np.float64) for b in blocks},
        sha256=sha256_of(content),
    )


@cache
def load_coder(name: str, side: Family) -> Coder:
    """Return a shipped coder, checked against the hash on its card.

    Parameters
    ----------
    name : versioned, e.g. ``"client_talk.v1"``.
    side : ``"ears"`` or ``"raters"``.

    Raises
    ------
    FormatError : the weights are missing or damaged, or are not those the card speaks of.
    """
    from turnwise.reading.cards import shipped

    coder, path = shipped(name, side, unpack), f"{side}/weights/{name}.safetensors"
    if coder.family != side:
        raise FormatError(path, "package data", "holds another coder than its card says", "install turnwise again")
    if any(len(w.dense) != len(dense_names(coder.item, side)) for w in coder.fits.values()):
        raise FormatError(
            path, "package data", "was fitted on other features than these", "run tools/fit_turn_coders.py"
        )
    return coder
