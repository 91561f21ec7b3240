"""Chats as language-model interfaces store them: ``{"messages": [{"role", "content"}]}``.

Read from JSON Lines, from one JSON object or list, or from a bare list of messages. ``user`` is
the patient and ``assistant`` the therapist. Messages nobody hears (system, tools) are counted in
``meta`` and skipped; hidden reasoning goes to a private field that no measure reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from turnwise.core.model_turns import hide_thinking, keep_private
from turnwise.core.nouns import Trajectory, Turn
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account, no_words
from turnwise.engine.importers.ordering import must_run_forwards
from turnwise.engine.importers.patienthub import LAYOUT as PATIENTHUB
from turnwise.engine.importers.psi_bench import LAYOUT as PSI_BENCH
from turnwise.engine.importers.records import BadRecord, json_records, kind_of, read_records, sessions
from turnwise.engine.importers.shapes import Shape, shapes
from turnwise.engine.importers.streams import shown
from turnwise.engine.importers.turnwise_jsonl import merged
from turnwise.engine.importers.unheard import UNHEARD, call_only

__all__ = ["OpenAIChat", "heard", "openai_chat"]

_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_TEXT_PARTS = ("text", "input_text", "output_text")
_IDS = ("id", "session_id", "conversation_id", "conv_id")


def _is_chat(shape: Shape) -> bool:
    return shape.keys.get("messages") == "[" or (shape.listed and {"role", "content"} <= shape.keys.keys())


class OpenAIChat:
    """Reads chats with ``user`` as the patient and ``assistant`` as the therapist."""

    source = "imported"

    def __init__(self, account: Account | None = None) -> None:
        self._account = account or Account()

    def detect(self, head: str, /) -> bool:
        """Whether some record has ``messages``, or is a list of them (and is not of a system that we know by name)."""
        if any(x.found_in(head) for x in (PATIENTHUB, PSI_BENCH)):
            return False
        return any(_is_chat(s) for s in shapes(head))

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the chats of ``path``, the unreadable ones as ``error``."""
        build = partial(_session, self._account)
        return sessions(path, read_records(json_records(path), build, *_IDS, account=self._account), self.source)


def _session(account: Account, record: Any, session_id: str) -> Trajectory:
    chat = {"messages": record} if isinstance(record, list) else record
    if not isinstance(chat, dict):
        raise BadRecord(f'is {kind_of(record)}, not a chat; write {{"messages": […]}}')
    messages = chat.get("messages")
    if not isinstance(messages, list):
        found = "has no messages" if "messages" not in chat else f"has messages that are {kind_of(messages)}"
        raise BadRecord(f'{found}; write a list of {{"role", "content"}}')
    if {"ccd", "num_patient_turns"} <= chat.keys():
        # PSI-Bench stores its simulated patient as the assistant: read as a chat, both roles would be wrong.
        raise BadRecord(
            "is a PSI-Bench session, in which 'assistant' is the patient; read the file with --format psi_bench, "
            "or swap the two roles first"
        )
    turns, infos, skipped = heard(messages, account)
    return Trajectory(
        session_id=session_id,
        source=OpenAIChat.source,
        turns=turns,
        infos=infos,
        meta=_meta(chat, skipped),
    )


def heard(
    messages: Sequence[Any], account: Account
) -> tuple[tuple[Turn, ...], tuple[dict[str, Any], ...], Counter[str]]:
    """Return the turns of a list of messages, their infos, and how many messages of each kind nobody heard.

    Raises
    ------
    BadRecord : a message has no text, or a speaker nobody knows; or times say that they are not in order.
    """
    turns: list[Turn] = []
    infos: list[dict[str, Any]] = []
    skipped: Counter[str] = Counter()
    for i, message in enumerate(messages):
        unheard = _unheard(message)
        if unheard and unheard not in account.given:
            skipped[unheard] += 1
            account.lost(f"messages of {unheard!r}, which nobody hears (counted in meta)", where=f"message {i}")
            continue
        spoken = _turn(message, f"message {i}", account)
        if spoken is None:
            continue
        turn, info = spoken
        if i != len(turns):
            info["message_index"] = i
        turns.append(turn)
        infos.append(info)
    must_run_forwards(infos)
    return tuple(turns), tuple(infos) if any(infos) else (), skipped


