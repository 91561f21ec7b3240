"""Scheduled tellings: moments that come whatever the therapist did, so that therapists meet the same ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from numpy.random import Generator

from turnwise.patients.answering import Plan, Situation, answer, tell
from turnwise.patients.banks import ASIDES, MINIMAL, draw, styled
from turnwise.patients.matching import Candidates
from turnwise.patients.people import introduce
from turnwise.patients.schema import Scheduled, Telling
from turnwise.reading.ears.intents import INTENTS

__all__ = ["EMPTY", "drawn", "scheduled", "volunteers"]

_UNPROMPTED = frozenset(("volunteer", "request", "bait", "hint"))
_SHORT = 16
_SHARE = 0.6  # of what a case plans, per session
_THIN_WAITS = 4  # turns beyond its latest that a thin answer waits for a question it could answer
_ANSWERS = frozenset(("fact", "yes_no", "absent", "tell"))


def drawn(items: Sequence[Scheduled], rng: Generator) -> tuple[str, ...]:
    """Draw which planned tellings come in this session, in the case's order.

    A case plans more than one session can hold: if all came, every second question would be talked
    over. The draw hangs on the seed and the patient alone, so every therapist meets the same ones.
    """
    kept = rng.permutation(len(items))[: round(_SHARE * len(items))]
    return tuple(items[i].telling for i in sorted(int(k) for k in kept))


def scheduled(s: Situation, c: Candidates) -> Plan | None:
    """A telling that comes whatever the therapist did: when it fits what was asked, or at its latest turn."""
    turn, q = s.mind.turn, s.taken.query
    for item in s.index.file.schedule:
        if item.telling not in s.memory.planned or item.telling in s.memory.said or turn < item.earliest:
            continue
        t = s.index.tellings[item.telling]
        if t.moment == "thin":
            plan = _thin(s, t, item, c.answerable)
            if plan is not None:
                return plan
            continue
        fits = q is not None and _asked_for(t, s)
        free = q is None and not s.taken.pushes and not s.taken.heard.does("repair", "close")
        idle = free and (t.function in _UNPROMPTED or t.topic == s.memory.topic) and turn > item.earliest
        pressed = s.taken.pushes or s.taken.heard.does("repair", "accuse")
        due = turn >= item.latest or (turn == item.latest - 1 and not pressed and not c.answerable)
        if not (fits or idle or due):
            continue
        plan = replace(tell(s, t, "scheduled", f"planned for turns {item.earliest} to {item.latest}"), scheduled=True)
        return plan if fits else _led(s, c, idle, plan)
    return None


def _thin(s: Situation, t: Telling, item: Scheduled, known: bool) -> Plan | None:
    """A thin answer needs an open question: its own where that was asked, else one that fits any."""
    q, question = s.taken.query, s.taken.question
    why = f"planned for turns {item.earliest} to {item.latest}"
    if q is not None and _asked_for(t, s):
        return replace(tell(s, t, "scheduled", why), scheduled=True)
    if s.mind.turn < item.earliest + 1:
        return None
    general = question is not None and question.open and q is not None and not q.named and not q.people
    early = s.mind.turn < item.latest and (known or not general)
    if early or (not general and s.mind.turn < item.latest + _THIN_WAITS):
        return None
    line = draw(styled(MINIMAL, s.style), s.memory, s.rng) or t.beats[0]
    return Plan("scheduled", why, (line,), telling=t.id, moment="thin", scheduled=True)


def _asked_for(t: Telling, s: Situation) -> bool:
    q = s.taken.query
    assert q is not None
    hit = any(INTENTS[i] in t.answers for i in q.reading.patterns) or (
        q.reading.intent in t.answers and q.reading.similarity > 0.75
    )
    return hit and (
        t.topic in q.named
        or (not q.named and not q.people and (t.topic in q.focus or t.topic == "here" or "how_are" in t.answers))
    )


_OWN_ASIDE = re.compile(r"(?:can|may|could) i\b|let me\b|okay\b|look\b|listen\b|well\b|i mean\b", re.IGNORECASE)


def _aside(s: Situation, beat: str) -> str:
    """Return a turn aside, unless what follows brings its own ("Can I ask.")."""
    return "" if _OWN_ASIDE.match(beat) else draw(styled(ASIDES, s.style), s.memory, s.rng)


def _led(s: Situation, c: Candidates, idle: bool, plan: Plan) -> Plan:
    """Put before a scheduled telling a word of having heard, or a short answer and a turn aside."""
    if idle:
        return replace(plan, lead=_acknowledged(s))
    aside = _aside(s, plan.beats[0]) if s.mind.turn > 1 else ""
    if s.taken.question is not None and s.taken.question.open and s.mind.turn == 1 and not c.fact:
        return plan
    if s.taken.question is not None and c.answerable:
        first = answer(s, c)
        short = first.beats[0] if first.beats else ""
        short, _ = introduce(s.index, short, set(s.memory.known))
        if first.kind in _ANSWERS and len(short.split()) <= _SHORT and first.telling not in s.index.reserved:
            used = tuple(x for x in (*first.beats[:1], aside) if x)
            return replace(plan, lead=f"{short} {aside}".strip(), used=used, also=first.telling or first.key)
    return replace(plan, lead=aside)


def _acknowledged(s: Situation) -> str:
    r, heard = s.index.file.reactions, s.taken.heard
    for move, bank in (("praise", r.praised), ("reassure", r.reassured), ("self", r.told_about_you)):
        if heard.does(move):
            return draw(bank, s.memory, s.rng)
    fits = s.taken.reflected and s.taken.fits > 0.3 and not s.taken.wrong
    return draw(r.backchannel, s.memory, s.rng) if fits else ""


EMPTY = frozenset(("undecided", "unanswerable", "thin", "minimal"))


def volunteers(s: Situation, plan: Plan) -> Plan:
    """Somebody with nothing to answer brings up what was on their mind: a planned telling whose time has come."""
    for item in s.index.file.schedule:
        t = s.index.tellings[item.telling]
        if (
            item.telling not in s.memory.planned
            or item.telling in s.memory.said
            or not item.earliest <= s.mind.turn <= item.latest
            or t.function not in _UNPROMPTED
        ):
            continue
        why = f"planned for turns {item.earliest} to {item.latest}"
        told = tell(s, t, "scheduled", why)
        aside = _aside(s, told.beats[0]) if s.taken.question is not None else ""
        lead = " ".join(x for x in (*(plan.beats if s.taken.question is not None else ()), aside) if x)
        used = tuple(x for x in (*plan.beats[:1], aside) if x)
        return replace(told, scheduled=True, lead=lead, used=used)
    return plan
