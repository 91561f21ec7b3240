"""Answer one question: fact, absence, proposition, telling; else a hint, a guard or an honest non-answer."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.patients.already_told import again, told_already, told_before
from turnwise.patients.banks import draw, lines_for
from turnwise.patients.felt import felt
from turnwise.patients.index import begins_yes_no
from turnwise.patients.matching import Candidates
from turnwise.patients.not_known import (
    VIEWS,
    about,
    before_that,
    kept_back,
    led_away,
    nearest,
    no_answer,
    not_now,
    put_off,
    unthought,
)
from turnwise.patients.passing_over import neither, put_by
from turnwise.patients.plans import Plan, Situation, open_now, sayable, tell
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Telling
from turnwise.patients.second_look import POINTS_BACK, Asked, p_beside
from turnwise.patients.small_facts import BARELY, SURELY, WHOLE, next_fact, small_fact, was_said
from turnwise.patients.wanted import (
    Kind,
    fact_fits,
    facts_of,
    holding,
    holds,
    leaning,
    wanted,
)
from turnwise.patients.words import content_words
from turnwise.reading.sentences import split_sentences

__all__ = ["answer", "asked_for"]


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
    kind = wanted(q.text) if not c.yes_no or q.form in ("declarative", "alternative") else None
    if kind is not None and c.yes_no:
        c = replace(c, yes_no=False, proposition=-1)  # "Roughly how many …?" wants no yes or no
    small = small_fact(s, c, q, kind)
    if small is not None:
        return small
    if c.absent:
        return Plan("absent", "asked for what is not there", (c.absent,))
    if c.proposition >= 0 and c.top[0][1] >= (SURELY if q.form == "alternative" else BARELY):
        return _proposition(s, c)
    scores = _adjusted(s, c, kind) if c.scores is not None else None
    plan = _telling(s, c, q, scores, kind) if c.known and scores is not None else None
    if plan is not None and plan.kind not in ("unanswerable", "thin"):
        return plan
    whole = about(s, q, scores) if kind is None and (plan is None or not plan.withheld) else None
    feeling = whole or felt(s, q)
    if feeling is not None:
        return feeling
    if plan is not None:
        return plan
    if c.yes_no:
        return Plan("undecided", "a yes/no question nothing is known about", (neither(s, q),))
    if q.reading.has("why") and not q.people:
        line = draw(s.index.file.reactions.why_unknown or s.index.file.reactions.unanswerable, s.memory, s.rng)
        return led_away(s, Plan("why_unknown", "no reason is known", (line,)), scores, kind)
    return no_answer(s, q, scores, kind)


def _risk(s: Situation, c: Candidates) -> Plan:
    p = s.index.propositions[c.proposition] if c.proposition >= 0 else None
    if p is not None and p.id in s.memory.earlier:
        # Who asks again in another session gets the same true answer, whole, however often.
        plan = again(s, p.id, p.beats, "risk")
        return replace(plan, moment="risk" if _risky(s) else None, must=len(p.beats))
    # What is to be brought up by itself is not used up as an answer: every therapist is to meet it unasked.
    risky = (t for t in s.index.file.tellings if t.id in s.index.risky and not s.memory.awaits(t.id))
    open_now = [t for t in risky if sayable(s, t, risk=True) and (t.function == "answer" or "risk" in t.answers)]
    open_now.sort(key=lambda t: ("risk" not in t.answers, t.function != "answer", t.level))
    best = max((t for t in open_now if t.function == "answer"), key=lambda t: _score(s, c, t), default=None)
    wh = s.taken.query is not None and s.taken.query.form == "wh"
    # "What stops you?", "How often?": a yes or a no answers none of these.
    if best is not None and wh and (p is None or _score(s, c, best) >= c.score_of(p.id)):
        return tell(s, best, "risk", "asked outright")
    if p is not None and p.id not in s.memory.said:
        return Plan(
            "risk", "asked outright", p.beats, key=p.id, moment="risk" if _risky(s) else None, must=len(p.beats)
        )
    if c.yes_no:
        # "Do you wish you were dead?" is not met by who knows of it.
        open_now = [t for t in open_now if set(t.answers) <= {"risk"} or _score(s, c, t) >= BARELY]
    if open_now:
        return tell(s, open_now[0], "risk", "asked outright")
    return Plan(
        "risk",
        "asked outright, and all is said",
        (draw(lines_for(s.index.file.reactions, "like_i_said"), s.memory, s.rng) or "No.",),
    )


def _score(s: Situation, c: Candidates, t: Telling) -> float:
    return float(c.scores[s.index.position(t.id)]) if c.scores is not None else -99.0


def _risky(s: Situation) -> bool:
    return s.index.file.formulation.risk.level != "none"


def _proposition(s: Situation, c: Candidates) -> Plan:
    p = s.index.propositions[c.proposition]
    if was_said(s, p.id, p.beats[0]):
        bare = split_sentences(p.beats[0])[0]
        if p.id in s.memory.earlier or not begins_yes_no(bare) or len(bare.split()) >= WHOLE:
            return again(s, p.id, p.beats)
        return Plan("yes_no", f"proposition:{p.id}={p.answer}, once more", (bare,), key=p.id)
    if p.level > s.level:
        # "Had you been drinking?" is not met with a hint at something else: nobody would take that for an answer.
        return _guard(s, p.topic or (s.memory.topic or ""), p.id, may_hint=False)
    return Plan("yes_no", f"proposition:{p.id}={p.answer}", p.beats, key=p.id)


def _telling(s: Situation, c: Candidates, q: Query, scores: FloatArray, kind: Kind | None) -> Plan | None:
    """Tell what answers best of what may be told; else hint, put off, or say that there is nothing to say."""
    assert c.scores is not None
    best = int(scores.argmax())
    if scores[best] < _RULED_OUT or (c.yes_no and scores[best] < _CERTAIN and _uncovered(s, c, best)):
        return None
    likeliest = s.index.tellings[s.index.order[best]]
    before = told_before(s, c, scores) or told_already(s, q, c.scores, scores, kind, yes_no=c.yes_no)
    if before is not None:
        return before
    if not sayable(s, likeliest):
        held = _held_back(s, c, q, scores, likeliest, kind)
        if held is not None:
            return held
    if s.memory.waits_until(likeliest.id) > s.mind.turn and c.scores[best] >= _LATER:
        return put_off(s)
    return _near_best(s, c, scores, likeliest.id, q, kind) or next_fact(s, c, q, kind) or unthought(s, q, scores, kind)


_LATER = float(np.log(0.4))  # from which what answers is put off where it is to come later by plan
_RULED_OUT = -50.0
_LIKELY = float(np.log(0.2))
"""Least log-probability of what is looked at a second time."""
_NAMED = float(np.log(0.3))
"""Least log-probability of what is held back for its reasons, and of what is told since it comes before that."""
_FOLLOWS = 0.6
"""What a telling gains that the last one leads to."""
_INTRODUCES = 1.5
_OTHER_KIND = 1.25
"""What a telling loses that holds no answer of the kind that was asked for: only the surest are told all the same."""


def _adjusted(s: Situation, c: Candidates, kind: Kind | None) -> FloatArray:
    """Return the scores of the tellings without those that are over, or that are a yes or no to something else."""
    assert c.scores is not None
    index, scores = s.index, c.scores.copy()
    last = index.tellings.get(s.memory.last)
    follow = [index.places[name] for name in last.leads_to] if last else []
    scores[index.answers_nothing] -= 4.0
    scores[follow] = c.scores[follow] + _FOLLOWS
    q = s.taken.query
    fits = holding(index)[kind] if kind is not None else None
    if q is not None and not q.reading.has("who", "more", "what_is_x_like"):
        # Who somebody is answers little else, however often the question names them.
        only = index.introduces & (c.scores < _CERTAIN)
        scores[only & ~fits if fits is not None else only] -= _INTRODUCES
    if fits is not None:
        scores[~fits] -= _OTHER_KIND  # a story that holds no time does not answer "when"
    if not c.yes_no:
        scores -= _beside(s, c, kind)
    if q is not None and POINTS_BACK.search(q.reading.text) and not (q.named or q.people or content_words(q.text)):
        here = {*s.memory.focus, s.memory.topic}
        scores[[t not in here for t in index.topic_of]] -= _ELSEWHERE  # "How long ago was that?" asks of what was said
    if q is not None and kind != "why" and not q.reading.has(*_STATED):
        scores[leaning(index)] -= _OTHER_KIND
    if q is not None and q.people and kind != "who":
        # "When did you last see Vera?" is not answered with a story of her sister alone.
        others = np.array([bool(m) and not m & q.people for m in index.mentions], dtype=np.bool_)
        scores[others & (c.scores < _CERTAIN)] -= _OF_OTHERS
    if q is not None and not q.people and _SOMEBODY.search(q.reading.text):
        # "What was he like?" of a friend without a name is not answered with the father: nobody spoke of him.
        spoken_of = index.people_in(" ".join(s.memory.lines[-6:]))
        scores[[bool(m) and not m & spoken_of for m in index.mentions]] -= _OF_OTHERS
    if q is not None and q.people and kind == "who" and not q.reading.has("who"):
        # "Who else lives with you and Iona?" is not answered with Iona.
        scores[[bool(m) and m <= q.people for m in index.mentions]] -= _OF_OTHERS
    scores[index.never_asked_for] = -99.0
    scores[[index.places[x] for x in s.memory.said if x in index.places]] = -99.0
    if c.yes_no:
        scores[index.begins_yes_no] = -99.0  # a yes or no that belongs to another question
    return scores


def _beside(s: Situation, c: Candidates, kind: Kind | None) -> float:
    """Return the log of the probability left when what cannot answer an open question is taken out of the ranking.

    A yes or a no answers no open question, a small fact none of another kind than its own.
    """
    out, facts = 0.0, facts_of(s.index)
    for name, score in c.top:
        fact = facts.get(name)
        if fact is not None:
            out += float(np.exp(score)) * (kind is not None and not fact_fits(s.index, name, fact.say, kind))
        elif name != "-" and name not in s.index.places:
            out += float(np.exp(score))
    return float(np.log(1.0 - min(out, _MOST_BESIDE)))


_SOMEBODY = re.compile(r"\b(?:he|him|his|she|her)\b")
_ELSEWHERE = 2.0
_STATED = (*VIEWS, "fear", "why", "what_stops_you", "hardest", "feel", "want", "goal", "values", "missed", "clarify")
"""Intents that a clause without a sentence may answer ("That he's disappointed.", "Because of the dog.")."""
_MOST_BESIDE = 0.5  # of the probability, so that what is unlikely stays so


def _uncovered(s: Situation, c: Candidates, best: int) -> bool:
    """Whether a yes/no question asks for more than the best telling holds."""
    assert c.covers is not None
    return c.covers[best] < 0.4 and s.taken.question is not None and s.taken.question.form != "disguised"


def _held_back(
    s: Situation, c: Candidates, q: Query, scores: FloatArray, wanted: Telling, kind: Kind | None
) -> Plan | None:
    """The answer may not be told yet: what comes before it where that is an answer too, else a hint or a guard."""
    best = float(scores.max())
    if best < _NAMED or p_beside(s.index, _asked(s, q), c, int(scores.argmax())) > 1.0:
        return None
    named = bool(q.named) or bool(q.people) or (q.reading.similarity > 0.62 and wanted.topic in q.focus)
    about = named and (not q.named or wanted.topic in q.named)
    together = _with_what_comes_first(s, wanted) if best >= SURELY else None
    if together is not None:
        return together
    missing = _missing(s, wanted) if about and wanted.level <= s.level + 1 else None
    if missing is not None:
        at = s.index.position(missing.id)
        likely = scores[at] >= _NAMED and (kind is None or bool(holding(s.index)[kind][at]))
        hints = missing.function == "hint" and best >= _CONFIDENT and not asked_for(q) & set(VIEWS)
        if (likely and _to_the_point(missing, q)) or hints:
            return replace(tell(s, missing, "tell", f"comes before {wanted.id}"), withheld=wanted.id)
    fresh = wanted.topic != (s.memory.guarded[-1] if s.memory.guarded else None) and s.mind.turn > 3
    sure = best >= _CONFIDENT and best > _next_sayable(s, scores) + _CLEARLY
    if wanted.level > s.level and (q.named or q.people) and fresh and sure:
        return replace(_guard(s, wanted.topic, wanted.id), withheld=wanted.id)
    if not sure or s.mind.turn < s.memory.waits_until(wanted.id):
        return None
    if wanted.level > s.level:
        return not_now(s, wanted.id)
    first = _missing(s, wanted)
    return before_that(s, first, wanted.id) if first is not None and first.topic == wanted.topic else None


def _with_what_comes_first(s: Situation, t: Telling) -> Plan | None:
    """Begin with what has to be told before the answer, and answer in the same breath; ``None`` where that is more.

    Alone, what comes before the answer is none: of thirteen such replies that others judged ten were plainly wrong.
    """
    left = [x for x in t.needs if x not in s.memory.said]
    first = s.index.tellings[left[0]] if len(left) == 1 and not s.memory.awaits(left[0]) else None
    if first is None or t.level > s.level or t.id in s.index.risky or not sayable(s, first):
        return None
    if s.mind.turn < s.memory.waits_until(t.id) or t.function in ("goodbye", "insight"):
        return None
    both = (first.beats[0], *t.beats)
    return replace(tell(s, t, "tell", f"answers the question, after {first.id}"), beats=both, must=2, also=first.id)


def asked_for(q: Query) -> frozenset[str]:
    """Return the intents the question shows by its wording."""
    found = q.worded
    # "When was it last different?" asks for what was different, not for a date.
    return found - {"when_started", "last_time"} if "evidence_against" in found else found


def _to_the_point(t: Telling, q: Query) -> bool:
    """Whether a telling that only comes before the wanted one is an answer too, not just the same subject."""
    return bool(q.people) or not asked_for(q) or bool(asked_for(q) & set(t.answers))


def _next_sayable(s: Situation, scores: FloatArray) -> float:
    return float(scores[open_now(s)].max(initial=-99.0))


def _missing(s: Situation, t: Telling, depth: int = 0) -> Telling | None:
    """Return the earliest telling that has to come before ``t`` and may be said now."""
    for need in t.needs:
        if need not in s.memory.said:
            other = s.index.tellings[need]
            return other if sayable(s, other) else _missing(s, other, depth + 1) if depth < 3 else None
    return None


def _near_best(
    s: Situation, c: Candidates, scores: FloatArray, wanted: str, q: Query, kind: Kind | None
) -> Plan | None:
    """Choose among the sayable near ties, with seeded luck, so that seeds differ."""
    assert c.scores is not None
    ready = np.flatnonzero((scores > _RULED_OUT) & open_now(s)).tolist()
    at_hand = [i for i in ready if s.index.topic_of[i] in q.named or q.people & s.index.mentions[i]]
    named = bool(q.named or q.people) and bool(at_hand)
    # What is named narrows it down, unless something else is the answer for sure: "Who is at home with the baby?"
    ready = [i for i in ready if i in at_hand or scores[i] >= SURELY] if named else ready
    likely = [i for i in ready if scores[i] >= _LIKELY]
    asked = _asked(s, q)
    beside = {i: p_beside(s.index, asked, c, i) for i in likely}
    ready = [i for i in likely if beside[i] <= 1.0]
    if not ready:
        most = max(likely, key=lambda i: float(scores[i]), default=-1)
        # "When was that?" is not met by what is near: nothing says what it is near to.
        near_it = most >= 0 and beside[most] <= _NOT_FAR and kind is None and bool(content_words(q.text))
        return nearest(s, s.index.tellings[s.index.order[most]]) if near_it else None
    top = max(float(scores[i]) for i in ready)
    near = [i for i in ready if scores[i] >= top - _TIES]
    values = np.array([scores[i] for i in near]) + 0.6 * s.rng.gumbel(size=len(near))
    chosen = s.index.order[near[int(values.argmax())]]
    plan = tell(s, s.index.tellings[chosen], "tell", "answers the question")
    if kind is not None and len(plan.beats) > 1 and not holds(kind, plan.beats[0]) and holds(kind, plan.beats[1]):
        plan = replace(plan, must=2)  # the answer is in the second beat
    return replace(plan, withheld=wanted if wanted != chosen and s.index.tellings[wanted].level > s.level else "")


def _asked(s: Situation, q: Query) -> Asked:
    return Asked(q, s.taken.text, " ".join(s.memory.lines[-_LAST_WORDS:]))


_NOT_FAR = 1.3  # times what is let through, up to which it is told as something beside the question
_LAST_WORDS = 3  # lines of its own that were just said
_CONFIDENT = float(np.log(0.5))
_CERTAIN = float(np.log(0.9))
_OF_OTHERS = 2.5  # log-probability that a story of others than those named loses
_CLEARLY = 2.0
"""Log-probability by which what may not be told has to be likelier than anything that may."""
_TIES = 0.5
"""Log-probability by which one telling may be less likely than another and still be as good an answer."""


def _hint_for(s: Situation, topic: str, q: Query | None, kind: Kind | None) -> Telling | None:
    """Return a hint at a subject that could be an answer: it has a word of the question, and is of its kind."""
    asked = content_words(q.text) if q is not None else frozenset()
    for t in s.index.file.tellings:
        fits = (not asked or bool(asked & content_words(t.beats[0]))) and (kind is None or holds(kind, t.beats[0]))
        if t.topic == topic and t.function == "hint" and fits and sayable(s, t):
            return t
    return None


def _guard(s: Situation, topic: str, withheld: str, *, may_hint: bool = True) -> Plan:
    """Say a deniable hint, else put the question off; after two guards of a topic, something small and true."""
    q = s.taken.query
    kind = wanted(q.text) if q is not None else None
    hint = _hint_for(s, topic, q, kind) if may_hint and withheld not in s.memory.said else None
    if hint is not None:
        return replace(tell(s, hint, "hint", f"hints at {withheld}"), withheld=withheld)
    if s.memory.guarded.count(topic) >= 2 or topic not in s.index.file.topics:
        small = [t for t in s.index.file.tellings if t.topic == topic and t.level == 0 and sayable(s, t) and t.answers]
        return tell(s, small[0], "tell", "something small instead") if small else kept_back(s, "guarded twice")
    people = s.taken.query.people if s.taken.query else frozenset()
    # "I'd rather not speak for Paul." only where Paul was asked about.
    bank = [x for x in s.index.file.topics[topic].guard if s.index.people_in(x) <= people]
    # "Who knows of it?" is met by no "It isn't so interesting.": that goes by the whole subject.
    line = draw(bank, s.memory, s.rng) if kind is None else put_by(s)
    if not line:
        return not_now(s, withheld) or kept_back(s, f"{withheld} may not be told yet")
    return Plan(
        "guard", f"{withheld} may not be told yet", (line,), guarded=topic, withheld=withheld, moment="invalidation"
    )
