"""How far a turn takes up what was said before it: what tells a reflection from the therapist's own input.

A linear coder cannot compare two turns it sees side by side, so the comparison is made here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.scope import FUNCTION_WORDS

__all__ = ["UPTAKE", "uptake_of"]

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


def _content(text: str) -> set[str]:
    return set(_WORD.findall(text[:_READ_CHARS].lower())) - FUNCTION_WORDS


def _cosine(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
    # Not a BLAS dot product: its last bit may depend on where the rows lie in memory.
    return float((a.astype(np.float64) * b).sum())


def uptake_of(
    text: str, heard: Sequence[str], own: Sequence[str], vector: Callable[[str], npt.NDArray[np.float32]]
) -> FloatArray:
    """Return how far ``text`` takes up ``heard`` and repeats ``own`` (both oldest first), in the order of ``UPTAKE``.

    Examples
    --------
    >>> from turnwise.reading.encoder import encode
    >>> found = uptake_of("Your kids worry.", ["My kids worry about smoke."], [], lambda t: encode([t])[0])
    >>> float(found[UPTAKE.index("taken_from_other")])
    1.0
    """
    last = heard[-1] if heard else ""
    here = vector(text)
    like = [_cosine(here, vector(t)) for t in heard]
    mine = [_cosine(here, vector(t)) for t in own]
    said, words_last = _content(text), _content(last)
    all_heard = words_last.union(*map(_content, heard[:-1]))
    taken, n_last = len(said & all_heard), len(last.split())
    return np.array(
        [
            like[-1] if like else 0.0,
            max(like, default=0.0),
            max(mine, default=0.0),
            len(said & words_last) / max(1, len(said)),
            taken / max(1, len(said)),
            np.log1p(taken),
            np.log1p(len(said) - taken),
            np.log1p(n_last),
            len(text.split()) > 1.5 * n_last,
        ],
        dtype=np.float64,
    )
