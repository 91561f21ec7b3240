"""Fit what the Socratic therapist hears a patient's turn to call for (therapists/tracking/needs.json).

    python tools/fit_needs.py ../shared/data [--check]

Examples written for this project (tools/written/skills, item "moment"): hands i and j train, each chooses penalty
and temper for the other; a, b and g are other hands and only tested on. The raters that score sessions never saw i
and j (the second reader did). The corpora are not used.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from refitting import as_json, command_line
from turnwise.core.nouns import FloatArray, Turn
from turnwise.reading.ears.direct import hear_block
from turnwise.therapists.tracking.needs import NEEDS, features
from turnwise.therapists.tracking.taking_in import take_in, window_of

WRITTEN = Path(__file__).parent / "written" / "skills"
OUT = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "therapists" / "tracking"
_TRAIN, _TEST = "ij", ("a", "b", "g")
_PENALTIES = (0.3, 1.0, 3.0, 10.0, 30.0)
_TEMPERS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_SCALE = 4096  # weights are stored as whole numbers, so that a refit is the same bytes


def examples(hands: str) -> tuple[FloatArray, FloatArray]:
    """Return features (n, d) and places of labels (n,) of the written patient turns of some hands."""
    rows = [
        row
        for hand in hands
        for line in (WRITTEN / f"{hand}.jsonl").read_text(encoding="utf-8").splitlines()
        if (row := json.loads(line))["item"] == "moment"
    ]
    said = [
        (
            *((Turn(speaker="therapist", text=r["before"]),) if r.get("before") else ()),
            Turn(speaker="patient", text=r["text"]),
        )
        for r in rows
    ]
    windows = [window_of(turns, take_in(turns)) for turns in said]
    x = np.array([features(w.turn.text, h) for w, h in zip(windows, hear_block(windows), strict=True)])
    return x, np.array([NEEDS.index(r["label"]) for r in rows])


def _log_p(x: FloatArray, weights: FloatArray, bias: FloatArray, temper: float) -> FloatArray:
    z = temper * (x @ weights + bias)
    return np.asarray(z - np.logaddexp.reduce(z, axis=1)[:, None])


def _weights(x: FloatArray, y: FloatArray, penalty: float) -> tuple[FloatArray, FloatArray]:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=penalty, max_iter=5000).fit(x, y)
    return np.round(model.coef_.T * _SCALE) / _SCALE, np.round(model.intercept_ * _SCALE) / _SCALE


def chosen() -> tuple[float, float]:
    """Return penalty and temper with the least log loss when each training hand is read by the other's fit."""
    hands = [examples(hand) for hand in _TRAIN]
    losses = {}
    for penalty in _PENALTIES:
        for temper in _TEMPERS:
            loss = 0.0
            for (x, y), (xt, yt) in (hands, hands[::-1]):
                log_p = _log_p(xt, *_weights(x, y, penalty), temper)
                loss -= float(log_p[np.arange(len(yt)), yt].mean())
            losses[penalty, temper] = loss
    return min(losses, key=lambda at: (round(losses[at], 9), at))


def fit(_: Path) -> Mapping[str, bytes]:
    """Return needs.json: weights, temper and the figures on other hands."""
    from sklearn.metrics import f1_score

    penalty, temper = chosen()
    weights, bias = _weights(*examples(_TRAIN), penalty)
    figures = {}
    for hand in _TEST:
        xt, yt = examples(hand)
        log_p = _log_p(xt, weights, bias, temper)
        figures[hand] = {
            "n": len(yt),
            "macro_f1": round(float(f1_score(yt, log_p.argmax(axis=1), average="macro")), 3),
            "log_loss": round(-float(log_p[np.arange(len(yt)), yt].mean()), 3),
            "log_loss_uniform": round(float(np.log(len(NEEDS))), 3),
        }
    content = {
        "about": "written, not observed; hands i, j train, a, b, g are only tested on",
        "labels": list(NEEDS),
        "scale": _SCALE,
        "weights": np.round(weights * _SCALE).astype(int).tolist(),
        "bias": np.round(bias * _SCALE).astype(int).tolist(),
        "temper": temper,
        "penalty": penalty,
        "figures": figures,
    }
    return {"needs.json": as_json(content)}


if __name__ == "__main__":
    sys.exit(command_line(__doc__, fit, None, OUT))
