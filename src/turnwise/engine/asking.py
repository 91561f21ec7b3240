"""What every therapist from outside has in common: how it is asked, and what it may say.

A fault of theirs is raised as one sentence; the session then ends ``error`` and the run goes on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from turnwise.core.errors import BoundaryError, UsageError
from turnwise.core.model_turns import hide_thinking
from turnwise.core.nouns import Cue, Ending, Reply
from turnwise.engine.chat import MOST_CHARACTERS, SILENCE

__all__ = [
    "DEFAULT_ASKING",
    "MOST_CHARACTERS",
    "SECRET_NAME",
    "Asking",
    "as_reply",
    "without_secrets",
    "without_thoughts",
]

S = TypeVar("S")

SECRET_NAME = re.compile(r"key|token|secret|passw|auth|signature|credential|^sig$", re.IGNORECASE)
"""What something is called that must be kept nowhere: an environment variable, a part of an address."""
_SHORTEST_SECRET = 8
_LONGEST_FAULT = 500

_MOST_SECONDS = 3_600.0


@dataclass(frozen=True, slots=True)
class Asking:
    """How therapists outside are asked. None of it is stored with a run.

    Attributes
    ----------
    headers : HTTP header → the environment variable that holds its value; the value itself is kept nowhere.
    timeout_s : how long one answer may take, from asking to its last byte.
    attempts : how often a bot that is away or overloaded is asked before the session is given up.
    pause_s : the wait before it is asked again; doubles each time, and ``Retry-After`` is honoured up to 30 s.

    Examples
    --------
    >>> Asking(timeout_s=0)
    Traceback (most recent call last):
    turnwise.core.errors.UsageError: --bot-timeout 0 is not possible: give seconds, more than 0 and at most 3600.
    """

    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    timeout_s: float = 120.0
    attempts: int = 4
    pause_s: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.timeout_s <= _MOST_SECONDS:
            raise UsageError(
                f"--bot-timeout {self.timeout_s:g} is not possible: give seconds, more than 0 and at most 3600."
            )


DEFAULT_ASKING = Asking()


def without_secrets(text: str) -> str:
    """Return the beginning of a fault's text, without the values of environment variables that sound secret.

    Libraries quote keys in what they raise ("incorrect key: …"), and faults are stored with the session.
    """
    for name, value in os.environ.items():
        if SECRET_NAME.search(name):
            for secret in {value, *value.split()[-1:]}:
                text = text.replace(secret, "…") if len(secret) >= _SHORTEST_SECRET else text
    return text[:_LONGEST_FAULT]


def without_thoughts(reply: Reply[S]) -> Reply[S]:
    """Return a reply without what the bot merely thought, which goes to ``info["private"]``: nobody heard it.

    Raises
    ------
    BoundaryError : it only thought, and said nothing (its thought was cut before a word).

    Examples
    --------
    >>> without_thoughts(Reply("<think>He is sad.</think>Hello.", None))
    Reply(text='Hello.', state=None, info={'private': {'thinking': 'He is sad.'}}, closes=None, cues=())
    """
    if not isinstance(reply, Reply) or not isinstance(reply.text, str):
        return reply  # not what was agreed on: whoever plays says so
    info = dict(reply.info)
    said = hide_thinking(reply.text, info, torn=True)
    if said == reply.text:
        return reply
    if not said and not reply.cues:
        raise BoundaryError("the bot only thought and said nothing (is its limit of tokens too low?)")
    return replace(reply, text=said, info=info)


def as_reply(said: object, info: Mapping[str, Any] | None = None, *, closes: bool = False) -> Reply[None]:
    """Return what a bot said as a reply, without what it merely thought; :data:`SILENCE` is a silence.

    Raises
    ------
    BoundaryError : it said no text, nothing at all, or more than :data:`MOST_CHARACTERS`.

    Examples
    --------
    >>> as_reply("What brings you here?").text, as_reply(SILENCE).cues[0].kind
    ('What brings you here?', 'pause')
    """
    if not isinstance(said, str):
        raise BoundaryError(f"the bot answered with {type(said).__name__} instead of text")
    if not said.strip():
        raise BoundaryError(f"the bot answered with nothing; a silence that is meant is written {SILENCE}")
    heard = without_thoughts(Reply(said, None, dict(info or {})))
    if len(heard.text) > MOST_CHARACTERS:
        n = len(heard.text)
        raise BoundaryError(f"the bot answered with {n:,} characters; at most {MOST_CHARACTERS:,} are one turn")
    if any("\ud800" <= c <= "\udfff" for c in said):
        raise BoundaryError("the bot answered with half a character (a lone surrogate), which no file can hold")
    ending: Ending | None = "therapist_closed" if closes else None
    if heard.text == SILENCE:
        return Reply("", None, heard.info, ending, (Cue(kind="pause"),))
    return Reply(heard.text, None, heard.info, ending)
