"""Several sessions of one pair: what the patient carries from one to the next, and what both sides are told of it.

A patient's own truth goes on inside it and never through the course: a :class:`~turnwise.core.nouns.Course` holds
places and agreed words only, because the therapist is given it too.
"""

from __future__ import annotations

from typing import Any

from numpy.random import Generator

from turnwise.core.contracts import Patient, ReturningPatient
from turnwise.core.errors import BoundaryError
from turnwise.core.nouns import Agreement, Case, Course, Reply, Trajectory, Transcript
from turnwise.core.seeds import generator

__all__ = ["CoursePatient", "agreed_in", "course_after", "known_of"]


def agreed_in(t: Trajectory) -> tuple[str, ...]:
    """Return what was agreed in a session: the texts under ``agreed`` of the last therapist turn that has the key.

    Nothing that the patient emits is read; what is no list of texts is nothing agreed.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> turns = (Turn(speaker="therapist", text="Shall we?"), Turn(speaker="patient", text="Yes."))
    >>> agreed_in(Trajectory(session_id="s", source="x", turns=turns, infos=({"agreed": ["I ring her"]}, {})))
    ('I ring her',)
    """
    for turn, info in zip(reversed(t.turns), reversed(t.infos), strict=False):
        if turn.speaker == "therapist" and "agreed" in info:
            given = info["agreed"]
            texts = [x.strip() for x in given if isinstance(x, str)] if isinstance(given, list) else []
            return tuple(dict.fromkeys(x for x in texts if x))
    return ()


def course_after(course: Course | None, t: Trajectory) -> Course:
    """Return the course with one more session.

    Sessions are called ``session 1``, ``session 2`` …: the id of a session names the family of its patient, which a
    therapist may not know.

    Examples
    --------
    >>> course_after(None, Trajectory(session_id="x/contrary.v1/alun/0", source="simulated")).session_ids
    ('session 1',)
    """
    before = course or Course()
    name = f"session {len(before.session_ids) + 1}"
    agreed = tuple(Agreement(session_id=name, text=text) for text in agreed_in(t))
    return Course(session_ids=(*before.session_ids, name), agreed=(*before.agreed, *agreed))


def known_of(course: Course | None) -> tuple[str, ...]:
    """Return in words what a therapist knows of earlier sessions: how many there were, what was agreed.

    Examples
    --------
    >>> known_of(None)
    ()
    >>> agreed = (Agreement(session_id="session 1", text="I ring her"),)
    >>> known_of(Course(session_ids=("session 1", "session 2"), agreed=agreed))
    ('sessions before this one: 2', 'agreed in them: I ring her')
    """
    if course is None or not course.session_ids:
        return ()
    agreed = "; ".join(dict.fromkeys(a.text for a in course.agreed))
    return (f"sessions before this one: {len(course.session_ids)}", *((f"agreed in them: {agreed}",) if agreed else ()))


class CoursePatient:
    """One patient over the sessions of one course: keeps the state with which a session ended for the next to begin.

    Give the same one to :func:`~turnwise.core.play.play` for every session of the pair, in order. A patient that does
    not offer ``next_session`` begins each session by ``init``.

    Parameters
    ----------
    patient : the patient itself, which holds no state and may be shared.
    weeks : weeks between two sessions.
    """

    def __init__(self, patient: Patient[Any], weeks: float) -> None:
        self._patient, self._weeks = patient, weeks
        self._last: Any = None
        self._met = False

    @property
    def comes_back(self) -> bool:
        """Whether the patient itself carries anything from session to session."""
        return isinstance(self._patient, ReturningPatient)

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> Any:
        """Return the state before the first word of this session."""
        if self._met and isinstance(self._patient, ReturningPatient):
            self._last = self._patient.next_session(self._last, rng, self._weeks)
        else:
            self._last = self._patient.init(case, rng, prior)
        self._met = True
        return self._last

    async def respond(self, state: Any, transcript: Transcript, rng: Generator) -> Reply[Any]:
        """Answer as the patient answers."""
        reply: Reply[Any] = await self._patient.respond(state, transcript, rng)
        if isinstance(reply, Reply):
            self._last = reply.state
        return reply

    async def live_through(self, t: Trajectory, case: Case) -> None:
        """Take in a stored session as if it had just been played, so that the course can go on after it.

        Raises
        ------
        BoundaryError : the patient does not say again what it said there: it is another version, or not seeded.
        """
        if not self.comes_back or t.spec is None:
            return
        spec = t.spec
        state = self.init(case, generator(spec.seed, spec.luck, spec.epoch, "patient", -1))
        for i, turn in enumerate(t.turns):
            if turn.speaker != "patient":
                continue
            rng = generator(spec.seed, spec.luck, spec.epoch, "patient", i)
            reply = await self.respond(state, t.turns[:i], rng)
            if reply.text != turn.text:
                raise BoundaryError(f"the patient does not say again what it said at turn {i} of {t.session_id}")
            state = reply.state
