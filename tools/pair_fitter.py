"""Fit one linear coder of turns (``reading/pair_coder.py``), cross-fitted, on the blocks a recipe names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pair_fit import (
    Design,
    Ints,
    Logistic,
    Mask,
    apply_scaling,
    choose_offsets,
    choose_terms,
    class_weights,
    fit_scaling,
    folded,
    lexicon_of,
    normed,
    spread_of,
    squared_idf,
)
from turnwise.core.nouns import FloatArray
from turnwise.engine.corpora.corpus import Corpus
from turnwise.reading import pair_coder
from turnwise.reading.lexicons import names_risk
from turnwise.reading.pair_coder import PairCoder, PairFit, numbers, said_in
from turnwise.reading.term_weights import TermBlock, TermWeights
from turnwise.reading.terms import Vocabulary
from turnwise.reading.window import Window

FOLDS = 5
RAREST = 0.1  # a cue hardly anybody uses must not weigh without bound
NAMED_MARGIN = 0.01  # a named risk lies above the threshold by more than the grid of the weights
Words = Sequence[str] | npt.NDArray[np.str_]


@dataclass(frozen=True)
class Rows:
    """Labelled turns of one item."""

    corpus: Corpus
    sha256: str
    item: str
    labels: tuple[str, ...]
    reads: str
    windows: list[Window]
    gold: Ints
    group: npt.NDArray[np.str_]
    fold: Ints

    @property
    def texts(self) -> list[str]:
        """What was said in each turn."""
        return [w.turn.text for w in self.windows]


@dataclass(frozen=True)
class Recipe:
    """How a coder of one turn is built; scales say how far each block counts under one common penalty."""

    c: float
    cues: str
    other_cues: str | None = None
    marks: bool = False
    embedded: float = 0.0
    least: int = 4
    rare: float = 0.0
    decides: str = "most probable"
    words: float = 2.5
    cued: float = 0.2
    numbered: float = 0.2
    false_alarms: float = 0.05


class PairFitter:
    """Fits one coder of turns; remembers solutions, because folds share them."""

    def __init__(
        self,
        rows: Rows,
        recipe: Recipe,
        cues: Mapping[str, Mapping[str, str]],
        weight: FloatArray | None = None,
        ordinary: Mask | None = None,
    ) -> None:
        self.rows, self.recipe = rows, recipe
        self.weight = np.ones(len(rows.gold)) if weight is None else weight
        self.ordinary = ordinary
        self.named = names_risk(rows.texts)
        pairs = [said_in(w) for w in rows.windows]
        turns, others = [a for a, _ in pairs], [b if recipe.other_cues else "" for _, b in pairs]
        self.turn, self.turn_lexicon = _block(turns, rows.group, recipe, cues[recipe.cues])
        counts = self.turn.vocabulary.matrix(turns)
        self.hits = [np.asarray((counts @ self.turn_lexicon).todense())]
        self.other: TermBlock | None = None
        if recipe.other_cues:
            self.other, self.other_lexicon = _cue_block(others, rows.group, cues[recipe.other_cues])
            self.hits.append(np.asarray((self.other.vocabulary.matrix(others) @ self.other_lexicon).todense()))
        self.empty = PairCoder(rows.item, rows.labels, recipe.embedded > 0, self.turn, self.other, {})
        given = self.empty.dense(turns, others)
        self.n_embedded = given.shape[1] - numbers(turns[:1], others[:1]).shape[1]
        self.about = spread_of(given[:, self.n_embedded :])
        self.cue_spread = [np.maximum(spread_of(h).scale, RAREST) for h in self.hits]
        dense = [
            recipe.embedded * given[:, : self.n_embedded],
            recipe.numbered * self.about.of(given[:, self.n_embedded :]),
        ]
        dense += [recipe.cued * h / s for h, s in zip(self.hits, self.cue_spread, strict=True)]
        self.x = Design(np.hstack(dense), normed(counts, self.turn.idf, recipe.words))
        self.model = Logistic(recipe.c, len(rows.labels))
        self._solved: dict[bytes, FloatArray] = {}

    def solve(self, at: Mask) -> FloatArray:
        """Return the weights (width, columns) of a fit on some rows."""
        if at.tobytes() not in self._solved:
            stored = len(np.unique(self.rows.fold[~at])) <= 1
            weight = class_weights(self.rows.gold[at], len(self.rows.labels), self.recipe.rare) * self.weight[at]
            self._solved[at.tobytes()] = self.model.solve(self.x.rows(at), self.rows.gold[at], weight, 4 * stored)
        return self._solved[at.tobytes()]

    def held_out(self, at: Mask) -> FloatArray:
        """Return probabilities of ``at``, each by weights without its fold."""
        p = np.zeros((len(at), len(self.rows.labels)))
        for k in np.unique(self.rows.fold[at]):
            held = at & (self.rows.fold == k)
            p[held] = self.model.probabilities(self.x.rows(held).times(self.solve(at & ~held)))
        return p

    def fit(self, at: Mask) -> PairFit:
        """Return what is stored of a fit on some rows."""
        inner, gold = self.held_out(at), self.rows.gold
        scaling = fit_scaling(inner[at], gold[at])
        offsets = np.zeros(len(self.rows.labels))
        if self.recipe.decides == "macro-F1":
            offsets = choose_offsets(apply_scaling(inner[at], scaling), gold[at])
        named = 0.0
        if self.ordinary is not None:
            # The threshold that this share of ordinary turns passes: kept as log odds, like every offset.
            p = apply_scaling(inner, scaling)[:, 1]
            threshold = float(np.quantile(p[at & self.ordinary], 1.0 - self.recipe.false_alarms))
            offsets[1] = np.log((1.0 - threshold) / threshold)
            hit = at & self.named
            named = max((gold[hit].sum() + 1.0) / (hit.sum() + 2.0), threshold + NAMED_MARGIN)
        return self._stored(self.solve(at), (scaling, offsets, named))

    def _stored(self, w: FloatArray, decision: tuple[FloatArray, FloatArray, float]) -> PairFit:
        w = w if w.shape[1] == 1 else w[:, 1:] - w[:, :1]
        r, a = self.recipe, self.n_embedded
        b = a + len(self.about.mean)
        c = b + self.hits[0].shape[1]
        d = c + (self.hits[1].shape[1] if self.other else 0)
        given, shift = folded(w[a:b], self.about, r.numbered)
        cues = w[b:c] * (r.cued / self.cue_spread[0])[:, None]
        turn = TermWeights(
            w[d:-1] * (r.words * np.sqrt(self.turn.idf))[:, None], np.asarray(self.turn_lexicon[self.turn.cued] @ cues)
        )
        other = None
        if self.other is not None:
            raw = np.asarray(self.other_lexicon @ (w[c:d] * (r.cued / self.cue_spread[1])[:, None]))
            other = TermWeights(np.zeros_like(raw), raw)
        return PairFit(np.vstack([r.embedded * w[:a], given]), turn, other, w[-1] + shift, *decision)

    def coder(self) -> bytes:
        """Return the packed coder with its fit on everything and the cross-fitted ones."""
        fits = {f"fold{k}": self.fit(self.rows.fold != k) for k in range(FOLDS)}
        fits["full"] = self.fit(np.ones(len(self.rows.gold), dtype=bool))
        e = self.empty
        return pair_coder.pack(PairCoder(e.item, e.labels, e.embeds, e.turn_block, e.other_block, fits))


def _block(texts: Sequence[str], group: Words, recipe: Recipe, cues: Mapping[str, str]) -> tuple[TermBlock, Any]:
    vocabulary = Vocabulary(choose_terms(texts, group, recipe.least, recipe.marks), marks=recipe.marks)
    lexicon = lexicon_of(vocabulary.terms, cues)
    cued = np.flatnonzero(np.asarray(lexicon.sum(axis=1)).ravel()).astype(np.int64)
    return TermBlock(vocabulary, squared_idf(vocabulary.matrix(texts)), cued), lexicon


def _cue_block(texts: Sequence[str], group: Words, cues: Mapping[str, str]) -> tuple[TermBlock, Any]:
    """Return a block of nothing but the n-grams that carry a cue."""
    terms = choose_terms(texts, group, 3)
    found = lexicon_of(terms, cues)
    kept = np.flatnonzero(np.asarray(found.sum(axis=1)).ravel())
    vocabulary = Vocabulary([terms[i] for i in kept])
    return TermBlock(vocabulary, squared_idf(vocabulary.matrix(texts)), np.arange(len(kept), dtype=np.int64)), found[
        kept
    ]
