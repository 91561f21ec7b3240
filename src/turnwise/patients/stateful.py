"""The first family of patients: an authored case, a state that moves, answers planned before words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from numpy.random import Generator

from turnwise.core.nouns import Case, Course, Reply, Transcript
from turnwise.core.registry import patient
from turnwise.patients.answering import Plan, Situation
from turnwise.patients.dynamics import Mind, after_insight, after_pushback, openness, step
from turnwise.patients.index import CaseIndex, index_case
from turnwise.patients.listening import Taken, impact_of, take
from turnwise.patients.matching import Candidates, candidates
from turnwise.patients.memory import Carried, Memory
from turnwise.patients.planner import decide
from turnwise.patients.realiser import Wording, word
from turnwise.patients.scheduling import drawn
from turnwise.reading.ears.hearing import Ear
from turnwise.reading.ears.questions import read_heard
from turnwise.reading.window import CONTEXT, Window

__all__ = ["Stateful", "stateful"]


class Stateful:
    """Answers from a case file; everything it carries is in ``Carried``, never here."""

    def __init__(self, ear: Ear) -> None:
        self._ear = ear

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> Carried:
        """Return the state before the first word: the case's own parameters, a little scattered by seed."""
        index = index_case(case)
        p = index.file.parameters
        scatter = 0.03 * rng.standard_normal(3)
        mind = Mind(
            trust=_clip(p.trust + scatter[0] + (0.05 if prior and prior.session_ids else 0.0)),
            reactance=_clip(p.reactance + 0.5 * scatter[1]),
            distress=_clip(p.distress + scatter[2]),
            conviction=p.conviction,
            gain=tuple(sorted(p.gain.items())),
        )
        return Carried(index, mind, Memory(planned=drawn(index.file.schedule, rng)))

    async def respond(self, state: Carried, transcript: Transcript, rng: Generator) -> Reply[Carried]:
        """Hear the last turn, be moved by it, decide, then word it."""
        index, memory = state.index, state.memory
        hearing = await self._ear.hear(Window(transcript[-1], tuple(transcript[-1 - CONTEXT : -1])))
        taken = take(index, memory, transcript, hearing, read_heard(hearing, transcript[-1].text))
        found = candidates(index, memory, taken)
        odd = _is_odd(taken, found)
        impact = impact_of(index, memory, taken, odd and memory.odd > 0)
        mind, causes = step(state.mind, impact, float(rng.standard_normal()))
        situation = Situation(index, mind, memory, taken, rng)
        plan = decide(situation, found)
        words = word(situation, plan, rng)
        mind = _afterwards(index, mind, plan, invited=impact.yields)
        carried = Carried(index, mind, _remembered(situation, plan, words, odd))
        info = _info(state.mind, mind, plan, words, causes, situation.level)
        return Reply(words.text, carried, info, plan.closes)


def _clip(x: float) -> float:
    return float(min(1.0, max(0.0, x)))


def _is_odd(taken: Taken, found: Candidates) -> bool:
    q = taken.query
    return q is not None and not found.answerable and q.reading.neighbour < 0.55


def _afterwards(index: CaseIndex, mind: Mind, plan: Plan, *, invited: bool) -> Mind:
    # "What have I missed?" asks for the objection: to voice it then is collaboration, not a rupture.
    if plan.moment == "invalidation" and not (invited and plan.kind == "tell"):
        mind = after_pushback(mind, confronts=plan.kind not in ("guard", "bait"))
    if plan.kind == "insight":
        return after_insight(mind)
    if plan.telling in index.file.insight_track.evidence and not plan.continues:
        return replace(mind, evidence_told=mind.evidence_told + 1)
    return mind


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
        said=(*m.said, *(x for x in (plan.also, begun, plan.key) if x)),
        lines=(*m.lines, *(plan.used or ((plan.lead,) if plan.lead else ())), *words.beats),
        pending=words.pending if told else m.pending,
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


def _shown(mind: Mind) -> dict[str, Any]:
    names = ("trust", "reactance", "distress", "conviction", "fatigue", "met", "goals", "tasks")
    values = {name: round(float(getattr(mind, name)), 6) for name in names}
    return values | {"openness": round(openness(mind), 6), "turn": mind.turn, "insights": mind.insights}


def _info(
    before: Mind, after: Mind, plan: Plan, words: Wording, causes: tuple[str, ...], level: int
) -> Mapping[str, Any]:
    return {
        "state": _shown(after),
        "state_before": _shown(before),
        "said": {"kind": plan.kind, "telling": plan.telling or plan.key or None, "beats": list(words.beats)},
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
    emits=("state.trust", "state.distress", "state.reactance", "state.openness", "state.conviction"),
    source="answer-first planner over authored cases; stated principles of change, hand-set sizes",
)
def stateful(*, ear: Ear) -> Stateful:
    """Patients from case files: state in code, moved by what is heard, worded from authored tellings.

    The principles that move it are built in, so that they hold in it is by construction of the
    simulator and no finding. Effect sizes are hand-set and not yet calibrated on human sessions.
    """
    return Stateful(ear)
