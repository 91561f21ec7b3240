"""Pass over what anybody knows of their own life: neither told nor denied, and never unknown."""

from __future__ import annotations

import re

from turnwise.patients.banks import draw, lines_for, said_of
from turnwise.patients.plans import Situation
from turnwise.patients.ranking import Query
from turnwise.patients.speech import favoured
from turnwise.patients.voicing import voiced
from turnwise.patients.wanted import Kind, of_common_knowledge
from turnwise.patients.words import content_words

__all__ = ["PLAIN", "neither", "own_words", "passed_over", "put_by"]

PLAIN = 3  # words of a non-answer that may come again


def passed_over(s: Situation, q: Query, kind: Kind | None) -> str:
    """Return a line that neither tells nor denies what anybody knows of themselves, or ``""`` where none fits."""
    if kind == "why" or not _anybody_knows(s, q, kind):
        return ""
    times = _VAGUE.get(kind or _habit(q), ()) if of_common_knowledge(q.text) else ()
    vague = [x for x in (voiced(s.index, y) for y in times) if x not in s.memory.lines]
    if vague and s.rng.random() < _VAGUELY:
        return vague[int(s.rng.integers(len(vague)))]
    own = said_of(lines_for(s.index.file.reactions, "passed_over"))
    fresh = [x for x in own if x not in s.memory.lines[-(2 if len(x.split()) <= PLAIN else len(s.memory.lines)) :]]
    return favoured(fresh or own, s.rng)


def neither(s: Situation, q: Query) -> str:
    """Return a line for a yes/no question that is neither: "It depends" only of what may change."""
    passed = passed_over(s, q, None)
    if passed or "clarify" in q.worded or _MEANT.search(q.reading.text):
        return passed or put_by(s)  # what one meant oneself is not unknown
    bank = lines_for(s.index.file.reactions, "undecided")
    if not _AS_IT_FALLS.match(q.reading.text):
        bank = [x for x in bank if "depend" not in (x if isinstance(x, str) else x.say).lower()]
    return draw(bank, s.memory, s.rng)


def own_words(s: Situation, q: Query) -> str:
    """What one meant oneself, or has just said, is not unknown: "What do you mean by your floor?", "What flips?"."""
    said = content_words(" ".join(s.memory.lines[-_JUST_NOW:]))
    return put_by(s) if "clarify" in q.worded or content_words(q.text) & said else ""


_AS_IT_FALLS = re.compile(
    r"(?:and |so |but )?(?:do|does|can|would|will|could)\b(?! (?:you|he|she|they) (?:mean|have)\b)"
)
"""Asks what may be so on one day and not on another; whether somebody has looked at it does not depend."""
_MEANT = re.compile(r"\bdo(?:es)? (?:you|he|she|they|that|it) mean\b")
_JUST_NOW = 2  # of its own last lines


def put_by(s: Situation) -> str:
    """A line that neither tells nor denies, fresh where there is one."""
    return draw(lines_for(s.index.file.reactions, "passed_over"), s.memory, s.rng)


def _anybody_knows(s: Situation, q: Query, kind: Kind | None) -> bool:
    """Whether the question, or another one of the turn, asks for what anybody knows of their own life."""
    if not of_common_knowledge(q.text):
        others = (x.text for x in s.taken.heard.questions if x is not s.taken.question)
        return any(of_common_knowledge(x) and _YOU.search(x.lower()) for x in others)
    if _YOU.search(q.text.lower()) or q.named or q.people:
        return True
    if (kind is not None or q.closed) and _THEIRS.search(q.text.lower()):
        return True
    said = content_words(" ".join((*s.memory.lines[-6:], s.taken.text.replace(q.text, " "))))
    return not content_words(q.text) or bool(content_words(q.text) & said)


_YOU = re.compile(r"\b(?:you|your|yours|yourself|you['’]\w+|at home|at work|(?:name|list) me)\b")
_THEIRS = re.compile(
    r"\b(?:it|its|that|this|these|those|them|they|their|theirs|he|him|his|she|her|hers)\b|"
    r"^\W*(?:and |so |but )?who\b"
)
"""Points at what they spoke of: who was there, and whether it hurts, is known; what it does may be hard to say."""
_VAGUE: dict[str, tuple[str, ...]] = {
    "how_often": ("It varies.", "On and off."),
    "how_long": ("A while.", "A good while."),
    "since_when": ("A while back.", "Some time ago."),
    "when": ("It varies.", "That is not always the same."),
    "habit": ("It depends.", "It depends on the week.", "The usual."),
}
_VAGUELY = 0.5  # share of the questions for a time, or for what is done as a rule, that get a vague answer
_AS_A_RULE = re.compile(
    r"(?:and |so |but )?(?:what|how) do you\b(?! (?:do|work as|call|say)\b(?! (?:in|on|at|with|when|after|before)\b))"
)


def _habit(q: Query) -> str:
    return "habit" if _AS_A_RULE.match(q.reading.text) else ""
