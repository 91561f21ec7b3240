"""Fit how the Socratic therapist reads an answer to how the talk is (therapists/tracking/talking_here.json).

    python tools/fit_talking_here.py ../shared/data [--check]

Examples written for this project (tools/written/talking_here); the penalty is chosen with hands held out in six parts.
What simulated patients say there is by other hands, and only tested on. The corpora are not used.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from refitting import command_line
from turnwise.patients.banks import said_of
from turnwise.patients.casebook import case_ids, read_case_file
from turnwise.therapists.tracking.talking_here import KINDS, terms_of

WRITTEN = Path(__file__).parent / "written" / "talking_here"
SKILLS = WRITTEN.parent / "skills"
OUT = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "therapists" / "tracking"
_LABELS = (*KINDS, "other")
_PENALTIES = (3.0, 10.0, 30.0)
_FOLDS = 6
_ELSEWHERE = ("i", "j")  # hands of the examples for skills: the tracker reads needs by them too
_LEAST = 3  # examples with a term
_SCALE = 512  # weights are stored as whole numbers, so that a refit is the same bytes

Examples = tuple[list[frozenset[str]], npt.NDArray[np.int64]]


def hands() -> list[Examples]:
    """Return the terms and the kind of every example, hand by hand."""
    out = []
    for path in sorted(WRITTEN.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        out.append(([terms_of(r["text"]) for r in rows], np.array([_LABELS.index(r["kind"]) for r in rows])))
    return [*out, *(_of_other_things(hand) for hand in _ELSEWHERE)]


def _of_other_things(hand: str) -> Examples:
    """Return patient turns that were written for something else: a question may be passed by for what weighs more."""
    rows = [json.loads(line) for line in (SKILLS / f"{hand}.jsonl").read_text(encoding="utf-8").splitlines()]
    own = [terms_of(r["text"]) for r in rows if r["item"] == "moment"]
    return own, np.full(len(own), _LABELS.index("other"))


def of_cases() -> Examples:
    """Return what the patients that ship say, with the state they say it in."""
    said = [
        (terms_of(line), kind)
        for case in case_ids()
        for kind, name in enumerate(KINDS)
        for line in said_of(getattr(read_case_file(case).reactions, f"{name}_here"))
    ]
    return [t for t, _ in said], np.array([k for _, k in said])


def _matrix(of: Sequence[frozenset[str]], terms: Mapping[str, int]) -> npt.NDArray[np.float64]:
    x = np.zeros((len(of), len(terms)))
    for row, own in zip(x, of, strict=True):
        known = [terms[t] for t in own if t in terms]
        if known:
            row[known] = 1.0 / np.sqrt(len(known))
    return x


def _fitted(of: Sequence[Examples], penalty: float) -> tuple[dict[str, int], npt.NDArray[np.float64]]:
    """Return the terms that are used, and weights and bias (terms + 1, K + 1)."""
    from sklearn.linear_model import LogisticRegression

    texts, kinds = [t for own, _ in of for t in own], np.concatenate([y for _, y in of])
    counts = Counter(t for own in texts for t in own)
    terms = {t: i for i, t in enumerate(sorted(t for t, n in counts.items() if n >= _LEAST))}
    model = LogisticRegression(C=penalty, max_iter=5000).fit(_matrix(texts, terms), kinds)
    return terms, np.vstack([model.coef_.T, model.intercept_])


def _log_p(
    of: Sequence[frozenset[str]], terms: Mapping[str, int], weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    z = _matrix(of, terms) @ weights[:-1] + weights[-1]
    return np.asarray(z - np.logaddexp.reduce(z, axis=1)[:, None])


def _judged(log_p: npt.NDArray[np.float64], y: npt.NDArray[np.int64]) -> dict[str, float]:
    from sklearn.metrics import f1_score

    f1 = f1_score(y, log_p.argmax(axis=1), average="macro", labels=sorted(set(y.tolist())), zero_division=0.0)
    loss = -float(log_p[np.arange(len(y)), y].mean())
    return {"n": len(y), "macro_f1": round(float(f1), 3), "log_loss": round(loss, 3)}


def _compact(content: Mapping[str, object]) -> bytes:
    """Return a document in one line: thousands of terms are read by nobody."""
    return (json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8")


def fit(_: Path) -> Mapping[str, bytes]:
    """Return talking_here.json: the weights, and the figures on hands that were held out."""
    of = hands()
    held: dict[float, dict[str, float]] = {}
    for penalty in _PENALTIES:
        apart = []
        for left in range(_FOLDS):
            kept = [own for i, own in enumerate(of) if i % _FOLDS != left]
            apart += [(_log_p(t, *_fitted(kept, penalty)), y) for i, (t, y) in enumerate(of) if i % _FOLDS == left]
        held[penalty] = _judged(np.concatenate([p for p, _ in apart]), np.concatenate([y for _, y in apart]))
    best = min(held, key=lambda p: (held[p]["log_loss"], p))
    terms, weights = _fitted(of, best)
    whole = np.round(weights * _SCALE)
    patients, kinds = of_cases()
    return {
        "talking_here.json": _compact({
            "about": "written, not observed; figures: hands held out, and what simulated patients say",
            "labels": list(_LABELS), "scale": _SCALE, "penalty": best,
            "weights": {t: whole[i].astype(int).tolist() for t, i in terms.items()},
            "bias": whole[-1].astype(int).tolist(),
            "figures": {
                "hands_held_out": held[best], "patients": _judged(_log_p(patients, terms, whole / _SCALE), kinds),
            },
        })
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(command_line(__doc__, fit, None, OUT))
