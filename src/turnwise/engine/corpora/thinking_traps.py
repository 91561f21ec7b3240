"""Thinking traps: written negative thoughts with the traps that people found in them. Only ever measured on.

Sharma et al. 2023 (ACL), Cognitive Reframing of Negative Thoughts. CC BY-NC-ND: no weights may be
fitted on it. A thought may show several traps; "not distorted" and "negative feeling" are none.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from turnwise.core.nouns import Trajectory, Turn
from turnwise.engine.corpora.corpus import Corpus

__all__ = ["THINKING_TRAPS", "TRAPS", "load"]

TRAPS: Mapping[str, str] = {
    "all-or-nothing thinking": "all_or_nothing",
    "blaming": "blaming",
    "catastrophizing": "catastrophizing",
    "comparing": "comparing",
    "comparing and despairing": "comparing",
    "disqualifying the positive": "disqualifying_the_positive",
    "emotional reasoning": "emotional_reasoning",
    "fortune telling": "fortune_telling",
    "labeling": "labeling",
    "mind reading": "mind_reading",
    "negative feeling or emotion": "none",
    "not distorted": "none",
    "overgeneralization": "overgeneralizing",
    "overgeneralizing": "overgeneralizing",
    "personalization": "personalizing",
    "personalizing": "personalizing",
    "should statements": "should_statements",
}
"""Label of the corpus, lower case → ours; synonyms meet."""


def load(path: Path) -> Sequence[Trajectory]:
    """Return one session of one turn per distinct thought, in file order."""
    found: dict[str, set[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            text = str(record["prompt"]).removesuffix("->").strip()
            found.setdefault(text, set()).add(TRAPS[str(record["completion"]).strip().lower()])
    return [
        Trajectory(
            session_id=f"trap-{i}",
            source="thinking_traps",
            turns=(Turn(speaker="patient", text=text),),
            infos=({"labels": {"distortion": sorted(labels - {"none"})}},),
            meta={"situation": text.split(".")[0].lower()},
        )
        for i, (text, labels) in enumerate(found.items())
    ]


def _gold(t: Trajectory, turn: int) -> frozenset[str] | None:
    labels = t.info(turn).get("labels")
    found = labels.get("distortion") if isinstance(labels, dict) else None
    return frozenset(str(x) for x in found) if isinstance(found, list) else None


def group_of(t: Trajectory) -> str:
    """Return the situation: thoughts that begin with the same sentence are of one person's situation."""
    return str(t.meta.get("situation", t.session_id))


THINKING_TRAPS = Corpus(
    name="thinking_traps",
    title="Cognitive reframing: thinking traps (development portion)",
    file="cognitive_reframing/thinking_traps.jsonl.gz",
    source="Sharma et al. 2023, ACL",
    licence="ND: CC BY-NC-ND; measured on, never fitted on",
    bundle="research",
    load=load,
    gold={"distortion": _gold},
    group_of=group_of,
)
