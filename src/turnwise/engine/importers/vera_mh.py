"""VERA-MH: a text file a conversation, in blocks that open with ``user: `` or ``agent: `` at the start of a line.

The user is the patient. The name of the file, ``<hash>_<Persona>_<model>_run<k>.txt``, says who the
simulated user was and which run it is; it becomes the id, its parts go to meta, and so do those of
the folder's name if it has the form that VERA-MH gives it. (VERA-MH, arXiv 2510.15297, 2602.05088.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

from turnwise.core.nouns import Speaker, Trajectory
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.layouts import name_of
from turnwise.engine.importers.plain_text import PlainText, opens_in_blocks
from turnwise.engine.importers.turnwise_jsonl import merged

__all__ = ["VeraMh", "vera_mh"]

_WORDS: MappingProxyType[str, Speaker] = MappingProxyType({"user": "patient", "agent": "therapist"})
_FILE = re.compile(r"(?P<hash>[0-9a-zA-Z]+)_(?P<persona>[^_]+)_(?P<model>.+)_run(?P<run>\d+)")
_FOLDER = re.compile(r"p_(?P<patient_model>.+?)__a_(?P<agent_model>.+?)__t(?P<turns>\d+)__r(?P<runs>\d+)__(?P<date>.+)")


class VeraMh:
    """Reads one conversation of a user and an agent."""

    source = "VERA-MH"

    def __init__(self, account: Account | None = None) -> None:
        self._text = PlainText(account, _WORDS, self.source, only=True)

    def detect(self, head: str, /) -> bool:
        """Whether the text opens with such a block, and both sides speak."""
        return opens_in_blocks(head)

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the conversation of ``path``, as ``error`` if it is damaged."""
        about: dict[str, Any] = {}
        for pattern, name in ((_FILE, name_of(path)), (_FOLDER, path.absolute().parent.name)):
            found = pattern.fullmatch(name)
            about |= found.groupdict() if found else {}
        for t in self._text.read(path):
            yield t.model_copy(update={"meta": merged(t.meta, about)})


@importer(
    name="vera_mh.v1",
    fmt="VERA-MH conversations, text in blocks of 'user: ' and 'agent: '",
    source="VERA-MH, arXiv 2510.15297, 2602.05088",
)
def vera_mh(account: Account | None = None) -> VeraMh:
    """VERA-MH conversations: user is the patient, agent the therapist; persona and run come from the file's name."""
    return VeraMh(account)
