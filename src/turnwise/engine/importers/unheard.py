"""Messages of a chat that nobody hears: what a program said to a model, and what a model said to a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["UNHEARD", "call_only"]

UNHEARD = ("system", "developer", "tool", "function", "observation", "function_call")
"""Who speaks in them."""
_CALLS = ("tool_calls", "function_call")
_CALL_PARTS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "tool-call", "function_call"})
_RESULT_PARTS = frozenset(
    {"tool_result", "tool-result", "mcp_tool_result", "web_search_tool_result", "function_call_output"}
)
_THOUGHT_PARTS = frozenset({"thinking", "redacted_thinking", "reasoning"})


def call_only(message: Mapping[str, Any], content: Any) -> str | None:
    """Return ``"tool_calls"`` or ``"tool_result"`` if a message calls a tool or brings its answer and has no words.

    Whoever it is written under said nothing, so it is no turn, not even a silent one. A message without words that
    has to do with no tool is a turn: ``None``.

    Examples
    --------
    >>> call_only({"role": "user"}, [{"type": "tool_result", "content": "Tue"}]), call_only({"role": "user"}, "")
    ('tool_result', None)
    """
    kinds = {str(x.get("type", "text")) if isinstance(x, dict) else "text" for x in _parts(content)}
    texts = [x.get("text") if isinstance(x, dict) else x for x in _parts(content) if _is_text(x)]
    if any(x is not None and (not isinstance(x, str) or x.strip()) for x in texts) or message.get("refusal"):
        return None
    if kinds - {"text", "input_text", "output_text"} - _CALL_PARTS - _RESULT_PARTS - _THOUGHT_PARTS:
        return None
    if kinds & _RESULT_PARTS:
        return "tool_result"
    return "tool_calls" if kinds & _CALL_PARTS or any(message.get(key) for key in _CALLS) else None


def _parts(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [] if content is None else [content]


def _is_text(part: Any) -> bool:
    return not isinstance(part, dict) or part.get("type", "text") in ("text", "input_text", "output_text")
