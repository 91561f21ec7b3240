"""Words out, placeholders in, and back: exact where a text was not touched in between."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from turnwise.engine.redacting.cues import KIN, TITLES
from turnwise.engine.redacting.lexicon import plain
from turnwise.engine.redacting.spans import Kind, Span
from turnwise.engine.redacting.tokens import tokens_of

__all__ = ["PLACEHOLDER", "Labels", "Mark", "replaced", "restored"]

PLACEHOLDER = re.compile(r"\[(?:NAME|PLACE|ORG|EMAIL|PHONE|URL|HANDLE|ADDRESS|AGE|DATE|ID)_\d+\]")


class Mark(NamedTuple):
    """At ``start`` of a redacted text stands ``placeholder``; ``words`` stood there before."""

    start: int
    placeholder: str
    words: str


@dataclass(slots=True)
class Labels:
    """Which placeholder stands for what, within one session.

    Parameters
    ----------
    taken : placeholders that stand in the session already, as words somebody said: they are not given out.

    Examples
    --------
    >>> labels = Labels()
    >>> [labels.of("NAME", x) for x in ("Anna Weber", "ANNA", "Mrs Weber", "Tom Weber")]
    ['[NAME_1]', '[NAME_1]', '[NAME_1]', '[NAME_2]']
    """

    taken: frozenset[str] = frozenset()
    _known: dict[tuple[Kind, str], str] = field(default_factory=dict)
    _people: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    _numbers: Counter[Kind] = field(default_factory=Counter)

    def of(self, kind: Kind, words: str) -> str:
        """Return the placeholder of ``words``: the same for the same person, number or place."""
        if kind == "NAME":
            return self._person(words)
        key = (kind, re.sub(r"[\W_]+", "", plain(words)) or words)
        if key not in self._known:
            self._known[key] = self._next(kind)
        return self._known[key]

    def _person(self, words: str) -> str:
        parts = tuple(t.plain for t in tokens_of(words))
        name = tuple(p for p in parts if p not in TITLES | KIN) or parts or (plain(words),)
        for known, label in self._people:
            if _letters(name) == _letters(known) or (
                min(len(name), len(known)) == 1 and (name[0] == known[0] or name[-1] == known[-1])
            ):
                if len(name) > len(known):
                    self._people.append((name, label))
                return label
        label = self._next("NAME")
        self._people.append((name, label))
        return label

    def _next(self, kind: Kind) -> str:
        while True:
            self._numbers[kind] += 1
            label = f"[{kind}_{self._numbers[kind]}]"
            if label not in self.taken:
                return label


def _letters(name: Sequence[str]) -> str:
    return re.sub(r"[\W_]+", "", "".join(name)) or "".join(name)


def replaced(text: str, spans: Iterable[Span], labels: Labels) -> tuple[str, list[Mark]]:
    """Return ``text`` with a placeholder for every span, and what :func:`restored` needs to undo it."""
    out: list[str] = []
    marks: list[Mark] = []
    at = length = 0
    for span in spans:
        words = text[span.start : span.end]
        label = labels.of(span.kind, words)
        out += [text[at : span.start], label]
        length += span.start - at
        marks.append(Mark(length, label, words))
        length += len(label)
        at = span.end
    return "".join([*out, text[at:]]), marks


def restored(text: str, marks: Sequence[Mark]) -> str | None:
    """Return what ``text`` was before; ``None`` if a placeholder is not where it was put.

    Examples
    --------
    >>> short, marks = replaced("Anna's", [Span(0, 4, "NAME")], Labels())
    >>> short, restored(short, marks), restored("so " + short, marks)
    ("[NAME_1]'s", "Anna's", None)
    """
    out: list[str] = []
    at = 0
    for start, placeholder, words in marks:
        if start < at or text[start : start + len(placeholder)] != placeholder:
            return None
        out += [text[at:start], words]
        at = start + len(placeholder)
    return "".join([*out, text[at:]])
