"""Lexical diversity of a text that hangs little on how long it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import LEVEL

__all__ = ["LEAST_TOKENS", "THRESHOLD", "mtld", "spoken_tokens"]

THRESHOLD = 0.72
"""A factor closes as soon as its type-token ratio is at or below this (McCarthy & Jarvis 2010)."""
LEAST_TOKENS = 100
"""Below so many tokens the measure is known to be unstable: callers leave such texts out and count them."""

_METHOD = "MTLD, mean of both directions"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NON_FLUENT = frozenset(("um", "uh", "umm", "uhh", "uhm"))


def spoken_tokens(text: str) -> list[str]:
    """Return the words of ``text`` in lower case, without punctuation and without um and uh.

    Examples
    --------
    >>> spoken_tokens("Um, I don't know. You?")
    ['i', "don't", 'know', 'you']
    """
    words = (w.replace("’", "'") for w in _WORD.findall(text.lower()))
    return [w for w in words if w not in _NON_FLUENT]


def mtld(tokens: Sequence[str], *, threshold: float = THRESHOLD) -> Estimate:
    """Return the measure of textual lexical diversity, the mean of both reading directions.

    Definition: the mean length, in tokens, of the stretches (*factors*) over which the type-token
    ratio stays above ``threshold``. A factor closes as soon as the ratio is at or below it; what is
    left at the end counts as (1 - its ratio) / (1 - threshold) of one. Not a size of vocabulary, and
    not a quality of style: it also rises when somebody keeps changing the subject.

    Parameters
    ----------
    tokens : words in order, already in lower case (``spoken_tokens``).
    threshold : inside (0, 1).

    Returns
    -------
    Tokens per factor, above 0, without an interval; higher is more varied. n = tokens. Undefined:
    ``empty`` without a token; ``too_short`` where no factor closes and the last ratio is 1.

    Raises
    ------
    ValueError : ``threshold`` outside (0, 1).

    References
    ----------
    McCarthy & Jarvis (2010), Behavior Research Methods 42(2), 381-392.

    Examples
    --------
    >>> text = "the cat sat on the mat and the dog sat on the rug and the cat ran"
    >>> round(mtld(spoken_tokens(text)).value, 8)
    14.12837838
    """
    if not 0.0 < threshold < 1.0:
        raise ValueError(f"threshold is {threshold!r}; it lies inside (0, 1).")
    if not tokens:
        return Estimate(None, None, None, LEVEL, 0, _METHOD, "empty", "there is no word")
    ways = [_factors(x, threshold) for x in (tokens, tokens[::-1])]
    if 0.0 in ways:
        why = f"no word is repeated within {len(tokens)} words"
        return Estimate(None, None, None, LEVEL, len(tokens), _METHOD, "too_short", why)
    value = sum(len(tokens) / factors for factors in ways) / 2.0
    return Estimate(value, None, None, LEVEL, len(tokens), _METHOD)


def _factors(tokens: Sequence[str], threshold: float) -> float:
    factors, types, count = 0.0, set[str](), 0
    for token in tokens:
        types.add(token)
        count += 1
        if len(types) / count <= threshold:
            factors, types, count = factors + 1.0, set(), 0
    return factors + ((1.0 - len(types) / count) / (1.0 - threshold) if count else 0.0)
