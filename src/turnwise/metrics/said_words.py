"""Plain words of a turn, so that neither spacing nor the shape of an apostrophe moves a measure."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["content_stems", "plain", "sentences"]

_READ_CHARS = 20_000
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_END = re.compile(r"(?<=[.!?…])\s+")
_STEM = 5
_LEAST_LETTERS = 3
_STOP = frozenset(
    """the and but for nor not you your yours yourself him his her hers she they them their theirs its our ours this
    that these those was were are been being have has had did does doing don't didn't doesn't can't won't
    wouldn't couldn't isn't wasn't i'm i've i'd i'll you're you've he's she's it's that's there's they're we're
    with from into onto about over under after before when where what which who whom why how then than there
    here just like really very quite too also only even still well yes yeah yep nah okay right sure maybe
    perhaps guess suppose think know mean said say says told tell got get gets getting would could should might
    will shall may must can one some any all every each both because though although while until again always
    never ever much many more most less least own same other another such out off down back way thing things
    something anything nothing going gonna now""".split()
)


@lru_cache(maxsize=4_096)
def plain(text: str) -> str:
    """Return a text in small letters, with straight apostrophes and single blanks.

    Examples
    --------
    >>> plain("  I’m  FINE. ")
    "i'm fine."
    """
    return " ".join(text[:_READ_CHARS].replace("’", "'").lower().split())


@lru_cache(maxsize=4_096)
def sentences(text: str) -> tuple[str, ...]:
    """Return the plain sentences of a text.

    Examples
    --------
    >>> sentences("I left.  He  didn’t.")
    ('i left.', "he didn't.")
    """
    return tuple(x for x in _END.split(plain(text)) if x)


@lru_cache(maxsize=8_192)
def content_stems(text: str) -> frozenset[str]:
    """Return the words that carry content, cut to five letters (a crude stem: "decided" and "deciding" are one).

    Examples
    --------
    >>> sorted(content_stems("She decided that, and I was deciding too."))
    ['decid']
    >>> content_stems("Yes, I know.")
    frozenset()
    """
    words = _WORD.findall(plain(text))
    return frozenset(w[:_STEM] for w in words if len(w) >= _LEAST_LETTERS and w not in _STOP)
