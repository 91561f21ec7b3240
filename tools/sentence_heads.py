"""What other corpora can say of a sentence: linear heads, fitted apart, that the coder of MI codes listens to.

AnnoMI (behaviours and subtypes, shares of annotators), ESConv (support strategies) and EPITOME
(levels of three mechanisms). A head is a signal, not a coder: it is never calibrated or shown.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import optimize, sparse

from linear_fit import polished
from turnwise.core.nouns import FloatArray, Turn
from turnwise.reading.sentence_coder import HEADS_GRID, Heads, sigmoid
from turnwise.reading.sentence_features import RECIPES, Rows, rows_of
from turnwise.reading.terms import END, START, Vocabulary, tokens_of
from turnwise.reading.window import Window

FILES = {
    "annomi/dialogues.jsonl.gz": "AnnoMI: R, released for research, no licence file",
    "esconv/dialogues.jsonl.gz": "ESConv: NC (CC BY-NC 4.0)",
    "failed_esconv/dialogues.jsonl.gz": "FailedESConv: NC",
    "epitome/pairs.csv.gz": "EPITOME: NC (non-profit academic research)",
}
ANNOMI = ("question", "reflection", "therapist_input")
SUBTYPES = ("open", "closed", "simple", "complex", "information", "advice", "negotiation", "options")
MECHANISMS = ("emotional_reactions", "interpretations", "explorations")
DENSE = ("said", "cues", "length")
SCALES = {"said": 3.0, "cues": 0.7}
TERMS = 2.5
MIN_TEXTS = 25
C = 0.1


@dataclass(frozen=True)
class Source:
    """Texts of one corpus and what people said of them, (n, labels) in [0, 1]."""

    texts: list[str]
    held: FloatArray


def _jsonl(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _annomi(data: Path) -> Source:
    texts, held = [], []
    for d in _jsonl(data / "annomi/dialogues.jsonl.gz"):
        for t in d["turns"]:
            if t["speaker"] != "therapist":
                continue
            said = t["labels"]["annotations"]
            does = [[a.get(f"{b}_exists") == "True" for b in ANNOMI] for a in said]
            kinds = [[s in (a.get(f"{b}_subtype") for b in ANNOMI) for s in SUBTYPES] for a in said]
            rows = [[*x, not any(x), *k] for x, k in zip(does, kinds, strict=True)]
            texts.append(t["text"])
            held.append(np.mean(np.array(rows, dtype=np.float64), axis=0))
    return Source(texts, np.array(held))


def _esconv(data: Path) -> Source:
    found = [
        (u["text"], u["labels"]["strategy"])
        for name in ("esconv", "failed_esconv")
        for d in _jsonl(data / name / "dialogues.jsonl.gz")
        for u in d["turns"]
        if u["speaker"] == "therapist" and u["labels"].get("strategy")
    ]
    names = sorted({s for _, s in found})
    return Source([t for t, _ in found], np.array([[float(s == n) for n in names] for _, s in found]))


def _epitome(data: Path) -> Source:
    with gzip.open(data / "epitome/pairs.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    (column,) = (c for c in rows[0] if "response" in c)
    held = [[float(float(r[f"{m}_level"]) >= level) for m in MECHANISMS for level in (1, 2)] for r in rows]
    return Source([r[column] for r in rows], np.array(held))


def sources(data: Path) -> dict[str, Source]:
    """Return the corpora that heads are fitted on."""
    return {"annomi": _annomi(data), "esconv": _esconv(data), "epitome": _epitome(data)}


def terms_of(text: str, longest: int) -> tuple[str, ...]:
    """Return the distinct n-grams of a text with its start and end marked, in order."""
    words = [START, *tokens_of(text), END]
    found = dict.fromkeys(words)
    for n in range(2, longest + 1):
        found |= dict.fromkeys(map(" ".join, zip(*(words[i:] for i in range(n)), strict=False)))
    return tuple(found)


def vocabulary_of(texts: Sequence[str], longest: int, fewest: int) -> tuple[Vocabulary, FloatArray]:
    """Return the n-grams that enough texts have, sorted, with their squared inverse document frequency."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(terms_of(text, longest))
    terms = sorted(t for t, n in counts.items() if n >= fewest)
    idf = np.array([np.log((1 + len(texts)) / (1 + counts[t])) + 1 for t in terms])
    return Vocabulary(terms, marks=True), np.round(idf**2, 4).astype(np.float32).astype(np.float64)


