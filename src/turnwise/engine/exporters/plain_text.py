"""Plain text to read and to annotate by hand; a turn goes on in lines that begin with four spaces."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from turnwise.core.nouns import Trajectory
from turnwise.engine.exporters.writing import as_json, text_into
from turnwise.engine.importers.plain_text import HEADER, INDENT, LABELS, SESSION

__all__ = ["write_plain_text"]


def write_plain_text(sessions: Iterable[Trajectory], path: Path) -> int:
    """Write sessions under ``# session "id"``, a turn under ``Therapist:`` or ``Patient:``; return how many."""
    count = 0
    with text_into(path) as text:
        text.write(f"{HEADER}\n")
        for t in sessions:
            text.write(f"\n{SESSION}{as_json(t.session_id)}\n")
            for turn in t.turns:
                said = turn.text.replace("\n", f"\n{INDENT}")
                text.write(f"{LABELS[turn.speaker]} {said}\n")
            count += 1
    return count
