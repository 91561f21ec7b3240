"""Small facts: what is answered in a line, whether it is what was asked for, and whether it may be said now."""

from __future__ import annotations

import re

import numpy as np

from turnwise.patients.already_told import again
from turnwise.patients.matching import Candidates
from turnwise.patients.not_known import kept_back
from turnwise.patients.plans import Plan, Situation
from turnwise.patients.ranking import Query
from turnwise.patients.second_look import POINTS_BACK
from turnwise.patients.wanted import Kind, asked_by_kind, fact_fits, facts_of, holds, people_of
from turnwise.patients.words import content_words

__all__ = ["BARELY", "SURELY", "WHOLE", "next_fact", "small_fact", "was_said"]


def small_fact(s: Situation, c: Candidates, q: Query, kind: Kind | None) -> Plan | None:
    """Answer with the small fact that was asked for, or keep it back; ``None`` where none was, or not surely."""
    # "When was that?" asks of what was just said: a fact of another day has to be the answer for sure.
    back = POINTS_BACK.search(q.reading.text) and not (q.named or q.people or content_words(q.text))
    # "What happens when you go to bed?" does not ask when that is; "Where did your dad come home from?" not of oneself.
    of_others = bool(q.people) and not q.people & people_of(s.index, c.fact_key)
    other = of_others or (kind is None and asked_by_kind(s.index, c.fact_key))
    least = _FOR_SURE if other else SURELY if back else BARELY
    if not c.fact or (c.fact_key and c.top[0][1] < least):
        return None
    if was_said(s, c.fact_key, c.fact):
        return again(s, c.fact_key, (c.fact,))
    if c.fact_level > s.level:
        return kept_back(s, f"{c.fact_key} may not be told yet") if c.top[0][1] >= SURELY else None
    fits = _says(s, q, kind, c.fact_key, c.fact)
    return Plan("fact", f"fact:{c.fact_key}", (c.fact,), key=c.fact_key) if fits else None


def was_said(s: Situation, key: str, say: str) -> bool:
    """Whether an answer was given before: in another session, or in this one to another question in as many words.

    "No." may be said as often as it is true; a whole sentence that comes again comes as something that was said.
    """
    return key in s.memory.earlier or (key in s.memory.said and len(say.split()) >= WHOLE)


def _says(s: Situation, q: Query, kind: Kind | None, key: str, say: str) -> bool:
    """Whether a small fact says something that the question did not, and of the kind that was asked for."""
    if key == "age" and _AT_THAT_TIME.search(q.reading.text):
        return False  # "How old were you then?" is not answered with the age of today
    if q.form == "alternative" and holds("how_many", say) and len(say.split()) <= _A_NUMBER:
        return False  # "Is she older or younger?" "Forty."
    new = content_words(say) - content_words(q.text)
    return (bool(new) or not content_words(say)) and (kind is None or not key or fact_fits(s.index, key, say, kind))


def next_fact(s: Situation, c: Candidates, q: Query, kind: Kind | None) -> Plan | None:
    """A small fact that comes second, where what comes first may not be told or was."""
    for name, score in c.top[1:]:
        fact = facts_of(s.index).get(name)
        close = score >= max(_SECOND, c.top[0][1] - 0.5)
        if fact is None or not close or c.yes_no or fact.level > s.level:
            continue
        if fact.key not in s.memory.said and _says(s, q, kind, fact.key, fact.say):
            return Plan("fact", f"fact:{fact.key}", (fact.say,), key=fact.key)
    return None


_FOR_SURE = float(np.log(0.8))
SURELY = float(np.log(0.6))
BARELY = float(np.log(0.35))
"""Log-probability below which a yes or no is none: among questions that nobody planned it is to something else."""
WHOLE = 4  # words from which an answer is noticed when it comes again
_SECOND = -1.0  # least log-probability of a small fact that stands in for what may not be told
_A_NUMBER = 3  # words of an answer that is a number and no more
_AT_THAT_TIME = re.compile(r"\b(?:was|were)\b")
