"""Fit the coders of turns again: weights, cards and the table of training sessions.

    OMP_NUM_THREADS=1 python tools/fit_turn_coders.py DATA_DIR [--check]

Reads DATA_DIR/annomi/dialogues.jsonl.gz. With --check nothing is written and the exit code says
whether a refit gives, byte for byte, what ships. Needs the extra [fit].
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from annomi_words import CEILINGS, COMMAND, DEFINITIONS, LICENCE, PUBLISHED, SCOPE, WEIGHTING
from coder_cards import card_of
from evidence import Evidence
from linear_fit import (
    RARE,
    Problem,
    as_weights,
    choose_terms,
    class_weights,
    columns_in_use,
    design,
    fit_temperature,
    squared_idf,
)
from pair_fit import tfidf_floor
from refitting import as_json, parser_of, write_or_check
from turn_corpus import FOLDS, ITEMS, Item, Labelled, labelled, load_annomi, split_series
from turnwise.core.nouns import FloatArray, Trajectory
from turnwise.engine.coder_figures import UNIT, figure
from turnwise.engine.corpora.annomi import ANNOMI, series_of
from turnwise.reading.cards import Card
from turnwise.reading.coder import Coder, LinearWeights, pack, unpack
from turnwise.reading.features import Family, Features, features_of
from turnwise.reading.training_sessions import TABLE, fingerprint
from turnwise.stats.classification import disagreement, f1_by_label, tally
from written_examples import FILES, together, written_turns
from written_examples import LICENCE as LICENCE_OF_WRITTEN

VERSION = "v1"
WRITTEN_BY = "written:"
"""How the name of a group of written examples begins."""
ALWAYS = -1
"""Fold of the rows that are in every fit."""
VALIDATION = {
    "raters": f"{FOLDS}-fold by series, every turn read by weights that saw nothing of its series; the shipped weights "
    "are fitted on all turns",
    "ears": "fitted on one half of the series, measured on the other half",
}
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass
class Fitter:
    """Fits one family on the turns of one item; remembers solutions, because folds share them."""

    item: Item
    family: Family
    data: Labelled
    features: Features

    def __post_init__(self) -> None:
        ngrams = choose_terms(self.features, self.data.series) if self.family == "raters" else {}
        self.vocabulary = {b: {t: i for i, t in enumerate(terms)} for b, terms in ngrams.items()}
        self.idf = squared_idf(self.features, self.vocabulary) if self.vocabulary else {}
        self.x = design(self.features, self.vocabulary, self.idf)
        # The writers gave each label about as many examples: those need no evening out.
        self.written = np.array([s.startswith(WRITTEN_BY) for s in self.data.series.tolist()], dtype=bool)
        self._solved: dict[bytes, FloatArray] = {}
        if len(self.data) != self.x.shape[0]:
            raise ValueError(f"{self.x.shape[0]} rows of features for {len(self.data)} turns")

    def solve(self, rows: Mask, polish: int = 4) -> FloatArray:
        """Return the weights (d + 1, L) of a fit on ``rows``; unused columns are zero."""
        key = rows.tobytes()
        if key not in self._solved:
            sizes = [len(v) for v in self.vocabulary.values()]
            use = columns_in_use(self.x, rows, self.features.dense.shape[1], sizes)
            y, n = self.data.gold[rows], len(self.item.labels)
            out = np.zeros((self.x.shape[1], n))
            out[use] = Problem(self.x[rows][:, use], y, self.weight_of(rows), n).solve(polish)
            self._solved[key] = out
        return self._solved[key]

    def weight_of(self, rows: Mask) -> FloatArray:
        """Return the weight of each row: by how rare its label is among what people coded, one for what was written."""
        coded, y, n = ~self.written[rows], self.data.gold[rows], len(self.item.labels)
        if not coded.any():
            return class_weights(y, n)
        even = class_weights(y[coded], n)
        weight = np.ones(len(y))
        weight[coded] = even * self.data.weight[rows][coded]
        weight[coded] *= even.sum() / weight[coded].sum()
        return weight

    def temperature(self, rows: Mask, fold: npt.NDArray[np.int64]) -> float:
        """Return the temperature of a fit on ``rows``, from logits held out fold by fold inside them."""
        logits = np.zeros((len(rows), len(self.item.labels)))
        rated = rows & (fold != ALWAYS)
        for k in np.unique(fold[rated]):
            held = rows & (fold == k)
            logits[held] = self.x[held] @ self.solve(rows & ~held, polish=0)
        return fit_temperature(logits[rated], self.data.gold[rated])

    def weights(self, rows: Mask, fold: npt.NDArray[np.int64]) -> LinearWeights:
        """Return what is stored of a fit on ``rows``."""
        temperature = self.temperature(rows, fold)
        self._solved.pop(rows.tobytes(), None)  # a rough solution made for a temperature may lie there
        return as_weights(self.solve(rows), self.features, self.idf, temperature)

    def coder(self, fits: dict[str, LinearWeights]) -> Coder:
        """Return the coder as it reads once stored: on the grid, with its hash."""
        return unpack(pack(Coder(self.item.name, self.family, self.item.labels, fits, self.vocabulary, self.idf)))


def fold_of(data: Labelled, part: dict[str, int]) -> npt.NDArray[np.int64]:
    """Return the part of each turn."""
    return np.array([part[str(s)] for s in data.series], dtype=np.int64)


def fit_rater(item: Item, data: Labelled, part: dict[str, int]) -> tuple[Coder, FloatArray]:
    """Return the coder with its cross-fitted weights, and what it says of ``data`` out of fold.

    The examples written for this project are in every fit and in no figure.
    """
    every = together(data, written_turns(item))
    fitter = Fitter(item, "raters", every, features_of(every.windows, item.name, "raters"))
    fold = np.concatenate([fold_of(data, part), np.full(len(every) - len(data), ALWAYS)])
    everything = np.ones(len(every), dtype=bool)
    fits = {f"fold{k}": fitter.weights(fold != k, fold) for k in range(FOLDS)}
    coder = fitter.coder({"full": fitter.weights(everything, fold), **fits})
    own, p = fold[: len(data)], np.zeros((len(data), len(item.labels)))
    for k in range(FOLDS):
        p[own == k] = coder.read([w for w, f in zip(data.windows, own, strict=True) if f == k], f"fold{k}")
    return coder, p


def fit_ear(item: Item, data: Labelled, halves: dict[str, int], part: dict[str, int]) -> tuple[Coder, FloatArray, Mask]:
    """Return the coder fitted on one half of the series, what it says of all turns, and the half it never saw."""
    fitter = Fitter(item, "ears", data, features_of(data.windows, item.name, "ears"))
    mine = fold_of(data, halves) == 0
    coder = fitter.coder({"full": fitter.weights(mine, fold_of(data, part))})
    return coder, coder.read(data.windows), ~mine


def flip(data: Labelled, at: int, n_labels: int) -> Labelled:
    """Return the data with one human label changed: the smallest change a hash has to notice."""
    gold = data.gold.copy()
    gold[at] = (gold[at] + 1) % n_labels
    return replace(data, gold=gold)


def length_only(texts: Sequence[str], gold: Ints, fold: Ints, n: int) -> Ints:
    """Return what a coder says out of fold that sees nothing but the number of words.

    Labels are weighed as for the coders or evenly, whichever gives the higher floor.
    """
    words = np.log1p([len(text.split()) for text in texts])
    x = sparse.csr_matrix(np.stack([words, words**2, np.ones(len(words))], axis=1))
    answers = []
    for power in (RARE, 1.0):
        coded = np.zeros(len(gold), dtype=np.int64)
        for k in np.unique(fold):
            train = fold != k
            weight = class_weights(gold[train], n, power)
            coded[~train] = (x[~train] @ Problem(x[train], gold[train], weight, n, c=1.0).solve()).argmax(axis=1)
        answers.append(coded)
    return max(answers, key=lambda coded: float(np.mean(f1_by_label(tally(gold, coded, fold, n)))))


@dataclass(frozen=True)
class Measured:
    """One coder with what it says of every turn, the turns its figures may be measured on, and their folds."""

    item: Item
    data: Labelled
    coder: Coder
    says: FloatArray
    rows: Mask
    fold: npt.NDArray[np.int64]

    def evidence(self, data_sha256: str) -> Evidence:
        """Return everything the card says, out of fold."""
        c, d, n = self.coder, self.data, len(self.item.labels)
        texts = [w.turn.text for w in d.windows]
        return Evidence(
            name=f"{self.item.name}.{VERSION}",
            item=self.item.name,
            side=c.family,
            kind="one",
            labels=self.item.labels,
            reads=self.item.speaker,
            definition=DEFINITIONS[self.item.name],
            corpus=ANNOMI,
            data_sha256=data_sha256,
            windows=[w for w, r in zip(d.windows, self.rows, strict=True) if r],
            gold=d.gold[self.rows],
            group=d.series[self.rows],
            p=self.says[self.rows],
            decided=self.says[self.rows].argmax(axis=1),
            floor=tfidf_floor([(text,) for text in texts], d.gold, self.fold, n, c=1.0)[self.rows],
            length=length_only(texts, d.gold, self.fold, n)[self.rows],
            read=c.read,
            decide=c.decide,
            sha256=c.sha256,
            fit_command=COMMAND,
            weighting=WEIGHTING,
            validation=VALIDATION[c.family],
            scope=SCOPE,
            bundle=ANNOMI.bundle,
            licence=LICENCE,
            extra_data=(f"{LICENCE_OF_WRITTEN}: {FILES[self.item.name]}",) if c.family == "raters" else (),
            temperature=c.fits["full"].temperature,
            ceiling=CEILINGS[self.item.name],
            published=PUBLISHED[self.item.name],
        )

    def fitted_on(self) -> dict[str, Any]:
        """Return how much the shipped weights saw: everything, or for an ear the half it was not measured on."""
        seen = ~self.rows if self.coder.family == "ears" else np.ones(len(self.data), dtype=bool)
        counts = np.bincount(self.data.gold[seen], minlength=len(self.item.labels)).tolist()
        by_label = dict(zip(self.item.labels, counts, strict=True))
        return {"groups": len(set(self.data.series[seen].tolist())), "turns": int(seen.sum()), "by_label": by_label}


def cards_of(rater: Measured, ear: Measured, data_sha256: str) -> list[tuple[Coder, dict[str, Any]]]:
    """Return both cards of one item; each says how far ear and rater are apart on turns that neither saw."""
    unseen, n = ear.rows, len(ear.item.labels)
    theirs, heard = (m.says[unseen].argmax(axis=1) for m in (rater, ear))
    apart = figure(disagreement(tally(theirs, heard, ear.data.series[unseen], n), rng=20_260_104), UNIT)
    out = []
    for m in (rater, ear):
        card = card_of(m.evidence(data_sha256))
        card["data"] |= m.fitted_on()
        out.append((m.coder, card | {"disagreement": apart}))
    return out


def fit_all(
    ts: Sequence[Trajectory], data_sha256: str, flipped: int | None = None, items: Sequence[Item] = ITEMS
) -> dict[str, bytes]:
    """Return every file this script makes, by path inside the reading room."""
    part, halves = split_series(ts, FOLDS), split_series(ts, 2)
    folds = {fingerprint(t.turns): part[series_of(t)] for t in ts}
    out = {TABLE: as_json({"corpus": "AnnoMI", "data_sha256": data_sha256, "folds": folds})}
    for item in items:
        data = labelled(ts, item)
        if flipped is not None:
            data = flip(data, flipped, len(item.labels))
        coder, p = fit_rater(item, data, part)
        rater = Measured(item, data, coder, p, np.ones(len(data), dtype=bool), fold_of(data, part))
        coder, heard, unseen = fit_ear(item, data, halves, part)
        ear = Measured(item, data, coder, heard, unseen, fold_of(data, halves))
        for fitted, card in cards_of(rater, ear, data_sha256):
            name = f"{item.name}.{VERSION}"
            out[f"{fitted.family}/weights/{name}.safetensors"] = pack(fitted)
            out[f"{fitted.family}/cards/{name}.json"] = as_json(Card.model_validate(card).model_dump())
    return out


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and write, or check."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("--flip-label", type=int, metavar="N", help="change the N-th label of each item first")
    asked = parser.parse_args(argv)
    return write_or_check(lambda: fit_all(*load_annomi(asked.data), asked.flip_label), asked)


if __name__ == "__main__":
    sys.exit(main())
