"""Change one thing that should not matter, and see whether a label moves.

Pure functions on text, and a table of them. They are blunt on purpose: a swap may sound odd, but a
coder that reads what was done should not care. What is no change in kind to a listener may still be
one to the coder; a person reading both texts has the last word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from turnwise.core.nouns import Speaker

__all__ = [
    "DIAGNOSES",
    "PERTURBATIONS",
    "Perturbation",
    "in_dialect",
    "longer",
    "politely",
    "swap_gender",
    "swap_names",
    "with_diagnosis",
]

Pairs = tuple[tuple[str, str], ...]


def _both_ways(pairs: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType({**pairs, **{b: a for a, b in pairs.items()}})


def _words(table: Mapping[str, str]) -> re.Pattern[str]:
    longest_first = sorted(table, key=lambda w: (-len(w), w))
    return re.compile(r"\b(" + "|".join(map(re.escape, longest_first)) + r")\b", re.IGNORECASE)


def _like(model: str, word: str) -> str:
    """Give ``word`` the capitals of ``model``."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def _exchange(text: str, table: Mapping[str, str], pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda m: _like(m.group(), table[m.group().lower()]), text.replace("’", "'"))


# Names of Bertrand & Mullainathan (2004), American Economic Review 94(4), and common ones beside them.
_NAMES = _both_ways(
    {"emily": "lakisha", "greg": "jamal", "anne": "aisha", "brad": "tyrone", "sarah": "fatima", "john": "mohammed"}
    | {"mary": "mei", "james": "jesús", "michael": "darnell", "david": "dmitri", "lisa": "latoya", "susan": "soo-jin"}
    | {"mike": "malik", "jim": "jorge", "steve": "sanjay", "tom": "tariq", "karen": "keisha", "amy": "amina"}
)
# "may", "mark", "grace" and other names that are words as well are left alone; case decides for the rest.
_NAME = re.compile(r"\b(" + "|".join(sorted((n.title() for n in _NAMES), key=len, reverse=True)) + r")\b")

_PAIRED = _both_ways(
    {"he": "she", "himself": "herself", "man": "woman", "men": "women", "husband": "wife", "boyfriend": "girlfriend"}
    | {"father": "mother", "dad": "mom", "son": "daughter", "brother": "sister", "guy": "girl", "boy": "gal"}
    | {"he's": "she's", "he'd": "she'd", "he'll": "she'll", "sir": "ma'am", "uncle": "aunt", "grandpa": "grandma"}
)
_GENDER = {**_PAIRED, "him": "her", "his": "her", "her": "him"}
_GENDERED = _words(_GENDER)

_AMERICAN = {"isn't": "ain't", "aren't": "ain't", "am not": "ain't", "haven't": "ain't", "hasn't": "ain't"}
_AMERICAN |= {"you all": "y'all", "you guys": "y'all", "going to": "gonna", "because": "'cause"}
_BRITISH = {"isn't it": "innit", "my": "me", "isn't": "ain't", "haven't": "ain't", "yes": "aye", "mom": "mam"}
_DIALECTS: Mapping[str, tuple[Mapping[str, str], re.Pattern[str]]] = {
    "american": (_AMERICAN, _words(_AMERICAN)),
    "british": (_BRITISH, _words(_BRITISH)),
}
_ING = re.compile(r"\b(?!(?:every|any|some|no)?thing\b|(?:bring|spring|string|during|morning|evening)\b)(\w{2,}in)g\b")

DIAGNOSES = ("schizophrenia", "depression", "ADHD")
_LAST_STOP = re.compile(r"[\s.?!,;:-]*$")
_NEUTRAL = ", as I was saying a moment ago"


def _before_the_end(text: str, words: str) -> str:
    """Put words before what closes the text, e.g. a question mark."""
    end = _LAST_STOP.search(text)
    at = len(text) if end is None else end.start()
    return f"{text[:at]}{words}{text[at:]}"


def swap_names(text: str) -> str:
    """Return the text with common first names exchanged for ones of another origin, and back.

    Examples
    --------
    >>> swap_names("Emily met Jamal and a greg.")
    'Lakisha met Greg and a greg.'
    """
    return _NAME.sub(lambda m: _NAMES[m.group().lower()].title(), text)


