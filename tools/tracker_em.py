"""Fit hidden stances to coded sessions by expectation and maximisation, all sessions of a step at once.

The same arithmetic as ``turnwise.belief.chain`` (``chain_difference`` measures how far apart they are), in
probabilities scaled at every step instead of logarithms, because a cross-validation makes some hundred fits.
"""

from __future__ import annotations

from dataclasses import dataclass

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


def _forward(
    s: Stances, rows: list[IntArray], moves: FloatArray, evidence: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return beliefs after each row (N, K) and scales (N,); ``moves`` (N, K, K) are each row's own."""
    after, scale = np.zeros_like(evidence), np.ones(len(evidence))
    for t, i in enumerate(rows):
        held = np.tile(s.start, (len(i), 1)) if t == 0 else after[i - 1]
        joint = (held[:, None, :] @ moves[i])[:, 0] * evidence[i]
        scale[i] = joint.sum(1)
        after[i] = joint / scale[i][:, None]
    return after, scale


def _expected(s: Stances, rows: list[IntArray], act: IntArray, talk: IntArray) -> tuple[FloatArray, ...]:
    """Return the smoothed stances (N, K), starts (K,) and moves (A, K, K) expected."""
    evidence, own = s.talk[:, act, talk].T.copy(), s.moves[act]
    after, scale = _forward(s, rows, own, evidence)
    later, weight = np.ones_like(evidence), evidence / scale[:, None]
    for i in rows[:0:-1]:
        later[i - 1] = (own[i] @ (weight[i] * later[i])[:, :, None])[:, :, 0]
    index = np.concatenate(rows)
    held = np.where(np.isin(index, rows[0])[:, None], s.start, after[index - 1])
    pairs = held[:, :, None] * own[index] * (weight * later)[index][:, None, :]
    moves = np.zeros_like(s.moves)
    np.add.at(moves, act[index], pairs)
    return after * later, pairs[: len(rows[0])].sum((0, 2)), moves


def _shrunk(counts: FloatArray) -> FloatArray:
    """Return talk by stance and act, (K, A, kinds), pulled to stance and act taken apart."""
    overall = counts.sum((0, 1)) + 1.0
    overall = overall / overall.sum()
    by_stance, by_act = counts.sum(1) + 2.0 * overall, counts.sum(0) + 5.0 * overall
    apart = (by_stance / by_stance.sum(1, keepdims=True))[:, None] * (by_act / by_act.sum(1, keepdims=True)) / overall
    found = counts + OF_TALK * apart / apart.sum(2, keepdims=True)
    return np.asarray(found / found.sum(2, keepdims=True), dtype=np.float64)


def fit_stances(steps: Steps, sessions: IntArray, act: IntArray, k: int, n_acts: int, seed: int) -> Stances:
    """Return K stances fitted on the given sessions; the most change talk first, the most sustain talk last.

    ``act`` replaces the steps' own (all zero: a tracker that does not see the therapist). The kinds of talk may be
    split further (``steps.talk`` then counts change talk of every sort first, sustain talk of every sort last).
    """
    rng, rows = np.random.default_rng(seed), ranks(steps, sessions)
    index = np.concatenate(rows)
    kinds = max(3, int(steps.talk.max()) + 1)
    base = np.bincount(steps.talk[index], minlength=kinds) / len(index)
    first = np.stack([rng.dirichlet(4.0 * base + 0.3) for _ in range(k)])
    s = Stances(
        np.full(k, 1.0 / k),
        np.tile(STICKS * np.eye(k) + (1.0 - STICKS) / k, (n_acts, 1, 1)),
        np.repeat(first[:, None, :], n_acts, axis=1),
    )
    for _ in range(ROUNDS):
        state, starts, moves = _expected(s, rows, act, steps.talk)
        shared = moves.sum(0) + 2.0 * STICKS * np.eye(k) + 0.2
        moves = moves + OF_MOVES * shared / shared.sum(1, keepdims=True)
        counts = np.zeros((n_acts, kinds, k))
        np.add.at(counts, (act[index], steps.talk[index]), state[index])
        s = Stances(
            (starts + 1.0) / (starts + 1.0).sum(),
            moves / moves.sum(2, keepdims=True),
            _shrunk(counts.transpose(2, 0, 1)),
        )
    lean = s.talk.mean(1)
    third = kinds // 3
    order = np.argsort(lean[:, -third:].sum(1) - lean[:, :third].sum(1), kind="stable")
    return Stances(s.start[order], s.moves[:, order][:, :, order], s.talk[order])


def chain_difference(s: Stances, steps: Steps, sessions: IntArray) -> float:
    """Return how far this file's filtering and smoothing lie from ``belief.chain``'s, at most, in probability."""
    rows = ranks(steps, sessions)
    seen = believe(s, rows, np.eye(len(s.moves))[steps.act], np.eye(s.talk.shape[2])[steps.talk])
    state, _, moves = _expected(s, rows, steps.act, steps.talk)
    chain, worst, total = Chain(s.start, s.moves), 0.0, np.zeros_like(moves)
    for number in sessions:
        i = np.flatnonzero(steps.session == number)
        # The chain's first step is the one before the first exchange, where nothing was observed.
        log_l = np.vstack([np.full(len(s.start), np.nan), np.log(s.talk[:, steps.act[i], steps.talk[i]].T)])
        acts = np.r_[0, steps.act[i]]
        exact, counts = filtered(chain, log_l, acts), smoothed(chain, log_l, acts)
        total += counts.moves
        for ours, theirs in (
            (seen.before[i], np.exp(exact.log_before[1:])),
            (seen.after[i], np.exp(exact.log_after[1:])),
            (state[i], counts.state[1:]),
        ):
            worst = max(worst, float(np.abs(ours - theirs).max()))
    return max(worst, float(np.abs(total - moves).max()))
