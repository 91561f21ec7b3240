"""Word for word: how much of a claim the patient said in the same order, once who speaks is turned round.

Speech has fillers and false starts, which a therapist who gives words back leaves out; they are taken out of what the
patient said before anything is compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.claim_clauses import feeling_bits, stem
from turnwise.reading.claim_words import STOP

__all__ = ["plainly", "runs"]

_Ints = npt.NDArray[np.int64]
_FILLERS = frozenset(
    """um|umm|uh|uhm|er|erm|ah|eh|em|hm|hmm|mm|like|see|look|listen|mate|mind|love|you know|you see|you know yourself
    |you know what i mean|you know like|d'you know|d'you know like|d'you know what i mean|i mean|i guess|i suppose
    |i think|so to say|so to speak|how do you say|how shall i say|what's the word|na ja|ehn|ach|och|oh|let me say
    |kind of|sort of|or something|in effect""".replace("\n    ", "").split("|")
)
_AGAIN = re.compile(r"\b(\w+(?:'\w+)?(?: \w+(?:'\w+)?)?), (?=\1\b)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_SHORT = {"'m": "be", "'re": "be", "'s": "'s", "'ve": "have", "'ll": "will", "'d": "'d"}
_TURNED = {
    "you": "i", "your": "my", "yours": "mine", "yourself": "myself", "me": "i", "am": "be", "are": "be", "is": "be",
    "were": "was", "im": "i be", "dont": "do not", "cannot": "can not", "has": "have", "an": "a", "does": "do",
}  # fmt: skip
_DROPPED = frozenset("and but because that so just really".split())
_NOT = "not"


@lru_cache(maxsize=4_096)
def plainly(text: str) -> str:
    """Return a text without what only fills it, and without words begun twice.

    Examples
    --------
    >>> plainly("I'm, you know, a weight on, on that girl, um. Well, like, that's it.")
    "I'm a weight on that girl. Well that's it."
    """
    return " ".join(_plain(s) for s in _SENTENCE_END.split(_AGAIN.sub("", text.replace("’", "'"))))


def _plain(sentence: str) -> str:
    parts = sentence.split(",")
    out, filled = "", False
    for part in parts:
        bare = part.strip(" .!?…")
        if len(parts) > 1 and bare.lower() in _FILLERS:
            out += part.strip()[len(bare) :]
            filled = True
            continue
        out += part.lstrip() if not out else (part if filled else f",{part}")
        filled = False
    return out


@lru_cache(maxsize=50_000)
def _turned(word: str) -> tuple[str, ...]:
    if word in _DROPPED:
        return ()
    if word.endswith("n't"):
        return ({"ca": "can", "wo": "will"}.get(word[:-3], _TURNED.get(word[:-3], word[:-3])), _NOT)
    base, quote, short = word.rpartition("'")
    if quote and base and f"'{short}" in _SHORT:
        return _TURNED.get(base, base), _SHORT[f"'{short}"]
    return tuple(_TURNED.get(word, word).split())


def _as_told(words: Sequence[str]) -> list[str]:
    out = [t for w in words for t in _turned(w)]
    return ["be" if t == "'s" else t for t in out]


@dataclass(frozen=True, slots=True)
class Told:
    """What was said word for word, all turns in one row: words turned round, their stems, turns, and what is denied."""

    place: dict[str, int]
    text: _Ints
    stems: npt.NDArray[np.str_]
    turn: _Ints
    denied: npt.NDArray[np.bool_]
    families: npt.NDArray[np.uint64]


_DENIES = frozenset("not never no nobody nothing none without hardly neither nor stop stopped isnt dont cant".split())
_REACH = 3
"""Words behind a denial that it denies."""


def _denied(words: Sequence[str]) -> npt.NDArray[np.bool_]:
    hits = np.array([w in _DENIES for w in words], dtype=np.bool_)
    out = np.zeros(len(words), dtype=np.bool_)
    for back in range(1, _REACH + 1):
        out[back:] |= hits[:-back]
    return out


def told(said: Sequence[tuple[Sequence[str], int]]) -> Told:
    """Return statements, as words and the turn they stand in, in one row."""
    words, turns = [""], [-1]
    for part, turn in said:
        if turn != turns[-1]:
            words.append("")
            turns.append(turn)
        now = _as_told(part)
        words += now
        turns += [turn] * len(now)
    place: dict[str, int] = {}
    text = np.array([place.setdefault(w, len(place)) if w else -1 for w in words], dtype=np.int64)
    at, stems = np.array(turns, dtype=np.int64), [stem(w) for w in words]
    return Told(place, text, np.array(stems), at, _denied(words), _families(stems))


def _families(stems: Sequence[str]) -> npt.NDArray[np.uint64]:
    known = feeling_bits()
    return np.array([known.get(w, 0) for w in stems], dtype=np.uint64)


def runs(claims: Sequence[tuple[Sequence[str], int]], said: Sequence[tuple[Sequence[str], int]]) -> FloatArray:
    """Return how each claim was said word for word, (C, 8); of what was said only earlier turns count.

    The longest share of its words in one run, that in pieces, and that run in the last turn; the share of its telling
    words that were said and denied as here, only otherwise, and otherwise when last said; whether a feeling of its
    kind was said and denied as here, and only otherwise.

    Parameters
    ----------
    claims, said : words, and the turn they stand in.

    Examples
    --------
    >>> told = [("my sister left in march".split(), 0), ("i'm lost".split(), 0)]
    >>> runs([("your sister left".split(), 1), ("you're not lost".split(), 1)], told).round(2).tolist()
    [[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.0, 1.0, 1.0, 0.0, 1.0]]
    """
    row = told(said)
    found = np.zeros((len(claims), 8))
    for n, (words, turn) in enumerate(claims):
        mine = _as_told(words)
        if mine:
            before = row.turn < turn
            at = np.array([row.place.get(w, -2) for w in mine], dtype=np.int64)
            found[n, :3] = _longest(at, row.text[before], row.turn[before])
            found[n, 3:6] = _polarity(mine, row, before)
            found[n, 6:] = _feelings(mine, row, before)
    return found


def _polarity(mine: Sequence[str], row: Told, before: npt.NDArray[np.bool_]) -> tuple[float, float, float]:
    stems, denied = row.stems[before], row.denied[before]
    same = other = last = count = 0
    for w, mine_denied in zip(mine, _denied(mine), strict=True):
        if w in STOP or w in _DENIES or len(w) < 3:
            continue
        count += 1
        at = denied[stems == stem(w)]
        if len(at):
            same += bool((at == mine_denied).any())
            other += not (at == mine_denied).any()
            last += bool(at[-1] != mine_denied)
    return same / max(count, 1), other / max(count, 1), last / max(count, 1)


def _feelings(mine: Sequence[str], row: Told, before: npt.NDArray[np.bool_]) -> tuple[float, float]:
    families, denied = row.families[before], row.denied[before]
    found = [
        denied[(families & kind) != 0] == mine_denied
        for kind, mine_denied in zip(_families([stem(w) for w in mine]), _denied(mine), strict=True)
        if kind
    ]
    said = [x for x in found if len(x)]
    return float(any(x.any() for x in said)), float(bool(said) and not any(x.any() for x in said))


def _longest(mine: _Ints, text: _Ints, at: _Ints) -> tuple[float, float, float]:
    if not len(text):
        return 0.0, 0.0, 0.0
    now = np.zeros(len(text), dtype=np.int64)
    best = np.zeros(len(text), dtype=np.int64)
    covered = np.zeros(len(mine), dtype=np.bool_)
    for i, word in enumerate(mine):
        before = np.r_[0, now[:-1]]
        now = np.where(text == word, before + 1, 0)
        best = np.maximum(best, now)
        length = int(now.max())
        if length >= min(2, len(mine)):
            covered[i - length + 1 : i + 1] = True
    last = best[at == at[-1]]
    return float(best.max()) / len(mine), float(covered.mean()), float(last.max()) / len(mine)
