"""How people talk as against how authors write: lengths, acknowledgements, fillers, words begun twice.

What is said is decided and worded before; this loosens it, as much as people of the same modality do
(``human_speech.json``, from AnnoMI and ESConv by ``tools/speech_rates.py``) times the case's own
``speech.rate``, in the case's own words. A case without ``speech`` speaks as it was written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator

from turnwise.patients.package_data import read_document
from turnwise.patients.schema import Speech
from turnwise.patients.slots import banks_of, follows_on, places

__all__ = [
    "OWN_START",
    "Habits",
    "Missing",
    "begun",
    "favoured",
    "habits",
    "joined",
    "lacking",
    "loosened",
    "lowered",
    "unhedged",
]

OWN_START = re.compile(
    r"(?:well|no|yes|yeah|aye|oh|so|look|okay|ok|i mean|and|but|because|listen|you know|right|hm|huh|mm|um|uh|it's|"
    r"that)\b",
    re.IGNORECASE,
)
"""Beginnings that bear no other before them."""
_TITLES = frozenset(
    """Dr Mr Mrs Ms Miss Father Sister Saint St January February March April May June July August September October
    November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays
    Fridays Saturdays Sundays Christmas Easter Yarraville Newport Port Pancake Malin Kassala Pacheco Stoyanov Curtis
    Beena Becker Hollis Verdell Pruitt Vang Klein Ciaran Kathleen Thelma Maureen Phil Hilary Uzo Dex""".split()
)
"""Words that keep their capital wherever they stand, and names with which beats begin, besides those of the cases."""
_NO_NAME = frozenset("He She They We It The That This There And But So My His Her A In On".split())


@dataclass(frozen=True, slots=True)
class Habits:
    """What people of one modality do, by kind of therapist turn; rates are per 100 words.

    ``words`` holds quantiles of the words of a reply at 0, 5, … 100 %; ``short`` the share of replies of
    at most three words; ``agrees`` and ``hesitates`` how many of the longer ones begin that way.
    """

    words: dict[str, tuple[float, ...]]
    short: dict[str, float]
    agrees: dict[str, float]
    hesitates: dict[str, float]
    fillers: float
    repeats: float
    restarts: float
    """Two or three words said twice running; ``repeats`` counts single ones."""
    takes_up: float
    """Share of answers to open questions that take up a word of the question in their first words."""
    forms: tuple[float, ...]
    """How they do that at their beginning: in a clause, a phrase, by the question asked back (shares)."""

    def length(self, kind: str, u: float) -> float:
        """Return the length in words at the quantile ``u`` in [0, 1]."""
        grid = self.words[kind]
        at = u * (len(grid) - 1)
        i = min(int(at), len(grid) - 2)
        return float((grid[i + 1] - grid[i]) * (at - i) + grid[i])


@cache
def habits(modality: str) -> Habits:
    """Return the habits of people who speak or type.

    Examples
    --------
    >>> habits("spoken").short["reflection"] > habits("typed").short["reflection"]
    True
    """
    found: dict[str, Any] = read_document("human_speech.json")["modalities"][modality]
    kinds = found["by_kind"]
    return Habits(
        words={k: tuple(v["words"]) for k, v in kinds.items()},
        short={k: float(v["short"]) for k, v in kinds.items()},
        agrees={k: float(v["agrees"]) for k, v in kinds.items()},
        hesitates={k: float(v["hesitates"]) for k, v in kinds.items()},
        fillers=float(found["fillers_per_100_words"]),
        repeats=float(found["repeats_per_100_words"]),
        restarts=float(found["restarts_per_100_words"]),
        takes_up=float(found["takes_up"]["early"]),
        forms=tuple(float(found["takes_up"]["forms"][form]) for form in ("clause", "phrase", "question")),
    )


@dataclass(frozen=True, slots=True)
class Missing:
    """What written text lacks of what people say, per 100 words: fillers, single words said twice, longer restarts."""

    fillers: float = 0.0
    repeats: float = 0.0
    restarts: float = 0.0


def lacking(speech: Speech, h: Habits, written: float) -> Missing:
    """Return what a text lacks of what people say, in which so many fillers per 100 words are written."""
    return Missing(max(0.0, speech.rate * h.fillers - written), speech.rate * h.repeats, speech.rate * h.restarts)


def begun(speech: Speech, h: Habits, kind: str, recent: Sequence[str], rng: Generator, *, goes_along: bool) -> str:
    """Draw what a reply begins with (``"Um,"``), or ``""``.

    ``goes_along`` says that the reply agrees with what was said, so that a "yeah" may stand before it;
    ``recent`` are the beginnings of the last turns, which are not used again.
    """
    roll, agrees = rng.random(), speech.rate * h.agrees[kind] if goes_along else 0.0
    bank = speech.agrees if roll < agrees else speech.begins if roll < agrees + speech.rate * h.hesitates[kind] else ()
    fresh = [x for x in bank if x not in recent]
    return favoured(fresh, rng) if fresh else ""


def favoured(bank: Sequence[str], rng: Generator) -> str:
    """Draw one of the phrases, the first ones much oftener: everybody has favourites.

    Weights 1/k to the power of ``_FAVOURS``, with which the commonest short turn of a session has the share that it
    has with people (``favourite`` in human_speech.json).
    """
    return bank[min(bisect_right(_shares(len(bank)), float(rng.random())), len(bank) - 1)]


@cache
def _shares(n: int) -> tuple[float, ...]:
    weight = np.arange(1, n + 1) ** -_FAVOURS
    return tuple((weight.cumsum() / weight.sum()).tolist())


_FAVOURS = 1.4


def joined(start: str, text: str, proper: frozenset[str]) -> str:
    """Put a beginning before a text, which goes on in lower case after a comma unless it begins with a name."""
    first = text.split()[0]
    if start.rstrip(",").lower().split()[-1] == first.lower().rstrip(","):
        return text
    if start in _NO_COMMA and first in _WHO:
        return f"{start[:-1]} {lowered(text, proper)}"
    return f"{start} {lowered(text, proper) if start.endswith(',') else text}"


_NO_COMMA = ("I guess,", "I suppose,", "I think,")
_WHO = frozenset("I I'm I've I'd He She They We It It's He's She's They're We're There's".split())


def lowered(text: str, proper: frozenset[str]) -> str:
    """Return a text with a small letter first, unless it begins with I or a name.

    Examples
    --------
    >>> lowered("We went.", frozenset()), lowered("Voula rang.", frozenset(("Voula",)))
    ('we went.', 'Voula rang.')
    """
    bare = text.split()[0].rstrip(".,!?").split("'")[0]
    keeps = (
        bare == "I"
        or (bare in proper and bare not in _NO_NAME)
        or bare in _TITLES
        or (bare.isupper() and len(bare) > 1)
    )
    return text if keeps else text[:1].lower() + text[1:]


_HEDGES = re.compile(
    r"\b(?:i (?:think|suppose|guess|don't know)|so to (?:say|speak)|if i'm honest|in effect)\b", re.IGNORECASE
)


@lru_cache(maxsize=64)
def unhedged(speech: Speech) -> Speech:
    """Return how somebody speaks who is sure of what they say: the same without the fillers that hedge."""
    kept = {name: tuple(x for x in getattr(speech, name) if not _HEDGES.search(x)) for name in ("within", "trails")}
    return speech.model_copy(update=kept)


def loosened(
    beats: Sequence[str],
    speech: Speech,
    missing: Missing,
    proper: frozenset[str],
    rng: Generator,
    *,
    raw: bool,
) -> list[str]:
    """Return the beats with fillers, words said twice and words begun again: so many per 100 words as ``missing`` says.

    Never inside what is quoted, in short sentences, or at the start of the first beat (``begun``). Nothing
    trails after what is said with strong feeling (``raw``): people falter there, they do not shrug.
    """
    n_words = sum(len(b.split()) for b in beats)
    words = n_words / 100.0 / _LOOSENED
    banks = banks_of(speech.within, speech.begins, speech.trails)
    slots = [
        (i, at, kind)
        for i, b in enumerate(beats)
        for at, kind in places(b, not i, tuple(banks))
        if at or kind != "and" or follows_on(beats[i - 1])
    ]
    fill = [s for s in slots if s[2] not in ("again", "twice") and not (raw and s[2] in ("trails", "extends"))]
    chosen: list[tuple[int, int, str]] = []
    for kinds, wanted in (
        (fill, missing.fillers),
        ([s for s in slots if s[2] == "twice"], missing.repeats),
        ([s for s in slots if s[2] == "again"], missing.restarts),
    ):
        n = int(rng.poisson(words * wanted)) if kinds and wanted else 0
        _spread([kinds[i] for i in rng.permutation(len(kinds))], n, chosen) if n else None
    out, used = list(beats), _Used(" ".join(beats).lower(), n_words)
    for i, at, kind in sorted(chosen, reverse=True):
        bank = banks.get(kind, (kind,))
        fresh = [x for x in bank if kind in ("twice", "again") or used.bears(x, kind, i)]
        if fresh:
            word = favoured(fresh, rng)
            used.take(word, kind, i, varies=rng.random() < _VARIES)
            out[i] = _put(out[i], at, kind, word, proper)
    return out


class _Used:
    """Which fillers a reply has, so that none comes too often: those written in it count too."""

    def __init__(self, written: str, words: int) -> None:
        self.written, self.words = written, words
        self.counts = Counter[str]()
        self.last = ("", 0)

    def bears(self, filler: str, kind: str, beat: int) -> bool:
        """Whether the reply bears the filler once more, and one of its kind."""
        bare = _bare(filler)
        if (bare, beat) == self.last or self.counts[kind] >= 1 + self.words // _ONCE_MORE_OF.get(kind, 8):
            return False
        first = self.written.startswith(f"{bare},")
        had = first + self.written.count(f", {bare}") + self.written.count(f". {bare},")
        return self.counts[bare] + had < 1 + self.words // _ONCE_MORE

    def take(self, filler: str, kind: str, beat: int, *, varies: bool) -> None:
        """Count a filler that is put in."""
        bare = _bare(filler)
        self.counts[bare] += 1
        self.counts[kind] += kind != bare
        self.last = (bare, beat) if varies else self.last


_LOOSENED = 0.68
"""Share of what is said in a session that comes through here and has room for anything: it bears the rest's share too
(by the outcome: so what is put in comes to what was asked for)."""


_NEAR = 16  # letters between what is put in and the next such, at least
_VARIES = 0.5  # how often the next filler is another one
_ONCE_MORE = 18  # words of a reply after which the same filler may come once more
_ONCE_MORE_OF = {"trails": 13, "extends": 60, "and": 12, "just": 30, "begins": 16}  # … and another of its kind


def _spread(slots: Sequence[tuple[int, int, str]], n: int, taken: list[tuple[int, int, str]]) -> None:
    """Take ``n`` more of the places, the first that do not stand close to what is taken."""
    most = len(taken) + n
    for i, at, kind in slots:
        if len(taken) == most:
            break
        if not any(i == j and abs(at - b) < _NEAR for j, b, _ in taken):
            taken.append((i, at, kind))


def _bare(filler: str) -> str:
    return filler.rstrip(",").lower()


def _put(beat: str, at: int, kind: str, word: str, proper: frozenset[str]) -> str:
    before, after = beat[:at], beat[at:]
    if kind in ("within", "falters", "goes_on"):
        return f"{before}, {word}, {after.lstrip(', ')}"
    if kind in ("trails", "extends"):
        return f"{before}, {word}{after}"
    if kind in ("begins", "and"):
        return before + joined(word, after, proper).replace("And, ", "And ", 1)
    if kind == "just":
        return f"{before} just{after}"
    words = after.split()
    n = (
        1
        if kind == "twice"
        else 3
        if len(words) > _LEAST_AGAIN and len(words[1]) + len(words[2]) <= _SHORT_WORDS
        else 2
    )
    begun = " ".join(words[:n])
    again = begun if begun.split("'")[0].split()[0] == "I" or words[0] in proper else begun[:1].lower() + begun[1:]
    return f"{before}{begun}, {again}{after[len(begun) :]}"


_SHORT_WORDS = 5  # letters of the second and third word up to which all three are said again
_LEAST_AGAIN = 4  # words that are left of the sentence for it
