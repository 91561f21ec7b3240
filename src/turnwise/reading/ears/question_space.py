"""The space in which questions are compared: the shipped encoder with the vectors of some tokens moved.

In the encoder as it ships, "When did you last go?" lies nearer to "Where did you go?" than to "What
was the most recent time?". ``tools/fit_question_ear.py`` moves the tokens so that questions which one
telling answers lie together, on questions written for all cases; words it never saw keep their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load

from turnwise.reading.encoder import encode, encode_in, token_table
from turnwise.reading.package_data import read_packaged

__all__ = ["SPACE", "encode_question", "encode_questions", "moved_table"]

SPACE = "ears/weights/question_space.v1.safetensors"


def moved_table(ids: npt.NDArray[np.int32], moves: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """Return the token vectors with ``moves`` (tokens, 256) added to the rows ``ids``."""
    table = token_table()
    table[ids] += moves.astype(np.float32)
    return table


@cache
def _table() -> npt.NDArray[np.float32]:
    stored = load(read_packaged(SPACE))
    return moved_table(stored["ids"], stored["moves"])


def encode_question(text: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the vector of one plain question in the encoder's own space, and in this one.

    Examples
    --------
    >>> own, moved = encode_question("who do you live with")
    >>> bool((moved == encode_questions(["who do you live with"])[0]).all()), own.shape
    (True, (256,))
    """
    own, moved = encode_in(text, None, _table())
    return own, moved


def encode_questions(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return one unit vector per plain question, (texts, 256): near means *answered by the same*, not *alike*.

    Examples
    --------
    >>> x = encode_questions(["when did you last go", "what was the most recent time", "who do you live with"])
    >>> bool(x[0] @ x[1] > x[0] @ x[2])
    True
    """
    return encode(texts, _table())
