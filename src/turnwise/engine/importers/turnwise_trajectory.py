"""Sessions that turnwise itself stored (``trajectories.jsonl`` of a run), read back with nothing changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnwise.core.nouns import TRAJECTORY_SCHEMA, Trajectory
from turnwise.core.registry import importer
from turnwise.engine.importers.records import BadRecord, json_records, kind_of, read_records, sessions
from turnwise.engine.importers.shapes import shapes
from turnwise.engine.importers.streams import shown

__all__ = ["TurnwiseTrajectories", "turnwise_trajectory"]

_FAMILY = TRAJECTORY_SCHEMA.rpartition("/")[0] + "/"


class TurnwiseTrajectories:
    """Reads stored trajectories with their spec, infos and ending."""

    source = "imported"

    def detect(self, head: str, /) -> bool:
        """Whether some record names our schema, of whatever version."""
        return any((s.text("format") or "").startswith(_FAMILY) for s in shapes(head))

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the sessions of ``path``, the unreadable ones as ``error``."""
        return sessions(path, read_records(json_records(path), _session, "session_id"), self.source)


def _session(record: Any, session_id: str) -> Trajectory:
    if not isinstance(record, dict):
        raise BadRecord(f"is {kind_of(record)}, not a stored session")
    schema = record.get("format")
    if schema != TRAJECTORY_SCHEMA:
        said = repr(shown(schema, 40)) if isinstance(schema, str) else kind_of(schema)
        raise BadRecord(
            f"has the format {said}, this version reads {TRAJECTORY_SCHEMA!r}; update turnwise or play again"
        )
    return Trajectory.model_validate(record | {"session_id": record.get("session_id", session_id)})


@importer(name="turnwise_trajectory.v1", fmt="sessions stored by a run (trajectories.jsonl)", source="this project")
def turnwise_trajectory() -> TurnwiseTrajectories:
    """Sessions stored by a run: spec, turns, infos and ending as they were."""
    return TurnwiseTrajectories()
