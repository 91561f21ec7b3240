"""Say that there is no answer, in a way that fits what was asked, and not twice running without giving anything."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.patients.banks import SHARED, Bank, draw, lines_for, said_of
from turnwise.patients.index import CaseIndex
from turnwise.patients.passing_over import PLAIN, own_words, passed_over, put_by
from turnwise.patients.plans import (
    Plan,
    Situation,
    goes_on_of,
    has_more,
    just_raised,
    just_told,
    open_now,
    rest_of,
    sayable,
    tell,
)
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Telling
from turnwise.patients.speech import favoured
from turnwise.patients.taking_up import unknown_of
from turnwise.patients.voicing import voiced
from turnwise.patients.wanted import Kind, holding, holds
from turnwise.patients.words import content_words

__all__ = [
    "NOTHING_MORE",
    "VIEWS",
    "about",
    "aside_of",
    "before_that",
    "kept_back",
    "led_away",
    "nearest",
    "next_of_its_own",
    "no_answer",
    "not_now",
    "nothing_more",
    "put_off",
    "unthought",
]

VIEWS = ("thought", "belief", "means_about_you", "alternative", "friend", "evidence_against", "evidence_for")
"""Intents that ask for a thought or a view."""
_QUIP = 0.05
"""Share of the questions without an answer that get more than a plain "I don't know"."""
_OF_KIND: dict[Kind, str] = {
    "since_when": "when",
    "when": "when",
    "how_long": "how long",
    "how_often": "how often",
    "how_many": "",
    "who": "",
    "where": "",
    "why": "why",
}
"""The word that says what it is that is not known, where it can stand alone: "I don't know how long."."""
_SAYS_WHICH = 0.6  # share of typed questions without an answer in which it is said what is not known
_LEADS_AWAY = 0.35  # share of them after which something near is told all the same; always after another non-answer
_NEAR = float(np.log(0.35))
"""Least log-probability for something near to be told, led in as not being the answer."""
_THIS_MUCH = (
    "I can tell you this much.",
    "This much I know.",
    "I can only tell you this.",
    "All I can say is this.",
    "What I can tell you is this.",
)
_NOT_NOW = ("I would sooner not go into that.", "I would rather leave that one.", "That is hard to talk about.")
_BEFORE = ("There is something before that.", "Something else comes before that.")
_COMES = ("That comes later.", "I will come to that.", "We can get to that.")
_SHORTEST = 5  # words of a first beat that stands alone


def no_answer(s: Situation, q: Query, scores: FloatArray | None, kind: Kind | None) -> Plan:
    """Say that nothing answers this; only "and then?" is met by "that's it"."""
    asks_on = bool(q.worded & {"more", "then"}) or (q.reading.has("more", "then") and not content_words(q.text))
    if asks_on and not q.named and not q.people and not _WHAT_ONE_DOES.match(q.text):
        return nothing_more(s)
    more = _of_what_was_raised(s, q, kind)
    if more is not None:
        return more
    on = _goes_on_beside(s, q)
    if on is not None:
        return on
    passed = passed_over(s, q, kind) or own_words(s, q)
    if passed:
        return led_away(
            s, Plan("unanswerable", "nothing in the case answers what anybody knows", (passed,)), scores, kind
        )
    if _WHAT_IT_IS_LIKE.search(q.reading.text) and (line := _no_words(s)):
        return led_away(s, Plan("unanswerable", "no words for what it is like", (line,)), scores, kind)
    bare = kind is None and not _empty_before(s) and s.rng.random() < _QUIP
    line = draw(s.index.file.reactions.unanswerable, s.memory, s.rng) if bare else ""
    plan = Plan("unanswerable", "nothing in the case answers this", (line or _unknown(s, kind),))
    return led_away(s, plan, scores, kind) if not line else plan


_WHAT_IT_IS_LIKE = re.compile(r"\bwhat(?:'s| is| was| were| are) .{1,60}\blike\b(?! (?:to|me|us)\b)")
"""Asks for something lived through: who cannot put it into words has not forgotten it."""


def _no_words(s: Situation) -> str:
    return draw(lines_for(s.index.file.reactions, "unthought"), s.memory, s.rng)


def _of_what_was_raised(s: Situation, q: Query, kind: Kind | None) -> Plan | None:
    """Go on about what was brought up a moment ago, where a question takes it up and nothing answers that.

    Nobody brings something up and puts off the first question about it.
    """
    last = just_told(s)
    if last is None or last.function in _ASKED_FOR:
        return None
    asked, told = content_words(q.text), content_words(" ".join((*s.memory.lines[-2:], *last.beats)))
    if not asked or asked - told:
        return None  # it asks of something else too
    if s.memory.pending and goes_on_of(q, s.memory.pending[0]) and (kind is None or holds(kind, s.memory.pending[0])):
        return rest_of(s, "asked about what it brought up")
    for name in last.leads_to:
        t = s.index.tellings[name]
        on = t.function == "answer" and goes_on_of(q, t.beats[0])
        if on and sayable(s, t) and kind is not None and holds(kind, t.beats[0]):
            return tell(s, t, "leads_to", "asked about what it brought up")
    return None


def _goes_on_beside(s: Situation, q: Query) -> Plan | None:
    """Go on with what was brought up, said not to be the answer: nobody refuses to speak of what they just raised."""
    if not just_raised(s) or not has_more(s) or q.people or s.index.tellings[s.memory.last].function in _ASKED_FOR:
        return None
    asked, told = content_words(q.text), content_words(" ".join(s.memory.lines[-2:]))
    elsewhere = bool(q.named) and s.index.tellings[s.memory.last].topic not in q.named
    if elsewhere or (asked and not asked & told):
        return None
    story = replace(rest_of(s, "asked about what it brought up; the rest, told as such"), kind="unanswerable")
    return _led_in(s, _THIS_MUCH, story)


def _led_in(s: Situation, bank: Sequence[str], story: Plan) -> Plan | None:
    """Put a line of a shared bank before a story, in this person's voice; ``None`` where all of them were said."""
    fresh = [x for x in (voiced(s.index, y) for y in bank) if x not in s.memory.lines]
    if not fresh:
        return None
    way = fresh[int(s.rng.integers(len(fresh)))]
    return replace(story, lead=way, used=(way,))


