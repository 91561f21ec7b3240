"""Who is still there, turn by turn: shares over what was planned, with the risk table beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import LEVEL, bootstrap_mean
from turnwise.stats.proportion import wilson

__all__ = ["Attendance", "attendance"]


@dataclass(frozen=True, slots=True)
class Attendance:
    """The curve of ``attendance``: three parallel tuples, one entry per planned patient turn.

    Attributes
    ----------
    turn : 1 ... planned.
    share : share of planned sessions not lost before that turn, in [0, 1], higher = more stayed.
    at_risk : sessions in which the patient took that turn and could still be lost (the risk table).
    """

    turn: tuple[int, ...]
    share: tuple[Estimate, ...]
    at_risk: tuple[int, ...]


def attendance(
    attended: npt.ArrayLike,
    lost: npt.ArrayLike,
    *,
    planned_turns: int,
    planned_sessions: int | None = None,
    clusters: npt.ArrayLike | None = None,
    rng: Generator | int | None = None,
) -> Attendance:
    """Return the share of planned sessions whose patient is still there at each planned turn.

    At turn k a session counts as still there if its patient took turn k, or if it was brought to
    an end by agreement before. A session that was lost (the patient left or faded, or the session
    broke) counts as not there from the turn after its last; a session never held counts as not
    there from the start. Not a success rate: a patient who stays may still be harmed. Not
    Kaplan-Meier either: nothing is censored, because the planned denominator is known.

    Parameters
    ----------
    attended : (N,) patient turns taken in each session, whole numbers >= 0.
    lost : (N,) true where the session ended early and not by agreement.
    planned_turns : patient turns planned per session, at least 1.
    planned_sessions : sessions in the design, at least N; ``None`` = N.
    clusters, rng : (N,) patients, and a generator or seed, for an interval that respects several
        sessions of one patient; without them Wilson, which takes the sessions as independent.
        At shares of 0 and 1, where every draw is the same, it is Wilson over the clusters.

    Returns
    -------
    An :class:`Attendance`. No session planned: every share ``no_denominator``.

    Raises
    ------
    ValueError : shapes differ, counts are negative, more sessions than planned, clusters without
        ``rng``, or clusters together with sessions never held (give those as rows instead, with
        0 turns and lost).

    References
    ----------
    Wilson (1927), J. Am. Stat. Assoc. 22, 209-212; on risk tables Pocock et al. (2002), Lancet
    359, 1686-1689.

    Examples
    --------
    >>> found = attendance([3, 1, 2], [False, True, False], planned_turns=3, planned_sessions=4)
    >>> [e.value for e in found.share], found.at_risk
    ([0.75, 0.5, 0.5], (3, 2, 1))
    """
    taken, gone = np.asarray(attended, dtype=np.int64), np.asarray(lost, dtype=bool)
    total = len(taken) if planned_sessions is None else planned_sessions
    if taken.ndim != 1 or taken.shape != gone.shape or (taken < 0).any():
        raise ValueError(f"attended (shape {taken.shape}, >= 0) and lost (shape {gone.shape}) must run parallel.")
    if planned_turns < 1 or total < len(taken):
        raise ValueError(f"{len(taken)} sessions of {total} planned, over {planned_turns} turns, is not possible.")
    if clusters is not None and (rng is None or total != len(taken)):
        raise ValueError("clusters need a rng, and one row per planned session (0 turns and lost if never held).")
    # One seed for all turns: the same sessions are drawn at every turn, so that the curve hangs together.
    seed = int(rng.integers(2**63)) if isinstance(rng, Generator) else rng
    turns = range(1, planned_turns + 1)
    shares = []
    for k in turns:
        there = (taken >= k) | ~gone
        if clusters is None or len(np.unique(there)) < 2:
            n = total if clusters is None else len(np.unique(np.asarray(clusters)))
            shares.append(wilson(int(there.sum()) if clusters is None else n * int(there.any()), n))
        else:
            assert seed is not None  # checked above
            shares.append(bootstrap_mean(there.astype(np.float64), rng=seed, clusters=clusters, level=LEVEL))
    return Attendance(tuple(turns), tuple(shares), tuple(int((taken >= k).sum()) for k in turns))