def tfidf(vocabulary: Vocabulary, squared_idf: FloatArray, texts: Sequence[str]) -> Any:
    """Return the tf-idf rows of length one, sparse."""
    occurs = vocabulary.matrix(texts)
    length = np.sqrt(np.maximum(occurs @ squared_idf, 1e-12))
    return (sparse.diags(1.0 / length) @ occurs @ sparse.diags(np.sqrt(squared_idf))).tocsr()


def _spread(weights: FloatArray, item: str) -> FloatArray:
    """Return the weights of ``DENSE`` on all dense columns of the coder; what a head does not see has zeros."""
    fixed = {"said": 256, "opening": 256, "length": 3}
    width = fixed | {"cues": len(weights) - sum(fixed[name] for name in DENSE if name != "cues")}
    at = dict(zip(DENSE, np.split(weights, np.cumsum([width[name] for name in DENSE])[:-1]), strict=True))
    return np.concatenate([at.get(b, np.zeros((width[b], weights.shape[1]))) for b in RECIPES[item].dense])


def _solve(x: Any, held: FloatArray) -> FloatArray:
    d, n_labels = x.shape[1], held.shape[1]

    def back(r: FloatArray, flat: FloatArray) -> FloatArray:
        out = C * np.asarray(x.T @ r)
        out[:-1] += flat.reshape(d, n_labels)[:-1]
        return np.asarray(out).ravel()

    def value(flat: FloatArray) -> tuple[float, FloatArray]:
        w = flat.reshape(d, n_labels)
        s = np.asarray(x @ w)
        loss = C * (np.logaddexp(0.0, s) - held * s).sum() + 0.5 * (w[:-1] ** 2).sum()
        return float(loss), back(sigmoid(s) - held, flat)

    options = {"maxiter": 1_000, "maxcor": 20, "gtol": 1e-4, "ftol": 1e-12}
    flat = optimize.minimize(value, np.zeros(d * n_labels), jac=True, method="L-BFGS-B", options=options).x

    def product_at(at: FloatArray) -> Callable[[FloatArray], FloatArray]:
        p = sigmoid(np.asarray(x @ at.reshape(d, n_labels)))
        p = p * (1 - p)
        return lambda v: back(p * np.asarray(x @ v.reshape(d, n_labels)), v)

    flat = polished(flat, lambda at: value(at)[1], product_at, 4)
    return np.asarray(flat.reshape(d, n_labels))


def fit_heads(data: Path, item: str, labels: tuple[str, ...], mean: FloatArray) -> Heads:
    """Return the heads, on the grid they are stored on."""
    every = list(sources(data).values())
    recipe = replace(RECIPES[item], unit="turn", dense=DENSE, tied=None)
    found = [_rows(s.texts, item, labels, mean, recipe) for s in every]
    vocabulary, idf = vocabulary_of([t for s in every for t in s.texts], 2, MIN_TEXTS)
    d = found[0].dense.shape[1]
    scale = np.concatenate([np.full(256, SCALES["said"]), np.full(d - 256, SCALES["cues"])])
    solved = []
    for source, rows in zip(every, found, strict=True):
        words = tfidf(vocabulary, idf, source.texts) * TERMS
        x = sparse.hstack([sparse.csr_matrix(rows.dense * scale), words, np.ones((len(rows.dense), 1))]).tocsr()
        solved.append(_solve(x, source.held))
    w = np.concatenate(solved, axis=1)
    return Heads(
        dense=np.round(_spread(w[:d] * scale[:, None], item) * HEADS_GRID) / HEADS_GRID,
        terms=np.round(w[d:-1] * TERMS * np.sqrt(idf)[:, None] * HEADS_GRID) / HEADS_GRID,
        bias=np.round(w[-1], 4).astype(np.float32).astype(np.float64),
        vocabulary=vocabulary,
        squared_idf=idf,
    )


def _rows(texts: Sequence[str], item: str, labels: tuple[str, ...], mean: FloatArray, recipe: Any) -> Rows:
    windows = [Window(Turn(speaker="therapist", text=t)) for t in texts]
    return rows_of(windows, item, labels, mean, recipe=recipe)
