"""From the texts of one session to the places in them that may identify somebody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from turnwise.engine.redacting.cues import KIN, TITLES
from turnwise.engine.redacting.given import GivenNames
from turnwise.engine.redacting.lexicon import Lexicon, lexicon
from turnwise.engine.redacting.patterns import age_after, by_form
from turnwise.engine.redacting.people import people
from turnwise.engine.redacting.places import organisations, places
from turnwise.engine.redacting.spans import Kind, Span, settled
from turnwise.engine.redacting.tokens import Token, tokens_of

__all__ = ["find"]

_SHORTEST = 3


def find(texts: Sequence[str], known: Iterable[str] | GivenNames = ()) -> list[list[Span]]:
    """Return for every text of one session where something stands that may identify somebody.

    What is found by a capital or a cue in one text is looked for in all of them, in any spelling of its letters.
    It is *not* a guarantee: what no rule and no list has, and the unusual story that everybody in town knows, stays.

    Parameters
    ----------
    texts : what was said, turn by turn.
    known : names that are known to occur (of the patient, the family, the street): always found, in any case and
        with any apostrophe, hyphen or mark.

    Returns
    -------
    One list of spans a text, in order, not overlapping. Possessive endings are left outside.

    Examples
    --------
    >>> texts = ["Then Zdeňka's brother rang.", "i hate zdenka"]
    >>> [[t[s.start : s.end] for s in found] for t, found in zip(texts, find(texts))]
    [['Zdeňka'], ['zdenka']]
    """
    lists = lexicon()
    given = known if isinstance(known, GivenNames) else GivenNames(known)
    worded = [tokens_of(text) for text in texts]
    first = [_once(text, tokens, lists, given) for text, tokens in zip(texts, worded, strict=True)]
    again = _learnt(worded, first, lists)
    return [settled([*found, *_repeated(tokens, again, lists)]) for tokens, found in zip(worded, first, strict=True)]


def _once(text: str, tokens: Sequence[Token], lists: Lexicon, known: GivenNames) -> list[Span]:
    found = [*by_form(text), *people(tokens, lists), *places(text, tokens, lists), *organisations(text, tokens, lists)]
    found += known.spans(text)
    ages = [age_after(text, span.end) for span in found if span.kind == "NAME"]
    return settled([*found, *(span for span in ages if span)])


def _learnt(worded: Sequence[Sequence[Token]], found: Sequence[Sequence[Span]], lists: Lexicon) -> dict[str, Kind]:
    """Return the words that named a person, place or employer somewhere in the session."""
    learnt: dict[str, Kind] = {}
    for tokens, spans in zip(worded, found, strict=True):
        for span in spans:
            if span.kind not in ("NAME", "PLACE", "ORG"):
                continue
            inside = [t for t in tokens if span.start <= t.start < span.end]
            if span.kind == "ORG" and len(inside) > 1:
                continue  # "Oakfield" of Oakfield Academy is no employer by itself; "House" is nothing
            for t in inside:
                told = (
                    t.marked or t.plain in lists.given or not t.capital
                )  # a capital that opens a sentence tells little
                if len(t.plain) >= _SHORTEST and t.plain not in TITLES | KIN and told:
                    learnt.setdefault(t.plain, span.kind)
    return learnt


def _repeated(tokens: Sequence[Token], learnt: dict[str, Kind], lists: Lexicon) -> list[Span]:
    spans = []
    for t in tokens:
        kind = learnt.get(t.plain)
        if kind is None and t.plain.endswith("s") and not lists.ordinary(t.plain):
            kind = learnt.get(t.plain[:-1])  # "annas", as it is typed
        if kind is not None and (t.marked or (not lists.ordinary(t.plain) and t.plain not in lists.unsure)):
            spans.append(Span(t.start, t.end, kind))
    return spans
