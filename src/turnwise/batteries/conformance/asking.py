"""Interviews that ask everything twice: the lines, and what each of them asks, made from a case file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from turnwise.core.nouns import Case

__all__ = ["APART", "Asked", "Form", "Interview", "declarative", "interviews", "negated"]

Form: TypeAlias = Literal["plain", "negated", "declarative"]
APART = 15
"""Patient turns between one asking and the next."""
_OPENING = "Hello. What brings you here today?"
_BETWEEN = ("Mm-hm.", "Right.", "Okay.", "I see.")
_SPACING = 2
_PER_SESSION = (APART - 1) // _SPACING
_AUXILIARY = {
    "do": "don't", "does": "doesn't", "did": "didn't", "are": "aren't", "is": "isn't", "was": "wasn't",
    "were": "weren't", "have": "haven't", "has": "hasn't", "had": "hadn't", "can": "can't", "could": "couldn't",
    "will": "won't", "would": "wouldn't", "should": "shouldn't",
}  # fmt: skip
_QUESTION = re.compile(rf"^({'|'.join(_AUXILIARY)}) (you|he|she|it|they|there|this|that)\b(.*?)\?$", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"\b(?:or|either)\b", re.IGNORECASE)
_ASKS_FOR_ANY = re.compile(r"\b(?:any\w*|ever)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """One asking: of which fact or proposition, in which form, at which patient turn (0-based)."""

    key: str
    kind: Literal["fact", "proposition"]
    form: Form
    turn: int


@dataclass(frozen=True, slots=True)
class Interview:
    """The therapist's lines of one session, and which of them ask what."""

    lines: tuple[str, ...]
    asked: tuple[Asked, ...]


def negated(question: str) -> str | None:
    """Return a yes/no question in the negative, ``None`` where it is none that can be turned by rule.

    Examples
    --------
    >>> negated("Do you sleep well?"), negated("Where is he?")
    ("Don't you sleep well?", None)
    """
    found = _QUESTION.match(question.strip())
    if found is None or _ALTERNATIVE.search(found.group(3)):
        return None
    auxiliary, subject, rest = found.groups()
    return f"{_AUXILIARY[auxiliary.lower()].capitalize()} {subject}{rest}?"


def declarative(question: str) -> str | None:
    """Return a yes/no question as a statement with a question mark, ``None`` where it cannot be turned by rule.

    Examples
    --------
    >>> declarative("Do you sleep well?"), declarative("Is he at home?"), declarative("Would you go?")
    ('So you sleep well?', 'So he is at home?', 'So you would go?')
    """
    found = _QUESTION.match(question.strip())
    if found is None or _ALTERNATIVE.search(found.group(3)) or _ASKS_FOR_ANY.search(found.group(3)):
        return None
    auxiliary, subject, rest = found.group(1).lower(), found.group(2).lower(), found.group(3)
    if auxiliary == "do":
        return f"So {subject}{rest}?"
    return None if auxiliary in ("does", "did") else f"So {subject} {auxiliary}{rest}?"


def _as_said(question: str) -> str:
    """Return a question of a case file as a therapist would say it: with a capital and a mark at the end."""
    bare = question.strip()
    return bare[:1].upper() + bare[1:] + ("" if bare.endswith(("?", ".", "!")) else "?")


def _items(case: Case) -> Iterator[tuple[str, Literal["fact", "proposition"], list[tuple[Form, str]]]]:
    facts: Any = case.truth.get("facts") or ()
    propositions: Any = case.truth.get("propositions") or ()
    for fact in facts:
        ask = _as_said(str(fact["ask"][0]))
        yield str(fact["key"]), "fact", [("plain", ask), ("plain", ask)]
    for p in propositions:
        asks = [_as_said(str(a)) for a in p["ask"]]
        forms: list[tuple[Form, str]] = [("plain", asks[0])]
        forms += [("negated", n) for a in asks if (n := negated(a))][:1]
        forms += [("declarative", d) for a in asks if (d := declarative(a))][:1]
        yield str(p["id"]), "proposition", forms if len(forms) > 1 else forms * 2


def interviews(case: Case) -> tuple[Interview, ...]:
    """Return the interviews that ask every fact and proposition of a case again, fifteen patient turns apart.

    A fact is asked twice in the same words. A proposition is asked plainly, in the negative and as a
    statement with a question mark, each where its question can be turned by rule (else plainly twice).
    Between two questions stands a word that asks for nothing. Empty for a case without either.
    """
    by_rounds: dict[int, list[Any]] = {}
    for item in _items(case):
        by_rounds.setdefault(len(item[2]), []).append(item)
    return tuple(
        _interview(items[i : i + _PER_SESSION], rounds)
        for rounds, items in sorted(by_rounds.items())
        for i in range(0, len(items), _PER_SESSION)
    )


def _interview(items: Sequence[Any], rounds: int) -> Interview:
    lines = [_OPENING] + [_BETWEEN[i % len(_BETWEEN)] for i in range(APART * rounds)]
    asked = []
    for k, (key, kind, forms) in enumerate(items):
        for number, (form, text) in enumerate(forms):
            turn = 1 + APART * number + _SPACING * k
            lines[turn] = text
            asked.append(Asked(key, kind, form, turn))
    last = max(a.turn for a in asked)
    return Interview(tuple(lines[: last + 1]), tuple(sorted(asked, key=lambda a: a.turn)))
