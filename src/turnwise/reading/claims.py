"""Find what a therapist's turn says is so about the patient: claims, by the wording of clauses.

A claim is a feeling or a fact attributed to the patient or the patient's life: "You felt humiliated", "your sister
left". Whether it is true to what was said is another question (``turnwise.reading.claim_coder``).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from turnwise.reading.claim_clauses import stem
from turnwise.reading.claim_frames import advises, assures, frames, generalises, hedges, of_the_therapist, taken_back
from turnwise.reading.claim_words import FAMILIES_OF_FEELING, STOP

__all__ = ["Claim", "SaidBefore", "claims_in", "words_said"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One attribution: its words, where they stand, what it is of, whether it is only offered, or a quotation."""

    span: str
    start: int
    end: int
    kind: Literal["feeling", "fact"]
    hedged: bool
    quoted: bool = False


_SENTENCE = re.compile(r"[^.!?…]+(?:[.!?…]+|$)")
_BREAK = re.compile(
    r"\s*(?:[,;:–—]|\s-\s)\s*(?:(?:and|but|so|yet|because|since|as|while|though|although|whereas|even though|still|then"
    r"|when|where|which)\s+)*|\s+(?:and|but|so|because|since|while|though|although|whereas"
    r"|even though)\s+(?:(?:then|now"
    r"|still|that|yet|afterwards|so)\s+)*(?=(?:you|your|he|she|they|it|his|her|their|the|nobody|somebody|everyone"
    r"|both|some"
    r"|someone|[A-Z]\w+)\b)",
)
_LEAD = re.compile(
    r"^(?:(?:and|but|so|then|well|okay|ok|right|ah|oh|mm+|mhm|yes|no|now|also|still|since|as|because|while|though"
    r"|although"
    r"|that|both|clearly|actually|of course|at the same time|it makes sense that|it makes sense|it's good that"
    r"|what i hear is"
    r"|what i'm hearing is|i'm (?:hearing|sensing)(?: that)?|i hear that|i hear"
    r"|i understand that|i understand|i see that|i can (?:hear|see|tell"
    r"|sense|feel) (?:that|how)?"
    r"|it (?:really )?(?:sounds|seems|looks|feels) (?:to me )?(?:like|as if|as though|that)|(?:sounds|seems"
    r"|looks) like|it's clear that"
    r"|it is clear that|given that|now that|i know that|i know|i notice that|i notice|you(?:'ve| have)? (?:said"
    r"|told me|mentioned"
    r"|described|explained)(?: that| how)?(?= (?:you|your|it|he|she|they|the|nobody)\b)|you(?:'re| are) (?:saying"
    r"|telling me)(?: that)?|you can see that|so the picture is this|in other words|something in you says that"
    r"|even though|to me|i mean)\b(?!')[,:]?\s*)+",
    re.IGNORECASE,
)
_YOU = frozenset("you your yours yourself".split())
_ABOUT = re.compile(
    r"^(?:(?:on|in|at|for|after|since|during|with|by|before|from|until|inside|outside|last|next|some|this|these"
    r"|that|today"
    r"|yesterday|now|then|there|halfway|more|most|afterwards|once|at first|sober|physically)\b[^,]*?\s)?"
    r"(?:(?:[Tt]he|[Aa]n?|[Tt]hat|[Tt]hose) \w+|[Ii]t|[Tt]here|[Nn]obody|[Nn]o one|[Ee]veryone|[Ee]verybody"
    r"|[Ss]ome(?:one|body)|"
    r"[Nn]one|[Aa]ll|[Bb]oth|[Ss]ome|[Mm]ost|[Hh]alf|[A-Z][a-z]+)\b[\w' -]*?"
    r"\b(?:was|were|has|had|hasn't|wasn't|weren't|hadn't|isn't|knows?|came|went|left|(?!need|indeed)\w{3,}ed|"
    r"didn't|gave|told|said|sent|took|threw|fell|lost|kept|made|got|stood|paid|broke|began|(?:in|on|at) \w+ing)\b"
)
"""A statement without "you": what somebody, something or it did or was, if it is of the past or of one case."""
_GENERAL = frozenset(
    """people many anyone parents families couples men women humans we us our others often usually can i my me common
    normal session question feelings step group groups situation situations sounds important help""".split()
)
_GENERALLY = re.compile(r"\b(?:no one's|makes sense)\b", re.IGNORECASE)
_FEELINGS = frozenset(
    "feel feels felt feeling want wants wanted wish hope miss regret care mind bother proud".split()
).union(*(words.split() for words in FAMILIES_OF_FEELING.values()))
_HYPHENED = re.compile(rf"\b(?:{'|'.join(sorted(w for w in _FEELINGS if not w.isalpha()))})\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][a-z]+")
_LEAST, _MOST_CHARS = 2, 8_000


