"""AnnoMI: transcribed demonstrations of motivational interviewing, every turn coded by people.

Wu et al. 2022 (ICASSP), Wu et al. 2023 (Future Internet 15(3)). Ten annotators coded five of the
transcripts, one coded the others. Released for research without a licence file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from turnwise.core.nouns import Trajectory
from turnwise.engine.corpora.corpus import Corpus, Gold
from turnwise.engine.importers.turnwise_jsonl import turnwise_jsonl

__all__ = ["ANNOMI", "KEYS", "label_of", "load", "series_of"]

KEYS: Mapping[str, str] = {"therapist_behaviour": "main_therapist_behaviour", "client_talk": "client_talk_type"}
"""Item of a coder → key of the label in the corpus (majority of the annotators; ties go to the first)."""


def load(path: Path) -> Sequence[Trajectory]:
    """Return the transcripts in file order.

    Raises
    ------
    FormatError : the file is not what the corpus is stored as.
    """
    return list(turnwise_jsonl().read(path))


def series_of(t: Trajectory) -> str:
    """Return the cluster of a transcript: those of one source video or demonstration pair share it."""
    return str(t.meta.get("series", t.session_id))


def label_of(key: str) -> Gold:
    """Return how to look up the label that people gave a turn, ``None`` where they gave none."""

    def gold(t: Trajectory, turn: int) -> str | None:
        labels = t.info(turn).get("labels")
        found = labels.get(key) if isinstance(labels, dict) else None
        return found if isinstance(found, str) else None

    return gold


ANNOMI = Corpus(
    name="annomi",
    title="AnnoMI (development portion)",
    file="annomi/dialogues.jsonl.gz",
    source="Wu et al. 2022, ICASSP; Wu et al. 2023, Future Internet 15(3)",
    licence="R: released for research, no licence file",
    bundle="research",
    load=load,
    gold={item: label_of(key) for item, key in KEYS.items()},
    group_of=series_of,
)
