"""How well the history judgement reads pairs it was not tuned on, and how often it finds fault with people.

    python tools/history_figures.py DATA_DIR [--out docs/history.json]

Pairs: ``tools/written/history`` (written, not observed); voice ``a`` tuned the thresholds, voice ``b`` did not.
People: therapists in AnnoMI (``DATA_DIR/annomi``), every turn against all turns before it; half of the series was seen
while tuning, the other half was not. Nobody has labelled those turns: what is counted there are flags, right or wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from turnwise.core.nouns import Trajectory, Turn
from turnwise.engine.corpora.annomi import ANNOMI, series_of
from turnwise.reading.history import KINDS, history_faults
from turnwise.stats.bootstrap import bootstrap_mean
from turnwise.stats.proportion import wilson

ROOT = Path(__file__).resolve().parents[1]
PAIRS = ROOT / "tools" / "written" / "history" / "pairs.jsonl"
_DANGER = ("point of going on", "gun")


def _rounded(found: Any) -> dict[str, Any]:
    return {"value": round(found.value, 4), "low": round(found.low, 4), "high": round(found.high, 4), "n": found.n}


def _flagged(text: str, before: Sequence[Turn]) -> list[str]:
    due = any(x in before[-1].text for x in _DANGER) if before else False
    return [f.kind for f in history_faults(text, before, due_again=due)]


def on_pairs(voice: str) -> dict[str, Any]:
    """Return precision, recall and recall by kind on one voice."""
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    hits: Counter[str] = Counter()
    many: Counter[str] = Counter()
    false = fresh = hard = hard_false = 0
    for row in rows:
        if row["voice"] != voice:
            continue
        before = [Turn(speaker=who, text=text) for who, text in row["history"]]
        if row["again"]:
            many[row["kind"]] += 1
            hits[row["kind"]] += bool(_flagged(row["again"], before))
        wrong = bool(_flagged(row["fresh"], before))
        fresh, false = fresh + 1, false + wrong
        hard, hard_false = hard + (row["kind"] == "none"), hard_false + (wrong and row["kind"] == "none")
    total = sum(hits.values())
    return {
        "recall": _rounded(wilson(total, sum(many.values()))),
        "precision": _rounded(wilson(total, total + false)),
        "false_alarms": _rounded(wilson(false, fresh)),
        "of_them_hard": f"{hard_false} of {hard}",
        "recall_by_kind": {k: f"{hits[k]} of {many[k]}" for k in KINDS},
    }


def on_people(sessions: Sequence[Trajectory]) -> dict[str, Any]:
    """Return the share of therapist turns with a flag, its interval over series, and the kinds."""
    flags, series = [], []
    kinds: Counter[str] = Counter()
    for t in sessions:
        for i, turn in enumerate(t.turns):
            if turn.speaker == "therapist":
                found = set(_flagged(turn.text, t.turns[:i]))
                flags.append(float(bool(found)))
                series.append(series_of(t))
                kinds.update(found)
    share = bootstrap_mean(flags, rng=1, clusters=np.array(series))
    return _rounded(share) | {"kinds": {k: kinds[k] for k in KINDS}, "sessions": len(sessions)}


def _half(t: Trajectory) -> int:
    return int(hashlib.sha256(series_of(t).encode()).hexdigest(), 16) % 2


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the human-labelled data")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "history.json", help="where the figures go")
    asked = parser.parse_args(argv)
    sessions = ANNOMI.load(asked.data / ANNOMI.file)
    quality = {q: [t for t in sessions if t.meta.get("mi_quality") == q] for q in ("high", "low")}
    content = {
        "command": "python tools/history_figures.py DATA_DIR",
        "pairs": {"tuned on (voice a)": on_pairs("a"), "not tuned on (voice b)": on_pairs("b")},
        "people": {
            "half of the series seen while tuning": on_people([t for t in sessions if not _half(t)]),
            "the other half": on_people([t for t in sessions if _half(t)]),
            **{f"{q} quality": on_people(found) for q, found in quality.items()},
        },
    }
    asked.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(content, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
