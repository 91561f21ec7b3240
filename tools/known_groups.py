"""Whether the ladder's conditional rates tell good sessions of people from bad ones better than four behaviours do.

    OMP_NUM_THREADS=1 python tools/known_groups.py DATA_DIR [--out docs/known_groups.json]

Known groups: sessions of high and of low quality in AnnoMI (the low ones are staged demonstrations: the difference is
known, not that it is quality alone). Baseline: the shares of question, reflection, input and other among therapist
turns. Added: what each skill is worth at the moments that call for it, and the panels. Every reading is out of fold:
coders fitted on AnnoMI read each session by weights that never saw its series, the skill raters were fitted on none of
it; the models that combine them are fitted and asked in folds by series.

Said loudly: on transcripts most skill raters are below their floor and say nothing in use. This study takes their RAW
probabilities all the same, moments and labels alike, weighed by them. A gain would show that there is something in
them, no gain that there is not; neither makes any single label fit for use.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize
from scipy.special import expit

from turnwise.batteries.skills import attune, consolidate, dissent, guide, infer, provide, safeguard, yielding
from turnwise.core.measure import measure
from turnwise.core.nouns import FloatArray, Trajectory
from turnwise.core.registry import METRICS
from turnwise.engine.corpora.annomi import ANNOMI, series_of
from turnwise.engine.ratings import Readers
from turnwise.engine.validating import as_document
from turnwise.reading.cards import load_card
from turnwise.reading.history import blind_share
from turnwise.reading.skill_coder import SkillHeads, SkillItemCoder, load_skills
from turnwise.reading.skill_items import SKILL_ITEMS
from turnwise.reading.window import windows_of
from turnwise.stats.auc import area, auc
from turnwise.stats.bootstrap import bootstrap

DOCS = Path(__file__).resolve().parents[1] / "docs"
BEHAVIOURS = ("question", "reflection", "therapist_input", "other")
SEED, FOLDS, REPEATS = 20_261_122, 5, 20
DIRECT: Mapping[str, tuple[str, str, Mapping[str, float]]] = {
    "attune": ("disclosure", "disclosure_reply", attune._VALUES),
    "yield": ("invalidation", "yield_reply", yielding._VALUES),
    "provide": ("request", "provide", provide._VALUES),
    "infer": ("hint", "hint_reply", infer._VALUES),
    "dissent": ("bait", "bait_reply", dissent._VALUES),
    "safeguard": ("risk", "risk_reply", safeguard._VALUES),
    "consolidate": ("insight", "insight_reply", consolidate._VALUES),
    "guide": ("distortion", "guide_reply", guide._WORTH),
}
"""Skill: moment, item, what each label is worth. Not own up: nobody asks these therapists whether they are machines."""
Probabilities = Mapping[str, FloatArray]


def probabilities(t: Trajectory, heads: SkillHeads) -> dict[str, dict[str, FloatArray]]:
    """Return raw probabilities of every item, label by label, for every turn (whoever speaks)."""
    windows, out = windows_of(t.turns), {}
    for item, about in SKILL_ITEMS.items():
        p = SkillItemCoder(item, heads).read(windows)
        out[item] = {label: p[:, i] for i, label in enumerate(about.labels)}
    return out


def ladder_of(t: Trajectory, heads: SkillHeads) -> dict[str, float]:
    """Return what each skill is worth in a session, weighed by how surely its moment came; NaN where it hardly did."""
    p = probabilities(t, heads)
    met = [(i - 1, i) for i in range(1, len(t.turns))
           if t.turns[i].speaker == "therapist" and t.turns[i - 1].speaker == "patient"]  # fmt: skip
    before, reply = np.array([a for a, _ in met]), np.array([b for _, b in met])
    fresh = np.array([1.0 - blind_share(t.turns[b].text, t.turns[:b]) for b in reply])
    good = p["question_form"]["open"] * p["focus"]["one"] * p["answerable"]["yes"]
    worth = {skill: (moment, np.sum([v * p[item][x] for x, v in values.items()], axis=0))
             for skill, (moment, item, values) in DIRECT.items()}  # fmt: skip
    worth["inquire"] = ("thin", good)
    worth["calibrate"] = ("invalidation", p["stance"]["supports"] + 0.25 * p["stance"]["challenges_mildly"])
    out = {}
    for skill, (moment, value) in worth.items():
        weight = p["moment"][moment][before]
        out[skill] = float((weight * value[reply] * fresh).sum() / weight.sum()) if weight.sum() > 0.5 else np.nan
    return out | {"heed": float(fresh.mean())}


def panels_of(t: Trajectory) -> dict[str, float]:
    """Return the measures of the panels as a run gives them: what is unscored stays out."""
    found = {}
    for entry in METRICS.newest():
        if entry.spec["panel"] is not None:
            value = measure(entry, t).value
            found[entry.base] = np.nan if value is None else value
    return found


def shares_of(labels: Sequence[str | None]) -> dict[str, float]:
    """Return the share of each of the four behaviours among the labelled turns."""
    said = [x for x in labels if x is not None]
    return {b: said.count(b) / max(1, len(said)) for b in BEHAVIOURS}


def table(rows: Sequence[Mapping[str, float]], least: float = 0.5) -> tuple[list[str], FloatArray]:
    """Return features that at least half of the sessions have, by name, and their values."""
    names = sorted(set().union(*rows))
    x = np.array([[row.get(n, np.nan) for n in names] for row in rows], dtype=np.float64)
    kept = [j for j in range(len(names)) if np.isfinite(x[:, j]).mean() >= least and np.nanstd(x[:, j]) > 0]
    return [names[j] for j in kept], x[:, kept]


def out_of_fold(
    x: FloatArray, high: npt.NDArray[np.bool_], series: npt.NDArray[np.str_], least: FloatArray
) -> FloatArray:
    """Return each session's log odds of being a good one, mean over repeats, by models that never saw its series.

    Missing values become the mean of the training sessions; features are scaled there; ridge-penalised logistic
    regression with classes weighing the same. ``least`` holds the lowest weight a feature may get: 0 for one that may
    only speak for a session, minus infinity for one that may speak either way.
    """
    total, groups = np.zeros(len(high)), np.unique(series)
    for repeat in range(REPEATS):
        fold_of = dict(zip(groups.tolist(), _folds(groups, series, high, repeat).tolist(), strict=True))
        fold = np.array([fold_of[s] for s in series.tolist()])
        for k in range(FOLDS):
            train, test = fold != k, fold == k
            mean, sd = np.nanmean(x[train], axis=0), np.nanstd(x[train], axis=0)
            scaled = np.nan_to_num((x - mean) / np.where(sd > 0, sd, 1.0))
            weights = _logistic(scaled[train], high[train], least)
            total[test] += scaled[test] @ weights[1:] + weights[0]
    return total / REPEATS


def _logistic(x: FloatArray, high: npt.NDArray[np.bool_], least: FloatArray) -> FloatArray:
    """Return intercept and weights of a ridge-penalised logistic model, each weight at least what ``least`` says."""
    sign, weight = np.where(high, 1.0, -1.0), np.where(high, 0.5 / high.mean(), 0.5 / (~high).mean())

    def loss(w: FloatArray) -> tuple[float, FloatArray]:
        margin = sign * (x @ w[1:] + w[0])
        slope = -sign * weight * expit(-margin)
        value = float((weight * np.logaddexp(0.0, -margin)).sum() + 0.5 * (w[1:] @ w[1:]))
        return value, np.concatenate([[slope.sum()], x.T @ slope + w[1:]])

    bounds = [(None, None), *((None if np.isneginf(b) else float(b), None) for b in least)]
    found = optimize.minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x, dtype=np.float64)


def _folds(
    groups: npt.NDArray[np.str_], series: npt.NDArray[np.str_], high: npt.NDArray[np.bool_], repeat: int
) -> npt.NDArray[np.int64]:
    """Return a fold for each series; those with a bad session are dealt out first, so that each fold has some."""
    rng = np.random.default_rng((SEED, repeat))
    bad = np.array([not high[series == g].all() for g in groups])
    order = np.concatenate([rng.permutation(np.flatnonzero(bad)), rng.permutation(np.flatnonzero(~bad))])
    out = np.zeros(len(groups), dtype=np.int64)
    out[order] = np.arange(len(order)) % FOLDS
    return out


def study(data: Path) -> dict[str, Any]:
    """Read every session, fit every model, and return the figures."""
    sessions = [t for t in ANNOMI.load(data / ANNOMI.file) if t.meta.get("mi_quality") in ("high", "low")]
    high = np.array([t.meta["mi_quality"] == "high" for t in sessions])
    series: npt.NDArray[np.str_] = np.array([series_of(t) for t in sessions])
    rated = Readers.load("research").rate(sessions)
    heads = load_skills("skills.v1", load_card("moment.v1", "raters").sha256)
    read = [r for t in rated if (r := t.reading("therapist_behaviour")) is not None]
    assert all(r.coder.endswith("+oof") for r in read), "a session was read by weights that saw it"
    coded = [[ANNOMI.gold["therapist_behaviour"](t, i) for i in range(len(t.turns))] for t in sessions]
    sets: dict[str, list[dict[str, float]]] = {
        "four behaviours": [shares_of(r.values()) for r in read],
        "four behaviours (people's codes)": [shares_of([x if isinstance(x, str) else None for x in c]) for c in coded],
        "ladder (raw)": [ladder_of(t, heads) for t in sessions],
        "panels": [panels_of(t) for t in rated],
    }
    named = {name: table(rows) for name, rows in sets.items()}
    for both in (("ladder (raw)",), ("panels",), ("ladder (raw)", "panels")):
        parts = [named["four behaviours"], *(named[b] for b in both)]
        named[" + ".join(("four behaviours", *both))] = (
            [n for p in parts for n in p[0]],
            np.hstack([p[1] for p in parts]),
        )
    either = {name: np.full(x.shape[1], -np.inf) for name, (_, x) in named.items()}
    for name in ("ladder (raw)", "four behaviours + ladder (raw)"):
        good_only = f"{name}, only for the better"
        names, _ = named[good_only] = named[name]
        either[good_only] = np.where([n in BEHAVIOURS for n in names], -np.inf, 0.0)
    scores = {name: out_of_fold(x, high, series, either[name]) for name, (_, x) in named.items()}
    base = scores["four behaviours"]
    return {
        "models": {
            name: {
                "features": len(named[name][0]),
                "auc": as_document(auc(s, high, rng=SEED, clusters=series)),
                "gain": None if name == "four behaviours" else as_document(_gain(s, base, high, series)),
            }
            for name, s in scores.items()
        },
        "features": {
            name: {n: as_document(auc(x[:, j], high, rng=SEED, clusters=series)) for j, n in enumerate(names)}
            for name, (names, x) in named.items() if "+" not in name and "codes" not in name and "only" not in name
        },
        "sessions": {"high": int(high.sum()), "low": int((~high).sum()), "series": len(np.unique(series))},
    }  # fmt: skip


def _gain(s: FloatArray, base: FloatArray, high: npt.NDArray[np.bool_], series: npt.NDArray[np.str_]) -> Any:
    def gain(rows: npt.NDArray[np.int64]) -> float:
        return area(s[rows], high[rows]) - area(base[rows], high[rows])

    return bootstrap(gain, len(high), rng=SEED, clusters=series)


def main(argv: Sequence[str] | None = None) -> int:
    """Study and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the human-labelled data")
    parser.add_argument("--out", type=Path, default=DOCS / "known_groups.json", help="where the figures go")
    asked = parser.parse_args(argv)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a feature nobody has in a fold has no mean
        found = study(asked.data)
    content = {"command": "python tools/known_groups.py DATA_DIR", "positive": "mi_quality high"} | found
    asked.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    for name, m in content["models"].items():
        print(f"{name:45s} AUC {m['auc']['value']:.3f} [{m['auc']['low']:.3f}, {m['auc']['high']:.3f}]", m["gain"] and
              f"gain {m['gain']['value']:+.3f} [{m['gain']['low']:.3f}, {m['gain']['high']:.3f}]")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
