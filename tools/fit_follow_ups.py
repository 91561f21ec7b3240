"""Fit when a follow-up answers a question about what was just told (patients/weights/follow_ups.v1.json).

    python tools/fit_follow_ups.py [--check]

A question stands against every follow-up of the telling that was told last. It is one of the ways of asking that came
with the follow-up (left out of what it is compared with): then that one answers and the others do not; or it is a known
question of something else in the case, most of them about the same subject: then none does. A penalised logistic
regression on few aspects over all cases. The figures are of questions that were put by other hands to somebody whose
last words they had read, and judged by others again (tools/follow_ups_judged.yaml), each case held out whole; so is the
least probability for an answer, which lets through as much as keeps ``_RIGHT`` of what is said right.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from fit_second_look import logistic, probability
from refitting import as_json, patients_line
from turnwise.core.nouns import FloatArray, Turn
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.follow_ups import ASPECTS, asks_on, aspects
from turnwise.patients.index import CaseIndex, index_case
from turnwise.patients.listening import take
from turnwise.patients.matching import Candidates, candidates
from turnwise.patients.memory import Memory
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Telling
from turnwise.reading.ears.direct import DirectEar
from turnwise.reading.ears.questions import read_heard
from turnwise.reading.window import Window

JUDGED = Path(__file__).parent / "follow_ups_judged.yaml"
_GRID = 4096
_PENALTY_C = 0.1
_RIGHT = 0.95
_ELSEWHERE = 6  # questions about something else that are put to each telling, two thirds of them of its subject
_EAR = DirectEar()


@dataclass(frozen=True)
class Asked:
    """A question put after a telling: aspects of every follow-up (n, aspects), and how surely each answers it (n,)."""

    case: str
    x: FloatArray
    y: FloatArray


def query_of(index: CaseIndex, t: Telling, text: str) -> tuple[Query, Candidates] | None:
    """Return a question as it is heard after the first words of a telling; ``None`` where it is no open one."""
    first = t.beats[0]
    before = Turn(speaker="patient", text=first)
    now = Turn(speaker="therapist", text=text if text.endswith("?") else f"{text[:1].upper()}{text[1:]}?")
    hearing = asyncio.run(_EAR.hear(Window(now, (before,))))
    focus = tuple(dict.fromkeys((t.topic, *index.topics_in(first))))
    memory = Memory(said=(*t.needs, t.id), lines=(first,), last=t.id, topic=t.topic, focus=focus, pending=t.beats[1:])
    taken = take(index, memory, (before, now), hearing, read_heard(hearing, now.text))
    q = taken.query
    return (q, candidates(index, memory, taken)) if q is not None and asks_on(q) else None


def put(
    index: CaseIndex, t: Telling, text: str, verdicts: Sequence[Sequence[int]], without: Sequence[int] = ()
) -> Asked | None:
    """Return a question against the follow-ups of a telling; each verdict names those that answer it."""
    found = query_of(index, t, text)
    if found is None:
        return None
    x = aspects(index, found[0], t, found[1], without)
    y = np.zeros(len(x))
    for right in verdicts:
        y[list(right)] += 1.0 / len(verdicts)
    return Asked(index.file.id, x, y)


def written(case: str, rng: np.random.Generator) -> Iterator[Asked]:
    """Yield the questions that the case itself holds, put after each telling."""
    index = index_case(load_case(case))
    known = [(t.topic, a) for t in index.file.tellings for a in t.asks] + [("", f.ask[0]) for f in index.facts]
    for t in index.file.tellings:
        if not t.further or t.id in index.risky:
            continue
        row = 0
        for i, f in enumerate(t.further):
            for a in f.ask:
                found = put(index, t, a, [[i]], [row])
                row += 1
                if found is not None:
                    yield found
        near = [a for topic, a in known if topic == t.topic and a not in t.asks]
        far = [a for topic, a in known if topic != t.topic]
        for pool, n in ((near, _ELSEWHERE * 2 // 3), (far, _ELSEWHERE // 3)):
            for at in rng.choice(len(pool), size=min(n, len(pool)), replace=False):
                found = put(index, t, pool[at], [])
                # A question without a word of its own would be about this telling.
                if found is not None and found.x[0, ASPECTS.index("elsewhere")] > 0:
                    yield found


def judged() -> list[Asked]:
    """Return the questions by other hands, with what others say answers them."""
    rows = yaml.safe_load(JUDGED.read_text(encoding="utf-8")) if JUDGED.is_file() else []
    out = []
    for row in rows:
        index = index_case(load_case(row["case"]))
        found = put(index, index.tellings[row["told"]], row["ask"], row["answered_by"])
        if found is not None:
            out.append(found)
    return out


def joined(asked: Sequence[Asked]) -> tuple[FloatArray, FloatArray]:
    """Return all rows together."""
    return np.concatenate([a.x for a in asked]), np.concatenate([a.y for a in asked])


def best_of(asked: Sequence[Asked], weights: FloatArray, bias: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return of each question the greatest probability, how surely that answers it, and how surely anything does."""
    p = [probability(a.x, weights, bias) for a in asked]
    at = [int(x.argmax()) for x in p]
    right = np.array([a.y[i] for a, i in zip(asked, at, strict=True)])
    return np.array([x.max() for x in p]), right, np.array([a.y.max() for a in asked])


def least_for(p: FloatArray, right: FloatArray, share: float) -> float:
    """Return the least probability above which at least ``share`` of what is said is right."""
    order = np.argsort(-p, kind="stable")
    good = np.cumsum(right[order]) / np.arange(1, len(p) + 1)
    kept = np.flatnonzero(good >= share)
    return float(p[order][kept[-1]]) if len(kept) else 1.0


def fit() -> dict[str, bytes]:
    """Return the file that ships."""
    rng = np.random.default_rng(7)
    own = [a for case in case_ids() for a in written(case, rng)]
    others = judged()
    held: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    for case in sorted({a.case for a in others}):
        w, b = logistic(*joined([a for a in own if a.case != case]), _PENALTY_C)
        held.append(best_of([a for a in others if a.case == case], w, b))
    p, right, most = (np.concatenate(x) for x in zip(*held, strict=True)) if held else (np.zeros(0),) * 3
    least = least_for(p, right, _RIGHT)
    weights, bias = logistic(*joined(own), _PENALTY_C)
    said = p >= least
    content = {
        "aspects": list(ASPECTS),
        "weights": [round(float(w) * _GRID) / _GRID for w in weights],
        "bias": round(bias * _GRID) / _GRID,
        "least": round(least * _GRID) / _GRID,
        "figures": {
            "questions_fitted_on": len(own),
            "questions_by_other_hands": len(p),
            "a_follow_up_answers": round(float(most.mean()), 3) if len(p) else None,
            "first_choice_right_where_one_does": round(float(right.sum() / most.sum()), 3) if len(p) else None,
            "said": round(float(said.mean()), 3) if len(p) else None,
            "said_right": round(float(right[said].mean()), 3) if said.any() else None,
        },
        "source": "asks written with the follow-ups; questions by other hands, judged; tools/fit_follow_ups.py",
    }
    return {"weights/follow_ups.v1.json": as_json(content)}


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, then write or check."""
    return patients_line(__doc__ or "", fit, argv)


if __name__ == "__main__":
    sys.exit(main())
