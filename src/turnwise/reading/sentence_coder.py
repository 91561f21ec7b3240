"""Coders that read what one sentence or turn does: linear weights over words, embeddings and our own phrases.

Two kinds. Of labels that exclude each other a row has one (softmax); of those that do not it has
any number (a sigmoid each, and one threshold for all labels). On top of weights of each label's own
there are *tied* weights, four numbers that all labels share: how close what was said comes to our
phrases of the label, and how much of its cues occurs. They are what rare labels live on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.coder import GRID
from turnwise.reading.features import Lookup
from turnwise.reading.package_data import sha256_of
from turnwise.reading.products import greatest_of_runs, padded_product, softmax
from turnwise.reading.said_texts import SaidTexts, Which
from turnwise.reading.sentence_features import RECIPES, Recipe, Rows, rows_of
from turnwise.reading.storing import lines_of, text_of, to_grid
from turnwise.reading.term_weights import Joined
from turnwise.reading.terms import Vocabulary
from turnwise.reading.window import Window

__all__ = ["Heads", "SentenceCoder", "SentenceFit", "load_sentence_coder", "pack_sentences", "unpack_sentences"]

SEVERAL = 0.5
"""Of a turn of several sentences, every code at least this probable in one of them holds besides the likeliest."""
_NONE = "none"
HEADS_GRID = 1024.0
"""Heads are large and only signals: a coarser grid than that of the weights."""


@dataclass(frozen=True, slots=True)
class SentenceFit:
    """One fit: ``dense`` (d, L), ``terms`` by block (V, L), ``tied`` (4,) or (0,), ``bias`` (L,), ``threshold``.

    The weights are calibrated: temperature or Platt's slope and shift are in them.
    """

    dense: FloatArray
    terms: Mapping[Which, FloatArray]
    tied: FloatArray
    bias: FloatArray
    threshold: float
    joined: Joined = field(default_factory=Joined, init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Heads:
    """What other corpora say of a row: sigmoids of linear scores, which count as numbers more.

    ``dense`` (d, H), ``terms`` (V, H) and ``squared_idf`` (V,) of ``vocabulary``, ``bias`` (H,).
    """

    dense: FloatArray
    terms: FloatArray
    bias: FloatArray
    vocabulary: Vocabulary
    squared_idf: FloatArray
    joined: Joined = field(default_factory=Joined, init=False, repr=False, compare=False)

    def of(self, found: Rows, which: Which) -> FloatArray:
        """Return (rows, H), each in [0, 1]; ``which`` texts the rows are."""
        logits = padded_product(found.dense, self.dense) + self.bias
        logits += of_terms(found.texts, which, self.vocabulary, self.joined.of("terms", self.terms, self.squared_idf))
        return sigmoid(logits)


def sigmoid(x: FloatArray) -> FloatArray:
    """Return the logistic function of ``x``; safe for large numbers.

    Examples
    --------
    >>> sigmoid(np.array([-1e4, 0.0, 1e4]))
    array([0. , 0.5, 1. ])
    """
    e = np.exp(-np.abs(x))
    out: FloatArray = np.where(x >= 0, 1.0, e) / (1.0 + e)
    return out


def of_terms(texts: SaidTexts, which: Which, vocabulary: Vocabulary, table: FloatArray) -> FloatArray:
    """Return what n-grams add to the logits (rows, L): tf-idf of unit length times weights that hold the idf.

    ``table`` (V, L + 1) : the weights, and beside them the squared idf.
    """
    total = texts.of_terms(vocabulary, table, which)
    length = np.sqrt(total[:, -1])
    out: FloatArray = total[:, :-1] / np.where(length > 0.0, length, 1.0)[:, None]
    return out


@dataclass(frozen=True, slots=True)
class SentenceCoder:
    """Everything one weights file holds: the fit on all its data and the cross-fitted ones.

    ``fits`` has ``"full"`` and ``"fold0"`` on: weights that saw no label of that fold. ``squared_idf`` is
    by block of n-grams; ``mean`` (256,) is the embedding that all others are seen against; ``heads``, where a
    coder has them, were fitted on other corpora.
    """

    item: str
    labels: tuple[str, ...]
    fits: Mapping[str, SentenceFit]
    vocabulary: Mapping[Which, Vocabulary]
    squared_idf: Mapping[Which, FloatArray]
    mean: FloatArray
    heads: Heads | None = None
    sha256: str = field(default="")

    @property
    def recipe(self) -> Recipe:
        """What the coder is made of."""
        return RECIPES[self.item]

    @property
    def kind(self) -> Literal["one", "many"]:
        """Whether a turn has one label or any number."""
        return self.recipe.kind

    def read(self, windows: Sequence[Window], fit: str = "full", vector: Lookup | None = None) -> FloatArray:
        """Return the probability of each label for each window.

        Parameters
        ----------
        windows : turns of the speaker this coder reads; text that is out of scope gets numbers too,
            so whether it may be read is the caller's question (``turnwise.reading.scope``).
        fit : which weights: ``"full"``, or ``"foldK"``.
        vector : looks up the embedding of a turn (see ``features_of``).

        Returns
        -------
        array (n, L), float64, in [0, 1]; rows do not depend on the batch. Rows sum to one only for
        labels that exclude each other, read turn by turn; a turn read by its sentences has the
        highest probability of any of them.

        Raises
        ------
        KeyError : this coder has no such fit.
        """
        if not windows:
            return np.empty((0, len(self.labels)))
        found = rows_of(windows, self.item, self.labels, self.mean, vector)
        p = self.read_rows(found, fit)
        if self.recipe.unit == "turn":
            return p
        starts = np.flatnonzero(np.r_[True, found.owner[1:] != found.owner[:-1]])
        return greatest_of_runs(p, starts)

    def read_rows(self, found: Rows, fit: str = "full") -> FloatArray:
        """Return the probabilities (rows, L) for features made before."""
        w = self.fits[fit]
        logits = padded_product(self.dense_of(found), w.dense) + w.bias
        for block, _ in self.recipe.terms:
            table = w.joined.of(block, w.terms[block], self.squared_idf[block])
            logits += of_terms(found.texts, block, self.vocabulary[block], table)
        for k, weight in enumerate(w.tied):
            logits += weight * found.tied[:, :, k]
        return sigmoid(logits) if self.recipe.several else softmax(logits)

    def dense_of(self, found: Rows) -> FloatArray:
        """Return the numbers of each row (rows, d): the dense blocks, and what the heads say."""
        if self.heads is None:
            return found.dense
        return np.concatenate([found.dense, self.heads.of(found, self.recipe.unit)], axis=1)

    def decide(self, p: FloatArray, fit: str = "full") -> list[str]:
        """Return what each row of probabilities comes to.

        One label per row; for a coder of several labels those that hold, joined by ``|``, or
        ``"none"``. Of codes that exclude each other within a sentence the likeliest always holds.
        """
        if self.kind == "one":
            return [self.labels[at] for at in p.argmax(axis=1)]
        holds = p >= (self.fits[fit].threshold if self.recipe.several else SEVERAL)
        if not self.recipe.several and len(p):
            holds[np.arange(len(p)), p.argmax(axis=1)] = True
        return ["|".join(label for label, x in zip(self.labels, row, strict=True) if x) or _NONE for row in holds]


def _to_float(x: FloatArray) -> npt.NDArray[np.float32]:
    return np.round(np.atleast_1d(x), 4).astype(np.float32)


def _grid_of(coder: SentenceCoder) -> float:
    """Return the finest grid that a coder's weights fit on: half as fine for weights of 8 and more, and so on."""
    most = max(
        (np.abs(x).max(initial=0.0) for w in coder.fits.values() for x in (w.dense, *w.terms.values())), default=0.0
    )
    grid = GRID
    while grid > HEADS_GRID and round(most * grid) > np.iinfo(np.int16).max:
        grid /= 2.0
    return grid


