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
    """K hidden stances: start (K,), moves (A, K, K) by act, talk (K, A, 3)."""

    start: FloatArray
    moves: FloatArray
    talk: FloatArray


@dataclass(frozen=True)
class Believed:
    """By row: the belief once the therapist spoke (before the answer), after it, and the forecast (3,)."""

    before: FloatArray
    after: FloatArray
    forecast: FloatArray
    evidence: FloatArray


def ranks(steps: Steps, sessions: IntArray) -> list[IntArray]:
    """Return the rows of all first exchanges, all second ones, ...: what can be computed at once."""
    place = np.zeros(len(steps), dtype=np.int64)
    for i, p in enumerate(steps.previous):
        place[i] = place[p] + 1 if p >= 0 else 0
    among = np.isin(steps.session, sessions)
    return [np.flatnonzero(among & (place == t)) for t in range(int(place[among].max()) + 1)]


def evidence_of(talk: FloatArray, acts: FloatArray, read: FloatArray, temper: float = 1.0) -> FloatArray:
    """Return P(answer | stance) by row, (N, K): ``acts`` (N, A) and ``read`` (N, 3) are weights."""
    return np.asarray(np.einsum("na,kat,nt->nk", acts, talk, read, optimize=True) ** temper, dtype=np.float64)


def believe(s: Stances, rows: list[IntArray], acts: FloatArray, evidence: FloatArray) -> Believed:
    """Return the forward pass over the rows, the others zero."""
    before, after, scale = _forward(s, rows, np.einsum("na,akj->nkj", acts, s.moves), evidence)
    return Believed(before, after, np.einsum("nk,na,kat->nt", before, acts, s.talk, optimize=True), scale)


def _forward(s: Stances, rows: list[IntArray], moves: FloatArray, evidence: FloatArray) -> tuple[FloatArray, ...]:
    """Return beliefs before (N, K) and after (N, K), and scales (N,); ``moves`` (N, K, K) are each row's own."""
    n, k = evidence.shape
    before, after, scale = np.zeros((n, k)), np.zeros((n, k)), np.ones(n)
    for t, i in enumerate(rows):
        held = np.tile(s.start, (len(i), 1)) if t == 0 else after[i - 1]
        here = (held[:, None, :] @ moves[i])[:, 0]
        joint = here * evidence[i]
        total = joint.sum(1)
        before[i], after[i], scale[i] = here, joint / total[:, None], total
    return before, after, scale


def _expected(s: Stances, rows: list[IntArray], act: IntArray, talk: IntArray) -> tuple[FloatArray, ...]:
    """Return the smoothed stances (N, K), starts (K,) and moves (A, K, K) expected."""
    evidence, own = s.talk[:, act, talk].T.copy(), s.moves[act]
    _, after, scale = _forward(s, rows, own, evidence)
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
    """Return talk by stance and act, (K, A, 3), pulled to stance and act taken apart."""
    overall = counts.sum((0, 1)) + 1.0
    overall = overall / overall.sum()
    by_stance, by_act = counts.sum(1) + 2.0 * overall, counts.sum(0) + 5.0 * overall
    apart = (by_stance / by_stance.sum(1, keepdims=True))[:, None] * (by_act / by_act.sum(1, keepdims=True)) / overall
    found = counts + OF_TALK * apart / apart.sum(2, keepdims=True)
    return np.asarray(found / found.sum(2, keepdims=True), dtype=np.float64)


def fit_stances(steps: Steps, sessions: IntArray, act: IntArray, k: int, n_acts: int, seed: int) -> Stances:
    """Return K stances fitted on the given sessions; the most change talk first, the most sustain talk last.

    ``act`` replaces the steps' own (all zero: a tracker that does not see the therapist).
    """
    rng, rows = np.random.default_rng(seed), ranks(steps, sessions)
    index = np.concatenate(rows)
    base = np.bincount(steps.talk[index], minlength=3) / len(index)
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
        counts = np.zeros((n_acts, 3, k))
        np.add.at(counts, (act[index], steps.talk[index]), state[index])
        s = Stances(
            (starts + 1.0) / (starts + 1.0).sum(),
            moves / moves.sum(2, keepdims=True),
            _shrunk(counts.transpose(2, 0, 1)),
        )
    lean = s.talk.mean(1)
    order = np.argsort(lean[:, 2] - lean[:, 0], kind="stable")
    return Stances(s.start[order], s.moves[:, order][:, :, order], s.talk[order])


def chain_difference(s: Stances, steps: Steps, sessions: IntArray) -> float:
    """Return how far this file's filtering and smoothing lie from ``belief.chain``'s, at most, in probability."""
    rows = ranks(steps, sessions)
    seen = believe(s, rows, np.eye(len(s.moves))[steps.act], s.talk[:, steps.act, steps.talk].T.copy())
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
