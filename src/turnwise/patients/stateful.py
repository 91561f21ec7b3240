"""The first family of patients: an authored case, a state that moves, answers planned before words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from numpy.random import Generator

from turnwise.core.nouns import Case, Course, Reply, Transcript
from turnwise.core.registry import patient
from turnwise.patients.after_speaking import after_insight, after_pushback, after_telling
from turnwise.patients.change_sizes import VALUES, At, Sizes, drawn_sizes, sizes_at
from turnwise.patients.coming_back import come_back, planned_moments, session_luck
from turnwise.patients.dynamics import Impact, Mind, openness, step, working_edge
from turnwise.patients.endings import why_fading, why_leaving
from turnwise.patients.index import CaseIndex, index_case
from turnwise.patients.listening import Taken, impact_of, take
from turnwise.patients.matching import Candidates, candidates
from turnwise.patients.memory import Carried, Memory
from turnwise.patients.natural_course import returning
from turnwise.patients.planner import decide
from turnwise.patients.plans import Plan, Situation
from turnwise.patients.realiser import Wording, word
from turnwise.reading.ears.hearing import Ear, Hearing
from turnwise.reading.ears.questions import EMOTIONS, read_heard
from turnwise.reading.window import CONTEXT, Window

__all__ = ["EMITS", "Family", "Moved", "Stateful", "stateful"]

EMITS = ("state.trust", "state.distress", "state.reactance", "state.openness", "state.conviction", "state.edge")
"""Truth keys that every family of patients from case files writes at every turn."""

_PLEASANT = frozenset(("fond", "happy", "proud", "relieved"))
"""Families of feelings that upset nobody by being told of."""

Moved = Callable[[Mind, Impact, Hearing, Generator], tuple[Mind, tuple[str, ...]]]
"""A turn's change: state, how the turn lands, the moves that were heard, chance; the new state and its causes."""


def _by_principle(mind: Mind, impact: Impact, hearing: Hearing, rng: Generator) -> tuple[Mind, tuple[str, ...]]:
    return step(mind, impact, float(rng.standard_normal()))


def _everybody(rng: Generator) -> Sizes:
    return VALUES


@dataclass(frozen=True, slots=True)
class Family:
    """What families differ in: whose sizes, how a turn moves the state, and what else the truth record tells."""

    sizes: Callable[[Generator], Sizes] = _everybody
    moved: Moved = _by_principle
    tells: Callable[[Mind], Mapping[str, Any]] = lambda mind: {"sizes": mind.sizes.name}


PRINCIPLED = Family()

_LEAST, _MOST = 0.05, 0.95
"""Who comes at all trusts a little, and nobody wholly."""
_SCATTER = 0.03
"""Spread of what else varies between first sessions of one person."""


class Stateful:
    """Answers from a case file; everything it carries is in ``Carried``, never here."""

    def __init__(self, ear: Ear, family: Family = PRINCIPLED) -> None:
        self._ear = ear
        self._family = family

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> Carried:
        """Return the state before the first word: the case's own parameters, scattered by seed, trust the most.

        Nobody comes to every first session alike; how much somebody can bear has to be found out each time.

        Earlier sessions in ``prior`` are known by their names only, so they count as so many weeks of
        natural course and some acquaintance. Where the last state is at hand, ``next_session`` carries it on.
        """
        index = index_case(case)
        p = index.file.parameters
        scatter = rng.standard_normal(3)
        memory = Memory(planned=planned_moments(index, rng))
        sizes = self._family.sizes(rng)
        mind = Mind(
            trust=min(_MOST, max(_LEAST, p.trust + sizes["arrives"] * float(scatter[0]))),
            reactance=_clip(p.reactance + 0.5 * _SCATTER * scatter[1]),
            distress=_clip(p.distress + _SCATTER * scatter[2]),
            conviction=p.conviction,
            gain=tuple(sorted(p.gain.items())),
            sizes=sizes,
        )
        memory = replace(memory, luck=session_luck(rng))
        return Carried(index, returning(mind, len(prior.session_ids) if prior else 0), memory)

    def next_session(self, state: Carried, rng: Generator, weeks: float) -> Carried:
        """Return the state before the first word of the next session: the person's own truth, and a natural course."""
        return come_back(state, rng, weeks)

    async def respond(self, state: Carried, transcript: Transcript, rng: Generator) -> Reply[Carried]:
        """Hear the last turn, be moved by it, decide, then word it."""
        index, memory = state.index, state.memory
        hearing = await self._ear.hear(Window(transcript[-1], tuple(transcript[-1 - CONTEXT : -1])))
        taken = take(index, memory, transcript, hearing, read_heard(hearing, transcript[-1].text))
        found = candidates(index, memory, taken)
        odd = _is_odd(taken, found)
        impact = impact_of(index, memory, taken, odd and memory.odd > 0)
        mind, causes = self._family.moved(state.mind, impact, hearing, rng)
        situation = Situation(index, mind, memory, taken, rng)
        plan = decide(situation, found)
        words = word(situation, plan, rng)
        ending = _ending(mind, plan, causes)
        mind = _afterwards(index, mind, plan, impact)
        carried = Carried(index, mind, _remembered(situation, plan, words, odd))
        info = _info(state.mind, mind, plan, words, causes, situation.level)
        info = {**info, **self._family.tells(mind), "ending": ending}
        return Reply(words.text, carried, info, plan.closes)


