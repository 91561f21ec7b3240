"""Answer one question: fact, absence, proposition, telling; else a hint, a guard or an honest non-answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from turnwise.core.nouns import FloatArray
from turnwise.patients.banks import LIKE_I_SAID, MINIMAL, UNDECIDED, draw, styled
from turnwise.patients.dynamics import Mind, sayable_level
from turnwise.patients.index import CaseIndex, content_words
from turnwise.patients.listening import Taken
from turnwise.patients.memory import Memory
from turnwise.patients.ranking import WEIGHTS, Query, features
from turnwise.patients.schema import Telling
from turnwise.reading.ears.intents import INTENTS

__all__ = ["Candidates", "Plan", "Situation", "answer", "candidates", "sayable", "tell"]

_FACT, _PROPOSITION, _DECLARATIVE = 0.74, 0.62, 0.74
_UNCOVERED = 0.3
_TIME = re.compile(
    r"\b(?:\d+|years?|months?|weeks?|since|ago|semester|spring|summer|autumn|winter|easter|christmas|yesterday|always|\w+teen|\w+day|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|nine|ten|twenty|thirty)\b",
    re.IGNORECASE,
)
_NO_FACT = ("more", "means_about_you", "what_is_x_like", "feel", "why", "thought", "hardest", "fear", "what_happened")
_EVIDENCE = ("friend", "evidence_against", "alternative", "scale")
_YES_NO_START = re.compile(r"^(?:yes|no|aye|nah|yeah|never)\b", re.IGNORECASE)
_OPEN_INTENTS = frozenset("more then feel thought hardest why clarify what_happened brings".split())


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
    closes: str | None = None
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

    @property
    def level(self) -> int:
        """Highest level that may be told now."""
        return sayable_level(self.mind)

    @property
    def style(self) -> str:
        """Conversational style of the case."""
        return self.index.file.voice.style

    @property
    def risk_asked(self) -> bool:
        """Whether danger to self was asked about outright."""
        q = self.taken.query
        return q is not None and q.reading.intent == "risk"


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What could answer the question, before any gate: independent of the state."""

    fact: str = ""
    fact_key: str = ""
    fact_level: int = 0
    absent: str = ""
    proposition: int = -1
    scores: FloatArray | None = None
    matrix: FloatArray | None = None
    known: float = 0.0
    yes_no: bool = False

    @property
    def answerable(self) -> bool:
        """Whether anything at all fits."""
        return bool(self.fact or self.absent) or self.proposition >= 0 or self.known >= 1.0


def candidates(index: CaseIndex, memory: Memory, taken: Taken) -> Candidates:
    """Match the question with facts, absences, propositions and tellings."""
    q, s = taken.query, taken.question
    if q is None or s is None:
        return Candidates()
    words = content_words(q.text)
    v = q.reading.vector
    risk = q.reading.intent == "risk"
    evidence = any(INTENTS[i] in _EVIDENCE for i in q.reading.patterns)
    yes_no = not evidence and s.form in ("yes_no", "declarative", "alternative") or (s.form == "disguised" and not q.reading.patterns)
    fact = (
        -1
        if risk or q.reading.has("more", "means_about_you")
        else _best(_f64(index.fact_vectors @ v), index.fact_words, words, _FACT)
    )
    matrix = features(index, q)
    scores = matrix @ WEIGHTS + _type_gate(index, q)
    if not risk:
        scores[[i for i, t in enumerate(index.order) if t in index.risky]] = -99.0
    known = _known(index, q, matrix[int(scores.argmax())])
    proposition = -1
    if yes_no or risk:
        floor = 0.3 if risk else _DECLARATIVE if s.form == "declarative" else _PROPOSITION
        at = _best(_f64(index.prop_vectors @ v), index.prop_words, words, floor)
        proposition = int(index.prop_owner[at]) if at >= 0 else -1
        if risk and proposition not in index.risk_props:
            proposition = next(iter(index.risk_props), -1)
    which = index.facts[int(index.fact_owner[fact])] if fact >= 0 else None
    return Candidates(
        fact=which.say if which else _name_of(index, q),
        fact_key=which.key if which else "",
        fact_level=which.level if which else 0,
        absent="" if which or risk or proposition >= 0 else _absent(index, q.text),
        proposition=proposition,
        scores=scores,
        matrix=matrix,
        known=known,
        yes_no=yes_no,
    )


def _f64(x: object) -> FloatArray:
    return np.asarray(x, dtype=np.float64)


def _name_of(index: CaseIndex, q: Query) -> str:
    """Answer "what is your sister's name?"."""
    asked = re.search(r"\b(?:name|called)\b", q.text.lower()) and re.match(r"what", q.reading.text)
    people = sorted(q.people)
    return _display_name(index, people[0]) + "." if asked and len(people) == 1 else ""


def _display_name(index: CaseIndex, person: str) -> str:
    names = index.file.people[person].names
    name = next((n for n in names if not n.startswith(("my ", "the "))), names[0])
    return " ".join(w[:1].upper() + w[1:] for w in name.split())


