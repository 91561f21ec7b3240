"""What somebody claims who asks to be agreed with, and what only sounds like it: orders, and what is foretold."""

from __future__ import annotations

import re

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.spoken import is_non_answer, is_preface
from turnwise.therapists.wanting import LEADING_IN

__all__ = ["claim_in", "claiming_part"]


_CLAIMS_NOTHING = re.compile(
    "|".join(
        (
            # an invitation, or a second try at an apology, in the form of an order
            r"^(?:go on,? )?(?:ask|show|teach|let|try|start|carry on)\b(?!,)",
            r"\b(?:say|put|tell) (?:it|that|me) (?:again|right|better|properly|differently|slower|louder|in (?:plain|"
            r"other) \w+)\b",
            # what the listener is expected to say is foretold, not asked for
            r"^(?:i know,? )?you(?:'re| are) (?:going to|gonna|about to) (?:say|tell|ask)\b|"
            r"^you(?:'ll| will) (?:say|tell me|be "
            r"(?:telling|saying))\b",
            # what the speaker says, not what is to be said to them
            r"\bi\b(?:(?!\byou\b(?! know\b))[^.?!,]){0,40}\bsay (?:it|so|that)\b",
            # kind words about the listener or the talk, thanks, and giving in
            r"\bthank(?:s| you)\b(?!,? but\b)",
            r"^you(?:'re| are|'ve been| have been) (?:very |so |really |quite |awfully |dead |ever so |being "
            r")*(?:good|kind|"
            r"patient|nice|lovely|easy|helpful|sharp|sound|decent|gentle|polite)\b(?! (?:enough )?to (?:say|agree|tell|"
            r"admit)\b)(?!.*\b(?:but|agree|say so|say it)\b)",
            r"^you(?:'ve| have)(?: got)? (?:an? )?(?:nice|good|kind|lovely|gentle|easy|grand) (?:way|manner|ear|"
            r"voice)\b",
            r"^(?:it|this)(?:'s| is|'s been| has been) (?:\w+ )?(?:nice|good|easier|a relief|better|lovely|"
            r"grand) (?:to (?:"
            r"talk|say|get it out|be (?:heard|asked))|talking|with you|being (?:asked|heard|listened))\b",
            r"^(?:(?:no|yes|yeah|okay|fine|oh|i (?:suppose|guess|think|know)),? )*you(?:'re| are) (?:probably |"
            r"quite |so |maybe )?right\b(?!.*\?)",
            # a question for leave
            r"^(?:can|could|may|shall) (?:i|we) (?:please |just |maybe )?(?:not|skip|leave|do|come back|"
            r"tell you|say|go)\b",
        )
    ),
    re.IGNORECASE,
)
"""Sentences with a "right?" or a "say it" in which nothing is claimed, so that there is nothing to disagree with."""
_ASKS_FOR_YES = re.compile(
    r"^\W*(?:(?:and|so|well|okay|now|really|go on)[, ]+)*(?:you(?:'d| would|'re| must| can| do| think| know| agree|"
    r" see|"
    r" have)\b.*|(?:just )?(?:say|admit|tell me|agree|nod|be (?:straight|honest))\b.*|please confirm\b.*|"
    r"(?:that(?:'s| is)|it(?:'s| is)|isn't (?:that|it)|is (?:that|it)) (?:just |only )?(?:true|right|reasonable|"
    r"sensible|so|logical)\b.*|am i (?:right|wrong)\b.*|(?:right|yes|yeah|or|no|correct|okay|true)\W*|"
    r"(?:and )?(?:he|she|they|it) would,? wouldn't (?:he|she|they|it)\W*|if you were honest\b.*)$",
    re.IGNORECASE,
)
"""A sentence that only asks for the yes: what it is to be said to stands before it."""
_OPEN = re.compile(r"^\W*(?:and |so )?(?:what|who|where|when|why|how|which)\b.*\?", re.IGNORECASE)
_TAIL = re.compile(
    r",\s*(?:(?:is|isn't|are|aren't|was|wasn't|do|does|don't|doesn't|would|wouldn't|will|won't|can|can't|has|hasn't|"
    r"should|shouldn't) (?:it|there|that|he|she|they|we|you|i)(?: not)?|right|yes|yeah|or|no|correct|okay|eh|huh|"
    r"(?:like|you know|d'you know what i mean|you see|if you think about it|you'd agree|so to say))\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:so|and|but|well|okay|now|really|look|listen|er|um|ah|i mean|you know)[, ]+", re.IGNORECASE)
_CLEAN = re.compile(r"^(?!\w+ing\b(?! (?:is|are|was|were|does|makes?)\b))\w[\w',-]*(?: [\w',-]+){2,11}$")
_POINTS_WITHIN = re.compile(r"\b(?:her|him|them|it)\b", re.IGNORECASE)
_POINTS = re.compile(
    r"(?:^|,\s*)(?:it|that|this|those|these|he|she|they)\b|\byou(?:r|'\w+)?\b|\b(\w+),? \1\b", re.IGNORECASE
)
_LONGEST = 11
"""Words up to which a claim is given back whole; a longer one is not quoted at all."""


def claim_in(text: str) -> str:
    """Return the short sentence that is to be agreed to, without what asks for the yes; ``""`` if none can be quoted.

    Examples
    --------
    >>> claim_in("I can't say. A guide should have no opinions. You would agree."), claim_in("That's so, isn't it?")
    ('A guide should have no opinions', '')
    """
    for sentence in reversed(split_sentences(text)):
        if _ASKS_FOR_YES.match(sentence) or _OPEN.match(sentence) or is_non_answer(sentence) or is_preface(sentence):
            continue
        bare, before = sentence.strip(), ""
        while bare != before:
            before = bare
            bare = _LEAD.sub("", _TAIL.sub("", LEADING_IN.sub("", bare))).strip(" ,.?!")
        if not _POINTS.search(bare) and _POINTS_WITHIN.search(bare):
            continue  # "nothing of her in it": what is meant stands in the sentence before
        sound = _CLEAN.match(bare) and len(bare.split()) <= _LONGEST and not _POINTS.search(bare)
        return bare[:1].upper() + bare[1:] if sound else ""
    return ""


def claiming_part(text: str) -> str:
    """Return ``text`` without the sentences that tell the listener what to do, or what they will say.

    Examples
    --------
    >>> claiming_part("Okay. Say it properly this time."), claiming_part("They all know. Ask me about it, yeah?")
    ('Okay.', 'They all know.')
    """
    sentences = split_sentences(text.replace("’", "'").strip())
    return " ".join(s for s in sentences if not _CLAIMS_NOTHING.search(LEADING_IN.sub("", s)))
