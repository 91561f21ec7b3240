"""Keep keys out of what is stored and shown: errors of providers sometimes repeat what they were sent."""

from __future__ import annotations

import os
import re
from typing import Any

__all__ = ["HIDDEN", "scrub", "scrub_fault", "without_secrets"]

HIDDEN = "[key removed]"
_SECRET_NAMES = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
_SHAPES = re.compile(r"\b(?:sk|pk|xai|gsk|hf|r8|pplx)[-_][A-Za-z0-9_*.-]{6,}|\bBearer\s+\S+|\bAIza[A-Za-z0-9_-]{20,}")
_SHORTEST = 6


def without_secrets(text: str, *also: str | None) -> str:
    """Return ``text`` with every key removed: those in the environment, those given, and what has the shape of one.

    Examples
    --------
    >>> without_secrets("bad key sk-abcdef123456 given")
    'bad key [key removed] given'
    """
    values = [v for k, v in os.environ.items() if _SECRET_NAMES.search(k)]
    for secret in sorted({v for v in (*values, *also) if v and len(v) >= _SHORTEST}, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return _SHAPES.sub(HIDDEN, text)


def scrub(thing: Any, *also: str | None) -> Any:
    """Return JSON-like ``thing`` with :func:`without_secrets` applied to every text in it."""
    if isinstance(thing, str):
        return without_secrets(thing, *also)
    if isinstance(thing, dict):
        return {k: scrub(v, *also) for k, v in thing.items()}
    if isinstance(thing, list | tuple):
        return type(thing)(scrub(v, *also) for v in thing)
    return thing


def scrub_fault(fault: BaseException, *also: str | None) -> None:
    """Remove keys from an exception in place, so that whoever logs it next logs none."""
    seen: set[int] = set()
    todo: list[BaseException | None] = [fault]
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.args = scrub(one.args, *also)
        for name in ("message", "body"):
            if getattr(one, name, None) is not None:
                setattr(one, name, scrub(getattr(one, name), *also))
        todo += [one.__cause__, one.__context__]
