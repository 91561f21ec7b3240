"""What an answer in OpenAI's shape says, for every door it may come through: words, thoughts, or an error.

Services put words into one text or into parts, reasoning beside them, and errors into answers whose status is 200.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["BUSY", "Refusal", "Words", "refusal_in", "texts_in", "words_of"]

BUSY = frozenset((408, 425, 429, 500, 502, 503, 504, 529))
"""Statuses of a service that is away or overloaded: worth asking again."""
_SPOKEN = frozenset(("text", "input_text", "output_text", "refusal"))
_THOUGHT = frozenset(("thinking", "reasoning"))
_BESIDE = ("reasoning_content", "reasoning", "thinking")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Words:
    """What a message says, and what was thought with it. ``said`` is no text where the message holds none."""

    said: Any
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error in place of an answer: what the service says of it, and whether asking again may help."""

    sentence: str
    again: bool


def words_of(message: Mapping[str, Any]) -> Words:
    """Return what a message says; parts of its content are joined, those that are thoughts are not said.

    Not the rule for marks such as ``<think>`` inside a text (``core.model_turns.hide_thinking``), which comes after.

    Examples
    --------
    >>> words_of({"content": [{"type": "reasoning", "text": "He is sad."}, {"type": "text", "text": "Hello."}]})
    Words(said='Hello.', thought='He is sad.')
    """
    content = message.get("content")
    thoughts = [x for x in (message.get(key) for key in _BESIDE) if isinstance(x, str)][:1]
    if isinstance(content, list):
        thoughts += [t for kind, t in map(_part, content) if kind in _THOUGHT]
        content = "".join(t for kind, t in map(_part, content) if kind in _SPOKEN)
    if content is None and isinstance(message.get("refusal"), str):
        content = message["refusal"]  # what a user is shown instead
    return Words(content, "\n\n".join(t for t in thoughts if t))


def _part(part: object) -> tuple[str, str]:
    """Return of which kind a part of content is, and its text."""
    if isinstance(part, str):
        return "text", part
    if not isinstance(part, Mapping):
        return "", ""
    kind = part.get("type", "text")
    text = next((part[key] for key in ("text", kind) if isinstance(key, str) and isinstance(part.get(key), str)), "")
    return str(kind), text


def refusal_in(answer: Mapping[str, Any]) -> Refusal | None:
    """Return the error that stands in an answer in place of words, if one does.

    Asking again may help unless its code is a status that says that the request itself is wrong.

    Examples
    --------
    >>> refusal_in({"error": {"message": "Provider returned error", "code": 429}})
    Refusal(sentence='Provider returned error, 429', again=True)
    >>> refusal_in({"choices": [{"message": {"content": "Hello."}}]}) is None
    True
    """
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
    error = answer.get("error") or first.get("error")
    if not error:
        return None
    told = error if isinstance(error, Mapping) else {"message": error}
    code = told.get("code", told.get("status"))
    said = [" ".join(str(x).split())[:_LONGEST] for x in (told.get("message"), code) if x not in (None, "")]
    status = int(str(code)) if re.fullmatch(r"[1-5]\d\d", str(code)) else 0
    return Refusal(", ".join(said) or "without a word", not 400 <= status < 500 or status in BUSY)


def texts_in(thing: object) -> Iterator[str]:
    """Yield every text in a JSON value, names of fields included, wherever it stands.

    Examples
    --------
    >>> sorted(texts_in({"a": [1, "b"]}))
    ['a', 'b']
    """
    todo = [thing]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            todo += [*one.values(), *one]
        elif isinstance(one, list | tuple):
            todo += one
