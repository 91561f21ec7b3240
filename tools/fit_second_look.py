"""Fit the second look at what a patient would tell (patients/weights/second_look.v2.json).

    python tools/fit_second_look.py [--check]

Of every question of a whole session (tools/live_questions.jsonl: the therapists and the judges are language models, the
patients are ours) the likeliest telling that had not been told, where the ranker gives it at least ``_LOOKED_AT``; what
is known to be that question itself is left out of what it is compared with. The share of judges that would not call it
an answer is fitted by a penalised logistic regression. Cases are held out whole for the figures, and what is let
through is the most at which one telling in ``1 / _WRONG`` plainly answers another question.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from question_corpus import FITS, WRONG, Question, as_heard, excluded, indices, live_questions
from refitting import as_json, patients_line
from turnwise.core.nouns import FloatArray
from turnwise.patients.index import CaseIndex
from turnwise.patients.matching import Candidates
from turnwise.patients.ranking import blocks, load_ranker
from turnwise.patients.second_look import ASPECTS, Asked, aspects

_PENALTY_C = 0.01
_LOOKED_AT = 0.2
_WRONG = 0.1
_GRID = 4096


def looked_at(index: CaseIndex, q: Question) -> tuple[FloatArray, float] | None:
    """Return the aspects of what would be told, and its mean verdict (0 to 2); ``None`` where nothing is likely."""
    query = as_heard(index, q)
    assert q.live is not None
    if query is None:
        return None
    found = blocks(index, query, excluded(q))
    scores = load_ranker().scores_of(found)
    scores[~q.open_to(index)] = -99.0
    tellings = scores[: len(index.order)].copy()
    tellings[index.never_asked_for | index.is_risky] = -99.0
    at = int(tellings.argmax())
    if tellings[at] < np.log(_LOOKED_AT) or index.order[at] not in q.live.verdicts:
        return None
    top = tuple((index.options[i], float(scores[i])) for i in np.argsort(-scores, kind="stable")[:3].tolist())
    c = Candidates(scores=scores[: len(index.order)], top=top, nothing=float(scores[-1]), block=found[0])
    x = aspects(index, Asked(query, q.live.turn, q.live.before), c, at)
    return np.array(list(x.values())), q.live.mean(index.order[at])


def rows() -> Iterator[tuple[str, FloatArray, float]]:
    """Yield case, aspects and mean verdict of what would be told to each question."""
    indexed = indices()
    for q in live_questions(indexed):
        found = looked_at(indexed[q.case], q)
        if found is not None:
            yield q.case, *found


def logistic(x: FloatArray, y: FloatArray, penalty_c: float) -> tuple[FloatArray, float]:
    """Return weights (d,) and bias of a fit to shares ``y`` (n,), penalised in units of each column's spread."""
    mean, spread = x.mean(axis=0), x.std(axis=0)
    spread = np.where(spread > 0.0, spread, 1.0)
    z = (x - mean) / spread
    labels, share = np.repeat([1, 0], len(y)), np.concatenate([y, 1.0 - y])
    model = LogisticRegression(C=penalty_c, max_iter=5_000, tol=1e-10).fit(
        np.vstack([z, z]), labels, sample_weight=share
    )
    weights = model.coef_[0] / spread
    return weights, float(model.intercept_[0] - weights @ mean)


def probability(x: FloatArray, weights: FloatArray, bias: float) -> FloatArray:
    """Return the probability (n,) that each is beside the question."""
    return np.asarray(1.0 / (1.0 + np.exp(-(x @ weights + bias))))


def most_for(p: FloatArray, wrong: FloatArray, share: float) -> float:
    """Return the greatest probability up to which at most ``share`` of what is let through is wrong."""
    order = np.argsort(p, kind="stable")
    kept = np.flatnonzero(np.cumsum(wrong[order]) / np.arange(1, len(p) + 1) <= share)
    return float(p[order][kept[-1]]) if len(kept) else 0.0


def fit() -> dict[str, bytes]:
    """Return the file that ships."""
    found = list(rows())
    cases, x, mean = np.array([r[0] for r in found]), np.array([r[1] for r in found]), np.array([r[2] for r in found])
    y, wrong = 1.0 - mean / 2.0, (mean <= WRONG).astype(np.float64)
    held_out = np.zeros(len(y))
    for case in sorted(set(cases)):
        of_it = cases == case
        held_out[of_it] = probability(x[of_it], *logistic(x[~of_it], y[~of_it], _PENALTY_C))
    most = most_for(held_out, wrong, _WRONG)
    weights, bias = logistic(x, y, _PENALTY_C)
    told = held_out <= most
    content = {
        "aspects": list(ASPECTS),
        "weights": [round(float(w) * _GRID) / _GRID for w in weights],
        "bias": round(bias * _GRID) / _GRID,
        "most": round(most * _GRID) / _GRID,
        "figures": {
            "looked_at": len(y),
            "fits": int((mean >= FITS).sum()),
            "wrong": int(wrong.sum()),
            "auc_held_out": round(float(roc_auc_score(wrong, held_out)), 3),
            "auc_of_the_score_alone": round(float(roc_auc_score(wrong, -x[:, 0])), 3),
            "told": int(told.sum()),
            "told_and_fits": int((told & (mean >= FITS)).sum()),
            "told_and_wrong": int((told & (wrong > 0)).sum()),
        },
        "source": "tools/live_questions.jsonl, judged by language models; written by tools/fit_second_look.py",
    }
    return {"weights/second_look.v2.json": as_json(content)}


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, then write or check."""
    return patients_line(__doc__ or "", fit, argv)


if __name__ == "__main__":
    sys.exit(main())
