"""What everybody who speaks through a language model has in common: one call, what is kept of it, what is no turn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.contracts import Completion, LanguageModel
from turnwise.core.nouns import Transcript

__all__ = [
    "LONGEST_REPLY",
    "Thoughtful",
    "about",
    "asked",
    "hide_thinking",
    "keep_private",
    "seed_of",
    "spoken_only",
    "thoughts_of",
]

LONGEST_REPLY = 32_000
"""Characters. A reply beyond this is no turn of a conversation but a fault, and ends the session as one."""
_CLOSED = re.compile(r"<(think|thinking)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_UNOPENED = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
_UNCLOSED = re.compile(r"<(?:think|thinking)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Thoughtful(Completion):
    """A completion of a model that reasoned before it spoke; ``thinking`` was never part of what it said.

    It is no second answer: nobody hears it and no measure reads it.
    """

    thinking: str = ""


def hide_thinking(text: str, info: dict[str, Any], *, torn: bool = False) -> str:
    """Move ``<think>…</think>`` out of what was said, to ``info["private"]["thinking"]``; return the rest.

    Hidden reasoning was never heard by the other side, so no measure may read it. This is the one rule of live play
    and of importers. With ``torn``, a block whose opening or closing mark is missing is hidden too (a chat template
    took the one, the token limit the other). Text without such a block is returned untouched; nothing may be left.

    Examples
    --------
    >>> info = {}
    >>> hide_thinking("<think>He is sad.</think> How are you?", info), info
    ('How are you?', {'private': {'thinking': 'He is sad.'}})
    >>> hide_thinking("He is sad.</think> How are you?", {}, torn=True), hide_thinking("<think>He", {}, torn=True)
    ('How are you?', '')
    """
    thoughts = [m.group(2).strip() for m in _CLOSED.finditer(text)]
    said = _CLOSED.sub("", text) if thoughts else text
    if torn and (end := _UNOPENED.search(said)):
        thoughts.insert(0, said[: end.start()].strip())
        said = said[end.end() :]
    if torn and (start := _UNCLOSED.search(said)):
        thoughts.append(said[start.end() :].strip())
        said = said[: start.start()]
    if not thoughts:
        return text
    keep_private(info, "\n\n".join(x for x in thoughts if x))
    return said.strip()


def keep_private(info: dict[str, Any], thinking: Any) -> None:
    """Put ``thinking`` under ``info["private"]``, after what is there already.

    Examples
    --------
    >>> info = {"private": {"thinking": "First."}}
    >>> keep_private(info, "Then.")
    >>> info["private"]["thinking"].split()
    ['First.', 'Then.']
    """
    there = info.get("private")
    private = dict(there) if isinstance(there, dict) else {} if there is None else {"given": there}
    before = private.get("thinking")
    if isinstance(before, str) and isinstance(thinking, str):
        thinking = f"{before}\n\n{thinking}" if before else thinking
    elif before is not None:
        thinking = [before, thinking]
    info["private"] = {**private, "thinking": thinking}


def spoken_only(completion: Completion, thinking: str = "") -> Completion:
    """Return a completion without what its model thought: that, and ``thinking`` that came apart, is kept beside it.

    The text may be empty after it: a thought that was cut before a word.

    Examples
    --------
    >>> spoken_only(Completion("He is sad.</think> Hello.", 9, "stop")).text
    'Hello.'
    """
    info: dict[str, Any] = {}
    for thought in (getattr(completion, "thinking", ""), thinking):
        if thought:
            keep_private(info, thought)
    said = hide_thinking(completion.text, info, torn=True)
    if not info:
        return completion
    c = completion
    return Thoughtful(said, c.usage, c.stop, c.tokens_in, c.tokens_out, c.model, info["private"]["thinking"])


def thoughts_of(*completions: object) -> dict[str, JsonValue]:
    """Return what the calls of one turn thought and did not say, as a part of its info; empty where they tell nothing.

    Examples
    --------
    >>> thoughts_of(Thoughtful("How are you?", 9, "stop", thinking="He is sad."), Completion("Hm.", 1, "stop"))
    {'private': {'thinking': 'He is sad.'}}
    """
    found = [x for x in (getattr(c, "thinking", "") for c in completions) if isinstance(x, str) and x]
    return {"private": {"thinking": "\n\n".join(found)}} if found else {}


def seed_of(rng: Generator) -> int:
    """Draw the seed that is sent with a call; providers that know no seed ignore it."""
    return int(rng.integers(2**31 - 1))


async def asked(lm: LanguageModel, system: str, transcript: Transcript, rng: Generator) -> Completion:
    """Ask for the next turn; refuse what is no turn.

    Raises
    ------
    ValueError : the model answered with nothing, or with more than :data:`LONGEST_REPLY` characters.
    """
    completion = await lm.generate(system, transcript, seed=seed_of(rng))
    if not completion.text.strip():
        if thoughts_of(completion):
            raise ValueError(f"the model thought and said nothing (it stopped because of {completion.stop!r})")
        raise ValueError(f"the model answered with no words (it stopped because of {completion.stop!r})")
    if len(completion.text) > LONGEST_REPLY:
        raise ValueError(
            f"the model answered with {len(completion.text):,} characters; a turn holds at most {LONGEST_REPLY:,}"
        )
    return completion


def about(*completions: Completion) -> dict[str, JsonValue]:
    """Return what is kept of the calls of one turn: how many, their tokens, why the last one stopped."""
    known = [c for c in completions if c.tokens_in is not None and c.tokens_out is not None]
    whole = len(known) == len(completions)
    return {
        "calls": len(completions),
        "tokens": sum(c.usage for c in completions),
        "tokens_in": sum(c.tokens_in or 0 for c in known) if whole else None,
        "tokens_out": sum(c.tokens_out or 0 for c in known) if whole else None,
        "stop": completions[-1].stop,
        "model": completions[-1].model,
    }
