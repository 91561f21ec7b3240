"""MindEval: JSON Lines with the session in ``interaction``, the profile and the thoughts of both models beside it.

The first ``Hello`` of the user is written by the program and was never the patient's, so it is left
out and counted; ``...`` is how an empty reply is stored, and becomes an empty turn. Thoughts go to
the turn they belong to where there is one for each, else whole to the session's private part.
Judgments lie in other files and are not read. (MindEval 2025, arXiv 2511.18491.)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from turnwise.core.nouns import Trajectory
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.layouts import Layout, built, named
from turnwise.engine.importers.records import json_records, read_records, sessions

__all__ = ["LAYOUT", "MindEval", "mindeval"]

_TRACES = {"clinician_thinking_traces": "assistant", "member_thinking_traces": "user"}
LAYOUT = Layout(
    source="MindEval",
    turns="interaction",
    marks=("member_profile", *_TRACES),
    private=("thinking",),
    hidden=("member_profile", *_TRACES),
    opening="hello",
    silence="...",
)
"""What MindEval calls the parts of a session."""


class MindEval:
    """Reads interactions of a clinician (``assistant``) and a member (``user``)."""

    def __init__(self, account: Account | None = None) -> None:
        self._account = account or Account()

    def detect(self, head: str, /) -> bool:
        """Whether some record is such an interaction."""
        return LAYOUT.found_in(head)

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the sessions of ``path``, the unreadable ones as ``error``."""
        build = partial(_session, self._account)
        found = read_records(named(json_records(path), path), build, *LAYOUT.ids, account=self._account)
        return sessions(path, found, LAYOUT.source)


def _session(account: Account, record: Any, session_id: str) -> Trajectory:
    return built(LAYOUT, account, _with_thoughts(record), session_id)


def _with_thoughts(record: Any) -> Any:
    """Put each thought beside the turn it belongs to, if the two lists are equally long."""
    if not isinstance(record, dict) or not isinstance(record.get("interaction"), list):
        return record
    turns, rest = list(record["interaction"]), dict(record)
    for key, role in _TRACES.items():
        thoughts = record.get(key)
        theirs = [i for i, x in enumerate(turns) if isinstance(x, dict) and x.get("role") == role]
        if not isinstance(thoughts, list):
            continue
        if len(theirs) == len(thoughts) + 1 and role == "user":  # the opening, which nobody thought
            theirs = theirs[1:]
        if len(theirs) != len(thoughts):
            continue
        for i, thought in zip(theirs, thoughts, strict=True):
            if thought not in (None, ""):
                turns[i] = {**turns[i], "thinking": thought}
        del rest[key]
    return rest | {"interaction": turns}


@importer(
    name="mindeval.v1",
    fmt="MindEval interactions, JSON Lines with member_profile and interaction",
    source="MindEval 2025, arXiv 2511.18491",
)
def mindeval(account: Account | None = None) -> MindEval:
    """MindEval interactions: assistant is the therapist, user the patient; thoughts and profile are private."""
    return MindEval(account)
