"""EPITOME: posts of people in distress with replies of peers, coded for three mechanisms of expressed empathy.

Sharma, Miner, Atkins, Althoff 2020, EMNLP (arXiv 2009.08441). Each pair is a session of two turns.
Licence of the authors' university: non-commercial academic research with attribution.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from pathlib import Path

from turnwise.core.nouns import Trajectory, Turn
from turnwise.engine.corpora.corpus import Corpus, Gold
from turnwise.engine.corpora.near_duplicates import groups_of

__all__ = ["EPITOME", "MECHANISMS", "load", "rationales", "same_key"]

MECHANISMS = {"er": "emotional_reactions", "ip": "interpretations", "ex": "explorations"}
"""Item of a coder → column of the file."""


def same_key(*keys: Sequence[str]) -> list[int]:
    """Return the group of each row: rows that share a key of any list belong together; ``""`` is no key.

    Examples
    --------
    >>> same_key(["a", "a", "b"], ["", "x", "x"])
    [0, 0, 0]
    """
    pairs = []
    for key in keys:
        first: dict[str, int] = {}
        pairs += [(first.setdefault(k, i), i) for i, k in enumerate(key) if k]
    return groups_of(len(keys[0]), [(a, b) for a, b in pairs if a != b])


def load(path: Path) -> Sequence[Trajectory]:
    """Return one session per pair, in file order; pairs of one seeker, post or reply are one group.

    Parameters
    ----------
    path : the file of pairs with levels and rationales, gzip.
    """
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    groups = same_key(
        [r["sp_id"] for r in rows],
        [r["seeker_post"].strip().lower() for r in rows],
        [r["response_post"].strip().lower() for r in rows],
    )
    return [_session(i, row, group) for i, (row, group) in enumerate(zip(rows, groups, strict=True))]


def _session(i: int, row: dict[str, str], group: int) -> Trajectory:
    levels = {item: row[f"{column}_level"] for item, column in MECHANISMS.items()}
    marked = {item: row[f"{column}_rationales"] for item, column in MECHANISMS.items()}
    return Trajectory(
        session_id=f"epitome-{i}",
        source="epitome",
        turns=(Turn(speaker="patient", text=row["seeker_post"]), Turn(speaker="therapist", text=row["response_post"])),
        infos=({}, {"labels": {**levels}, "rationales": {**marked}}),
        meta={"group": f"epitome-{group}"},
    )


def _level(item: str) -> Gold:
    def gold(t: Trajectory, turn: int) -> str | None:
        labels = t.info(turn).get("labels")
        return str(labels[item]) if isinstance(labels, dict) and item in labels else None

    return gold


def rationales(t: Trajectory, turn: int, item: str) -> tuple[str, ...]:
    """Return the passages of a reply that people marked as carrying the mechanism, as written."""
    found = t.info(turn).get("rationales")
    text = str(found.get(item, "")) if isinstance(found, dict) else ""
    return tuple(s.strip() for s in text.split("|") if s.strip())


def group_of(t: Trajectory) -> str:
    """Return the group of a pair: same seeker, same post or same reply."""
    return str(t.meta.get("group", t.session_id))


EPITOME = Corpus(
    name="epitome",
    title="EPITOME (development portion)",
    file="epitome/pairs.csv.gz",
    source="Sharma, Miner, Atkins, Althoff 2020, EMNLP, arXiv 2009.08441",
    licence="NC: non-profit academic research with attribution",
    bundle="research",
    load=load,
    gold={item: _level(item) for item in MECHANISMS},
    group_of=group_of,
)
