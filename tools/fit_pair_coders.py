"""Fit the coders of replies and of single turns again: empathy (EPITOME), answers to risk (DiaSafety).

    OMP_NUM_THREADS=1 python tools/fit_pair_coders.py DATA_DIR [--check] [--only NAME,...] [--out FOLDER]

With --check nothing is written and the exit code says whether a refit gives, byte for byte, what
ships. Needs the extra [fit].
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from coder_cards import card_of
from epitome_fit import FOLDS, LEAST, MechanismFitter, marked, sentence_levels, share
from evidence import Evidence
from pair_fit import Ints, choose_terms, folds_of, length_floor, tfidf_decided, tfidf_floor
from pair_fitter import PairFitter, Recipe, Rows
from refitting import as_json, parser_of, write_or_check
from risk_fit import OPEN, ORDINARY, RiskRows, recall, risk_rows, shares, words_at_rate
from turnwise.core.nouns import FloatArray, Trajectory
from turnwise.engine.coder_figures import Coded, figure
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.diasafety import DIASAFETY
from turnwise.engine.corpora.epitome import EPITOME, MECHANISMS, rationales
from turnwise.reading import epitome, pair_coder
from turnwise.reading.cards import Card
from turnwise.reading.pair_coder import said_in
from turnwise.reading.training_sessions import fingerprint
from turnwise.reading.window import windows_of

COMMAND = "OMP_NUM_THREADS=1 python tools/fit_pair_coders.py DATA_DIR"
DRAWS = 1_000


@cache
def words() -> dict[str, Any]:
    """Return cue tables and the words of the cards."""
    found: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("pair_coders.yaml").read_text(encoding="utf-8"))
    return found


def read_corpus(corpus: Corpus, data: Path) -> tuple[Sequence[Trajectory], str]:
    """Return the sessions of a corpus and the hash of its file."""
    path = data / corpus.file
    return corpus.load(path), hashlib.sha256(path.read_bytes()).hexdigest()


def folds_table(corpus: Corpus, sha256: str, ts: Sequence[Trajectory], fold: Ints) -> bytes:
    """Return the table of folds by fingerprint that raters look a session up in."""
    folds = {fingerprint(t.turns): int(k) for t, k in zip(ts, fold, strict=True)}
    return as_json({"corpus": corpus.name, "data_sha256": sha256, "folds": folds})


MIXED = replace(DIASAFETY, name="risk_mixture", title="DiaSafety messages, ordinary turns and written examples")
"""What the coders of risk are measured on: no single file, so that a figure on one of them is not the card's."""


@dataclass(frozen=True)
class Found:
    """What was measured out of fold beside the probabilities."""

    p: FloatArray
    decided: Ints
    floor: Ints
    extra: Mapping[str, Any] = field(default_factory=dict)
    extra_data: tuple[str, ...] = ()


def card_bytes(rows: Rows, coder: Any, found: Found, bundle: str, name: str | None = None) -> bytes:
    """Return the card of a coder, validated; ``name`` where it is not that of its item."""
    name = name or rows.item
    said = words()["cards"][name]
    evidence = Evidence(
        name=f"{name}.v1",
        item=rows.item,
        side="raters",
        kind="one",
        labels=rows.labels,
        reads=rows.reads,
        definition=said["definition"],
        corpus=rows.corpus,
        data_sha256=rows.sha256,
        windows=rows.windows,
        gold=rows.gold,
        group=rows.group,
        p=found.p,
        decided=found.decided,
        floor=found.floor,
        length=length_floor(rows.texts, rows.gold, rows.fold, len(rows.labels)),
        read=coder.read,
        decide=coder.decide,
        sha256=coder.sha256,
        fit_command=COMMAND,
        weighting=said["weighting"],
        validation=said["validation"],
        scope=said["scope"],
        bundle=bundle,
        licence=said["licence"],
        ceiling=said.get("ceiling"),
        extra_data=found.extra_data,
        extra_figures=found.extra,
    )
    return as_json(Card.model_validate(card_of(evidence)).model_dump())


def out_of_fold(coder: Any, rows: Rows, offsets: Callable[[str], FloatArray]) -> tuple[FloatArray, Ints]:
    """Return probabilities and decisions, each turn read (and decided) by weights that saw nothing of its group."""
    p, decided = np.zeros((len(rows.gold), len(rows.labels))), np.zeros(len(rows.gold), dtype=np.int64)
    for k in range(FOLDS):
        at = np.flatnonzero(rows.fold == k)
        p[at] = coder.read([rows.windows[i] for i in at], f"fold{k}")
        decided[at] = (np.log(np.maximum(p[at], 1e-9)) + offsets(f"fold{k}")).argmax(axis=1)
    return p, decided


