"""Coders of the skill raters: linear heads over one shared set of features, one product for all items.

Two sets of features exist, so that a second reader can share neither examples nor features with the first:
``"said"`` sees embeddings of the turn, its sentences, its question and what it answers, and n-grams of the turn
and its question; ``"terms"`` sees no embedding at all, but the n-grams of what the turn answers too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import FormatError
from turnwise.core.nouns import FloatArray
from turnwise.reading.cards import load_card
from turnwise.reading.coder import GRID
from turnwise.reading.encoder import DIM
from turnwise.reading.features import Lookup, lookup_of
from turnwise.reading.package_data import read_packaged, sha256_of
from turnwise.reading.pair_coder import said_in
from turnwise.reading.products import greatest_of_runs, padded_product, softmax
from turnwise.reading.said_texts import SaidTexts, Which, said_texts
from turnwise.reading.sentence_coder import of_terms
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.skill_items import SKILL_ITEMS
from turnwise.reading.storing import lines_of, text_of, to_grid
from turnwise.reading.term_weights import Joined
from turnwise.reading.terms import Vocabulary
from turnwise.reading.window import Window

__all__ = ["BLOCKS", "DENSE_WIDTH", "Block", "Seen", "SkillHeads", "SkillItemCoder", "dense_of", "load_skills",
           "pack_skills", "unpack_skills"]  # fmt: skip

Seen = Literal["said", "terms"]
"""A set of features."""
Block = Literal["turn", "focus", "heard"]
BLOCKS: Mapping[Seen, tuple[tuple[Block, int, float], ...]] = {
    "said": (("turn", 3, 2.0), ("focus", 3, 1.5)),
    "terms": (("turn", 3, 2.0), ("focus", 3, 1.5), ("heard", 2, 0.7)),
}
"""Blocks of n-grams: which text, longest n-gram, and the length each row is scaled to."""
_TURN: Which = "turn"
_HEARD, _POOLED, _PRODUCT, _COUNTS = 0.5, 0.5, 16.0, 0.3
DENSE_WIDTH: Mapping[Seen, int] = {"said": 5 * DIM + 4, "terms": 4}


def _texts(windows: Sequence[Window]) -> tuple[SaidTexts, tuple[str, ...]]:
    said = [said_in(w) for w in windows]
    return said_texts(tuple(turn for turn, _ in said)), tuple(other for _, other in said)


def dense_of(windows: Sequence[Window], seen: Seen, vector: Lookup | None = None) -> FloatArray:
    """Return the numbers of each window, (n, ``DENSE_WIDTH[seen]``); a row depends on its own window only.

    Four counts for both sets: words, whether it asks, whether it asks twice, sentences. For ``"said"`` before them
    the embeddings of the turn, of what it answers and of its question, the product of the first two (what they
    share), and the greatest of its sentences in each dimension.
    """
    texts, heard = _texts(windows)
    turns = [w.turn.text for w in windows]
    sentences = np.bincount(texts.sentence_owner, minlength=len(windows))
    counts = np.array(
        [
            [np.log1p(len(t.split())), t.count("?") > 0, t.count("?") > 1, np.log(n)]
            for t, n in zip(turns, sentences, strict=True)
        ],
        dtype=np.float64,
    ).reshape(len(windows), 4)
    if seen == "terms":
        return _COUNTS * counts
    found = texts.vectors(vector, ("turn", "focus", "sentence"))
    own, asks = found[texts.turn], found[texts.focus]
    starts = np.flatnonzero(np.r_[True, texts.sentence_owner[1:] != texts.sentence_owner[:-1]])
    pooled = greatest_of_runs(found[texts.sentence], starts) if len(windows) else own
    answers = _vectors_of(heard, vector)
    blocks = [own, _HEARD * answers, asks, _PRODUCT * own * answers, _POOLED * pooled, _COUNTS * counts]
    return np.concatenate(blocks, axis=1)


def _vectors_of(texts: Sequence[str], vector: Lookup | None) -> FloatArray:
    look = lookup_of(texts) if vector is None else vector
    return np.array([look(t) for t in texts], dtype=np.float64).reshape(len(texts), DIM)


@dataclass(frozen=True, slots=True, eq=False)
class SkillHeads:
    """Weights of all items of one set.

    ``columns`` says which columns of every weight are an item's; ``dense`` (d, C), ``terms`` by block (V, C),
    ``bias`` (C,), the temperature divided in already; ``squared_idf`` and ``vocabulary`` by block of n-grams.
    """

    seen: Seen
    columns: Mapping[str, slice]
    dense: FloatArray
    terms: Mapping[Block, FloatArray]
    bias: FloatArray
    vocabulary: Mapping[Block, Vocabulary]
    squared_idf: Mapping[Block, FloatArray]
    sha256: str = field(default="")
    joined: Joined = field(default_factory=Joined, init=False, repr=False)

    def _of_terms(self, texts: SaidTexts, which: Which, block: Block) -> FloatArray:
        """Return what the n-grams of a block add: tf-idf of unit length times weights that hold the idf."""
        return of_terms(
            texts, which, self.vocabulary[block], self.joined.of(block, self.terms[block], self.squared_idf[block])
        )

    def logits(self, windows: Sequence[Window], vector: Lookup | None = None) -> FloatArray:
        """Return the logits of every item, (n, C); the latest are kept, because each item asks for its own columns."""
        key = (id(self), *map(id, windows))
        for known, _, logits in _latest:
            if known == key:
                return logits
        texts, heard = _texts(windows)
        found = padded_product(dense_of(windows, self.seen, vector), self.dense) + self.bias
        for block, _, scale in BLOCKS[self.seen]:
            read, which = (said_texts(heard), _TURN) if block == "heard" else (texts, block)
            found += scale * self._of_terms(read, which, block)
        _latest[:] = [*_latest[-1:], (key, tuple(windows), found)]
        return found


# Of two batches: items of both speakers are read in turn, and of each there are many.
_latest: list[tuple[tuple[int, ...], tuple[Window, ...], FloatArray]] = []


@dataclass(frozen=True, slots=True)
class SkillItemCoder:
    """One item of a set, read like any other coder."""

    item: str
    heads: SkillHeads

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels in the order of the probabilities."""
        return SKILL_ITEMS[self.item].labels

    @property
    def sha256(self) -> str:
        """Hash of the weights of the whole set."""
        return self.heads.sha256

    def read(self, windows: Sequence[Window], fit: str = "full", vector: Lookup | None = None) -> FloatArray:
        """Return the probability of each label for each window, (n, L); rows sum to one."""
        if not windows:
            return np.empty((0, len(self.labels)))
        return softmax(self.heads.logits(windows, vector)[:, self.heads.columns[self.item]])

    def decide(self, p: FloatArray, fit: str = "full") -> list[str]:
        """Return the likeliest label of each row."""
        return [self.labels[at] for at in p.argmax(axis=1)]


