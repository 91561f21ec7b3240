"""Where the gate's therapist turns come from: the frozen written set, or human and model turns of a data folder."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from turnwise.batteries.conformance.fitting import Unplanned
from turnwise.core.errors import FormatError, UsageError
from turnwise.core.seeds import generator
from turnwise.engine.corpora.annomi import ANNOMI

__all__ = ["FrozenTurns", "frozen_turns", "turns_from_data"]

_MODEL_REPLIES = "llms_as_therapists/interjections.csv.gz"
_LONG = (120, 170)
_LEAST_WORDS = 4
_SHORT_N, _LONG_N = 60, 20
_PEOPLE = ("therapist", "human")


@dataclass(frozen=True, slots=True)
class FrozenTurns:
    """Therapist lines that no case was in view for: one script for all seeds, and unplanned turns."""

    script: tuple[str, ...]
    unplanned: tuple[Unplanned, ...]
    source: str


@cache
def frozen_turns() -> FrozenTurns:
    """Return the set that ships, written for the gate.

    Raises
    ------
    FormatError : the file is missing or not what it should be.
    """
    where = files("turnwise.batteries.conformance").joinpath("frozen_turns.yaml")
    try:
        content: Any = yaml.safe_load(where.read_text(encoding="utf-8"))
        unplanned = [
            Unplanned("short" if part == "short" else "long", " ".join(str(x["text"]).split()), x.get("asks", True))
            for part in ("short", "long")
            for x in content[part]
        ]
        return FrozenTurns(tuple(content["script"]), tuple(unplanned), str(content["label"]))
    except (OSError, yaml.YAMLError, KeyError, TypeError) as fault:
        raise FormatError(where, "package data", f"cannot be read ({fault})", "install turnwise again") from None


def turns_from_data(data: Path) -> tuple[tuple[Unplanned, ...], str]:
    """Return sixty human questions and twenty model replies of a data folder, and what they are.

    Human: AnnoMI therapist turns coded as questions, four words or more, high-quality sessions. Models:
    replies of 120 to 170 words with a question mark from llms_as_therapists. Both drawn once from a fixed seed,
    so that every case and version meets the same ones; none of it is stored.

    Raises
    ------
    UsageError : the folder lacks one of the two files.
    """
    missing = [name for name in (ANNOMI.file, _MODEL_REPLIES) if not (data / name).is_file()]
    if missing:
        raise UsageError(f"{data} lacks {', '.join(missing)}; without --data a written set of turns is used.")
    asked = ANNOMI.gold["therapist_behaviour"]
    human = [
        turn.text
        for t in ANNOMI.load(data / ANNOMI.file)
        if t.meta.get("mi_quality") == "high"
        for i, turn in enumerate(t.turns)
        if turn.speaker == "therapist" and asked(t, i) == "question" and turn.n_words >= _LEAST_WORDS
    ]
    with gzip.open(data / _MODEL_REPLIES, "rt", encoding="utf-8") as file:
        replies = [
            " ".join(row["model_response"].split())
            for row in csv.DictReader(file)
            if row["participant_type"] not in _PEOPLE and "?" in row["model_response"]
        ]
    long = [x for x in replies if _LONG[0] <= len(x.split()) <= _LONG[1]]
    turns = [Unplanned("short", x) for x in _drawn(human, _SHORT_N)]
    turns += [Unplanned("long", x) for x in _drawn(long, _LONG_N)]
    return tuple(turns), "AnnoMI questions and llms_as_therapists replies (development portions)"


def _drawn(texts: Sequence[str], n: int) -> list[str]:
    different = sorted(set(texts))
    order = generator(1, "unplanned turns", 0, "study", 0).permutation(len(different))[:n]
    return [different[int(i)] for i in order]