_QUOTED = re.compile(r"[\"“]([^\"“”]{2,400})[\"”]")
_ASIDE = re.compile(
    r"(?:(?:and |so )?(?:as )?you (?:tell|say|see|put|describe|know)(?: it)|as you (?:tell|say|see|put)"
    r"|the way you (?:see|tell|put) it"
    r"|in your (?:own )?(?:eyes|view|words|mind)"
    r"|you (?:also )?(?:say|said|tell me|told me|see|know|mean|put it like this)"
    r"|you(?:'ve| have)? (?:just )?(?:got there|found (?:that|it|this)(?: one)?|put (?:that|it) together"
    r"|saw (?:that|it))"
    r" (?:yourself|just now)|it's (?:yours|your own)|that's (?:how it is for you|your own thought)|that came from you"
    r"|(?:why|how|off how) you .*|what (?:they|it|yours|would) .*|(?:no )?need to .*"
    r"|(?:there's )?nothing (?:you|of) .*"
    r"|by the sound of it|(?:in |of )?what you(?:'ve| have)? (?:just )?(?:said|told me|tell me)"
    r"|there's (?:room|time|no|(?:a lot|a good deal|something) in) .*"
    r"|(?:all right|another time|(?:or |and )?your \w+|when you're ready"
    r"|with \w+ like (?:that|this)))",
    re.IGNORECASE,
)
_UNDER = frozenset("when where which whenever until if whether what while".split())
_DOUBTFUL = frozenset(
    """down low blue cross flat blank nothing worn let stand use useless dull drag long lost alone stuck failure fault
    responsible content weight ease wading cry crying cried weep wept tears rest pressure safe mad enjoy love loves
    loved hate hates stand miss missed misses missing upset hurts let silly stupid trapped boring pointless shot
    respected excluded burnt burned blame despair drained pain painful""".split()
)
_FEELING_SAID = (
    frozenset(
        """upset distress emptiness numbness foolish shaken betrayed rejected disappointed hurt overwhelmed stressed
        trapped drained""".split()
    ).union(*(words.split() for words in FAMILIES_OF_FEELING.values()))
    - _DOUBTFUL
)
"""Words that name a feeling wherever they stand."""
_ECHOED = 0.75
"""Share of a statement's telling words, none of them "you", that the patient must have used for it to be of them."""


