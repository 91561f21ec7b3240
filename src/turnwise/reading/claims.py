"""Find what a therapist's turn says is so about the patient: claims, by the wording of clauses.

A claim is a feeling or a fact attributed to the patient or the patient's life: "You felt humiliated", "your sister
left". Whether it is true to what was said is another question (``turnwise.reading.claim_coder``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from turnwise.reading.claim_words import FAMILIES_OF_FEELING

__all__ = ["Claim", "claims_in"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One attribution: its words, where they stand, what it is of, and whether it is only offered."""

    span: str
    start: int
    end: int
    kind: Literal["feeling", "fact"]
    hedged: bool


_SENTENCE = re.compile(r"[^.!?…]+(?:[.!?…]+|$)")
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|may (?:be|feel|have|well)|could (?:it )?be|could have been"
    r"|wonder(?:ing)?"
    r"|guess(?:ing)?|suppose|imagin(?:e|ing)|hunch|hazard|curious (?:whether|if)|not sure (?:if|whether)|seems possible"
    r"|(?:if|when) i(?:'m| am| have|'ve)? (?:hear|understand|got|get|right|follow)\w*|get the (?:sense|impression)"
    r"|correct me|stop me|tell me if|i (?:may|could|might) be (?:\w+ )?(?:wrong|off|mistaken|reading)|my guess"
    r"|in case|as if|as though|almost as|would you say|i think|i'd say|presumably|potentially|some part of you"
    r"|part of me wonders|likely|must (?:be|have|feel)|i'm (?:hearing|sensing) (?:that )?(?:maybe|perhaps))\b",
    re.IGNORECASE,
)
"""What makes an offer of a claim. "It sounds like" and "you seem" do not: they are how a reflection is said."""
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
    r"|what i'm hearing is|i hear that|i hear|i understand that|i understand|i see that|i can (?:hear|see|tell"
    r"|sense) (?:that|how)?"
    r"|it (?:really )?(?:sounds|seems|looks|feels) (?:to me )?(?:like|as if|as though|that)|(?:sounds|seems"
    r"|looks) like|it's clear that"
    r"|it is clear that|given that|now that|i know that|i know|i notice that|i notice|you(?:'ve| have)? (?:said"
    r"|told me|mentioned"
    r"|described|explained)(?: that| how)?(?= (?:you|your|it|he|she|they|the|nobody)\b)|you(?:'re| are) (?:saying"
    r"|telling me)(?: that)?|so the picture is this|in other words"
    r"|even though|to me|i mean)\b[,:]?\s*)+",
    re.IGNORECASE,
)
_YOU = frozenset("you your yours yourself he she they his him her hers their".split())
_ADVICE = re.compile(
    r"\b(?:you(?:'ll| will)? (?:can(?!'t|not)|could|should|shouldn't|might|may|need(?:n't)? to|must|ought|will"
    r"|would like|decide"
    r"|deserve)\b|you(?:'d| would) (?:prefer|know|have to|better|be able)|you'll\b|let's|let us|please|feel free|^try "
    r"|thank(?:s| you)|take (?:your|all the) time|whenever you|if you|^as you (?:like|wish|prefer)|"
    r"i(?:'m| am|'d| would|'ll| will| want| can| could| believe| appreciate| have| was| hope| won't| don't"
    r"| promise| invite"
    r"| might| may| gave| told| sometimes| asked| know| ask)\b|we (?:can|could|might|may|will|talk|have)|we'll"
    r"|you know|^(?:what|how) you|"
    r"tell me|say more|go on|help yourself|you're not alone|you are not alone|you're (?:welcome|right"
    r"|doing (?:great|well))"
    r"|good of you|you came|you shared|you told me|told you\b|give you\b|for you to\b|see what they)",
    re.IGNORECASE,
)
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


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the clauses of a sentence that end the one before them with a subject of their own."""
    at = start
    for found in _BREAK.finditer(text, start, end):
        yield at, found.start()
        at = found.end()
    yield at, end


def _is_claim(text: str, words: Set[str], names: frozenset[str]) -> bool:
    """Whether a clause is one; ``words`` are its words, in lower case."""
    if len(text.split()) < _LEAST or (not words.isdisjoint(_ADVISING) and _ADVICE.search(text)):
        return False
    if not words.isdisjoint(_YOU):
        return True
    if not words.isdisjoint(_GENERAL) or _GENERALLY.search(text):
        return False
    return bool(_ABOUT.search(text)) or not names.isdisjoint(_NAME.findall(text))


@lru_cache(maxsize=4_096)
def claims_in(reply: str, names: frozenset[str] = frozenset()) -> tuple[Claim, ...]:
    """Return what a therapist's turn says is so about the patient, clause by clause, in order.

    By wording alone: second-person statements ("you feel", "your son is", "so you left", "sounds like you miss him"),
    and statements about the people and things in the patient's life. Left out are questions, advice and offers, what
    the therapist says of themselves, and general statements. ``hedged`` marks what is offered as a guess ("I wonder
    whether", "maybe", "it may be that"); "it sounds like" and "you seem" are how a reflection is said, no guess.
    Not a grammar, and not whether any of it is so.

    Parameters
    ----------
    names : capitalised words that the patient used: a statement about one of them is about the patient's life.

    Returns
    -------
    claims in order; ``reply[claim.start:claim.end] == claim.span``.

    Examples
    --------
    >>> [(c.span, c.kind, c.hedged) for c in claims_in("It sounds like you felt humiliated, and your sister left.")]
    [('you felt humiliated', 'feeling', False), ('your sister left', 'fact', False)]
    >>> [c.hedged for c in claims_in("Maybe you miss him.")], claims_in("Do you miss him? You could ring him.")
    ([True], ())
    """
    reply = reply[:_MOST_CHARS]
    text = _BLANK.sub(" ", reply.replace("’", "'"))
    found: list[Claim] = []
    sentences = [m.span() for m in _SENTENCE.finditer(text)]
    for i, (start, end) in enumerate(sentences):
        if "?" in text[start:end]:
            continue
        after = text[slice(*sentences[i + 1])] if i + 1 < len(sentences) else ""
        hedged = _hedges(text[start:end]) or bool(_TAKEN_BACK.search(after))
        for a, b in _clauses(text, start, end):
            lead = _LEAST_LEAD.match(text, a, b)
            a = lead.end() if lead else a
            said = _LEAD.match(text[a:b]) if _may_lead(text, a) else None
            a += said.end() if said else 0
            b = a + len(text[a:b].rstrip(" \t\r\n.!…\"'"))
            span = text[a:b]
            words = set(_WORDS.findall(span.lower()))
            if _is_claim(span, words, names):
                feels = not words.isdisjoint(_FEELINGS) or _HYPHENED.search(span) is not None
                found.append(Claim(reply[a:b], a, b, "feeling" if feels else "fact", hedged))
    return tuple(found)


# What follows only saves time: a word that every match of a long pattern must hold, or begin with, is found sooner.
_WORDS = re.compile(r"\w+")
_LETTERS = re.compile(r"[A-Za-z]*")
_LEADS = frozenset(
    """and but so then well okay ok right ah oh yes no now also still since as because while though although that both
    clearly actually of at it what i sounds seems looks given you in even to""".split()
)
_ADVISING = frozenset(
    """can could should shouldn might may need needn must ought will would decide deserve prefer know have better able
    ll let please feel try thank thanks take whenever if as i we what how tell say go help alone welcome right doing
    good came shared told give for see""".split()
)
_HEDGING = frozenset(
    """maybe perhaps possibly possible probably might may could wonder wondering guess guessing suppose imagine
    imagining hunch hazard curious sure if when sense impression correct stop tell case as would think say presumably
    potentially part likely must""".split()
)


def _may_lead(text: str, at: int) -> bool:
    found = _LETTERS.match(text, at)
    word = found.group().lower() if found else ""
    return word in _LEADS or word.startswith("mm")


def _hedges(sentence: str) -> bool:
    return not _HEDGING.isdisjoint(_WORDS.findall(sentence.lower())) and _HEDGE.search(sentence) is not None


_BLANK = re.compile(r"\s")
_LEAST_LEAD = re.compile(r"[\s\"'(“]+")
_TAKEN_BACK = re.compile(
    r"^\s*(?:but )?(?:i'm only guessing|i'm guessing|i (?:may|could|might) be|correct me|tell me if)", re.I
)
