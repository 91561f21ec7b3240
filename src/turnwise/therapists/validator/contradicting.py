"""Contradiction with what the patient said: turned round, of somebody else, another number, day or value.

Clauses of the reply are laid beside clauses of the patient, said of "you". Where they are nearly the
same words but for a negation, exchanged persons, a number, a relative, a date or an opposite, the
reply contradicts, unless the patient has said it that way too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from turnwise.therapists.clauses import clauses
from turnwise.therapists.pronouns import to_you
from turnwise.therapists.validator.facts import KIN_WORDS, SAME_KIN, SMALL
from turnwise.therapists.validator.faults import Fault
from turnwise.therapists.validator.form import found
from turnwise.therapists.validator.situation import Draft, Situation, stem, words_of

__all__ = ["find"]

_NEGATIONS = frozenset("not never no nobody none nothing without neither nor hardly cannot".split())
_DROPPED = frozenset(
    "do does did have has had am is are was were be been being will would just only still really that so then "
    "well".split()
)
_FUNCTION = frozenset(
    "you your he she it they we the a an to of in on at for with by from and but or him her his them their this that "
    "there "
    "as if me my i out up off so then when while what who anyone anything any some all again by one can could "
    "thing".split()
)
_CONTRACTED = {"won't": "will", "can't": "can", "shan't": "shall", "ain't": "is"}
_ONES = {
    w: i for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen "
        "eighteen nineteen".split()
    )
}  # fmt: skip
_TENS = {w: 10 * (i + 2) for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
_ORDINALS = {w: i + 1 for i, w in enumerate("first second third fourth fifth sixth".split())}
_MONTHS = frozenset("january february march april june july august september october november december".split())
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_OPPOSITES = tuple(
    (frozenset(a.split()), frozenset(b.split()))
    for a, b in (
        ("good great fine well brilliant", "bad wrong awful terrible poor"), ("better easier", "worse harder"),
        ("always", "never"), ("easy", "hard difficult"), ("happy glad", "sad unhappy sorry"), ("love", "hate"),
        ("more", "less"), ("before", "after"), ("alone", "together"), ("remember", "forget forgot"), ("win", "lose"),
        ("quiet", "loud noisy"), ("fall asleep slept", "awake"), ("old", "young"), ("like", "dislike hate"),
    )
)  # fmt: skip
_PERSON = {
    "he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "they": "they", "them": "they", "their": "they",
    "you": "you", "your": "you", "yourself": "you",
}  # fmt: skip
_ENDING = re.compile(r"'(?:ve|re|d|ll|s|m)$")
_LIGHT = frozenset(stem(w) for w in SMALL)
_MIN_RATIO = 0.6
_CLOSE = 0.75


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause said of "you": its words, stems without negations and auxiliaries, and its polarity."""

    words: tuple[str, ...]
    frame: tuple[str, ...]
    negated: bool
    denied: frozenset[str]
    content: frozenset[str]


def _clause(text: str) -> _Clause:
    said = words_of(re.sub(r"[\[(][^\[\]()]{0,80}[\])]", " ", text))
    words = tuple(w for i, w in enumerate(said) if i == 0 or w != said[i - 1])  # "you you don't" is a false start
    frame: list[str] = []
    denied: set[str] = set()
    negations = 0
    pending = False  # the next word with content is what is denied
    for word in words:
        if word.endswith("n't"):
            negations, pending = negations + 1, True
            word = _CONTRACTED.get(word, word[:-3])
        elif word in _NEGATIONS:
            negations, pending = negations + 1, True
            continue
        bare = _ENDING.sub("", word)
        if bare in _DROPPED:
            continue
        frame.append(stem(bare) if bare not in _FUNCTION else bare)
        if pending and bare not in _FUNCTION:
            denied.add(frame[-1])
            pending = False
    content = frozenset(w for w in frame if w not in _FUNCTION)
    return _Clause(words, tuple(frame), negations % 2 == 1, frozenset(denied), content)


@lru_cache(maxsize=2_048)
def _told(text: str) -> tuple[_Clause, ...]:
    """Return what one patient turn tells, clause by clause, said of "you"; questions are left out."""
    pieces = [p for p in re.split(r"(?<=[.!?…])\s+", text) if not p.rstrip("\"' ").endswith("?")]
    return tuple(_clause(to_you(c)) for p in pieces for c in clauses(p))


def find(draft: Draft, s: Situation) -> Iterator[Fault]:
    """Yield clauses of the draft that contradict what the patient said."""
    told = [c for turn in s.patient for c in _told(turn)]
    if not told:
        return
    for said in draft.sentences:
        if said.asks or said.hedged:
            continue
        for piece in clauses(said.text.replace("’", "'")):
            reason = _against(_clause(piece), told, s)
            if reason is not None:
                yield found("contradiction", said.text, said.start, f"They said: {reason}.")
                return