@lru_cache(maxsize=1_024)
def words_said(text: str) -> frozenset[str]:
    """Return the stems of a text's words, but for the commonest."""
    return frozenset(stem(w) for w in _WORD.findall(text.lower().replace("’", "'")) if w not in STOP)


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the clauses of a sentence that end the one before them, and whether each only says when or which."""
    at, under = start, False
    for found in _BREAK.finditer(text, start, end):
        yield at, found.start(), under
        at, under = found.end(), not _UNDER.isdisjoint(found.group().lower().split())
    yield at, end, under


@dataclass(frozen=True, slots=True)
class SaidBefore(Container[str]):
    """The words that were said before one turn of a session, so that each turn need not collect them again.

    Not a set: it only answers whether a word is in it, and whether any is.

    Parameters
    ----------
    first : word to the turn in which it was first said, the earliest words first. turn : the turn that is read.

    Examples
    --------
    >>> first = {"dad": 1, "boat": 3}
    >>> "dad" in SaidBefore(first, 2), "boat" in SaidBefore(first, 2), bool(SaidBefore(first, 1))
    (True, False, False)
    """

    first: Mapping[str, int]
    turn: int

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.first.get(word, self.turn) < self.turn

    def __bool__(self) -> bool:
        return next(iter(self.first.values()), self.turn) < self.turn


@dataclass(frozen=True, slots=True)
class _Known:
    """What a clause is held to be of the patient's life by: names, stems of the patient's words."""

    names: Container[str]
    said: Container[str]

    def holds(self, text: str, words: Set[str]) -> bool:
        """Whether a clause without "you" is about the patient's life."""
        if not words.isdisjoint(_GENERAL) or _GENERALLY.search(text):
            return False
        if not words.isdisjoint(_THIRD) or _ABOUT.search(text) or any(w in self.names for w in _NAME.findall(text)):
            return True
        if not words.isdisjoint(_FEELING_SAID):
            return True
        told = words_said(text)
        return len(told) > 1 and _echoed(told, self.said) and not _BARE.match(text)


def _echoed(told: Set[str], said: Container[str]) -> bool:
    return sum(w in said for w in told) >= _ECHOED * len(told)


def _is_claim(text: str, words: set[str], known: _Known, *, after_frame: bool, guess: bool) -> bool:
    """Whether a clause is one; ``words`` are its words, in lower case. A guess may begin with who guesses."""
    if assures(text):
        return True
    if advises(text, words) or (of_the_therapist(text) and not guess) or _ASIDE.fullmatch(text):
        return False
    if not words.isdisjoint(_YOU):
        return len(text.split()) >= _LEAST
    return not after_frame and known.holds(text, words)


def claims_in(reply: str, names: Container[str] = (), said: Container[str] = ()) -> tuple[Claim, ...]:
    """Return what a therapist's turn says is so about the patient, clause by clause, in order.

    By wording alone: second-person statements ("you feel", "your son is", "so you left", "sounds like you miss him"),
    statements about the people and things in the patient's life, and the patient's words given back ("Ashamed.").
    Left out are questions, advice, orders and offers, what the therapist says of themselves, and general statements.
    ``hedged`` marks what is offered as a guess ("I wonder whether", "maybe", "it may be that"); "it sounds like" and
    "you seem" are how a reflection is said, no guess. Not a grammar, and not whether any of it is so.

    Parameters
    ----------
    names : capitalised words that the patient used (a set, or ``SaidBefore``): a statement about one of them is about
        the patient's life.
    said : stems of the patient's words (``words_said``): what is made of them is given back. A quotation is a claim
        if it is made of them.

    Returns
    -------
    claims in order; ``reply[claim.start:claim.end] == claim.span``.

    Examples
    --------
    >>> [(c.span, c.kind, c.hedged) for c in claims_in("It sounds like you felt humiliated, and your sister left.")]
    [('you felt humiliated', 'feeling', False), ('your sister left', 'fact', False)]
    >>> [c.hedged for c in claims_in("Maybe you miss him.")], claims_in("Do you miss him? You could ring him.")
    ([True], ())
    >>> [c.span for c in claims_in('"I am done." Put it down, and the dog barks.', said=words_said("I'm done, I am"))]
    ['I am done.']
    """
    reply = reply[:_MOST_CHARS]
    known = _Known(names, said)
    text, quoted = _unquoted(_BLANK.sub(" ", reply.replace("’", "'")), said)
    found = [Claim(reply[a:b], a, b, _kind(reply[a:b]), hedged=False, quoted=True) for a, b in quoted]
    sentences = [m.span() for m in _SENTENCE.finditer(text)]
    framed = False
    for i, (start, end) in enumerate(sentences):
        sentence = text[start:end]
        if "?" in sentence or not sentence.strip():
            continue
        after = text[slice(*sentences[i + 1])] if i + 1 < len(sentences) else ""
        hedged = hedges(sentence) or taken_back(after)
        spans = list(_of_sentence(text, (start, end), known, framed=framed))
        found += [Claim(reply[a:b], a, b, _kind(text[a:b]), hedged) for a, b in spans]
        told = frames(_unled(text, start, end)) or generalises(sentence)
        framed = (not spans or (hedged and told)) and (framed or told or hedges(sentence))
    return tuple(sorted(found, key=lambda c: c.start))


