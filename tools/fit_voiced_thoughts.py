"""Fit the Socratic therapist's ear for voiced thoughts (therapists/voiced_thoughts.json).

    OMP_NUM_THREADS=1 python tools/fit_voiced_thoughts.py [--check]

Written turns in which language models marked the words one could quote back and examine
(tools/written/thoughts.jsonl). One logistic model of clauses; figures with whole voices held out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from refitting import as_json, parser_of, write_or_check
from turnwise.core.nouns import FloatArray
from turnwise.stats.auc import auc
from turnwise.therapists.target_thoughts import CLEAR, clauses_of, likeness
from turnwise.therapists.voiced_thoughts import ASPECTS, Clause, numbers_of

OUT = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "therapists"
MARKED = Path(__file__).resolve().parent / "written" / "thoughts.jsonl"
PENALTY_C, FOLDS, SEED, DIGITS = 0.1, 8, 20_261_128, 4
SAME, OTHER = 0.7, 0.35
"""Share of words in common with marked ones from which a clause is a thought, and below which it is none."""
ALARMS = (0.01, 0.02, 0.05)
"""Shares of turns without a thought in which one is heard, at which recall is told."""


@dataclass(frozen=True)
class Row:
    """A clause of a marked turn: 1 where it is a thought, 0 where not, -1 where it is in between (not fitted on)."""

    turn: int
    voice: str
    clause: Clause
    label: int


def marked() -> list[dict[str, Any]]:
    """Return the marked turns."""
    return [json.loads(line) for line in MARKED.read_text(encoding="utf-8").splitlines()]


def rows_of(turns: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Return the clauses of all turns with their labels."""
    rows = []
    for i, turn in enumerate(turns):
        spans = [_words(s) for s in (turn["thought"], *turn["also"]) if s]
        for clause in clauses_of(turn["text"]):
            best = max((_shared(_words(clause.words), s) for s in spans), default=0.0)
            rows.append(Row(i, turn["voice"], clause, 1 if best >= SAME else 0 if best < OTHER else -1))
    return rows


def _words(text: str) -> frozenset[str]:
    return frozenset("".join(c if c.isalnum() or c in "' " else " " for c in text.lower().replace("’", "'")).split())


def _shared(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(1, len(a | b))


def numbers(rows: Sequence[Row], turns: Sequence[Mapping[str, Any]]) -> FloatArray:
    """Return the numbers of all clauses, (n, d), turn by turn as the therapist reads them."""
    by_turn: dict[int, list[Clause]] = {}
    for r in rows:
        by_turn.setdefault(r.turn, []).append(r.clause)
    return np.concatenate([numbers_of(clauses, turns[i]["text"]) for i, clauses in by_turn.items()])


def solved(x: FloatArray, y: npt.NDArray[np.int64]) -> tuple[FloatArray, float]:
    """Return the weights (d,) and the bias of the model; what lies in between is left out."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=PENALTY_C, max_iter=3_000).fit(x[y >= 0], y[y >= 0])
    return np.asarray(model.coef_[0]), float(model.intercept_[0])


def held_out(x: FloatArray, rows: Sequence[Row]) -> FloatArray:
    """Return the chance of every clause by models that heard nothing of its voice, (n,)."""
    y, voices = np.array([r.label for r in rows]), sorted({r.voice for r in rows})
    fold = {v: i % FOLDS for i, v in enumerate(np.random.default_rng(SEED).permutation(voices))}
    where, p = np.array([fold[r.voice] for r in rows]), np.zeros(len(rows))
    for k in range(FOLDS):
        w, b = solved(x[where != k], y[where != k])
        p[where == k] = 1.0 / (1.0 + np.exp(-(x[where == k] @ w + b)))
    return p


def figures(p: FloatArray, rows: Sequence[Row], turns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how well thoughts are told from other clauses, and what is found of whole turns; beside the nets alone."""
    y = np.array([r.label for r in rows])
    clear = y >= 0
    voice = np.unique([r.voice for r in rows], return_inverse=True)[1]
    area = auc(p[clear], y[clear] == 1, rng=SEED, clusters=voice[clear])
    best: dict[int, int] = {}
    for j, r in enumerate(rows):
        if r.turn not in best or p[j] > p[best[r.turn]]:
            best[r.turn] = j
    has = np.array([bool(t["thought"]) for t in turns])
    top = np.array([p[best[i]] if i in best else 0.0 for i in range(len(turns))])
    right = np.array([i in best and y[best[i]] != 0 for i in range(len(turns))])
    nets = np.zeros(len(turns), dtype=bool)
    for r in rows:
        nets[r.turn] |= likeness(r.clause.words) >= CLEAR
    found = {}
    for share in ALARMS:
        over = top > np.quantile(top[~has], 1.0 - share)
        found[str(share)] = {"recall": _round(over[has].mean()), "right_clause": _round(right[over & has].mean())}
    return {
        "turns": len(turns), "with_a_thought": int(has.sum()), "clauses": len(rows),
        "auc": [_round(v) for v in (area.value, area.low, area.high) if v is not None],
        "at_false_alarms": found,
        "nets_alone": {"recall": _round(nets[has].mean()), "false_alarms": _round(nets[~has].mean())},
    }  # fmt: skip


def _round(x: Any) -> float:
    return round(float(x), 3)


def fit() -> Mapping[str, bytes]:
    """Return voiced_thoughts.json."""
    turns = marked()
    rows = rows_of(turns)
    x = numbers(rows, turns)
    w, b = solved(x, np.array([r.label for r in rows]))
    n, d = len(ASPECTS), (x.shape[1] - len(ASPECTS)) // 2
    document = {
        "about": {"fit": "OMP_NUM_THREADS=1 python tools/fit_voiced_thoughts.py", "penalty_c": PENALTY_C,
                  "voices_held_out": figures(held_out(x, rows), rows, turns)},
        "aspects": {name: _number(v) for name, v in zip(ASPECTS, w, strict=False)},
        "clause": _lines(w[n : n + d]), "turn": _lines(w[n + d :]), "bias": _number(b),
    }  # fmt: skip
    return {"voiced_thoughts.json": as_json(document)}


def _number(x: float) -> str:
    return f"{float(x):.{DIGITS}f}"


def _lines(x: FloatArray, per_line: int = 16) -> list[str]:
    return [" ".join(_number(v) for v in x[i : i + per_line]) for i in range(0, len(x), per_line)]


if __name__ == "__main__":
    sys.exit(write_or_check(fit, parser_of(__doc__ or "", corpora=False, out=OUT).parse_args()))
