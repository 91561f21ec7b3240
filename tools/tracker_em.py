"""Fit hidden stances to coded sessions by expectation and maximisation, all sessions and all folds of a step at once.

The same arithmetic as ``turnwise.belief.chain`` (``chain_difference`` measures how far apart they are), in
probabilities scaled at every step instead of logarithms, because a cross-validation makes some hundred fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tracker_corpus import Steps
from turnwise.belief.chain import Chain, filtered, smoothed

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

ROUNDS, STICKS, OF_MOVES, OF_TALK = 40, 0.8, 20.0, 10.0
"""Rounds of EM; where moves start; pseudo-observations that pull each act's moves to those of all acts, and
each stance's talk after an act to what stance and act say apart. Round numbers, not tuned finely."""


@dataclass(frozen=True)
class Stances:
    """K hidden stances: start (K,), moves (A, K, K) by act, talk (K, A, kinds) with three kinds or a multiple."""

    start: FloatArray
    moves: FloatArray
    talk: FloatArray


@dataclass(frozen=True)
class Believed:
    """By row: the belief once the therapist spoke (before the answer), after it, and the forecast (kinds,)."""

    before: FloatArray
    after: FloatArray
    forecast: FloatArray


def ranks(steps: Steps, sessions: IntArray) -> list[IntArray]:
    """Return the rows of all first exchanges, all second ones, ...: what can be computed at once."""
    place = np.zeros(len(steps), dtype=np.int64)
    for i, p in enumerate(steps.previous):
        place[i] = place[p] + 1 if p >= 0 else 0
    among = np.isin(steps.session, sessions)
    return [np.flatnonzero(among & (place == t)) for t in range(int(place[among].max()) + 1)]


def believe(s: Stances, rows: list[IntArray], acts: FloatArray, read: FloatArray, temper: float = 1.0) -> Believed:
    """Return the forward pass over the rows, the others zero.

    ``acts`` (N, A) are weights that sum to one: which turn the therapist made, where that is not known for sure, is
    summed over together with the stance. ``read`` (N, kinds) are the answer's likelihoods, all but one zero where
    it is known; ``temper`` is the exponent of what they say about the stance.
    """
    n, k = len(acts), len(s.start)
    before, after, forecast = np.zeros((n, k)), np.zeros((n, k)), np.zeros((n, s.talk.shape[2]))
    said = np.einsum("kat,nt->nak", s.talk, read)
    for t, i in enumerate(rows):
        held = np.tile(s.start, (len(i), 1)) if t == 0 else after[i - 1]
        moved = np.tensordot(held, s.moves, axes=(1, 1)) * acts[i][:, :, None]  # act and stance together
        here = moved.sum(1)
        joint = here * ((moved * said[i]).sum(1) / here) ** temper
        before[i], after[i] = here, joint / joint.sum(1, keepdims=True)
        forecast[i] = np.einsum("nak,kat->nt", moved, s.talk)
    return Believed(before, after, forecast)


@dataclass(frozen=True)
class _Layout:
    """Rows in order of exchange, the longest sessions first: who goes on to the next exchange are the first ones."""

    order: IntArray
    blocks: tuple[slice, ...]


def _layout(steps: Steps) -> _Layout:
    rows = ranks(steps, np.unique(steps.session))
    length = np.bincount(steps.session)[steps.session]
    order = [i[np.lexsort((steps.session[i], -length[i]))] for i in rows]
    ends = np.cumsum([0, *map(len, order)])
    return _Layout(np.concatenate(order), tuple(slice(a, b) for a, b in pairwise(ends)))


@dataclass(frozen=True)
class _Expected:
    """For F fits, rows in the order of a layout: stances given all (N, F, K), moves before each row (N, F, K, K)."""

    state: FloatArray
    pairs: FloatArray


def _expected(fits: Sequence[Stances], layout: _Layout, act: IntArray, talk: IntArray) -> _Expected:
    """Return what is expected of all rows under each fit; ``act`` and ``talk`` in the order of the layout."""
    evidence = np.stack([s.talk[:, act, talk].T for s in fits], axis=1)
    own = np.stack([s.moves[act] for s in fits], axis=1)
    held, after = np.empty_like(evidence), np.empty_like(evidence)
    weight, later = np.empty_like(evidence), np.ones_like(evidence)
    before: slice | None = None
    for block in layout.blocks:
        n = block.stop - block.start
        held[block] = np.stack([s.start for s in fits]) if before is None else after[before][:n]
        joint = (held[block][..., :, None] * own[block]).sum(-2) * evidence[block]
        scale = joint.sum(-1, keepdims=True)
        after[block], weight[block] = joint / scale, evidence[block] / scale
        before = block
    for earlier, block in reversed([*pairwise(layout.blocks)]):
        given = weight[block] * later[block]
        later[earlier][: len(given)] = (own[block] * given[..., None, :]).sum(-1)
    return _Expected(after * later, held[..., :, None] * own * (weight * later)[..., None, :])


