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
_HERE = (
    r"(?:,? (?:so far|here|with me|to me|like this|up to now|today|right now|just now|the two of us|between us|"
    r"about (?:this|it|that|all this|all that|these things)|for you|and talking))"
)
_ENDS = rf"(?=\W*$|[?.,;:]|{_HERE})"
_TALK = (
    r"(?:(?:to )?(?:talk|speak|sit here|be here|open up|be talking)|talking|speaking|sitting here|being here|"
    rf"opening up)\b{_ENDS}"
)
_WITH_ME = r"(?:,? (?:so far|with me|here with me|the two of us|between us|up to now|talking here))"
_THIS = rf"(?:this|our|these|today's) (?:talk|talks|talking|conversation|conversations|session|sessions|hour)\b{_ENDS}"
_IS = r"(?:'s| is| was| has)(?: it| this)?(?: been| felt)?"
_ASKS = re.compile(
    rf"\bhow(?:{_IS}| does it feel| did it feel| do you find it| are you finding it)(?: for you)?,? {_TALK}|"
    rf"\bwhat{_IS} like(?: for you)?,? {_TALK}|"
    rf"\bhow (?:are you|do you|did you|have you been) (?:find|finding|feel|feeling)(?: about)? {_THIS}|"
    rf"\bhow{_IS} {_THIS}|\bhow (?:is|was|has|does) (?:this|our|today's) (?:talk|conversation|session|hour)"
    rf"(?: been| going| feel)?(?: for you)?{_ENDS}|"
    rf"\bhow (?:are you finding (?:this|it)|did you find (?:this|it){_WITH_ME}){_ENDS}|"
    rf"\bhow(?:{_IS}| does this feel)(?: for you)?{_WITH_ME}(?: for you)?{_ENDS}|\bhow is it for you here{_ENDS}|"
    rf"\bhow(?:'s| is| has) this (?:going|been going)(?: for you)?{_ENDS}|"
    rf"\bhow (?:this is(?: going)? for you|you(?:'re| are) finding (?:this|it))\b{_ENDS}|"
    r"\bhow are (?:we|you) (?:getting on|doing)(?: here)?,? (?:with me|the two of us|you and me|between us)\b|"
    r"\bhow are things between us\b(?! and)|"
    rf"\bhow (?:do you feel|are you feeling|comfortable do you feel)(?: about)? (?:talking (?:to|with) me|"
    rf"how we(?:'re| are) (?:talking|working))|"
    rf"\bdo you feel (?:heard|understood|listened to|that i understand|i understand)\b|"
    rf"(?<!how )\bis (?:this|talking|it) (?:helpful|any help|a help|useful|of use)(?: (?:to|for) you)?{_ENDS}"
)
"""Asks after the talk itself, and nothing after it: "How is it to say that?" or "... at work?" is met as before."""


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
