"""ESConv: crowd workers in the roles of a help-seeker and a supporter, in writing.

Liu et al. 2021, ACL. CC BY-NC 4.0. Sessions were kept only if the seeker's distress fell; those of
``failed_esconv`` are read by the same loader. Nothing that a coder rates is labelled turn by turn
here: the sessions serve as ordinary talk.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turnwise.core.nouns import Trajectory
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.importers.turnwise_jsonl import turnwise_jsonl

__all__ = ["ESCONV", "FAILED", "load"]

FAILED = "failed_esconv/dialogues.jsonl.gz"


def load(path: Path) -> Sequence[Trajectory]:
    """Return the sessions in file order.

    Raises
    ------
    FormatError : the file is not what the corpus is stored as.
    """
    return list(turnwise_jsonl().read(path))


def group_of(t: Trajectory) -> str:
    """Return the group of a session: those with the same description of the situation belong together."""
    situation = "".join(c for c in str(t.meta.get("situation", "")).lower() if c.isalpha())[:60]
    return situation or t.session_id


ESCONV = Corpus(
    name="esconv",
    title="ESConv (development portion)",
    file="esconv/dialogues.jsonl.gz",
    source="Liu et al. 2021, ACL",
    licence="NC: CC BY-NC 4.0",
    bundle="research",
    load=load,
    gold={},
    group_of=group_of,
)
