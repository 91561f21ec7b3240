"""Which thought of the patient lies on the table when a therapist speaks, and what of their words is quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from turnwise.core.nouns import Moment
from turnwise.patients.index import CaseIndex
from turnwise.patients.memory import Memory
from turnwise.patients.words import content_words, word_set

__all__ = ["LATELY", "on_a_thought", "quotes"]

_QUOTED = re.compile(r"[\"“][^\"”]+[\"”]")


def quotes(text: str, lines: Sequence[str]) -> bool:
    """Whether a turn quotes something of what was said, in quotation marks."""
    said = word_set(" ".join(lines))
    quoted = (word_set(q) for q in _QUOTED.findall(text))
    return any(len(q) >= _LEAST_QUOTED and len(q & said) >= _SAME * len(q) for q in quoted)


_LEAST_QUOTED, _SAME = 3, 0.8
"""Words from which quotation marks hold a quotation, and how many of them have to be the other's."""


def on_a_thought(index: CaseIndex, memory: Memory, text: str) -> bool:
    """Whether a turn has a thought to be about: one just told, or one that it names.

    Asked over the bus timetable, "what speaks against that?" makes nobody think twice about themselves.
    """
    lately = [index.tellings[name] for name in memory.said[-LATELY:] if name in index.tellings]
    if any(t.moment in _VOICES or set(t.answers) & _OF_A_THOUGHT or t.function == "evidence" for t in lately):
        return True
    asked = content_words(text)
    voiced = (index.tellings[name] for name in memory.said if name in index.tellings)
    thoughts = (t for t in voiced if t.moment in _VOICES or set(t.answers) & _OF_A_THOUGHT)
    return any(len(asked & content_words(" ".join(t.beats))) >= _NAMED or quotes(text, t.beats) for t in thoughts)


LATELY = 3
"""Tellings back that are still on the table: Padesky's four steps take about that many exchanges."""
_NAMED = 2
"""Words of a thought by which it is named."""
_VOICES = (Moment.DISTORTION, Moment.BAIT, Moment.INSIGHT)
_OF_A_THOUGHT = frozenset(("thought", "means_about_you", "belief", "fear"))
