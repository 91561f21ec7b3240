"""Measure the ear for danger as it ships, and write the figures and hashes onto its card.

    python tools/danger_figures.py FILE … [--data DATA_DIR] [--heard-from P]

FILE: lines by authors who are kept apart (kind, tab, text). With ``--data`` also the share of client turns of AnnoMI
and ESConv that it takes for danger: every n-th turn, nobody looked at whether one of them is.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from turnwise.reading.ears.danger import KINDS, hear_danger
from turnwise.stats.proportion import wilson

SHIPS = Path(__file__).parents[1] / "src" / "turnwise" / "reading" / "ears" / "danger_data"
WRITTEN = Path(__file__).parent / "written" / "danger"
SUICIDAL = ("outright", "veiled", "slang", "means", "farewell", "late", "teen")
OTHER = ("selfharm", "to_others", "from_others", "birth", "other_person")
EVERY = {"annomi": 2, "esconv": 9}


def share(heard: list[bool]) -> dict[str, Any]:
    found = wilson(sum(heard), len(heard))
    ends = {"value": found.value, "low": found.low, "high": found.high}
    return {k: None if v is None else round(v, 4) for k, v in ends.items()} | {"n": len(heard)}


def lines_of(paths: list[Path]) -> list[tuple[str, str, str]]:
    rows = []
    for path in sorted(paths):
        for line in path.read_text(encoding="utf-8").splitlines():
            kind, _, text = line.partition("\t")
            if text.strip():
                rows.append((path.stem, kind, text.strip()))
    return rows


def on_lines(rows: list[tuple[str, str, str]]) -> dict[str, Any]:
    heard = [(author, kind, hear_danger(text).kind != "none") for author, kind, text in rows]
    dangerous = (*SUICIDAL, *OTHER)
    groups = {
        "recall": [h for _, k, h in heard if k in dangerous],
        "recall, suicidal kinds": [h for _, k, h in heard if k in SUICIDAL],
        "false alarms on look-alikes": [h for _, k, h in heard if k not in dangerous],
    }
    for kind in sorted({k for _, k, _ in heard}, key=lambda k: (k not in dangerous, k)):
        groups[kind if kind in dangerous else f"look-alike: {kind}"] = [h for _, k, h in heard if k == kind]
    return {name: share(found) for name, found in groups.items()}


def on_people(data: Path) -> dict[str, Any]:
    found = {}
    for name, every in EVERY.items():
        with gzip.open(data / name / "dialogues.jsonl.gz", "rt", encoding="utf-8") as file:
            sessions = [json.loads(line) for line in file]
        texts = [t["text"] for s in sessions for t in s["turns"] if t["speaker"] == "client" and t["text"].strip()]
        heard = [hear_danger(text).kind != "none" for text in texts[::every]]
        found[f"client turns of {name} taken for danger"] = share(heard)
    return found


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("files", type=Path, nargs="+")
    arguments.add_argument("--data", type=Path)
    arguments.add_argument("--heard-from", type=float)
    given = arguments.parse_args()
    card_at = SHIPS / "card.json"
    card = json.loads(card_at.read_text(encoding="utf-8"))
    card["sha256"] = {
        name: hashlib.sha256((SHIPS / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")
    }
    if given.heard_from is not None:
        card["heard_from"] = given.heard_from
    card_at.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    rows = lines_of(given.files)
    figures = on_lines(rows) | (on_people(given.data) if given.data else {})
    card |= {
        "kinds": list(KINDS),
        "fitted_on": sorted(path.name for path in WRITTEN.glob("train_*.tsv")),
        "licence": "lines written for this project (Apache-2.0); base model all-MiniLM-L6-v2 (Apache-2.0)",
        "measured_on": {
            "what": "lines by authors who are in no fit and chose no threshold; written, not observed",
            "authors": sorted({author for author, _, _ in rows}),
        },
        "figures": figures,
    }
    card_at.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    for name, x in figures.items():
        print(f"{name:<48} {x['value']:.3f} ({x['low']:.3f} to {x['high']:.3f}) of {x['n']}")


if __name__ == "__main__":
    main()
