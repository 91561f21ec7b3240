"""The unit of reading: one turn and a few turns before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnwise.core.nouns import Turn

__all__ = ["CONTEXT", "Window", "windows_of"]

CONTEXT = 4
"""How many preceding turns a coder may see."""


@dataclass(frozen=True, slots=True)
class Window:
    """A turn with up to ``CONTEXT`` turns before it, oldest first."""

    turn: Turn
    before: tuple[Turn, ...] = ()


def windows_of(turns: Sequence[Turn]) -> list[Window]:
    """Return one window per turn of a session."""
    return [Window(turn, tuple(turns[max(0, i - CONTEXT) : i])) for i, turn in enumerate(turns)]