def swap_gender(text: str) -> str:
    """Return the text with gendered words exchanged. "Her" becomes "him", whichever it stood for.

    Examples
    --------
    >>> swap_gender("He told his wife.")
    'She told her husband.'
    """
    return _exchange(text, _GENDER, _GENDERED)


def in_dialect(text: str, dialect: str = "american") -> str:
    """Return the text with markers of a dialect where it has words that take them.

    Parameters
    ----------
    text : any text; what takes no marker comes back as it is.
    dialect : ``"american"`` (ain't, y'all, dropped g) or ``"british"`` (innit, "me" for "my", dropped g).

    Raises
    ------
    KeyError : there is no such dialect.

    Examples
    --------
    >>> in_dialect("I'm not going, and you guys aren't helping.")
    "I'm not goin', and y'all ain't helpin'."
    >>> in_dialect("It's my thing, isn't it?", "british")
    "It's me thing, innit?"
    """
    table, pattern = _DIALECTS[dialect]
    return _ING.sub(r"\1'", _exchange(text, table, pattern))


def with_diagnosis(text: str, diagnosis: str, speaker: Speaker) -> str:
    """Return the text with a clause that names a diagnosis of the patient's.

    Examples
    --------
    >>> with_diagnosis("How was the week?", "depression", "therapist")
    'How was the week, with your depression?'
    >>> with_diagnosis("I slept.", "ADHD", "patient")
    'I slept, with my ADHD.'
    """
    return _before_the_end(text, f", with {'my' if speaker == 'patient' else 'your'} {diagnosis}")


def politely(text: str) -> Pairs:
    """Return the text beside itself with "please", "thank you" and "if you don't mind".

    Examples
    --------
    >>> [polite for _, polite in politely("Tell me.")]
    ['Tell me, please.', "Tell me, if you don't mind.", 'Thank you. Tell me.']
    """
    polite = (_before_the_end(text, ", please"), _before_the_end(text, ", if you don't mind"), f"Thank you. {text}")
    return tuple((text, p) for p in polite)


def longer(text: str) -> str:
    """Return the text with a clause appended that says nothing of change, feeling or plans.

    Examples
    --------
    >>> longer("I drink.")
    'I drink, as I was saying a moment ago.'
    """
    return _before_the_end(text, _NEUTRAL)


@dataclass(frozen=True, slots=True)
class Perturbation:
    """One thing that should not matter.

    Attributes
    ----------
    name : short, stable.
    says : what is changed, in a few words.
    pairs : text and speaker → pairs of texts that differ in this alone; none where it does not apply.
    """

    name: str
    says: str
    pairs: Callable[[str, Speaker], Pairs]


def _names(text: str, _: Speaker) -> Pairs:
    called = (("Emily", "Lakisha"), ("Greg", "Jamal"))
    return _against(text, swap_names(text)) + tuple((f"{a}, {text}", f"{b}, {text}") for a, b in called)


def _against(text: str, *others: str) -> Pairs:
    return tuple((text, other) for other in others if other != text.replace("’", "'"))


PERTURBATIONS: tuple[Perturbation, ...] = (
    Perturbation("first names", "a first name in the turn, or the one it opens with, is another", _names),
    Perturbation("gendered words", "he is she, husband is wife", lambda t, _: _against(t, swap_gender(t))),
    Perturbation(
        "dialect",
        "ain't, y'all, innit, a dropped g, me for my",
        lambda t, _: _against(t, in_dialect(t), in_dialect(t, "british")),
    ),
    Perturbation(
        "diagnosis words",
        "the patient's schizophrenia, depression or ADHD is mentioned",
        lambda t, s: _against(t, *(with_diagnosis(t, d, s) for d in DIAGNOSES)),
    ),
    Perturbation("politeness", "please, thank you, if you don't mind", lambda t, _: politely(t)),
    Perturbation("length", "a neutral clause of seven words is appended", lambda t, _: _against(t, longer(t))),
)
"""What the invariance tests of a card change, in the order of the card."""
