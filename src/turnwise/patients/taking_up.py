"""Take up a question in its answer, as people do: "How I manage is, …", "I don't know when it began.", "My sleep?".

How often people do it, and in which form, is measured (``human_speech.json``, by ``tools/speech_rates.py``): nearly
always in a clause, seldom in a bare phrase or by asking the question back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from turnwise.patients.turning_round import PAST_FORMS, Asked, contracted
from turnwise.reading.ears.questions import EMOTIONS

__all__ = ["FORMS", "Form", "named", "taken_up", "unknown", "unknown_of"]

Form: TypeAlias = Literal["clause", "phrase", "question"]
FORMS: tuple[Form, ...] = ("clause", "phrase", "question")

_HEAD = (
    r"((?:I )?(?:don't (?:even )?know|do not know|dunno|couldn't tell you|could not tell you|can't say|cannot say|"
    r"couldn't say|could not say|got no idea)|I'm not sure|I am not sure|I am not certain|Not sure|No idea)"
)
_UNKNOWN = re.compile(rf"{_HEAD}(?:, honestly|, really)?\.(?= |$)", re.IGNORECASE)
_UNKNOWN_OF = re.compile(rf"(?:Um, )?{_HEAD}(?:, \w+)?\.", re.IGNORECASE)


def unknown(answer: str, a: Asked, *, contracts: bool) -> str:
    """Return "I don't know" with what it is that is not known, or ``""`` where the answer is no plain "I don't know".

    Examples
    --------
    >>> from turnwise.patients.turning_round import asked
    >>> unknown("I don't know. Sorry.", asked("When did you first notice it?"), contracts=True)
    "I don't know when I first noticed it. Sorry."
    >>> unknown("Next question.", asked("When did it start?"), contracts=True)
    ''
    """
    m = _UNKNOWN.match(answer)
    if m is None:
        return ""
    said = contracted(a.clause) if contracts else a.clause
    return f"{m.group(1)} {said}.{answer[m.end() :]}"


def unknown_of(answer: str, word: str) -> str:
    """Return "I don't know" with the word for what is not known, or ``""`` where the answer is no plain one.

    Examples
    --------
    >>> unknown_of("I don't know, like.", "how long"), unknown_of("Pass.", "when")
    ("I don't know how long.", '')
    """
    m = _UNKNOWN_OF.fullmatch(answer)
    return f"{m.group(1)} {word}." if m else ""


_STATES = re.compile(
    r"(?:I|he|she|they|we|you|it|there|my|the|his|her|our|their|some\w*|every\w*|nobody|no one|people|a|an)\b(?!')"
    r"|(?:I'm|I've|I'd|I'll|he's|she's|they're|there's)\b",
    re.IGNORECASE,
)
_LEADS_IN = re.compile(r"(?:in|on|at|since|when|if|after|before|some days|most|last|every|with|for)\b", re.IGNORECASE)
_DOES = re.compile(
    r"(?:my|the|his|her|our|their|a|an|people|every\w*|some\w*|nobody|you)\b(?: \w+){0,3}?"
    r"(?:'s|'re| (?:is|was|are|were|has|had|does|did|can|could|will|would|must|\w{3,}(?:s|ed)))\b",
    re.IGNORECASE,
)
_SOMEBODY_DOES = re.compile(r"\b(?:I|[Hh]e|[Ss]he|[Tt]hey|[Ww]e|[Ii]t|[Tt]here)(?:'\w+)? \w+")
_WHEN = re.compile(
    r"(?:since|in|on|after|about|around|every|last|once|twice|most|for|a (?:year|month|week|while|couple)|"
    r"(?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?:years|months|weeks|days|times|hours))\b(?! of\b)",
    re.IGNORECASE,
)
_GREETS = re.compile(r"(?:hi|hello|so|okay|well|right|look|yes|no)\b[.,!]", re.IGNORECASE)
_LONG_AGO = re.compile(r"\b(?:was|were|had|did\w*|\w+ed|" + "|".join(sorted(PAST_FORMS)) + r")\b|'d\b")


def taken_up(a: Asked, form: Form, answer: str, *, contracts: bool, typed: bool) -> tuple[str, bool]:
    """Return what stands before an answer, and whether the answer goes on in lower case; ``("", False)`` if nothing.

    Examples
    --------
    >>> from turnwise.patients.turning_round import asked
    >>> manage = asked("How do you manage?")
    >>> taken_up(manage, "clause", "I go to the library.", contracts=True, typed=False)
    ('How I manage is,', True)
    >>> taken_up(manage, "clause", "Badly.", contracts=True, typed=False)
    ('', False)
    >>> taken_up(manage, "question", "Badly.", contracts=True, typed=False)
    ('How do I manage?', False)
    >>> taken_up(asked("How do you feel about that?"), "clause", "Tired.", contracts=True, typed=False)
    ('I feel', True)
    """
    first = re.split(r"(?<=[.?!…])\s", answer, maxsplit=1)[0]
    if _GREETS.match(first) or first.endswith("?"):
        return "", False
    if form == "phrase":
        return (f"{_capital(a.noun)}?", False) if a.noun else ("", False)
    if form == "question":
        asks = contracted(a.echo) if contracts else a.echo
        odd = a.wh.startswith("why") or len(asks.split()) > _ASKED_BACK
        return (f"{_capital(asks)}?", False) if not odd else ("", False)
    for way in (_spliced, _led):
        found = way(a, first, typed)
        if found:
            return (_capital(contracted(found) if contracts else found), True)
    return "", False


def _spliced(a: Asked, first: str, typed: bool) -> str:
    """The answer ends the question's own statement: "I feel" tired; "it's been like this" since April."""
    said, words = a.plain.split(), first.split()
    if not said or not words or _SOMEBODY_DOES.search(first):
        return ""
    if said[0] == "I" and said[1:2] in (["feel"], ["felt"]):
        return " ".join(said[:2]) if words[0].strip(".,").lower() in EMOTIONS else ""
    fits = a.wh in ("when", "how long") and _WHEN.match(first)
    lasts = words[0].lower() in _LASTS or (_SPAN.search(first) and "ago" not in first)
    return a.plain if fits and (a.wh == "how long" or not lasts) else ""


