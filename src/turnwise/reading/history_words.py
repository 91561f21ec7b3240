"""Words and likeness for the history judgement: sentences with their content, and what marks a question as answered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.encoder import encode
from turnwise.reading.sentences import split_sentences

__all__ = ["KNOWINGLY", "Sentence", "answered_in", "asks_back", "is_offer", "likeness", "opens", "parts_of", "refuses",
           "rest_differs", "same_slot", "shared", "slot_of", "unanswered"]  # fmt: skip

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NON_FLUENT = frozenset(("um", "uh", "umm", "uhh", "uhm", "er", "erm"))
# What only holds a sentence together, and verbs so light that most questions have one.
_LIGHT = frozenset(
    """
    a an the this that these those there here i me my mine myself you your yours yourself he him his himself she her
    hers herself it its itself we us our ours they them their am is are was were be been being have has had having do
    does did doing done i'm i've i'd i'll you're you've you'd you'll he's she's it's we're we've they're they've that's
    there's what's of to in on at by for from with about into over and or but so as if than then when what who which why
    how where whose oh ah mm hm mhm hmm yeah yes okay ok well would could can will shall should might may just really
    quite very so too again some any ever like go going get got thing things much many lot kind bit little more else
    anything anyone someone anybody somebody something think know say said tell told feel
    """.split()
)
_PAST = dict(
    zip(
        "slept went left lost took drank ate met kept bought began found spoke drove wrote gave came saw made ran grew "
        "fell broke died lay sat stood held paid hurt sent".split(),
        "sleep go leave lose take drink eat meet keep buy begin find speak drive write give come see make run grow "
        "fall break die lie sit stand hold pay hurt send".split(),
        strict=True,
    )
)
_ENDINGS = ("ing", "ies", "ed", "es", "ly", "s")


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    word = _PAST.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its words in order (lower case), and the stems of those that carry content."""

    text: str
    words: tuple[str, ...]
    stems: frozenset[str]

    @property
    def asks(self) -> bool:
        """Whether it is a question, by its mark."""
        return self.text.rstrip("\"'”’) ").endswith("?")