def _clip(x: float) -> float:
    return float(min(1.0, max(0.0, x)))


def _ending(mind: Mind, plan: Plan, causes: tuple[str, ...]) -> Any:
    """Return how this reply ends the session and why, for the truth record; ``None`` while it goes on."""
    if plan.closes is None:
        return None
    if plan.closes == "patient_left":
        return {"how": "left", "why": why_leaving(mind, causes)}
    if plan.closes == "patient_faded":
        return {"how": "faded", "why": why_fading(mind)}
    well = mind.trust > mind.sizes["well_trust"] and mind.reactance < mind.sizes["well_reactance"]
    return {"how": "closed well" if well else "closed flat", "why": plan.why}


def _is_odd(taken: Taken, found: Candidates) -> bool:
    q = taken.query
    return q is not None and not found.answerable and q.reading.neighbour < 0.55


def _afterwards(index: CaseIndex, mind: Mind, plan: Plan, impact: Impact) -> Mind:
    told = index.tellings.get(plan.telling)
    # Silence is the zero point: what is said into it neither stirs nor, later, passes.
    if told and not plan.continues and not impact.silence and not impact.minimal:
        pleasant = EMOTIONS.get(told.affect, told.affect) in _PLEASANT
        mind = after_telling(mind, told.intensity if told.affect and not pleasant else 0.0)
    # "What have I missed?" asks for the objection: to voice it then is collaboration, not a rupture.
    if plan.moment == "invalidation" and not (impact.yields and plan.kind == "tell"):
        mind = after_pushback(mind, confronts=plan.kind not in ("guard", "bait"))
    if plan.kind == "insight":
        return after_insight(mind)
    if plan.telling in index.file.insight_track.evidence and not plan.continues:
        return replace(mind, evidence_told=mind.evidence_told + 1)
    return mind


_STAYS = frozenset(("heard", "minimal", "check", "silence", "accept", "further"))
"""Kinds of reply after which what was being told may still be gone on with: a word, or an answer about it."""


