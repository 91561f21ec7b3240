"""BOLT: what therapists and clients do in single utterances, several behaviours at once.

Chiu, Sharma, Lin, Althoff 2024 (arXiv 2401.00820): utterances of transcribed counselling, mostly
unpunctuated. One session of one turn per distinct text; a text has every label it was given.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from turnwise.core.nouns import Trajectory, Turn
from turnwise.engine.corpora.corpus import Corpus, Gold
from turnwise.engine.corpora.near_duplicates import groups_of, near_duplicates
from turnwise.reading.raters.bolt_client import LABELS as CLIENT
from turnwise.reading.raters.bolt_therapist import LABELS as THERAPIST

__all__ = ["BOLT", "CLIENT", "THERAPIST", "load"]

_KEY = "bolt"


def load(path: Path) -> Sequence[Trajectory]:
    """Return one session per distinct text and speaker, in file order.

    Parameters
    ----------
    path : the file of text–label pairs (columns ``speaker``, ``text``, ``label``), gzip.
    """
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        pairs = [(row["speaker"], row["text"], row["label"]) for row in csv.DictReader(file)]
    found: dict[tuple[str, str], list[str]] = {}
    for speaker, text, label in pairs:
        found.setdefault((speaker, text), []).append(label)
    texts = [text for _, text in found]
    group = groups_of(len(texts), near_duplicates(texts))
    return [
        _session(i, speaker, text, sorted(set(labels)), group[i])
        for i, ((speaker, text), labels) in enumerate(found.items())
    ]


def _session(i: int, speaker: str, text: str, labels: list[str], group: int) -> Trajectory:
    who: Literal["therapist", "patient"] = "therapist" if speaker == "therapist" else "patient"
    return Trajectory(
        session_id=f"bolt-{i}",
        source="bolt",
        turns=(Turn(speaker=who, text=text),),
        infos=({"labels": {_KEY: list(labels)}},),
        meta={"group": f"bolt-{group}"},
    )


def _of(speaker: str) -> Gold:
    def gold(t: Trajectory, turn: int) -> frozenset[str] | None:
        labels = t.info(turn).get("labels")
        found = labels.get(_KEY) if isinstance(labels, dict) else None
        if t.turns[turn].speaker != speaker or not isinstance(found, list):
            return None
        return frozenset(str(x) for x in found)

    return gold


def group_of(t: Trajectory) -> str:
    """Return the group of near-duplicates a text belongs to."""
    return str(t.meta.get("group", t.session_id))


BOLT = Corpus(
    name="bolt",
    title="BOLT (development portion)",
    file="bolt/behaviour_sentences.csv.gz",
    source="Chiu, Sharma, Lin, Althoff 2024, arXiv 2401.00820",
    licence="open: BSD-3",
    bundle="open",
    load=load,
    gold={"bolt_therapist": _of("therapist"), "bolt_client": _of("patient")},
    group_of=group_of,
)
