"""Chats as language models are given them: OpenAI's messages and ShareGPT's conversations.

The patient is the user, the therapist the assistant. Only what was said goes in, with the id of the
session: what a simulation knows must not reach a model that is trained on the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from turnwise.core.nouns import Trajectory
from turnwise.engine.exporters.writing import write_records

__all__ = ["write_openai_chat", "write_sharegpt"]

_OPENAI = {"patient": "user", "therapist": "assistant"}
_SHAREGPT = {"patient": "human", "therapist": "gpt"}


def write_openai_chat(sessions: Iterable[Trajectory], path: Path) -> int:
    """Write ``{"id", "messages": [{"role", "content"}]}``; return how many sessions."""
    return write_records(
        (
            {"id": t.session_id, "messages": [{"role": _OPENAI[x.speaker], "content": x.text} for x in t.turns]}
            for t in sessions
        ),
        path,
    )


def write_sharegpt(sessions: Iterable[Trajectory], path: Path) -> int:
    """Write ``{"id", "conversations": [{"from", "value"}]}``; return how many sessions."""
    return write_records(
        (
            {"id": t.session_id, "conversations": [{"from": _SHAREGPT[x.speaker], "value": x.text} for x in t.turns]}
            for t in sessions
        ),
        path,
    )
