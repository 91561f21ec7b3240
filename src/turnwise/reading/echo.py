"""Whether a reply is the patient's turn given back whole, word for word."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

__all__ = ["LEAST_WORDS", "NEARLY_ALL", "is_echo", "is_part_of"]

LEAST_WORDS = 6
"""To give a shorter turn back whole is how people reflect ("Every night.")."""
NEARLY_ALL = 0.8
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PERSON = frozenset(
    "i you me my your mine yours myself yourself am are was were i'm you're i've you've i'd you'd i'll you'll".split()
)


@lru_cache(maxsize=8_192)
def _words(text: str) -> Counter[str]:
    words = (w.replace("’", "'") for w in _WORD.findall(text.lower()))
    return Counter("*" if w in _PERSON else w for w in words)


def is_echo(reply: str, said: str) -> bool:
    """Return whether a reply gives a turn back nearly whole and adds nearly nothing.

    Definition: the turn has six words or more, and the words that reply and turn share (each as often as both have it,
    I and you in all their forms being the same) are 0.8 or more of the longer of the two. Not a reflection, which
    selects or rephrases: in AnnoMI 1 of the 2,791 therapist turns that follow a client's is such an echo. Not the
    repetition of a part, however literal.

    Examples
    --------
    >>> said = "I got stuck at the lights with it, on Tuesday."
    >>> is_echo("You got stuck at the lights with it, on Tuesday.", said), is_echo("You got stuck.", said)
    (True, False)
    """
    mine, other = _words(reply), _words(said)
    size = max(mine.total(), other.total())
    return other.total() >= LEAST_WORDS and (mine & other).total() >= NEARLY_ALL * size


def is_part_of(reply: str, said: str) -> bool:
    """Return whether a reply is made of a turn's own words and nearly nothing else, however small a part of it.

    Definition: all but one of its words, or 0.8 or more of them, are the turn's (each as often as the turn has it; I
    and you being the same).
    Not a fault by itself: to give a part back word for word is how people reflect.

    Examples
    --------
    >>> is_part_of("So you got stuck at the lights.", "I got stuck at the lights with it, on Tuesday.")
    True
    """
    mine = _words(reply)
    return (mine - _words(said)).total() <= max(1.0, (1.0 - NEARLY_ALL) * mine.total())
