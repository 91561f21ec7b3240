"""What the patient said must not be done: subjects not to ask about, somebody within earshot, no homework, no advice.

Read from explicit words only. A limit holds for the session until the patient lifts it by bringing the subject up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["Limit", "breaks", "limits_in", "still_held"]

Kind = Literal["subject", "earshot", "advice", "task"]

_SUBJECT = re.compile(
    r"\b(?:(?:please )?(?:don't|do not|didn't want you to|never) (?:ask|go on|start|mention|bring up|talk)\b"
    r"(?: me)?(?: about| on about)?|(?:i(?:'d| would) (?:rather|sooner) not|i (?:don't|won't|can't|"
    r"am not going to|'m not "
    r"going to)) (?:want to )?(?:talk|speak|go|get) (?:about|into)|leave) "
    r"(?P<about>(?:my |the |her |his |our )?[a-z]{3,}(?: [a-z]+)?)(?: out of (?:it|this))?",
    re.IGNORECASE,
)
_VAGUE = frozenset("that this it there them everything anything nothing".split())
_EARSHOT = re.compile(
    r"\b(?:(?:he|she|they|my \w+)(?:'s| is|'re| are) (?:in the (?:next )?room|next door|right here|"
    r"just (?:there|outside)|"
    r"listening|downstairs|in the car)|(?:can|could) hear (?:me|us)|not (?:while|with) \w+ (?:is |'s )?(?:here|"
    r"around))\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:i (?:don't|do not) (?:want|need) (?:any )?(?:advice|tips|solutions|to be told what)|"
    r"(?:just|only) (?:want|need) (?:you |someone |somebody )?to listen|(?:don't|stop) (?:tell|"
    r"telling) me what to do)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:no (?:more )?(?:homework|exercises|worksheets)|(?:don't|do not) (?:give|want|do) (?:me )?(?:any )?"
    r"(?:homework|exercises|worksheets))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit: its kind, the words it is about (a subject only), and what was said."""

    kind: Kind
    about: str
    said: str


def limits_in(text: str) -> tuple[Limit, ...]:
    """Return the limits that a patient's turn sets.

    Examples
    --------
    >>> [(x.kind, x.about) for x in limits_in("I'd rather not talk about my father.")]
    [('subject', 'father')]
    >>> [x.kind for x in limits_in("My wife is in the next room. I only want someone to listen.")]
    ['earshot', 'advice']
    >>> limits_in("I don't want to talk about it.")
    ()
    """
    text = text.replace("’", "'")
    found: list[Limit] = []
    for m in _SUBJECT.finditer(text):
        words = [w for w in m["about"].lower().split() if w not in ("my", "the", "her", "his", "our")]
        if words and words[0] not in _VAGUE:
            found.append(Limit("subject", words[0], m[0]))
    pairs: tuple[tuple[Kind, re.Pattern[str]], ...] = (("earshot", _EARSHOT), ("advice", _ADVICE), ("task", _TASK))
    for kind, pattern in pairs:
        if hit := pattern.search(text):
            found.append(Limit(kind, "", hit[0]))
    return tuple(found)


def still_held(limits: tuple[Limit, ...], text: str) -> tuple[Limit, ...]:
    """Return the limits that still hold after ``text``: a subject that the patient takes up again is free.

    Examples
    --------
    >>> held = limits_in("Please don't ask about my father.")
    >>> still_held(held, "My father rang last night, and we talked."), still_held(held, "It rained.") == held
    ((), True)
    """
    new = {x.about for x in limits_in(text) if x.kind == "subject"}
    said = set(re.findall(r"[a-z]+", text.lower()))
    return tuple(x for x in limits if x.kind != "subject" or x.about in new or x.about not in said)


def breaks(text: str, limits: tuple[Limit, ...]) -> Limit | None:
    """Return the limit that a therapist's line would break, or ``None``.

    Examples
    --------
    >>> breaks("How are things with your father?", limits_in("I'd rather not talk about my father.")).about
    'father'
    """
    words = set(re.findall(r"[a-z]+", text.lower()))
    return next((x for x in limits if x.kind == "subject" and x.about in words), None)
