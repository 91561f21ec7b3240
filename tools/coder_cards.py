"""Make a coder's card from the evidence a fitting script hands over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evidence import Evidence
from turnwise.core.nouns import Turn
from turnwise.engine.coder_figures import Coded, figure
from turnwise.reading.cards import Kind
from turnwise.reading.encoder import ENCODER
from turnwise.reading.perturbing import PERTURBATIONS, Perturbation
from turnwise.reading.scope import scope_code
from turnwise.reading.window import Window

MOST_PAIRS = 600
"""Pairs of texts an invariance test is made on, so that a card takes seconds."""
_LENGTHS = (("at most 5 words", 0, 5), ("6 to 40 words", 6, 40), ("more than 40 words", 41, 10**9))
_AS_THEY_ARE = """item side kind labels reads definition written_or_observed bundle licence fit_command weighting sha256
validation ceiling published scope extra_data""".split()
_ONLY_THE_TURN = "the turns before it stay as they are"


def coded_of(e: Evidence) -> Coded:
    """Return the turns with both sides' labels."""
    kind: Kind = "many" if e.kind == "many" else "one"
    return Coded(e.labels, kind, e.gold, e.decided, np.asarray(e.p, dtype=np.float64), e.group)


def _as(window: Window, text: str) -> Window:
    return Window(Turn(speaker=window.turn.speaker, text=text, cues=window.turn.cues), window.before)


def _moved(e: Evidence, pairs: Sequence[tuple[Window, Window]]) -> tuple[float, float]:
    """Return the share of pairs whose label differs, and the mean change of what was most probable."""
    before, after = (np.asarray(e.read([pair[side] for pair in pairs])) for side in (0, 1))
    labels: list[list[str]] = [e.decide(p) for p in (before, after)]
    best = before.argmax(axis=1)[:, None]
    change = np.abs(np.take_along_axis(after - before, best, axis=1))
    return float(np.mean([a != b for a, b in zip(*labels, strict=True)])), float(change.mean())


def _pairs(e: Evidence, p: Perturbation) -> list[tuple[Window, Window]]:
    """Return the pairs of an invariance test: all of each turn's, from turns spread evenly over those it applies to."""
    by_turn = []
    for w in e.windows:
        found = [(_as(w, a), _as(w, b)) for a, b in p.pairs(w.turn.text, w.turn.speaker)]
        kept = [x for x in found if all(scope_code(side.turn.text) is None for side in x)]
        by_turn += [kept] if kept else []
    total = sum(map(len, by_turn))
    most = len(by_turn) if total <= MOST_PAIRS else max(1, MOST_PAIRS * len(by_turn) // total)
    at = np.linspace(0, max(0, len(by_turn) - 1), most).round().astype(int) if by_turn else ()
    return [pair for i in at for pair in by_turn[i]]


def _invariance(e: Evidence, p: Perturbation) -> dict[str, Any] | None:
    pairs = _pairs(e, p)
    if not pairs:
        return None
    moved, change = _moved(e, pairs)
    found = {"share_moved": round(moved, 4), "mean_change": round(change, 4)}
    return {"name": p.name, "says": f"{p.says}; {_ONLY_THE_TURN}", "n": len(pairs)} | found


def invariance(e: Evidence) -> list[dict[str, Any]]:
    """Return how much the full weights move when only one thing changes; what never occurs is left out."""
    return [found for p in PERTURBATIONS if (found := _invariance(e, p)) is not None]


def confounds(e: Evidence) -> list[dict[str, Any]]:
    """Return how often the whole answer is right on short, usual and long turns."""
    words = np.array([len(w.turn.text.split()) for w in e.windows])
    right = e.gold == e.decided if e.gold.ndim == 1 else (e.gold == e.decided).all(axis=1)
    out = []
    for name, low, high in _LENGTHS:
        rows = (words >= low) & (words <= high)
        if rows.any():
            says = f"accuracy on {int(rows.sum())} turns of {name}"
            out.append({"name": f"length: {name}", "value": round(float(right[rows].mean()), 4), "says": says})
    return out


def data_of(e: Evidence) -> dict[str, Any]:
    """Return what the coder was measured on; for one that ships fitted on all of it, also what it was fitted on."""
    held = e.gold if e.gold.ndim == 2 else np.eye(len(e.labels), dtype=np.int64)[e.gold]
    counts: list[int] = held.sum(axis=0).tolist()
    return {
        "name": e.corpus.title,
        "source": e.corpus.source,
        "licence": e.corpus.licence,
        "file": e.corpus.file,
        "sha256": e.data_sha256,
        "groups": len(np.unique(e.group)),
        "turns": len(e.gold),
        "by_label": dict(zip(e.labels, counts, strict=True)),
    }


def _floors(e: Evidence, coded: Coded) -> dict[str, Any]:
    tfidf, over_tfidf = coded.against(e.floor)
    length, over_length = coded.against(e.length)
    return {
        "constant": coded.constant(),
        "tfidf": figure(tfidf),
        "gain_over_tfidf": figure(over_tfidf),
        "length": figure(length),
        "gain_over_length": figure(over_length),
    }


def card_of(e: Evidence) -> dict[str, Any]:
    """Return the card, ready for ``Card.model_validate``."""
    coded = coded_of(e)
    return {name: getattr(e, name) for name in _AS_THEY_ARE} | {
        "coder": e.name,
        "corpus": e.corpus.name,
        "data": data_of(e),
        "encoder": ENCODER,
        "macro_f1_cv": figure(coded.macro_f1()),
        "accuracy_cv": figure(coded.accuracy()),
        "f1_by_label": coded.f1_by_label(),
        "floors": _floors(e, coded),
        "calibration": coded.calibration(e.temperature),
        "confounds": confounds(e),
        "invariance": invariance(e),
        "extra_figures": dict(e.extra_figures),
    }
