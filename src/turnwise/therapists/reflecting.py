"""Reflections: what a patient said, felt or meant, given back in few words and with nothing added.

Every sentence here rests on the patient's own words: a feeling is named only if it was voiced, a
fact only as it was said. Where there is nothing fit to give back, nothing is returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from numpy.random import Generator

from turnwise.therapists.emotions import Voiced, voiced
from turnwise.therapists.wording import Phrase, capital, people, phrases

__all__ = ["Heard", "Line", "content_lines", "feeling_lines", "heard_in", "linking_lines", "opened", "shuffled"]


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
        return next((p for p in self.phrases if p.back and p.weight >= _WORTH), None)


@lru_cache(maxsize=64)
def heard_in(text: str) -> Heard:
    """Return what can be given back of ``text``."""
    return Heard(text, phrases(text), voiced(text))


_POSSIBLE = re.compile(r"(?:i|we) (?:could|might)\b", re.IGNORECASE)  # "So you could …" would sound like advice
_WORTH = 1.9  # below this a clause is furniture: "it's an hour"
_FEW = 5  # words of a fragment that can be echoed in quotation marks
_FACT = (
    "So {s}.",
    "So you're saying {s}.",
    "You're saying {s}.",
    "{S}. I follow.",
    "{S}, then.",
    "{S}, if I've got that right.",
    "So as you tell it, {s}.",
    "You're telling me {s}.",
    "{S}, you say.",
    "Right: {s}.",
    "I hear that {s}.",
    "All right: {s}.",
)
_OPEN = (
    "It's crossed your mind that {s}.",
    "So you're saying {s}.",
    "You can see that {s}.",
    "As you see it, {s}.",
    "So there's the thought that {s}.",
)
_DEEP = (
    "It sounds like {s}.",
    "It sounds as if {s}.",
    "So for you it's that {s}.",
    "{S}. That's not a small thing.",
    "As you tell it, {s}.",
    "It seems {s}.",
    "{S}, and that's how it is for you.",
    "{S}. I don't want to hurry past that.",
    "So that's part of it: {s}.",
    "You're telling me that {s}.",
    "{S}. There's a lot in that.",
    "So, as it is now, {s}.",
    "{S}. That matters, by the sound of it.",
    "What I'm hearing is that {s}.",
)
_HEAVY = (
    "{S}. That sounds hard.",
    "{S}. That's a lot to have on you.",
    "So {s}. That can't be easy to say.",
)
_JUDGED = (
    "The way you see it, {s}.",
    "In your own eyes {s}.",
    'You put it like this: "{q}." That\'s a hard sentence to carry.',
    "So the thought is that {s}.",
    "What you're left with is the idea that {s}.",
    "Something in you says that {s}.",
    '"{Q}." That\'s how it looks from the inside.',
    "From where you stand, {s}.",
)
_FRAGMENT = (
    '"{Q}," you say.',
    '"{Q}." Say a bit more about that.',
    '"{Q}." I\'m with you.',
    'You say, "{q}." What\'s in that for you?',
    '"{Q}." Go on.',
    '"{Q}," as you put it.',
)
_ADJECTIVE = (
    "It sounds like you feel {a} about that.",
    "So {a} is the word for it.",
    "You feel {a}, and it doesn't come out of nowhere.",
    "And with all that you feel {a}.",
    "So underneath the facts of it, you feel {a}.",
)
_NOUN = (
    "There's {n} in that for you.",
    "It sounds like there's {n} in that.",
    "So there's {n}, on top of everything else.",
    "And so there's {n} with it.",
    "It sounds as if the {n} goes wherever this goes.",
)
_LINK = (
    "Earlier you told me that {e}. And now, {s}.",
    "{E}, you told me. And {s}.",
    "So {s}. And earlier you told me that {e}.",
)
_NAME = re.compile(r"(?<=\w )[A-Z][a-z]{2,}\b")


def shuffled(lines: Sequence[str], rng: Generator) -> Iterator[tuple[int, str]]:
    """Yield the lines with their places, in random order."""
    for i in rng.permutation(len(lines)):
        yield int(i), lines[int(i)]


def opened(name: str, openers: Sequence[str], lines: Sequence[Line], rng: Generator) -> list[Line]:
    """Return ``lines`` with each of ``openers`` said before them, the openers in random order for each line.

    Examples
    --------
    >>> import numpy as np
    >>> [x.text for x in opened("left", ["No matter."], [Line("q.0", "What else?")], np.random.default_rng(0))]
    ['No matter. What else?']
    """
    return [
        replace(line, id=f"{name}.{i}+{line.id}", text=f"{opener} {line.text}")
        for line in lines
        for i, opener in shuffled(openers, rng)
    ]


def content_lines(heard: Heard, rng: Generator) -> list[Line]:
    """Return candidate reflections of content, best phrase first.

    A plain fact is given back plainly: "It sounds as if you take the bus" would be comical. A
    judgement the patient passes on themselves is given back as theirs, never as a fact.
    """
    found: list[Line] = []
    for phrase in [p for p in heard.phrases if p.back and p.weight >= _WORTH][:3]:
        banks: list[tuple[str, tuple[str, ...]]] = [("fact", _FACT)]
        if phrase.judges:
            banks = [("judged", _JUDGED)]
        elif _POSSIBLE.match(phrase.said):
            banks = [("open", _OPEN)]
        elif phrase.deep:
            banks = [("deep", _DEEP), ("heavy", _HEAVY)] if phrase.heavy else [("deep", _DEEP)]
            banks = banks[:: -1 if rng.random() < 0.4 else 1]
        for name, bank in banks:
            found += [_fill(f"{name}.{i}", line, phrase) for i, line in shuffled(bank, rng)]
    for phrase in [p for p in heard.phrases if not p.back and len(p.said.split()) <= _FEW][: 0 if found else 2]:
        found += [_fill(f"fragment.{i}", line, phrase) for i, line in shuffled(_FRAGMENT, rng)]
    return found


def _fill(key: str, line: str, phrase: Phrase) -> Line:
    text = line.format(s=phrase.back, S=capital(phrase.back), q=phrase.said, Q=capital(phrase.said))
    return Line(key, text, (phrase.said,))


def feeling_lines(heard: Heard, rng: Generator) -> list[Line]:
    """Return candidate reflections of the feelings that were voiced, with a phrase where it helps."""
    found: list[Line] = []
    for feeling in heard.feelings[:2]:
        found += [
            Line(f"adjective.{i}", line.format(a=feeling.adjective), feeling=feeling.word)
            for i, line in shuffled(_ADJECTIVE, rng)
        ]
        found += [
            Line(f"noun.{i}", line.format(n=feeling.noun), feeling=feeling.word) for i, line in shuffled(_NOUN, rng)
        ]
    if not found:
        return found
    order = rng.permutation(len(found))
    return [found[int(i)] for i in order]


def linking_lines(heard: Heard, earlier: Sequence[Phrase], rng: Generator) -> list[Line]:
    """Return complex reflections that put what is said beside something said before of the same person.

    Two things that are only both true of the speaker have nothing to do with each other.

    Examples
    --------
    >>> import numpy as np
    >>> rng, now = np.random.default_rng(0), heard_in("I miss my brother.")
    >>> [bool(linking_lines(now, heard_in(x).phrases, rng)) for x in ("I never ask my brother.", "I never sleep.")]
    [True, False]
    """
    now = heard.statement
    if now is None:
        return []
    found: list[Line] = []
    for then in earlier:
        alike = then.said != now.said and _who(then.said) & _who(now.said)
        if then.back and then.deep and now.deep and not (then.judges or now.judges) and alike:
            for i, line in shuffled(_LINK, rng):
                text = line.format(s=now.back, e=then.back, E=capital(then.back))
                found.append(Line(f"link.{i}", text, (now.said, then.said)))
    return found


def _who(said: str) -> set[str]:
    """Return the people that a clause speaks of: kin and friends by what they are to the speaker, others by name."""
    return {*people(said), *(name for name in _NAME.findall(said))}
