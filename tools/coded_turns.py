"""Real turns that two readers coded independently: how far they agree, and how far a rater agrees with them.

``tools/written/skills/codings.jsonl`` holds labels and where the turn lies in DATA_DIR, never the text. Who the
coders were stands in ``tools/written/skills/README.md``; the cards repeat it.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from skill_examples import FOLDER, label_of
from turnwise.core.nouns import Turn
from turnwise.reading.skill_items import SKILL_ITEMS
from turnwise.reading.window import Window
from turnwise.stats.bootstrap import bootstrap

__all__ = [
    "CODINGS",
    "FOR_SECOND",
    "SIMULATED",
    "CodedOnce",
    "Coding",
    "coded_once",
    "codings",
    "f1_of",
    "figures_on_real",
    "window_of_coded",
]

CODINGS = FOLDER / "codings.jsonl"
SIMULATED = FOLDER / "codings_simulated.jsonl"
TRAINING, FOR_SECOND = FOLDER / "coded_for_training.jsonl", FOLDER / "coded_for_second.jsonl"
LEAST, LEAST_OF_LABEL = 30, 8
"""Turns below which an item has no figure; turns a label needs, of either coder, to count in it."""
_SEED = 20_261_121


@dataclass(frozen=True)
class CodedOnce:
    """One turn that one reader coded, to fit on: of a simulated session with its text, of a data set its place only."""

    source: str
    ref: str
    labels: dict[str, str]
    before2: str = ""
    before: str = ""
    text: str = ""


@dataclass(frozen=True)
class Coding:
    """One turn coded twice: where it lies, and each coder's labels by item (``"na"``: does not apply).

    Turns of simulated sessions stand here with their text; of a data set only the place is kept.
    """

    n: int
    source: str
    ref: str
    p: dict[str, str]
    q: dict[str, str]
    before2: str = ""
    before: str = ""
    text: str = ""


def coded_once(path: Path = TRAINING) -> list[CodedOnce]:
    """Return the turns that one reader coded to fit on; none of them is among ``codings``."""
    return [CodedOnce(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def codings(path: Path = CODINGS) -> list[Coding]:
    """Return every turn that two readers coded."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [Coding(**json.loads(line)) for line in lines]


@cache
def _dialogues(path: Path) -> dict[str, list[dict[str, Any]]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {(d := json.loads(line))["id"]: d["turns"] for line in file}


@cache
def _rows(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(2**31 - 1)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_FILES = {
    "annomi": "annomi/dialogues.jsonl.gz",
    "esconv": "esconv/dialogues.jsonl.gz",
    "failed_esconv": "failed_esconv/dialogues.jsonl.gz",
    "llms_as_therapists": "llms_as_therapists/interjections.csv.gz",
    "counsel_chat": "counsel_chat/answers.csv.gz",
}
_COLUMNS = {
    "llms_as_therapists": ("interjection", "model_response"),
    "counsel_chat": ("questionText", "answerText"),
}


def window_of_coded(data: Path, c: Coding | CodedOnce, speaker: str) -> Window:
    """Return the coded reply, or the patient's turn before it, as raters see turns."""
    earlier: tuple[Turn, ...]
    if c.text:
        said, reply = c.before, c.text
        earlier = (Turn(speaker="therapist", text=c.before2),) if c.before2 else ()
    else:
        said, reply, earlier = _looked_up(data / _FILES[c.source], c)
    patient = Turn(speaker="patient", text=said)
    if speaker == "patient":
        return Window(patient, earlier)
    return Window(Turn(speaker="therapist", text=reply), (*earlier, patient))


def _looked_up(path: Path, c: Coding | CodedOnce) -> tuple[str, str, tuple[Turn, ...]]:
    if c.source in _COLUMNS:
        row = _rows(path)[int(c.ref.removeprefix("row"))]
        said, reply = (row[column].strip() for column in _COLUMNS[c.source])
        return said, reply, ()
    name, _, at = c.ref.rpartition(":")
    turns, i = _dialogues(path)[name], int(at)
    earlier = (Turn(speaker="therapist", text=turns[i - 2]["text"]),) if i > 1 else ()
    return turns[i - 1]["text"], turns[i]["text"], earlier


def f1_of(a: npt.NDArray[np.str_], b: npt.NDArray[np.str_], labels: Sequence[str]) -> float:
    """Return macro-F1 over some labels; it is the same both ways, as it should be: neither coder is the truth."""
    found = []
    for label in labels:
        given = float((a == label).sum() + (b == label).sum())
        if given:
            found.append(2.0 * float(((a == label) & (b == label)).sum()) / given)
    return float(np.mean(found)) if found else float("nan")


def figures_on_real(item: str, found: Sequence[Coding], decided: Sequence[str]) -> dict[str, Any] | None:
    """Return how far the two coders agree on an item, and the rater with each of them, by macro-F1 and kappa.

    ``decided`` is the rater's label of each coding. Only turns to which both coders say the item applies count;
    labels that neither coder gave ``LEAST_OF_LABEL`` times are left out. ``None`` below ``LEAST`` turns.
    """
    rows = [i for i, c in enumerate(found) if "na" not in (label_of(item, c.p), label_of(item, c.q))]
    if len(rows) < LEAST:
        return None
    p, q = (np.array([label_of(item, getattr(found[i], side)) for i in rows]) for side in ("p", "q"))
    r = np.array([decided[i] for i in rows])
    labels = [x for x in SKILL_ITEMS[item].labels if min((p == x).sum(), (q == x).sum()) >= LEAST_OF_LABEL]
    if len(labels) < 2:
        return None
    between = bootstrap(lambda at: f1_of(p[at], q[at], labels), len(rows), rng=_SEED)
    rater = bootstrap(lambda at: (f1_of(p[at], r[at], labels) + f1_of(q[at], r[at], labels)) / 2, len(rows), rng=_SEED)
    gap = bootstrap(
        lambda at: f1_of(p[at], q[at], labels) - (f1_of(p[at], r[at], labels) + f1_of(q[at], r[at], labels)) / 2,
        len(rows),
        rng=_SEED,
    )
    short_by_label = {x: f1_of(p, q, [x]) - (f1_of(p, r, [x]) + f1_of(q, r, [x])) / 2 for x in labels}
    return {
        "n": len(rows), "labels": labels, "coders": between, "rater": rater, "short": gap, "by_label": short_by_label,
    }  # fmt: skip
