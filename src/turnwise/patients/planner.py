"""Decide what kind of reply comes, in order of precedence, before any wording."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from turnwise.core.nouns import Ending
from turnwise.patients.already_told import followed_up, went_on
from turnwise.patients.answering import answer, asked_for
from turnwise.patients.banks import Bank, draw, lines_for
from turnwise.patients.between_us import how_this_is
from turnwise.patients.choosing import chosen
from turnwise.patients.dynamics import p_fades, p_leaves
from turnwise.patients.follow_ups import answered_further
from turnwise.patients.foreign import of_somebody_else
from turnwise.patients.insights import own_evidence
from turnwise.patients.introducing import introduced
from turnwise.patients.listening import Taken
from turnwise.patients.matching import Candidates
from turnwise.patients.new_views import of_a_new_view
from turnwise.patients.not_known import kept_back
from turnwise.patients.plans import Plan, Situation, sayable, tell
from turnwise.patients.ranking import Query
from turnwise.patients.scheduling import EMPTY, as_planned, scheduled, volunteers
from turnwise.patients.schema import Telling
from turnwise.patients.statements import (
    correct,
    go_on,
    minimal,
    own_story,
    rebuffs,
    to_advice,
    to_reflection,
    to_statement,
)
from turnwise.patients.wanted import wanted
from turnwise.patients.words import content_words
from turnwise.reading.ears.intents import INTENTS

__all__ = ["decide"]

_CONFRONTS = 0.62


def decide(s: Situation, c: Candidates) -> Plan:
    """Return the plan for the reply to the last turn."""
    for rule in (_risk, _leaves, _goodbye, _stuck, _foreign, scheduled, _confronts):
        plan = rule(s, c)
        if plan is not None:
            return as_planned(s, plan)
    plan = _ordinary(s, c)
    return as_planned(s, volunteers(s, c, plan) if plan.kind in EMPTY and not plan.telling else plan)


def _risk(s: Situation, c: Candidates) -> Plan | None:
    return answer(s, c) if s.risk_asked else None


def _leaves(s: Situation, c: Candidates) -> Plan | None:
    r = s.index.file.reactions
    if s.rng.random() < p_leaves(s.mind):
        line = draw(r.leaving, s.memory, s.rng)
        return Plan("leave", "not met, and pushed", (line,), moment="invalidation", closes="patient_left")
    if s.rng.random() < p_fades(s.mind):
        line = draw(r.fading, s.memory, s.rng)
        return Plan("fade", "shut for many turns", (line,), moment="invalidation", closes="patient_faded")
    return None


def _goodbye(s: Situation, c: Candidates) -> Plan | None:
    if not s.taken.heard.does("close") or s.taken.question is not None:
        return None
    r = s.index.file.reactions
    met = s.mind.trust > 0.5 and s.mind.reactance < 0.3
    bank = r.closed_well if met else (r.closing_flat or r.closing)
    line = draw(bank, s.memory, s.rng) or draw(r.closing, s.memory, s.rng) or draw(r.fading, s.memory, s.rng)
    closes: Ending | None = "patient_closed" if s.memory.goodbyes else None
    return Plan("goodbye", "closing was announced", (line,), closes=closes)


def _stuck(s: Situation, c: Candidates) -> Plan | None:
    """Silence and nonsense: nothing was said that could be answered."""
    heard, r = s.taken.heard, s.index.file.reactions
    if heard.silence:
        if s.memory.silences == 0 and s.mind.trust > 0.4 and s.memory.pending:
            return go_on(s, "went on into the silence")
        if s.memory.silences >= 2:
            return Plan("silence", "a third silence", ("...",))
        return Plan("silence", "silence", (draw(r.silence, s.memory, s.rng) or "...",))
    if heard.nonsense:
        return Plan(
            "nonsense",
            "not understood",
            (draw(r.nonsense, s.memory, s.rng) or draw(r.unanswerable, s.memory, s.rng) or "Sorry?",),
        )
    return None


def _foreign(s: Situation, c: Candidates) -> Plan | None:
    """Whoever is told about somebody else's life says so, whatever was asked with it."""
    if s.mind.turn > 1 and of_somebody_else(s):
        line = draw(lines_for(s.index.file.reactions, "not_mine"), s.memory, s.rng)
        return Plan("not_mine", "what was said is of somebody else", (line,)) if line else None
    return None