def _against(mine: _Clause, told: list[_Clause], s: Situation) -> str | None:
    if not mine.frame:
        return None
    for check in (_turned, _swapped, _other_number, _other_relative, _other_date, _opposite):
        against = check(mine, told)
        if against is not None:
            return f'"{" ".join(against.words)[:100]}"'
    return None


def _overlap(a: _Clause, b: _Clause) -> tuple[float, frozenset[str]]:
    """Return the share of the shorter frame that both have, and the content words among it."""
    if not a.frame or not b.frame:
        return 0.0, frozenset()
    common = set(a.frame) & set(b.frame)
    return len(common) / min(len(set(a.frame)), len(set(b.frame))), frozenset(common - _FUNCTION)


def _nearly_the_same(mine: _Clause, other: _Clause, ratio: float, content: frozenset[str]) -> bool:
    """Whether two clauses are the same but for small words: what both have outweighs what mine has alone."""
    shared = len(set(mine.frame) & set(other.frame))
    alike = shared / max(len(set(mine.frame)), len(set(other.frame)), 1)
    weighty = content - _LIGHT
    alone = mine.content - content - _LIGHT
    if not weighty:
        return not alone and not (other.content - content - _LIGHT) and ratio >= 0.99 and shared >= 3
    if len(alone) > len(weighty):
        return False
    return (len(content) >= 2 and ratio >= _MIN_RATIO and alike >= 0.5) or (
        ratio >= _CLOSE and shared >= 3 and alike >= 0.6
    )


def _turned(mine: _Clause, told: list[_Clause]) -> _Clause | None:
    """Return the clause that says the same with the other polarity, if none says it with this one."""
    if mine.words[0] in _NEGATIONS or mine.words[0] == "if":
        return None  # "nobody to ask how you are" is no sentence
    best: dict[bool, tuple[float, _Clause]] = {}
    for other in told:
        ratio, content = _overlap(mine, other)
        close = _nearly_the_same(mine, other, ratio, content)
        weight = ratio + 0.1 * len(content)
        if close and weight > best.get(other.negated, (0.0, other))[0]:
            best[other.negated] = (weight, other)
    against, same = best.get(not mine.negated), best.get(mine.negated)
    if against is None or (same is not None and same[0] >= against[0] - 0.15):
        return None
    denied, affirmed = (mine, against[1]) if mine.negated else (against[1], mine)
    return against[1] if denied.denied & set(affirmed.frame) else None


