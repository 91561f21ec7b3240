"""What a simulated patient shows of how much challenge it can bear: how much could any tracker know of it?

The skill ``calibrate`` judges a challenge by a number inside the patient (the room up to its working edge). Here every
sign that the tracker hears is held against that number, and a policy that knows what the signs say, learnt with the
truth beside it from the same patients, is compared with one that always supports. What it gains is a bound on what
tracking can gain on this skill, whoever tracks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from simulated_levels import Seen, played
from turnwise.batteries.ladder.made_views import made_view
from turnwise.batteries.skills.calibrate import calibrate
from turnwise.patients.casebook import case_ids
from turnwise.therapists.tracking.levels import VARIABLES

SEED, EPOCHS, NOISE = 4_417, 4, 1.0
_MILD, _SUPPORT = "challenges_mildly", "supports"
_LEAST = 30  # turns with a sign, below which nothing is said of it
_RIDGE = 0.01  # inverse strength of the penalty of the model of all signs


def _edge(s: Seen) -> npt.NDArray[np.float64]:
    return np.asarray(s.level[:, VARIABLES.index("edge")])


def _signs(s: Seen) -> list[dict[str, float]]:
    """Return per turn its place, the signs in it, and how often each sign and act was there so far."""
    so_far: dict[str, float] = {}
    out = []
    for place, (shown, group) in enumerate(zip(s.shown, s.groups, strict=True)):
        now = {f"{kind}={seen}": 1.0 for kind, seen in shown.items() if seen not in (None, "no")}
        for name in (*now, *([f"act={group}"] if place else [])):
            so_far[name] = so_far.get(name, 0.0) + 1.0
        out.append({"turn": float(place)} | {f"now {k}": v for k, v in now.items()} | so_far)
    return out


def _value(challenged: npt.NDArray[np.bool_], ready: npt.NDArray[np.bool_]) -> float:
    """Return the mean of ``calibrate`` for mild challenges at some turns and support at the others."""
    mild, support = (np.where(ready, _worth(stance, 1.0), _worth(stance, 0.0)) for stance in (_MILD, _SUPPORT))
    return float(np.where(challenged, mild, support).mean())


def _worth(stance: str, trust: float) -> float:
    """Return what the skill gives for a reply of this stance to a patient of this trust and no irritation."""
    found = calibrate(made_view("disclosure", {"stance": stance}, state={"trust": trust, "reactance": 0.0})).value
    assert found is not None
    return found


def _knowing(
    rows: Sequence[dict[str, float]], ready: npt.NDArray[np.bool_], case: npt.NDArray[np.str_]
) -> dict[str, float]:
    """Return how well a logistic model, asked about patients it never saw, tells who is ready, and what it earns."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    x = DictVectorizer(sparse=False).fit_transform(rows)
    x /= x.std(axis=0) + 1e-9
    p = np.zeros(len(ready))
    for one in sorted(set(case)):
        held = case == one
        p[held] = LogisticRegression(C=_RIDGE, max_iter=5000).fit(x[~held], ready[~held]).predict_proba(x[held])[:, 1]
    gained, lost = (_worth(_MILD, trust) - _worth(_SUPPORT, trust) for trust in (1.0, 0.0))
    pays = p * gained + (1.0 - p) * lost > 0.0
    return {"auc": round(float(roc_auc_score(ready, p)), 3), "value": round(_value(pays, ready), 3)}


def what_shows() -> dict[str, Any]:
    """Return the correlation of every sign with the edge, and what the best policy on them earns."""
    sessions = played("stateful", case_ids(), epochs=EPOCHS, seed=SEED, noise=NOISE)
    edge = np.concatenate([_edge(s) for s in sessions])
    case = np.concatenate([np.full(len(s.shown), s.case) for s in sessions])
    place = np.concatenate([np.arange(len(s.shown)) for s in sessions]).astype(np.float64)
    by_time = np.column_stack([np.ones_like(place), place, place**2])
    rest = edge - by_time @ np.linalg.lstsq(by_time, edge, rcond=None)[0]
    within = rest - np.array([rest[case == c].mean() for c in case])
    rows = [row for s in sessions for row in _signs(s)]
    signs = {}
    for name in sorted({k for row in rows for k in row if k.startswith("now ")}):
        there = np.array([row.get(name, 0.0) for row in rows])
        if there.sum() >= _LEAST:
            signs[name.removeprefix("now ")] = {
                "turns": int(there.sum()),
                "correlation": round(float(np.corrcoef(there, within)[0, 1]), 3),
            }
    ready = edge >= 0.0
    unasked = [{k: v for k, v in row.items() if "here=" not in k} for row in rows]
    return {
        "turns": len(edge), "sessions": len(sessions), "ready": round(float(ready.mean()), 3), "signs": signs,
        "always_support": round(_value(np.zeros_like(ready), ready), 3),
        "by_the_turn_alone": _knowing([{"turn": row["turn"]} for row in rows], ready, case),
        "by_signs_unasked": _knowing(unasked, ready, case),
        "by_all_signs": _knowing(rows, ready, case),
    }  # fmt: skip