def _best(cosines: FloatArray, asks: tuple[frozenset[str], ...], words: frozenset[str], floor: float) -> int:
    """Return the ask nearest to the question after the penalty for content it does not cover, or -1."""
    order = np.argsort(-cosines)[:6]
    best, at = floor, -1
    for i in order:
        # Without a shared word of content, only a near repetition of the question counts.
        if not words & asks[i] and cosines[i] < (0.9 if not words else 0.95):
            continue
        uncovered = len(words - asks[i]) / max(1, len(words)) + 0.5 * len(asks[i] - words) / max(1, len(asks[i]))
        value = float(cosines[i]) - _UNCOVERED * uncovered
        if value >= best:
            best, at = value, int(i)
    return at


_ASKS_FOR = re.compile(r"\b(?:your|any|a|do you have|have you got|is there|got)\b")


def _absent(index: CaseIndex, text: str) -> str:
    low = text.lower()
    if not _ASKS_FOR.search(low):
        return ""
    return next(
        (
            a.say
            for a in index.file.absent
            if re.search(rf"\b(?:your|a|an|any|have) {re.escape(a.key.lower())}s?\b", low)
        ),
        "",
    )


def _type_gate(index: CaseIndex, q: Query) -> FloatArray:
    """Penalise tellings that cannot answer this kind of question: *when* needs a time, *who* a person."""
    plain = q.reading.text
    if re.match(r"(?:since )?(?:when (?:did|was|were|is|are)|how (?:long|often))\b", plain):
        fits = [bool(_TIME.search(" ".join(index.tellings[t].beats[:2]))) for t in index.order]
    elif re.match(r"(?:and )?who\b", plain):
        fits = [
            bool(index.tellings[t].mentions)
            or "who" in index.tellings[t].answers
            or "support" in index.tellings[t].answers
            for t in index.order
        ]
    elif "scale" in {INTENTS[i] for i in q.reading.patterns}:
        fits = ["scale" in index.tellings[t].answers for t in index.order]
    else:
        return np.zeros(len(index.order))
    return np.where(fits, 0.0, -3.0)


def _known(index: CaseIndex, q: Query, f: FloatArray) -> float:
    """Return how far the best telling, with features ``f``, is an answer at all (1 and above: yes)."""
    intent, gap, overlap, named, person = f[2], f[3], f[12], f[10], f[13]
    if intent >= 0.85 and gap > -0.05:
        return 1.5 if q.focus or named or person or not _odd_content(index, q) else 0.6
    if overlap >= 0.45 and (named or person or f[8]):
        return 1.2
    if intent >= 0.6 and gap > -0.12 and (named or person or f[8] or overlap > 0.2):
        return 1.1
    return float(min(0.95, overlap + 0.5 * intent))


def _odd_content(index: CaseIndex, q: Query) -> bool:
    words = content_words(q.text)
    return bool(words) and not any(w in index.idf for w in words)


def sayable(s: Situation, t: Telling, *, risk: bool = False) -> bool:
    """Whether a telling may be said now: not yet said, within the gate, its needs met, no risk unasked."""
    fresh = t.id not in s.memory.said and t.function not in ("goodbye", "insight")
    # A planned telling waits for its window, so that every therapist meets it there.
    fresh = fresh and s.mind.turn >= s.index.reserved.get(t.id, 0)
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
    top: tuple[tuple[str, float], ...] = ()
    if c.scores is not None:
        top = tuple((s.index.order[i], float(c.scores[i])) for i in np.argsort(-c.scores)[:3])
    asked = q.reading.text
    before = dict(s.memory.answered).get(asked)
    if before is not None and (c.fact or c.proposition >= 0):
        again = draw(styled(LIKE_I_SAID, s.style), s.memory, s.rng)
        return Plan("repeated", "asked again", (f"{again} {before}".strip(),), alternatives=top)
    return replace(_first_that_fits(s, c, q), alternatives=top)


def _first_that_fits(s: Situation, c: Candidates, q: Query) -> Plan:
    if s.risk_asked:
        return _risk(s, c)
    if c.fact and c.fact_level <= s.level:
        return Plan("fact", f"fact:{c.fact_key}", (c.fact,), key=c.fact_key)
    if c.absent:
        return Plan("absent", "asked for what is not there", (c.absent,))
    if c.proposition >= 0:
        return _proposition(s, c)
    if c.known >= 1.0:
        plan = _telling(s, c, q)
        if plan is not None:
            return plan
    if c.yes_no:
        return Plan(
            "undecided",
            "a yes/no question nothing is known about",
            (draw(styled(UNDECIDED, s.style), s.memory, s.rng),),
        )
    if q.reading.has("why"):
        line = draw(s.index.file.reactions.why_unknown or s.index.file.reactions.unanswerable, s.memory, s.rng)
        return Plan("why_unknown", "no reason is known", (line,))
    if q.reading.has("clarify", "more", "then") or c.known >= 1.0:
        return _nothing_more(s)
    line = draw(s.index.file.reactions.unanswerable, s.memory, s.rng) or draw(styled(MINIMAL, s.style), s.memory, s.rng)
    return Plan("unanswerable", "nothing in the case answers this", (line,))


