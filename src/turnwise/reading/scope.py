"""May this text be coded? The coders were fitted on English speech and say nothing of other languages.

The rule is simple on purpose and lenient on short turns ("Mm-hmm.", "Jim's.", "Seven."), which in
any language are mostly names and noises: a text is out of scope when

- it has letters, and less than half of them are Latin; or it has neither a letter nor a digit; or
- it has at least eight words, and fewer than 15 % of them are English function words; or
- it has at least two function words of a neighbouring language, and more of those than English ones; or
- more than one sign in eight is a brace, semicolon, equals sign or the like: code, a table, a blob of JSON.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

__all__ = ["CODE_SIGNS", "FUNCTION_WORDS", "MIN_ENGLISH", "MIN_WORDS", "english_share", "scope_code"]

MIN_WORDS = 8
MIN_ENGLISH = 0.15
_READ_CHARS = 4_000
CODE_SIGNS = frozenset("{}[]()<>=;|\\_$#@^`~+%&/")
_MAX_CODE = 0.125
_MIN_CODE_CHARS = 24  # ":-)" and "(laughs)" are speech
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

FUNCTION_WORDS = frozenset(
    """
    the and to of i you that it is my have for with not but do don't it's i'm what are they we this if like just
    know about can your she his would at as from all there been when because how really think want get yeah okay
    well feel up out had them go one has were their who will more could then any some should these where why did
    does than too very much even i've i'd i'll you're that's can't didn't doesn't isn't won't he's she's they're
    we're be by or so he her him our us me was in on no yes a an am got going gonna say said see time good right
    back now also maybe something things thing make need other over only mean i’m it’s don’t that’s you’re i’ve
    oh um uh hmm kind bit lot sure little people day here take let let's try use having being doing
    """.split()
)
_NEIGHBOURS = frozenset(
    """
    ich nicht und der das ist sehr bin mir mich sie wir mein eine einen auch aber wenn weil kann
    je ne pas est les suis que mais avec pour dans une mon ma vous nous elle très c'est j'ai
    el los las estoy muy es pero yo con por para una mis no se lo qué
    sono che di il non mi con una questo molto anche perché
    não estou muito eu uma com ele você minha
    ik het een niet maar heb ook van jij
    """.split()
) - {"no", "se"}


_FOREIGN = _NEIGHBOURS - FUNCTION_WORDS


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:_READ_CHARS].lower())


def english_share(text: str) -> float:
    """Return the share of words that are common English function words; 0.0 for no words.

    Examples
    --------
    >>> english_share("I do not know"), english_share("")
    (1.0, 0.0)
    """
    words = _words(text)
    return sum(w in FUNCTION_WORDS for w in words) / len(words) if words else 0.0


def _latin_share(text: str) -> float:
    if text.isascii():
        return float(any(c.isalnum() for c in text[:_READ_CHARS]))
    letters = [c for c in text[:_READ_CHARS] if c.isalpha()]
    if not letters:
        return 1.0 if any(c.isdigit() for c in text[:_READ_CHARS]) else 0.0
    return sum(c.isascii() or unicodedata.name(c, "").startswith("LATIN") for c in letters) / len(letters)


_WITHOUT_CODE = str.maketrans("", "", "".join(sorted(CODE_SIGNS)))


def _is_code(text: str) -> bool:
    signs = len(text) - len(text.translate(_WITHOUT_CODE))  # none of them is a blank
    if not signs:
        return False
    seen = "".join(text.split())
    return len(seen) >= _MIN_CODE_CHARS and signs > _MAX_CODE * len(seen)


@lru_cache(maxsize=16_384)  # several readers ask of the same turns
def scope_code(text: str) -> Literal["empty", "out_of_scope"] | None:
    """Return why ``text`` may not be coded, or ``None`` if it may.

    Examples
    --------
    >>> scope_code("  "), scope_code("你好，今天怎么样？"), scope_code("Mm-hmm."), scope_code("7")
    ('empty', 'out_of_scope', None, None)
    >>> scope_code("Ich bin heute sehr traurig.")
    'out_of_scope'
    """
    if not text.strip():
        return "empty"
    if _latin_share(text) < 0.5:
        return "out_of_scope"
    if _is_code(text[:_READ_CHARS]):
        return "out_of_scope"
    words = _words(text)
    english = sum(map(FUNCTION_WORDS.__contains__, words))
    neighbours = sum(map(_FOREIGN.__contains__, words))
    if len(words) >= MIN_WORDS and english < MIN_ENGLISH * len(words):
        return "out_of_scope"
    return "out_of_scope" if neighbours >= 2 and neighbours > english else None