def _confronts(s: Situation, c: Candidates) -> Plan | None:
    if s.mind.reactance > _CONFRONTS and s.taken.pushes:
        line = draw(s.index.file.reactions.confront, s.memory, s.rng)
        if line:
            return Plan("confront", "pushed again", (line,), moment="invalidation")
    return None


def _ordinary(s: Situation, c: Candidates) -> Plan:
    heard = s.taken.heard
    if s.mind.turn == 1 and s.memory.sessions:
        return _begins_again(s, c)
    if s.mind.turn == 1 and (_asks_what_brings(s) or not _asks_a_fact(c)):
        return _opening(s, s.index.tellings[s.index.file.spine[0]])
    if s.memory.moment == "bait":
        plan = _after_bait(s, c)
        if plan is not None:
            return plan
    if s.taken.question is not None:
        return _to_question(s, c)
    if heard.does("advice") and not (s.taken.reflected and s.taken.fits > 0.6 and not s.taken.ends_in_advice):
        return to_advice(s)
    return to_statement(s)


def _asks_a_fact(c: Candidates) -> bool:
    """Whether a first question is surely for something small: "What's brought you here today?" wants no weekday."""
    return bool(c.absent) or ((bool(c.fact) or c.proposition >= 0) and (not c.top or c.top[0][1] >= _SURE_AT_FIRST))


_SURE_AT_FIRST = float(np.log(0.5))


def _asks_what_brings(s: Situation) -> bool:
    return s.taken.query is not None and INTENTS.index("brings") in s.taken.query.reading.patterns


def _opening(s: Situation, first: Telling) -> Plan:
    return replace(tell(s, first, "spine", "what it came to say"), must=2)


def _begins_again(s: Situation, c: Candidates) -> Plan:
    """A later session begins with an answer, or with the next of what it came to say that was not yet said."""
    plan = _to_question(s, c) if s.taken.question is not None and not _asks_what_brings(s) else None
    if plan is not None and plan.kind not in EMPTY:
        return plan
    spine = (s.index.tellings[name] for name in s.index.file.spine)
    first = next((t for t in spine if sayable(s, t)), None)
    return _opening(s, first) if first is not None else plan or to_statement(s)


def _after_bait(s: Situation, c: Candidates) -> Plan | None:
    """A bait wants a stand: agreement pleases, a plain no disappoints, going round it draws it out."""
    heard, r = s.taken.heard, s.index.file.reactions
    bait = s.index.tellings.get(s.memory.last)
    if heard.does("agree") and not s.taken.disagrees:
        line = draw(r.bait_agreed, s.memory, s.rng)
        return Plan("bait", "was agreed with", (line,)) if line else None
    if s.taken.disagrees:
        line = draw((*(bait.disappointed if bait else ()), *(x.say for x in r.bait_refused)), s.memory, s.rng)
        return Plan("bait", "was refused", (line,), moment="invalidation") if line else None
    specific = c.answerable or s.taken.heard.does("close") or s.taken.heard.nonsense
    if bait is not None and bait.id not in s.memory.escalated and not specific and s.rng.random() < 0.5:
        line = draw(bait.escalation, s.memory, s.rng)
        if line:
            return Plan("bait", "went round it", (line,), moment="bait", escalated=bait.id)
        more = [s.index.tellings[t] for t in bait.leads_to if s.index.tellings[t].function == "bait"]
        if more and sayable(s, more[0]):
            return tell(s, more[0], "bait", "went round it")
    return None


def _to_question(s: Situation, c: Candidates) -> Plan:
    taken = s.taken
    q, r = taken.query, s.index.file.reactions
    assert q is not None
    if taken.heard.does("accuse"):
        line = draw(r.accused, s.memory, s.rng)
        if line:
            return Plan("accused", "accused", (line,), moment="invalidation")
    ours = how_this_is(s)
    if ours is not None:
        return ours
    own = rebuffs(s, answerable=(c.known and not c.yes_no) or c.proposition >= 0)
    own = own or chosen(s) or of_a_new_view(s) or own_evidence(s, c) or _free_to_choose(s, q)
    if own is not None:
        return own
    new = content_words(q.text) - content_words(" ".join((*s.memory.lines[-4:], *s.memory.pending)))
    # "A clock from the depot. Tell me about it." names the subject of what was just told, and asks for more of that.
    told = s.index.tellings.get(s.memory.last)
    elsewhere = bool(q.named) and (bool(content_words(q.text)) or told is None or told.topic not in q.named)
    bare = not elsewhere and not q.people and not c.fact and not new
    plainly = not content_words(q.text) or bool(asked_for(q) & {"more", "then", "clarify"})
    plainly = plainly and wanted(q.text) is None  # "Who did you take after?" asks for somebody
    on = bool(s.memory.last) and bare and plainly and q.reading.has("more", "then", "clarify") and not _else(s, c)
    plan = went_on(q, go_on(s, "asked for more")) if on and s.memory.pending else answered_further(s, c, q)
    plan = plan or (went_on(q, go_on(s, "asked for more")) if on else None)
    if plan is not None or (on and q.reading.has("clarify")):
        return plan or kept_back(s, "asked what it meant, and there is no more to say of it")
    of_words = followed_up(s, c, q, bare) or introduced(s, c, q)
    if of_words is not None:
        return of_words
    if bare and q.reading.has("why") and not content_words(q.text):
        return _why(s)
    if _handed_back(taken) and c.proposition < 0 and not c.fact:
        return to_reflection(s)
    if taken.wrong and taken.reflected:
        return correct(s)
    return _accepts(s, c, q) or answer(s, c)