def pack_skills(heads: SkillHeads) -> bytes:
    """Return the heads as the bytes of a safetensors file; the same heads give the same bytes."""
    from safetensors.numpy import save

    grid = _grid_of(heads)
    out: dict[str, npt.NDArray[np.generic]] = {
        "about": text_of([heads.seen]),
        "items": text_of(tuple(heads.columns)),
        "grid": np.array([grid], dtype=np.float32),
        "dense": to_grid(heads.dense, grid),
        "bias": np.round(heads.bias, 4).astype(np.float32),
    }
    for block, vocabulary in heads.vocabulary.items():
        out[f"{block}.vocabulary"] = text_of(vocabulary.terms)
        out[f"{block}.idf"] = heads.squared_idf[block].astype(np.float32)
        out[f"{block}.terms"] = to_grid(heads.terms[block], grid)
    return bytes(save(out))


def _grid_of(heads: SkillHeads) -> float:
    """Return the finest grid that all weights fit on."""
    most = max(float(np.abs(x).max(initial=0.0)) for x in (heads.dense, *heads.terms.values()))
    grid = GRID
    while round(most * grid) > np.iinfo(np.int16).max:
        grid /= 2.0
    return grid


def unpack_skills(content: bytes) -> SkillHeads:
    """Return the heads stored in ``content``; the inverse of ``pack_skills`` up to rounding."""
    from safetensors.numpy import load

    stored = load(content)
    (seen,) = lines_of(stored["about"])
    if seen not in BLOCKS:
        raise FormatError("raters/weights", "about", f"names features {seen!r} nobody knows", "install turnwise again")
    kind: Seen = "said" if seen == "said" else "terms"
    columns, at = {}, 0
    for item in lines_of(stored["items"]):
        columns[item] = slice(at, at + len(SKILL_ITEMS[item].labels))
        at += len(SKILL_ITEMS[item].labels)
    blocks, grid = [block for block, _, _ in BLOCKS[kind]], float(stored["grid"][0])
    return SkillHeads(
        seen=kind,
        columns=columns,
        dense=stored["dense"] / grid,
        terms={b: stored[f"{b}.terms"] / grid for b in blocks},
        bias=stored["bias"].astype(np.float64),
        vocabulary={b: Vocabulary(lines_of(stored[f"{b}.vocabulary"]), marks=True) for b in blocks},
        squared_idf={b: stored[f"{b}.idf"].astype(np.float64) for b in blocks},
        sha256=sha256_of(content),
    )


@cache
def load_skills(name: str, sha256: str) -> SkillHeads:
    """Return the heads that ship under ``raters/weights/NAME.safetensors``, checked against a hash.

    Raises
    ------
    FormatError : they are missing or damaged.
    """
    return unpack_skills(read_packaged(f"raters/weights/{name}.safetensors", sha256))


def skill_reader(name: str, weights: str) -> SessionReader:
    """Return what a rater's factory returns: one item read by the shipped heads of a set.

    Labels that its card calls undetermined are withheld.

    Parameters
    ----------
    name : of the rater, versioned, as its card has it. weights : of the set, versioned.
    """
    about = load_card(name, "raters")
    coder = SkillItemCoder(about.item, load_skills(weights, about.sha256))
    withheld = frozenset(about.undetermined), frozenset(about.undetermined_in_simulation)
    return SessionReader(name, about.reads, folds={}, coder=coder, withheld=withheld)
