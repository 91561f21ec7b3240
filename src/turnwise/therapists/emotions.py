"""Emotions that a patient has put into words, and only those.

A therapist that names a feeling nobody voiced is making it up, so everything that names one asks
here first. A word counts when the patient says it of themselves: "Wiebke's disappointed" is not
the speaker's disappointment, and "I'm not angry" is not anger.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from turnwise.therapists.clauses import clauses

__all__ = ["NAMES", "Voiced", "voiced"]

NAMES: dict[str, tuple[str, str]] = {
    "afraid": ("afraid", "fear"),
    "angry": ("angry", "anger"),
    "anxious": ("anxious", "anxiety"),
    "ashamed": ("ashamed", "shame"),
    "bitter": ("bitter", "bitterness"),
    "confused": ("confused", "confusion"),
    "desperate": ("desperate", "desperation"),
    "disappointed": ("disappointed", "disappointment"),
    "embarrassed": ("embarrassed", "embarrassment"),
    "exhausted": ("exhausted", "exhaustion"),
    "fear": ("afraid", "fear"),
    "foolish": ("foolish", "feeling of being foolish"),
    "frightened": ("frightened", "fear"),
    "frustrated": ("frustrated", "frustration"),
    "furious": ("furious", "fury"),
    "grief": ("full of grief", "grief"),
    "guilt": ("guilty", "guilt"),
    "guilty": ("guilty", "guilt"),
    "helpless": ("helpless", "helplessness"),
    "hopeless": ("hopeless", "hopelessness"),
    "humiliated": ("humiliated", "humiliation"),
    "jealous": ("jealous", "jealousy"),
    "lonely": ("lonely", "loneliness"),
    "lonesome": ("lonesome", "loneliness"),
    "mad": ("mad", "anger"),
    "miserable": ("miserable", "misery"),
    "nervous": ("nervous", "nervousness"),
    "numb": ("numb", "numbness"),
    "overwhelmed": ("overwhelmed", "sense of being overwhelmed"),
    "panicky": ("panicky", "panic"),
    "proud": ("proud", "pride"),
    "relieved": ("relieved", "relief"),
    "sad": ("sad", "sadness"),
    "sadness": ("sad", "sadness"),
    "scared": ("scared", "fear"),
    "shame": ("ashamed", "shame"),
    "tense": ("tense", "tension"),
    "terrified": ("terrified", "terror"),
    "tired": ("tired", "tiredness"),
    "upset": ("upset", "hurt"),
    "wary": ("wary", "wariness"),
    "worried": ("worried", "worry"),
}
"""Word as said -> the adjective and the noun in which it may be given back."""

_WORD = re.compile(r"[a-z']+")
_SELF = frozenset(re.findall(r"\S+", "i i'm i've i'd i'll me my myself im ive"))
_NOT = frozenset(
    re.findall(r"\S+", "not no never isn't wasn't don't didn't ain't hardly without aren't couldn't nothing")
)
_OTHERS = frozenset(("everybody", "everyone", "nobody", "somebody", "someone", "people", "they", "all"))
_AROUND = frozenset(
    re.findall(r"\S+", "so very just a bit and really more mostly only well quite pretty too still also like")
)


@dataclass(frozen=True, slots=True)
class Voiced:
    """An emotion the patient said they have: the word used, and how it may be given back."""

    word: str
    adjective: str
    noun: str


@lru_cache(maxsize=512)
def voiced(text: str) -> tuple[Voiced, ...]:
    """Return the emotions that ``text`` voices as the speaker's own, in order, each once.

    Not a classifier of moods: what is meant but not said is not returned, nor what is denied or
    said of somebody else.

    Examples
    --------
    >>> [v.noun for v in voiced("I was ashamed, and tired.")]
    ['shame', 'tiredness']
    >>> voiced("I'm not angry. She's disappointed in me.")
    ()
    """
    found: dict[str, Voiced] = {}
    for clause in clauses(text):
        words = _WORD.findall(clause.lower())
        for i, word in enumerate(words):
            if word in NAMES and _own(words[:i], words[i + 1 :]) and word not in found:
                found[word] = Voiced(word, *NAMES[word])
    return tuple(found.values())


def _own(before: list[str], after: list[str]) -> bool:
    if any(word in _NOT or word.endswith("n't") for word in before[-4:]) or (after and after[0] == "of" and not before):
        return False
    if before and before[0] in _OTHERS:
        return False
    if all(word in _AROUND for word in before):
        return len(after) <= 3
    # The nearest person before the word has it: "I told her she's sad" is hers.
    for word in reversed(before):
        if word in _SELF:
            return True
        if re.fullmatch(r"(?:he|she|they|you|it|we|who|that|this|there)(?:'\w+)?|\w+'s|her|him|them", word):
            return False
    return False
