"""Fit the coders of turns again: weights, cards and the table of training sessions.

    OMP_NUM_THREADS=1 python tools/fit_turn_coders.py DATA_DIR [--check]

Reads DATA_DIR/annomi/dialogues.jsonl.gz. With --check nothing is written and the exit code says
whether a refit gives, byte for byte, what ships. Needs the extra [fit].
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from coder_cards import CardInput, card_of
from linear_fit import (
    Problem,
    as_weights,
    choose_terms,
    class_weights,
    columns_in_use,
    design,
    fit_temperature,
    squared_idf,
)
from turn_corpus import FOLDS, ITEMS, Item, Labelled, labelled, load_annomi, series_of, split_series
from turnwise.core.nouns import FloatArray, Trajectory
from turnwise.reading.cards import Card
from turnwise.reading.coder import Coder, LinearWeights, pack, unpack
from turnwise.reading.features import Family, Features, features_of
from turnwise.reading.training_sessions import TABLE, fingerprint

READING = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "reading"
VERSION = "v1"
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
        self._solved: dict[bytes, FloatArray] = {}

    def solve(self, rows: Mask, polish: int = 4) -> FloatArray:
        """Return the weights (d + 1, L) of a fit on ``rows``; unused columns are zero."""
        key = rows.tobytes()
        if key not in self._solved:
            sizes = [len(v) for v in self.vocabulary.values()]
            use = columns_in_use(self.x, rows, self.features.dense.shape[1], sizes)
            y, n = self.data.gold[rows], len(self.item.labels)
            out = np.zeros((self.x.shape[1], n))
            even = class_weights(y, n)
            weight = even * self.data.weight[rows]
            out[use] = Problem(self.x[rows][:, use], y, weight * (even.sum() / weight.sum()), n).solve(polish)
            self._solved[key] = out
        return self._solved[key]

    def temperature(self, rows: Mask, fold: npt.NDArray[np.int64]) -> float:
        """Return the temperature of a fit on ``rows``, from logits held out fold by fold inside them."""
        logits = np.zeros((len(rows), len(self.item.labels)))
        for k in np.unique(fold[rows]):
            held = rows & (fold == k)
            logits[held] = self.x[held] @ self.solve(rows & ~held, polish=0)
        return fit_temperature(logits[rows], self.data.gold[rows])

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
    """Return the coder with its cross-fitted weights, and what it says out of fold."""
    fitter = Fitter(item, "raters", data, features_of(data.windows, item.name, "raters"))
    fold = fold_of(data, part)
    everything = np.ones(len(data), dtype=bool)
    fits = {f"fold{k}": fitter.weights(fold != k, fold) for k in range(FOLDS)}
    coder = fitter.coder({"full": fitter.weights(everything, fold), **fits})
    p = np.zeros((len(data), len(item.labels)))
    for k in range(FOLDS):
        p[fold == k] = coder.read([w for w, f in zip(data.windows, fold, strict=True) if f == k], f"fold{k}")
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


def fit_all(
    ts: Sequence[Trajectory], data_sha256: str, flipped: int | None = None, items: Sequence[Item] = ITEMS
) -> dict[str, bytes]:
    """Return every file this script makes, by path inside the reading room."""
    part, halves = split_series(ts, FOLDS), split_series(ts, 2)
    folds = {fingerprint(t.turns): part[series_of(t)] for t in ts}
    out = {TABLE: _json({"corpus": "AnnoMI", "data_sha256": data_sha256, "folds": folds})}
    for item in items:
        data = labelled(ts, item)
        if flipped is not None:
            data = flip(data, flipped, len(item.labels))
        rater, p = fit_rater(item, data, part)
        ear, heard, unseen = fit_ear(item, data, halves, part)
        series, sha256 = part, data_sha256
        every = np.ones(len(data), dtype=bool)
        for coder, says, other, rows in ((rater, p, heard, every), (ear, heard, p, unseen)):
            given = CardInput(item, data, coder, says, other, rows, unseen, fold_of(data, series), sha256)
            name = f"{item.name}.{VERSION}"
            out[f"{coder.family}/weights/{name}.safetensors"] = pack(coder)
            out[f"{coder.family}/cards/{name}.json"] = _json(Card.model_validate(card_of(name, given)).model_dump())
    return out


def _json(content: Any) -> bytes:
    return (json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8")


def differing(made: dict[str, bytes], folder: Path) -> list[str]:
    """Return the paths whose bytes under ``folder`` are not those made now."""
    return [p for p, b in sorted(made.items()) if not (folder / p).is_file() or (folder / p).read_bytes() != b]


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and write, or check."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # comes with scikit-learn, the extra [fit]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder that holds annomi/dialogues.jsonl.gz")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a refit differs from what ships")
    parser.add_argument("--flip-label", type=int, metavar="N", help="change the N-th label of each item first")
    parser.add_argument("--out", type=Path, default=READING, help="the reading room to write into")
    asked = parser.parse_args(argv)
    with threadpool_limits(limits=1):  # sums over threads differ in their last bits
        made = fit_all(*load_annomi(asked.data), asked.flip_label)
    different = differing(made, asked.out)
    if asked.check:
        print("\n".join(f"differs: {p}" for p in different) or f"all {len(made)} files are the same")
        return 1 if different else 0
    for path, content in made.items():
        (asked.out / path).parent.mkdir(parents=True, exist_ok=True)
        (asked.out / path).write_bytes(content)
        print(f"{'wrote' if path in different else 'same'}: {path} ({len(content):,} bytes)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
