"""How far a turn takes up what was said before it: what tells a reflection from the therapist's own input.

A linear coder cannot compare two turns it sees side by side, so the comparison is made here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import log1p
from typing import TypeAlias

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.scope import FUNCTION_WORDS

__all__ = ["UPTAKE", "Likeness", "Said", "uptake_of"]

Said: TypeAlias = tuple[str, tuple[str, ...], tuple[str, ...]]
Likeness: TypeAlias = Callable[[Sequence[str], Sequence[str]], FloatArray]

UPTAKE: tuple[str, ...] = (
    "like_other",
    "like_heard",
    "like_own",
    "taken_from_other",
    "taken_from_heard",
    "log_taken",
    "log_new",
    "log_other_words",
    "longer",
)
"""Cosine to the other's last turn, to the closest heard turn and to the closest own earlier one; share of
content words found in the other's last turn and in all that was heard; log of one plus how many of
these were taken up, are new, and of the words in the other's last turn; whether it is half as long again."""

_READ_CHARS = 20_000
_WORD = re.compile(r"[a-z']{3,}")


@lru_cache(maxsize=8_192)
def _content(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text[:_READ_CHARS].lower())) - FUNCTION_WORDS


def uptake_of(turns: Sequence[Said], likeness: Likeness) -> FloatArray:
    """Return how far each turn takes up what was heard and repeats what its speaker said.

    Parameters
    ----------
    turns : (text, heard, own) of each; ``heard`` and ``own`` oldest first.
    likeness : row-wise cosine of two lists of texts, (pairs,).

    Returns
    -------
    array (turns, 9), in the order of ``UPTAKE``.

    Examples
    --------
    >>> from turnwise.reading.encoder import encode
    >>> like = lambda a, b: (encode(a).astype(float) * encode(b)).sum(axis=1)
    >>> found = uptake_of([("Your kids worry.", ("My kids worry about smoke.",), ())], like)
    >>> float(found[0, UPTAKE.index("taken_from_other")])
    1.0
    """
    pairs = [(text, other) for text, heard, own in turns for other in (*heard, *own)]
    like = iter(likeness([a for a, _ in pairs], [b for _, b in pairs]).tolist())
    rows = []
    for text, heard, own in turns:
        heard_like, own_like = [next(like) for _ in heard], [next(like) for _ in own]
        last = heard[-1] if heard else ""
        said, words_last = _content(text), _content(last)
        all_heard = words_last.union(*map(_content, heard[:-1]))
        taken, n_last = len(said & all_heard), len(last.split())
        rows.append((
            heard_like[-1] if heard else 0.0,
            max(heard_like, default=0.0),
            max(own_like, default=0.0),
            len(said & words_last) / max(1, len(said)),
            taken / max(1, len(said)),
            log1p(taken),
            log1p(len(said) - taken),
            log1p(n_last),
            len(text.split()) > 1.5 * n_last,
        ))  # fmt: skip
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(UPTAKE))
