"""Measure the shipped coders again on human labels, and write docs/validity.json, .md and the reliability diagrams.

    python tools/validate_reading.py DATA_DIR [--out docs/validity.json] [--check]

The same engine as `turnwise validate`: a session that a coder was fitted on is read by the weights
that never saw it or its group. Exit 1 where a figure lies beyond its card's interval.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from heard_and_read import heard_and_read
from reliability_svg import reliability_svg
from turnwise.core.nouns import FloatArray, Trajectory
from turnwise.core.registry import READERS
from turnwise.engine.corpora.annomi import ANNOMI, series_of
from turnwise.engine.validating import as_document, validate
from turnwise.reading.cards import Card, Confound, Invariance, cards
from turnwise.reading.perturbing import PERTURBATIONS
from turnwise.stats.auc import auc

DOCS = Path(__file__).resolve().parents[1] / "docs"
IMAGES = "img"
SHARES = (
    ("therapist_behaviour", "reflection", "of therapist turns are reflections"),
    ("therapist_behaviour", "therapist_input", "of therapist turns are input (advice, information)"),
)
Labels = Sequence[str | None]
Found = Mapping[str, Any]


def shares(labels_of: Sequence[Labels], label: str) -> FloatArray:
    """Return the share of a label among the labelled turns of each session (NaN without any)."""
    out = []
    for labels in labels_of:
        found = [x for x in labels if x is not None]
        out.append(found.count(label) / len(found) if found else np.nan)
    return np.array(out, dtype=np.float64)


def of_sessions(ts: Sequence[Trajectory]) -> dict[str, Any]:
    """Return how well shares of behaviours tell good sessions from bad ones, read and coded by people."""
    rated = [t for t in ts if t.meta.get("mi_quality") in ("high", "low")]
    high = np.array([t.meta["mi_quality"] == "high" for t in rated], dtype=bool)
    series: npt.NDArray[np.str_] = np.array([series_of(t) for t in rated], dtype=np.str_)
    out: dict[str, Any] = {"positive": "mi_quality high", "high": int(high.sum()), "low": int((~high).sum())}
    for item, label, words in SHARES:
        gold = ANNOMI.gold[item]
        coded: list[Labels] = [[_one(gold(t, i)) for i in range(len(t.turns))] for t in rated]
        by_coder = shares([r.values() for r in READERS.get(item).obj().read(rated)], label)
        by_people = shares(coded, label)

        def told(x: FloatArray) -> dict[str, Any]:
            return as_document(auc(x, high, rng=20_260_103, clusters=series))

        out[f"{label}_share"] = {
            "says": words,
            "auc_read": told(by_coder),
            "auc_human_labels": told(by_people),
            "mean_read": round(float(np.nanmean(by_coder)), 4),
            "mean_human_labels": round(float(np.nanmean(by_people)), 4),
            "correlation": round(float(np.corrcoef(by_coder, by_people)[0, 1]), 4),
        }
    return out


def _one(said: str | frozenset[str] | None) -> str | None:
    return said if isinstance(said, str) else None


def measure(data: Path) -> dict[str, Any]:
    """Return everything this script measures."""
    found = dict(validate(data))
    if (data / ANNOMI.file).is_file():
        found["sessions"] = of_sessions(ANNOMI.load(data / ANNOMI.file))
    found["simulated"] = heard_and_read()
    return found


def _interval(f: Found | None) -> str:
    if f is None or f["value"] is None:
        return "–"
    return f"{f['value']:.3f}" + (f" [{f['low']:.3f}, {f['high']:.3f}]" if f["low"] is not None else "")


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def _cards() -> dict[str, Card]:
    return {card.coder: card for card in cards("raters")}


def _people(card: Card | None) -> str:
    c = card.ceiling if card is not None else None
    if c is None:
        return "–"
    kappa = c.kappa if c.kappa is not None else c.fleiss_kappa
    if c.macro_f1 is not None:
        return f"{c.macro_f1:.3f}"
    return "–" if kappa is None else f"kappa {kappa:.2f}"


def _published(card: Card | None) -> str:
    p = card.published if card is not None else None
    return "–" if p is None else f"{p.value:.2f} ({p.metric})"


def _floors(card: Card | None) -> list[str]:
    f = None if card is None else card.floors
    return ["–", "–", "–"] if f is None else [str(f.tfidf), str(f.gain_over_tfidf), str(f.length)]


def _turn_rows(found: Found) -> str:
    shipped, rows = _cards(), []
    for m in found["coders"]:
        card, f1 = shipped.get(m["coder"]), m["figures"]["macro_f1"]
        rows.append(
            [
                f"`{m['coder']}`",
                m["corpus"],
                _interval(f1["measured"]),
                _interval(f1["card"]),
                _people(card),
                _published(card),
                *_floors(card if f1["card"] else None),
                _interval(m["figures"]["accuracy"]["measured"]),
                m["n"],
            ]
        )
    head = "coder,corpus,macro-F1 [95 %],on the card,people,published,floor: TF-IDF,gain over it,floor: length only"
    return _table([*head.split(","), "accuracy", "turns"], rows)


def _label_rows(found: Found) -> str:
    rows = [
        [f"`{m['coder']}`", m["corpus"], label, f"{f1:.3f}"]
        + [f"{m['calibration'][side][label]:.3f}" for side in ("share_read", "share_coded")]
        for m in found["coders"]
        for label, f1 in m.get("f1_by_label", {}).items()
    ]
    return _table(["coder", "corpus", "label", "F1", "share read", "share coded by people"], rows)


def _calibrated(found: Found) -> list[Found]:
    """Return one measurement of each coder, on the corpus of its card where that is here."""
    best: dict[str, Found] = {}
    for m in found["coders"]:
        if "calibration" in m and (m["coder"] not in best or m["figures"]["macro_f1"]["card"]):
            best[m["coder"]] = m
    return list(best.values())


def _image(m: Found) -> str:
    return f"{IMAGES}/reliability-{m['coder']}.svg"


def _auroc(x: float | None) -> str:
    return "–" if x is None else f"{x:.3f}"


def _calibration_rows(found: Found) -> str:
    rows = []
    for m in _calibrated(found):
        c = m["calibration"]
        worst = max(c["debiased_by_label"].items(), key=lambda x: x[1])
        rows.append(
            [
                f"`{m['coder']}`",
                *(f"{c[k]:.3f}" for k in ("ece", "debiased_ece", "null_95", "adaptive_ece", "brier")),
                f"{c['over_confidence']:+.3f}",
                _auroc(c["auroc"]),
                f"{worst[1]:.3f} ({worst[0]})",
            ]
        )
    head = "coder,ECE,debiased,chance alone: up to,adaptive ECE,Brier,over-confidence,AUROC of confidence"
    return _table([*head.split(","), "worst single label, debiased"], rows)


def _session_rows(found: Found) -> str:
    rows = [
        [name.replace("_", " "), _interval(x["auc_read"]), _interval(x["auc_human_labels"]), f"{x['correlation']:.3f}"]
        for name, x in found.items()
        if isinstance(x, dict)
    ]
    return _table(["share of turns", "AUC, read [95 %]", "AUC, human labels [95 %]", "r(read, human)"], rows)


def _card_rows(every: Sequence[Card]) -> str:
    """Return what moves each coder: by length, by what should not matter, and from ear to rater."""
    lengths = list(dict.fromkeys(x.name for c in every for x in c.confounds))
    moved = [p.name for p in PERTURBATIONS]
    by_length, by_change = [], []
    for c in every:
        confound, invariance = {x.name: x for x in c.confounds}, {x.name: x for x in c.invariance}
        by_length.append([f"`{c.coder}`", c.side, *(_accuracy(confound.get(x)) for x in lengths)])
        by_change.append([f"`{c.coder}`", c.side, *(_moved(invariance.get(x)) for x in moved)])
    apart = [
        [f"`{c.coder}`", f"{c.disagreement} of {c.disagreement.n} turns that neither saw"]
        for c in every
        if c.side == "raters" and c.disagreement is not None
    ]
    return "\n\n".join(
        [
            _table(["coder", "side", *(x.removeprefix("length: ") for x in lengths)], by_length),
            "And what happens to a label when only one thing changes that should not matter, on the corpus's own turns "
            "with the full weights: the share of pairs of texts whose label differs, the mean change of the "
            "probability of what was most probable, and the number of pairs. " + _changes() + " The turns before stay "
            "as they are. Some of it is no fault: whoever says *thank you* does one thing more.",
            _table(["coder", "side", *moved], by_change),
            _table(["coder", "ears and raters disagree on"], apart),
        ]
    )


def _changes() -> str:
    return "; ".join(f"*{p.name}*: {p.says}" for p in PERTURBATIONS) + "."


def _accuracy(x: Confound | None) -> str:
    return "–" if x is None else f"{x.value:.3f}"


def _moved(x: Invariance | None) -> str:
    return "–" if x is None else f"{x.share_moved:.3f} ({x.mean_change:.3f}; {x.n})"


def _once(of: Callable[[Card], str], every: Sequence[Card]) -> list[str]:
    return [f"- {words}" for words in dict.fromkeys(of(c) for c in every)]


def _simulated(found: Found) -> list[str]:
    rows = [[item.replace("_", " "), _interval(f), f["n"]] for item, f in found["items"].items()]
    return [
        "## Ears and raters on simulated turns",
        _table(["item", "another label [95 %]", "turns"], rows),
        f"Of {found['sessions']} played sessions ({', '.join(found['therapists'])} with every case, seed "
        f"{found['seed']}); the interval is over pairs of therapist and case. Participants act on what ears hear, "
        "measures count what raters read; the same on human turns stands below.",
    ]


def page(found: Found) -> str:
    """Return docs/validity.md."""
    every = [*cards("raters"), *cards("ears")]
    here = [f"{c['title']} ({c['sessions']:,} sessions, sha256 `{c['sha256'][:16]}…`)" for c in found["corpora"]]
    parts = [
        "<!-- Written by tools/validate_reading.py; edit that instead. -->",
        "# How well the coders read",
        "Measured with `make validate`, always by weights that saw neither the session nor its group (5 folds). "
        "Intervals are percentile bootstraps over groups (videos, seekers, contexts). `turnwise validate DATA` "
        "measures the same on data of your own. On: " + "; ".join(here) + ". Coders fitted on written examples (skill "
        "raters, claims) are measured by the script that fits them, on hands that trained nothing and on turns that "
        "two readers coded: [readers.md](readers.md). Simulated patients beside people: "
        "[patients.md](patients.md#conformance-gate).",
        "## Single turns",
        _turn_rows(found),
        "*People* is macro-F1 of one annotator against the majority of the others, or else their agreement. A "
        "published figure is on another split and is no gate. Where several labels may hold, accuracy asks for the "
        "whole set.",
        _label_rows(found),
        "Read `client_talk` with care: people agree only moderately on it (Fleiss .44), and `sustain` is found badly. "
        "A single turn's label says little; shares over many turns say more.",
        "## Are the probabilities shares?",
        _calibration_rows(found),
        "Of the answer given, or where several labels may hold of every label; *debiased* is the error minus what a "
        "perfectly calibrated coder of that n shows on average. The last column asks the same of each label's own "
        "probability. A dot is a bin, its area the number of answers; on the diagonal, what was said came true.",
        "\n".join(f"![Reliability of {m['coder']}]({_image(m)})" for m in _calibrated(found)),
    ]
    if "sessions" in found:
        sessions = found["sessions"]
        parts += [
            "## Sessions: high against low quality",
            _session_rows(sessions),
            f"{sessions['high']} sessions of high and {sessions['low']} of low quality; the low ones are staged "
            "demonstrations, so this shows that the shares carry a known difference, not that they measure quality. "
            "An AUC below .5 means that low-quality sessions have more of it.",
        ]
    if "simulated" in found:
        parts += _simulated(found["simulated"])
    parts += [
        "## What else moves the coders",
        "First, how often the whole answer is right on turns of",
        _card_rows(every),
        "## Where they were not measured",
        "\n".join([*_once(lambda c: c.scope, every), *_once(lambda c: c.licence, every)]),
    ]
    return "\n\n".join(parts) + "\n"


def documents(stored: str, out: Path) -> dict[Path, str]:
    """Return every file this script writes; all but the JSON follow from what is stored in it."""
    found = json.loads(stored)
    images = {out.parent / _image(m): _svg(m) for m in _calibrated(found)}
    return {out: stored, out.with_suffix(".md"): page(found), **images}


def _svg(m: Found) -> str:
    return reliability_svg(f"{m['coder']}, {m['n']:,} turns", m["calibration"]["reliability"])


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and write, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder that holds annomi/dialogues.jsonl.gz and the other corpora")
    parser.add_argument("--out", type=Path, default=DOCS / "validity.json", help="JSON to write; the rest goes beside")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the figures have moved")
    asked = parser.parse_args(argv)
    stored = json.dumps(measure(asked.data), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    files, found = documents(stored, asked.out), json.loads(stored)
    wrong = [*found["differing"], *(f"{name}: {fault}" for name, fault in found["broken"].items())]
    if asked.check:
        moved = [p for p, text in files.items() if not p.is_file() or p.read_text(encoding="utf-8") != text]
        print("\n".join(f"moved: {p}" for p in moved) or "nothing has moved")
        return 1 if moved or wrong else 0
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(files[asked.out.with_suffix(".md")])
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
