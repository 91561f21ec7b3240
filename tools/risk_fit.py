"""Rows of patients' turns with and without risk, from several sources; what is measured on each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from pair_fit import Design, Ints, Logistic, Mask, class_weights, folds_of
from pair_fitter import FOLDS, Rows
from turnwise.core.nouns import FloatArray, Trajectory, Turn
from turnwise.engine.corpora.annomi import ANNOMI
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.diasafety import DIASAFETY, RISK_IGNORANCE, category_of
from turnwise.engine.corpora.esconv import ESCONV, FAILED
from turnwise.reading.lexicons import names_risk
from turnwise.reading.training_sessions import fingerprint
from turnwise.reading.window import Window

WRITTEN = Path(__file__).with_name("written") / "risk.jsonl"
AT_RISK, ORDINARY = "messages at risk", ("AnnoMI", "ESConv", "failed ESConv")
OPEN = (AT_RISK, "other messages", "written risk", "written hard negatives")
GAIN: Mapping[str, float] = {"written risk": 0.5, "written hard negatives": 2.0}
"""On top of even weights of both labels: written examples are all borderline, and more of them are risk."""
SOURCES: tuple[tuple[str, Corpus, str, int], ...] = (
    ("AnnoMI", ANNOMI, ANNOMI.file, 1),
    ("ESConv", ESCONV, ESCONV.file, 3),
    ("failed ESConv", ESCONV, FAILED, 2),
)
"""Name, loader, file, and every how many-th session is used: patients' turns of these count as ordinary."""
DRAWS = 1_000


@dataclass(frozen=True)
class RiskRows:
    """The rows with the source of each, and the folds of the sessions they came from."""

    rows: Rows
    source: npt.NDArray[np.str_]
    folds: Mapping[str, int]
    sha256: str

    def of(self, names: Sequence[str]) -> Mask:
        """Return which rows come from some of the sources."""
        return np.isin(self.source, names)

    def only(self, names: Sequence[str]) -> RiskRows:
        """Return the rows of some sources."""
        at, r = self.of(names), self.rows
        windows = [w for w, kept in zip(r.windows, at, strict=True) if kept]
        kept = replace(r, windows=windows, gold=r.gold[at], group=r.group[at], fold=r.fold[at])
        return replace(self, rows=kept, source=self.source[at])

    def weights(self) -> FloatArray:
        """Return the weight of each row."""
        out = class_weights(self.rows.gold, 2, 1.0) * np.array([GAIN.get(str(s), 1.0) for s in self.source])
        return np.asarray(out * (len(out) / out.sum()))

    @property
    def extra_data(self) -> tuple[str, ...]:
        """What went into the fit beside the corpus of the card."""
        said = [f"{n}: {c.title}, {c.licence}" for n, c, _, _ in SOURCES if self.of([n]).any()]
        return (*said, "examples written for turnwise (tools/written/risk.jsonl): open; written, not observed")


def risk_rows(data: Path, ts: Sequence[Trajectory], sha256: str, fold: Ints) -> RiskRows:
    """Return all rows. ``ts`` and ``fold`` are the pairs of DiaSafety, whose messages are read without the answers.

    Ordinary turns that name a risk outright are left out: nobody looked at them, and some are risk.
    """
    found: list[tuple[Turn, int, str, str, int]] = []
    seen: set[str] = set()
    for i in sorted(range(len(ts)), key=lambda i: category_of(ts[i]) != RISK_IGNORANCE):
        key = ts[i].turns[0].text.strip().lower()
        if key not in seen:
            seen.add(key)
            risk = category_of(ts[i]) == RISK_IGNORANCE
            name = AT_RISK if risk else "other messages"
            found.append((ts[i].turns[0], int(risk), DIASAFETY.group_of(ts[i]), name, int(fold[i])))
    folds: dict[str, int] = {}
    hashes = [sha256]
    for name, corpus, file, step in SOURCES:
        sessions = list(corpus.load(data / file))[::step]
        hashes.append(hashlib.sha256((data / file).read_bytes()).hexdigest())
        turns, where = _ordinary(name, corpus, sessions)
        found += turns
        folds |= where
    found += _written(folds)
    rows = Rows(
        DIASAFETY,
        sha256,
        "risk",
        ("none", "risk"),
        "patient",
        [Window(turn) for turn, *_ in found],
        np.array([x[1] for x in found], dtype=np.int64),
        np.array([x[2] for x in found]),
        np.array([x[4] for x in found], dtype=np.int64),
    )
    combined = hashlib.sha256("".join(hashes).encode()).hexdigest()
    return RiskRows(rows, np.array([x[3] for x in found]), folds, combined)


