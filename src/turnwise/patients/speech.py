"""How people talk as against how authors write: lengths, acknowledgements, fillers, words begun twice.

What is said is decided and worded before; this loosens it, as much as people of the same modality do
(``human_speech.json``, from AnnoMI and ESConv by ``tools/speech_rates.py``) times the case's own
``speech.rate``, in the case's own words. A case without ``speech`` speaks as it was written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.random import Generator

from turnwise.patients.package_data import read_document
from turnwise.patients.schema import Speech

__all__ = ["OWN_START", "Habits", "begun", "favoured", "habits", "joined", "lacking", "loosened"]

OWN_START = re.compile(
    r"(?:well|no|yes|yeah|aye|oh|so|look|okay|ok|i mean|and|but|because|listen|you know|right|hm|huh|mm|um|uh|it's|"
    r"that)\b",
    re.IGNORECASE,
)
"""Beginnings that bear no other before them."""
_JOINT = re.compile(r"(?<=\w),? (?=(?:and|but|because|so|which)\b)")
_LOOSE_JOINT = re.compile(
    r"(?<=\w),? (?=(?:at|in|on|with|for|from|about|when|where|if|till|until|before|after|like|while|to (?:the|my|a))\b)"
)
"""Where speech is broken less often than between clauses: before what says where, when or with whom."""
_SUBJECT = re.compile(r"(?:^|(?<=[,;] )|(?<= and )|(?<= but ))(?:I|he|she|they|we|you)(?= [a-z]+)")
_NO_JUST = frozenset(
    """am is are was were be been being have has had do does did can could will would shall should may might must don't
    not never just still only really always also even already ever hardly didn't don't take know think mean guess
    suppose wish hope want like love hate need""".split()
)
_SENTENCE = re.compile(r"[^.?!…]+[.?!…]+[\"”']?\s*")
_QUOTED = re.compile(r"[\"“”]|(?<!\w)'|'(?!\w)")
_TWICE = re.compile(r"(?:i|i'm|i'd|it's|it|he|she|we|they|the|my|and|that's|there's)\b", re.IGNORECASE)
_TITLES = frozenset(
    """Dr Mr Mrs Ms Miss Father Sister Saint St January February March April May June July August September October
    November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays
    Fridays Saturdays Sundays Christmas Easter""".split()
)
"""Words that keep their capital wherever they stand, besides the names of the case."""
_TAKES_START = re.compile(
    r"(?:I|he|she|they|we|you|it|there|my|the|that|this|some|every|people)\b(?!'s all)", re.IGNORECASE
)
"""Sentences that bear an "and" or "well" before them; fragments ("Forty-nine.") do not."""
_ABBREVIATED = frozenset(("Mrs.", "Mr.", "Ms.", "Dr.", "St."))
_LEAST = 4  # words of a sentence below which nothing is put into it
_NO_TRAIL = frozenset("no yes that it so this though too either anyway now then there here all".split())
_LEAST_PART = 3  # words on either side of a joint


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

    def length(self, kind: str, u: float) -> float:
        """Return the length in words at the quantile ``u`` in [0, 1]."""
        grid = self.words[kind]
        return float(np.interp(u * (len(grid) - 1), np.arange(len(grid)), grid))


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
    )


def lacking(speech: Speech, h: Habits, written: float) -> tuple[float, float]:
    """Return how many fillers and words said twice per 100 words the written text lacks of what people say."""
    return max(0.0, speech.rate * h.fillers - written), speech.rate * h.repeats


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
    """Draw one of the phrases, the first ones oftener: everybody has favourites (weights 1, 1/2, 1/3, …)."""
    weight = 1.0 / np.arange(1, len(bank) + 1)
    return bank[int(rng.choice(len(bank), p=weight / weight.sum()))]


def joined(start: str, text: str, proper: frozenset[str]) -> str:
    """Put a beginning before a text, which goes on in lower case after a comma unless it begins with a name."""
    first = text.split()[0]
    if start.rstrip(",").lower().split()[-1] == first.lower().rstrip(","):
        return text
    return f"{start} {_lowered(text, proper) if start.endswith(',') else text}"


def _lowered(text: str, proper: frozenset[str]) -> str:
    bare = text.split()[0].rstrip(".,!?").split("'")[0]
    keeps = bare == "I" or bare in proper or bare in _TITLES or (bare.isupper() and len(bare) > 1)
    return text if keeps else text[:1].lower() + text[1:]


def loosened(
    beats: Sequence[str],
    speech: Speech,
    missing: tuple[float, float],
    proper: frozenset[str],
    rng: Generator,
    *,
    raw: bool,
) -> list[str]:
    """Return the beats with fillers and words begun twice: so many per 100 words as ``missing`` says.

    Never inside what is quoted, in short sentences, or at the start of the first beat (``begun``). Nothing
    trails after what is said with strong feeling (``raw``): people falter there, they do not shrug.
    """
    words = sum(len(b.split()) for b in beats) / 100.0
    slots = [slot for i, b in enumerate(beats) for slot in _slots(i, b, speech)]
    fill = [s for s in slots if s[2] != "twice" and not (raw and s[2] == "trails")]
    twice = [s for s in slots if s[2] == "twice"]
    chosen = [fill[i] for i in rng.permutation(len(fill))[: rng.poisson(words * missing[0])]]
    chosen += [twice[i] for i in rng.permutation(len(twice))[: rng.poisson(words * missing[1])]]
    out, used = list(beats), Counter[str]()
    places = {(i, at): kind for i, at, kind in chosen}
    for (i, at), kind in sorted(places.items(), reverse=True):
        bank = {"within": speech.within, "trails": speech.trails, "begins": speech.begins}.get(kind, ("",))
        fresh = [x for x in bank if used[_bare(x)] < _ONCE_MORE] or list(bank)
        word = favoured(fresh, rng)
        used[_bare(word)] += 1
        out[i] = _put(out[i], at, kind, word, proper)
    return out


_ONCE_MORE = 2  # times one filler may come in a reply


def _bare(filler: str) -> str:
    return filler.rstrip(",").lower()


def _slots(i: int, beat: str, speech: Speech) -> list[tuple[int, int, str]]:
    """Return where something may be put into a beat: its number, the place in its text, and what kind of thing."""
    if _QUOTED.search(beat):
        return []
    found = []
    for m in _SENTENCE.finditer(beat):
        said, start = m.group(), m.start()
        if len(said.split()) < _LEAST:
            continue
        if speech.within:
            found += [(i, start + at, "within") for at in (*_joints(_JOINT, said), *_joints(_LOOSE_JOINT, said)[:1])]
        if speech.begins and (i or start) and _TAKES_START.match(said) and not said.rstrip().endswith("?"):
            found += [(i, start, "begins"), (i, start, "and")]
        found += [(i, start, "twice")] if _TWICE.match(said) else []
        found += [(i, start + x.end(), "just") for x in _SUBJECT.finditer(said) if _takes_just(said[x.end() :])]
        end = start + len(said.rstrip()) - 1
        if said.split()[-1] in _ABBREVIATED:
            continue
        last = said.split()[-1].strip(".,!?").lower()
        ends = beat[end] == "." and last.isalpha() and last not in _NO_TRAIL
        found += [(i, end, "trails")] if speech.trails and ends else []
    return found


def _takes_just(rest: str) -> bool:
    """Whether a plain verb follows, so that "just" can stand before it ("I just rang")."""
    word = rest.split()[0].strip(".,!?;:")
    return word.isalpha() and word not in _NO_JUST and not word.endswith("ly")


def _joints(pattern: re.Pattern[str], sentence: str) -> list[int]:
    """Return where two stretches of some length are joined by "and", "because", …."""
    found = pattern.finditer(sentence)
    return [
        m.start()
        for m in found
        if min(len(sentence[: m.start()].split()), len(sentence[m.end() :].split())) >= _LEAST_PART
    ]


def _put(beat: str, at: int, kind: str, word: str, proper: frozenset[str]) -> str:
    before, after = beat[:at], beat[at:]
    if kind == "within":
        return f"{before}, {word}, {after.lstrip(', ')}"
    if kind == "trails":
        return f"{before}, {word}{after}"
    if kind in ("begins", "and"):
        return before + joined(word if kind == "begins" else "And,", after, proper).replace("And, ", "And ", 1)
    if kind == "just":
        return f"{before} just{after}"
    first, *rest = after.split()
    begun = f"{first} {rest[0]}" if len(rest) > 2 and len(rest[0]) <= _SHORT_WORD and rest[0].isalpha() else first
    again = begun if first == "I" or first.startswith("I'") else begun[:1].lower() + begun[1:]
    return f"{before}{begun}, {again}{after[len(begun) :]}"


_SHORT_WORD = 4  # letters of a second word up to which it is begun twice along with the first
