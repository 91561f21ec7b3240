"""Recall and precision of the redaction: on written sentences, and how much it takes out of human transcripts.

Usage: python tools/redact_figures.py [--annomi FILE] [--misses develop] [--check]

Writes docs/redact.json and the table between the markers in docs/privacy.md. Found means: every letter and digit that
was marked is covered, whatever kind it was taken for. --check writes nothing and exits 1 if the page differs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from scipy.stats import binomtest

from markdown_pieces import table
from turnwise.engine.redacting.finding import find
from turnwise.engine.redacting.spans import KINDS, Span

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = ROOT / "tools" / "written" / "identifiers"
FIGURES, PAGE = ROOT / "docs" / "redact.json", ROOT / "docs" / "privacy.md"
PARTS = ("develop", "frozen")
BEGIN, END = "<!-- figures: written by tools/redact_figures.py -->", "<!-- end of figures -->"
_MARK = re.compile(r"\[\[(\w+)\|([^\]]*)\]\]")


class Sentence(NamedTuple):
    """A written sentence and where its identifiers stand."""

    name: str
    voice: str
    text: str
    marked: list[Span]


def sentences(part: str) -> Iterator[Sentence]:
    """Yield the sentences of a part without their marks."""
    for line in (WRITTEN / f"{part}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        pieces: list[str] = []
        marked: list[Span] = []
        at = length = 0
        for m in _MARK.finditer(row["text"]):
            pieces += [row["text"][at : m.start()], m[2]]
            length += m.start() - at
            marked.append(Span(length, length + len(m[2]), m[1]))  # type: ignore[arg-type]
            length, at = length + len(m[2]), m.end()
        yield Sentence(row["id"], row["voice"], "".join([*pieces, row["text"][at:]]), marked)


def share(hits: int, n: int) -> dict[str, Any]:
    """Return a share with its Wilson interval of 95 %."""
    if n == 0:
        return {"hits": 0, "n": 0, "value": None, "low": None, "high": None}
    interval = binomtest(hits, n).proportion_ci(0.95, "wilson")
    low, high = (round(float(x), 3) for x in (interval.low, interval.high))
    return {"hits": hits, "n": n, "value": round(hits / n, 3), "low": low, "high": high}


def measured(part: str, *, misses: bool = False) -> dict[str, Any]:
    """Return recall by kind and voice, and precision, on a part; each sentence is a session by itself."""
    n: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    kind_right: Counter[str] = Counter()
    flagged: Counter[str] = Counter()
    right: Counter[str] = Counter()
    clean = clean_flagged = 0
    for s in sentences(part):
        found = find([s.text])[0]
        covered = {i for f in found for i in range(f.start, f.end)}
        clean += not s.marked
        clean_flagged += bool(found) and not s.marked
        for m in s.marked:
            done = all(i in covered for i in range(m.start, m.end) if s.text[i].isalnum())
            for key in (m.kind, s.voice, "all"):
                n[key] += 1
                hit[key] += done
            kind_right["all"] += done and any(f.kind == m.kind and f.start < m.end and m.start < f.end for f in found)
            if misses and not done:
                print(f"  missed {m.kind} {s.text[m.start : m.end]!r}: {s.text}")
        for f in found:
            meant = any(f.start < m.end and m.start < f.end for m in s.marked)
            for key in (f.kind, "all"):
                flagged[key] += 1
                right[key] += meant
            if misses and not meant:
                print(f"  false {f.kind} {s.text[f.start : f.end]!r}: {s.text}")
    return {
        "sentences": sum(1 for _ in sentences(part)),
        "recall": {k: share(hit[k], n[k]) for k in (*KINDS, "spoken", "typed", "all")},
        "named_right": share(kind_right["all"], n["all"]),
        "precision": {k: share(right[k], flagged[k]) for k in (*KINDS, "all")},
        "sentences_without": share(clean_flagged, clean),
    }


def taken_out(path: Path) -> dict[str, Any]:
    """Return how many words of a file of human sessions are flagged, by kind. No text leaves this function."""
    words = flagged = sessions = 0
    kinds: Counter[str] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            texts = [t["text"] for t in json.loads(line)["turns"]]
            sessions += 1
            for text, found in zip(texts, find(texts), strict=True):
                words += len(text.split())
                for f in found:
                    kinds[f.kind] += 1
                    flagged += len(text[f.start : f.end].split())
    return {
        "sessions": sessions,
        "words": words,
        "words_flagged": flagged,
        "per_1000": round(1000 * flagged / words, 2),
        "spans": {k: kinds[k] for k in KINDS if kinds[k]},
    }


def _cell(x: dict[str, Any]) -> str:
    if x["value"] is None:
        return "–"
    return f"{x['value']:.2f} ({x['hits']}/{x['n']}; {x['low']:.2f}–{x['high']:.2f})"


def page_part(figures: dict[str, Any]) -> str:
    """Return the table and the sentence below it."""
    develop, frozen = (figures[part] for part in PARTS)
    rows = [
        [
            kind,
            _cell(frozen["recall"][kind]),
            _cell(frozen["precision"].get(kind, share(0, 0))),
            _cell(develop["recall"][kind]),
        ]
        for kind in (*KINDS, "spoken", "typed", "all")
        if frozen["recall"][kind]["n"]
    ]
    head = ["kind", "recall, frozen half", "precision, frozen half", "recall, half it was built with"]
    text = table(head, rows)
    without = frozen["sentences_without"]
    text += (
        f"\n{frozen['sentences']} and {develop['sentences']} invented sentences, written and not observed;"
        f" (found/marked; Wilson interval of"
        f" 95 %). *Found*: every letter of it is covered. Of the {without['n']} frozen sentences without"
        f" an identifier {without['hits']}"
        " had something taken out.\n"
    )
    human = figures.get("annomi")
    if human:
        text += (
            f"\nIn {human['sessions']} human sessions (AnnoMI, {human['words']:,} words, where nobody has"
            f" marked what identifies) {human['per_1000']}"
            " words of 1,000 are taken out, right and wrong ones together.\n"
        )
    return text


def main() -> None:
    """Measure, write, or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--annomi", type=Path)
    parser.add_argument("--misses", choices=PARTS)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    if asked.misses:
        measured(asked.misses, misses=True)
        return
    before = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    figures = {part: measured(part) for part in PARTS}
    human = taken_out(asked.annomi) if asked.annomi else before.get("annomi")
    figures |= {"annomi": human} if human else {}
    page = PAGE.read_text(encoding="utf-8")
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    new = f"{page[:start]}\n{page_part(figures)}{page[end:]}"
    if asked.check:
        sys.exit(int(new != page or figures != before))
    FIGURES.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    PAGE.write_text(new, encoding="utf-8")
    print(page_part(figures))


if __name__ == "__main__":
    main()
