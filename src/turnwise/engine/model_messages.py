"""A transcript as the chat messages that language models take. One place decides it, whoever carries the messages."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.nouns import Speaker, Turn
from turnwise.engine.chat import OPENER, SILENCE

__all__ = ["model_messages"]


def model_messages(system: str, turns: Sequence[Turn], *, speaks_as: Speaker = "therapist") -> list[dict[str, str]]:
    """Return ``{"role", "content"}`` messages: the system prompt, then the turns, ours as ``assistant``.

    Consecutive turns of one side become one message, because many endpoints insist that roles alternate; the chat
    begins with the other side, because some insist on that too. Cues outside the words are not passed on. Nothing is
    added but :data:`~turnwise.engine.chat.OPENER` and :data:`~turnwise.engine.chat.SILENCE`.

    Examples
    --------
    >>> said = [Turn(speaker="therapist", text="Hello."), Turn(speaker="patient", text="Hi.")]
    >>> [m["content"] for m in model_messages("Be brief.", said)]
    ['Be brief.', '(The session begins. You speak first.)', 'Hello.', 'Hi.']
    """
    messages = [{"role": "system", "content": system}] if system else []
    said: list[dict[str, str]] = []
    if not turns or turns[0].speaker == speaks_as:
        said.append({"role": "user", "content": OPENER})
    for turn in turns:
        role = "assistant" if turn.speaker == speaks_as else "user"
        text = turn.text if turn.text.strip() else SILENCE
        if said and said[-1]["role"] == role:
            said[-1]["content"] += "\n" + text
        else:
            said.append({"role": role, "content": text})
    return messages + said
