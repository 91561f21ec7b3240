"""Fit one set of skill raters: shared features, a linear head an item, calibrated over whole hands held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize, sparse

from coded_turns import CodedOnce, window_of_coded
from linear_fit import CLOSE_ENOUGH, Problem, by_trust
from pair_fit import terms_in
from sentence_students import Columns
from skill_examples import Example, label_of, of_item, window_of
from turnwise.core.nouns import FloatArray
from turnwise.reading.products import softmax
from turnwise.reading.said_texts import said_texts
from turnwise.reading.skill_coder import (
    BLOCKS,
    DENSE_WIDTH,
    Block,
    Seen,
    SkillHeads,
    dense_of,
    pack_skills,
    unpack_skills,
)
from turnwise.reading.skill_items import SKILL_ITEMS
from turnwise.reading.terms import Vocabulary
from turnwise.reading.window import Window

__all__ = ["Fitted", "Taught", "coded_weight", "fit_heads", "taught_by"]

PENALTY_C = 2.0
LEAST_TEXTS = 3
CODED_WEIGHT, CODED_PARTS = 0.5, 4
CODED_WEIGHTS: Mapping[str, float] = {"stance": 0.13}
"""Items for which coded turns weigh otherwise, found on hands and turns held out among what teaches them.

``stance`` was found as 0.25 when there were half as many; half of that, so that they count as much together as then.
"""
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Taught:
    """What teaches one item: windows, labels (n,), who each comes from (n,), and its weight (n,).

    In written examples, and in coded turns, labels weigh the same; a coded turn weighs ``CODED_WEIGHT`` on average, or
    what ``CODED_WEIGHTS`` says of its item.
    """

    windows: tuple[Window, ...]
    y: Ints
    hands: npt.NDArray[np.str_]
    weight: FloatArray


def taught_by(item: str, written: Sequence[Example], coded: Sequence[CodedOnce], data: Path) -> Taught:
    """Return everything that teaches an item: examples by hand, and turns that one reader coded, in parts by order."""
    about = SKILL_ITEMS[item]
    own = of_item(written, item)
    said = [(i, c) for i, c in enumerate(coded) if label_of(item, c.labels) != "na"]
    y = np.array([about.labels.index(e.label) for e in own], dtype=np.int64)
    z = np.array([about.labels.index(label_of(item, c.labels)) for _, c in said], dtype=np.int64)
    return Taught(
        (*(window_of(e) for e in own), *(window_of_coded(data, c, about.speaker) for _, c in said)),
        np.concatenate([y, z]),
        np.array([*(e.hand for e in own), *(f"coded {i % CODED_PARTS}" for i, _ in said)]),
        np.concatenate([_even(y, len(about.labels)), coded_weight(item) * _even(z, len(about.labels))]),
    )


def coded_weight(item: str) -> float:
    """Return how much a coded turn weighs, where a written example weighs one, both on average."""
    return CODED_WEIGHTS.get(item, CODED_WEIGHT)


def _even(y: Ints, n_labels: int) -> FloatArray:
    """Return weights (n,) of mean one by which every label that occurs weighs the same."""
    counts = np.bincount(y, minlength=n_labels)
    return np.asarray((len(y) / (max(1, (counts > 0).sum()) * np.maximum(counts, 1)))[y], dtype=np.float64)


@dataclass(frozen=True)
class Space:
    """Vocabularies of a set, with the squared inverse document frequencies."""

    vocabulary: Mapping[Block, Vocabulary]
    squared_idf: Mapping[Block, FloatArray]


def space_of(windows: Sequence[Window], seen: Seen) -> Space:
    """Return the n-grams that at least three of the distinct texts hold, by block."""
    vocabulary, idf = {}, {}
    for block, longest, _ in BLOCKS[seen]:
        texts = tuple(dict.fromkeys(block_texts(windows, block)))
        counts = Counter(g for t in texts for g in terms_in(t, True, longest))
        terms = sorted(g for g, n in counts.items() if n >= LEAST_TEXTS)
        vocabulary[block] = Vocabulary(terms, marks=True)
        n = np.array([counts[g] for g in terms], dtype=np.float64)
        idf[block] = (1.0 + np.log((1.0 + len(texts)) / (1.0 + n))) ** 2
    return Space(vocabulary, idf)


def block_texts(windows: Sequence[Window], block: Block) -> tuple[str, ...]:
    """Return the text of each window that a block of n-grams reads."""
    if block == "heard":
        return tuple(w.before[-1].text if w.before else "" for w in windows)
    turns = tuple(w.turn.text for w in windows)
    if block == "turn":
        return turns
    texts = said_texts(turns)
    return tuple(texts.texts[i] for i in texts.focus)


def rows_of(windows: Sequence[Window], seen: Seen, space: Space) -> sparse.csr_matrix:
    """Return the features of some windows as one sparse matrix, the bias last."""
    parts: list[Any] = [sparse.csr_matrix(dense_of(windows, seen))]
    for block, _, scale in BLOCKS[seen]:
        x = space.vocabulary[block].matrix(block_texts(windows, block)).astype(np.float64)
        x = x @ sparse.diags_array(np.sqrt(space.squared_idf[block]))
        length = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
        parts.append(scale * sparse.diags_array(1.0 / np.where(length > 0, length, 1.0)) @ x)
    parts.append(sparse.csr_matrix(np.ones((len(windows), 1))))
    return sparse.csr_matrix(sparse.hstack(parts))


def fitted(x: Any, t: Taught, n_labels: int, out: npt.NDArray[np.bool_], start: FloatArray | None = None) -> FloatArray:
    """Return the weights (d + 1, L) of one item, fitted on what teaches it but for the rows left ``out`` (n,).

    Without a ``start`` as closely as can be: these are stored, and a refit has to give them again.
    """
    own = sparse.csr_matrix(x[~out])
    used = np.flatnonzero(np.diff(sparse.csc_matrix(own).indptr))  # n-grams of other items only have no say
    own, many = own[:, used], int((used < _DENSE).sum())
    problem = Problem(Columns.of(own, many), t.y[~out], t.weight[~out], n_labels, PENALTY_C)
    weights = np.zeros((x.shape[1], n_labels))
    weights[used] = by_trust(problem, *((None, CLOSE_ENOUGH) if start is None else (start[used], _FOR_FIGURES)))
    return weights


_DENSE = max(DENSE_WIDTH.values())  # columns before the n-grams, at most
_FOR_FIGURES = 1e-3  # gradient that is small enough for a figure and a temperature


def temperature_of(logits: FloatArray, y: Ints) -> float:
    """Return the temperature, at least one, with the least log loss; hands resemble each other more than people do."""

    def loss(t: float) -> float:
        p = softmax(logits / t)
        return float(-np.log(np.maximum(p[np.arange(len(y)), y], 1e-12)).mean())

    found = optimize.minimize_scalar(loss, bounds=(1.0, 5.0), method="bounded", options={"xatol": 1e-3})
    return float(round(found.x, 2))


@dataclass(frozen=True)
class Fitted:
    """What was fitted for one item: weights with the temperature divided in, and the temperature."""

    weights: FloatArray
    temperature: float
    held_out: FloatArray
    """Logits (n, L) of everything that taught it, by weights that saw nothing of its hand."""


def fit_item(x: Any, t: Taught, n_labels: int) -> Fitted:
    """Fit one item, calibrated over whole hands held out."""
    whole = fitted(x, t, n_labels, np.zeros(len(t.y), dtype=np.bool_))
    logits = np.zeros((len(t.y), n_labels))
    for hand in sorted(set(t.hands.tolist())):
        out = t.hands == hand
        logits[out] = np.round(x[out] @ fitted(x, t, n_labels, out, whole), 4)  # only for a temperature
    temperature = temperature_of(logits, t.y)
    return Fitted(whole / temperature, temperature, logits)


def fit_heads(seen: Seen, taught: Mapping[str, Taught]) -> tuple[SkillHeads, dict[str, Fitted]]:
    """Fit every item of a set; the heads are those that a reader gets after storing."""
    space = space_of([w for t in taught.values() for w in t.windows], seen)
    fits = {
        item: fit_item(rows_of(t.windows, seen, space), t, len(SKILL_ITEMS[item].labels)) for item, t in taught.items()
    }
    heads = _heads(seen, space, np.concatenate([f.weights for f in fits.values()], axis=1))
    return unpack_skills(pack_skills(heads)), fits


def _heads(seen: Seen, space: Space, weights: FloatArray) -> SkillHeads:
    dense, terms = len(weights) - 1 - sum(len(v) for v in space.vocabulary.values()), {}
    at = dense
    for block, _, _ in BLOCKS[seen]:
        size = len(space.vocabulary[block])
        # The reader wants weights that hold the idf once; it divides by the length of the row itself.
        terms[block] = weights[at : at + size] * np.sqrt(space.squared_idf[block])[:, None]
        at += size
    columns, start = {}, 0
    for item, about in SKILL_ITEMS.items():
        columns[item] = slice(start, start + len(about.labels))
        start += len(about.labels)
    return SkillHeads(seen, columns, weights[:dense], terms, weights[-1], space.vocabulary, space.squared_idf)