@lru_cache(maxsize=32_768)
def parts_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text that have a word in them.

    Examples
    --------
    >>> [(s.asks, sorted(s.stems)) for s in parts_of("I lost the shop. Did you work there?")]
    [(False, ['los', 'shop']), (True, ['work'])]
    """
    out = []
    for piece in split_sentences(text):
        said = (w.replace("’", "'") for w in _WORD.findall(piece.lower()))
        words = tuple(w for w in said if w not in _NON_FLUENT)
        if words:
            out.append(Sentence(piece, words, frozenset(_stem(w) for w in words if w not in _LIGHT)))
    return tuple(out)


def shared(a: frozenset[str], b: frozenset[str]) -> float:
    """Return which part of the smaller set is in the other; 0 where one is empty.

    Examples
    --------
    >>> shared(frozenset("ab"), frozenset("bcd"))
    0.5
    """
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


@lru_cache(maxsize=32_768)
def _vectors(s: Sentence) -> tuple[FloatArray, FloatArray]:
    found = encode([s.text, " ".join(w for w in s.words if w not in _LIGHT)]).astype(np.float64)
    return found[0], found[1]


@lru_cache(maxsize=32_768)
def _vector(words: frozenset[str]) -> FloatArray:
    return np.asarray(encode([" ".join(sorted(words))])[0], dtype=np.float64)


def rest_differs(a: Sentence, b: Sentence) -> bool:
    """Return whether what two sentences do not share makes them two: one negates, or each has a word of its own.

    Examples
    --------
    >>> how = "On a scale of ten, how {} is it to you?"
    >>> a, b, c = (parts_of(how.format(x))[0] for x in ("important", "likely", "very important"))
    >>> rest_differs(a, b), rest_differs(a, c)
    (True, False)
    """
    if bool(_NOT & set(a.words)) != bool(_NOT & set(b.words)):
        return True
    own, other = a.stems - b.stems, b.stems - a.stems
    if not own or not other:
        return False
    unshared = [frozenset(w for w in s.words if _stem(w) in rest) for s, rest in ((a, own), (b, other))]
    return float(_vector(unshared[0]) @ _vector(unshared[1])) < _REST


_NOT = frozenset("not no never without don't doesn't didn't won't can't couldn't wouldn't isn't aren't wasn't".split())
_REST = 0.3  # cosine


def likeness(a: Sentence, b: Sentence) -> float:
    """Return how near two sentences are: mean of the cosines of the whole and of their content words alone.

    The whole alone would call two long sentences alike for their small words; the content alone would call "who
    helps you?" and "whom do you help?" the same.
    """
    (whole, content), (other, words) = _vectors(a), _vectors(b)
    return float(whole @ other + content @ words) / 2.0


# --- what is asked for ---------------------------------------------------------------------------

_SLOTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("how_long", r"\bhow long\b|\bhow many (?:minutes|hours|days|weeks|months|years)\b.*\b(?:been|ago|since)\b"),
        ("how_often", r"\bhow (?:often|frequently)\b|\bhow many times\b"),
        ("how_many", r"\bhow (?:many|much|old)\b|\b(?:from|of) (?:one|1|zero|0|nought) to (?:ten|10)\b"),
        ("when", r"\bwhen\b(?! (?:you|he|she|they|it|i|we|that|your|somebody|someone)\b)|\bsince when\b|\bwhat time\b"),
        ("where", r"\bwhere\b"),
        ("who", r"\bwho\b|\bwhom\b|\bwhose\b"),
        ("why", r"\bwhy\b|\bhow come\b"),
        ("what", r"\bwhat|\bwhich\b"),
        ("how", r"\bhow\b"),
    )
)
_UNIT = re.compile(r"\b(?:minute|hour|day|night|week|month|year)s?\b")
_NUMBER = (
    r"\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|half|couple|few|dozen"
)
_TIME = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|"
    r"november|december|spring|summer|autumn|winter|christmas|easter|yesterday|today|tonight|mornings?|afternoons?|"
    r"evenings?|nights?|noon|ago|last (?:week|month|year|night)|since"
)
_KIN = (
    r"mum|mom|mother|dad|father|parents?|sisters?|brothers?|sons?|daughters?|wife|husband|partner|girlfriend|boyfriend|"
    r"friends?|neighbou?rs?|uncle|aunt|cousins?|grand\w+|roommates?|flatmates?|boss|manager|kids|children|alone|nobody|"
    r"no one|on my own|by myself"
)
_FILLS: dict[str, re.Pattern[str]] = {
    "how_long": re.compile(rf"\b(?:{_NUMBER}|{_TIME})\b|\byears\b|\bmonths\b", re.I),
    "how_often": re.compile(rf"\b(?:{_NUMBER}|every|each|always|never|once|twice|daily|weekly|most)\b", re.I),
    "how_many": re.compile(rf"\b(?:{_NUMBER}|none|no)\b", re.I),
    "when": re.compile(rf"\b(?:{_TIME}|{_NUMBER} (?:minutes|hours|days|weeks|months|years))\b", re.I),
    "where": re.compile(
        r"\b(?:in|at|from|to|on|near|outside|inside)\s+(?:(?:a|an|the|my|our|her|his)\s+)?\w{3,}", re.I
    ),
    "who": re.compile(rf"\b(?:{_KIN})\b|(?<=[a-z,] )[A-Z][a-z]+"),
}


def slot_of(s: Sentence) -> str:
    """Return what a question asks for: a place, a time, a number …, ``"whether"`` where it names nothing.

    Examples
    --------
    >>> [slot_of(parts_of(x)[0]) for x in ("Who is that?", "How long has it been?", "Do you sleep?")]
    ['who', 'how_long', 'whether']
    """
    text = " ".join(s.words)
    found = [(m.start(), at) for at, (_, pattern) in enumerate(_SLOTS) if (m := pattern.search(text))]
    return _SLOTS[min(found)[1]][0] if found else "whether"


def same_slot(a: Sentence, b: Sentence) -> bool:
    """Return whether two questions may ask for the same: like slots, and no other unit of time.

    Examples
    --------
    >>> week, day = (parts_of(f"How many do you drink a {x}?")[0] for x in ("week", "day"))
    >>> same_slot(week, day), same_slot(day, day)
    (False, True)
    """
    units = [{u.rstrip("s") for u in _UNIT.findall(s.text.lower())} for s in (a, b)]
    if units[0] and units[1] and not units[0] & units[1]:
        return False
    first, other = slot_of(a), slot_of(b)
    loose = {"what", "how", "whether", "why"}
    return first == other or (first in loose and other in loose) or {first, other} <= {"who", "whether"}


def answered_in(q: Sentence, told: Sentence) -> bool:
    """Return whether a statement has a question's own words in it and the kind of thing that it asks for.

    A question for whether something is so is answered by a statement with all its content words, at least two; one for
    who, when, where, how long, how often or how many by one with two thirds of them and such a thing beside them.
    What, why and how are never answered by this rule: nothing in the form of a statement tells. Nor is what only
    repeats a word to check it ("Family happiness?"), which is how people listen.

    Examples
    --------
    >>> told = parts_of("My daughter hasn't spoken to me since the wedding.")[0]
    >>> [answered_in(parts_of(q)[0], told) for q in ("When did your daughter last speak to you?", "The wedding?")]
    [False, False]
    >>> answered_in(parts_of("Who do you live with?")[0], parts_of("I live with my mum.")[0])
    True
    """
    slot = slot_of(q)
    if told.asks or not q.stems or (slot != "whether" and slot not in _FILLS):
        return False
    common = len(q.stems & told.stems)
    if slot == "whether":
        return len(q.stems) >= 2 and common == len(q.stems) and bool(_INVERTED.search(q.text))
    if common < _COVERED * len(q.stems) or (slot == "where" and common < 2):
        return False
    fills = (parts_of(m[0]) for m in _FILLS[slot].finditer(told.text))
    return any(_new_to(q, found) for found in fills)


def _new_to(q: Sentence, found: tuple[Sentence, ...]) -> bool:
    words = {w for s in found for w in s.words}
    return bool(words) and not words <= set(q.words) and not {_stem(w) for w in words if w not in _LIGHT} & q.stems


_COVERED = 0.66
_INVERTED = re.compile(
    r"^\W*(?:(?:and|so|but|okay|ok|well|um|uh|now|then)\W+)*(?:do|does|did|are|is|was|were|have|has|had|will|would|can|"
    r"could)(?:n't)?\s+(?:you|your|he|she|they|it|there|any\w*|his|her|their|the|[A-Z]\w+)\b",
    re.I,
)


# --- what was done with it -----------------------------------------------------------------------

KNOWINGLY = re.compile(
    r"\b(?:earlier (?:you|on|today)|(?:said|told|mentioned|spoke|talked|asked)\b[^.?!]{0,40}\b"
    r"(?:earlier|before)|as i (?:said|mentioned)|i asked|(?:ask|say|check|try|repeat|come back|go back|return)\w*\b"
    r"[^.?!]{0,30}\bagain|come back to|go(?:ing)? back to|return(?:ing)? to|you mentioned|"
    r"a (?:moment|minute|while|few minutes) ago|"
    r"(?:we|you) (?:talked|spoke|were talking|were saying)|last time|still stand|once more|also said|"
    r"here(?:'s| is) what i(?:'ve)? (?:have|heard|got)|to sum up|in summary|"
    r"summari[sz]e|so far|let me see if i)\b",
    re.I,
)
"""What marks a return as meant: the speaker says that it was there before."""
_ASKS_BACK = re.compile(
    r"^\W*(?:sorry|pardon|what|huh|hm+|eh|come again|excuse me)\W*$|\bwhat do you mean|"
    r"\bwhat was (?:the|your) question|"
    r"\b(?:say|repeat|ask) (?:that|it|the question)?\s?(?:again|once more)|\bi (?:don't|didn't|do not|did not) "
    r"(?:understand|hear|catch|follow)|\bsorry, what\b|\bhow do you mean",
    re.I,
)
_EMPTY = re.compile(
    r"\b(?:i (?:don't|do not|really don't|honestly don't|dunno|couldn't|can't|cannot) (?:know|say|tell you|think of)|"
    r"dunno|no idea|not sure|hard to say|i'd rather not|pass|you've got me there|who knows)\b",
    re.I,
)
_FEW_WORDS, _FEW_AT_ALL = 3, 8
_REFUSES = re.compile(
    r"^\W*(?:no|nah|nope|never|please,? (?:no|don't)|i hate|i can't|i won't|i don't want|no thanks?|no way)\b|"
    r"\b(?:i(?:'ve| have)? (?:already )?(?:tried|did|done|asked)|that(?:'s| is| would|'d)? (?:not|never|won't|wouldn't|"
    r"isn't|finish)|it (?:doesn't|didn't|won't|makes it worse)|doesn't (?:help|work)|didn't (?:help|work)|"
    r"(?:aren't|isn't|not) (?:for me|my thing|going to|gonna)|i don't want|i'm not (?:doing|going|calling|a )|"
    r"i can't (?:afford|do)|she won't|he won't|they won't|why i came|leave it|"
    r"stop (?:saying|telling)|don't (?:tell|start))\b",
    re.I,
)
_OFFERS = re.compile(
    r"\b(?:you (?:could|might|should|can|need to|ought)|why (?:not|don't you)|how about|what (?:if|about) (?:you|we)?|"
    r"have you (?:thought|considered|tried)|would (?:it help|you (?:like|consider|be open|be willing))|i(?:'d| would) "
    r"(?:suggest|encourage|recommend|advise|think about)|may be worth|might be worth|it (?:may|might|could|would|can) "
    r"help|(?:would|could|can|might) help|let's|shall we|we could|try\b|maybe it's time|one (?:thing|option|way|idea)|"
    r"there's a|perhaps|maybe|could (?:be|lift)|a good (?:idea|place|start))\b",
    re.I,
)
_OPENS = re.compile(
    r"^\W*(?:(?:hello|hi|hey)(?: there)?\b(?=\W)|good (?:morning|afternoon|evening)\b|welcome\b)|"
    r"\bmy name is\b|"
    r"\b(?:it's|it is) (?:so )?good (?:that )?you(?:'re|'ve| are| have) (?:here|come)\b|"
    r"\bi'm (?:an? |your )(?:ai|counsell?or|therapist|assistant|coach)\b[^.]*\bhere\b|"
    r"\bwhat(?:'s| is| has)? ?(?:brings?|brought|led|made|making)\b[^?]*\b(?:you (?:here|in)\b|"
    r"you to (?:reach|come|seek|therapy|us)|you (?:decide to come|seek|come|reach))|"
    r"\bwhat brings you (?:along|today)\b|"
    r"\bwhere (?:would|do|shall|should) (?:you|we) (?:(?:like|want) to )?(?:begin|start)(?: today)?\W*$|"
    r"\bwhat would (?:you like to (?:talk about|discuss|share|bring|get out of (?:this|our)\b[^?]*)|"
    r"be (?:most )?helpful to talk about)(?: today)?\W*$|"
    r"\bwhat(?:'s| is| has been) on your mind(?: today| lately)?\W*$|"
    r"\btell(?:ing)? me (?:a (?:bit|little)(?: bit)?|something) about (?:yourself|what brings)|"
    r"\bstart by telling me\b|\bhow can i help(?: you)?(?: today)?\W*$|\bwhatever(?:'s| is) on your mind\b|"
    r"\bhow have you been since we last\b",
    re.I,
)


def asks_back(text: str) -> bool:
    """Return whether a patient's turn asks to hear it once more, or what was meant."""
    return bool(_ASKS_BACK.search(text))


def unanswered(text: str) -> bool:
    """Return whether a patient's turn answers nothing: blank, not known, or a counter-question alone.

    Examples
    --------
    >>> unanswered("I don't know."), unanswered("What do you mean?"), unanswered("Since March.")
    (True, True, False)
    """
    parts = parts_of(text)
    if not parts or asks_back(text) or all(s.asks for s in parts):
        return True
    rest = [s for s in parts if len(s.words) > _FEW_AT_ALL or not _EMPTY.search(s.text)]
    return len(rest) < len(parts) and sum(len(s.words) for s in rest) <= _FEW_WORDS


def refuses(text: str) -> bool:
    """Return whether a patient's turn refuses what was offered, by its wording."""
    return bool(_REFUSES.search(text))


def is_offer(s: Sentence) -> bool:
    """Return whether a sentence offers or advises something, by its wording."""
    return bool(_OFFERS.search(s.text))


def opens(s: Sentence) -> bool:
    """Return whether a sentence is what conversations begin with: a greeting, a name, a question what brings somebody.

    Examples
    --------
    >>> opens(parts_of("Hello, what brings you here?")[0]), opens(parts_of("What brings the fear on?")[0])
    (True, False)
    """
    return bool(_OPENS.search(s.text))
