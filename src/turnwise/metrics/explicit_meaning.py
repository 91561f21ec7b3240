"""What a patient makes explicit after an emotion: what it says of the person, of the world, of people together.

After Curry & Cercas Curry (2023), who argue that an emotion informs the person about what they value, others about
how the person sees the world, and observers about norms between people. Nothing was measured there: that a sentence
has one of these roles is told here by patterns of wording, an operational definition of this project.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from turnwise.core.nouns import Trajectory
from turnwise.metrics.emotion_events import new_emotions
from turnwise.metrics.said_words import content_stems, sentences

__all__ = ["ROLES", "WINDOW", "Meaning", "Role", "meanings_after", "roles_in"]

Role = Literal["value", "world", "between"]
WINDOW = 3
"""Patient turns after an emotion in which what is made explicit counts for it."""
_LEAST_NEW = 2
_PERSON = r"(?:he|she|they|we|my \w+|our \w+|people|everyone|everybody|nobody|no one)"
ROLES: Mapping[Role, str] = {
    "value": r"\bi(?:'d|'ll| do| don't)? (?:just |really |only |always |still |never )?(?:need|want|care|value|wish"
    r"|hope|deserve|long|miss|love|can't (?:bear|stand|lose)|couldn't (?:bear|stand))(?:ed|d|s)?\b"
    r"|\b(?:matter|mean|count)(?:s|ed)? (?:\w+ )?(?:to|for) me\b|\bmeant (?:\w+ )?(?:to|for) me\b"
    r"|\bi'd rather\b|\bmy own\b|\bi(?:'m| am)? (?:should|supposed to) be\b|\bimportant to me\b"
    r"|\bwhat i (?:need|want|value|care)\b|\bto me\b[^.]{0,40}\b(?:matters|comes first|everything)\b",
    "world": r"\bwe (?:\w+ )?(?:have to|only|never|always)\b"
    r"|\b(?:people|everyone|everybody|nobody|no one|men|women|others|the world|life|things) (?:\w+ )?"
    r"(?:are|is|always|never|just|don't|won't|can't|only|gets?|ends?|goes)\b|\byou can(?:'t| never) (?:\w+ )?(?:trust"
    r"|rely|count|win|know)\b|\bthat's (?:just )?how (?:it|things|the world|life)\b|\b(?:nothing|everything) (?:ever )?"
    r"(?:lasts|changes|works|matters|ends|goes|falls)\b|\bit always (?:\w+ )?(?:ends|goes|happens|falls|comes)\b",
    "between": rf"\b{_PERSON}(?:'s|'ve|'d|'re|'ll)? [^.!?]{{0,60}}\b(?:me|us)\b"
    rf"|\b{_PERSON} (?:says?|said|thinks?|thought) (?:that )?i\b"
    rf"|\b{_PERSON}(?:'s|'ve|'d|'re|'ll)? (?:\w+ )?(?:decid|ignor|treat|expect|listen|promis|blam|owe|trust"
    r"|leave|left|lie|shut|judg|respect|never|always|should|shouldn't|supposed|talk to me|look at me)\w*\b"
    r"|\b(?:without|behind|instead of|in front of) (?:asking |telling )?(?:me|us|my back)\b"
    r"|\bbetween (?:us|him|her|them)\b|\b(?:isn't|not|wasn't|only) fair\b|\beach other\b"
    r"|\b(?:should|shouldn't|ought to|supposed to) have\b"
    r"|\bin (?:this|our|my) family\b",
}
_PATTERNS = tuple((role, re.compile(pattern)) for role, pattern in ROLES.items())


@dataclass(frozen=True, slots=True)
class Meaning:
    """What was made explicit after one emotion: how many sentences (triples) and in which roles."""

    turn: int
    triples: int
    roles: frozenset[Role]


@lru_cache(maxsize=8_192)
def roles_in(sentence: str) -> frozenset[Role]:
    """Return the roles of a plain sentence.

    Examples
    --------
    >>> sorted(roles_in("she decided about mum without me, and i need to count in this family"))
    ['between', 'value']
    >>> roles_in("yeah")
    frozenset()
    """
    return frozenset(role for role, pattern in _PATTERNS if pattern.search(sentence))


def meanings_after(t: Trajectory) -> tuple[Meaning, ...]:
    """Return what the patient made explicit after each new emotion that was followed by a patient's turn.

    A sentence of the patient's counts once, for the latest emotion among the three patient turns before it, if it has
    a role and at least two words of content that nobody had said. So what the therapist said first counts only where
    the patient adds to it, and a plain "yes" does not.

    Examples
    --------
    >>> meanings_after(Trajectory(session_id="s", source="x"))
    ()
    """
    events = set(new_emotions(t))
    if not events:
        return ()
    said: set[str] = set()
    found: dict[int, tuple[int, frozenset[Role]]] = {}
    event, since = -1, 0
    for i, turn in enumerate(t.turns):
        if turn.speaker == "patient" and event >= 0:
            since += 1
            triples, roles = found.get(event, (0, frozenset()))
            for sentence in sentences(turn.text) if since <= WINDOW else ():
                stems, mine = content_stems(sentence), roles_in(sentence)
                if mine and len(stems - said) >= _LEAST_NEW:
                    triples, roles = triples + 1, roles | mine
                said |= stems
            found[event] = (triples, roles)
        if i in events:
            event, since = i, 0
        said |= content_stems(turn.text)
    return tuple(Meaning(turn, *what) for turn, what in found.items())
