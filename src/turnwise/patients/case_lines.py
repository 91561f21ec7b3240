"""Everything a case holds that could be told, as sets of words: what a patient must not let out before its time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwise.patients.index import CaseIndex
from turnwise.patients.schema import CaseFile
from turnwise.patients.words import content_words
from turnwise.reading.ears.intents import paraphrases
from turnwise.reading.ears.questions import EMOTIONS

__all__ = ["CaseLines", "lines_of"]

_LEAST, _SHARE = 2, 0.5
"""Words of an untold line that have to turn up together, and the share of its weight that they have to carry."""
_NOT_TOLD = ("id", "level", "function", "affect", "intensity", "moment", "ask", "asks", "answers", "needs", "leads_to")


@dataclass(frozen=True, slots=True)
class CaseLines:
    """The lines of a case as content words, and how rare each word is in them.

    Examples
    --------
    >>> secret = content_words("I put the letter behind the clock.")
    >>> lines = CaseLines((secret,), frozenset())
    >>> lines.told_too_early(content_words("There is a letter behind my clock"), frozenset())
    True
    >>> lines.told_too_early(content_words("I wrote a letter"), frozenset()), lines.told_too_early(secret, secret)
    (False, False)
    """

    lines: tuple[frozenset[str], ...]
    always: frozenset[str]
    """Words of the intake: known from the start."""
    weight: Mapping[str, float] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()
    """Words that give a subject away by being said at all: of a topic, and in nothing that is told openly."""

    def told_too_early(self, said: frozenset[str], released: frozenset[str]) -> bool:
        """Whether ``said`` gives away a line of which ``released`` words do not already tell."""
        known = released | self.always
        fresh = said - known
        if fresh & self.marks:
            return True
        if len(fresh) < _LEAST:
            return False
        for line in self.lines:
            hit = fresh & line
            if len(hit) >= _LEAST and self._sum(hit) >= _SHARE * self._sum(line - known):
                return True
        return False

    def _sum(self, words: Iterable[str]) -> float:
        return sum(self.weight.get(w, 1.0) for w in words)


def _texts(value: Any, key: str = "") -> Iterator[str]:
    """Yield every text of a part of a case that somebody could let out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in _NOT_TOLD:
                yield from _texts(inner, str(name))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, key)


_known: dict[str, CaseLines] = {}


def lines_of(index: CaseIndex) -> CaseLines:
    """Return the lines of a case, computed once per content.

    Tellings, propositions, facts, formulation, people and notes; not the banks of short lines, which tell nothing.
    """
    if index.key not in _known:
        file = index.file.model_dump(mode="json")
        parts = ("notes", "formulation", "people", "tellings", "propositions", "facts", "own_advice")
        lines = {content_words(text) for part in parts for text in _texts(file[part])}
        kept = tuple(sorted((x for x in lines if len(x) >= _LEAST), key=sorted))
        df = Counter(w for line in kept for w in line)
        _known[index.key] = CaseLines(
            kept,
            content_words(index.file.intake.referral),
            {w: math.log((1 + len(kept)) / n) for w, n in df.items()},
            _marks(index.file),
        )
    return _known[index.key]


def _marks(file: CaseFile) -> frozenset[str]:
    """Return the words of topics that no open telling, fact or short line of the case holds, nor anybody's questions.

    Of a letter behind the clock, "envelope" tells by itself; "tired" tells nothing.
    """
    words = content_words(" ".join(w for name, t in file.topics.items() if name != "risk" for w in t.words))
    open_tellings = " ".join(x for t in file.tellings if t.level == 0 for x in (*t.beats, *t.wordings))
    others = " ".join([open_tellings, *(x.say for x in file.facts), *_texts(file.reactions.model_dump(mode="json"))])
    asked = " ".join(a for asks in paraphrases().values() for a in asks)
    return words - content_words(others) - content_words(asked) - frozenset(content_words(" ".join(EMOTIONS)))
