"""Sessions whose replies, said and possible, were judged as supervisors would (tools/written/tact): what tact learns.

python tools/judged_replies.py gather NAME FOLDER ...    # sessions.jsonl and verdicts (*.json) into NAME.jsonl.gz
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from turnwise.core.nouns import Intake, Turn
from turnwise.reading.ears.direct import DirectEar
from turnwise.therapists.acts import ACTS, NO_ACT, Act
from turnwise.therapists.reflecting import Line
from turnwise.therapists.socratic import Plan, Socratic
from turnwise.therapists.tact_aspects import Setting, setting_of

FOLDER = Path(__file__).parent / "written" / "tact"
VERDICTS = ("ok", "weak", "wrong")


@dataclass(frozen=True, slots=True)
class Judged:
    """One reply in its setting, with the verdict of one judge; ``weight`` shares a reply among its judges."""

    line: Line
    move: str
    at: Setting
    verdict: int
    weight: float
    said: bool
    case: str
    place: tuple[str, int]


def line_of(row: dict[str, Any]) -> Line:
    """Return a stored candidate as the line it was."""
    return Line(row["id"], row["text"], tuple(row["quoted"]), row["feeling"])


def settings(session: dict[str, Any], ear: DirectEar) -> Iterator[tuple[int, Setting, dict[str, Any]]]:
    """Yield, for each therapist turn but the first, what was to be answered and the replies stored for it.

    The controller's own memory is played again from what was said and which act it was said for.
    """
    who, rng = Socratic(ear), np.random.default_rng(0)
    state = who.init(Intake(), rng)
    turns = tuple(Turn(speaker=speaker, text=text) for speaker, text in session["turns"])
    at = [i for i, turn in enumerate(turns) if turn.speaker == "therapist"]
    for k, (i, row) in enumerate(zip(at, session["therapist"], strict=True)):
        state, seen = asyncio.run(who.perceive(state, turns[:i]))
        said = row["said"]
        if seen is not None:
            yield k, setting_of(state.ledger, seen.heard), row
        act = ACTS.get(said["move"]) or Act(said["move"], "support", 0.0, 2, NO_ACT)
        state = who.settle(state, seen, Plan(act, said["target"], line_of(said), "", said["duty"]), said["text"]).state


def sessions(names: Iterable[str] = ()) -> Iterator[dict[str, Any]]:
    """Yield the stored sessions of some rounds, or of all."""
    for path in sorted(FOLDER.glob("*.jsonl.gz")):
        if not names or path.name.split(".")[0] in names:
            yield from map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())


def judged(names: Iterable[str] = ()) -> list[Judged]:
    """Return every judged reply that was chosen by value: what is owed (danger, who is speaking) is not learnt."""
    ear, found = DirectEar(), []
    for session in sessions(names):
        for k, at, row in settings(session, ear):
            for place, reply in enumerate((row["said"], *row["others"])):
                if reply["duty"]:
                    continue
                verdicts = reply.get("verdicts", [])
                found += [
                    Judged(line_of(reply), reply["move"], at, VERDICTS.index(v), 1.0 / len(verdicts), place == 0,
                           session["session"].split("-")[0], (session["session"], k))
                    for v in verdicts
                ]  # fmt: skip
    return found


def gather(name: str, folders: Iterable[Path]) -> int:
    """Put what was played and what was judged of it into one file; returns how many sessions it holds."""
    rows: dict[str, dict[str, Any]] = {}
    verdicts: dict[str, list[dict[str, str]]] = defaultdict(list)
    for folder in folders:
        for path in sorted(folder.glob("**/*.json*")):
            if path.suffix == ".jsonl":
                rows |= {(r := json.loads(x))["session"]: r for x in path.read_text(encoding="utf-8").splitlines()}
            else:
                verdicts[path.stem].append(json.loads(path.read_text(encoding="utf-8"))["verdicts"])
    kept = [_with_verdicts(rows[s], verdicts[s]) for s in sorted(rows) if verdicts.get(s)]
    content = "".join(json.dumps(r, ensure_ascii=False, sort_keys=True) + "\n" for r in kept)
    (FOLDER / f"{name}.jsonl.gz").write_bytes(gzip.compress(content.encode("utf-8"), mtime=0))
    return len(kept)


def _with_verdicts(row: dict[str, Any], verdicts: list[dict[str, str]]) -> dict[str, Any]:
    for k, (turn, order) in enumerate(zip(row["therapist"], row["orders"], strict=True)):
        replies = [turn["said"], *turn["others"]]
        for number, i in enumerate(order):
            replies[i]["verdicts"] = [v for of in verdicts if (v := of.get(f"{k}.{number}")) in VERDICTS]
    return {name: row[name] for name in ("session", "turns", "therapist")}


def main() -> int:
    """Gather a round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["gather"])
    parser.add_argument("name")
    parser.add_argument("folders", type=Path, nargs="+")
    asked = parser.parse_args()
    print(f"{gather(asked.name, asked.folders)} sessions in {asked.name}.jsonl.gz")
    return 0


if __name__ == "__main__":
    sys.exit(main())
