"""A patient comes back for the next session of a course: what lasts, what has passed, what is still known.

What lasts is the person's own truth: trust, conviction, agreement on goals and tasks, whom it has spoken of, all it
has told and worked out. Between the sessions the natural course acts (``natural_course``, with its sources). What
belongs to one session only is over: moods of the moment, counters, what was being told when the time was up.

Nothing tells how trust fares in a week without a session, so it stays as it was: a free assumption, the same for all.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from numpy.random import Generator

from turnwise.patients.index import CaseIndex
from turnwise.patients.memory import AGAIN, Carried, Memory, Planned
from turnwise.patients.mind import Mind
from turnwise.patients.natural_course import between_sessions
from turnwise.patients.scheduling import drawn

__all__ = ["come_back", "planned_moments", "session_luck"]


def planned_moments(index: CaseIndex, rng: Generator, before: Collection[str] = ()) -> tuple[Planned, ...]:
    """Draw the moments of a session; ``before`` are those that earlier sessions of the course had planned."""
    kinds = {name: str(t.moment) for name, t in index.tellings.items() if t.moment is not None}
    return drawn(index.file.schedule, rng, kinds, before)


def session_luck(rng: Generator) -> int:
    """Draw the number on which the words of a session's planned moments hang (``Memory.luck``)."""
    return int(rng.integers(2**31 - 1))


def come_back(state: Carried, rng: Generator, weeks: float) -> Carried:
    """Return the state before the first word of the next session, ``weeks`` after the last one ended in ``state``."""
    m = state.memory
    said = tuple(x for x in m.said if not x.startswith(AGAIN))
    before = m.planned_before | {p.telling for p in m.planned}
    memory = Memory(
        said=said,
        known=m.known,
        answered=m.answered,
        escalated=m.escalated,
        planned=planned_moments(state.index, rng, before),
        luck=session_luck(rng),
        sessions=m.sessions + 1,
        earlier=frozenset(said),
        planned_before=before,
    )
    return Carried(state.index, _rested(state.mind, weeks, first=m.sessions == 0), memory)


def _rested(mind: Mind, weeks: float, *, first: bool) -> Mind:
    """Return the mind a while later. ``first``: the last look was the one by which the person was chosen."""
    # A thought that was drawn from evidence is had; the next one needs evidence of its own.
    unused = max(0, mind.evidence_told - mind.insights)
    rested: Mind = between_sessions(mind, weeks, first=first)
    return replace(rested, pushed_back=False, corrected=False, evidence_told=unused, last_talk=1)