def pack_sentences(coder: SentenceCoder) -> bytes:
    """Return the coder as the bytes of a safetensors file; the same coder gives the same bytes."""
    from safetensors.numpy import save

    out: dict[str, npt.NDArray[np.generic]] = {
        "about": text_of([coder.item]),
        "labels": text_of(coder.labels),
        "mean": coder.mean.astype(np.float32),
    }
    for block, vocabulary in coder.vocabulary.items():
        out[f"terms.{block}"] = text_of(vocabulary.terms)
        out[f"idf.{block}"] = coder.squared_idf[block].astype(np.float32)
    if coder.heads is not None:
        h = coder.heads
        out |= {f"heads.{part}": to_grid(getattr(h, part), HEADS_GRID) for part in ("dense", "terms")}
        out["heads.idf"] = h.squared_idf.astype(np.float32)
        out |= {"heads.shift": _to_float(h.bias), "heads.vocabulary": text_of(h.vocabulary.terms)}
    if (grid := _grid_of(coder)) != GRID:
        out["grid"] = np.array([grid], dtype=np.float32)
    for name, w in coder.fits.items():
        out[f"{name}.dense"] = to_grid(w.dense, grid)
        out |= {f"{name}.terms.{block}": to_grid(x, grid) for block, x in w.terms.items()}
        out |= {f"{name}.{part}": _to_float(getattr(w, part)) for part in ("tied", "bias")}
        out[f"{name}.threshold"] = _to_float(np.array([w.threshold]))
    return bytes(save(out))


