"""Where in a text something stands that may identify somebody, and of what kind it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

__all__ = ["KINDS", "Kind", "Span", "settled"]

Kind = Literal["EMAIL", "URL", "HANDLE", "ID", "ADDRESS", "DATE", "PHONE", "AGE", "ORG", "PLACE", "NAME"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""From the most to the least certain: where two overlap, the earlier says what the whole is."""
_RANK = {kind: i for i, kind in enumerate(KINDS)}


class Span(NamedTuple):
    """``text[start:end]`` is of the kind ``kind``."""

    start: int
    end: int
    kind: Kind


def settled(found: Iterable[Span]) -> list[Span]:
    """Return spans that do not overlap, in order; those that did are one, with the kind that is most certain.

    Nothing that was covered is uncovered by this.

    Examples
    --------
    >>> settled([Span(8, 12, "NAME"), Span(0, 10, "EMAIL"), Span(20, 22, "AGE")])
    [Span(start=0, end=12, kind='EMAIL'), Span(start=20, end=22, kind='AGE')]
    """
    out: list[Span] = []
    for span in sorted(found):
        if out and span.start < out[-1].end:
            last = out.pop()
            kind = min(last.kind, span.kind, key=_RANK.__getitem__)
            span = Span(last.start, max(last.end, span.end), kind)
        out.append(span)
    return out
