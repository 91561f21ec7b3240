"""Shared short lines in the voice of a case: some people write every word out, most say "I don't"."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from turnwise.patients.index import CaseIndex

__all__ = ["contracts", "voiced"]

_SELDOM = 0.05  # share of beats with a contraction below which somebody writes every word out
_SHORT = (
    (re.compile(r"\b(do|would|could|is) not\b"), r"\1n't"),
    (re.compile(r"\b([Ii]t|[Tt]hat|[Tt]here) is (?!it\b)"), r"\1's "),
    (re.compile(r"\bI will\b"), "I'll"),
    (re.compile(r"\bI would\b"), "I'd"),
)


@cache
def contracts(index: CaseIndex) -> bool:
    """Whether this person says "I've": some write every word out."""
    beats = [b for t in index.file.tellings for b in t.beats]
    return sum("'ve" in b or "n't" in b or "'m" in b for b in beats) > _SELDOM * len(beats)


@lru_cache(maxsize=4_096)
def voiced(index: CaseIndex, line: str) -> str:
    """Return a line that is written out as this person says it."""
    if contracts(index):
        for pattern, short in _SHORT:
            line = pattern.sub(short, line)
    return line