def unpack_sentences(content: bytes) -> SentenceCoder:
    """Return the coder stored in ``content``; the inverse of ``pack_sentences`` up to rounding."""
    from safetensors.numpy import load

    stored = load(content)
    (item,) = lines_of(stored["about"])
    blocks = tuple(block for block, _ in RECIPES[item].terms)
    grid = float(stored["grid"][0]) if "grid" in stored else GRID

    def fit(name: str) -> SentenceFit:
        return SentenceFit(
            dense=stored[f"{name}.dense"] / grid,
            terms={b: stored[f"{name}.terms.{b}"] / grid for b in blocks},
            tied=stored[f"{name}.tied"].astype(np.float64),
            bias=stored[f"{name}.bias"].astype(np.float64),
            threshold=float(stored[f"{name}.threshold"][0]),
        )

    heads = None
    if "heads.dense" in stored:
        heads = Heads(
            dense=stored["heads.dense"] / HEADS_GRID,
            terms=stored["heads.terms"] / HEADS_GRID,
            bias=stored["heads.shift"].astype(np.float64),
            vocabulary=Vocabulary(lines_of(stored["heads.vocabulary"]), marks=True),
            squared_idf=stored["heads.idf"].astype(np.float64),
        )
    names = sorted(key.removesuffix(".bias") for key in stored if key.endswith(".bias"))
    return SentenceCoder(
        item=item,
        labels=lines_of(stored["labels"]),
        fits={name: fit(name) for name in names},
        vocabulary={b: Vocabulary(lines_of(stored[f"terms.{b}"]), marks=True) for b in blocks},
        squared_idf={b: stored[f"idf.{b}"].astype(np.float64) for b in blocks},
        mean=stored["mean"].astype(np.float64),
        heads=heads,
        sha256=sha256_of(content),
    )


@cache
def load_sentence_coder(name: str) -> SentenceCoder:
    """Return a shipped coder, checked against the hash on its card.

    Parameters
    ----------
    name : versioned, e.g. ``"bolt_therapist.v1"``.

    Raises
    ------
    FormatError : the weights are missing or damaged, or are not those the card speaks of.
    """
    from turnwise.reading.cards import shipped

    return shipped(name, "raters", unpack_sentences)
