"""How well levels are tracked in a family of patients that the tables never saw: fit on one, judged on another."""

from __future__ import annotations

from typing import Any

import numpy as np

from fit_levels import EPOCHS, NOISE, SEED, evidence, learnt
from simulated_levels import Seen, played
from turnwise.belief.chain import Chain, filtered
from turnwise.belief.observation import table_from_document
from turnwise.patients.casebook import case_ids
from turnwise.therapists.tracking.levels import ACT_GROUPS, VARIABLES

PAIRS = (("fitted", "stateful"), ("stateful_drawn", "fitted"), ("stateful_drawn", "contrary_telling"))
"""(family learnt from, family judged in)."""


def _sessions(family: str, cases: tuple[str, ...], seed: int) -> list[Seen]:
    return played(family, cases, epochs=EPOCHS // 2, seed=seed, noise=NOISE)


def held_apart() -> dict[str, Any]:
    """Return figures of each variable for each pair of families; also other cases and another seed are judged."""
    from socratic_study import judged

    cases = case_ids()
    out: dict[str, Any] = {}
    for source, target in PAIRS:
        document = learnt(*({source: _sessions(source, half, SEED)} for half in (cases[0::4], cases[2::4])))
        test = _sessions(target, cases[1::2], SEED + 1)
        out[f"{source} -> {target}"] = {
            name: _figures(document[name], test, at, judged) for at, name in enumerate(VARIABLES)
        }
    return out


def _figures(doc: dict[str, Any], test: list[Seen], at: int, judged: Any) -> dict[str, Any]:
    cuts, centres = np.array(doc["cuts"]), np.array(doc["centres"])
    t = np.array(doc["transitions"])
    first = np.array(doc["initial"])
    chain = Chain(first / first.sum(), t / t.sum(axis=2, keepdims=True))
    tables = {kind: table_from_document(d) for kind, d in doc["tables"].items()}
    p = [
        np.exp(filtered(chain, evidence(s, tables, doc["temper"]), [ACT_GROUPS.index(g) for g in s.groups]).log_after)
        for s in test
    ]
    return dict(judged(np.concatenate(p), np.concatenate([s.level[:, at] for s in test]), cuts, centres))