def _shrunk(counts: FloatArray) -> FloatArray:
    """Return talk by stance and act, (K, A, kinds), pulled to stance and act taken apart."""
    overall = counts.sum((0, 1)) + 1.0
    overall = overall / overall.sum()
    by_stance, by_act = counts.sum(1) + 2.0 * overall, counts.sum(0) + 5.0 * overall
    apart = (by_stance / by_stance.sum(1, keepdims=True))[:, None] * (by_act / by_act.sum(1, keepdims=True)) / overall
    found = counts + OF_TALK * apart / apart.sum(2, keepdims=True)
    return np.asarray(found / found.sum(2, keepdims=True), dtype=np.float64)


def fit_all_stances(
    steps: Steps, among: npt.NDArray[np.bool_], act: IntArray, k: int, n_acts: int, seed: int
) -> list[Stances]:
    """Return F times K stances; the most change talk first, the most sustain talk last.

    ``among`` (F, N) says which rows each is fitted on, whole sessions. ``act`` replaces the steps' own (all zero: a
    tracker that does not see the therapist). The kinds of talk may be split further (``steps.talk`` then counts
    change talk of every sort first, sustain talk of every sort last).
    """
    layout, kinds = _layout(steps), max(3, int(steps.talk.max()) + 1)
    act, talk = act[layout.order], steps.talk[layout.order]
    counted = among[:, layout.order].T.astype(np.float64)
    acts, both = np.eye(n_acts)[act].T, np.eye(n_acts * kinds)[act * kinds + talk].T
    fits = [_first(np.bincount(talk, weights=w, minlength=kinds), k, n_acts, seed) for w in counted.T]
    n, f = counted.shape
    for _ in range(ROUNDS):
        found = _expected(fits, layout, act, talk)
        pairs = found.pairs * counted[..., None, None]
        starts = pairs[layout.blocks[0]].sum((0, 3))
        moves = (acts @ pairs.reshape(n, -1)).reshape(n_acts, f, k, k)
        counts = (both @ (found.state * counted[..., None]).reshape(n, -1)).reshape(n_acts, kinds, f, k)
        fits = [_fitted(starts[i], moves[:, i], counts[:, :, i]) for i in range(f)]
    return [_in_order(s) for s in fits]


def fit_stances(steps: Steps, act: IntArray, k: int, n_acts: int, seed: int) -> Stances:
    """Return K stances fitted on all sessions; see ``fit_all_stances``."""
    return fit_all_stances(steps, np.ones((1, len(steps)), dtype=bool), act, k, n_acts, seed)[0]


def _first(counts: FloatArray, k: int, n_acts: int, seed: int) -> Stances:
    rng = np.random.default_rng(seed)
    talk = np.stack([rng.dirichlet(4.0 * counts / counts.sum() + 0.3) for _ in range(k)])
    stay = STICKS * np.eye(k) + (1.0 - STICKS) / k
    return Stances(np.full(k, 1.0 / k), np.tile(stay, (n_acts, 1, 1)), np.repeat(talk[:, None, :], n_acts, axis=1))


def _fitted(starts: FloatArray, moves: FloatArray, counts: FloatArray) -> Stances:
    k = len(starts)
    shared = moves.sum(0) + 2.0 * STICKS * np.eye(k) + 0.2
    moves = moves + OF_MOVES * shared / shared.sum(1, keepdims=True)
    return Stances(
        (starts + 1.0) / (starts + 1.0).sum(),
        moves / moves.sum(2, keepdims=True),
        _shrunk(counts.transpose(2, 0, 1)),
    )


def _in_order(s: Stances) -> Stances:
    lean, third = s.talk.mean(1), s.talk.shape[2] // 3
    order = np.argsort(lean[:, -third:].sum(1) - lean[:, :third].sum(1), kind="stable")
    return Stances(s.start[order], s.moves[:, order][:, :, order], s.talk[order])


def chain_difference(s: Stances, steps: Steps) -> float:
    """Return how far this file's filtering and smoothing lie from ``belief.chain``'s, at most, in probability."""
    rows, layout = ranks(steps, np.unique(steps.session)), _layout(steps)
    seen = believe(s, rows, np.eye(len(s.moves))[steps.act], np.eye(s.talk.shape[2])[steps.talk])
    expected = _expected([s], layout, steps.act[layout.order], steps.talk[layout.order])
    state, pairs = np.empty_like(seen.after), np.empty((len(steps), len(s.start), len(s.start)))
    state[layout.order], pairs[layout.order] = expected.state[:, 0], expected.pairs[:, 0]
    chain, worst = Chain(s.start, s.moves), 0.0
    for number in np.unique(steps.session):
        i = np.flatnonzero(steps.session == number)
        # The chain's first step is the one before the first exchange, where nothing was observed.
        log_l = np.vstack([np.full(len(s.start), np.nan), np.log(s.talk[:, steps.act[i], steps.talk[i]].T)])
        acts = np.r_[0, steps.act[i]]
        exact, counts = filtered(chain, log_l, acts), smoothed(chain, log_l, acts)
        moves = np.stack([pairs[i][steps.act[i] == a].sum(0) for a in range(len(s.moves))])
        for ours, theirs in (
            (seen.before[i], np.exp(exact.log_before[1:])),
            (seen.after[i], np.exp(exact.log_after[1:])),
            (state[i], counts.state[1:]),
            (moves, counts.moves),
        ):
            worst = max(worst, float(np.abs(ours - theirs).max()))
    return worst
