"""One call that checks a text: every rule, in the order of gravity."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwise.therapists.validator import (
    agreeing,
    asking,
    attributing,
    contradicting,
    facts,
    form,
    pressing,
    safety,
    self_claims,
)
from turnwise.therapists.validator.faults import KINDS, Fault
from turnwise.therapists.validator.situation import Draft, Situation

__all__ = ["MAX_CHARS", "faults_in"]

MAX_CHARS = 6_000
"""What is longer is read only so far: it is far too long anyway."""

_RULES: tuple[Callable[[Draft, Situation], Iterator[Fault]], ...] = (
    safety.find,
    agreeing.find,
    self_claims.find,
    contradicting.find,
    attributing.find,
    facts.find,
    pressing.find,
    asking.find,
)


def faults_in(text: str, situation: Situation) -> tuple[Fault, ...]:
    """Return the faults of ``text`` as the therapist's next turn, gravest first.

    Words are checked, not meanings: a net of rules with the precision and recall that
    ``tools/validator_figures.py`` prints. It is a filter before speaking and no measure of anybody; what
    scores therapists is fitted apart and never asked here.

    Parameters
    ----------
    text : what would be said. Anything at all, of any length.
    situation : the talk so far, the planned act, and what the patient can bear.

    Returns
    -------
    A tuple of faults, empty when there is nothing to say against it.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> talk = (Turn(speaker="therapist", text="Hello."), Turn(speaker="patient", text="I moved in March. It's fine."))
    >>> [f.kind for f in faults_in("You should join a club.", Situation(talk))]
    ['too_early']
    >>> faults_in("You moved in March. What was it like before?", Situation(talk))
    ()
    """
    draft = Draft(text[:MAX_CHARS])
    found = list(form.find(draft, situation))
    if not any(f.kind in ("empty", "garbled") for f in found):
        found += [fault for rule in _RULES for fault in rule(draft, situation)]
    return tuple(sorted(found, key=lambda f: KINDS.index(f.kind)))
