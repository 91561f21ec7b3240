"""Answer one question: fact, absence, proposition, telling; else a hint, a guard or an honest non-answer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Ending, FloatArray
from turnwise.patients.banks import draw, lines_for
from turnwise.patients.dynamics import Mind, sayable_level
from turnwise.patients.index import CaseIndex
from turnwise.patients.listening import Taken
from turnwise.patients.matching import Candidates
from turnwise.patients.memory import AGAIN, Memory
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Telling
from turnwise.patients.speech import favoured
from turnwise.reading.ears.intents import INTENTS

__all__ = ["Plan", "Situation", "again", "answer", "sayable", "tell"]


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
    """Plan to begin a telling, by one of its wordings."""
    firsts = [x for x in (t.beats[0], *t.wordings) if x not in s.memory.lines] or [t.beats[0]]
    first = firsts[int(s.rng.integers(len(firsts)))] if s.rng.random() < 0.7 else firsts[0]
    return Plan(kind, why, (first, *t.beats[1:]), telling=t.id, moment=t.moment.value if t.moment else None)


def answer(s: Situation, c: Candidates) -> Plan:
    """Plan the answer to the question that was heard."""
    q = s.taken.query
    assert q is not None
    top = c.top
    asked = q.reading.text
    before = dict(s.memory.answered).get(asked)
    if before is not None and (c.fact or c.proposition >= 0):
        line = draw(lines_for(s.index.file.reactions, "like_i_said"), s.memory, s.rng)
        return Plan("repeated", "asked again", (f"{line} {before}".strip(),), alternatives=top)
    return replace(_first_that_fits(s, c, q), alternatives=top)


def _first_that_fits(s: Situation, c: Candidates, q: Query) -> Plan:
    if s.risk_asked:
        return _risk(s, c)
    if c.fact and c.fact_key in s.memory.earlier:
        return again(s, c.fact_key, (c.fact,))
    if c.fact and c.fact_level <= s.level:
        return Plan("fact", f"fact:{c.fact_key}", (c.fact,), key=c.fact_key)
    if c.absent:
        return Plan("absent", "asked for what is not there", (c.absent,))
    if c.proposition >= 0:
        return _proposition(s, c)
    if c.known:
        plan = _telling(s, c, q)
        if plan is not None:
            return plan
    if c.yes_no:
        return Plan(
            "undecided",
            "a yes/no question nothing is known about",
            (draw(lines_for(s.index.file.reactions, "undecided"), s.memory, s.rng),),
        )
    if q.reading.has("why"):
        line = draw(s.index.file.reactions.why_unknown or s.index.file.reactions.unanswerable, s.memory, s.rng)
        return Plan("why_unknown", "no reason is known", (line,))
    return _no_answer(s, q)


def again(s: Situation, key: str, beats: tuple[str, ...], kind: str = "repeated") -> Plan:
    """Plan to say once more what was said in an earlier session, as something that was said."""
    line = draw(lines_for(s.index.file.reactions, "like_i_said"), s.memory, s.rng)
    first = (f"{line} {beats[0]}".strip(), *beats[1:])
    return Plan(kind, f"said in an earlier session: {key}", first, key=f"{AGAIN}{key}")


def _no_answer(s: Situation, q: Query) -> Plan:
    """Say that there is no answer, in a way that fits what was asked: only "and then?" is met by "that's it"."""
    if q.reading.has("clarify", "more", "then") and not q.named and not q.people:
        return _nothing_more(s)
    quips = s.index.file.reactions.unanswerable
    line = draw(quips, s.memory, s.rng) if s.rng.random() < _QUIP else ""
    return Plan("unanswerable", "nothing in the case answers this", (line or _unknown(s),))


_QUIP = 0.25
"""Share of the questions without an answer that get more than a plain "I don't know"."""


def _unknown(s: Situation) -> str:
    """A plain "I don't know", seldom the same twice running: people have no others."""
    bank = [x if isinstance(x, str) else x.say for x in lines_for(s.index.file.reactions, "unknown")]
    return favoured([x for x in bank if x not in s.memory.lines[-2:]] or bank, s.rng)


def _nothing_more(s: Situation) -> Plan:
    line = draw(lines_for(s.index.file.reactions, "minimal"), s.memory, s.rng) or draw(
        s.index.file.reactions.fading, s.memory, s.rng
    )
    return Plan("thin", "nothing more to tell", (line,), moment="thin")


def _risk(s: Situation, c: Candidates) -> Plan:
    p = s.index.propositions[c.proposition] if c.proposition >= 0 else None
    if p is not None and p.id in s.memory.earlier:
        # Who asks again in another session gets the same true answer, whole, however often.
        plan = again(s, p.id, p.beats, "risk")
        return replace(plan, moment="risk" if _risky(s) else None, must=len(p.beats))
    if p is not None and p.id not in s.memory.said:
        return Plan(
            "risk", "asked outright", p.beats, key=p.id, moment="risk" if _risky(s) else None, must=len(p.beats)
        )
    open_now = [t for t in s.index.file.tellings if t.id in s.index.risky and sayable(s, t, risk=True)]
    open_now.sort(key=lambda t: ("risk" not in t.answers, t.level))
    if open_now:
        return tell(s, open_now[0], "risk", "asked outright")
    return Plan(
        "risk",
        "asked outright, and all is said",
        (draw(lines_for(s.index.file.reactions, "like_i_said"), s.memory, s.rng) or "No.",),
    )


def _risky(s: Situation) -> bool:
    return s.index.file.formulation.risk.level != "none"


def _proposition(s: Situation, c: Candidates) -> Plan:
    p = s.index.propositions[c.proposition]
    if p.id in s.memory.earlier:
        return again(s, p.id, p.beats)
    if p.level > s.level:
        return _guard(s, p.topic or (s.memory.topic or ""), p.id)
    return Plan("yes_no", f"proposition:{p.id}={p.answer}", p.beats, key=p.id)


def _telling(s: Situation, c: Candidates, q: Query) -> Plan | None:
    """Tell what answers best of what may be told; else hint, put off, or say that there is nothing to say."""
    scores = _adjusted(s, c)
    best = int(scores.argmax())
    if scores[best] < _RULED_OUT or (c.yes_no and _uncovered(s, c, best)):
        return None
    wanted = s.index.tellings[s.index.order[best]]
    before = _said_already(s, c, scores) or _told_before(s, c, scores)
    if before is not None:
        return before
    if not sayable(s, wanted):
        held = _held_back(s, q, scores, wanted)
        if held is not None:
            return held
    return _near_best(s, scores, wanted.id, q)


_RULED_OUT = -50.0
_SURE = float(np.log(0.25))
"""Least log-probability for something to be told as the answer: below a quarter more than half of what is told
does not answer (held-out cases, whatever was not yet said or not yet to be told left out)."""
_NEARLY = float(np.log(0.1))
"""The same for what has to be told before the answer."""
_NAMED = float(np.log(0.2))
"""The same where the question names what it is about and the telling is about that."""
_INTRODUCES = 1.5
_CERTAIN = float(np.log(0.8))


def _adjusted(s: Situation, c: Candidates) -> FloatArray:
    """Return the scores of the tellings without those that are over, or that are a yes or no to something else."""
    assert c.scores is not None
    index, scores = s.index, c.scores.copy()
    last = index.tellings.get(s.memory.last)
    follow = [index.places[name] for name in last.leads_to] if last else []
    scores[index.answers_nothing] -= 4.0
    scores[follow] = c.scores[follow] + 1.0
    q = s.taken.query
    if q is not None and not q.reading.has("who", "more", "what_is_x_like"):
        # Who somebody is answers little else, however often the question names them.
        scores[index.introduces] -= _INTRODUCES
    scores[index.never_asked_for] = -99.0
    scores[[index.places[x] for x in s.memory.said if x in index.places]] = -99.0
    if c.yes_no:
        scores[index.begins_yes_no] = -99.0  # a yes or no that belongs to another question
    return scores


def _uncovered(s: Situation, c: Candidates, best: int) -> bool:
    """Whether a yes/no question asks for more than the best telling holds."""
    assert c.covers is not None
    return c.covers[best] < 0.4 and s.taken.question is not None and s.taken.question.form != "disguised"


def _said_already(s: Situation, c: Candidates, scores: FloatArray) -> Plan | None:
    """What answers was told a moment ago, and nothing else would: go on with what is left of it."""
    assert c.scores is not None
    best = int(c.scores.argmax())
    told = s.index.order[best]
    if c.yes_no or told not in s.memory.said or c.scores[best] < _CERTAIN or scores.max() >= _SURE:
        return None
    if told == s.memory.last and s.memory.pending and told not in s.index.risky:
        return Plan("continue", "asked about what was just told", s.memory.pending, telling=told, continues=True)
    return None


def _told_before(s: Situation, c: Candidates, scores: FloatArray) -> Plan | None:
    """What answers best was told in an earlier session: say so, and the point of it, once a session."""
    assert c.scores is not None
    best = int(c.scores.argmax())
    t = s.index.tellings[s.index.order[best]]
    if t.id not in s.memory.earlier or s.memory.told_again(t.id) or c.scores[best] < _SURE:
        return None
    if scores.max() >= c.scores[best] or s.index.never_asked_for[best] or s.index.is_risky[best]:
        return None
    if c.yes_no and s.index.begins_yes_no[best]:
        return None
    # The rest of it is there for whoever asks on.
    return replace(again(s, t.id, t.beats), telling=t.id, continues=True)


def _held_back(s: Situation, q: Query, scores: FloatArray, wanted: Telling) -> Plan | None:
    """The answer may not be told yet: what comes before it where that is an answer too, else a hint or a guard."""
    best = float(scores.max())
    named = bool(q.named) or bool(q.people) or (q.reading.similarity > 0.62 and wanted.topic in q.focus)
    about = named and (not q.named or wanted.topic in q.named)
    missing = _missing(s, wanted) if about and wanted.level <= s.level + 1 else None
    if missing is not None:
        likely = scores[s.index.position(missing.id)] >= _NEARLY
        hints = missing.function == "hint" and not _asked(q) & set(_VIEWS)
        if (likely and _to_the_point(missing, q)) or hints:
            return replace(tell(s, missing, "tell", f"comes before {wanted.id}"), withheld=wanted.id)
    fresh = wanted.topic != (s.memory.guarded[-1] if s.memory.guarded else None) and s.mind.turn > 3
    if wanted.level > s.level and named and fresh and best >= _SURE and best > _next_sayable(s, scores) + 2.0:
        return replace(_guard(s, wanted.topic, wanted.id), withheld=wanted.id)
    return None


_VIEWS = ("thought", "belief", "means_about_you", "alternative", "friend", "evidence_against", "evidence_for")


def _asked(q: Query) -> frozenset[str]:
    """Return the intents the question shows by its wording."""
    found = frozenset(INTENTS[i] for i in q.reading.patterns)
    # "When was it last different?" asks for what was different, not for a date.
    return found - {"when_started", "last_time"} if "evidence_against" in found else found


def _to_the_point(t: Telling, q: Query) -> bool:
    """Whether a telling that only comes before the wanted one is an answer too, not just the same subject."""
    return bool(q.people) or not _asked(q) or bool(_asked(q) & set(t.answers))


def _unthought(s: Situation, q: Query) -> Plan:
    """Nothing that may be told answers what was asked: go on with what was being told, or say so."""
    if not q.reading.has(*_VIEWS):
        return _no_answer(s, q)
    line = draw(lines_for(s.index.file.reactions, "unthought"), s.memory, s.rng)
    return Plan("thin", "no thought that answers this", (line or _unknown(s),), moment="thin")


def _next_sayable(s: Situation, scores: FloatArray) -> float:
    return float(scores[_open_now(s)].max(initial=-99.0))


def _open_now(s: Situation) -> npt.NDArray[np.bool_]:
    """Return which tellings may be said now (N,): ``sayable`` of all of them at once."""
    index, said = s.index, set(s.memory.said)
    fresh = ~index.never_asked_for & (index.levels <= s.level) & ~index.is_risky
    fresh[[index.places[x] for x in said if x in index.places]] = False
    fresh[[index.places[p.telling] for p in s.memory.planned if s.mind.turn < p.earliest]] = False
    for i in np.flatnonzero(fresh & index.has_needs):
        fresh[i] = set(index.tellings[index.order[i]].needs) <= said
    return fresh


def _missing(s: Situation, t: Telling, depth: int = 0) -> Telling | None:
    """Return the earliest telling that has to come before ``t`` and may be said now."""
    for need in t.needs:
        if need not in s.memory.said:
            other = s.index.tellings[need]
            return other if sayable(s, other) else _missing(s, other, depth + 1) if depth < 3 else None
    return None


def _near_best(s: Situation, scores: FloatArray, wanted: str, q: Query) -> Plan | None:
    """Choose among the sayable near ties, with seeded luck, so that seeds differ."""
    open_now = np.flatnonzero((scores > _RULED_OUT) & _open_now(s)).tolist()
    at_hand = [i for i in open_now if s.index.topic_of[i] in q.named or q.people & s.index.mentions[i]]
    named = bool(q.named or q.people) and bool(at_hand)
    open_now = at_hand if named else open_now
    top = max((float(scores[i]) for i in open_now), default=-99.0)
    if top < (_NAMED if named else _SURE):
        return _unthought(s, q)
    near = [i for i in open_now if scores[i] >= top - _TIES]
    values = np.array([scores[i] for i in near]) + 0.6 * s.rng.gumbel(size=len(near))
    chosen = s.index.order[near[int(values.argmax())]]
    plan = tell(s, s.index.tellings[chosen], "tell", "answers the question")
    return replace(plan, withheld=wanted if wanted != chosen and s.index.tellings[wanted].level > s.level else "")


_TIES = 0.7
"""Log-probability by which one telling may be less likely than another and still be as good an answer."""


def _guard(s: Situation, topic: str, withheld: str) -> Plan:
    """Say a deniable hint, else put the question off; after two guards of a topic, something small and true."""
    hints = [t for t in s.index.file.tellings if t.topic == topic and t.function == "hint" and sayable(s, t)]
    if hints and withheld not in s.memory.said:
        return replace(tell(s, hints[0], "hint", f"hints at {withheld}"), withheld=withheld)
    if s.memory.guarded.count(topic) >= 2 or topic not in s.index.file.topics:
        small = [t for t in s.index.file.tellings if t.topic == topic and t.level == 0 and sayable(s, t) and t.answers]
        return tell(s, small[0], "tell", "something small instead") if small else _nothing_more(s)
    line = draw(s.index.file.topics[topic].guard, s.memory, s.rng)
    if not line:
        return _nothing_more(s)
    return Plan(
        "guard", f"{withheld} may not be told yet", (line,), guarded=topic, withheld=withheld, moment="invalidation"
    )
