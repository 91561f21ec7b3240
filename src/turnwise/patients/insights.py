"""What a person finds in their own life when asked what does not fit, and the thought that comes of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from turnwise.core.nouns import Moment
from turnwise.patients.banks import draw, lines_for
from turnwise.patients.dynamics import may_have_insight
from turnwise.patients.listening import FOR_EVIDENCE
from turnwise.patients.matching import Candidates
from turnwise.patients.plans import Plan, Situation, sayable, tell
from turnwise.patients.ranking import Query
from turnwise.patients.wanted import wanted
from turnwise.patients.words import content_words
from turnwise.reading.ears.intents import paraphrases

__all__ = ["insight", "own_evidence"]


def own_evidence(s: Situation, c: Candidates) -> Plan | None:
    """Asked what speaks against the belief: what adds up already, else the nearest thing from its own life."""
    q = s.taken.query
    assert q is not None
    if not q.reading.has("evidence_against", "friend", "alternative", "means_about_you", "thought", "belief"):
        return None
    found = insight(s)
    if found is not None:
        return found
    if c.scores is None or q.people or not q.reading.has(*FOR_EVIDENCE):
        return None
    if q.worded & {"goal", "want", "future"}:
        return None  # "Is there anything you'd like to be different?"
    # At a thought that lies on the table, a question for what speaks against it needs no further sign that it is one.
    at_it = s.taken.on_thought and bool(q.worded & FOR_EVIDENCE or q.reading.p[q.reading.best] >= _WORDED)
    surely = at_it or bool(q.worded & FOR_EVIDENCE) or q.reading.p[q.reading.best] >= _SURE
    if not surely or (wanted(q.text) not in (None, "when") and not q.worded & FOR_EVIDENCE):
        return None  # "Who would be easiest to ask?" wants somebody
    worded = bool(q.worded & FOR_EVIDENCE) and q.reading.p[q.reading.best] >= _WORDED and q.reading.has(*FOR_EVIDENCE)
    if not (worded or at_it) and _asks_of_more(s, q):
        return None  # "Has a doctor ever looked at them?" asks of a doctor
    ready = [t for t in s.index.file.insight_track.evidence if sayable(s, s.index.tellings[t])]
    if not q.reading.has("evidence_against", "alternative"):
        # What one would say to a friend is another question than what speaks against it.
        ready = [t for t in ready if "friend" in s.index.tellings[t].answers]
    if not ready:
        return None
    scores = c.scores
    best = max(
        ready,
        key=lambda t: (
            _thought_about(s, t),
            scores[s.index.position(t)] + 3.0 * (s.index.topic_of[s.index.position(t)] in q.named),
        ),
    )
    lead = draw(lines_for(s.index.file.reactions, "evidence_leads"), s.memory, s.rng)
    return replace(tell(s, s.index.tellings[best], "tell", "its own evidence"), lead=lead)


def _asks_of_more(s: Situation, q: Query) -> bool:
    """Whether a question names more than the thought, what was just said, and what evidence is asked for by."""
    thoughts = (x for t in s.index.file.tellings if t.moment is Moment.DISTORTION for x in t.beats)
    about = (*thoughts, *s.memory.lines[-_LAST_WORDS:], s.taken.text.replace(q.text, " "))
    return bool(content_words(q.text) - _words_of_evidence() - content_words(" ".join(about)))


@cache
def _words_of_evidence() -> frozenset[str]:
    return frozenset().union(*(content_words(ask) for name in sorted(FOR_EVIDENCE) for ask in paraphrases()[name]))


_LAST_WORDS = 6  # lines of its own
_WORDED = 0.3  # probability of the intent from which a question in such words is one, whatever else it names
_SURE = 0.5  # probability of the intent from which no wording of its own is needed


def _thought_about(s: Situation, telling: str) -> bool:
    """Whether this evidence is one that a thought still to come rests on: those are nearest to mind."""
    track = s.index.file.insight_track
    waiting = [s.index.tellings[i] for i in track.insights if i not in s.memory.said]
    return any(telling in t.needs and set(t.needs) - {telling} <= set(s.memory.said) for t in waiting)


def insight(s: Situation) -> Plan | None:
    """Plan the thought whose parts have all been said, where the state allows one."""
    if not may_have_insight(s.mind):
        return None
    track = s.index.file.insight_track
    for name in track.insights:
        t = s.index.tellings[name]
        ready = name not in s.memory.said and set(t.needs) <= set(s.memory.said) and t.level <= s.level
        if ready and t.id not in s.index.risky:
            return replace(tell(s, t, "insight", "its own evidence adds up"), moment="insight")
    return None
