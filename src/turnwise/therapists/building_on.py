"""What the Socratic therapist says to a new view: it is given back, tested, and what else bears it out is asked for."""

from __future__ import annotations

from numpy.random import Generator

from turnwise.therapists.examining import filled, led
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.meeting import MEETING
from turnwise.therapists.reflecting import Heard, Line, shuffled
from turnwise.therapists.seeing_anew import doubts_itself, new_view, old_view, sees_anew
from turnwise.therapists.wording import capital

__all__ = ["asking_more", "given_on"]


def given_on(turn: Heard, rng: Generator, move: str = "consolidate") -> list[Line]:
    """Return ways of giving a new view back with what may follow, or to test it; none where no new view was voiced."""
    if not sees_anew(turn.text):
        return []
    view = new_view(turn)
    unsure = doubts_itself(turn.text) and not doubts_itself(view)
    before = (
        old_view(turn) or view if unsure or not view else ""
    )  # "Maybe I don't": then what was thought before is said back
    bank, view = (_UNSURE[move], before) if before else (move, view)
    found = []
    for i, line in shuffled(MEETING[bank], rng):
        if "{q}" not in line or view:
            found.append(Line(f"{bank}.{i}", line.format(q=capital(view)), (view,) if "{q}" in line else ()))
    return [line for line in found if line.quoted] or found  # a view of one's own is worth hearing in one's own words


_UNSURE = {"consolidate": "consolidate_unsure", "test_insight": "test_unsure"}


def asking_more(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions for more that bears a new view out; where nobody knows what it changes, for both sides of it."""
    if ledger.unanswered:
        return filled("ask_more_unanswered", ledger, turn, rng)
    return led(filled("ask_more", ledger, turn, rng), turn, rng)