def _else(s: Situation, c: Candidates) -> bool:
    """Whether something else than what was just told is surely the answer: "And how have the weeks been for you?"."""
    name, score = c.top[0] if c.top else ("-", 0.0)
    return name in s.index.places and name not in s.memory.said and score >= _SURE


_SURE = float(np.log(0.8))


def _free_to_choose(s: Situation, q: Query) -> Plan | None:
    """Bring the next of what it came to say, where the subject is left to it ("What would you like to go on with?")."""
    if q.named or q.people or not _LEFT_TO_IT.match(q.reading.text) or s.rng.random() < _AT_A_LOSS:
        return None
    return own_story(s)


_LEFT_TO_IT = re.compile(
    r"(?:what|where|which of (?:them|those|these|it)|how(?= .*\b(?:use|spend|begin|start|go on)\b)) "
    r"(?:(?:would|should|shall|could|might) (?:you|we|i)(?: like| want| prefer| choose| rather)?(?: me| us)?(?: to)?|"
    r"do you (?:want|prefer|like)(?: us)?(?: to)?|(?:would|might) be|is|feels) "
    r"(?:easier|easiest|better|all right|good|useful|helpful|talk|go|begin|start|look at|use the|spend|take|stay)\b"
    r"(?!.*\b(?:he|she|they|him|her|them|your|yourself|about (?:that|it|this))\b)(?!.*\bto tell\b)"
)
"""Leaves the subject to the patient, as therapists do after a refusal."""
_AT_A_LOSS = 0.15  # share of these that nothing comes to mind for


def _accepts(s: Situation, c: Candidates, q: Query) -> Plan | None:
    """Take what was asked for, where the question with it asks nothing that is known."""
    wanted = s.memory.moment in ("request", "identity") and (s.taken.informs or s.taken.heard.does("identity"))
    # "I could try that, but what is it that you fear?": that was not given yet.
    asks_on = q.form == "wh" and not s.taken.heard.does("identity")
    if not wanted or asks_on or c.fact or c.absent or q.named or c.known:
        return None
    bank: Bank = "told_what_you_are" if s.memory.moment == "identity" else "accepts"
    line = draw(lines_for(s.index.file.reactions, bank), s.memory, s.rng)
    return Plan("accept", "what was asked for", (line,)) if line else None


def _handed_back(taken: Taken) -> bool:
    """Whether the question is a statement about the patient with a question mark."""
    q = taken.question
    return q is not None and q.form == "declarative" and bool(re.match(r"(?:so |and |then )*you(?:'\w+)?\b", q.plain))


def _why(s: Situation) -> Plan:
    """A bare "why?": a reason for what was just told, else none is known."""
    for t in s.index.file.tellings:
        near = t.topic == s.memory.topic and s.memory.last in (*t.needs, *_before(s, t))
        if "why" in t.answers and near and sayable(s, t):
            return tell(s, t, "tell", "the reason for what was just told")
    if s.memory.pending and s.memory.pending[0].startswith("Because"):
        return go_on(s, "asked why") or minimal(s)
    r = s.index.file.reactions
    line = draw(r.why_unknown, s.memory, s.rng) or draw(r.unanswerable, s.memory, s.rng)
    return Plan("why_unknown", "no reason is known", (line or "I don't know.",))


def _before(s: Situation, t: Telling) -> tuple[str, ...]:
    return tuple(x.id for x in s.index.file.tellings if t.id in x.leads_to)