_ASKED_FOR = ("bait", "request", "goodbye")  # what somebody brings up to be answered, not to be asked about

_WHAT_ONE_DOES = re.compile(
    r"\W*(?:and |so |but )?(?:what (?:do|would|did|could|should|might|are) you|which of)\b(?! mean| say)", re.IGNORECASE
)
"""Asks what is done or wanted, near as it may lie to "What then?": whoever says "That's all" has told something."""


def led_away(s: Situation, plan: Plan, scores: FloatArray | None, kind: Kind | None) -> Plan:
    """After a non-answer, tell what is nearest, said not to be the answer: seldom, but not two empty ones running."""
    q = s.taken.query
    subject = kind or (q is not None and (q.named or q.people))
    often = 1.0 if _empty_before(s) else _LEADS_AWAY if subject else 0.0
    if scores is None or s.mind.turn < _SETTLED or s.rng.random() >= often:
        return plan
    fits = holding(s.index)[kind] if kind is not None else True
    near = np.where(open_now(s) & ~s.index.begins_yes_no & _on_subject(s) & fits, scores, -99.0)
    best = int(near.argmax()) if near.size else 0
    fresh = [x for x in _THIS_MUCH if voiced(s.index, x) not in s.memory.lines]
    if not near.size or near[best] < _NEAR or not fresh:
        return _of_its_own(s, plan) if _empty_before(s) else plan
    t = s.index.tellings[s.index.order[best]]
    # The record says what it is: no answer, with something told beside it.
    story = tell(s, t, "unanswerable", f"{plan.why}; the nearest, told as such")
    if not _stands_alone(t, story.beats[0]):
        return _of_its_own(s, plan) if _empty_before(s) else plan
    way = voiced(s.index, fresh[int(s.rng.integers(len(fresh)))])
    # Who tells something after all has not put it off: "Not that one. I can tell you this much."
    put_off = plan.beats[0] in said_of(lines_for(s.index.file.reactions, "passed_over"))
    before = () if put_off else plan.beats[:1]
    return replace(story, lead=" ".join((*before, way)), used=(*before, way))


def nearest(s: Situation, t: Telling) -> Plan | None:
    """Tell what is likely beside the question, said not to be the answer; ``None`` where it cannot stand like that."""
    story = tell(s, t, "unanswerable", "likely beside the question, told as such")
    return _led_in(s, _THIS_MUCH, story) if _stands_alone(t, story.beats[0]) else None


