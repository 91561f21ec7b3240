"""Scheduled tellings: moments that come whatever the therapist did, so that therapists meet the same ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from turnwise.patients.answering import answer
from turnwise.patients.banks import draw, lines_for, said_of
from turnwise.patients.follow_ups import answered_further
from turnwise.patients.matching import Candidates
from turnwise.patients.memory import Planned
from turnwise.patients.not_known import NOTHING_MORE, aside_of
from turnwise.patients.passing_over import passed_over
from turnwise.patients.people import introduce
from turnwise.patients.plans import Plan, Situation, just_raised, tell
from turnwise.patients.schema import Scheduled, Telling
from turnwise.patients.small_facts import BARELY, SURELY
from turnwise.patients.words import content_words
from turnwise.reading.ears.intents import INTENTS

__all__ = ["EMPTY", "as_planned", "drawn", "scheduled", "volunteers"]

_UNPROMPTED = frozenset(("volunteer", "request", "bait", "hint"))
_SHORT = 16
_HEAVY = 0.5
_SHARE = 0.36  # of what a case plans besides signs of danger, per session
# Within a session every kind of moment should come about as often as the others, however many of it a case plans; but
# nearly every case would like to know whom it talks to, and not every session has to begin there; and a case plans one
# distortion, by which two skills are judged.
_WEIGHT = {"identity": 0.6, "distortion": 1.5}
_DANGER = "risk"
_APART = 2  # turns between two planned moments, at least
_LIKELY = float(np.log(0.5))  # from which what is planned is what was asked for
_GRACE = 3  # turns that a moment waits for a question to be answered before it comes all the same
_THIN_WAITS = 6  # turns beyond its own that a thin answer waits for a question it could answer
_ANSWERS = frozenset(("fact", "yes_no", "absent", "tell", "further"))


def drawn(
    items: Sequence[Scheduled], rng: Generator, kinds: Mapping[str, str], before: Collection[str] = ()
) -> tuple[Planned, ...]:
    """Draw which planned tellings come in this session, and at which turn, in order of their turns.

    A case plans more than one session can hold: if all came, every second question would be talked
    over. The draw hangs on the seed and the patient alone, so every therapist meets the same ones.
    A moment that would follow another within two turns is put off, or left out where its window is over.
    Beside these one sign of danger comes in every session, each that a case plans with the same chance, at a turn of
    its window that is two away from the others where there is one: no mean of the others says how danger is met, and
    where it comes in some sessions only, a therapist who has no ear for it is not told from one who has.
    ``kinds`` names the kind of moment of each telling; ``before`` are those that were planned for an earlier session
    of the course, come or not: what a session plans never hangs on what a therapist made of the last one. Where all
    signs of danger were, none comes.
    """
    danger = [x for x in items if kinds.get(x.telling) == _DANGER]
    plan = _drawn_besides([x for x in items if x not in danger], rng, kinds, before)
    danger = [x for x in danger if x.telling not in before]
    if danger:
        one, at = danger[int(rng.integers(len(danger)))], rng.random()
        turns = range(one.earliest, one.latest + 1)
        free = [t for t in turns if all(abs(t - p.due) >= _APART for p in plan)] or turns
        plan.append(Planned(one.telling, one.earliest, free[int(at * len(free))]))
    return tuple(sorted(plan, key=lambda p: (p.due, p.telling)))


def _drawn_besides(
    items: Sequence[Scheduled], rng: Generator, kinds: Mapping[str, str], before: Collection[str]
) -> list[Planned]:
    most = round(_SHARE * len(items))
    items = [x for x in items if x.telling not in before]
    planned = [kinds.get(x.telling, "") for x in items]
    weight = np.array([_WEIGHT.get(kind, 1.0) / planned.count(kind) for kind in planned])
    # The largest of u ** (1 / weight): a draw without replacement (Efraimidis & Spirakis 2006).
    kept = np.argsort(-(rng.random(len(items)) ** (1.0 / weight)))[:most]
    at = rng.random(len(items))
    found = sorted(
        (Planned(x.telling, x.earliest, x.earliest + int(at[i] * (x.latest - x.earliest + 1))), x.latest)
        for i, x in enumerate(items)
        if i in set(kept.tolist())
    )
    plan: list[Planned] = []
    for one, latest in sorted(found, key=lambda pair: (pair[0].due, pair[0].telling)):
        due = max(one.due, plan[-1].due + _APART) if plan else one.due
        if due <= latest + 1:
            plan.append(one._replace(due=due))
    return plan


def scheduled(s: Situation, c: Candidates) -> Plan | None:
    """A telling that comes whatever the therapist did: when it fits what was asked, or when its turn is there."""
    turn, q = s.mind.turn, s.taken.query
    for item in s.memory.planned:
        if turn < item.earliest or s.memory.has_come(item):
            continue
        t = s.index.tellings[item.telling]
        why = f"planned for turn {item.due}"
        if t.moment == "thin":
            plan = _thin(s, t, item, c.answerable)
            if plan is not None:
                return plan
            continue
        fits = q is not None and _asked_for(t, s) and c.score_of(t.id) >= _LIKELY
        busy = c.answerable or s.taken.pushes or s.taken.heard.does("repair", "close") or _just_opened(s)
        busy = busy or _asks_on(s) or (q is not None and answered_further(s, c, q) is not None)
        if not (fits or turn >= item.due + _GRACE or (turn >= item.due and not busy)):
            continue
        plan = replace(tell(s, t, "scheduled", why), scheduled=True)
        return plan if fits else _led(s, c, q is None and not s.taken.pushes, plan)
    return None


def _just_opened(s: Situation) -> bool:
    """Whether something heavy, or a new view, was told a moment ago: nobody changes the subject right after that."""
    heavy = s.memory.moment in ("disclosure", "risk") and s.memory.intensity >= _HEAVY
    return heavy or s.memory.moment == "insight"


def _asks_on(s: Situation) -> bool:
    """Whether the question goes on about a planned telling that was just brought up: nobody drops that at once."""
    if s.taken.query is None or s.memory.said[-1:] != (s.memory.last,):
        return False
    asked = content_words(s.taken.query.text)
    last = content_words(" ".join((*s.memory.lines[-2:], *s.memory.pending)))
    # Of anything else: only where nothing but what was said is asked about.
    return bool(asked & last) and (just_raised(s) or asked <= last)


def _thin(s: Situation, t: Telling, item: Planned, answerable: bool) -> Plan | None:
    """A thin answer needs an open question, and one whose answer may be unknown: what it says fits any of these."""
    q, question = s.taken.query, s.taken.question
    if q is not None and _asked_for(t, s):
        return _thin_answer(s, item)
    if s.mind.turn < item.due:
        return None
    general = question is not None and question.open and q is not None and not q.named and not q.people
    early = s.mind.turn < item.due + _GRACE and (answerable or not general or _asks_on(s))
    if early or ((not general or question is None) and s.mind.turn < item.due + _THIN_WAITS):
        return None
    if question is not None and question.form == "alternative":
        return None  # "Is he older or younger than you?"
    if q is not None and passed_over(s, q, None):
        return None  # nobody says "I don't know" to who is at home
    return _thin_answer(s, item)


def _thin_answer(s: Situation, item: Planned) -> Plan:
    """Say next to nothing, in a line that fits whatever was asked and is the same wherever the moment comes."""
    bank = said_of([x for x in lines_for(s.index.file.reactions, "unknown") if isinstance(x, str) or not x.needs])
    line = bank[int(s.memory.luck_of(item.telling, "line").integers(len(bank)))]
    # What the telling itself says may still be told to somebody who asks for it.
    why, key = f"planned for turn {item.due}", f"planned:{item.telling}"
    return Plan("scheduled", why, (line,), key=key, moment="thin", scheduled=True)


def as_planned(s: Situation, plan: Plan) -> Plan:
    """Mark a reply as the planned moment that it is, if it begins a telling that waited to come."""
    item = next((p for p in s.memory.planned if p.telling == plan.telling), None)
    if item is None or plan.continues or s.memory.has_come(item):
        return plan
    thin = s.index.tellings[item.telling].moment == "thin"
    return _thin_answer(s, item) if thin else replace(plan, scheduled=True)


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


_OWN_ASIDE = re.compile(r"(?:can|may|could) i\b|let me\b", re.IGNORECASE)


def _aside(s: Situation, beat: str) -> str:
    """Return a turn aside, unless what follows brings its own ("Can I ask.")."""
    return "" if _OWN_ASIDE.match(beat) else aside_of(s)


def _led(s: Situation, c: Candidates, idle: bool, plan: Plan) -> Plan:
    """Put before a scheduled telling a word of having heard, or a short answer and a turn aside."""
    aside = _aside(s, plan.beats[0]) if s.mind.turn > 1 else ""
    if idle:
        # After a statement it needs a turn aside only where it changes the subject.
        topic = s.index.tellings[plan.telling].topic
        aside = "" if topic in (s.memory.topic, *s.memory.focus) else aside
        return replace(plan, lead=f"{_acknowledged(s)} {aside}".strip(), used=(aside,) if aside else ())
    if s.taken.question is not None and s.taken.question.open and s.mind.turn == 1 and not c.fact:
        return plan
    further = answered_further(s, c, s.taken.query) if s.taken.query is not None else None
    if further is not None or (s.taken.question is not None and c.answerable):
        first = further or answer(s, c)
        short = first.beats[0] if first.beats else ""
        short, _ = introduce(s.index, short, set(s.memory.known))
        fitting = first.kind in _ANSWERS and (further is not None or _sure(c, first))
        if fitting and len(short.split()) <= _SHORT and not s.memory.waits_until(first.telling):
            used = tuple(x for x in (*first.beats[:1], aside) if x)
            return replace(plan, lead=f"{short} {aside}".strip(), used=used, also=first.telling or first.key)
    return replace(plan, lead=aside)


def _sure(c: Candidates, first: Plan) -> bool:
    """Whether an answer is likely enough to stand before something else: what is brought up hides no wrong one.

    What is not there and a name are known by the words that ask for them; a telling was looked at twice.
    """
    if first.kind == "absent" or (first.kind == "fact" and not first.key):
        return True
    return c.score_of(first.telling or first.key) >= (BARELY if first.telling else SURELY)


def _acknowledged(s: Situation) -> str:
    r, heard = s.index.file.reactions, s.taken.heard
    for move, bank in (("praise", r.praised), ("reassure", r.reassured), ("self", r.told_about_you)):
        if heard.does(move):
            return draw(bank, s.memory, s.rng)
    fits = s.taken.reflected and s.taken.fits > 0.3 and not s.taken.wrong
    return draw(r.backchannel, s.memory, s.rng) if fits else ""


_NEAR_IT = float(np.log(0.3))  # from which what was on their mind may be what was asked for
EMPTY = frozenset(("undecided", "unanswerable", "thin", "minimal"))


def volunteers(s: Situation, c: Candidates, plan: Plan) -> Plan:
    """Somebody with nothing to answer brings up what was on their mind: a planned telling whose time has come."""
    for item in s.memory.planned:
        t = s.index.tellings[item.telling]
        if s.memory.has_come(item) or s.mind.turn < item.due or t.function not in _UNPROMPTED or _just_opened(s):
            continue
        if t.moment == "thin" or _asks_on(s):
            continue  # a thin answer is no news, and what was just brought up is asked about
        told = tell(s, t, "scheduled", f"planned for turn {item.due}")
        if c.score_of(t.id) >= _NEAR_IT:
            # It is near to what was asked: nobody puts a question off, and then answers it as "something else".
            return replace(told, scheduled=True)
        aside = _aside(s, told.beats[0]) if s.taken.question is not None else ""
        first = plan.beats if s.taken.question is not None and plan.why != NOTHING_MORE else ()
        lead = " ".join(x for x in (*first, aside) if x)
        used = tuple(x for x in (*first[:1], aside) if x)
        return replace(told, scheduled=True, lead=lead, used=used)
    return plan
