"""Name the feeling that goes with what was just told, where a question asks how that is and no story answers it.

Whoever has just told of the empty chair and is asked "How is that for you?" has a feeling, and says it in a word or
two: neither "I don't know" nor a put-off would be true. The words stand in the case: the feeling of what was told, else
of its subject.
"""

from __future__ import annotations

import re

from turnwise.patients.plans import Plan, Situation, has_more, rest_of
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Telling
from turnwise.patients.voicing import voiced

__all__ = ["felt"]

_ASKS_HOW = re.compile(
    r"\b(?:how(?:'s| is| was| are| were| has| have) (?:that|this|it|all that|things like that)(?: been)?"
    r"(?:,? (?:for you|from the inside|to (?:say|tell|think back)|(?:thinking|saying|hearing|telling))\b|$)|"
    r"how (?:does|did|do) (?:that|this|it) (?:feel|sit|leave you|make you feel)\b|"
    r"how (?:do|did) you (?:feel|take (?:it|that|this))(?:$|[,?]| (?:now|then|when|at|as|after|afterwards)\b)|"
    r"how are you feeling(?:$|[,?]| now\b)|what (?:do|did) you feel\b|what are you feeling\b|"
    r"what(?:'s| is| was| has) (?:that|this|it)(?: been)? like"
    r"(?:$|[,?]| (?:for you|inside|from the inside|when|to say)\b)|"
    r"what (?:does|did|has) (?:that|this|it) (?:do|done) to you\b|what (?:that|this|it) (?:does|did|has done) to you\b|"
    r"what (?:that|this|it)(?:'s| is| was| has been) like\b|"
    r"how (?:that|this|it) (?:is|was|has been|sits|feels) for you\b|"
    r"what (?:goes|went) on in(?:side)? you\b)"
)
_ASKS_WHAT_STAYED = re.compile(r"\bwhat(?:'s| has| is)? (?:stays?|stayed) with you\b")
_IN_A_WORD = frozenset(
    """afraid angry ashamed embarrassed foolish guilty hopeless lonely nervous numb relieved sad scared tense
    tired wary worried""".split()
)
"""Feelings that are an answer in a word; "fond" or "flat" alone is not understood."""
_SAID_TO_ANYBODY = frozenset(("tired", "worried", "nervous", "tense", "angry", "wary"))
"""What is said before there is any trust; what makes small waits until half open things are told."""
_AGAIN = ("Still {w}.", "{W}. The same as before.", "{W} again, I would say.", "As I said. {W}.")
"""A feeling that lasts is named again, when it is asked for again a while later."""
_FORMS = ("{W}, mostly.", "{W}.", "{W}, I would say.", "{W}, more than anything.")
_OF_HALF_OPEN = 1  # level


def felt(s: Situation, q: Query) -> Plan | None:
    """Return the plan that names the feeling, once for each; ``None`` where none is asked for, or none is left.

    Where there is more to tell of what was just told, that comes instead of a feeling that was named before, and first
    where it is asked what stayed of it.
    """
    last = s.index.tellings.get(s.memory.last)
    stayed = _ASKS_WHAT_STAYED.search(q.reading.text)
    if last is None or q.named or q.people or not (stayed or _ASKS_HOW.search(q.reading.text)):
        return None
    more = rest_of(s, "how it was: goes on with it") if _may_go_on(s, last) else None
    return (more or _named(s, last)) if stayed else (_named(s, last) or more)


def _may_go_on(s: Situation, last: Telling) -> bool:
    """Whether there is a sentence more of what was told a moment ago, and none of danger."""
    return s.memory.said[-1:] == (last.id,) and last.id not in s.index.risky and has_more(s)


def _named(s: Situation, last: Telling) -> Plan | None:
    named = (last.affect,) if last.affect in _IN_A_WORD else ()
    words = (*named, *(w for w in s.index.file.topics[last.topic].emotions if w in _IN_A_WORD))
    fresh = [
        w for w in words if f"felt:{w}" not in s.memory.said and (s.level >= _OF_HALF_OPEN or w in _SAID_TO_ANYBODY)
    ]
    if not fresh:
        return _still(s, words)
    forms = [voiced(s.index, x) for x in _FORMS]
    ends = {
        line.partition(",")[2] for line in s.memory.lines if line.partition(",")[0].rstrip(".").lower() in _IN_A_WORD
    }
    forms = [x for x in forms if x.partition(",")[2] not in ends] or forms
    line = forms[int(s.rng.integers(len(forms)))].format(W=fresh[0].capitalize())
    return Plan("fact", f"the feeling of {last.id}", (line,), key=f"felt:{fresh[0]}", moment="disclosure")


def _still(s: Situation, words: tuple[str, ...]) -> Plan | None:
    """Name once more a feeling that was named before, though not a moment ago and not in the same way."""
    named = [w for w in words if f"felt:{w}" in s.memory.said]
    forms = [x for x in (voiced(s.index, y) for y in _AGAIN) if not any(_opens_alike(x, y) for y in s.memory.lines)]
    if not named or not forms or any(w in line.lower() for w in named[:1] for line in s.memory.lines[-_A_WHILE:]):
        return None
    line = forms[int(s.rng.integers(len(forms)))].format(w=named[0], W=named[0].capitalize())
    return Plan("fact", f"the feeling of {s.memory.last}, as before", (line,))


def _opens_alike(form: str, line: str) -> bool:
    """Whether a line was made by a form."""
    return any(x.strip(" .") and x.strip(" .") in line for x in re.split(r"\{[wW]\}", form))


_A_WHILE = 4  # of its own last turns
