"""Whether a patient tells one truth: what it said to the same question asked again, and again in other forms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.batteries.conformance.asking import Interview
from turnwise.core.nouns import Score, Trajectory, unscored

__all__ = ["Contradiction", "contradictions", "contradictions_within", "differing", "kept"]

_YES = re.compile(r"^(?:oh |well |um |mm |i mean )*(?:yes|yeah|yep|aye|sí|course|of course)\b", re.IGNORECASE)
_NO = re.compile(r"^(?:oh |well |um |mm |i mean |god )*(?:no|nah|nope|never)\b", re.IGNORECASE)
_AGAIN = re.compile(r"^(?:(?:like|as) i said|i(?: already)? (?:told|said)[^.,]*|again)[.,]?\s*", re.IGNORECASE)
_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"
).split()
_NUMBER = re.compile(rf"\b(?:\d+|{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
_ANSWERS = frozenset(("fact", "yes_no", "repeated", "risk", "absent"))


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two replies about one thing that cannot both be true."""

    session: str
    key: str
    first: str
    second: str


def _polarity(text: str) -> str | None:
    bare = _AGAIN.sub("", text.strip())
    return "yes" if _YES.match(bare) else "no" if _NO.match(bare) else None


def differing(first: str, second: str, *, fact: bool) -> bool:
    """Whether two replies to the same question cannot both be true, as far as rules can tell.

    A yes against a no; for a fact also numbers in both and none in common. Nothing else is seen: not
    other names, nor what only follows from what was said.

    Examples
    --------
    >>> differing("Yes. Every night.", "No, not really.", fact=False)
    True
    >>> differing("Three.", "Like I said, three of them.", fact=True)
    False
    """
    a, b = _polarity(first), _polarity(second)
    if a is not None and b is not None and a != b:
        return True
    if not fact:
        return False
    x, y = ({n.lower() for n in _NUMBER.findall(t)} for t in (first, second))
    return bool(x) and bool(y) and not x & y


def _replies(t: Trajectory) -> list[tuple[str, dict[str, Any]]]:
    return [(turn.text, dict(t.info(i))) for i, turn in enumerate(t.turns) if turn.speaker == "patient"]


def _answered(info: dict[str, Any]) -> bool:
    """Whether a reply answers what was asked; without a truth record every reply may."""
    said = info.get("said")
    return said.get("kind") in _ANSWERS if isinstance(said, dict) else True


def kept(interview: Interview, t: Trajectory) -> Iterator[tuple[str, bool, list[str]]]:
    """Yield ``(key, is a fact, replies)`` of everything asked, with the replies that answer it, in order."""
    replies = _replies(t)
    by_key: dict[str, tuple[bool, list[str]]] = {}
    for a in interview.asked:
        fact, found = by_key.setdefault(a.key, (a.kind == "fact", []))
        if a.turn < len(replies) and _answered(replies[a.turn][1]):
            found.append(replies[a.turn][0])
    for key, (fact, found) in by_key.items():
        yield key, fact, found


def contradictions(asked: Sequence[tuple[Interview, Trajectory]]) -> Score:
    """Return how many facts and propositions were answered in two ways that cannot both be true.

    Definition: every one is asked again after 15 patient turns (``asking.interviews``); counted is each
    with two replies that ``differing`` tells apart. Replies that do not answer (not understood, put off,
    something else told) contradict nothing. Not whether the answer is the one in the case file.

    Returns
    -------
    A count, at least 0; 0 is wanted. n = facts and propositions answered at least twice. ``detail``
    says how many were asked and shows the first contradictions. Undefined: nothing to ask
    (``not_applicable``), or nothing answered twice (``no_answer``).

    Source
    ------
    shared/patients.md section 6 ("a proposition asked three ways gets one truth; every fact asked
    twice, 15 turns apart"); DECODE for contradictions within a speaker (measures.md 22).
    """
    if not asked:
        return unscored("not_applicable", "the case has neither facts nor propositions to ask about")
    items = [(t.session_id, *item) for interview, t in asked for item in kept(interview, t)]
    twice = [x for x in items if len(x[3]) > 1]
    if not twice:
        return unscored("no_answer", f"none of {len(items)} things asked was answered twice")
    found = list(_contradictory(twice))
    shown = "; ".join(f"{c.key}: {c.first!r} / {c.second!r}" for c in found[:3])
    detail = f"{len(items)} asked; answered {_by_form(asked)}" + (f"; {shown}" if shown else "")
    return Score(float(len(found)), len(twice), detail=detail)


def _by_form(asked: Sequence[tuple[Interview, Trajectory]]) -> str:
    """Return how often each form of question was answered, of how many that the patient stayed for."""
    counts: dict[str, list[int]] = {}
    for interview, t in asked:
        replies = _replies(t)
        for a in interview.asked:
            if a.turn < len(replies):
                row = counts.setdefault(f"{a.kind} {a.form}", [0, 0])
                row[0], row[1] = row[0] + _answered(replies[a.turn][1]), row[1] + 1
    return ", ".join(f"{name} {yes} of {n}" for name, (yes, n) in counts.items())


def _contradictory(items: Sequence[tuple[str, str, bool, list[str]]]) -> Iterator[Contradiction]:
    for session, key, fact, replies in items:
        pairs = [(a, b) for i, a in enumerate(replies) for b in replies[i + 1 :]]
        bad = next(((a, b) for a, b in pairs if differing(a, b, fact=fact)), None)
        if bad is not None:
            yield Contradiction(session, key, *bad)


def contradictions_within(t: Trajectory) -> list[Contradiction]:
    """Return the contradictions inside an ordinary session: one fact or proposition answered in two ways.

    What was answered is read from the truth record; a session without one has none that can be seen.
    """
    by_key: dict[tuple[str, bool], list[str]] = {}
    for text, info in _replies(t):
        said: Any = info.get("said") or {}
        if said.get("kind") in ("fact", "yes_no") and said.get("telling"):
            by_key.setdefault((str(said["telling"]), said["kind"] == "fact"), []).append(text)
    return list(_contradictory([(t.session_id, key, fact, texts) for (key, fact), texts in by_key.items()]))
