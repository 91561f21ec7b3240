"""Fit how human clients move from turn to turn, for the fitted family of patients.

Writes fitted_transitions.json (weights and card) into the patients' room. AnnoMI: which kind of talk
comes next (multinomial logistic, ridge) and how long (least squares), by the therapist's move, what was
said before and a slow level of each. ESConv with FailedESConv: helpfulness as seekers rated it, and
fall of the intensity of their feeling, by the supporter's moves. Everything held out by whole series or
dialogue; intervals by bootstrap over the same.

Usage: OMP_NUM_THREADS=1 python tools/fit_transitions.py DATA [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from refitting import as_json
from transition_corpus import SEED, annomi_sessions, dialogues, draws_of, exchanges_of, interval, run_script
from turnwise.core.nouns import Trajectory
from turnwise.patients.transition_model import FEATURES, INPUTS, KEEPS, WEIGHTS_FILE, features, p_talk, talk_level
from turnwise.reading.ears.hearing import BEHAVIOURS, TALK

FloatArray = npt.NDArray[np.float64]
RIDGE, FOLDS, DIGITS = 1.0, 10, 4
START = {"leaning": 0.5, "talk": 0.45, "last_talk": 1}
MOVE_OF = {
    "Question": "question", "Questions": "question", "Reflection of feelings": "reflection",
    "Restatement or Paraphrasing": "reflection", "Restatement": "reflection",
    "Providing Suggestions": "therapist_input", "Information": "therapist_input", "Direct Guidance": "therapist_input",
}  # fmt: skip
"""ESConv's strategies as the four moves that an ear hears; whatever is not here is ``other``."""


def design(sessions: Sequence[Trajectory]) -> tuple[FloatArray, FloatArray, FloatArray, list[str]]:
    """Return features (N, 9), talk (N,), length (N,) and series of every labelled exchange."""
    x: list[FloatArray] = []
    talk: list[int] = []
    length: list[float] = []
    groups: list[str] = []
    for t in sessions:
        leaning, level, before = START["leaning"], START["talk"], int(START["last_talk"])
        for e in exchanges_of(t):
            moves = np.eye(len(BEHAVIOURS))[e.move]
            x.append(features(moves, e.therapist_words, before, leaning, level))
            talk.append(e.after)
            length.append(float(talk_level(e.client_words)))
            groups.append(e.series)
            leaning = KEEPS * leaning + (1.0 - KEEPS) * 0.5 * e.after
            level = KEEPS * level + (1.0 - KEEPS) * length[-1]
            before = e.after
    return np.array(x), np.array(talk, dtype=np.float64), np.array(length), groups


def fit_talk(x: FloatArray, y: FloatArray) -> dict[str, list[float]]:
    """Return ridge-penalised multinomial weights by Newton steps (neutral is the reference)."""
    d, kept = x.shape[1], [TALK.index("change"), TALK.index("sustain")]
    w, penalty = np.zeros(2 * d), np.tile(np.r_[0.0, np.full(d - 1, RIDGE)], 2)
    for _ in range(30):
        p = p_talk(x, {"change": w[:d], "sustain": w[d:]})[:, kept]
        hit = np.column_stack([y == k for k in kept])
        gradient = np.concatenate([x.T @ (hit[:, j] - p[:, j]) for j in range(2)]) - penalty * w
        blocks = [[(x * (p[:, [i]] * (float(i == j) - p[:, [j]]))).T @ x for j in range(2)] for i in range(2)]
        step = np.linalg.solve(np.block(blocks) + np.diag(penalty + 1e-9), gradient)
        w = w + step
        if float(np.abs(step).max()) < 1e-10:
            break
    return {"change": _rounded(w[:d]), "sustain": _rounded(w[d:])}


