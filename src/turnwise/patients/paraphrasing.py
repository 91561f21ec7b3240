"""Say a line in other words: a table of general English, contractions in and out, what stands first, clauses turned.

Rules and no model: the same line and voice always give the same words. A voice (a number) picks among the wordings of
a rule, so one person keeps to its own words through all sessions. Names, figures and what is quoted stay as they are.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

from turnwise.patients.package_data import read_document
from turnwise.patients.speech import lowered
from turnwise.patients.words import content_words, words_of

__all__ = ["paraphrased", "rules", "share_changed"]

_BEHIND = r"(?![\w'’-])"
_BEGINS = re.compile(r"(?:\(\?<[=!][^)]*\))*([A-Za-z']+)(?=$|[ (])")
_WORD = re.compile(r"(?<![\w'’-])[A-Za-z][\w'’]*")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|(?<!\w)['‘][^'’]*(?:(?<=\w)['’](?=\w)[^'’]*)*['’](?!\w)")
_SENTENCE_ENDS = re.compile(r"(?:^|[.?!…:]['\"”’]?)\s*$")
_VOWEL = re.compile(r"(?!one\b|once\b|us(?:e|ual)|uni)[aeiou]|hour|honest", re.IGNORECASE)
_ARTICLE = re.compile(r"\b([Aa])n? $")


class _Rule(NamedTuple):
    key: str
    pattern: re.Pattern[str]
    wordings: tuple[str, ...]


@cache
def rules() -> Mapping[str, tuple[str, ...]]:
    """Return the table: a pattern of whole words, and its wordings; none for words that stay as they are."""
    return {str(k): tuple(map(str, v)) for k, v in read_document("paraphrases.json")["rules"].items()}


@cache
def _by_first_word() -> Mapping[str, tuple[_Rule, ...]]:
    """Return the rules by the word they begin with, longest first; under ``""`` those that begin with several."""
    found: dict[str, list[_Rule]] = defaultdict(list)
    for key in sorted(rules(), key=len, reverse=True):
        first = _BEGINS.match(key)
        rule = _Rule(key, re.compile(key + _BEHIND, re.IGNORECASE), rules()[key])
        found[first[1].lower() if first else ""].append(rule)
    return {word: tuple(of) for word, of in found.items()}


def _longest_first(rule: _Rule) -> int:
    return -len(rule.key)


def _draw(voice: int, name: str, n: int) -> int:
    return zlib.crc32(f"{voice}/{name}".encode()) % n


def paraphrased(text: str, voice: int, proper: Collection[str] = ()) -> str:
    """Return ``text`` in other words that mean the same, in the same person.

    Parameters
    ----------
    text : what somebody says.
    voice : whose way of speaking: another number picks other wordings.
    proper : names, which keep their capital wherever they come to stand.

    Examples
    --------
    >>> paraphrased("Nobody came back until the end of the week.", 1)
    'No one returned till the close of the week.'
    >>> paraphrased("The sign says 'nobody is tired'.", 1)
    "The sign says 'nobody is tired'."
    """
    names = frozenset(proper)
    turned = "".join(_turned(s, voice, names) for s in re.split(r"(?<=[.?!])(?=\s)", text))
    held = [m.span() for m in _QUOTED.finditer(turned)]
    out, at = [""], 0
    for m in _WORD.finditer(turned):
        if m.start() < at or any(a <= m.start() < b for a, b in held):
            continue
        met = _met(turned, m, voice)
        if met is None:
            continue
        words, end = met
        before = "".join(out) + turned[at : m.start()]
        out = [_ARTICLE.sub(r"\1n " if _VOWEL.match(words) else r"\1 ", before), words]
        at = end
    return "".join(out) + turned[at:]


def _met(text: str, word: re.Match[str], voice: int) -> tuple[str, int] | None:
    """Return what is said in place of the words that begin here, and where they end."""
    table, at = _by_first_word(), word.start()
    first = word[0].lower().replace("’", "'")
    starts = bool(_SENTENCE_ENDS.search(text[:at]))
    if word[0][0].isupper() and not starts and word[0].split("'")[0] != "I":
        return None
    if starts and word[0].split("'")[0] != "I":
        text = text[:at] + text[at].lower() + text[at + 1 :]
    for rule in sorted((*table.get(first, ()), *table[""]), key=_longest_first):
        m = rule.pattern.match(text, at)
        if m is None:
            continue
        said = m.expand(rule.wordings[_draw(voice, rule.key, len(rule.wordings))]) if rule.wordings else m[0]
        return (said[:1].upper() + said[1:] if starts else said), m.end()
    return None


# --- what stands first ---------------------------------------------------------------------------

_WHO = r"(?:I|he|she|they|we|it|you|there|that|nobody|somebody|my|the)\b"
_HEDGE = (
    r"I mean|you know|I guess|I suppose|I think|maybe|perhaps|mostly|anyway|honestly|usually|actually|really|though"
)
_LEADS = re.compile(rf"({_HEDGE}),? ({_WHO}[^,.?!;:]+)\.", re.IGNORECASE)
_TRAILS = re.compile(rf"({_WHO}[^,.?!;:]+), ({_HEDGE})\.", re.IGNORECASE)
_CLAUSE_FIRST = re.compile(rf"(If|When|Once|After|Before|Until) ({_WHO}[^,.?!;:]+), ({_WHO}[^,.?!;:]+)\.")
_CLAUSE_LAST = re.compile(rf"(I [^,.?!;:]+?) (when|if|before|after|until|because) ({_WHO} [^,.?!;:]+)\.")
_WHEN = (
    r"at night|in the (?:mornings?|evenings?|end)|every \w+|these days|at first|"
    r"(?:last|this) (?:week|month|year|summer|winter|spring)|(?:on )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days"
)
_TIME_LAST = re.compile(rf"((?:I|He|She|They|We|It) [^,.?!;:]{{8,60}}) ({_WHEN})\.")
_ASKS = re.compile(
    r"\b(?:know|knew|wonder\w*|ask\w*|see|tell|told|say|said|remember\w*|care|mind|not|never|as|even)\b|n't\b"
)
_SHORT_CLAUSE = 2  # words up to which what looks like a clause may be "you know" or "I think"
_NOT = re.compile(r"\b(?:not|never|nobody|no)\b|n't\b")


def _turned(sentence: str, voice: int, proper: frozenset[str]) -> str:
    """Return a sentence with its hedge, its clause or its time at the other end, where that is safe; else as it is."""
    space = sentence[: len(sentence) - len(sentence.lstrip())]
    s = sentence.strip()
    if not s or _QUOTED.search(s) or not _draw(voice, s, 5):
        return sentence
    if m := _LEADS.fullmatch(s):
        return f"{space}{_capital(m[2])}, {m[1] if m[1].startswith('I ') else m[1].lower()}."
    if (m := _TRAILS.fullmatch(s)) and m[2].lower() != "though":
        return f"{space}{_capital(m[2])}, {lowered(m[1], proper)}."
    if (m := _CLAUSE_FIRST.fullmatch(s)) and len(m[3].split()) > _SHORT_CLAUSE:
        return f"{space}{_capital(m[3])} {m[1].lower()} {m[2]}."
    if (m := _CLAUSE_LAST.fullmatch(s)) and not _ASKS.search(m[1]) and not (m[2] == "because" and _NOT.search(m[1])):
        return f"{space}{_capital(m[2])} {m[3]}, {m[1]}."
    if (m := _TIME_LAST.fullmatch(s)) and not _ASKS.search(m[1]):
        return f"{space}{_capital(m[2])} {lowered(m[1], proper)}."
    return sentence


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def share_changed(original: str, said: str) -> float | None:
    """Return the share of the content words of ``original`` that are not in ``said``; ``None`` where it has none.

    Counted by stems and once each. Names and figures count as content, and never change.

    Examples
    --------
    >>> share_changed("Nobody came until Friday.", "No one came till Friday.")
    0.5
    """
    of = [w for w in dict.fromkeys(words_of(original)) if content_words(w)]
    stays = content_words(said)
    return sum(not content_words(w) <= stays for w in of) / len(of) if of else None
