"""What the sentence coders see of a turn: its words, its embedding, our cues, and what resembles our phrases.

Some coders read sentence by sentence. Others look besides the whole turn for its best *stretch*: a
sentence, or of speech that nobody punctuated a window of a few words, because a behaviour is often
one clause of a long turn. A row of features depends on its own window only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.encoder import encode
from turnwise.reading.features import Lookup
from turnwise.reading.products import greatest_of_runs, padded_product
from turnwise.reading.said_texts import SaidTexts, Which, said_texts
from turnwise.reading.uptake import uptake_of
from turnwise.reading.window import Window
from turnwise.reading.written_phrases import written_for

__all__ = ["N_TIED", "RECIPES", "Recipe", "Rows", "rows_of"]

_CLOSEST = 3
N_TIED = 4
"""Tied features of a text and a label: its closest phrase to the best stretch, the mean of the three closest to
the whole, that label's own cues in the best stretch, and the root of those in the whole."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What one coder is made of.

    Attributes
    ----------
    speaker : whose turns it reads.
    kind : ``"one"`` label per turn or ``"many"``.
    unit : a row is a ``"turn"`` or a ``"sentence"`` of it; of sentences a turn has the highest p.
    several : labels of one row exclude each other (softmax) or not (a sigmoid each).
    terms : texts whose n-grams count, each with its longest n-gram.
    dense : blocks of numbers, in order (see ``rows_of``).
    cues : sections of ``cues.yaml`` whose cues count as numbers.
    tied : the sort of texts whose best counts when our phrases and each label's own cues speak, with weights
        all labels share; ``None`` where they do not.
    """

    speaker: Literal["therapist", "patient"]
    kind: Literal["one", "many"]
    unit: Literal["turn", "sentence"]
    several: bool
    terms: tuple[tuple[Which, int], ...]
    dense: tuple[str, ...]
    cues: tuple[str, ...]
    tied: Which | None


def _bolt(speaker: Literal["therapist", "patient"], section: str, tied: Which) -> Recipe:
    return Recipe(speaker, "many", "turn", True, (("turn", 2),), ("said", "cues", "length"), (section,), tied)


def _one(terms: tuple[tuple[Which, int], ...], dense: tuple[str, ...], cues: tuple[str, ...]) -> Recipe:
    return Recipe("therapist", "one", "turn", False, terms, dense, cues, None)


RECIPES: dict[str, Recipe] = {
    "bolt_therapist": _bolt("therapist", "bolt_therapist", "stretch"),
    "bolt_client": _bolt("patient", "bolt_client", "turn"),
    "mi_code": Recipe(
        "therapist",
        "many",
        "sentence",
        False,
        (("sentence", 3),),
        ("said", "opening", "cues", "length"),
        ("mi_code",),
        "sentence",
    ),
    "question_type": _one(
        (("turn", 3), ("focus", 3)), ("said", "focus", "cues", "focus_cues", "length"), ("question_type", "mi_code")
    ),
    "reflection_depth": _one(
        (("turn", 2),),
        ("said", "focus", "heard", "uptake", "cues", "length"),
        ("reflection_depth", "mi_code", "bolt_therapist"),
    ),
    "input_type": _one(
        (("turn", 2),), ("said", "focus", "cues", "length"), ("input_type", "mi_code", "bolt_therapist")
    ),
}


@dataclass(frozen=True, slots=True)
class Rows:
    """Features of a batch.

    Attributes
    ----------
    dense : (rows, d). tied : (rows, labels, 4), or (rows, labels, 0). owner : (rows,) position of
    each row's window. texts : the texts of the batch, for n-grams.
    """

    dense: FloatArray
    tied: FloatArray
    owner: npt.NDArray[np.int64]
    texts: SaidTexts


def centred(x: FloatArray, mean: FloatArray) -> FloatArray:
    """Return unit rows of ``x`` less ``mean``: what a text has that others of its kind have not."""
    if not mean.any():
        return x
    moved = x - mean
    out: FloatArray = moved / np.maximum(np.sqrt((moved * moved).sum(axis=1, keepdims=True)), 1e-9)
    return out


@lru_cache(maxsize=16)
def _phrases(section: str, labels: tuple[str, ...], mean: bytes) -> tuple[FloatArray, tuple[int, ...]]:
    """Return the phrases' centred vectors (256, all phrases), and where each label's begin and end."""
    found = [written_for(section).phrases[label] for label in labels]
    x = encode([p for of_label in found for p in of_label]).astype(np.float64)
    ends = np.cumsum([0, *(len(f) for f in found)])
    return np.ascontiguousarray(centred(x, np.frombuffer(mean)).T), tuple(ends.tolist())


def _closeness(x: FloatArray, section: str, labels: tuple[str, ...], mean: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return (rows, labels): the closest phrase's cosine, and the mean of the three closest."""
    phrases, ends = _phrases(section, labels, mean.tobytes())
    like = padded_product(x, phrases)
    best, several = np.empty((len(x), len(labels))), np.empty((len(x), len(labels)))
    for j, (a, b) in enumerate(pairwise(ends)):
        top = np.sort(like[:, a:b], axis=1)[:, -_CLOSEST:]
        best[:, j] = top[:, -1]
        several[:, j] = top.sum(axis=1) / top.shape[1]
    return best, several


def _best(of_part: FloatArray, owner: npt.NDArray[np.int64]) -> FloatArray:
    """Return the highest of each owner's rows; every owner has one, and they come in order."""
    starts = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
    return greatest_of_runs(of_part, starts)