def fit_line(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return least-squares weights with a little ridge on all but the constant."""
    penalty = np.diag(np.r_[0.0, np.full(x.shape[1] - 1, RIDGE)])
    return np.asarray(np.linalg.solve(x.T @ x + penalty, x.T @ y), dtype=np.float64)


def _rounded(w: FloatArray) -> list[float]:
    return [round(float(v), DIGITS) + 0.0 for v in w]


def folds_of(groups: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return a fold for each row; whole groups stay together."""
    names, code = np.unique(np.asarray(groups), return_inverse=True)
    order = np.random.default_rng(SEED).permutation(len(names))
    return np.asarray((order % FOLDS)[code], dtype=np.int64)


def _hidden(x: FloatArray) -> FloatArray:
    """Return the features with the therapist taken out."""
    blind = x.copy()
    blind[:, 1:INPUTS] = 0.0
    return blind


def talk_held_out(x: FloatArray, y: FloatArray, groups: Sequence[str]) -> dict[str, Any]:
    """Return held-out log-likelihoods per exchange: with the therapist, without, and by shares alone."""
    fold = folds_of(groups)
    logs = {name: np.zeros(len(y)) for name in ("with_input", "no_input", "shares")}
    for f in range(FOLDS):
        train, test = fold != f, fold == f
        for name, z in (("with_input", x), ("no_input", _hidden(x))):
            p = p_talk(z[test], fit_talk(z[train], y[train]))
            logs[name][test] = np.log(p[np.arange(int(test.sum())), y[test].astype(int)])
        share = np.bincount(y[train].astype(int), minlength=3) / train.sum()
        logs["shares"][test] = np.log(share[y[test].astype(int)])
    return _gains(logs, groups)


def line_held_out(x: FloatArray, y: FloatArray, groups: Sequence[str], blind: FloatArray) -> dict[str, Any]:
    """Return held-out Gaussian log-likelihoods per row: with the moves, and with ``blind`` features."""
    fold = folds_of(groups)
    logs = {name: np.zeros(len(y)) for name in ("with_input", "no_input")}
    for f in range(FOLDS):
        train, test = fold != f, fold == f
        for name, z in (("with_input", x), ("no_input", blind)):
            w = fit_line(z[train], y[train])
            sd = float(np.std(y[train] - z[train] @ w))
            error = (y[test] - z[test] @ w) / sd
            logs[name][test] = -0.5 * error**2 - np.log(sd) - 0.5 * np.log(2 * np.pi)
    return _gains(logs, groups)


def _gains(logs: Mapping[str, FloatArray], groups: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {name: round(float(v.mean()), 4) for name, v in logs.items()}
    gain = logs["with_input"] - logs["no_input"]
    drawn = [float((w @ gain) / w.sum()) for w in draws_of(groups)]
    found["gain_over_no_input"] = round(float(gain.mean()), 4)
    found["interval"] = interval(drawn)
    return found | {"n": len(gain), "groups": len(set(groups)), "unit": "nats per row, held out"}


def _moves(turns: Sequence[Mapping[str, Any]]) -> FloatArray:
    counts = np.zeros(len(BEHAVIOURS))
    for turn in turns:
        counts[BEHAVIOURS.index(MOVE_OF.get(str(turn["labels"].get("strategy")), "other"))] += 1
    return counts


def helpfulness(corpus: Sequence[Mapping[str, Any]]) -> tuple[FloatArray, FloatArray, list[str]]:
    """Return moves since the last rating (N, 4, shares), the rating (N,) and the dialogue of each."""
    x: list[FloatArray] = []
    y: list[float] = []
    groups: list[str] = []
    for d in corpus:
        since: list[Mapping[str, Any]] = []
        for turn in d["turns"]:
            if turn["speaker"] == "therapist":
                since.append(turn)
            elif turn["labels"].get("feedback") and since:
                counts = _moves(since)
                x.append(counts / counts.sum())
                y.append(float(turn["labels"]["feedback"]))
                groups.append(str(d["id"]))
                since = []
    return np.array(x), np.array(y), groups


def easing(corpus: Sequence[Mapping[str, Any]]) -> tuple[FloatArray, FloatArray, list[str]]:
    """Return move counts (N, 4), with the initial intensity (centred) as a fifth column, and the fall (0 to 1)."""
    x: list[FloatArray] = []
    y: list[float] = []
    groups: list[str] = []
    for d in corpus:
        seeker = d["meta"]["survey_score"]["seeker"]
        if seeker.get("final_emotion_intensity") is None or seeker.get("initial_emotion_intensity") is None:
            continue
        first, last = float(seeker["initial_emotion_intensity"]), float(seeker["final_emotion_intensity"])
        counts = _moves([t for t in d["turns"] if t["speaker"] == "therapist"])
        x.append(np.r_[counts, first - 4.0])
        y.append((first - last) / 4.0)
        groups.append(str(d["id"]))
    return np.array(x), np.array(y), groups


def _support(data: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, str]]:
    """Return weights, figures and hashes of what comes from ESConv."""
    both, hashes = [], {}
    for name in ("esconv", "failed_esconv"):
        found, hashes[name] = dialogues(data, name)
        both += found
    x, y, groups = helpfulness(both)
    # The fourth share is one minus the others: a constant and three moves, "other" for comparison.
    z = np.column_stack([np.ones(len(y)), x[:, :3]])
    w = fit_line(z, y)
    fall_x, fall, fall_groups = easing(both)
    count = fall_x[:, :4].sum(1)
    fx = np.column_stack([np.ones(len(fall)), fall_x[:, 4], fall_x[:, :4] / 10.0])
    v = fit_line(fx, fall)
    blind = np.column_stack([np.ones(len(fall)), fall_x[:, 4], count / 10.0])
    figures = {
        "helpfulness": line_held_out(z, y, groups, z[:, :1]),
        "easing": line_held_out(fx, fall, fall_groups, blind),
    }
    # What the moves do not help to foretell is the same after each of them.
    told = {name: figures[name]["gain_over_no_input"] > 0.0 for name in figures}
    eased = v[2:] / 10.0 if told["easing"] else np.full(4, fit_line(blind, fall)[2] / 10.0)
    helpful = np.r_[w[0] + w[1:], w[0]] if told["helpfulness"] else np.full(4, y.mean())
    weights = {
        "helpful": _rounded(helpful),
        "helpful_usual": round(float(y.mean()), DIGITS),
        "eased": _rounded(eased),
    }
    figures["easing"]["no_input_means"] = "initial intensity and number of turns, whatever was said in them"
    return weights, figures, hashes


NOT_SHOWN = (
    "A state. Trust, openness, reactance and conviction are read from talk by a stated convention (fitted.READ_AS).",
    "That anybody leaves: nobody does; hazards are the principled family's, and so are evidence and insight.",
    "Effects. Therapists choose their moves by what clients say, so these are transitions in company, not causes.",
    "Psychotherapy. Motivational interviews (many of them demonstrations, the bad ones staged) and peer support in "
    "chat; ESConv kept only dialogues in which the feeling eased, which is why the failed ones are pooled with it.",
    "How well a move is done: accuracy, timing and what the question is about are not in a label.",
)


def _includes_zero(held_out: Mapping[str, Any]) -> list[str]:
    """Say of which quantities the therapist's move foretells nothing that could be shown on held-out data."""
    what = {
        "talk": "which kind of talk comes next",
        "length": "how much is said next",
        "helpfulness": "how helpful seekers find it",
        "easing": "how far the feeling eases",
    }
    found = []
    for name, said in what.items():
        e = held_out[name]
        low, high = e["interval"]
        if low <= 0.0:
            gain = f"{e['gain_over_no_input']:+.4f} [{low:+.4f}, {high:+.4f}] nats"
            kept = "kept small as fitted" if e["gain_over_no_input"] > 0.0 else "left out: the same after every move"
            found.append(f"That the therapist's move foretells {said}: gain {gain} over no input, n {e['n']}; {kept}.")
    return found


def fit_all(data: Path) -> dict[str, bytes]:
    """Return the document by path."""
    sessions, sha = annomi_sessions(data)
    x, talk, length, groups = design(sessions)
    line = fit_line(x, length)
    support, figures, hashes = _support(data)
    weights = {
        "talk": fit_talk(x, talk),
        "length": {"expected": _rounded(line), "spread": round(float(np.std(length - x @ line)), DIGITS)},
        **support,
    }
    held_out = {
        "talk": talk_held_out(x, talk, groups),
        "length": line_held_out(x, length, groups, _hidden(x)),
        **figures,
    }
    card = {
        "command": "OMP_NUM_THREADS=1 python tools/fit_transitions.py DATA",
        "data": {"annomi": sha, **hashes},
        "licence": "AnnoMI: released for research without a licence file. ESConv and FailedESConv: CC BY-NC 4.0. "
        "Weights are for research and non-commercial use; no text is in them.",
        "source": "Wu et al. 2022, ICASSP; Liu et al. 2021, ACL (ESConv)",
        "model": f"multinomial logistic and least squares, ridge {RIDGE:g}, slow levels keep {KEEPS:g} a turn",
        "held_out": held_out,
        "method": f"{FOLDS} folds by series (AnnoMI) or dialogue (ESConv); 95 % bootstrap over the same, seed {SEED}",
        "not_shown": [*_includes_zero(held_out), *NOT_SHOWN],
    }
    return {WEIGHTS_FILE: as_json({"features": list(FEATURES), "weights": weights, "card": card})}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script."""
    return run_script(__doc__ or "", fit_all, argv)


if __name__ == "__main__":
    sys.exit(main())