def _of_sentence(text: str, at: tuple[int, int], known: _Known, *, framed: bool) -> Iterator[tuple[int, int]]:
    """Yield where the claims of a sentence stand; ``framed``: what came before it was advice or a frame."""
    if generalises(text[slice(*at)]) and not assures(text[slice(*at)]):
        return
    guess = hedges(text[slice(*at)])
    frame = frames(_unled(text, *at)) and not guess
    claimed = False
    for n, (a, b, under) in enumerate(_clauses(text, *at)):
        a = _past_lead(text, a, b)
        b = a + len(text[a:b].rstrip(" \t\r\n.!…\"'"))
        span = text[a:b]
        words = set(_WORDS.findall(span.lower()))
        aside = (frame and (n == 0 or under or not _ANEW.match(span))) or (under and n and not claimed)
        if aside and not assures(span):
            continue
        if _is_claim(span, words, known, after_frame=framed or frame, guess=guess):
            claimed = True
            yield a, b


def _past_lead(text: str, a: int, b: int) -> int:
    lead = _LEAST_LEAD.match(text, a, b)
    a = lead.end() if lead else a
    said = _LEAD.match(text[a:b]) if _may_lead(text, a) else None
    return a + (said.end() if said else 0)


def _unled(text: str, a: int, b: int) -> str:
    return text[_past_lead(text, a, b) : b]


def _unquoted(text: str, said: Container[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without its quotations, and where those stand that are made of the patient's words."""
    kept = []
    for m in list(_QUOTED.finditer(text)):
        told = words_said(m[1])
        blank = " " * (len(m[0]) - 1) + ("." if m[1].rstrip()[-1:] in (".", "!", "?", "…") else " ")
        ends = re.search(r"[.!?…]", text[m.end() :])
        asked = blank[-1] == " " and ends is not None and ends[0] == "?"
        if said and _echoed(told, said) and not asked:
            kept.append((m.start(1), m.end(1)))
        text = text[: m.start()] + blank + text[m.end() :]
    return text, kept


def _kind(span: str) -> Literal["feeling", "fact"]:
    feels = not _FEELINGS.isdisjoint(_WORDS.findall(span.lower())) or _HYPHENED.search(span) is not None
    return "feeling" if feels else "fact"


_ANEW = re.compile(r"(?:you|your|you're|you've|he|she)\b", re.IGNORECASE)
_BARE = re.compile(r"(?:that's|that is|this is|it's)\s+(?:(?:\w+\s?){1,2}$|(?:good|fair|fine|worth) )", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*|\d+")
_THIRD = frozenset("he she they his him hers her their".split())
# What follows only saves time: a word that every match of a long pattern must hold, or begin with, is found sooner.
_WORDS = re.compile(r"\w+")
_LETTERS = re.compile(r"[A-Za-z]*")
_LEADS = frozenset(
    """and but so then well okay ok right ah oh yes no now also still since as because while though although that both
    clearly actually of at it what i sounds seems looks given you in even to something""".split()
)


def _may_lead(text: str, at: int) -> bool:
    found = _LETTERS.match(text, at)
    word = found.group().lower() if found else ""
    return word in _LEADS or word.startswith("mm")


_BLANK = re.compile(r"\s")
_LEAST_LEAD = re.compile(r"[\s\"'(“]+")
