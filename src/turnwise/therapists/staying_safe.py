"""Danger to life over several turns: asked about openly with a way to help, answered, stayed with, then kept in mind.

A question about dying that is dropped after one turn leaves somebody more alone than before; one that is put again at
every word is no listening either. Whoever asked for it is met first where they object, ask something or say goodbye.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from turnwise.therapists.duties import DUTY_LINES
from turnwise.therapists.recognising import Call
from turnwise.therapists.spoken import is_non_answer

__all__ = ["SAFETY_LINES", "SafetyStep", "lines_for", "safety_due"]

SafetyStep = Literal["risk", "risk_answered", "risk_told", "risk_stayed"]

_HEARD = 0.5  # probability from which danger that no net caught is asked about all the same
_ASKED_LATELY = 5  # therapist turns in which the question itself is not put a second time
_OTHER_FIRST: frozenset[Call] = frozenset(
    ("pushback", "bait", "request", "identity", "memory", "care", "goodbye", "insight")
)
_LAST_FOR = 2  # turns of staying with it before the talk may go on, unless danger is voiced again
_STILL_FOR, _AT_MOST = 3, 4  # turns after which words on it are no longer about it; turns in a row that stay with it

SAFETY_LINES: Mapping[str, tuple[str, ...]] = {
    "risk": (
        "Let me stop on what you just said. Is any part of you thinking of not being alive any more? If there is, "
        "please go to somebody you trust and stay with them, and ring a crisis line or your doctor; the emergency "
        "number, if it's now.",
        "I want to stay with what you just said. Does it ever go as far as wishing not to be alive? If it does, please "
        "go to somebody you trust and stay with them, and tell your doctor or a crisis line; the emergency number, if "
        "it's now.",
        "I'm glad you said that, and I'd like to stay with it. Does it go as far as not wanting to be alive? If it "
        "does, please let somebody be with you, tell your doctor, and keep a crisis line within reach; the emergency "
        "number, if it gets worse.",
        "That matters, and I'd rather ask than guess. Are there thoughts of ending your life? If they come close, "
        "please call a crisis line or your doctor, and the emergency number if it's urgent. Whom could you be with?",
        "I don't want to go past that. Do you sometimes think of ending your life? If it comes close, please don't be "
        "alone with it: go to somebody you trust, or ring your doctor or a crisis line. Who could be with you?",
        "I'm taking that seriously. Does it mean that part of you would sooner not be alive? Please don't be alone "
        "with that: there's your doctor, a crisis line, and the emergency number if it's urgent. Who near you could "
        "know?",
    ),
    "risk_answered": DUTY_LINES["risk_answered"],
    "risk_told": (
        "I hear both sides of that, and I'm glad you said them together. If it comes any closer, a crisis line or the "
        "emergency number is the place to go. Who else knows that it's like this?",
        "Thank you for saying it so plainly. I believe you, and if it ever shifts, please ring your doctor or a crisis "
        "line before it's close. What holds you?",
        "I'd sooner hear that than not. Please let it be known by somebody besides me as well: your doctor, a crisis "
        "line, someone you trust. Who would that be?",
        "I take that as you say it. Should it change, by day or by night, there's a crisis line, and the emergency "
        "number if it's urgent. What helps it to pass?",
    ),
    "nobody": (
        "Then let's find somebody between us. Some people tell their doctor first, some ring a crisis line, where no "
        "name has to be given, and some choose the one person who asks least. Which would be the least hard?",
        "That needn't be settled out of your head. It could be your doctor, it could be a voice on a crisis line, it "
        "could be somebody who only sits with you. Which of those could you picture?",
        "Nobody comes to mind at once, for many people. A crisis line is there at any hour, and your doctor can be "
        "told in one sentence. Which would you sooner begin with?",
    ),
    "denied": (
        "Thank you. I take you at your word, and I won't keep asking. If it ever changes, it's your doctor, a crisis "
        "line, or the emergency number first. What is it that keeps you going?",
        "I believe you, and I asked because you matter more than an awkward question. Should that change, please ring "
        "your doctor or a crisis line, and the emergency number if it's urgent. What holds you, on the harder days?",
        "Thank you for a straight answer, and you may give me another on any other day. If that day comes, please ring "
        "a crisis line or your doctor, and go to somebody you trust. What gets you through, when it's at its worst?",
    ),
    "risk_stayed": (
        "I'm glad we can speak of it. So that I understand how near it is: has there been a time when you thought of a "
        "way of doing it? If one is near, please ring the emergency number or a crisis line first.",
        "Thank you for telling me more. If it stays, please ring your doctor or a crisis line, and don't leave it with "
        "me alone. When it's there, what helps it to pass?",
        "Let's not leave that too quickly. What is it like, when it comes, and what do you do then? Your doctor or a "
        "crisis line can be with you in that at any hour.",
        "I hear that. Let's have one step ready for the next time it comes: somebody you'd go to, or a crisis line "
        "you'd ring. Which would you do first?",
    ),
}
"""What is said at each step; ``nobody`` and ``denied`` are ways of staying with two kinds of answers."""

_NOBODY = re.compile(
    r"\b(?:nobody|no one|not one of them|there(?:'s| is) (?:nobody|no one)|i (?:live|am) alone)\b", re.IGNORECASE
)
_DENIES = re.compile(
    r"^(?:(?:oh|well|god|good lord|look)[,.]? )*(?:no|not (?:that|now|like that)|never|nothing like that|god forbid)\b",
    re.IGNORECASE,
)
_PLAINLY = re.compile(
    r"\b(?:plan|wouldn't|would not|would never|i'd never|not going to|god forbid|a sin|nothing like that)\b",
    re.IGNORECASE,
)
_ALL_OF_IT = 6  # words up to which a "no" is all of the answer
_STILL = re.compile(
    r"\b(?:(?:that|those|these|the same) thoughts?|the thought (?:about|of)|not minding|(?:no|any) plans?|not planning|"
    r"never (?:with|her|him|them|the (?:kids|children|boys|girls))|kill(?:ing)?|die[sd]?|dying|dead|alive|a sin|"
    r"(?:hurt|harm|cut)(?:ting|ing)? myself|stand in its way|tablets|pills|goes by in a second)\b",
    re.IGNORECASE,
)
"""What goes on about danger to life for somebody who has just been asked about it; elsewhere it may mean anything."""


def safety_due(last: str, stayed: int, call: Call, heard_risk: float, since: int, text: str = "") -> SafetyStep | None:
    """Return the step that danger obliges to now, or ``None``.

    Parameters
    ----------
    last : step that was taken in the turn before, empty where there was none. stayed : turns stayed with it by now.
    call : what the patient's words call for. heard_risk : probability that they are about danger.
    since : therapist turns since danger was last spoken of by the therapist. text : the patient's own words.

    Examples
    --------
    >>> safety_due("", 0, "risk", 0.2, 9), safety_due("risk", 0, "thin", 0.0, 0)
    ('risk', 'risk_answered')
    >>> safety_due("risk_answered", 0, "thin", 0.0, 0), safety_due("risk_answered", 0, "pushback", 0.0, 0)
    ('risk_stayed', None)
    >>> safety_due("risk_stayed", 1, "telling", 0.1, 0) is None
    True
    >>> safety_due("risk_stayed", 2, "telling", 0.1, 0, "About once a week, that thought about the car.")
    'risk_stayed'
    """
    if last == "risk":
        return "risk_answered"
    if call == "risk_told":
        return "risk_told"
    if call == "risk":
        return "risk_stayed" if since < _ASKED_LATELY else "risk"
    # Who goes on to a hard thought of another kind is met there.
    elsewhere = call in _OTHER_FIRST or (call == "distortion" and not _STILL.search(text))
    if last == "risk_answered" and not elsewhere:
        return "risk_stayed"
    if since < _STILL_FOR and stayed < _AT_MOST and call not in _OTHER_FIRST and _STILL.search(text):
        return "risk_stayed"
    if last == "risk_stayed" and stayed < _LAST_FOR and heard_risk > _HEARD and call not in _OTHER_FIRST:
        return "risk_stayed"
    # What the explicit nets miss may still be heard: a question too many about dying is the smaller fault.
    return "risk" if heard_risk > _HEARD and since > _ASKED_LATELY else None


def lines_for(step: str, text: str) -> tuple[str, tuple[str, ...]]:
    """Return the name and the bank of what may be said at ``step`` to somebody who just said ``text``.

    Examples
    --------
    >>> lines_for("risk_stayed", "I don't know.")[0], lines_for("risk_stayed", "No. There's no plan.")[0]
    ('nobody', 'denied')
    >>> lines_for("risk_stayed", "It comes at night, mostly.")[0]
    'risk_stayed'
    """
    name = step
    plain = text.replace("’", "'").strip()
    if step == "risk_stayed":
        short = len(plain.split()) <= _ALL_OF_IT
        if _NOBODY.search(plain) or is_non_answer(plain):
            name = "nobody"
        elif _DENIES.match(plain) and (short or _PLAINLY.search(plain)):
            name = "denied"
    return name, SAFETY_LINES[name]