_LASTS = ("since", "for", "once", "twice")
_SPAN = re.compile(r"\b(?:years?|months?|weeks?|days?)\b")


def _led(a: Asked, first: str, typed: bool) -> str:
    """The question as what is spoken of: "What helps is, …"."""
    does = bool(_SOMEBODY_DOES.search(first))
    whole = (does and bool(_STATES.match(first) or _LEADS_IN.match(first))) or bool(_DOES.match(first))
    if not whole or len(first.split()) < _LEAST:
        return ""
    if a.past and (a.noun or a.plain) and not _LONG_AGO.search(first):
        return ""  # "what I did next was, I pay it"
    subject = a.noun or (a.clause if a.wh in ("what", "how", "where") else "")
    awkward = a.clause.endswith("like") or (
        a.wh in ("how", "where") and re.search(r"\b(?:is|am|are|was|were|been|feel|felt)\b", a.clause)
    )
    if not subject or awkward or _WINDING.search(subject) or len(subject.split()) > _LED_TO:
        return ""
    if a.wh == "when" and typed:
        return ""
    be = "was" if a.past else "is"
    if typed:
        return f"{subject} {be} that" if a.wh == "what" else ""
    return f"{subject} {be},"


_LEAST, _ASKED_BACK = 3, 7  # words of a sentence that is led to, and of a question that is asked back
_LED_TO = 7  # words of a question that is spoken of: "what I am afraid the others will see is" is more than people say
_WINDING = re.compile(r"\b(?:that|which)\b|\b(?:about|of|for|with|to|in|on|at|from|like)$")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def named(question: str) -> Iterator[tuple[str, str]]:
    """Yield the things a question names as somebody's: how the patient calls them, and the bare noun.

    Examples
    --------
    >>> list(named("What does your dad say about the flat?"))
    [('my dad', 'dad'), ('the flat', 'flat')]
    """
    for whose, noun in _NAMED.findall(question.lower().replace("’", "'")):
        yield f"{'my' if whose == 'your' else 'the'} {noun}", noun


_NAMED = re.compile(r"\b(your|the) ([a-z]+)\b(?=[ ,.?!]|$)")