_uptakes: list[tuple[tuple[int, ...], tuple[Window, ...], FloatArray]] = []
"""The latest uptake with its windows (kept, so that no other window can have their ids): three coders ask for it."""


class _Reader:
    """Makes the blocks of one batch."""

    def __init__(self, windows: Sequence[Window], recipe: Recipe, mean: FloatArray, vector: Lookup | None) -> None:
        self.windows, self.recipe, self.mean, self.vector = windows, recipe, mean, vector
        self.texts = said_texts(tuple(w.turn.text for w in windows))
        by_sentence = recipe.unit == "sentence"
        self.at = self.texts.sentence if by_sentence else self.texts.turn
        self.owner = self.texts.sentence_owner if by_sentence else np.arange(len(windows))
        # Only what this coder looks at is encoded, centred and compared.
        self.needed: list[Which] = [recipe.unit, *([recipe.tied] if recipe.tied else [])]
        if any(name.startswith("focus") for name in recipe.dense):
            self.needed.append("focus")
        self.used = np.unique(np.concatenate([self.texts.rows(which) for which in self.needed]))
        self.place = np.zeros(len(self.texts.texts), dtype=np.int64)
        self.place[self.used] = np.arange(len(self.used))
        self.centred = centred(self.texts.vectors(vector, self.needed)[self.used], mean)

    def _counts(self, at: npt.NDArray[np.int64], sections: tuple[str, ...]) -> FloatArray:
        columns = np.concatenate([written_for(section).columns for section in sections])
        return np.asarray(self.texts.counts(self.recipe.speaker, self.needed)[at][:, columns])

    def block(self, name: str) -> FloatArray:
        """Return a dense block (rows, k)."""
        if name in ("said", "focus"):
            at = self.at if name == "said" else self.texts.focus
            return np.asarray(self.centred[self.place[at]])
        if name == "opening":
            return centred(self.texts.openings(), self.mean)
        if name == "heard":
            return self._encoded([next(reversed(said), "") for said in self._heard()])
        if name == "uptake":
            return self._uptake()
        if name == "length":
            words = self.texts.words()[self.at]
            return np.stack([np.log1p(words), words <= 4, words > 40], axis=1).astype(np.float64)
        return self._counts(self.at if name == "cues" else self.texts.focus, self.recipe.cues)

    def _heard(self) -> list[tuple[str, ...]]:
        return [tuple(t.text for t in w.before if t.speaker != w.turn.speaker) for w in self.windows]

    def _encoded(self, texts: Sequence[str]) -> FloatArray:
        distinct = {t: i for i, t in enumerate(dict.fromkeys(texts))}
        rows = [self.vector(t) for t in distinct] if self.vector else encode(tuple(distinct))
        return np.array(rows, dtype=np.float64)[[distinct[t] for t in texts]]

    def _uptake(self) -> FloatArray:
        def likeness(a: Sequence[str], b: Sequence[str]) -> FloatArray:
            # Not a BLAS product: its last bit may depend on where the rows lie in memory.
            if not a:
                return np.zeros(0)
            both = self._encoded([*a, *b])
            return np.asarray((both[: len(a)] * both[len(a) :]).sum(axis=1))

        key = tuple(map(id, self.windows))
        if not _uptakes or _uptakes[0][0] != key:
            turns = [w.turn.text for w in self.windows]
            found = uptake_of([(t, said, ()) for t, said in zip(turns, self._heard(), strict=True)], likeness)
            _uptakes[:] = [(key, tuple(self.windows), found)]
        return _uptakes[0][2]

    def tied(self, section: str, labels: tuple[str, ...]) -> FloatArray:
        """Return the tied features (rows, labels, 4)."""
        found = written_for(section)
        member = np.zeros((len(found.cues), len(labels)))
        for j, label in enumerate(labels):
            member[list(found.own[label]), j] = 1.0
        own = padded_product(self._counts(self.used, (section,)), member)
        closest, several = _closeness(self.centred, section, labels, self.mean)
        whole = self.place[self.at]
        part, owner = whole, np.arange(len(whole))
        if self.recipe.tied == "stretch":
            part, owner = self.place[self.texts.stretch], self.texts.stretch_owner
        columns = _best(closest[part], owner), several[whole], _best(own[part], owner), np.sqrt(own[whole])
        return np.stack(columns, axis=2)


def rows_of(
    windows: Sequence[Window],
    item: str,
    labels: tuple[str, ...],
    mean: FloatArray,
    vector: Lookup | None = None,
    recipe: Recipe | None = None,
) -> Rows:
    """Return the features of ``windows``, at least one, for the coder of ``item``.

    Parameters
    ----------
    windows : turns with what came before; whose they are is not checked here.
    item : a key of ``RECIPES``; it is also the section of ``written/*.yaml``.
    labels : the coder's labels, in order.
    mean : (256,) embedding of an average text of the coder's kind; all zeros to compare embeddings as they are.
    vector : looks up the embedding of a turn (see ``features_of``); other texts are encoded here.
    recipe : what to make; by default the item's.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> window = Window(Turn(speaker="therapist", text="You look tired. How was the night?"))
    >>> found = rows_of([window], "mi_code", ("Affirm", "Warn"), np.zeros(256))
    >>> found.owner.tolist(), found.tied.shape
    ([0, 0], (2, 2, 4))
    """
    recipe = RECIPES[item] if recipe is None else recipe
    made = _Reader(windows, recipe, mean, vector)
    dense = np.concatenate([made.block(name) for name in recipe.dense], axis=1)
    tied = made.tied(item, labels) if recipe.tied is not None else np.zeros((len(made.at), len(labels), 0))
    return Rows(dense, tied, made.owner, made.texts)
