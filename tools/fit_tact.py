"""Fit what the Socratic therapist expects a supervisor to say of a reply (therapists/tact.json).

    OMP_NUM_THREADS=1 python tools/fit_tact.py [--check]

Replies that language models judged as supervisors (tools/written/tact): what the controller said and what else it could
have said at each turn of whole sessions. Two logistic models, *not fitting* and *wrong*; figures on whole cases held
out.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from judged_replies import Judged, judged
from refitting import as_json, parser_of, write_or_check
from turnwise.core.nouns import FloatArray
from turnwise.engine.discovery import discover
from turnwise.stats.auc import auc
from turnwise.therapists.tact import COSTS, TURN_SCALE
from turnwise.therapists.tact_aspects import of_act, of_line, vectors_of

OUT = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "therapists"
LEAST, PENALTY_C, FOLDS, SEED = 8, 0.1, 8, 20_261_127
DIGITS = 4


def numbers(rows: Sequence[Judged]) -> tuple[list[str], sparse.csr_matrix]:
    """Return the names of aspects that come often enough, and all numbers of the replies, (n, d)."""
    named = [dict.fromkeys((*of_act(r.move, r.at), *of_line(r.line, r.move, r.at))) for r in rows]
    often = Counter(name for names in named for name in names)
    kept = sorted(name for name, n in often.items() if n >= LEAST)
    place = {name: i for i, name in enumerate(kept)}
    at = [[place[name] for name in names if name in place] for names in named]
    ends = np.cumsum([0, *map(len, at)])
    x = sparse.csr_matrix((np.ones(int(ends[-1])), np.concatenate(at), ends), shape=(len(rows), len(kept)))
    turns = np.array([r.at.vector for r in rows])
    lines = np.concatenate([vectors_of([r.line], r.at) for r in rows])
    return kept, sparse.hstack([x, sparse.csr_matrix(TURN_SCALE * np.c_[turns, lines])]).tocsr()


def solved(x: sparse.csr_matrix, y: npt.NDArray[np.bool_], weight: FloatArray) -> tuple[FloatArray, float]:
    """Return the weights (d,) and the bias of one logistic model."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=PENALTY_C, max_iter=2_000).fit(x, y, sample_weight=weight)
    return np.asarray(model.coef_[0]), float(model.intercept_[0])


def held_out(x: sparse.csr_matrix, rows: Sequence[Judged]) -> FloatArray:
    """Return both probabilities of every reply, (n, 2), by models that saw nothing of its case."""
    verdict, weight = np.array([r.verdict for r in rows]), np.array([r.weight for r in rows])
    cases = sorted({r.case for r in rows})
    fold = {case: i % FOLDS for i, case in enumerate(np.random.default_rng(SEED).permutation(cases))}
    where, p = np.array([fold[r.case] for r in rows]), np.zeros((len(rows), 2))
    for k in range(FOLDS):
        out = where == k
        for j, least in enumerate((1, 2)):
            w, b = solved(x[~out], verdict[~out] >= least, weight[~out])
            p[out, j] = 1.0 / (1.0 + np.exp(-(x[out] @ w + b)))
    return p


def figures(p: FloatArray, rows: Sequence[Judged]) -> dict[str, Any]:
    """Return how well judged replies are told apart, and what choosing by it would have said at the same turns."""
    verdict, said = np.array([r.verdict for r in rows]), np.array([r.said for r in rows])
    cases = np.array([r.case for r in rows])

    def area(j: int, which: npt.NDArray[np.bool_]) -> list[float]:
        found = auc(p[which, j], verdict[which] > j, rng=SEED, clusters=np.unique(cases, return_inverse=True)[1][which])
        return [round(float(v), 3) for v in (found.value, found.low, found.high) if v is not None]

    everything = np.ones(len(rows), dtype=bool)
    return {
        "replies": len({(r.place, r.line.text) for r in rows}),
        "verdicts": len(rows),
        "judged": {name: int((verdict == i).sum()) for i, name in enumerate(("ok", "weak", "wrong"))},
        "judged_of_what_was_said": {n: int((verdict[said] == i).sum()) for i, n in enumerate(("ok", "weak", "wrong"))},
        "auc_not_fitting": area(0, everything),
        "auc_wrong": area(1, everything),
        "auc_wrong_of_what_was_said": area(1, said),
        "judges_agree": agreement(rows),
        "choosing": choosing(p, rows),
    }


def agreement(rows: Sequence[Judged]) -> dict[str, Any]:
    """Return how often two judges of one reply said the same, and how often one said wrong and the other fitting."""
    by: dict[Any, list[int]] = defaultdict(list)
    for r in rows:
        if r.weight < 1.0:
            by[(r.place, r.line.text)].append(r.verdict)
    pairs = [v[:2] for v in by.values() if len(v) > 1]
    same = float(np.mean([a == b for a, b in pairs])) if pairs else float("nan")
    return {"pairs": len(pairs), "same": round(same, 3),
            "opposite": round(float(np.mean([abs(a - b) == 2 for a, b in pairs])), 3) if pairs else None}  # fmt: skip


def choosing(p: FloatArray, rows: Sequence[Judged]) -> dict[str, Any]:
    """Return shares of turns judged wrong, and not fitting: of what was said, of what would be chosen, of the best."""
    turns: dict[Any, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for i, r in enumerate(rows):
        turns[r.place][r.line.text].append(i)
    kept = []
    for replies in turns.values():
        known = [(float(np.mean([rows[i].verdict for i in at])), float(p[at[0]] @ COSTS), rows[at[0]].said)
                 for at in replies.values()]  # fmt: skip
        said = [v for v, _, s in known if s]
        if said and len(known) > 1:
            kept.append((said[0], min(known, key=lambda k: k[1])[0], min(v for v, _, _ in known)))
    x = np.array(kept)
    return {"turns": len(x)} | {
        name: {
            "wrong": round(float((x[:, i] > 1.5).mean()), 3),
            "not_fitting": round(float((x[:, i] >= 0.5).mean()), 3),
        }
        for i, name in enumerate(("said", "chosen", "best_judged"))
    }


def fit() -> Mapping[str, bytes]:
    """Return tact.json."""
    discover(third_parties=False)
    rows = judged()
    names, x = numbers(rows)
    verdict, weight = np.array([r.verdict for r in rows]), np.array([r.weight for r in rows])
    both = [solved(x, verdict >= least, weight) for least in (1, 2)]
    w = np.round(np.stack([b[0] for b in both], axis=1), DIGITS)
    n, d = len(names), rows[0].at.vector.size
    document = {
        "about": {"fit": "OMP_NUM_THREADS=1 python tools/fit_tact.py", "least": LEAST, "penalty_c": PENALTY_C,
                  "cases_held_out": figures(held_out(x, rows), rows)},
        "aspects": {name: _row(w[i]) for i, name in enumerate(names) if w[i].any()},
        "turn": [_row(x) for x in w[n : n + d]], "line": [_row(x) for x in w[n + d :]],
        "bias": _row([b[1] for b in both]),
    }  # fmt: skip
    return {"tact.json": as_json(document)}


def _row(x: Any) -> str:
    """Return numbers as they are stored, a line each, so that a refit reads well in a comparison."""
    return " ".join(f"{float(v):.{DIGITS}f}" for v in x)


if __name__ == "__main__":
    sys.exit(write_or_check(fit, parser_of(__doc__ or "", corpora=False, out=OUT).parse_args()))