def _nothing_more(s: Situation) -> Plan:
    line = draw(styled(MINIMAL, s.style), s.memory, s.rng) or draw(s.index.file.reactions.fading, s.memory, s.rng)
    return Plan("thin", "nothing more to tell", (line,), moment="thin")


def _risk(s: Situation, c: Candidates) -> Plan:
    p = s.index.propositions[c.proposition] if c.proposition >= 0 else None
    if p is not None and p.id not in s.memory.said:
        return Plan(
            "risk", "asked outright", p.beats, key=p.id, moment="risk" if _risky(s) else None, must=len(p.beats)
        )
    open_now = [t for t in s.index.file.tellings if t.id in s.index.risky and sayable(s, t, risk=True)]
    open_now.sort(key=lambda t: ("risk" not in t.answers, t.level))
    if open_now:
        return tell(s, open_now[0], "risk", "asked outright")
    return Plan(
        "risk", "asked outright, and all is said", (draw(styled(LIKE_I_SAID, s.style), s.memory, s.rng) or "No.",)
    )


def _risky(s: Situation) -> bool:
    return s.index.file.formulation.risk.level != "none"


def _proposition(s: Situation, c: Candidates) -> Plan:
    p = s.index.propositions[c.proposition]
    if p.level > s.level:
        return _guard(s, p.topic or (s.memory.topic or ""), p.id)
    return Plan("yes_no", f"proposition:{p.id}={p.answer}", p.beats, key=p.id)


def _telling(s: Situation, c: Candidates, q: Query) -> Plan | None:
    assert c.scores is not None
    assert c.matrix is not None
    scores = c.scores.copy()
    last = s.index.tellings.get(s.memory.last)
    for i, name in enumerate(s.index.order):
        t = s.index.tellings[name]
        if name in s.memory.said or t.function in ("goodbye", "insight"):
            scores[i] = -99.0
        elif last and name in last.leads_to:
            scores[i] += 1.0
        elif not t.answers:
            scores[i] -= 4.0
        if c.yes_no and _YES_NO_START.match(t.beats[0]):
            scores[i] = -99.0  # a yes or no that belongs to another question
    best = int(scores.argmax())
    if scores[best] < -50 or (
        c.yes_no and c.matrix[best, 12] < 0.4 and s.taken.question is not None and s.taken.question.form != "disguised"
    ):
        return None
    wanted = s.index.tellings[s.index.order[best]]
    if not sayable(s, wanted):
        named = bool(q.named) or bool(q.people) or (q.reading.similarity > 0.62 and wanted.topic in q.focus)
        missing = _missing(s, wanted) if named and wanted.level <= s.level + 1 else None
        near = missing is not None and scores[s.index.position(missing.id)] > _next_sayable(s, scores) - 3.0
        if missing is not None and (missing.function == "hint" or near):
            return replace(tell(s, missing, "tell", f"comes before {wanted.id}"), withheld=wanted.id)
        if (
            wanted.level > s.level
            and named
            and wanted.topic != (s.memory.guarded[-1] if s.memory.guarded else None)
            and s.mind.turn > 3
            and scores[best] > _next_sayable(s, scores) + 2.0
        ):
            return replace(_guard(s, wanted.topic, wanted.id), withheld=wanted.id)
    return _near_best(s, scores, wanted.id)


def _next_sayable(s: Situation, scores: FloatArray) -> float:
    return max(
        (float(scores[i]) for i, n in enumerate(s.index.order) if sayable(s, s.index.tellings[n])), default=-99.0
    )


def _missing(s: Situation, t: Telling, depth: int = 0) -> Telling | None:
    """Return the earliest telling that has to come before ``t`` and may be said now."""
    for need in t.needs:
        if need not in s.memory.said:
            other = s.index.tellings[need]
            return other if sayable(s, other) else _missing(s, other, depth + 1) if depth < 3 else None
    return None


def _near_best(s: Situation, scores: FloatArray, wanted: str) -> Plan | None:
    """Choose among the sayable near ties, with seeded luck, so that seeds differ."""
    open_now = [i for i, n in enumerate(s.index.order) if scores[i] > -50 and sayable(s, s.index.tellings[n])]
    if not open_now:
        return None
    values = np.array([scores[i] for i in open_now]) + 0.6 * s.rng.gumbel(size=len(open_now))
    top = max(float(scores[i]) for i in open_now)
    if top < float(scores.max()) - 5.0:
        return _nothing_more(s)
    keep = np.array([scores[i] >= top - 1.5 for i in open_now])
    chosen = s.index.order[open_now[int(np.where(keep, values, -99.0).argmax())]]
    plan = tell(s, s.index.tellings[chosen], "tell", "answers the question")
    return replace(plan, withheld=wanted if wanted != chosen and s.index.tellings[wanted].level > s.level else "")


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
