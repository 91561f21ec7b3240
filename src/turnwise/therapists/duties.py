"""What any responsible therapist answers before anything else, whatever its school.

A question whether it is a person gets the truth; words about dying get a direct question and the
way to human help; a goodbye gets a goodbye. Danger is heard by the ear for it (``reading.ears.danger``), the others
by explicit words only; none of it is a risk assessment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from turnwise.reading.ears.danger import is_danger

__all__ = ["DUTIES", "DUTY_LINES", "Duty", "duty", "identity_lines"]

Duty = Literal["risk", "risk_answered", "identity", "memory", "goodbye", "silence"]
DUTIES: tuple[Duty, ...] = ("risk", "risk_answered", "identity", "memory", "goodbye", "silence")

_IDENTITY = re.compile(
    r"\b(?:are you (?:a |an )?(?:real|human|person|machine|robot|computer|bot|ai|program)|real person|a person there|"
    r"(?:speaking|talking) (?:with|to) (?:a |an )?(?:real |human |actual )?(?:person|human|machine|computer|robot|bot)|"
    r"one of (?:these|those) (?:machines|computer\w*|bots)|is this (?:a |an )?(?:machine|computer|"
    r"robot|bot|person))\b",
    re.IGNORECASE,
)
_MEMORY = re.compile(
    r"\b(?:will you (?:have|remember|still|know)|(?:do you|you) still have (?:that|this|it)|"
    r"going to remember (?:any|this|that|me)|remember (?:any of )?this (?:next|tomorrow)|start (?:again|"
    r"over) (?:from|at|with)|"
    r"begin again with)\b",
    re.IGNORECASE,
)
_GOODBYE = re.compile(
    r"^(?:\W*(?:right|okay|ok|well|so|all right|thanks|thank you)\W+)*(?:goodbye|good-bye|bye(?: now| then)?|"
    r"see you (?:next|then|soon)"
    r"(?: week| time)?)\W*$",
    re.IGNORECASE,
)

DUTY_LINES: Mapping[Duty, tuple[str, ...]] = {
    "risk": (
        "I want to stop on that, because it matters, and whatever the answer is, a doctor or a crisis line is there "
        "for "
        "it. Are you having thoughts of ending your life?",
        "Let me ask you something directly about what you just said. If it's close now, ring a crisis line or the "
        "emergency number first. Are you thinking about suicide, or about not being alive?",
        "I'd rather ask than guess, and there are people for this whatever you say, your doctor or a crisis line. When "
        "you say that, is any part of you thinking of harming yourself?",
        "I don't want to go past that. There's help for it, your doctor by day and a crisis line at any hour, so it "
        "can be said. Do you mean that you'd sooner not be alive?",
        "Can I ask you plainly, and you can be as plain back? If it were urgent I'd want you to ring the emergency "
        "number or a crisis line. Have you been thinking about dying, or of ending your life?",
    ),
    "risk_answered": (
        "Thank you for answering that straight. If it ever comes closer, please don't be alone with it: ring your "
        "doctor "
        "or a crisis line, and the emergency number if it's urgent. Who is there that you could tell?",
        "I'm taking that seriously. A person should know of it besides me: your doctor or a crisis line, and the "
        "emergency services if it gets urgent. Is there someone near you who knows?",
        "It was right to say so. If thoughts of that kind come closer, please call a crisis line or the emergency "
        "number, or go to somebody you trust. What keeps you safe at the moment?",
        "I'm glad you told me how it is. I'm a program, and a person should be in on this: your doctor, a crisis "
        "line, or the emergency number if it turns urgent. Who would you find it easiest to tell?",
        "I hear that. Please tell your doctor what you've told me, and if it gets worse, ring a crisis line or go to "
        "somebody you trust. Who could be with you then?",
    ),
    "identity": (
        "It's right to ask. No, there's no person here: I'm a computer program, and I don't have feelings of my own. "
        "How is it for you, knowing that?",
        "No, I'm not a person. I'm a program that listens and asks. What difference does that make to you?",
        "You're talking with a program, not with a person, and I won't pretend otherwise. I can listen and ask, and I "
        "don't feel anything myself. Does that change what you'd like to talk about?",
        "No person, only a program that answers. It's fair to want to know that. If you'd want somebody human for "
        "some of "
        "this, I'd back you in that. How do you want to go on?",
        "I'm a computer program, and I won't pretend otherwise. If you'd rather have a person, that's a good thing to "
        "want. How would you like to go on?",
    ),
    "memory": (
        "I can't promise that I'll have any of this next time. If there's something you don't want to lose, a "
        "few words on paper "
        "would keep it for you.",
        "I don't want to promise what I can't keep: I may not have this next time. We could put the main points "
        "into a few words "
        "before we stop, so that you have them.",
    ),
    "goodbye": (
        "Goodbye, and thank you for talking with me. Take care of yourself.",
        "Thank you for today. Take care on your way.",
        "All right. Thank you for what you've told me. Goodbye for now.",
    ),
    "silence": (
        "There's no hurry. I'm listening.",
        "We can be quiet for a bit. Take the time you need.",
        "It's all right not to have words for it straight away.",
        "Whenever you're ready, start anywhere.",
        "Would it help if I asked something, or would you rather have a minute?",
        "Nothing has to be said quickly here.",
    ),
}


_AND_KEPT: tuple[str, ...] = (
    "I'm a program, not a person. And I can't promise that I'll have any of this next time; what the service keeps of "
    "it, they can tell you. What would you want to have kept, if anything?",
    "I'm a program, no person: that's the first. The second I can't promise, I may not have this next time, so what "
    "matters to you is better put into a few words of your own before we stop. What would be in them?",
)
_AND_READ: tuple[str, ...] = (
    "There's no person at this end, I'm a program. What we say may be kept by the service that runs me, and who reads "
    "it there they have to tell you. What would you leave out, if you were sure that somebody read it?",
    "I'm a program. What's said here may go into a record at the service, and you've a right to ask them who sees it. "
    "How does it sit with you, to talk here until you know?",
)
_NO_MATTER: tuple[str, ...] = (
    "I'm a program, not a person. You said it's all right either way, so we can go on from where you were. What were "
    "you going to say?",
    "I'm a program, no person, and as you say, it needn't matter. Where would you like to go on?",
)
_NO_PREFERENCE = re.compile(
    r"\b(?:no preference|either way|all the same to me|makes no (?:odds|difference)|not bothered|don't mind which)\b",
    re.IGNORECASE,
)
_READS = re.compile(
    r"\bwho (?:sees|reads)\b|\bgo(?:es)? (?:straight )?into (?:something|a (?:file|record|form))\b|\bwho(?:'s| is) "
    r"(?:writing|reading)\b",
    re.IGNORECASE,
)


def identity_lines(text: str, *, remembered: bool) -> tuple[str, tuple[str, ...]]:
    """Return the name and the lines for a question who is speaking, by what else was asked in the same breath.

    Parameters
    ----------
    text : what the patient said. remembered : whether it asks, too, what will be left of this next time.

    Examples
    --------
    >>> [identity_lines(said, remembered=False)[0] for said in ("Is this a machine?", "A bot? I'm not bothered.")]
    ['identity', 'identity_either']
    """
    plain = text.replace("’", "'")
    if remembered:
        return "identity_kept", _AND_KEPT
    if _READS.search(plain):
        return "identity_read", _AND_READ
    return ("identity_either", _NO_MATTER) if _NO_PREFERENCE.search(plain) else ("identity", DUTY_LINES["identity"])


def duty(text: str, *, asked_about_risk: bool) -> Duty | None:
    """Return what the patient's words oblige a therapist to answer first, or ``None``.

    Parameters
    ----------
    text : what the patient just said.
    asked_about_risk : the therapist's last turn asked about risk, so this is the answer to it.

    Examples
    --------
    >>> duty("Is this a machine?", asked_about_risk=False)
    'identity'
    >>> duty("I wouldn't mind not waking up.", asked_about_risk=False)
    'risk'
    >>> duty("The end of it was I sold the car.", asked_about_risk=False) is None
    True
    """
    if asked_about_risk:
        return "risk_answered"
    if _GOODBYE.match(text.strip()):
        return "goodbye"
    if is_danger(text):
        return "risk"
    if _IDENTITY.search(text):
        return "identity"
    if _MEMORY.search(text):
        return "memory"
    return "silence" if not re.search(r"\w", text) else None
