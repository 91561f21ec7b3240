"""What may be stored of a session where its words may not (``--no-text``): labels, numbers, places of faults."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import THERAPISTS, Entry

__all__ = ["quiet", "quiet_act", "quiet_moment", "quiet_score", "quiet_state"]

_MAY_QUOTE = ("session_error", "failed")
_LABEL = re.compile(r"[a-z]{1,20}(?:_[a-z]{1,20}){0,3}")
_MOMENTS = frozenset(Moment)
_WITHHELD = "the sentence may repeat what was said; run without --no-text to see it"


def quiet(error: str, no_text: bool) -> str:
    """Return an error sentence; without text, only its place (the rest may repeat what was in the file).

    Examples
    --------
    >>> quiet("line 3: nobody knows the speaker 'Anna'", True)
    'line 3 could not be used; run without --no-text to see why'
    """
    if not no_text:
        return error
    place = re.search(r"\b(?:line|item|row|session|turn) \d+", error)
    return f"{place.group() if place else 'this session'} could not be used; run without --no-text to see why"


def quiet_score(score: Score, entry: Entry[Callable[..., Any]]) -> Score:
    """Return ``score`` without a sentence that may quote: of an error, of a failure, of somebody else's measure.

    The sentences of our own measures name labels and counts (a test plays all of them over marked words).
    """
    if score.code == "session_error":
        return score._replace(detail=quiet(score.detail, True))
    ours = getattr(entry.obj, "__module__", "").startswith("turnwise.")
    return score if not score.detail or (ours and score.code not in _MAY_QUOTE) else score._replace(detail=_WITHHELD)


def quiet_state(state: Mapping[str, Any]) -> str:
    """Return the numbers of a state as JSON; what is told in words (an agenda, a private thought) is left out.

    Examples
    --------
    >>> quiet_state({"trust": 0.5, "thought": "he knows Anna", "belief": {"helpless": 0.2}})
    '{"belief": {"helpless": 0.2}, "trust": 0.5}'
    """
    return json.dumps(_numbers(state), sort_keys=True)


def _numbers(value: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, x in value.items():
        if not _LABEL.fullmatch(key):
            continue
        if isinstance(x, bool | int | float):
            kept[key] = x
        elif isinstance(x, dict) and (inner := _numbers(x)):
            kept[key] = inner
    return kept


def quiet_moment(moment: str) -> str | None:
    """Return a moment if it is one of ours."""
    return moment if moment in _MOMENTS else None


def quiet_act(act: str, therapist: str) -> str | None:
    """Return what a therapist of ours says it does; anybody else's word for it may be one that was said."""
    return act if therapist in THERAPISTS and _LABEL.fullmatch(act) else None
