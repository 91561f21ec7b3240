"""Sentences of peer and professional answers, each with one of fifteen codes of the MITI family.

Welivita & Pu (Boosting distress support dialogue responses with motivational interviewing
strategy; github anuradha1992): single sentences from CounselChat and Reddit, without what was
asked. One session of one turn per sentence. The published classifier's guess is kept beside the
label, because it may soften a training target; it is never a feature.
"""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from turnwise.core.nouns import Trajectory, Turn
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.near_duplicates import groups_of, near_duplicates
from turnwise.reading.raters.mi_code import LABELS as CODES

__all__ = ["CODES", "GUESS", "MI_SENTENCES", "load"]

GUESS = "published_guess"
_KEY = "mi_code"
_ANSWERS = Path("counsel_chat") / "answers.csv.gz"
_MIN_WORDS = 5


def load(path: Path) -> Sequence[Trajectory]:
    """Return one session per sentence, in file order.

    Sentences of answers to one CounselChat question are one group, where the answers lie beside
    the file (``../counsel_chat/answers.csv.gz``); so are near-duplicates.
    """
    rows = _rows(path)
    texts = [row["Text"] for row in rows]
    pairs = near_duplicates(texts)
    answers = path.parent.parent / _ANSWERS
    if answers.is_file():
        pairs += _same_question(texts, answers)
    group = groups_of(len(texts), pairs)
    return [
        Trajectory(
            session_id=f"mi-{i}",
            source="mi_sentences",
            turns=(Turn(speaker="therapist", text=row["Text"]),),
            infos=({"labels": {_KEY: row["Ground truth"], GUESS: row["Prediction"]}},),
            meta={"group": f"mi-{group[i]}"},
        )
        for i, row in enumerate(rows)
    ]


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _same_question(texts: Sequence[str], answers: Path) -> list[tuple[int, int]]:
    said: defaultdict[str, list[str]] = defaultdict(list)
    for row in _rows(answers):
        said[row["questionID"]].append(" ".join(row["answerText"].lower().split()))
    plain = [" ".join(t.lower().split()) for t in texts]
    long = [(i, t) for i, t in enumerate(plain) if len(t.split()) >= _MIN_WORDS]
    pairs = []
    for found in said.values():
        whole = " ".join(found)
        here = [i for i, t in long if t in whole]
        pairs += [(here[0], i) for i in here[1:]]
    return pairs


def _gold(t: Trajectory, turn: int) -> frozenset[str] | None:
    labels = t.info(turn).get("labels")
    found = labels.get(_KEY) if isinstance(labels, dict) else None
    return frozenset({str(found)}) if found in CODES else None


def group_of(t: Trajectory) -> str:
    """Return the group of a sentence: near-duplicates, and answers to one question."""
    return str(t.meta.get("group", t.session_id))


MI_SENTENCES = Corpus(
    name="mi_sentences",
    title="MI sentences (development portion)",
    file="mi_sentences/mi_gold_test.csv.gz",
    source="Welivita & Pu, github.com/anuradha1992/Boosting-with-MI-Strategy; sentences of CounselChat and Reddit",
    licence="NC: CC BY-NC-SA 3.0",
    bundle="research",
    load=load,
    gold={"mi_code": _gold},
    group_of=group_of,
)
