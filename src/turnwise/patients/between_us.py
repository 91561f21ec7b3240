"""How the talk itself is for somebody, asked outright: what is answered tells how things stand between the two.

Asking for it is what routine monitoring of the alliance does (Lambert & Shimokawa 2011, Psychotherapy 48(1)), and what
a therapist can do who wants to know how much can be borne. People do not tell it exactly (Hill, Thompson, Cogar &
Denman 1993, J Couns Psychol 40(3): clients keep reactions to themselves), so what they say has a spread.
"""

from __future__ import annotations

import re

from turnwise.patients.banks import Bank, draw, lines_for
from turnwise.patients.endings import working_edge
from turnwise.patients.plans import Plan, Situation

__all__ = ["asks_how_this_is", "how_this_is", "stands"]

_MIDDLING_FROM, _OPEN_FROM = -0.14, 0.0  # distance from the working edge; a challenge can be borne from 0
_TALK = (
    r"(?:(?:to )?(?:talk|speak|sit here|be here|open up)|to be talking|talking|speaking|sitting here|being here|"
    r"opening up)\b(?! (?:to|with|for|about|at) (?:him|her|them|your|others?|people|\w+ing)\b)"
)
_THIS = (
    r"(?:this|our|the|these|today's) (?:talks?|talking|conversations?|sessions?|hour|meetings?|way of (?:talking|"
    r"working))\b(?! (?:on|at|with (?:him|her|them|your|the)|in|you (?:had|have))\b)"
)
_US = r"(?:between (?:the two of )?us|with me\b|the two of us|you and me|us two|here together)"
_SO_FAR = r"(?! (?:with (?!me)|at|in|on|to)\b)(?: so far| here| with me)?"
_ASKS = re.compile(
    rf"\bhow (?:is it|has it been|was it|does it feel|do you find it|are you finding it)(?: for you)?,? {_TALK}|"
    rf"\bwhat(?:'s| is| has| was) it(?: been)? like(?: for you)?,? {_TALK}|"
    rf"\bhow (?:are|do) you (?:find|finding|feel|feeling|experience|experiencing)(?: about)? {_THIS}|"
    rf"\bhow (?:is|are|does|has) {_THIS}\b.{{0,30}}\b(?:for you|going|feel|been)|"
    rf"\bhow (?:are you finding (?:this|it){_SO_FAR}|(?:is|has) this(?: been)? for you|"
    r"is (?:this|it) going for you(?! at| in| with your)|are you getting on (?:here )?with me)\b|"
    r"\bhow (?:this is(?: going)? for you|you(?:'re| are) finding (?:this|it|our)|it is for you,? to talk)\b|"
    rf"\bhow (?:do|are|is) (?:things|we|you feel|it|that)\b.{{0,24}}\b{_US}|"
    r"\bhow do you feel about (?:me\b|us\b|how we)|\bdo you feel (?:heard|understood|listened to) (?:here|by me|so far)"
)
"""Asks after the talk itself, not after what was just told: "How is it to say that?" is met as before."""


def asks_how_this_is(plain: str) -> bool:
    """Whether a question in lower case asks how the talk itself is for somebody.

    Examples
    --------
    >>> asks_how_this_is("how is it for you, talking about this with me?"), asks_how_this_is("how is it at home?")
    (True, False)
    """
    return _ASKS.search(plain) is not None


def stands(distance: float) -> Bank:
    """Return how it is said to be, by what seems the distance from the working edge (0 and above: within it).

    Examples
    --------
    >>> stands(-0.3), stands(-0.1), stands(0.1)
    ('guarded_here', 'middling_here', 'open_here')
    """
    return "open_here" if distance >= _OPEN_FROM else "middling_here" if distance >= _MIDDLING_FROM else "guarded_here"


def how_this_is(s: Situation) -> Plan | None:
    """Say how the talk is for oneself, where that is asked; ``None`` where it is not, or no words are left."""
    q = s.taken.question
    if q is None or not asks_how_this_is(q.plain):
        return None
    seems = float(working_edge(s.mind)) + s.mind.sizes["says_of_us"] * float(s.rng.standard_normal())
    line = draw(lines_for(s.index.file.reactions, stands(seems)), s.memory, s.rng)
    return Plan("between_us", "asked how the talk is", (line,)) if line else None