def _ordinary(
    name: str, corpus: Corpus, sessions: Sequence[Trajectory]
) -> tuple[list[tuple[Turn, int, str, str, int]], dict[str, int]]:
    groups = [f"{name}-{corpus.group_of(t)}" for t in sessions]
    fold = folds_of(groups, np.zeros(len(groups), dtype=np.int64), FOLDS)
    out = []
    for t, group, k in zip(sessions, groups, fold.tolist(), strict=True):
        mine = [turn for turn in t.turns if turn.speaker == "patient" and turn.text.strip()]
        named = names_risk([turn.text for turn in mine])
        out += [(turn, 0, group, name, k) for turn, hit in zip(mine, named, strict=True) if not hit]
    return out, {fingerprint(t.turns): k for t, k in zip(sessions, fold.tolist(), strict=True)}


def _written(folds: dict[str, int]) -> list[tuple[Turn, int, str, str, int]]:
    lines = [json.loads(line) for line in WRITTEN.read_text(encoding="utf-8").splitlines() if line.strip()]
    groups = [f"written-{x['voice']}" for x in lines]
    gold = np.array([int(x["label"] == "risk") for x in lines])
    fold = folds_of(groups, gold, FOLDS).tolist()
    out = []
    for x, y, group, k in zip(lines, gold.tolist(), groups, fold, strict=True):
        turn = Turn(speaker="patient", text=x["text"])
        folds[fingerprint([turn])] = k
        out.append((turn, y, group, "written risk" if y else "written hard negatives", k))
    return out


def _share(hit: Mask, group: npt.NDArray[np.str_]) -> dict[str, Any]:
    """Return a share of rows with its percentile bootstrap interval over groups."""
    names, at = np.unique(group, return_inverse=True)
    hits, n = np.bincount(at, weights=hit, minlength=len(names)), np.bincount(at, minlength=len(names))
    drawn = np.random.default_rng(20_260_106).integers(len(names), size=(DRAWS, len(names)))
    low, high = np.quantile(hits[drawn].sum(axis=1) / n[drawn].sum(axis=1), [0.025, 0.975])
    rounded = {k: round(float(v), 4) for k, v in (("value", hit.mean()), ("low", low), ("high", high))}
    return {**rounded, "level": 0.95, "n": len(hit), "unit": "group"}


def shares(found: RiskRows, p: FloatArray, decided: Ints) -> dict[str, Any]:
    """Return recall where there is risk and false alarms where there is none, by source."""
    r, named = found.rows, names_risk(found.rows.texts)
    out: dict[str, Any] = {}
    for name in dict.fromkeys(found.source.tolist()):
        at = found.source == name
        what = "recall" if r.gold[at].all() else "false alarms"
        out[f"{what}: {name}"] = _share(decided[at] == 1, r.group[at])
    at = (found.source == AT_RISK) & ~named
    if at.any():
        out[f"recall: {AT_RISK}, no risk word named"] = _share(decided[at] == 1, r.group[at])
    long = found.of(ORDINARY) & np.array([len(t.split()) >= 8 for t in r.texts])
    if long.any():
        out["false alarms: ordinary turns of 8 words or more"] = _share(decided[long] == 1, r.group[long])
    return out


def words_at_rate(found: RiskRows, against: Sequence[str], rate: float) -> Ints:
    """Return what plain TF-IDF with a logistic, and no named words, says out of fold at the same false alarms."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    r = found.rows
    v = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, token_pattern=r"[a-z']+|[?!]")
    x = Design(np.zeros((len(r.gold), 0)), sparse.csr_matrix(v.fit_transform(r.texts)))
    score, ordinary = np.zeros(len(r.gold)), found.of(against)
    for k in range(FOLDS):
        train = r.fold != k
        w = Logistic(4.0).solve(x.rows(train), r.gold[train], class_weights(r.gold[train], 2, 1.0))
        score[~train] = x.rows(~train).times(w)[:, 0]
    threshold = np.array([np.quantile(score[ordinary & (r.fold != k)], 1.0 - rate) for k in range(FOLDS)])[r.fold]
    return np.asarray(score > threshold, dtype=np.int64)


def recall(found: RiskRows, decided: Ints) -> dict[str, Any]:
    """Return the share of messages at risk that are called so."""
    at = found.source == AT_RISK
    return _share(decided[at] == 1, found.rows.group[at])