def _remembered(s: Situation, plan: Plan, words: Wording, odd: bool) -> Memory:
    m, heard = s.memory, s.taken.heard
    index = s.index
    begun = plan.telling if plan.telling and not plan.continues else ""
    told = index.tellings.get(plan.telling)
    topic = told.topic if told else m.topic
    focus = tuple(dict.fromkeys((*((told.topic,) if told else ()), *index.topics_in(words.text)))) if told else m.focus
    if plan.scheduled and plan.kind == "scheduled":
        # What was talked of before is not forgotten because something else was brought up.
        focus = tuple(dict.fromkeys((*focus, *m.focus)))
        topic = m.topic if plan.lead and m.topic else topic
    question = s.taken.query.reading.text if s.taken.query else ""
    keeps = plan.kind in ("fact", "yes_no", "undecided", "unanswerable", "absent")
    return replace(
        m,
        said=(*m.said, *(x for x in (plan.also, begun, plan.key, words.also) if x)),
        lines=(*m.lines, *(plan.used or ((plan.lead,) if plan.lead else ())), *words.beats),
        pending=words.pending if told else m.pending if plan.kind in _STAYS else (),
        last=plan.telling or m.last,
        topic=topic,
        focus=focus,
        known=words.known,
        moment=plan.moment or "",
        intensity=told.intensity or (0.3 if told.affect else 0.0) if told else 0.0,
        answered=(*m.answered, (question, words.text)) if keeps and question else m.answered,
        guarded=(*m.guarded, plan.guarded) if plan.guarded else m.guarded,
        openers=(*m.openers, words.opener)[-6:],
        odd=m.odd + odd,
        silences=m.silences + 1 if heard.silence else 0,
        nonsense=m.nonsense + 1 if heard.nonsense else 0,
        goodbyes=m.goodbyes + (plan.kind == "goodbye"),
        escalated=(*m.escalated, plan.escalated) if plan.escalated else m.escalated,
    )


_STATE = ("trust", "reactance", "distress", "conviction", "fatigue", "met", "goals", "tasks")
_STATE_OF = attrgetter(*_STATE)


def _shown(mind: Mind) -> dict[str, Any]:
    values = {name: round(float(x), 6) for name, x in zip(_STATE, _STATE_OF(mind), strict=True)}
    room = round(float(working_edge(mind)), 6)
    return values | {"openness": round(openness(mind), 6), "edge": room, "turn": mind.turn, "insights": mind.insights}


def _info(
    before: Mind, after: Mind, plan: Plan, words: Wording, causes: tuple[str, ...], level: int
) -> Mapping[str, Any]:
    return {
        "state": _shown(after),
        "state_before": _shown(before),
        "said": {
            "kind": plan.kind,
            "telling": plan.telling or plan.key or None,
            "also": [x for x in (plan.also, words.also) if x],
            "beats": list(words.beats),
            "words": words.own or None,
        },
        "why": plan.why,
        "causes": list(causes),
        "moment": plan.moment,
        "moment_source": "truth",
        "scheduled": plan.scheduled,
        "level": level,
        "withheld": plan.withheld or None,
        "alternatives": [{"telling": name, "score": round(score, 6)} for name, score in plan.alternatives],
    }


@patient(
    name="stateful.v1",
    emits=EMITS,
    source="answer-first planner over authored cases; stated principles of change with sizes from change_sizes.py",
)
def stateful(*, ear: Ear, sizes: At = "value") -> Stateful:
    """Patients from case files: state in code, moved by what is heard, worded from authored tellings.

    The principles that move it are built in, so that they hold in it is by construction of the
    simulator and no finding. ``sizes`` repeats a study over the range of what is not known: everything
    at its ``"low"`` or ``"high"`` end, or ``"drawn"`` for each patient from the seed (also as families
    of their own, ``stateful_low.v1``, ``stateful_high.v1``, ``stateful_drawn.v1``).
    """
    if sizes == "drawn":
        return Stateful(ear, Family(sizes=drawn_sizes))
    fixed = sizes_at(sizes)
    return Stateful(ear, Family(sizes=lambda rng: fixed))


_RANGE = "stateful.v1 with every size of change_sizes.py at its {} end"


@patient(name="stateful_low.v1", emits=EMITS, source=_RANGE.format("low"))
def stateful_low(*, ear: Ear) -> Stateful:
    """Patients as in stateful, every size at its low end: human data that show no effect are taken at their word."""
    return stateful(ear=ear, sizes="low")


@patient(name="stateful_high.v1", emits=EMITS, source=_RANGE.format("high"))
def stateful_high(*, ear: Ear) -> Stateful:
    """Patients as in stateful, every size at its high end."""
    return stateful(ear=ear, sizes="high")


@patient(name="stateful_drawn.v1", emits=EMITS, source="stateful.v1 with sizes drawn for each patient from their range")
def stateful_drawn(*, ear: Ear) -> Stateful:
    """Patients as in stateful, each with sizes of its own, drawn from the range of what is not known."""
    return stateful(ear=ear, sizes="drawn")
