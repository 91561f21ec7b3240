"""The Socratic therapist's second belief: how much challenge the patient can bear (the working edge).

The stance moves from turn to turn; the edge moves slowly. It grows by being listened to, is used up
a little by every challenge, and shows in what the patient does with the room they are given: at
length and with feeling, or in few words, refusals and "yes, but". Like the stance, it is the
therapist's own coarse model: clinical judgement set by hand, not fitted, and therefore tempered.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from turnwise.belief.filter import UpdateInfo, predict, prior, update
from turnwise.core.nouns import Belief, FloatArray
from turnwise.therapists.stance import FLOOR, ActClass, Signs

__all__ = ["BEARS", "EDGES", "EDGE_PRIOR", "bearable", "edge_transition", "initial_edge", "moved_edge"]

EDGES: tuple[str, ...] = ("near", "middle", "far", "none_of_these")
EDGE_PRIOR: tuple[float, ...] = (0.46, 0.30, 0.06, 0.18)
"""Before the first word: most people can bear little from a stranger."""
BEARS: FloatArray = np.array([0.12, 0.42, 0.85, 0.35])
"""Intensity of challenge (0 to 1) that is taken up at each edge."""

_TEMPER = 0.15
"""One turn says little of what can be borne: people do not speak longer, or otherwise, as they come to trust."""
# P(one step further | act), P(one step nearer | act): alliance is built by being heard, and a
# challenge spends some of it even when it is taken up (Ribeiro et al. 2013: the zone is narrow).
_DRIFT: Mapping[ActClass, tuple[float, float]] = {
    "support": (0.16, 0.02),
    "question": (0.07, 0.03),
    "challenge": (0.05, 0.09),
    "offer": (0.05, 0.05),
}
_TAKEN_UP: FloatArray = np.array([0.55, 0.85, 0.95, 0.75])
"""P(a challenge is answered rather than rebuffed | edge): what the zone is known by (Ribeiro et al. 2013)."""
_LENGTH = np.array([[0.42, 0.48, 0.10], [0.31, 0.49, 0.20], [0.24, 0.48, 0.28], [0.32, 0.48, 0.20]])
_SIGN: Mapping[str, tuple[float, ...]] = {
    "hostile": (0.14, 0.05, 0.01, 0.06),
    "refusal": (0.20, 0.09, 0.03, 0.09),
    "about_you": (0.16, 0.08, 0.03, 0.09),
    "doubt": (0.15, 0.08, 0.03, 0.08),
    "yes_but": (0.22, 0.14, 0.07, 0.14),
    "dont_know": (0.24, 0.15, 0.09, 0.16),
    "feeling": (0.12, 0.22, 0.32, 0.18),
    "insight": (0.02, 0.08, 0.22, 0.08),
    "thanks": (0.02, 0.05, 0.08, 0.05),
}


def initial_edge() -> Belief:
    """Return the belief about the edge before the first word."""
    return prior(EDGES, EDGE_PRIOR)


def bearable(belief: Belief) -> float:
    """Return the intensity of challenge expected to be borne now, in [0, 1]."""
    return float(belief.p @ BEARS)


def edge_transition(after: ActClass) -> FloatArray:
    """Return how the edge moves after an act, (K, K); row = from, column = to."""
    up, down = _DRIFT[after]
    t = np.eye(len(EDGES))
    t[0, :2] = (1 - up, up)
    t[1, :3] = (down, 1 - up - down, up)
    t[2, 1:3] = (down, 1 - down)
    return t


def _log_likelihood(signs: Signs) -> FloatArray:
    total = np.log(_LENGTH[:, signs.length])
    for name, row in _SIGN.items():
        p = np.array(row)
        total += np.log(p if name in signs.present else 1.0 - p)
    return np.asarray(np.maximum(total, 4 * np.log(FLOOR)), dtype=np.float64)


def moved_edge(
    belief: Belief, signs: Signs, after: ActClass, *, taken_up: bool | None = None
) -> tuple[Belief, UpdateInfo]:
    """Return the belief about the edge after the act ``after`` and the patient's answer to it.

    ``taken_up`` : whether a challenge was answered rather than rebuffed; ``None`` where there was none.
    """
    log_l = _TEMPER * _log_likelihood(signs)
    if taken_up is not None:
        log_l = log_l + np.log(_TAKEN_UP if taken_up else 1.0 - _TAKEN_UP)
    return update(predict(belief, edge_transition(after)), log_l)
