"""Courses of a study: which session of a pair comes when, and what it can be played with.

Session *k* needs what session *k − 1* left: the patient's state, which is kept in memory or lived through again from
what is stored, and what was agreed. A patient who left does not come back; after an error the course cannot go on.
Such sessions are stored too, so that every planned one is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from turnwise.core.course import CoursePatient, course_after
from turnwise.core.errors import BoundaryError
from turnwise.core.nouns import Course, SessionSpec, Trajectory
from turnwise.core.play import play
from turnwise.engine.counting import LEFT
from turnwise.engine.study import Cast
from turnwise.patients.natural_course import WEEKS_BETWEEN

__all__ = ["Courses", "by_place"]


def by_place(specs: Iterable[SessionSpec]) -> list[list[SessionSpec]]:
    """Return the sessions in waves: all first ones, then all second ones, each wave in the order given.

    Examples
    --------
    >>> first = SessionSpec(case="c", patient="p", therapist="t", seed=1)
    >>> [len(wave) for wave in by_place([first.model_copy(update={"session": 2}), first, first])]
    [2, 1]
    """
    ordered = sorted(specs, key=lambda spec: spec.session)
    return [list(wave) for _, wave in groupby(ordered, key=lambda spec: spec.session)]


@dataclass(slots=True)
class _Pair:
    """One therapist and one patient in one epoch, after so many sessions."""

    patient: CoursePatient
    course: Course | None = None
    left_in: int = 0
    """Session in which the patient left; 0 while it comes."""
    broke_in: int = 0
    why: str = ""

    def saw(self, t: Trajectory, session: int) -> None:
        if t.ending == "error":
            self.broke_in = self.broke_in or session
            self.why = self.why or "ended in an error"
        elif t.ending in LEFT:
            self.left_in = self.left_in or session
        else:
            self.course = course_after(self.course, t)


class Courses:
    """Plays sessions of courses; ask for those of one pair in order.

    Parameters
    ----------
    cast : who takes part.
    last : place of the last session of a course: nothing is kept after it.
    stored : the lines of sessions that were played before, by id.
    """

    def __init__(self, cast: Cast, last: int, stored: Mapping[str, str]) -> None:
        self._cast, self._last, self._stored = cast, last, stored
        self._pairs: dict[str, _Pair] = {}

    async def play(self, spec: SessionSpec) -> Trajectory:
        """Return the session of ``spec``, played after the earlier ones of its pair."""
        name = _first(spec).session_id
        pair = self._pairs.pop(name, None) or await self._caught_up(spec)
        case, therapist = self._cast.cases[spec.case], self._cast.therapists[spec.therapist]
        t = _missing(spec, pair) or await play(spec, case, pair.patient, therapist, prior=pair.course)
        pair.saw(t, spec.session)
        if spec.session < self._last:
            self._pairs[name] = pair
        return t

    async def _caught_up(self, spec: SessionSpec) -> _Pair:
        """Return the pair as the stored sessions before ``spec`` have left it."""
        pair = _Pair(CoursePatient(self._cast.patients[spec.patient], WEEKS_BETWEEN))
        for session in range(1, spec.session):
            t = Trajectory.model_validate_json(self._stored[_at(spec, session).session_id])
            pair.saw(t, session)
            if pair.left_in or pair.broke_in:
                break
            try:
                await pair.patient.live_through(t, self._cast.cases[spec.case])
            except BoundaryError as fault:
                pair.broke_in, pair.why = session, f"cannot be gone on from: {fault}"
                break
        return pair


def _at(spec: SessionSpec, session: int) -> SessionSpec:
    return spec.model_copy(update={"session": session})


def _first(spec: SessionSpec) -> SessionSpec:
    return _at(spec, 1)


def _missing(spec: SessionSpec, pair: _Pair) -> Trajectory | None:
    """Return the record of a session that does not take place, and why, or ``None`` where it does."""
    empty: dict[str, Any] = {"session_id": spec.session_id, "source": "simulated", "spec": spec}
    if pair.broke_in:
        why = f"not held: session {pair.broke_in} of this course {pair.why}"
        return Trajectory(**empty, ending="error", error=why)
    if pair.left_in:
        return Trajectory(**empty, ending="not_held", meta={"left_in": pair.left_in})
    return None
