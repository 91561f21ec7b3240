"""What the patient carries from turn to turn besides its state: plain values that fit into JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from numpy.random import Generator

from turnwise.core.seeds import generator
from turnwise.patients.dynamics import Mind
from turnwise.patients.index import CaseIndex

__all__ = ["AGAIN", "Carried", "Memory", "Planned"]


AGAIN = "again:"
"""Before the name of what was told in an earlier session and is said once more in this one."""


class Planned(NamedTuple):
    """A telling that comes in this session: at ``due`` (a turn of the patient, from 1), not before ``earliest``."""

    telling: str
    earliest: int
    due: int


@dataclass(frozen=True, slots=True)
class Memory:
    """The ledger of a session.

    Attributes
    ----------
    said : tellings begun and propositions given, in order.
    lines : every line and beat spoken, word for word (none is spoken twice).
    pending : beats of ``last`` that are still to come.
    focus : topics the last words touched.
    known : people who have been introduced.
    moment, intensity : of the last reply (a request waits for an answer, a bait for a stand).
    planned : scheduled tellings that come in this session and when, drawn from the seed.
    luck : a number drawn from the seed for the session, on which the words of planned moments hang.
    answered : questions already given a non-answer or a fact, with what was said.
    sessions, earlier, planned_before : of a later session of a course: how many lie behind, what was said in them
        (a part of ``said``), and which moments were planned for them.
    """

    said: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    last: str = ""
    topic: str = ""
    focus: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    moment: str = ""
    intensity: float = 0.0
    answered: tuple[tuple[str, str], ...] = ()
    guarded: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()
    odd: int = 0
    silences: int = 0
    nonsense: int = 0
    goodbyes: int = 0
    escalated: tuple[str, ...] = ()
    planned: tuple[Planned, ...] = ()
    luck: int = 0
    sessions: int = 0
    earlier: frozenset[str] = frozenset()
    planned_before: frozenset[str] = frozenset()

    def waits_until(self, telling: str) -> int:
        """First turn at which a telling may be said: planned ones wait, so that every therapist meets them there."""
        return next((p.earliest for p in self.planned if p.telling == telling), 0)

    def has_come(self, planned: Planned) -> bool:
        """Whether a planned moment has been met: its telling was said, or a thin answer stood for it."""
        return planned.telling in self.said or f"planned:{planned.telling}" in self.said

    def awaits(self, telling: str) -> bool:
        """Whether a telling is planned for this session and has not come yet."""
        return any(p.telling == telling and not self.has_come(p) for p in self.planned)

    def luck_of(self, telling: str, what: str) -> Generator:
        """Return the luck by which one thing about a planned telling is drawn: the same whatever was said before it.

        Examples
        --------
        >>> early, late = Memory(luck=7), Memory(luck=7, said=("dad1",), lines=("He left.",))
        >>> bool(early.luck_of("dad3", "length").random() == late.luck_of("dad3", "length").random())
        True
        """
        return generator(self.luck, f"{telling}/{what}", 0, "patient", 0)

    def told_again(self, name: str) -> bool:
        """Whether something of an earlier session was already said once more in this one."""
        return f"{AGAIN}{name}" in self.said


@dataclass(frozen=True, slots=True)
class Carried:
    """Everything carried between turns. The index is shared and never changes."""

    index: CaseIndex = field(repr=False)
    mind: Mind
    memory: Memory = Memory()
