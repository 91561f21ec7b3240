"""Reflections: what a patient said, felt or meant, given back in few words and with nothing added.

Every sentence here rests on the patient's own words: a feeling is named only if it was voiced, a
fact only as it was said. Where there is nothing fit to give back, nothing is returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from numpy.random import Generator

from turnwise.therapists.emotions import Voiced, voiced
from turnwise.therapists.wording import Phrase, capital, phrases

__all__ = ["Heard", "Line", "content_lines", "feeling_lines", "heard_in", "linking_lines", "shuffled"]


@dataclass(frozen=True, slots=True)
class Line:
    """One candidate: its id in the bank, what would be said, and the patient's words it rests on."""

    id: str
    text: str
    quoted: tuple[str, ...] = ()
    feeling: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """What one turn offers for giving back."""

    text: str
    phrases: tuple[Phrase, ...]
    feelings: tuple[Voiced, ...]

    @property
    def statement(self) -> Phrase | None:
        """The weightiest phrase that stands as a sentence about "you"."""
        return next((p for p in self.phrases if p.back), None)


def heard_in(text: str) -> Heard:
    """Return what can be given back of ``text``."""
    return Heard(text, phrases(text), voiced(text))


_STATEMENT = (
    "{S}.",
    "So {s}.",
    "It sounds as if {s}.",
    "What I'm hearing is that {s}.",
    "If I follow you, {s}.",
    "As you tell it, {s}.",
    "{S}. That's how it is, from where you stand.",
    "So that's part of it: {s}.",
    "I hear that {s}.",
    "The way you put it, {s}.",
    "So what you're telling me is that {s}.",
    "{S}, then.",
    "Let me hold on to that: {s}.",
    "You're saying that {s}.",
)
_ADJECTIVE = (
    "It sounds as if you feel {a} about that.",
    "So {a} is the word for it.",
    "You feel {a}, and it doesn't come out of nowhere.",
    "And with all that you feel {a}.",
    "So underneath the facts of it, you feel {a}.",
)
_NOUN = (
    "There's {n} in that for you.",
    "I hear the {n} in that.",
    "So there's {n}, on top of everything else.",
    "That {n} is close to the surface when you talk about it.",
    "It sounds as if the {n} goes wherever this goes.",
)
_LINK = (
    "Earlier it was that {e}, and now that {s}. It sounds as if the two belong together.",
    "{E}, you told me. And {s}. I'm hearing those side by side.",
    "So {s}, and before that you said that {e}. That's a lot in one place.",
)


def shuffled(lines: Sequence[str], rng: Generator) -> Iterator[tuple[int, str]]:
    """Yield the lines with their places, in random order."""
    for i in rng.permutation(len(lines)):
        yield int(i), lines[int(i)]


def content_lines(heard: Heard, rng: Generator) -> list[Line]:
    """Return candidate reflections of content, best phrase first."""
    found: list[Line] = []
    for phrase in [p for p in heard.phrases if p.back][:3]:
        plain = phrase.back.split()[0].lower() not in ("there", "there's")
        for i, line in shuffled(_STATEMENT, rng):
            if i == 11 and not plain:
                continue
            found.append(_fill(f"content.{i}", line, phrase))
    return found


def _fill(key: str, line: str, phrase: Phrase) -> Line:
    return Line(key, line.format(s=phrase.back, S=capital(phrase.back)), (phrase.said,))


def feeling_lines(heard: Heard, rng: Generator) -> list[Line]:
    """Return candidate reflections of the feelings that were voiced, with a phrase where it helps."""
    found: list[Line] = []
    for feeling in heard.feelings[:2]:
        found += [
            Line(f"adjective.{i}", line.format(a=feeling.adjective), feeling=feeling.word)
            for i, line in shuffled(_ADJECTIVE, rng)
        ]
        found += [Line(f"noun.{i}", line.format(n=feeling.noun), feeling=feeling.word) for i, line in shuffled(_NOUN, rng)]
    if not found:
        return found
    order = rng.permutation(len(found))
    return [found[int(i)] for i in order]


def linking_lines(heard: Heard, earlier: Sequence[Phrase], rng: Generator) -> list[Line]:
    """Return complex reflections that put what is said beside something said before."""
    now = heard.statement
    if now is None:
        return []
    found: list[Line] = []
    for then in earlier:
        if then.back and then.said != now.said:
            for i, line in shuffled(_LINK, rng):
                text = line.format(s=now.back, e=then.back, E=capital(then.back))
                found.append(Line(f"link.{i}", text, (now.said, then.said)))
    return found
