"""What somebody says who is asked on from what they have just come to see anew."""

from __future__ import annotations

from turnwise.patients.plans import Plan, Situation
from turnwise.patients.statements import go_on

__all__ = ["of_a_new_view"]


def of_a_new_view(s: Situation) -> Plan | None:
    """Asked on from what was just seen anew: the rest of it.

    Who has just come to a view of their own, and has more to say of it, does not answer "what does that change?" with
    "I don't know".
    """
    q, question = s.taken.query, s.taken.question
    if s.memory.moment != "insight" or q is None or question is None or not question.open or s.taken.pushes:
        return None
    last = s.index.tellings.get(s.memory.last)
    felt = q.reading.intent == "feel" and last is not None and last.affect
    others = q.people - s.index.people_in(" ".join(s.memory.lines[-_LAST_LINES:]))
    if others or set(q.named) - set(s.memory.focus) or felt or q.reading.intent in _OF_SOMETHING_ELSE:
        return None
    if not s.memory.pending:
        return None
    return go_on(s, "asked on about its new view")


_LAST_LINES = 6
"""Lines of its own that the last turn may have had."""
_OF_SOMETHING_ELSE = frozenset(("risk", "how_are", "here_and_now", "brings"))
"""Intents of questions that leave the view for something else."""
