"""Which transcripts the raters were fitted on, so that none is scored by weights that saw it.

The table holds hashes only. A session that is one of them is read with the weights of its fold,
which were fitted without it and without the others of its series (same video, same pair).
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from turnwise.core.nouns import Turn
from turnwise.reading.package_data import read_packaged

__all__ = ["FOLDS", "TABLE", "fingerprint", "training_folds"]

FOLDS = "raters/folds"
TABLE = f"{FOLDS}/annomi.json"
"""The table of the coders of main behaviour and client talk; each corpus has one of its own beside it."""


def fingerprint(turns: Sequence[Turn]) -> str:
    """Return 16 hexadecimal characters that say which transcript this is.

    Speaker and text of every turn count; case, spacing and the width of characters do not, so
    that a transcript is the same in whichever of its file formats it came.

    Examples
    --------
    >>> a = fingerprint([Turn(speaker="patient", text="I  will.")])
    >>> a == fingerprint([Turn(speaker="patient", text=" i will. ")]), len(a)
    (True, 16)
    """
    lines = (f"{t.speaker}\t{' '.join(unicodedata.normalize('NFKC', t.text).split()).lower()}" for t in turns)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@cache
def training_folds(corpus: str = "annomi") -> Mapping[str, int]:
    """Return the fold of every session of a corpus that raters were fitted on, by fingerprint.

    A sentence or a pair of posts counts as a session of one or two turns.

    Raises
    ------
    FormatError : no shipped coder was fitted on a corpus of that name.
    """
    table: dict[str, int] = json.loads(read_packaged(f"{FOLDS}/{corpus}.json"))["folds"]
    return table
