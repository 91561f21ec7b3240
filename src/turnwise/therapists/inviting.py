"""Replies that only ask for more, and how often they may come: said again and again they are no listening."""

from __future__ import annotations

import re
from functools import lru_cache

from turnwise.reading.sentences import split_sentences

__all__ = ["only_asks_for_more"]

_MORE = re.compile(
    r"^(?:(?:can|could|would) you )?(?:tell me|say)(?: (?:a|as) (?:little|bit|much))*(?: more)?(?: about| of)? "
    r"(?:that|it)\b|"
    r"^i(?:'d like to (?:hear|stay with)|'m listening\b)|^go on\b|^let's (?:stay with|not rush past) that\b|"
    r"^take your time with that\b|^you can say more about that\b|^there's room for that here\b",
    re.IGNORECASE,
)
_NOD = 3
"""Words of a sentence that only nods: "That's all right.", "Mm-hm."."""


@lru_cache(maxsize=1024)
def only_asks_for_more(text: str) -> bool:
    """Whether a reply asks for more of what was told, in no word of the patient's.

    Not whether it should not be said: once it leaves the floor to who has it.

    Examples
    --------
    >>> only_asks_for_more("Can you tell me more about that?"), only_asks_for_more("Mm-hm. Go on.")
    (True, True)
    >>> only_asks_for_more("You miss the house. I'd like to hear more about that.")
    False
    >>> only_asks_for_more("What was that like for you?")
    False
    """
    if '"' in text:
        return False
    parts = split_sentences(text)
    asks = [s for s in parts if _MORE.search(s)]
    return bool(asks) and all(len(s.split()) <= _NOD for s in parts if s not in asks)
