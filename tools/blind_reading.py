"""What readers who did not know whose sessions they read said of them: our controller before and after, foils, people.

    python tools/blind_reading.py [--reading 3]   # a table of docs/socratic-reading.md, from the stored verdicts
    python tools/blind_reading.py --reading 3 --gather FOLDER KEY   # readers' JSON files and the key, into them

Stored are counts of verdicts by session and reader (tools/written/tact/blind_reading*.json), no text: sessions of
simulated patients can be played again by case and seed, transcripts of people stay where they are.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from refitting import as_json
from turnwise.stats.paired import paired_difference

FOLDER = Path(__file__).parent / "written" / "tact"
VERDICTS = ("ok", "weak", "wrong")
_PEOPLE = {"human": "therapists of AnnoMI, high quality, first 20 turns"}
READINGS = {
    1: (
        "blind_reading.json",
        {
            "old": "controller as the sitting began (`7441c80`)",
            "new": "controller as it shipped (`9e7789a`)",
            "reflector": "`reflector`",
            **_PEOPLE,
        },
    ),
    2: (
        "blind_reading_2.json",
        {"old": "controller and patients before (`9e7789a`)", "new": "controller and patients as they ship", **_PEOPLE},
    ),
    3: (
        "blind_reading_3.json",
        {"old": "controller the day before (seed 60955)", "new": "controller as it ships (seed 60957)", **_PEOPLE},
    ),
    4: (
        "blind_reading_4.json",
        {
            "old": "controller before it asked how the talk is of its own accord (`c1a53e6`)",
            "new": "controller as it ships, same patients and seed (70061)",
        },
    ),
    5: (
        "blind_reading_5.json",
        {
            "old": "controller before it asked for both sides of a thought (`df6e5d9`)",
            "new": "controller that asks for them (`731cf69`), same patients and seed (70071)",
        },
    ),
}
"""Number of a reading to where its verdicts are stored, and what its kinds of session are."""


def gathered(folder: Path, key: Path) -> list[dict[str, Any]]:
    """Return one row a session: who it was of, the reader, counts of verdicts, the mark of the whole (1 to 7)."""
    rows = []
    for place, name in sorted(json.loads(key.read_text(encoding="utf-8")).items()):
        found = json.loads((folder / f"{place}.json").read_text(encoding="utf-8"))
        counts = Counter(found["verdicts"].values())
        kind, _, session = name.removesuffix(".txt").partition("-")
        rows.append({"kind": kind, "session": session, "reader": place.split("/")[0], "whole": found["whole"],
                     "counts": [counts[v] for v in VERDICTS]})  # fmt: skip
    return rows


def table(rows: list[dict[str, Any]], names: Mapping[str, str]) -> str:
    """Return the shares by kind of session, and the difference between before and after paired by reader."""
    by: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by[row["kind"]].append(row)
    lines = ["| sessions of | sessions | turns | ok | weak | wrong | whole (1 to 7) |", "|---|---|---|---|---|---|---|"]
    for kind, name in names.items():
        counts = np.sum([r["counts"] for r in by[kind]], axis=0)
        shares = " | ".join(f"{x / counts.sum():.3f}" for x in counts)
        whole = np.mean([r["whole"] for r in by[kind]])
        lines.append(f"| {name} | {len(by[kind])} | {counts.sum()} | {shares} | {whole:.2f} |")
    for at, verdict in enumerate(VERDICTS):
        if verdict != "weak":
            found = paired_difference(_by_reader(by["new"], at), _by_reader(by["old"], at), rng=1)
            lines.append(f"\n{verdict}, after less before, paired by reader: {found.value:+.3f} "
                         f"[{found.low:+.3f}, {found.high:+.3f}].")  # fmt: skip
    return "\n".join(lines)


def _by_reader(rows: list[dict[str, Any]], at: int) -> list[float]:
    """Return each reader's share of turns with a verdict, over the sessions it read of one kind."""
    counts: dict[str, list[list[int]]] = defaultdict(list)
    for row in rows:
        counts[row["reader"]].append(row["counts"])
    sums = [np.sum(counts[reader], axis=0) for reader in sorted(counts)]
    return [float(x[at] / x.sum()) for x in sums]


def main() -> int:
    """Print the table, or gather it first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gather", type=Path, nargs=2, metavar=("FOLDER", "KEY"))
    parser.add_argument("--reading", type=int, choices=sorted(READINGS), default=1)
    asked = parser.parse_args()
    name, names = READINGS[asked.reading]
    if asked.gather:
        (FOLDER / name).write_bytes(as_json(gathered(*asked.gather)))
    print(table(json.loads((FOLDER / name).read_text(encoding="utf-8")), names))
    return 0


if __name__ == "__main__":
    sys.exit(main())
