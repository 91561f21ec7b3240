"""Examples written for this project, as training rows: invented speech, no data set, nobody's transcript."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import numpy as np

from turn_corpus import Item, Labelled
from turnwise.core.nouns import Speaker, Trajectory, Turn
from turnwise.reading.window import Window

WRITTEN = Path(__file__).resolve().parent / "written"
FILES = {"therapist_behaviour": "therapist_turns.jsonl", "client_talk": "client_turns.jsonl"}
LICENCE = "examples written for this project (Apache-2.0): written, not observed"
BOLT_AS: Mapping[str, Mapping[str, str]] = {
    "therapist_behaviour": {
        "Reflections": "reflection",
        "Questions": "question",
        "Problem-Solving": "therapist_input",
        "Planning": "therapist_input",
        "Psychoeducation": "therapist_input",
    },
    "client_talk": {"Changing": "change", "Sustaining": "sustain", "Sharing": "neutral"},
}
"""First word of a BOLT label → the label it stands for; a text whose labels stand for two is left out."""


def records(file: str) -> list[dict[str, Any]]:
    """Return the examples of one file under ``tools/written``."""
    with (WRITTEN / file).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def sha256(file: str) -> str:
    """Return the hash of one file of examples."""
    return hashlib.sha256((WRITTEN / file).read_bytes()).hexdigest()


def window(record: Mapping[str, Any], speaker: str) -> Window:
    """Return an example as a window, with the turn before it where one was written."""
    mine, other = (s for s in sorted(get_args(Speaker), key=lambda s: s != speaker))
    before = (Turn(speaker=other, text=record["before"]),) if record.get("before") else ()
    return Window(Turn(speaker=mine, text=record["text"]), before)


def written_turns(item: Item) -> Labelled:
    """Return the written examples of an item; a voice is a group, because one mind wrote its pairs."""
    found = records(FILES[item.name])
    rows = [(window(r, item.speaker), r["label"], f"written:{r['voice']}") for r in found]
    return as_labelled(rows, item)


def bolt_turns(ts: Iterable[Trajectory], item: Item) -> Labelled:
    """Return the BOLT texts of an item's speaker whose labels stand for one of its labels."""
    rows = []
    for t in ts:
        if t.turns[0].speaker != item.speaker:
            continue
        labels: Any = t.info(0)["labels"]
        stands = {as_ for x in labels["bolt"] for name, as_ in BOLT_AS[item.name].items() if x.startswith(name)}
        if len(stands) == 1:
            rows.append((Window(t.turns[0]), stands.pop(), str(t.meta["group"])))
    return as_labelled(rows, item)


def as_labelled(rows: Iterable[tuple[Window, str, str]], item: Item) -> Labelled:
    """Return rows of (window, label, group) as the fits read them."""
    windows, labels, groups = zip(*rows, strict=True)
    return Labelled(
        windows,
        np.array([item.labels.index(x) for x in labels], dtype=np.int64),
        np.array(groups, dtype=np.str_),
        tuple((g, 0) for g in groups),
        np.ones(len(windows)),
    )


def together(*parts: Labelled) -> Labelled:
    """Return the rows of several sets, one after the other."""
    return Labelled(
        tuple(w for p in parts for w in p.windows),
        np.concatenate([p.gold for p in parts]),
        np.concatenate([p.series for p in parts]),
        tuple(x for p in parts for x in p.where),
        np.concatenate([p.weight for p in parts]),
    )
