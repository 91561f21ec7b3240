"""Which transcripts the raters were fitted on, so that none is scored by weights that saw it.

The table holds hashes only. A session that is one of them is read with the weights of its fold,
which were fitted without it and without the others of its series (same video, same pair).
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from turnwise.core.nouns import Turn
from turnwise.reading.package_data import read_packaged

__all__ = ["TABLE", "fingerprint", "training_folds"]

TABLE = "raters/training_sessions.json"
_SPACE = re.compile(r"\s+")


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
    lines = (f"{t.speaker}\t{_SPACE.sub(' ', unicodedata.normalize('NFKC', t.text)).strip().lower()}" for t in turns)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@cache
def training_folds() -> Mapping[str, int]:
    """Return the fold of every transcript the raters were fitted on, by fingerprint."""
    table: dict[str, int] = json.loads(read_packaged(TABLE))["folds"]
    return table
