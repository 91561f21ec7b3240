"""Looking ahead: what an act is worth with what it leads to, by sampled futures in the therapist's own model of people.

A future starts from a patient drawn from the belief (stance, working edge), moves by the therapist's own stated
transitions, and goes on with whatever would then be best. It is a small and coarse model, stated in ``stance`` and
``working_edge``, and shares no code with any simulated patient.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.random import Generator

from turnwise.core.nouns import Belief, FloatArray
from turnwise.therapists.acts import ACTS, STANCE_VALUES
from turnwise.therapists.stance import STANCES, transition
from turnwise.therapists.working_edge import BEARS, EDGES, edge_transition

__all__ = ["DEPTH", "DISCOUNT", "SAMPLES", "worth_of_futures"]

SAMPLES = 64
DEPTH = 3
"""Turns looked ahead after the act itself."""
DISCOUNT = 0.8
_OVER = 2.5  # cost per unit of intensity beyond what can be borne
_FINDS = np.array(
    [0.5, 0.1, 0.25, 0.02, 0.05, 0.2]
)  # P(something of their own is found | stance), when it can be borne
_DISCOVERY = 1.2  # worth of a piece of the patient's own evidence: what a conversation of this kind is for
_SEEKS = ("ask_both_sides", "ask_exception", "ask_alternative", "synthesise")
_LEAVES = 0.35  # cost of a turn with somebody who resists or withdraws: it is from there that people leave
_CLASSES = ("support", "question", "challenge", "offer")


@cache
def _model() -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return rewards (acts, stances, edges), cumulated moves of stance (classes, S, S) and edge (classes, E, E)."""
    kinds = [_CLASSES.index(act.kind) for act in ACTS.values()]
    over = np.maximum(0.0, np.array([a.intensity * (a.kind == "challenge") for a in ACTS.values()])[:, None] - BEARS)
    reward = STANCE_VALUES[:, :, None] - _OVER * over[:, None, :]
    # Asking for what does not fit finds something, if it can be borne; later turns of a future count it too.
    seeks = np.array([name in _SEEKS for name in ACTS])
    reward = reward + _DISCOVERY * seeks[:, None, None] * _FINDS[None, :, None] * (over == 0.0)[:, None, :]
    away = np.array([name in ("resisting", "withdrawing") for name in STANCES])
    reward = reward - _LEAVES * away[None, :, None]
    stance = np.array([np.cumsum(transition(c), axis=1) for c in _CLASSES])  # type: ignore[arg-type]
    edge = np.array([np.cumsum(edge_transition(c), axis=1) for c in _CLASSES])  # type: ignore[arg-type]
    return reward, stance, edge, np.array(kinds)


def _found_now(s: FloatArray, e: FloatArray) -> FloatArray:
    """Return what each act is expected to find in each drawn patient, (acts, samples)."""
    seeks = np.array([name in _SEEKS for name in ACTS])
    over = np.array([a.intensity for a in ACTS.values()])[:, None] > BEARS[e][None, :]
    return np.asarray(_DISCOVERY * seeks[:, None] * _FINDS[s][None, :] * ~over)


def _drawn(cumulated: FloatArray, u: FloatArray) -> FloatArray:
    """Return one place per row of cumulated probabilities (…, K)."""
    return np.asarray(np.minimum((u[..., None] > cumulated).sum(axis=-1), cumulated.shape[-1] - 1))


def worth_of_futures(stance: Belief, edge: Belief, rng: Generator, *, samples: int = SAMPLES) -> FloatArray:
    """Return what is expected to come of each act of ``ACTS``, (acts,), discounted; its own value now is not in it.

    What may come of it: something of the patient's own that does not fit the thought, and the turns after.

    Every act is tried on the same drawn patients with the same luck, so that differences are differences of acts.

    Parameters
    ----------
    stance, edge : beliefs about the patient now.

    Examples
    --------
    >>> from turnwise.therapists.stance import initial
    >>> from turnwise.therapists.working_edge import initial_edge
    >>> worth = worth_of_futures(initial(), initial_edge(), np.random.default_rng(0))
    >>> moves = list(ACTS)
    >>> bool(worth[moves.index("reflect_content")] > worth[moves.index("ask_exception")])
    True
    """
    reward, to_stance, to_edge, kinds = _model()
    s0 = _drawn(np.cumsum(stance.p)[None, :], rng.random(samples))
    e0 = _drawn(np.cumsum(edge.p)[None, :], rng.random(samples))
    best = reward.argmax(axis=0)  # what would be done in each state, if it were known
    # What comes after an act hangs on its class alone, so that each class is followed once and not each act.
    each = len(_CLASSES)
    s = np.broadcast_to(s0, (each, samples))
    e = np.broadcast_to(e0, (each, samples))
    kind = np.broadcast_to(np.arange(each)[:, None], (each, samples))
    total = np.zeros((each, samples))
    for depth in range(1, DEPTH + 1):
        us, ue = rng.random(samples), rng.random(samples)
        s = _drawn(to_stance[kind, s], np.broadcast_to(us, s.shape))
        e = _drawn(to_edge[kind, e], np.broadcast_to(ue, e.shape))
        act = best[s, e]
        total = total + DISCOUNT**depth * reward[act, s, e]
        kind = kinds[act]
    return np.asarray(_found_now(s0, e0).mean(axis=1) + total.mean(axis=1)[kinds])


assert len(EDGES) == len(BEARS)