def plain(rows: Rows, p: FloatArray, coded: Ints) -> Any:
    """Return macro-F1 of other answers to the same turns, as a card stores it."""
    return figure(Coded(rows.labels, "one", rows.gold, coded, p, rows.group).macro_f1()).model_dump()


def token_f1(counts: FloatArray, group: npt.NDArray[np.str_]) -> dict[str, Any]:
    """Return pooled token F1 with its percentile bootstrap interval over groups."""
    names, at = np.unique(group, return_inverse=True)
    table = np.zeros((len(names), 3))
    np.add.at(table, at, counts)
    rng = np.random.default_rng(20_260_105)
    drawn = np.array([table[rng.integers(len(names), size=len(names))].sum(axis=0) for _ in range(DRAWS)])
    f1 = 2 * drawn[:, 0] / (drawn[:, 1] + drawn[:, 2])
    low, high = np.quantile(f1, [0.025, 0.975])
    total = table.sum(axis=0)
    value = 2 * total[0] / (total[1] + total[2])
    rounded = {k: round(float(v), 4) for k, v in (("value", value), ("low", low), ("high", high))}
    return {**rounded, "level": 0.95, "n": len(counts), "unit": "group"}


def fit_empathy(data: Path) -> dict[str, bytes]:
    """Return weights, cards and folds of the three mechanisms of EPITOME."""
    ts, sha256 = read_corpus(EPITOME, data)
    windows = [windows_of(t.turns)[1] for t in ts]
    texts = [w.turn.text for w in windows]
    group = np.array([EPITOME.group_of(t) for t in ts])
    levels = {item: np.array([int(str(EPITOME.gold[item](t, 1))) for t in ts]) for item in MECHANISMS}
    fold = folds_of(group, levels["er"] * 9 + levels["ip"] * 3 + levels["ex"], FOLDS)
    replies = epitome.replies_of(texts)
    terms = {
        "sentence": choose_terms(replies.sentences, group[replies.owner], LEAST),
        "reply": choose_terms(texts, group, LEAST),
    }
    shared = share(replies, fold, terms, words()["cues"]["empathy"])
    out = {"raters/folds/epitome.json": folds_table(EPITOME, sha256, ts, fold)}
    for item, level in levels.items():
        masks = [marked(text, rationales(t, 1, item)) for t, text in zip(ts, texts, strict=True)]
        fitter = MechanismFitter(item, shared, level, sentence_levels(replies, level, masks), masks)
        content = epitome.pack(fitter.coder())
        coder = epitome.unpack(content)
        rows = Rows(EPITOME, sha256, item, epitome.LEVELS, "therapist", windows, level, group, fold)
        p, decided = out_of_fold(coder, rows, lambda fit, c=coder: c.fits[fit].offsets)  # type: ignore[misc]
        extra = {
            "span token-F1": token_f1(fitter.token_counts(coder), group),
            "macro-F1 of a TF-IDF pipeline decided by the same rule": plain(
                rows, p, tfidf_decided(texts, level, fold, 3)
            ),
            "macro-F1 of the most probable level": plain(rows, p, p.argmax(axis=1)),
        }
        found = Found(p, decided, tfidf_floor([(t,) for t in texts], level, fold, 3), extra)
        out[f"raters/weights/{item}.v1.safetensors"] = content
        out[f"raters/cards/{item}.v1.json"] = card_bytes(rows, coder, found, "research")
    return out


def diasafety_folds(ts: Sequence[Trajectory]) -> tuple[Ints, Ints]:
    """Return for each pair 0, or 1 (responds) or 2 (ignores) where it is about risk; and its fold."""
    said = [DIASAFETY.gold["risk_ignorance"](t, 1) for t in ts]
    strata = np.array([0 if s is None else 1 + ("responds", "ignores").index(str(s)) for s in said])
    return strata, folds_of(np.array([DIASAFETY.group_of(t) for t in ts]), strata, FOLDS)