def next_of_its_own(s: Situation) -> Telling | None:
    """Return the next of what it came to say that can be heard by itself."""
    spine, told = (s.index.tellings[name] for name in s.index.file.spine), content_words(" ".join(s.memory.lines))
    return next((t for t in spine if sayable(s, t) and _is_news(t, told)), None)


def aside_of(s: Situation) -> str:
    """Return a turn aside that was not yet said: the case's own, else one that anybody may say."""
    own = draw(lines_for(s.index.file.reactions, "asides"), s.memory, s.rng)
    if own:
        return own
    fresh = [x for x in (voiced(s.index, y) for y in SHARED["asides"]) if x not in s.memory.lines]
    return fresh[int(s.rng.integers(len(fresh)))] if fresh else ""


def _of_its_own(s: Situation, plan: Plan) -> Plan:
    """After two non-answers running, the next of what it came to say, said to be something else."""
    first = next_of_its_own(s)
    aside = aside_of(s)
    if first is None or not aside:
        return plan
    story = tell(s, first, "unanswerable", f"{plan.why}; something of its own, told as such")
    return replace(story, lead=f"{plan.beats[0]} {aside}", used=(*plan.beats[:1], aside))


def _is_news(t: Telling, told: frozenset[str]) -> bool:
    """Whether a telling can be heard by itself and says mostly what was not said."""
    words = content_words(t.beats[0])
    return _stands_alone(t, t.beats[0]) and len(words & told) <= _KNOWN * len(words)


_KNOWN = 0.4  # share of the words of content of what is no news


def about(s: Situation, q: Query, scores: FloatArray | None) -> Plan | None:
    """Tell of a subject that was asked about as a whole ("What's the matter with the flat?"): any story does."""
    if scores is None or not q.named or not _AS_A_WHOLE.match(q.reading.text) or len(q.reading.text.split()) > _WHOLE:
        return None
    of_it = np.array([t in q.named[:1] for t in s.index.topic_of], dtype=np.bool_)
    asked = content_words(q.text)
    order = np.argsort(-np.where(open_now(s) & of_it & ~s.index.begins_yes_no, scores, -99.0))
    for i in order[:_FEW].tolist():
        t = s.index.tellings[s.index.order[i]]
        of_that = bool(asked & content_words(" ".join(t.beats))) or bool(q.people & s.index.mentions[i])
        if of_it[i] and of_that and sayable(s, t) and _stands_alone(t, t.beats[0]) and scores[i] > _NEVER:
            return tell(s, t, "tell", "asked about it as a whole")
    return None


_AS_A_WHOLE = re.compile(
    r"(?!.*\babout\b.+\bthat (?!\w+$))"  # "What is it about ironing that suits that hour?" asks for one thing
    r"(?:so |and |but |okay )*(?:what(?:'s| is| was| has| been)*(?: exactly| actually| really)? "
    r"(?:the |this |all this |all |it )*"
    r"(?:thing|matter|problem|trouble|story|situation|issue|deal|background|going|happening|been|wrong|about)\b|"
    r"how (?:is|are|were|was|have) (?:things|it|that) (?:with|at|in|been)\b|how(?:'s| is) it going\b|"
    r"(?:can you )?(?:tell|say)(?: me)?(?: a little| a bit| some)? (?:more )?about\b|what about\b|how about\b)"
)
_FEW, _NEVER = 5, -50.0
_WHOLE = 9  # words: "Tell me about a recent moment when it all felt too much, …" asks for one thing


def _on_subject(s: Situation) -> npt.NDArray[np.bool_]:
    """Return which tellings (N,) are about whom the question is about, or what was named or just talked of."""
    q = s.taken.query
    if q is not None and q.people:
        return s.index.speaks_of(q.people)
    topics = (q.named if q is not None and q.named else ()) or (s.memory.topic,)
    return np.array([t in topics for t in s.index.topic_of], dtype=np.bool_)


def put_off(s: Situation) -> Plan:
    """What answers is to be told later in the session."""
    fresh = [x for x in _COMES if voiced(s.index, x) not in s.memory.lines] or list(_COMES)
    return Plan("unanswerable", "is to be told later", (voiced(s.index, fresh[int(s.rng.integers(len(fresh)))]),))


