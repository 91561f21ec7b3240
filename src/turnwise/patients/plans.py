"""The nouns of deciding: what will be said (a plan), what a decision looks at (a situation), what may be told now."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Ending
from turnwise.patients.dynamics import Mind, sayable_level
from turnwise.patients.index import CaseIndex
from turnwise.patients.listening import Taken
from turnwise.patients.memory import Memory
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Telling
from turnwise.patients.words import content_words

__all__ = [
    "Plan",
    "Situation",
    "goes_on_of",
    "has_more",
    "just_raised",
    "just_told",
    "open_now",
    "rest_of",
    "sayable",
    "tell",
]


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be said and why; ``beats`` are offered in order, the realiser takes what fits."""

    kind: str
    why: str
    beats: tuple[str, ...] = ()
    lead: str = ""
    telling: str = ""
    key: str = ""
    moment: str | None = None
    scheduled: bool = False
    continues: bool = False
    must: int = 1
    closes: Ending | None = None
    withheld: str = ""
    guarded: str = ""
    escalated: str = ""
    also: str = ""
    used: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """Everything a decision looks at."""

    index: CaseIndex
    mind: Mind
    memory: Memory
    taken: Taken
    rng: Generator
    level: int = field(init=False)
    """Highest level that may be told now."""
    ready: list[npt.NDArray[np.bool_]] = field(init=False, default_factory=list)
    """What ``open_now`` found, once it was asked."""
    further: list[Plan | None] = field(init=False, default_factory=list)
    """The answer to a question about what was just told, once it was looked for; may be none."""

    def __post_init__(self) -> None:
        """Work out once what every telling is asked."""
        object.__setattr__(self, "level", sayable_level(self.mind))

    @property
    def style(self) -> str:
        """Conversational style of the case."""
        return self.index.file.voice.style

    @property
    def risk_asked(self) -> bool:
        """Whether danger to self was asked about outright."""
        q = self.taken.query
        return q is not None and q.reading.intent == "risk"


def sayable(s: Situation, t: Telling, *, risk: bool = False) -> bool:
    """Whether a telling may be said now: not yet said, within the gate, its needs met, no risk unasked."""
    fresh = t.id not in s.memory.said and t.function not in ("goodbye", "insight")
    fresh = fresh and s.mind.turn >= s.memory.waits_until(t.id)
    return fresh and t.level <= s.level and set(t.needs) <= set(s.memory.said) and (risk or t.id not in s.index.risky)


def tell(s: Situation, t: Telling, kind: str, why: str) -> Plan:
    """Plan to begin a telling, by one of its wordings; which of them a planned one has hangs on the session alone."""
    planned = s.memory.awaits(t.id)
    rng = s.memory.luck_of(t.id, "wording") if planned else s.rng
    firsts = [x for x in (t.beats[0], *t.wordings) if planned or x not in s.memory.lines] or [t.beats[0]]
    first = firsts[int(rng.integers(len(firsts)))] if rng.random() < 0.7 else firsts[0]
    return Plan(kind, why, (first, *t.beats[1:]), telling=t.id, moment=t.moment.value if t.moment else None)


def just_told(s: Situation) -> Telling | None:
    """Return the telling that was begun in the last reply, if one was and nothing of danger is in it."""
    last = s.index.tellings.get(s.memory.last)
    fresh = last is not None and s.memory.said[-1:] == (last.id,) and last.id not in s.index.risky
    return last if fresh else None


def just_raised(s: Situation) -> bool:
    """Whether what was begun in the last reply is a planned telling: the patient brought it up."""
    last = just_told(s)
    return last is not None and any(last.id == p.telling for p in s.memory.planned)


def has_more(s: Situation) -> bool:
    """Whether a sentence is left of the last telling, and not a word or two."""
    return bool(s.memory.pending) and len(s.memory.pending[0].split()) >= _A_STORY


_A_STORY = 4  # words from which what was left goes on with a story


def goes_on_of(q: Query, beat: str) -> bool:
    """Whether what comes next is of what is asked: it shares a word with the question, or that asks just for more."""
    asked = content_words(q.text)
    return bool(asked & content_words(beat)) or (not asked and q.reading.has("more", "then", "what_happened"))


def rest_of(s: Situation, why: str) -> Plan:
    """Plan to go on with what is left of the last telling; there has to be something left."""
    return Plan("continue", why, s.memory.pending, telling=s.memory.last, continues=True)


@lru_cache(maxsize=64)
def _needs(index: CaseIndex) -> tuple[npt.NDArray[np.intp], list[frozenset[str]]]:
    """Return the places of the tellings that others have to come before, and which others."""
    places = np.flatnonzero(index.has_needs)
    return places, [frozenset(index.tellings[index.order[i]].needs) for i in places.tolist()]


def open_now(s: Situation) -> npt.NDArray[np.bool_]:
    """Return which tellings may be said now (N,): ``sayable`` of all of them at once; not to be written to."""
    if s.ready:
        return s.ready[0]
    index, said = s.index, set(s.memory.said)
    fresh = ~index.never_asked_for & (index.levels <= s.level) & ~index.is_risky
    fresh[[index.places[x] for x in said if x in index.places]] = False
    fresh[[index.places[p.telling] for p in s.memory.planned if s.mind.turn < p.earliest]] = False
    places, needs = _needs(index)
    fresh[places] &= [x <= said for x in needs]
    s.ready.append(fresh)
    return fresh
