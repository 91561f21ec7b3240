"""A session as a list of chat messages, and back: what goes over the wire to and from participants elsewhere.

For a therapist elsewhere the patient is ``user`` and its own turns are ``assistant``; what the intake says is the
``system`` message. Nothing else crosses: no case, no state, no label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Cue, Intake, Speaker, Transcript, Turn

__all__ = ["MOST_CHARACTERS", "OPENER", "SILENCE", "as_messages", "as_transcript", "intake_of", "intake_words"]

OPENER = "(The session begins. You speak first.)"
"""Stands as the first ``user`` message where the therapist opens: many services refuse a chat that has none."""
MOST_CHARACTERS = 100_000
"""Of one turn: an hour of speech has fewer."""
SILENCE = "(silence)"
"""Stands for a turn without words: many services refuse a message without content."""
_KNOWN = "What is known of the person you are about to talk with:"
_INTAKE = re.compile(
    rf"{re.escape(_KNOWN)}(?:\nAge: (?P<age>-?\d+))?(?:\nGender: (?P<gender>[^\n]*))?(?:\nReferral: (?P<referral>.*))?",
    re.DOTALL,
)
_UNHEARD = ("system", "developer")
_TEXT_PARTS = ("text", "input_text", "output_text")


def intake_words(intake: Intake) -> str:
    """Return what the intake says, in words; empty where it says nothing.

    Examples
    --------
    >>> print(intake_words(Intake(age=71, referral="Sleeps badly.")))
    What is known of the person you are about to talk with:
    Age: 71
    Referral: Sleeps badly.
    """
    lines = [] if intake.age is None else [f"Age: {intake.age}"]
    lines += [] if intake.gender is None else [f"Gender: {' '.join(intake.gender.splitlines())}"]
    lines += [f"Referral: {intake.referral}"] if intake.referral else []
    return "\n".join([_KNOWN, *lines]) if lines else ""


def intake_of(words: str) -> Intake:
    """Return the intake that :func:`intake_words` put into words; any other text is taken for a referral.

    Examples
    --------
    >>> intake_of(intake_words(Intake(age=71, gender="woman")))
    Intake(age=71, gender='woman', referral='')
    >>> intake_of("You are a kind helper.").referral
    'You are a kind helper.'
    """
    found = _INTAKE.fullmatch(words)
    if found is None:
        return Intake(referral=words)
    age = found["age"]
    return Intake(age=None if age is None else int(age), gender=found["gender"], referral=found["referral"] or "")


def as_messages(intake: Intake, transcript: Transcript) -> list[dict[str, str]]:
    """Return a session as a therapist elsewhere is shown it: the intake, then who said what.

    A chat that the therapist opens begins with :data:`OPENER` and keeps it, so that ``user`` and ``assistant``
    alternate whenever the speakers do. Cues are not sent; a turn without words is :data:`SILENCE`.

    Examples
    --------
    >>> [m["role"] for m in as_messages(Intake(age=71), (Turn(speaker="therapist", text="Hello."),))]
    ['system', 'user', 'assistant']
    """
    words = intake_words(intake)
    messages = [{"role": "system", "content": words}] if words else []
    if not transcript or transcript[0].speaker == "therapist":
        messages.append({"role": "user", "content": OPENER})
    role = {"therapist": "assistant", "patient": "user"}
    messages += [
        {"role": role[turn.speaker], "content": turn.text if turn.text.strip() else SILENCE} for turn in transcript
    ]
    return messages


def as_transcript(messages: Sequence[Any], own: Speaker) -> tuple[str, Transcript]:
    """Return what the system messages say, and the turns, of a chat in which ``own`` is the ``assistant``.

    Raises
    ------
    FormatError : a message is not one, has a role that is none here, or content that is not text.

    Examples
    --------
    >>> as_transcript([{"role": "user", "content": OPENER}], "therapist")
    ('', ())
    >>> as_transcript([{"role": "user", "content": "How are you?"}], "patient")[1][0].speaker
    'therapist'
    """
    other: Speaker = "patient" if own == "therapist" else "therapist"
    told: list[str] = []
    turns: list[Turn] = []
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise FormatError("messages", f"message {i}", "is not an object with role and content")
        role, text = message.get("role"), _text(message.get("content"), i)
        if role in _UNHEARD:
            told.append(text)
        elif role == "user" and text == OPENER and own == "therapist" and not turns:
            continue
        elif role in ("user", "assistant"):
            silent = not text.strip() or text == SILENCE
            cues = (Cue(kind="pause"),) if silent else ()
            turns.append(Turn(speaker=own if role == "assistant" else other, text="" if silent else text, cues=cues))
        else:
            raise FormatError("messages", f"message {i}", "has a role that is not system, developer, user or assistant")
    return "\n\n".join(told), tuple(turns)


def _text(content: Any, i: int) -> str:
    if isinstance(content, list):
        parts = [
            p.get("text") if isinstance(p, Mapping) and p.get("type", "text") in _TEXT_PARTS else None for p in content
        ]
        content = "\n".join(p for p in parts if isinstance(p, str)) if all(isinstance(p, str) for p in parts) else None
    if not isinstance(content, str):
        raise FormatError("messages", f"message {i}", "has content that is not text", "participants hear words only")
    if len(content) > MOST_CHARACTERS:
        problem = f"has {len(content):,} characters; at most {MOST_CHARACTERS:,} are one turn"
        raise FormatError("messages", f"message {i}", problem)
    if not content.isascii() and any("\ud800" <= c <= "\udfff" for c in content):
        raise FormatError("messages", f"message {i}", "has half a character (a lone surrogate)", "send whole text")
    return content
