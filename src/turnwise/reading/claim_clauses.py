"""Take a statement apart, so that two can be held against each other: who, whether denied, how much, which feeling.

By word lists and order alone (``claim_words``): no grammar. What the patient says and what a therapist says of the
patient come out alike: "I" of the one and "you" of the other are the same person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from turnwise.reading.claim_subjects import OTHER_SPEAKER, PATIENT, THING
from turnwise.reading.claim_words import (
    CORRECTS,
    DEGREES,
    FAMILIES_OF_FEELING,
    HIGH_DEGREES,
    IRREGULAR,
    LOW_DEGREES,
    NEGATES,
    NUMBERS,
    OPPOSITES,
    PERSONS,
    PHRASES,
    PLEASANT,
    STOP,
)

__all__ = [
    "Clause",
    "clauses_of",
    "degree_masks",
    "feeling_bits",
    "names_in",
    "pleasant_mask",
    "stem",
]

_READ_CHARS = 8_000
_TOKEN = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*|\d+|[.,;:!?…—–()]")
_STOPS, _ENDS = frozenset(".,;:!?…—–()"), frozenset(".!?…")
_JOINS = frozenset("and but because".split())
_SOMETIMES = frozenset(
    "so though although while when then if that since until which who or as before after how what".split()
)
_BREAKS = _STOPS | _JOINS | _SOMETIMES
"""Signs and words at which a statement may end; at all others it goes on."""
_OPENS = frozenset(
    "i i'm i've i'd i'll you he she they we it my your his her their the a an nobody there he's she's it's".split()
)
_UNREAL = frozenset(
    "would could might if will want wants wanted hope wish says should going supposed wanna ll d".split()
)
_TIME = frozenset(
    """every last next this in on at for after before since during with by from until while when two three four five six
    seven eight nine ten some most only halfway then now today yesterday afterwards once first sober maybe not no all
    one half more another straight right even still just so and but or like of to over under between through
    about""".split()
)
_VERBAL = frozenset(
    """is was are were has had have does doesn't did didn't don't isn't wasn't hasn't hadn't can can't could will would
    wants went came got left knows thinks says said told gave took made kept lost doesnt didnt""".split()
)
_FIRST, _SECOND = frozenset("i me my mine myself im ive".split()), frozenset("you your yours yourself".split())
_PRONOUNS: Mapping[str, str] = {
    **dict.fromkeys("he his him himself".split(), "he"),
    **dict.fromkeys("she her hers herself".split(), "she"),
    **dict.fromkeys("they them their themselves".split(), "they"),
    **dict.fromkeys("we us our ourselves".split(), "we"),
}
_OWN = frozenset("my your his her their our".split())
_DATES = """january february march april may june july august september october november december monday tuesday
wednesday
thursday friday saturday sunday spring summer autumn winter christmas""".split()
_PERSON_OF = {w: name for name, words in reversed(list(PERSONS.items())) for w in words.split()[1:]}


class _Word(NamedTuple):
    """What one word brings. ``base`` is what stands before its apostrophe; ``marked``: anything but content."""

    base: str
    marked: bool
    points: bool
    unreal: bool
    content: bool
    denies: bool
    mends: bool
    degrees: int
    families: int
    plus: int
    minus: int
    numbers: int
    person: str


class Clause(NamedTuple):
    """One statement. Masks have a bit per family of feeling, pair of opposites, number or date."""

    words: tuple[str, ...]
    content: tuple[str, ...]
    subject: str
    denied: bool
    mends: bool
    degrees: int
    families: int
    plus: int
    minus: int
    numbers: int
    persons: frozenset[str]
    unreal: bool = False


@cache
def _bits() -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    families: dict[str, int] = {}
    for i, words in enumerate(FAMILIES_OF_FEELING.values()):
        for w in words.split():
            families[stem(w)] = families.get(stem(w), 0) | 1 << i
    plus: dict[str, int] = {}
    minus: dict[str, int] = {}
    for i, (one, other) in enumerate(OPPOSITES):
        for pole, words in ((plus, one), (minus, other)):
            for w in words.split():
                pole[stem(w)] = pole.get(stem(w), 0) | 1 << i
    return families, plus, minus


_DEGREE = {kind: i for i, kind in enumerate(DEGREES)}
_PHRASED = tuple((phrase, 1 << _DEGREE[kind]) for phrase, kind in PHRASES.items())


@cache
def _degrees() -> dict[str, int]:
    found: dict[str, int] = {}
    for kind, words in DEGREES.items():
        for w in words.split():
            found[w] = found.get(w, 0) | 1 << _DEGREE[kind]
    return found


def feeling_bits() -> dict[str, int]:
    """Return the families of feeling of each stem as bits."""
    return _bits()[0]


def degree_masks() -> tuple[int, int]:
    """Return the masks of the degrees that say a lot, and of those that say little."""
    high, low = (sum(1 << _DEGREE[k] for k in kinds) for kinds in (HIGH_DEGREES, LOW_DEGREES))
    return high, low


@cache
def pleasant_mask() -> int:
    """Return the mask of the families of feeling that are pleasant."""
    return sum(1 << i for i, name in enumerate(FAMILIES_OF_FEELING) if name in PLEASANT)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return what the forms of a word share, by a list of irregular ones and a rule of endings.

    Examples
    --------
    >>> stem("tried"), stem("jealously"), stem("hoping"), stem("roses"), stem("slept")
    ('try', 'jealous', 'hop', 'ros', 'sleep')
    """
    word = IRREGULAR.get(word, word)
    if len(word) <= 3:
        return word
    for ending in ("ingly", "edly", "ing", "ied", "ies", "ed", "ly", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            base = word[: -len(ending)]
            if ending in ("ied", "ies"):
                return f"{base}y"
            doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"
            return base[:-1] if doubled else base
    return word[:-1] if word.endswith("e") else word


@lru_cache(maxsize=50_000)
def _word(word: str) -> _Word:
    families, plus, minus = _bits()
    base = word.split("'")[0] if not word.endswith("n't") else word
    root = stem(base)
    at = _place(base)
    bare, person = word.split("'")[0], _PERSON_OF.get(base, "")
    denies, mends, unreal = (
        word.endswith("n't") or base in NEGATES,
        base in CORRECTS,
        word.rpartition("'")[2] in _UNREAL,
    )
    masks = (_degrees().get(base, 0), families.get(root, 0), plus.get(root, 0), minus.get(root, 0))
    number = 0 if at < 0 else 1 << at
    spoken_of = bare in _FIRST or bare in _SECOND
    return _Word(
        bare,
        any((denies, mends, unreal, number, person, spoken_of, *masks)),
        bool(person) or spoken_of or bare in _OWN or bare in _PRONOUNS,
        unreal,
        base not in STOP and not base.endswith("n't") and base not in NEGATES,
        denies,
        mends,
        *masks,
        number,
        person,
    )


def _place(word: str) -> int:
    """Return the bit of a number or a date, -1 for any other word."""
    if word in _DATES:
        return 40 + _DATES.index(word)
    if word.isdigit():
        return int(word) if int(word) <= 20 else 21 + int(word) % 10
    return NUMBERS.get(word, -1)


@lru_cache(maxsize=4_096)
def clauses_of(text: str, by_patient: bool, whole: bool = False) -> tuple[Clause, ...]:
    """Return the statements of a text in order.

    A statement without a subject takes over that of the one before it in its sentence.

    Parameters
    ----------
    by_patient : the patient speaks, so that "I" is the patient; otherwise "you" is.
    whole : the text is one statement and is not cut.

    Examples
    --------
    >>> [(c.subject, c.denied, c.content) for c in clauses_of("My sister left, and I didn't cry.", True)]
    [('sister', False, ('sister', 'left')), ('patient', True, ('cry',))]
    >>> [c.subject for c in clauses_of("your sister left", False)]
    ['sister']
    """
    out: list[Clause] = []
    part: list[tuple[str, bool]] = []
    subject, first, mended, begun = "", True, False, 0
    tokens = _TOKEN.findall(text[:_READ_CHARS].replace("’", "'"))
    lower = [token.lower() for token in tokens]
    for i, (token, low) in enumerate(zip((*tokens, "."), (*lower, "."), strict=True)):
        if low not in _BREAKS:
            part.append((low, token != low and not first and low != "i" and token[0].isupper()))
            first = False
            continue
        joins = len(part) > 1 and (
            low in _JOINS or (low in _SOMETIMES and i + 1 < len(tokens) and lower[i + 1] in _OPENS)
        )
        if token in _STOPS or (joins and not whole):
            if whole and i < len(tokens):
                continue
            if part:
                made = _clause(part, by_patient, subject)
                if not whole and made.denied and out and not (set(made.content) - _HOLLOW - set(made.words[:1])):
                    made = made._replace(content=out[-1].content + made.content)
                out.append(made)
                subject, part = made.subject, []
                mended |= made.mends
            if token in _ENDS:
                if mended:
                    out[begun:] = [x._replace(mends=True) for x in out[begun:]]
                first, mended, begun = True, False, len(out)
            continue
        part.append((low, token[0].isupper() and not first))
        first = False
    return tuple(out)


_HOLLOW = frozenset(("any", "anymore", "longer", "now", "actually", "really"))


def _clause(part: list[tuple[str, bool]], by_patient: bool, before: str) -> Clause:
    words = [w for w, _ in part]
    found = [_word(w) for w in words]
    named = {w for w, capital in part if capital and w not in _DATES and "'" not in w}
    spoken = " ".join(words)
    denials = int("used to" in spoken or "given up" in spoken or "gave up" in spoken)
    degrees = families = plus = minus = numbers = 0
    for phrase, bit in _PHRASED:
        if phrase in spoken:
            degrees |= bit
    me = _FIRST if by_patient else _SECOND
    persons = {f"name:{w}" for w in named}
    mends = words[0] in ("no", "well") or "i said" in spoken or "i told you" in spoken
    unreal = False
    for x in found:
        if x.marked:
            denials += x.denies
            degrees |= x.degrees
            families |= x.families
            plus |= x.plus
            minus |= x.minus
            numbers |= x.numbers
            mends, unreal = mends or x.mends, unreal or x.unreal
            if x.person:
                persons.add(x.person)
            if x.base in me:
                persons.add(PATIENT)
    # "No." and "no, not at all" answer; "no money" denies.
    denials -= words[-1] == "no"
    return Clause(
        tuple(words),
        tuple([x.base for x in found if x.content]),
        _subject(words, found, named, by_patient) or before or THING,
        bool(denials % 2),
        mends,
        degrees,
        families,
        plus,
        minus,
        numbers,
        frozenset(persons),
        unreal,
    )


def _subject(words: list[str], found: list[_Word], named: set[str], by_patient: bool) -> str:
    """Return who a statement is of: the first person in it, or the thing before any person."""
    me, you = (_FIRST, _SECOND) if by_patient else (_SECOND, _FIRST)
    for i, (word, x) in enumerate(zip(words, found, strict=True)):
        if x.points:
            if x.base in _OWN:
                kin = next((y.person for y in found[i + 1 : i + 4] if y.person), "")
                if kin:
                    return kin if x.base in me else f"{kin}@"
            if x.base in me:
                return PATIENT
            if x.base in you:
                return OTHER_SPEAKER
            if x.base in _PRONOUNS:
                return _PRONOUNS[x.base]
            if x.person:
                return x.person
        if word in named:
            return f"name:{word}"
        if i == 0 and (thing := _thing(words, found)):
            return thing
    return ""


def _thing(words: list[str], found: list[_Word]) -> str:
    """Return the subject that a statement opens with where that is no person for sure, ``""`` where it is none."""
    base = words[0].split("'")[0]
    if base in ("it", "there", "this"):
        return THING
    if base in ("the", "a", "an"):
        return next((x.person for x in found[1:4] if x.person), "") or THING
    named = found[0].content and len(words) > 1 and base not in _TIME and base not in CORRECTS
    return f"name:{words[0]}" if named and (words[1] in _VERBAL or words[1].endswith(("ed", "s"))) else ""


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the words with a capital inside sentences, as said: names of persons and places.

    Examples
    --------
    >>> sorted(names_in(["Then Priya rang. Nobody knew, I said."]))
    ['Priya']
    """
    return frozenset(w for text in texts for w in _NAMED.findall(text[:_READ_CHARS]) if w.lower() not in _DATES)


_NAMED = re.compile(r"(?<=[a-z,]\s)\s*([A-Z][a-z]+)")
