"""Places, employers and schools: by list, by the word they end in, by what is said before them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from turnwise.engine.redacting.lexicon import Lexicon
from turnwise.engine.redacting.spans import Span
from turnwise.engine.redacting.tokens import Token

__all__ = ["organisations", "places"]

_LONGEST = 4
_INTO = frozenset(
    "in from to near outside inside into around across through towards via leave left leaving visit"
    " visiting visited".split()
)
_LIVED = re.compile(
    r"\b(?:live[sd]?|living|grew up|born|raised|moved|moving|flew|flown|come|came|fled|stationed"
    r"|village|town|city|shes|hes|im|she's|he's|i'm)"
    r"(?: over| back| here| out| down| up)? (?:in|to|from|near|outside)$"
)
_LANDS = frozenset(
    "county island islands valley beach lake river bay heights village town city province district"
    " region coast mountains".split()
)
_BEFORE_LAND = frozenset("county lake mount port isle north south".split())
_BIG = r"(?:[A-ZÀ-ÖØ-Þ][\w'’.-]{0,25}(?:'s|’s)?|of|the|and|&|for|de|St\.?)"
_KINDS = (
    "hospital|clinic|surgery|university|uni|college|school|academy|institute|polytechnic|comprehensive"
    "|church|chapel|cathedral|mosque|temple|synagogue"
    "|parish|ward|trust|ltd|limited|inc|llc|corp|corporation|company|gmbh|group|bank|council|association"
    "|foundation|agency|ministry|centre|center"
    "|library|hotel|restaurant|cafe|café|bakery|logistics|solutions|services|partners|industries"
    "|nursery|kindergarten|prison|barracks|hospice"
    "|practice|medical|infirmary|shelter|society|union|fc|club|high|primary|secondary|elementary"
    "|grammar|prep|factory|mill|airlines|airways|motors"
    "|builders|plumbing|associates|consulting|insurance|hall|house|lodge|pharmacy|dental|care|home|daughters|sons"
)
_ENDS = re.compile(
    rf"\b(?:(?:the|The) )?[A-ZÀ-ÖØ-Þ][\w'’.-]{{1,25}}(?: {_BIG}){{0,4}}? (?:(?i:{_KINDS}))\b(?: (?i:{_KINDS})\b)*"
)
_OF = re.compile(
    r"\b(?:(?:the )?(?:university|uni|college|bank|ministry|department|dept|church|school|institute"
    r"|academy|house|hospital|council|board|bureau) of"
    r" (?:the )?\w[\w'’-]{2,25}(?: (?:of |and )?[A-Z][\w'’-]{1,25}){0,3})",
    re.IGNORECASE,
)
_SAINT = re.compile(r"\b(?:St|Saint|Sankt|San|Santa)\.? [A-Z][\w'’-]{2,25}(?: [A-Z][\w'’-]{2,25}){0,2}")
_SMALL = re.compile(
    r"\b(?:at|to|from|for|in|of|with|\(|called) ?(?P<it>(?:the )?(?P<name>(?:st\.? )?[\w'’-]{3,25}(?: [\w'’-]{3,25})?) "
    r"(?:hospital|clinic|surgery|university|uni|college|academy|high school|high|primary school"
    r"|primary|school|comprehensive|infirmary|hospice|ward|church|mosque)(?: school)?)\b",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"\b(?:work|works|worked|working|job|jobs|employed|employee|intern|interned|shift|shifts|nights"
    r"|days|fired|sacked|hired|manager|cashier|promoted|position"
    r"|career|contract|left|let (?:me|him|her|us) go|laid off|volunteer|volunteered|volunteering"
    r"|temping|started|interview|warehouse|shop)"
    r"(?: (?:me|him|her|us|them))?(?: (?:nights|days|full time|part time|again|over|now|there|here))?"
    r" (?:at|for|from|with|by) (?:the )?$",
    re.IGNORECASE,
)
_AT = re.compile(r"\b(?:at|for) (?:the )?$", re.IGNORECASE)


def _phrase(tokens: Sequence[Token], i: int, known: frozenset[tuple[str, ...]]) -> int:
    """Return how many words from ``i`` on are an entry of ``known``; the longest counts."""
    for n in range(min(_LONGEST, len(tokens) - i), 0, -1):
        if n > 1 and any(t.gap not in (" ", "-", " & ") for t in tokens[i + 1 : i + n]):
            continue
        if tuple(t.plain for t in tokens[i : i + n]) in known:
            return n
    return 0


def places(text: str, tokens: Sequence[Token], lists: Lexicon) -> Iterator[Span]:
    """Yield where towns, regions and countries are named. Peoples and languages are not places.

    Examples
    --------
    >>> from turnwise.engine.redacting.lexicon import lexicon
    >>> from turnwise.engine.redacting.tokens import tokens_of
    >>> text = "from Cork to a village near Zagvozd"
    >>> [text[s.start : s.end] for s in places(text, tokens_of(text), lexicon())]
    ['Cork', 'Zagvozd']
    """
    i = 0
    while i < len(tokens):
        n = _phrase(tokens, i, lists.places)
        if (n and (n > 1 or _meant(tokens, i, lists))) or (n := _unlisted(text, tokens, i, lists)) > 0:
            yield Span(tokens[i].start, tokens[i + n - 1].end, "PLACE")
        i += max(n, 1)


def _meant(tokens: Sequence[Token], i: int, lists: Lexicon) -> bool:
    t = tokens[i]
    led = i > 0 and tokens[i - 1].plain in _INTO and t.gap == " "
    if t.plain in lists.common or len(t.plain) < 4:
        return t.marked or (led and t.capital)
    if t.plain in lists.unsure or t.plain in lists.known:
        return t.marked or led
    return True


def _unlisted(text: str, tokens: Sequence[Token], i: int, lists: Lexicon) -> int:
    """Return how many words from ``i`` on name a place that no list has; 0 if none."""
    t = tokens[i]
    if t.plain in lists.known or len(t.plain) < 3:
        return 0
    if _of_land(tokens, i):
        return 2
    if i == 0 or t.gap != " " or tokens[i - 1].plain not in _INTO:
        return 0
    if t.marked and not (lists.ordinary(t.plain) or t.shouted) and t.plain not in lists.given:
        n = 1
        while (
            i + n < len(tokens)
            and tokens[i + n].marked
            and tokens[i + n].gap == " "
            and not tokens[i + n - 1].owns
            and n < _LONGEST
        ):
            n += 1
        return 0 if tokens[i + n - 1].owns else n
    lived = bool(_LIVED.search(text[max(0, t.start - 40) : t.start].rstrip().lower()))
    return 1 if lived and not lists.ordinary(t.plain) and not t.capital and t.plain not in lists.given else 0


def _of_land(tokens: Sequence[Token], i: int) -> bool:
    """Whether two words with capitals name a place by what one of them means ("County Mayo", "Kent Valley")."""
    if i + 1 == len(tokens):
        return False
    t, following = tokens[i], tokens[i + 1]
    if not (t.capital and following.capital and following.gap == " ") or t.plain in ("the", "a", "my", "this"):
        return False
    return (following.plain in _LANDS and not t.opens) or t.plain in _BEFORE_LAND


def organisations(text: str, tokens: Sequence[Token], lists: Lexicon) -> Iterator[Span]:
    """Yield where employers, schools, clinics and congregations are named. "My school" and "the hospital" are not.

    Examples
    --------
    >>> from turnwise.engine.redacting.lexicon import lexicon
    >>> from turnwise.engine.redacting.tokens import tokens_of
    >>> text = "I left Oakfield Academy and work for Tesco."
    >>> [text[s.start : s.end] for s in organisations(text, tokens_of(text), lexicon())]
    ['Oakfield Academy', 'Tesco']
    """
    for m in _ENDS.finditer(text):
        yield from _without_openers(m, tokens, lists)
    for pattern in (_OF, _SAINT):
        for m in pattern.finditer(text):
            last = re.split(r"\s", m.group())[-1]
            if last[:1].isupper() or not lists.ordinary(last.lower()):
                yield Span(m.start(), m.end(), "ORG")
    for m in _SMALL.finditer(text):
        if any(
            not lists.ordinary(w.strip("'’").lower())
            or w.lower() in ("st", "st.", "kings", "queens", "trinity", "king's", "queen's")
            for w in m["name"].split()
        ):
            yield Span(m.start("it"), m.end("it"), "ORG")
    yield from _worked(text, tokens, lists)


def _without_openers(m: re.Match[str], tokens: Sequence[Token], lists: Lexicon) -> Iterator[Span]:
    """Yield the match without ordinary words that only have a capital because they open the sentence."""
    inside = [t for t in tokens if m.start() <= t.start < m.end()]
    while inside and inside[0].opens and (lists.ordinary(inside[0].plain)) and inside[0].plain != "the":
        inside = inside[1:]
    named = [t for t in inside[:-1] if t.capital and t.plain not in lists.known and t.plain != "the"]
    if named:
        yield Span(inside[0].start, m.end(), "ORG")


def _worked(text: str, tokens: Sequence[Token], lists: Lexicon) -> Iterator[Span]:
    for i, t in enumerate(tokens):
        before = text[max(0, t.start - 60) : t.start]
        work = bool(_WORK.search(before))
        if not work and not (t.marked and _AT.search(before) and t.plain not in lists.given):
            continue
        start = t.start - 4 if before.lower().endswith(" the ") and t.capital else t.start
        if work and (n := _phrase(tokens, i, lists.employers)):
            last = tokens[i + n - 1]
            yield Span(start, last.end + 2 * last.owns, "ORG")
        elif t.marked and t.plain not in lists.known and not (lists.ordinary(t.plain) and not work):
            n = 1
            while i + n < len(tokens) and tokens[i + n].marked and tokens[i + n].gap in (" ", " & ") and n < _LONGEST:
                n += 1
            yield Span(start, tokens[i + n - 1].end, "ORG")
