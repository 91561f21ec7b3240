"""What the card of the question ranker says: how often an acceptable answer comes first, on cases held out whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from question_corpus import Question
from turnwise.core.nouns import FloatArray
from turnwise.patients.index import CaseIndex

__all__ = ["card_of", "sure_enough"]

Scored = Sequence[tuple[Question, FloatArray, FloatArray]]
JUDGED = Path(__file__).resolve().parent / "probes_adjudicated.yaml"
"""What a blind judge said of answers that stood on no accepted list (its head says how)."""
LEAST_SURE, HIGHEST, GRID = 0.3, 0.95, 0.05
_SOURCES = {
    "author": "probes by the author of the case",
    "other": "probes by another hand, from the intake alone, then judged against the case",
    "new": "probes by another hand again, 28 to a case, when everything else was settled; nothing is fitted on them",
    "stranger": "questions by further hands, from the intake alone, that became known questions of the case: "
    "each is compared with all others but itself, and (of other cases) they train the ranker",
    "live": "what language models asked as therapists in whole sessions, the six likeliest answers of the day "
    "judged by one or two others; many became known questions, each compared with all others but itself; "
    "'nothing' is right where none of the six fits",
    "ask": "known questions of the case, each compared with all others but itself",
    "absent": "questions made by rule for what the case says is not there",
    "odd": "questions that no case can answer; 'nothing' is the accepted answer",
}


def _softmax(z: FloatArray) -> FloatArray:
    e = np.exp(z - z.max())
    return np.asarray(e / e.sum())


def _is_proposition(index: CaseIndex, option: int) -> bool:
    n_t = len(index.order)
    return n_t <= option < n_t + len(index.propositions)


def sure_enough(indexed: Mapping[str, CaseIndex], scored: Scored) -> tuple[float, float]:
    """Return the least probabilities at which a yes/no may be given, all words covered or not.

    Each is the lowest step at which no held-out question that no case can answer gets a yes or a no.
    """
    found = []
    for covered in (True, False):
        false = [
            float(_softmax(z).max())
            for q, z, y in scored
            if q.source == "odd"
            and _is_proposition(indexed[q.case], int(z.argmax()))
            and (q.uncovered[int(z.argmax())] == 0) == covered
        ]
        steps = np.arange(LEAST_SURE, HIGHEST + GRID / 2, GRID)
        found.append(float(round(next((s for s in steps if all(p < s for p in false)), HIGHEST), 2)))
    return found[0], found[1]


def _figures(rows: Sequence[tuple[bool, bool]], cases: Sequence[str]) -> dict[str, Any]:
    first, three = np.array([r[0] for r in rows], float), np.array([r[1] for r in rows], float)
    names = sorted(set(cases))
    by = np.array(cases)
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(2_000):
        at = np.concatenate([np.flatnonzero(by == n) for n in rng.choice(names, len(names))])
        draws.append((first[at].mean(), three[at].mean()))
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)

    def estimate(value: float, i: int) -> dict[str, float]:
        return {"value": round(value, 3), "low": round(float(low[i]), 3), "high": round(float(high[i]), 3)}

    return {"n": len(rows), "cases": len(names), "top_1": estimate(first.mean(), 0), "top_3": estimate(three.mean(), 1)}


def judged(indexed: Mapping[str, CaseIndex], scored: Scored) -> dict[str, Any]:
    """Return how often the first answer is on the accepted list or was found to fit by a blind judge.

    The judge saw what one ranker chose: of another one that chooses anew, this is a lower bound.
    """
    found = yaml.safe_load(JUDGED.read_text(encoding="utf-8"))["judged"]
    fits = {(x["case"], x["focus"], x["say"], x["option"]) for x in found if x["fits"]}
    out: dict[str, Any] = {}
    for kind in ("accepted", "decoy"):
        own = [x["fits"] for x in found if x["shown_as"] == kind.replace("accepted", "gold")]
        out[f"judge_takes_{kind}"] = {"n": len(own), "share": round(float(np.mean(own)), 3)}
    for source in ("other", "new"):
        own = [(q, z, y) for q, z, y in scored if q.source == source]
        rows = []
        for q, z, y in own:
            option = indexed[q.case].options[int(z.argmax())]
            hit = bool(y[z.argmax()]) or (q.case, q.focus, q.text, "none" if option == "-" else option) in fits
            rows.append((hit, hit or bool(y[np.argsort(-z)[:3]].any())))
        out[source] = _figures(rows, [q.case for q, _, _ in own])
    return out


def card_of(indexed: Mapping[str, CaseIndex], scored: Scored, sure: tuple[float, float], folds: int) -> dict[str, Any]:
    """Return the card."""
    by_source: dict[str, Any] = {}
    for source in ("author", "other", "new", "stranger", "live", "ask", "absent", "odd"):
        own = [(q, z, y) for q, z, y in scored if q.source == source]
        if not own:
            continue
        rows = [(bool(y[z.argmax()]), bool(y[np.argsort(-z)[:3]].any())) for _, z, y in own]
        by_source[source] = _figures(rows, [q.case for q, _, _ in own])
        if source in ("author", "other", "new"):
            by_source[source]["by_case"] = {
                n: [
                    round(float(np.mean([r[i] for r, (q, _, _) in zip(rows, own, strict=True) if q.case == n])), 3)
                    for i in (0, 1)
                ]
                for n in sorted({q.case for q, _, _ in own})
            }
    answered = [
        (
            q,
            _is_proposition(indexed[q.case], int(z.argmax()))
            and float(_softmax(z).max()) >= sure[int(q.uncovered[int(z.argmax())] > 0)],
        )
        for q, z, _ in scored
        if q.source == "odd"
    ]
    return {
        "what": "which of everything a case can say answers a question; its writer named the acceptable answers",
        "validation": f"whole cases held out, {folds} folds; intervals from a bootstrap over cases",
        "written_or_observed": "written",
        "sources": _SOURCES,
        "figures": by_source,
        "judged": judged(indexed, scored),
        "sure": {"covered": sure[0], "uncovered": sure[1]},
        "odd_yes_no_answered": round(float(np.mean([a for _, a in answered])), 4) if answered else None,
        "limits": [
            "The accepted lists are short: what is not on them may be acceptable too.",
            "The state allows less than the ranker finds: gates, needs and plans are no part of these figures.",
        ],
    }
