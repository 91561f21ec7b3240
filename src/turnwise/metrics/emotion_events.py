"""Where a patient names an emotion that was not named before: the events of the epistemic panel.

An operational definition of this project. A short list of words by family stands for "names an emotion": a feeling
told without one of them is missed, except where a simulation says that its patient discloses one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from turnwise.core.nouns import Moment, Trajectory
from turnwise.metrics.met_moments import moments_are_known, moments_of
from turnwise.metrics.said_words import content_stems, plain

__all__ = ["EMOTIONS", "Emotion", "emotions_in", "new_emotions"]

EMOTIONS: Mapping[str, str] = {
    "anger": "angry anger furious fury rage raging resentful resentment annoyed irritated bitter livid mad hate",
    "fear": "afraid scared frightened terrified terror anxious anxiety worried dread panic panicking nervous fear",
    "sadness": "sad sadness unhappy miserable heartbroken tearful depressed sorrow grief grieving gutted",
    "shame": "ashamed shame embarrassed embarrassment humiliated humiliation mortified disgusted",
    "guilt": "guilty guilt remorse",
    "hurt": "hurt betrayed rejected wounded upset disappointed",
    "lonely": "lonely loneliness isolated abandoned",
    "envy": "jealous jealousy envious envy",
    "hopeless": "hopeless helpless despair despairing desperate worthless",
    "empty": "numb numbness emptiness hollow",
    "overwhelm": "overwhelmed swamped",
    "frustration": "frustrated frustration frustrating",
    "relief": "relieved relief",
    "joy": "happy happiness joy glad delighted excited thrilled proud pride grateful",
    "longing": "longing homesick",
}
_FAMILY = {word: family for family, words in EMOTIONS.items() for word in words.split()}
_CLAUSE = re.compile(r"[^,;:.!?…–—]+")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_OWN = frozenset("i i'm i've i'd i'll me myself".split())
_OTHERS = frozenset(
    "you you're your he he's his him she she's her they they're their them we we're people everyone nobody".split()
)
_NOT = frozenset("not never no hardly without don't didn't wasn't isn't weren't aren't can't won't wouldn't".split())
_TOWARDS = frozenset("with at about of by for over that when because towards toward to".split())
_NEAR, _FAR, _OPENING = 3, 8, 3


@dataclass(frozen=True, slots=True)
class Emotion:
    """One emotion as it was named: its family, and what it is about in one word (a stem; empty where not said)."""

    family: str
    about: str = ""


def _is_own(before: list[str]) -> bool:
    """Return whether the words before a word of feeling make it the speaker's own."""
    if _NOT.intersection(before[-_NEAR:]):
        return False
    if before and before[-1] == "my":
        return True
    for word in reversed(before[-_FAR:]):
        if word in _OWN:
            return True
        if word in _OTHERS or word == "my":
            return False
    return len(before) < _OPENING


@lru_cache(maxsize=8_192)
def emotions_in(text: str) -> tuple[Emotion, ...]:
    """Return the emotions of their own that a speaker names in a text, in order.

    Own: the nearest subject before the word, in its clause, is "I", "me" or "my" + the word, or the clause opens with
    it. Denied ones ("not angry") are left out. What it is about is the first word of content after "with", "at",
    "about", "that", …, if one follows.

    Examples
    --------
    >>> emotions_in("I'm furious with my sister. He was scared, and I wasn't angry.")
    (Emotion(family='anger', about='siste'),)
    """
    found = []
    for clause in _CLAUSE.findall(plain(text)):
        words = _WORD.findall(clause)
        for k, word in enumerate(words):
            family = _FAMILY.get(word)
            if family is not None and _is_own(words[:k]):
                found.append(Emotion(family, _about(words[k + 1 :])))
    return tuple(found)


def _about(after: list[str]) -> str:
    at = next((k for k, word in enumerate(after[:2]) if word in _TOWARDS), None)
    if at is None:
        return ""
    return next((stem for word in after[at + 1 :] for stem in content_stems(word)), "")


def _disclosed(t: Trajectory) -> frozenset[int]:
    moments = moments_of(t) if moments_are_known(t) else ()
    return frozenset(i for i, moment in enumerate(moments) if moment == Moment.DISCLOSURE)


def new_emotions(t: Trajectory) -> tuple[int, ...]:
    """Return the patient's turns that name an emotion not named by the patient before, in order.

    New is a family that was not named before, or a known one about something else; a known one about nothing in
    particular is not. A turn at which the simulation emitted the moment ``disclosure`` is one in any case.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> said = ("I'm furious with my sister.", "Furious, I am.", "I'm furious with my dad.")
    >>> new_emotions(Trajectory(session_id="s", source="x", turns=tuple(Turn(speaker="patient", text=x) for x in said)))
    (0, 2)
    """
    told = _disclosed(t)
    named: set[Emotion] = set()
    families: set[str] = set()
    found = []
    for i, turn in enumerate(t.turns):
        emotions = emotions_in(turn.text) if turn.speaker == "patient" else ()
        if i in told or any(e.family not in families or (e.about and e not in named) for e in emotions):
            found.append(i)
        named.update(emotions)
        families.update(e.family for e in emotions)
    return tuple(found)
