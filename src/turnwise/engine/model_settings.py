"""How language models are called: what is asked of them, how long they are waited for, how often asked again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from pydantic import JsonValue

from turnwise.core.errors import UsageError

__all__ = ["MOVES_BYTES", "CallSettings", "parsed_arguments"]

MOVES_BYTES = ("temperature", "max_tokens", "arguments")
"""Settings that can change what a model says: they belong to the study. Patience does not."""
_SECRET = re.compile(r"key|token|secret|password|auth|credential|header", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CallSettings:
    """What is asked of a model with every call.

    ``temperature`` and ``max_tokens`` are left to the provider where ``None``. ``patience`` is the seconds that one
    attempt may take, ``retries`` how often a call is made again after a transient fault (refused, 429, 5xx, cut off,
    out of patience), with a pause that begins at ``first_pause`` seconds, doubles each time and never exceeds a
    minute. ``arguments`` are handed to the provider as they are.
    """

    temperature: float | None = None
    max_tokens: int | None = 1000
    patience: int = 120
    retries: int = 5
    first_pause: float = 1.0
    arguments: dict[str, JsonValue] = field(default_factory=dict)

    def checked(self) -> CallSettings:
        """Return the settings, or refuse what makes no sense.

        Raises
        ------
        UsageError : a number is out of range, or an argument looks like a key.
        """
        limits = (
            ("--temperature", self.temperature, 0.0, 2.0),
            ("--max-tokens", self.max_tokens, 1, 1_000_000),
            ("--patience", self.patience, 1, 86_400),
            ("--retries", self.retries, 0, 1000),
        )
        for name, value, low, high in limits:
            if value is not None and not low <= value <= high:
                raise UsageError(f"{name} {value} is not possible: give a number from {low} to {high}.")
        for name in self.arguments:
            if _SECRET.search(name):
                raise UsageError(
                    f"--model-arg {name} looks like a secret, which would be stored; set it in the environment "
                    "(e.g. OPENAI_API_KEY)."
                )
        return self

    def versions(self) -> dict[str, str]:
        """Return what could move a byte, as the versions of a study have it."""
        values = asdict(self)
        return {f"model:{name}": json.dumps(values[name], sort_keys=True) for name in MOVES_BYTES}


def parsed_arguments(pairs: Iterable[str]) -> dict[str, JsonValue]:
    """Return ``KEY=VALUE`` pairs as a mapping; a value that is JSON is read as such.

    Raises
    ------
    UsageError : a pair has no ``=``.

    Examples
    --------
    >>> parsed_arguments(["stream=false", "service_tier=flex"])
    {'stream': False, 'service_tier': 'flex'}
    """
    found: dict[str, JsonValue] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"--model-arg {pair!r} is not of the form KEY=VALUE; write e.g. stream=false.")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found
