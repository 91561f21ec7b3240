"""What is left of a spoken turn when its hesitations are gone, and the part of it that the turn is about."""

from __future__ import annotations

import re

from turnwise.reading.sentences import split_sentences

__all__ = ["is_non_answer", "main_part", "plain_speech"]

_HESITATION = r"(?:um+|uh+|erm*|em|eh|ah|hm+|mm+)"
_ASIDE = (
    r"(?:like|you know(?: what I mean)?|you see|I mean|d'you know(?: what I mean)?|as it were|mate|so to say|"
    r"so to speak|I guess)"
)
_BETWEEN = re.compile(rf",\s*(?:{_HESITATION}|{_ASIDE})(?:,\s*(?:{_HESITATION}|{_ASIDE}))*,(?=\s)", re.IGNORECASE)
_AT_END = re.compile(rf",\s*(?:{_HESITATION}|{_ASIDE})(?=[.?!]|$)", re.IGNORECASE)
_AT_START = re.compile(rf"(?:(?<=^)|(?<=[.?!]\s)){_HESITATION}(?:,|[.!?])?\s+", re.IGNORECASE)
_LOOSE = re.compile(rf"(?<=\s){_HESITATION},?\s+", re.IGNORECASE)
_RESTART = re.compile(r"\b([\w']+(?: [\w']+){0,2}),\s+\1\b", re.IGNORECASE)
_NON_ANSWER = re.compile(
    r"^(?:(?:well|hm+|mm|no|um|sorry)\W+)*(?:I (?:don't|do not|couldn't|can't|cannot|"
    r"wouldn't) (?:really )?(?:know|say|tell you|"
    r"think)\b.*|I(?:'m| am) not (?:really )?sure\b.*|I(?:'m| am) not sure(?:, really)?|(?:no idea|not sure|"
    r"dunno|couldn't (?:say|tell you)|"
    r"hard to say|nothing(?:'s)? (?:comes|coming)(?: up| to mind)?|there(?:'s| is) nothing in my head.*|pass|"
    r"wrong department)\b.*|I(?:'d| would)(?: only)? be "
    r"(?:guessing|inventing|making it up).*|I(?:'ve| have)(?: got)? no idea.*|I(?:'ve|"
    r" have) never (?:really )?thought about (?:it|that)|I haven't a (?:thought|notion|clue).*|"
    r"you'd have to give me time.*|I don't have (?:that one|an answer).*)$",
    re.IGNORECASE,
)
_TURN_AWAY = re.compile(
    r"^(?:(?:sorry|okay|oh|but|and|um|well|wait|hang on|hold on|actually|only|here)[,.]?\s+)*(?:can I (?:just |"
    r"also )?(?:say|ask|tell|"
    r"go|get|put|add|be straight|mention|interrupt)\b.*|before (?:I|you|we) (?:forget|lose|go|finish|stop)\b.*|"
    r"(?:there(?:'s| is) )?"
    r"(?:something|one|another|an other|one more|one small) (?:else|thing|matter|other thing)\b.*|"
    r"something came to mind.*|hang on\b.*|"
    r"wait\b.*|hold on\b.*|quick one|separately|while I think of it|never mind that.*|by the way|(?:it's|"
    r"this is|this isn't|it is) "
    r"(?:nothing to do with|not what you ask|what you ask|kind of off|a bit off|off the|not important|"
    r"not about that|kind of "
    r"dumb|nothing to do).*|excuse me.*|if I may|may I (?:add|say|ask)\b.*|let me (?:ask|say|tell)\b.*|allow me.*|"
    r"I (?:meant|wanted|should mention|turn|forgot|was thinking)\b.*|that (?:re)?minds me|"
    r"only there's this|one thing out of order|forgive the question|other thing|although|I know you've asked me.*|"
    r"something from earlier.*|is that okay|right)\W*$",
    re.IGNORECASE,
)


def plain_speech(text: str) -> str:
    """Return ``text`` without fillers and words begun twice; every other word stays as it was said.

    Examples
    --------
    >>> plain_speech("Um, he lives with, with us now, you know. And, um, I've, I've to look.")
    "He lives with us now. And I've to look."
    """
    out = text.replace("’", "'")
    for pattern in (_BETWEEN, _AT_END, _AT_START, _LOOSE):
        out = pattern.sub("", out)
    out = re.sub(r"\s+", " ", out).strip()
    for _ in range(3):
        shorter = _RESTART.sub(r"\1", out)
        if shorter == out:
            break
        out = shorter
    out = re.sub(r"\s+([,.?!])", r"\1", out).lstrip(", ")
    out = re.sub(r"([.?!]) ([a-z])", lambda m: f"{m[1]} {m[2].upper()}", out)
    return out[:1].upper() + out[1:] if out else text.strip()


def is_non_answer(sentence: str) -> bool:
    """Whether a sentence only says that there is no answer to what was asked.

    Examples
    --------
    >>> is_non_answer("I couldn't tell you why."), is_non_answer("I don't know him, he only moved in last year.")
    (True, False)
    """
    bare = sentence.strip().rstrip(".?!…")
    words = len(bare.split())
    # "I don't know him, he moved in last year" is something said; "I couldn't tell you, God forgive me" is not.
    return _NON_ANSWER.match(bare) is not None and words <= 14 and (words <= 8 or "," not in bare)


def main_part(text: str) -> str:
    """Return the part of a turn that it is about: what comes after a turning away, and not a mere non-answer before it.

    Where nothing else was said, all of it is the part.

    Examples
    --------
    >>> main_part("I don't know. Can I say a thing. Are you a person?")
    'Are you a person?'
    >>> main_part("I was ashamed. I went home.")
    'I was ashamed. I went home.'
    """
    sentences = split_sentences(text)
    start = 0
    for i, sentence in enumerate(sentences[:-1]):
        if _TURN_AWAY.match(sentence.strip()) or (i == start and is_non_answer(sentence)):
            start = i + 1
    return " ".join(sentences[start:]) if sentences else text