def _meta(chat: dict[str, Any], skipped: Counter[str]) -> dict[str, Any]:
    given = chat.get("meta") if "meta" in chat else chat.get("metadata")
    used = "meta" if "meta" in chat else "metadata"
    meta = dict(given) if isinstance(given, dict) else {}
    rest = {
        k: v for k, v in chat.items() if k not in ("messages", "id") and not (k == used and isinstance(given, dict))
    }
    if skipped:
        rest["skipped_messages"] = dict(sorted(skipped.items()))
    return merged(meta, rest)


def _unheard(message: Any) -> str | None:
    """Return the kind of a message that nobody hears, or ``None``."""
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        return None
    role: str = message["role"].strip().lower()
    return role if role in UNHEARD else call_only(message, message.get("content"))


def _turn(message: Any, where: str, account: Account) -> tuple[Turn, dict[str, Any]] | None:
    if not isinstance(message, dict):
        raise BadRecord(f'{where} is {kind_of(message)}; write {{"role", "content"}}')
    speaker = account.speaker(message.get("role"), where)
    if speaker is None:
        return None
    info = {k: v for k, v in message.items() if k not in ("role", "content", *_THOUGHTS)}
    for key in _THOUGHTS:
        if message.get(key):
            keep_private(info, message[key])
    content = message.get("content")
    if content is None and isinstance(message.get("refusal"), str):
        content = message["refusal"]  # what the user was shown instead
    text = _joined(content, where, info) if isinstance(content, list) else content
    if text is None and ("content" in message or any(message.get(key) for key in _THOUGHTS)):
        text = no_words(account, where)
    if not isinstance(text, str):
        raise BadRecord(f"{where} has {'no content' if text is None else f'content that is {kind_of(text)}'}")
    for kind, n in info.get("skipped_parts", {}).items() if isinstance(content, list) else ():
        account.lost(f"parts of content that are no text: {shown(kind, 40)} (counted in the turn)", n, where)
    said = hide_thinking(text, info, torn=speaker == "therapist")
    account.lost("hidden reasoning (moved to a private field)", int("thinking" in _private(info)), where)
    return Turn(speaker=speaker, text=said), info


def _private(info: dict[str, Any]) -> dict[str, Any]:
    private = info.get("private")
    return private if isinstance(private, dict) else {}


def _joined(parts: list[Any], where: str, info: dict[str, Any]) -> str:
    texts: list[str] = []
    others: Counter[str] = Counter()
    for part in parts:
        kind = part.get("type", "text") if isinstance(part, dict) else "text"
        text = part.get("text", part.get("refusal")) if isinstance(part, dict) else part
        if kind in (*_TEXT_PARTS, "refusal"):
            if not isinstance(text, str) and not (text is None and isinstance(part, dict) and "text" in part):
                raise BadRecord(f"{where} has a part of content without text")
            texts += [text] if text is not None else []
        elif kind in ("thinking", "reasoning"):
            keep_private(info, part.get("thinking") or part.get("reasoning") or text)
        else:
            others[str(kind)] += 1
    if others:
        info["skipped_parts"] = dict(sorted(others.items()))
    return "\n".join(texts)


@importer(
    name="openai_chat.v1",
    fmt="chats with messages of role and content, JSON or JSON Lines",
    source="OpenAI chat completions format",
)
def openai_chat(account: Account | None = None) -> OpenAIChat:
    """Chats with {"messages": [{"role", "content"}]}: user is the patient, assistant the therapist."""
    return OpenAIChat(account)
