"""AnnoMI's subtypes: open or closed question, simple or complex reflection, kind of input.

Wu et al. 2022 (ICASSP), Wu et al. 2023 (Future Internet 15(3)). A turn has a subtype where at least
half of its annotators marked the behaviour; the subtype is the one most of them chose (ties go to
the first). *Options* is left out of the kinds of input: 21 turns of the development portion have it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from turnwise.core.nouns import FloatArray, Trajectory
from turnwise.engine.corpora.annomi import ANNOMI, load, series_of
from turnwise.engine.corpora.corpus import Corpus, Gold

__all__ = ["ANNOMI_SUBTYPES", "SUBTYPES", "shares_of"]

SUBTYPES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "question_type": ("question", ("open", "closed")),
    "reflection_depth": ("reflection", ("simple", "complex")),
    "input_type": ("therapist_input", ("information", "advice", "negotiation")),
}
"""Item of a coder → behaviour as AnnoMI's keys name it, and its subtypes in order."""


def shares_of(item: str, t: Trajectory, turn: int) -> FloatArray | None:
    """Return the share of annotators for each subtype; ``None`` where the behaviour or a subtype is missing.

    Returns
    -------
    array (subtypes,), adding up to one over those who gave one of them.
    """
    behaviour, subtypes = SUBTYPES[item]
    labels = t.info(turn).get("labels")
    said = labels.get("annotations") if isinstance(labels, dict) else None
    if t.turns[turn].speaker != "therapist" or not isinstance(said, list):
        return None
    chosen = [x.get(f"{behaviour}_subtype") for x in said if isinstance(x, dict)]
    counts = np.array([chosen.count(s) for s in subtypes], dtype=np.float64)
    return counts / counts.sum() if counts.sum() > 0 and counts.sum() >= len(said) / 2 else None


def _of(item: str) -> Gold:
    def gold(t: Trajectory, turn: int) -> str | None:
        shares = shares_of(item, t, turn)
        return None if shares is None else SUBTYPES[item][1][int(shares.argmax())]

    return gold


ANNOMI_SUBTYPES = Corpus(
    name="annomi_subtypes",
    title="AnnoMI subtypes (development portion)",
    file=ANNOMI.file,
    source=ANNOMI.source,
    licence=ANNOMI.licence,
    bundle=ANNOMI.bundle,
    load=load,
    gold={item: _of(item) for item in SUBTYPES},
    group_of=series_of,
)