def not_now(s: Situation, withheld: str) -> Plan | None:
    """What answers is known and may not be told yet: that is no "I don't know"; ``None`` where it was just said so."""
    fresh = [x for x in (voiced(s.index, y) for y in _NOT_NOW) if x not in s.memory.lines]
    if not fresh or any(voiced(s.index, x) in s.memory.lines[-2:] for x in _NOT_NOW):
        return None
    line = fresh[int(s.rng.integers(len(fresh)))]
    return Plan("unanswerable", f"{withheld} may not be told yet", (line,), withheld=withheld)


def before_that(s: Situation, first: Telling, withheld: str) -> Plan | None:
    """Tell what has to be told before the answer, said to be that."""
    story = replace(tell(s, first, "tell", f"comes before {withheld}"), withheld=withheld)
    return _led_in(s, _BEFORE, story) if _stands_alone(first, story.beats[0]) else None


_SETTLED = 2  # turn from which somebody tells something else than what was asked


def _stands_alone(t: Telling, first_beat: str) -> bool:
    """Whether a telling can be heard without the question that it answers."""
    first = re.split(r"[.?!]", first_beat)[0].split()
    return len(first) >= _SHORTEST and not first_beat.startswith(_LEANS) and t.function in ("answer", "volunteer")


_LEANS = (
    "Because",
    "That",
    "It",
    "He ",
    "She ",
    "They ",
    "This ",
    "Those ",
    "Yes",
    "No",
    "To ",
    "With ",
    "Like ",
    "By ",
    "For ",
    "Only ",
    "Or ",
    "So ",
    "But ",
    "And ",
)


def _unknown(s: Situation, kind: Kind | None) -> str:
    """A plain "I don't know", seldom the same twice running: people have no others; at times with what is not known."""
    bank = said_of(lines_for(s.index.file.reactions, "unknown"))
    recent = " ".join(s.memory.lines[-6:])
    # What is longer than "I don't know." is heard to be said again.
    again = [x for x in bank if len(x.split()) <= PLAIN or x not in s.memory.lines] or bank
    line = favoured(
        [x for x in again if x.rstrip(".") not in recent] or [x for x in again if x not in s.memory.lines[-2:]] or bank,
        s.rng,
    )
    word = _OF_KIND[kind] if kind else ""
    return (unknown_of(line, word) or line) if word and s.rng.random() < _SAYS_WHICH else line


def _empty_before(s: Situation) -> bool:
    """Whether the last reply was a non-answer too."""
    if not s.memory.lines or s.memory.moment == "disclosure":
        return False
    return s.memory.lines[-1].startswith(_empties(s.index))


@cache
def _empties(index: CaseIndex) -> tuple[str, ...]:
    """Return how the non-answers of a case begin."""
    r = index.file.reactions
    shared: tuple[Bank, ...] = ("unknown", "undecided", "unthought", "minimal", "passed_over")
    banks = (*(lines_for(r, bank) for bank in shared), r.unanswerable, r.why_unknown, r.fading)
    return tuple({x.rstrip(".") for bank in banks for x in said_of(bank)})


NOTHING_MORE = "nothing more to tell"
"""Why a patient says that this was all; it answers "What else?" and hardly anything beside."""


def nothing_more(s: Situation) -> Plan:
    """Everything about it has been told."""
    line = draw(lines_for(s.index.file.reactions, "minimal"), s.memory, s.rng) or draw(
        s.index.file.reactions.fading, s.memory, s.rng
    )
    return Plan("thin", NOTHING_MORE, (line,), moment="thin")


def kept_back(s: Situation, why: str) -> Plan:
    """Something is known and not told: that is no "Nothing else.", which would say that it has been told."""
    return Plan("undecided", why, (put_by(s) or _unknown(s, None),), moment="thin")


def unthought(s: Situation, q: Query, scores: FloatArray | None, kind: Kind | None) -> Plan:
    """Nothing that may be told answers what was asked: say so, of a thought that it does not come."""
    if kind is not None or not q.worded & set(VIEWS):
        return no_answer(s, q, scores, kind)
    line = _no_words(s)
    return Plan("thin", "no thought that answers this", (line or _unknown(s, None),), moment="thin")
