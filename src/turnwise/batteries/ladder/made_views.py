"""A moment, a reply and what raters say of it, made by hand: for examples, for tests and for whoever writes a skill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from turnwise.batteries.ladder.moments import MomentView
from turnwise.core.nouns import Moment, Reading, Reason, Turn

__all__ = ["made_view"]


def made_view(
    moment: str,
    labels: Mapping[str, str] | None = None,
    *,
    reply: str | None = "Tell me more about that.",
    history: Sequence[tuple[Literal["therapist", "patient"], str]] = (),
    state: Mapping[str, float] | None = None,
    source: Literal["truth", "read"] = "truth",
) -> MomentView:
    """Return a view whose raters are certain of ``labels`` (item: label) and have read nothing else.

    Not a session: no patient said it and no coder read it. ``state`` is what the simulated patient is said to
    have emitted under ``state``.

    Examples
    --------
    >>> view = made_view("thin", {"question_form": "open"})
    >>> view.label("question_form"), view.p("question_form", "open"), view.label("clarity") is None
    ('open', 1.0, True)
    """
    before = tuple(Turn(speaker=who, text=text) for who, text in history)
    rows = len(before) + 2
    unread: Reason = "not_applicable"
    codes: tuple[Reason | None, ...] = (*(unread for _ in range(rows - 1)), None)
    p = np.full((rows, 1), np.nan)
    p[-1] = 1.0
    readings = {x: Reading(x, "made", "0" * 64, (y,), p, codes) for x, y in (labels or {}).items()}
    truth: dict[str, Any] = {"state": dict(state)} if state is not None else {}
    said = Turn(speaker="patient", text="It was a hard week.")
    answer = None if reply is None else Turn(speaker="therapist", text=reply)
    return MomentView(Moment(moment), source, before, said, answer, readings, rows - 1, truth)
