"""Fit the second look at what a patient would tell (patients/weights/second_look.v1.json).

    python tools/fit_second_look.py [--check]

Replies of whole sessions, each judged by two language models that saw no case and not the other's verdict
(tools/judged_replies.jsonl; the therapist's turns were written by language models, the patients are ours): wrong counts
1, doubt a half. A penalised logistic regression on few aspects; cases are held out whole for the figures, and the most
that is let through is what refuses one told reply in ten of the cases held out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from refitting import as_json, patients_line
from turnwise.core.nouns import FloatArray
from turnwise.patients.casebook import load_case
from turnwise.patients.index import index_case
from turnwise.patients.ranking import Query, blocks, load_ranker
from turnwise.patients.second_look import ASPECTS, aspects
from turnwise.patients.wanted import wanted
from turnwise.reading.ears.intents import read_intent

JUDGED = Path(__file__).parent / "judged_replies.jsonl"
_WORTH = {"ok": 0.0, "doubt": 0.5, "wrong": 1.0}
_PENALTY_C = 0.1
_REFUSED = 0.1
_GRID = 4096


def aspects_of(row: Mapping[str, Any]) -> FloatArray:
    """Return the aspects of a judged reply, as the patient of today would look at them."""
    index = index_case(load_case(row["case"]))
    q = Query(
        read_intent(row["question"]),
        row["question"],
        row["form"],
        frozenset(row["focus"]),
        row["topic"],
        tuple(row["named"]),
        frozenset(row["people"]),
    )
    scores = load_ranker().scores_of(blocks(index, q))
    at = index.position(row["told"])
    return np.array(list(aspects(index, q, at, float(scores[at]), float(scores[-1]), wanted(row["question"])).values()))


def logistic(x: FloatArray, y: FloatArray) -> tuple[FloatArray, float]:
    """Return weights (d,) and bias of a fit to shares ``y`` (n,), penalised in units of each column's spread."""
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    z = (x - mean) / spread
    labels, share = np.repeat([1, 0], len(y)), np.concatenate([y, 1.0 - y])
    model = LogisticRegression(C=_PENALTY_C, max_iter=5_000, tol=1e-10).fit(
        np.vstack([z, z]), labels, sample_weight=share
    )
    weights = model.coef_[0] / spread
    return weights, float(model.intercept_[0] - weights @ mean)


def probability(x: FloatArray, weights: FloatArray, bias: float) -> FloatArray:
    """Return the probability (n,) that each is beside the question."""
    return np.asarray(1.0 / (1.0 + np.exp(-(x @ weights + bias))))


def fit() -> dict[str, bytes]:
    """Return the file that ships."""
    rows = [json.loads(line) for line in JUDGED.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["kind"] == "tell" and row["told"] in index_case(load_case(row["case"])).places]
    x = np.array([aspects_of(row) for row in rows])
    y = np.array([np.mean([_WORTH[v] for v in row["verdicts"]]) for row in rows])
    cases = np.array([row["case"] for row in rows])
    held_out = np.zeros(len(y))
    for case in sorted(set(cases)):
        held_out[cases == case] = probability(x[cases == case], *logistic(x[cases != case], y[cases != case]))
    most = float(np.quantile(held_out, 1.0 - _REFUSED))
    weights, bias = logistic(x, y)
    wrong = y > np.mean([_WORTH["doubt"], _WORTH["wrong"]]) - 1e-9
    kept_out = held_out > most
    content = {
        "aspects": list(ASPECTS),
        "weights": [round(float(w) * _GRID) / _GRID for w in weights],
        "bias": round(bias * _GRID) / _GRID,
        "most": round(most * _GRID) / _GRID,
        "figures": {
            "told": len(y),
            "wrong": int(wrong.sum()),
            "auc_held_out": round(float(roc_auc_score(wrong, held_out)), 3),
            "auc_of_the_score_alone": round(float(roc_auc_score(wrong, -x[:, 0])), 3),
            "refused": int(kept_out.sum()),
            "wrong_refused": int((wrong & kept_out).sum()),
            "doubtful_refused": int(((y > 0) & ~wrong & kept_out).sum()),
        },
        "source": "tools/judged_replies.jsonl, judged by language models; written by tools/fit_second_look.py",
    }
    return {"weights/second_look.v1.json": as_json(content)}


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, then write or check."""
    return patients_line(__doc__ or "", fit, argv)


if __name__ == "__main__":
    sys.exit(main())
