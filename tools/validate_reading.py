"""Measure the shipped coders again on human labels, out of fold, and write docs/validity.json and .md.

    python tools/validate_reading.py DATA_DIR [--out docs/validity.json] [--check]

A transcript that a coder was fitted on is read by the weights that never saw it or its series.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from coder_figures import (
    accuracy,
    auc_figure,
    calibration,
    f1_by_label,
    figure,
    macro_f1,
    mean_f1,
    tables_by_cluster,
)
from turn_corpus import ITEMS, Item, label_of, load_annomi, series_of
from turnwise.core.nouns import FloatArray, Reading, Trajectory
from turnwise.reading.cards import Card, load_card
from turnwise.reading.raters.client_talk import client_talk
from turnwise.reading.raters.therapist_behaviour import therapist_behaviour
from turnwise.reading.session_reader import OUT_OF_FOLD

DOCS = Path(__file__).resolve().parents[1] / "docs"
READERS = {"therapist_behaviour": therapist_behaviour, "client_talk": client_talk}
SHARES = (
    ("therapist_behaviour", "reflection", "of therapist turns are reflections"),
    ("therapist_behaviour", "therapist_input", "of therapist turns are input (advice, information)"),
)
Labels = Sequence[str | None]


def of_turns(ts: Sequence[Trajectory], readings: Sequence[Reading], item: Item) -> dict[str, Any]:
    """Return how well a coder reads single turns, beside people and beside floors."""
    gold, coded, series, p = [], [], [], []
    unread = 0
    for t, reading in zip(ts, readings, strict=True):
        for i, code in enumerate(reading.codes):
            label = label_of(t, i, item)
            if label is None or code == "not_applicable":
                continue
            if code is not None:
                unread += 1
                continue
            gold.append(item.labels.index(label))
            coded.append(int(reading.p[i].argmax()))
            series.append(series_of(t))
            p.append(reading.p[i])
    g, c, n = np.array(gold, dtype=np.int64), np.array(coded, dtype=np.int64), len(item.labels)
    tables = tables_by_cluster(g, c, np.array(series, dtype=np.str_), n)
    card = load_card(item.name, "raters")
    seen = calibration(np.array(p), g, item.labels, card.calibration.temperature)
    return {
        "coder": card.coder,
        "sha256": card.sha256,
        "n": len(g),
        "unread": unread,
        "out_of_fold_sessions": sum(r.coder.endswith(OUT_OF_FOLD) for r in readings),
        "macro_f1": figure(tables, mean_f1, "series"),
        "accuracy": figure(tables, accuracy, "series"),
        "f1_by_label": dict(zip(item.labels, np.round(f1_by_label(g, c, n), 4).tolist(), strict=True)),
        "confusion": {
            "rows": "human",
            "columns": "coder",
            "order": item.labels,
            "n": tables.sum(axis=0).astype(int).tolist(),
        },
        "ceiling": card.ceiling.model_dump(),
        "floors": {
            "majority": round(macro_f1(g, np.full(len(g), np.bincount(g).argmax()), n), 4),
            "length_only": card.length_only_macro_f1,
        },
        "calibration": seen,
    }


def shares(ts: Sequence[Trajectory], labels_of: Callable[[int], Labels], label: str) -> FloatArray:
    """Return the share of a label among the labelled turns of each session (NaN without any)."""
    out = []
    for at in range(len(ts)):
        found = [x for x in labels_of(at) if x is not None]
        out.append(found.count(label) / len(found) if found else np.nan)
    return np.array(out, dtype=np.float64)


def of_sessions(ts: Sequence[Trajectory], readings: dict[str, list[Reading]]) -> dict[str, Any]:
    """Return how well shares of behaviours tell good sessions from bad ones, read and coded by people."""
    items = {item.name: item for item in ITEMS}
    rated = [i for i, t in enumerate(ts) if t.meta.get("mi_quality") in ("high", "low")]
    high = np.array([ts[i].meta["mi_quality"] == "high" for i in rated], dtype=bool)
    series: npt.NDArray[np.str_] = np.array([series_of(ts[i]) for i in rated], dtype=np.str_)
    chosen = [ts[i] for i in rated]
    out: dict[str, Any] = {"positive": "mi_quality high", "high": int(high.sum()), "low": int((~high).sum())}
    for name, label, words in SHARES:
        item = items[name]
        read = [readings[name][i].values() for i in rated]
        coded = [[label_of(t, i, item) for i in range(len(t.turns))] for t in chosen]
        by_coder = shares(chosen, read.__getitem__, label)
        by_people = shares(chosen, coded.__getitem__, label)
        out[f"{label}_share"] = {
            "says": words,
            "auc_read": auc_figure(by_coder, high, series),
            "auc_human_labels": auc_figure(by_people, high, series),
            "mean_read": round(float(np.nanmean(by_coder)), 4),
            "mean_human_labels": round(float(np.nanmean(by_people)), 4),
            "correlation": round(float(np.corrcoef(by_coder, by_people)[0, 1]), 4),
        }
    return out


def measure(data: Path) -> dict[str, Any]:
    """Return everything this script measures."""
    ts, sha256 = load_annomi(data)
    readings = {name: make().read(ts) for name, make in READERS.items()}
    return {
        "corpus": {"name": "AnnoMI (development portion)", "sha256": sha256, "sessions": len(ts)},
        "turns": {item.name: of_turns(ts, readings[item.name], item) for item in ITEMS},
        "sessions": of_sessions(ts, readings),
    }


def _interval(f: dict[str, Any]) -> str:
    return f"{f['value']:.3f} [{f['low']:.3f}, {f['high']:.3f}]"


def _turn_rows(found: dict[str, Any]) -> list[str]:
    lines = [
        "| coder | macro-F1 [95 %] | people | floor: most frequent | floor: length only | accuracy | ECE | n |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for x in found.values():
        floors, ece = x["floors"], x["calibration"]
        lines.append(
            f"| `{x['coder']}` | {_interval(x['macro_f1'])} | {x['ceiling']['macro_f1']:.3f} "
            f"| {floors['majority']:.3f} | {floors['length_only']:.3f} | {_interval(x['accuracy'])} | {ece['ece']:.3f} "
            f"(chance alone: up to {ece['null_95']:.3f}) | {x['n']} |"
        )
    lines += ["", "| coder | label | F1 | share read | share coded by people |", "|---|---|---|---|---|"]
    for x in found.values():
        shares_of = x["calibration"]
        lines += [
            f"| `{x['coder']}` | {label} | {f1:.3f} | {shares_of['share_read'][label]:.3f} "
            f"| {shares_of['share_coded'][label]:.3f} |"
            for label, f1 in x["f1_by_label"].items()
        ]
    return lines


def _session_rows(found: dict[str, Any]) -> list[str]:
    lines = ["| share of turns | AUC, read [95 %] | AUC, human labels [95 %] | r(read, human) |", "|---|---|---|---|"]
    for name, x in found.items():
        if isinstance(x, dict):
            read, human = _interval(x["auc_read"]), _interval(x["auc_human_labels"])
            lines.append(f"| {name.replace('_', ' ')} | {read} | {human} | {x['correlation']:.3f} |")
    return lines


def _card_rows(cards: Sequence[Card]) -> list[str]:
    lines = ["| coder | side | what else moves it | value |", "|---|---|---|---|"]
    lines += [f"| `{c.coder}` | {c.side} | {x.says} | {x.value:.3f} |" for c in cards for x in c.confounds]
    lines += ["", "| coder | ears and raters disagree on |", "|---|---|"]
    return lines + [
        f"| `{c.coder}` | {_interval(c.disagreement.model_dump())} of {c.disagreement.n} turns that neither saw |"
        for c in cards
        if c.side == "raters"
    ]


def page(found: dict[str, Any]) -> str:
    """Return docs/validity.md."""
    cards = [load_card(item.name, side) for side in ("raters", "ears") for item in ITEMS]
    sessions, corpus = found["sessions"], found["corpus"]
    parts = [
        "<!-- Written by tools/validate_reading.py; edit that instead. -->",
        "# How well the coders read",
        f"Measured on {corpus['name']}, {corpus['sessions']} transcripts (file sha256 `{corpus['sha256'][:16]}…`), "
        "always by weights that saw neither the transcript nor its series (5 folds). Intervals are percentile "
        "bootstraps over series. *People* is one annotator against the majority of nine others, on five transcripts.",
        "## Single turns",
        "\n".join(_turn_rows(found["turns"])),
        "Read `client_talk` with care: people agree only moderately on it (Fleiss .44), and `sustain` is found badly. "
        "A single turn's label says little; shares over many turns say more.",
        "## Sessions: high against low quality",
        "\n".join(_session_rows(sessions)),
        f"{sessions['high']} sessions of high and {sessions['low']} of low quality; the low ones are staged "
        "demonstrations, so this shows that the shares carry a known difference, not that they measure quality. An AUC "
        "below .5 means that low-quality sessions have more of it.",
        "## What else moves the coders",
        "\n".join(_card_rows(cards)),
        "## Where they were not measured",
        cards[0].scope,
        cards[0].licence,
    ]
    return "\n\n".join(parts) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and write, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder that holds annomi/dialogues.jsonl.gz")
    parser.add_argument("--out", type=Path, default=DOCS / "validity.json", help="JSON to write; a .md goes beside it")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the figures have moved")
    asked = parser.parse_args(argv)
    stored = json.dumps(measure(asked.data), indent=2, sort_keys=True) + "\n"
    files = {
        asked.out: stored,
        asked.out.with_suffix(".md"): page(json.loads(stored)),  # from what is stored, so that it can be made again
    }
    if asked.check:
        moved = [p for p, text in files.items() if not p.is_file() or p.read_text(encoding="utf-8") != text]
        print("\n".join(f"moved: {p}" for p in moved) or "nothing has moved")
        return 1 if moved else 0
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    print(files[asked.out.with_suffix(".md")])
    return 0


if __name__ == "__main__":
    sys.exit(main())
