"""Who, what topic and what intents each of some options is about, as rows of ones and zeros worked out once a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray

__all__ = ["People", "any_of", "by_topic", "marked", "picked"]


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Which of some options are about whom, 1 or 0; rows as long as there are options."""

    by_name: Mapping[str, FloatArray]
    anyone: FloatArray

    def meant(self, people: frozenset[str]) -> tuple[FloatArray, FloatArray] | None:
        """Return which options are about one of ``people``, and which about others only; ``None`` for no people."""
        if not people:
            return None
        meant = any_of(self.by_name, people, len(self.anyone))
        return meant, self.anyone * (1.0 - meant)


def any_of(by_name: Mapping[str, FloatArray], names: Iterable[str], n: int) -> FloatArray:
    """Return which of ``n`` options have one of the names, 1 or 0; not to be written to."""
    found = [by_name[name] for name in names if name in by_name]
    if len(found) == 1:
        return found[0]
    return np.asarray(np.maximum.reduce(found)) if found else np.zeros(n)


def marked(own: Sequence[frozenset[str]]) -> People:
    """Return who each of some options is about, given by their names.

    Examples
    --------
    >>> named, others = marked([frozenset({"Ann"}), frozenset({"Bo"}), frozenset()]).meant(frozenset({"Ann"}))
    >>> named.tolist(), others.tolist()
    ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    """
    names = sorted(frozenset().union(*own))
    by_name = {name: np.array([name in p for p in own], dtype=np.float64) for name in names}
    return People(by_name, np.array([bool(p) for p in own], dtype=np.float64))


def by_topic(topics: Sequence[str]) -> dict[str, FloatArray]:
    """Return which options are of each topic; ``""`` is none.

    Examples
    --------
    >>> {t: row.tolist() for t, row in by_topic(["sleep", "", "sleep"]).items()}
    {'sleep': [1.0, 0.0, 1.0]}
    """
    return {t: np.array([x == t for x in topics], dtype=np.float64) for t in sorted({*topics} - {""})}


def picked(flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Return the places of what holds in each row (N, M), as columns (most of one row, N) filled up with M.

    Examples
    --------
    >>> picked(np.array([[True, False, True], [False, True, False]])).tolist()
    [[0, 1], [2, 3]]
    """
    out = np.full((int(flags.sum(axis=1).max(initial=1)), len(flags)), flags.shape[1], dtype=np.intp)
    for i, row in enumerate(flags):
        at = np.flatnonzero(row)
        out[: len(at), i] = at
    return out
