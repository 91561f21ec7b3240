"""Recall and false alarms of the validator: on written replies, and on the turns of human counsellors.

Usage: python tools/validator_figures.py [--part develop|frozen] [--misses] [--annomi FILE] [--show KIND]
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from turnwise.core.nouns import Turn
from turnwise.therapists.validator.checking import faults_in
from turnwise.therapists.validator.faults import KINDS
from turnwise.therapists.validator.situation import Situation

WRITTEN = Path(__file__).parent / "written" / "validator"


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written(part: str) -> Iterator[tuple[dict[str, object], list[str]]]:
    """Yield each written reply with the kinds of fault that were found in it."""
    talks = {
        c["id"]: tuple(Turn.model_validate(t) for t in c["turns"])  # type: ignore[attr-defined]
        for c in _lines(WRITTEN / "contexts.jsonl")
    }
    for row in _lines(WRITTEN / f"{part}.jsonl"):
        yield row, [f.kind for f in faults_in(str(row["text"]), Situation(talks[row["context"]]))]


def print_written(part: str, *, misses: bool) -> None:
    """Print recall per kind (of this very kind, and of any) and false alarms on the sound replies."""
    n: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    any_hit: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    for row, kinds in written(part):
        kind = str(row["kind"] or "sound")
        n[kind] += 1
        hit[kind] += kind in kinds
        any_hit[kind] += bool(kinds)
        if kind == "sound":
            alarms.update(set(kinds))
        if misses and (bool(kinds) if kind == "sound" else kind not in kinds):
            print(f"  [{kind}] {row['context']}: {str(row['text'])[:150]!r} -> {kinds}")
    faulty = sum(v for k, v in n.items() if k != "sound")
    print(f"{part}: {n['sound']} sound, {faulty} with a fault")
    for kind in KINDS:
        if n[kind]:
            print(f"  {kind:18} this kind {hit[kind]}/{n[kind]}   any {any_hit[kind]}/{n[kind]}")
    caught = sum(v for k, v in any_hit.items() if k != "sound")
    right = sum(v for k, v in hit.items() if k != "sound")
    print(f"  all faults: caught {caught}/{faulty}, by the right name {right}/{faulty}")
    print(f"  false alarms on sound replies: {any_hit['sound']}/{n['sound']} {dict(alarms)}")


def spoken(text: str) -> str:
    """Return a transcribed turn without the transcriber's notes and marks of interruption."""
    return re.sub(r"^[\s–-]+|\[[^\]]*\]", " ", text).strip()


def human(path: Path) -> Iterator[tuple[str, Situation, str, list[str]]]:
    """Yield (session id, situation, text, kinds) for every counsellor's turn after the first."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            talk = json.loads(line)
            turns = tuple(
                Turn(speaker="patient" if t["speaker"] == "client" else "therapist", text=spoken(t["text"]))
                for t in talk["turns"]
            )
            for i, turn in enumerate(turns):
                if turn.speaker == "therapist" and i and turns[i - 1].speaker == "patient" and turn.text:
                    s = Situation(turns[:i], prior=True)
                    yield talk["id"], s, turn.text, [f.kind for f in faults_in(turn.text, s)]


def print_human(path: Path, show: str | None) -> None:
    """Print the share of counsellors' turns flagged, by kind."""
    n, flagged, kinds_seen = 0, 0, Counter[str]()
    for sid, s, text, kinds in human(path):
        n += 1
        flagged += bool(kinds)
        kinds_seen.update(set(kinds))
        if show in kinds:
            print(f"  {sid} | {s.last[-160:]!r}\n     -> {text[:260]!r}")
    print(f"{path.name}: {n} turns of counsellors, {flagged} flagged ({flagged / n:.1%})")
    for kind, count in kinds_seen.most_common():
        print(f"  {kind:18} {count:5} ({count / n:.1%})")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("develop", "frozen"), default="frozen")
    parser.add_argument("--misses", action="store_true", help="print each reply that was judged otherwise")
    parser.add_argument("--annomi", type=Path, help="dialogues.jsonl.gz of AnnoMI")
    parser.add_argument("--show", help="with --annomi: print the turns flagged as this kind")
    args = parser.parse_args()
    if args.annomi:
        print_human(args.annomi, args.show)
    else:
        print_written(args.part, misses=args.misses)


if __name__ == "__main__":
    main()