def fit_risk_ignorance(data: Path) -> dict[str, bytes]:
    """Return weights, card and folds of the coder of answers to risk."""
    ts, sha256 = read_corpus(DIASAFETY, data)
    labels, (strata, fold) = ("responds", "ignores"), diasafety_folds(ts)
    group = np.array([DIASAFETY.group_of(t) for t in ts])
    at = np.flatnonzero(strata)
    gold = strata[at] - 1
    windows = [windows_of(ts[i].turns)[1] for i in at.tolist()]
    rows = Rows(DIASAFETY, sha256, "risk_ignorance", labels, "therapist", windows, gold, group[at], fold[at])
    content = PairFitter(rows, Recipe(0.4, "reply_to_risk", "risk_context", marks=True), words()["cues"]).coder()
    coder = pair_coder.unpack(content)
    p, decided = out_of_fold(coder, rows, lambda fit: coder.fits[fit].offsets)
    peers = {t.turns[1].text.strip().lower() for t in EPITOME.load(data / EPITOME.file)}
    own = np.array([t.strip().lower() not in peers for t in rows.texts])
    apart = Rows(DIASAFETY, sha256, rows.item, labels, "therapist", [], gold[own], rows.group[own], rows.fold[own])
    extra = {"macro-F1 without answers that are replies of EPITOME": plain(apart, p[own], decided[own])}
    pairs = [(a, b) for a, b in map(said_in, windows)]
    found = Found(p, decided, tfidf_floor([(a,) for a, _ in pairs], gold, rows.fold, 2), extra)
    return {
        "raters/folds/diasafety.json": folds_table(DIASAFETY, sha256, ts, fold),
        "raters/weights/risk_ignorance.v1.safetensors": content,
        "raters/cards/risk_ignorance.v1.json": card_bytes(rows, coder, found, "open"),
    }


def fit_risk(data: Path) -> dict[str, bytes]:
    """Return weights, cards and folds of both readers of risk in the patient's turn."""
    ts, sha256 = read_corpus(DIASAFETY, data)
    found = risk_rows(data, ts, sha256, diasafety_folds(ts)[1])
    table = {"corpus": "risk", "data_sha256": found.sha256, "folds": found.folds}
    out = {"raters/folds/risk.json": as_json(table)}
    for name, bundle, kept in (("risk", "research", found), ("risk_open", "open", found.only(OPEN))):
        against = ORDINARY if bundle == "research" else ("other messages",)
        recipe = Recipe(
            0.3, "risk_context", embedded=2.0, least=5, cued=0.3, false_alarms=0.05 if against == ORDINARY else 0.005
        )
        fitter = PairFitter(kept.rows, recipe, words()["cues"], kept.weights(), kept.of(against))
        content = fitter.coder()
        coder = pair_coder.unpack(content)
        p, decided = out_of_fold(coder, kept.rows, lambda fit, c=coder: c.fits[fit].offsets)  # type: ignore[misc]
        # Both at the same rate of false alarms: at other thresholds macro-F1 compares rates, not readers.
        floor = words_at_rate(kept, against, recipe.false_alarms)
        even = tfidf_floor([(t,) for t in kept.rows.texts], kept.rows.gold, kept.rows.fold, 2)
        extra = shares(kept, p, decided) | {
            "recall of a TF-IDF pipeline at the same rate of false alarms": recall(kept, floor),
            "macro-F1 of a TF-IDF pipeline at balanced weights": plain(kept.rows, p, even),
        }
        if bundle == "open":
            extra |= unseen(found, coder)
        out[f"raters/weights/{name}.v1.safetensors"] = content
        out[f"raters/cards/{name}.v1.json"] = card_bytes(
            replace(kept.rows, corpus=MIXED), coder, Found(p, decided, floor, extra, kept.extra_data), bundle, name
        )
    return out


def unseen(found: RiskRows, coder: Any) -> dict[str, Any]:
    """Return the false alarms of the open reader on conversations it was not fitted on."""
    apart = found.only(ORDINARY)
    p = coder.read(apart.rows.windows)
    decided = np.array([coder.labels.index(x) for x in coder.decide(p)])
    return {f"{k} (not fitted on)": v for k, v in shares(apart, p, decided).items()}


FITS: dict[str, Callable[[Path], dict[str, bytes]]] = {
    "epitome": fit_empathy,
    "risk_ignorance": fit_risk_ignorance,
    "risk": fit_risk,
}


def fit_all(data: Path, only: Sequence[str] = ()) -> dict[str, bytes]:
    """Return every file this script makes, by path inside the reading room."""
    out: dict[str, bytes] = {}
    for name, fit in FITS.items():
        if not only or name in only:
            out |= fit(data)
    return out


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and write, or check."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("--only", default="", help=f"some of {','.join(FITS)}")
    asked = parser.parse_args(argv)
    return write_or_check(lambda: fit_all(asked.data, [x for x in asked.only.split(",") if x]), asked)


if __name__ == "__main__":
    sys.exit(main())