@lru_cache(maxsize=8_192)
def _sides(clause: _Clause, verb: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the persons before and after ``verb``; "your sister" is the sister and not "you"."""
    before: set[str] = set()
    after: set[str] = set()
    side = before
    words = clause.words
    for i, word in enumerate(words):
        bare = _ENDING.sub("", word)
        if stem(bare) == verb:
            side = after
            continue
        if bare == "your" and i + 1 < len(words) and (words[i + 1] in KIN_WORDS or words[i + 1] in SAME_KIN):
            continue
        if bare in _PERSON:
            side.add(_PERSON[bare])
        elif bare in KIN_WORDS or bare in SAME_KIN or (bare not in SMALL and bare not in _FUNCTION):
            side.add(stem(bare))
    return frozenset(before), frozenset(after)


_NO_VERB_AFTER = frozenset(
    "your his her their my the a an of to at over on in with for from about this that no every some any these those "
    "by".split()
)


@lru_cache(maxsize=8_192)
def _verbs(clause: _Clause) -> frozenset[str]:
    """Return the stems of content words that may be the verb: no article, possessive or preposition before them."""
    pairs = zip(("", *clause.words), clause.words, strict=False)
    words = (_ENDING.sub("", w) for before, w in pairs if before not in _NO_VERB_AFTER)
    return frozenset(stem(w) for w in words if w not in _FUNCTION and w not in _DROPPED)


def _swapped(mine: _Clause, told: list[_Clause]) -> _Clause | None:
    """Return the clause in which who did it and to whom are the other way round."""
    turned: dict[str, _Clause] = {}
    said_so: set[str] = set()
    for other in told:
        for verb in _verbs(mine) & _verbs(other):
            b1, a1 = _sides(mine, verb)
            b2, a2 = _sides(other, verb)
            mine_does = "you" in b1 - a1 and "you" in a2 - b2 and a1 & b2
            they_do = "you" in b2 - a2 and "you" in a1 - b1 and a2 & b1
            if mine_does or they_do:
                turned.setdefault(verb, other)
            elif b1 & b2:
                said_so.add(verb)
    return next((clause for verb, clause in turned.items() if verb not in said_so), None)


def _numbers(clause: _Clause) -> Iterator[tuple[int, str, bool]]:
    """Yield (value, the stem of what is counted or "", whether it is an ordinal)."""
    words = clause.words
    i = 0
    while i < len(words):
        word, value, ordinal = words[i], None, False
        if word.isdigit():
            value = int(word[:9])
        elif word in _TENS:
            value = _TENS[word]
            if i + 1 < len(words) and 0 < _ONES.get(words[i + 1], 0) < 10:
                i += 1
                value += _ONES[words[i]]
        elif word in _ONES and word not in ("one", "zero"):
            value = _ONES[word]
        elif word in _ORDINALS:
            value, ordinal = _ORDINALS[word], True
        elif word in ("twice", "thrice"):
            yield {"twice": 2, "thrice": 3}[word], stem("times"), False
        if value is not None:
            nxt = words[i + 1] if i + 1 < len(words) else ""
            counted = nxt in ("time", "times") or not (nxt in _FUNCTION or nxt in SMALL)
            yield value, stem(nxt) if counted else "", ordinal
        i += 1


_OWN_COUNTS = frozenset(
    stem(w) for w in "things thing sides side sentences parts options ways words minutes points".split()
)


def _other_number(mine: _Clause, told: list[_Clause]) -> _Clause | None:
    if not {"you", "your", "he", "she", "they"} & set(mine.frame):
        return None
    for value, unit, ordinal in _numbers(mine):
        if unit in _OWN_COUNTS and unit != stem("minutes"):
            continue
        theirs = [(n, u, c) for c in told for n, u, o in _numbers(c) if o == ordinal]
        same_unit = [(n, c) for n, u, c in theirs if unit and u == unit]
        if same_unit:
            if all(n != value for n, _ in same_unit):
                return same_unit[0][1]
            continue
        framed = [(n, c) for n, _, c in theirs if len(_overlap(mine, c)[1]) >= 1 and _overlap(mine, c)[0] >= 0.5]
        if framed and not unit and all(n != value for n, _, _ in theirs):
            return framed[0][1]
    return None


_PEOPLE: Mapping[str, frozenset[str]] = {
    **KIN_WORDS,
    **{
        w: frozenset((w, f"{w}s", *more.split()))
        for w, more in (
            ("colleague", "coworker workmate"), ("friend", "mate mates pal"), ("neighbour", "neighbor neighbors"),
            ("teacher", ""), ("doctor", "gp psychiatrist"), ("nurse", ""), ("landlord", "landlady"),
        )
    },
}  # fmt: skip


def _kin(clause: _Clause, first: int = 99) -> list[str]:
    words = [w.removesuffix("'s") for w in clause.words[:first]]
    return [SAME_KIN.get(w, w) for w in words if w in _PEOPLE or w in SAME_KIN]


def _other_relative(mine: _Clause, told: list[_Clause]) -> _Clause | None:
    """Return the clause that says it of another relative."""
    for who in _kin(mine, first=3)[:1]:
        same = _PEOPLE[who] | {who}
        for other in told:
            theirs = _kin(other, first=4)
            shared = _overlap(mine, other)[1] - {stem(w) for w in (*mine.words, *other.words) if w in _PEOPLE}
            enough = len(shared) >= 2 or (shared and _overlap(mine, other)[0] >= _MIN_RATIO)
            if theirs and enough and not any(t in same or who in _PEOPLE[t] for t in theirs):
                known = any(who in _kin(c) and _overlap(mine, c)[1] >= shared for c in told)
                if not known:
                    return other
    return None


def _other_date(mine: _Clause, told: list[_Clause]) -> _Clause | None:
    for names in (_MONTHS, _DAYS):
        here = names & set(mine.words)
        said = {w for c in told for w in c.words if w in names}
        if here and said and not here & said:
            return next(c for c in told if names & set(c.words))
    if "may" in mine.words and "in" in mine.words[: mine.words.index("may")][-1:]:
        return next((c for c in told if _MONTHS & set(c.words)), None)
    return None


def _opposite(mine: _Clause, told: list[_Clause]) -> _Clause | None:
    for other in told:
        if other.negated != mine.negated or len(_overlap(mine, other)[1]) < 2:
            continue
        for one, two in _OPPOSITES:
            a, b = set(mine.words), set(other.words)
            if ((a & one and b & two) or (a & two and b & one)) and not (a & one and a & two):
                return other
    return None
