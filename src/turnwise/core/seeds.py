"""Where randomness comes from: a fresh generator for every step, keyed by what the step is.

The therapist is not part of the patient's key, so two therapists meet the same patient with the
same luck (common random numbers), and a session can be resumed or branched at any turn.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.random import Generator

__all__ = ["Role", "generator", "luck_key", "place_key", "stable_hash"]

Role = Literal["patient", "therapist", "study"]
_ROLE = {"patient": 0, "therapist": 1, "study": 2}


@lru_cache(maxsize=1_024)
def stable_hash(text: str) -> int:
    """Return a 64-bit hash that is the same in every process (Python's own is not).

    Examples
    --------
    >>> stable_hash("alun") == stable_hash("alun")
    True
    """
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big")


def generator(seed: int, key: str, epoch: int, role: Role, turn: int) -> Generator:
    """Return the generator of one step of one participant.

    Parameters
    ----------
    seed : the study's seed, any non-negative integer.
    key : the patient's name (family and case), never the therapist's.
    epoch : repetition of the pair, 0-based.
    role : whose step it is.
    turn : index of the turn about to be spoken; -1 for ``init``.

    Examples
    --------
    >>> a = generator(1, "alun", 0, "patient", 3).random()
    >>> b = generator(1, "alun", 0, "patient", 3).random()
    >>> a == b
    True
    """
    # engine.luck reads the seed and the key back from this list: it stays as it is.
    entropy = [seed, stable_hash(key), epoch, _ROLE[role], turn + 1]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))


def place_key(session: int) -> str:
    """Return how the place in a course is written in names and keys: not at all for a first session.

    Examples
    --------
    >>> place_key(1), place_key(2)
    ('', '/s2')
    """
    return f"/s{session}" if session > 1 else ""


def luck_key(patient: str, case: str, session: int = 1) -> str:
    """Return whom the luck of a session belongs to: the patient, and the place in its course.

    Examples
    --------
    >>> luck_key("stateful.v1", "alun"), luck_key("stateful.v1", "alun", 2)
    ('stateful.v1/alun', 'stateful.v1/alun/s2')
    """
    return f"{patient}/{case}{place_key(session)}"
