"""What classifiers are told of a session before a client's turn: the last exchange, several, or a running tally."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tracker_corpus import Steps

FloatArray = npt.NDArray[np.float64]

BACK, KEEPS = 5, (1.0, 0.8)
"""How many client turns a window holds; what of a tally is kept from one client turn to the next. 0.8 was looked at
beside 0.9 on the same sessions (0.9 is a little worse)."""
FAR = 0.3
"""Weight of 256-dimensional blocks after standardising."""


def scaled(*blocks: tuple[FloatArray, float]) -> FloatArray:
    """Return the blocks side by side, columns standardised over all rows (labels play no part), then weighted."""
    found = []
    for x, weight in blocks:
        spread = x.std(0)
        found.append((x - x.mean(0)) / np.where(spread > 1e-9, spread, 1.0) * weight)
    return np.hstack(found)


def earlier(steps: Steps, x: FloatArray, back: int = 1) -> FloatArray:
    """Return the rows of ``x`` of the client turn ``back`` turns before; zeros where there is none."""
    at = np.arange(len(steps))
    for _ in range(back):
        at = np.where(at >= 0, steps.previous[np.maximum(at, 0)], -1)
    return np.asarray(np.where((at >= 0)[:, None], x[np.maximum(at, 0)], 0.0), dtype=np.float64)


def window(steps: Steps, x: FloatArray) -> FloatArray:
    """Return ``x`` of the client turns before the last one, back to the fifth, side by side."""
    return np.hstack([earlier(steps, x, back) for back in range(2, BACK + 1)])


def tally(steps: Steps, x: FloatArray) -> FloatArray:
    """Return the log shares of each kind of talk so far in the session, kept whole and fading, (N, 6).

    ``x`` (N, 3) are weights of kinds of talk by row; one is added to each kind. Memory without a model of what
    is remembered: there is no hidden state in it, and the therapist plays no part.
    """
    found = []
    for keeps in KEEPS:
        sums = np.zeros_like(x)
        for i, p in enumerate(steps.previous):
            if p >= 0:
                sums[i] = keeps * sums[p] + x[p]
        found.append(np.log((sums + 1.0) / (sums.sum(1, keepdims=True) + x.shape[1])))
    return np.hstack(found)


def log_odds(p: FloatArray) -> FloatArray:
    """Return the log odds of change and of sustain against neutral talk, (N, 2)."""
    return np.asarray(np.log(p[:, [0, 2]] / p[:, [1]]), dtype=np.float64)
