"""A hidden state that moves under known acts: filtering, smoothing and expected counts, in log space.

A hidden Markov model whose transition may depend on what somebody did before each step (an
input-output HMM; Bengio & Frasconi 1995). With one act it is the ordinary one. Fitting is a loop of
``expected_counts`` and normalising (Baum-Welch), and belongs to whoever has the data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import ImpossibleObservation
from turnwise.core.nouns import FloatArray

__all__ = ["Chain", "Counts", "Filtered", "expected_counts", "filtered", "smoothed"]

_SUMS_TO_ONE = 1e-6
_IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """How the hidden state starts and moves.

    Attributes
    ----------
    initial : (K,) probabilities of the state at the first observation.
    transitions : (A, K, K) probabilities by act; row = from, column = to.

    Raises
    ------
    ValueError : wrong shape, or a row that is not a distribution.
    """

    initial: FloatArray
    transitions: FloatArray

    def __post_init__(self) -> None:
        pi, t = self.initial, self.transitions
        if pi.ndim != 1 or t.ndim != 3 or t.shape[0] < 1 or t.shape[1:] != (len(pi), len(pi)):
            raise ValueError(f"initial {pi.shape} and transitions {t.shape} do not fit: (K,) and (acts, K, K).")
        for rows in (pi[None], t):
            if not np.isfinite(rows).all() or (rows < 0).any() or not np.allclose(rows.sum(-1), 1.0, 0, _SUMS_TO_ONE):
                raise ValueError("every row of the chain must be a distribution.")


@dataclass(frozen=True, slots=True, eq=False)
class Filtered:
    """What was known at each of T steps, in natural log.

    Attributes
    ----------
    log_before : (T, K) ``ln P(state_t | o_1..t-1, acts)``: what a forecast rests on.
    log_after : (T, K) ``ln P(state_t | o_1..t, acts)``.
    log_evidence : (T,) ``ln P(o_t | o_1..t-1, acts)`` where the likelihoods were untempered; their sum is
        the log probability of the sequence.
    """

    log_before: FloatArray
    log_after: FloatArray
    log_evidence: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Expected counts of one sequence, given all of it.

    Attributes
    ----------
    state : (T, K) ``P(state_t | o_1..T)``.
    moves : (A, K, K) expected number of moves by act.
    log_evidence : log probability of the sequence.
    """

    state: FloatArray
    moves: FloatArray
    log_evidence: float


def _checked(
    chain: Chain, log_likelihood: npt.ArrayLike, acts: npt.ArrayLike, temper: float
) -> tuple[FloatArray, _IntArray]:
    if not 0.0 < temper <= 1.0:
        raise ValueError(f"temper is {temper!r}; it lies in (0, 1], where 1 takes the likelihood at its word.")
    log_l = np.asarray(log_likelihood, dtype=np.float64)
    done = np.asarray(acts, dtype=np.int64)
    if log_l.ndim != 2 or log_l.shape[1] != len(chain.initial) or len(log_l) < 1:
        raise ValueError(f"log_likelihood has shape {log_l.shape}, expected (steps, {len(chain.initial)}).")
    if done.shape != (len(log_l),) or not ((done[1:] >= 0) & (done[1:] < len(chain.transitions))).all():
        raise ValueError(f"acts must be {len(log_l)} numbers below {len(chain.transitions)}, one before each step.")
    if np.isposinf(log_l).any():
        raise ValueError("a log likelihood is +inf; give ln P(observation | state).")
    missing: npt.NDArray[np.bool_] = np.asarray(np.isnan(log_l).any(axis=1))
    return np.where(missing[:, None], 0.0, temper * np.nan_to_num(log_l, nan=0.0, neginf=-np.inf)), done


def _step(log_p: FloatArray, log_t: FloatArray) -> FloatArray:
    return np.asarray(np.logaddexp.reduce(log_p[:, None] + log_t, axis=0), dtype=np.float64)


def _logs(chain: Chain) -> tuple[FloatArray, FloatArray]:
    with np.errstate(divide="ignore"):  # a probability of zero is -inf, and meant
        return np.log(chain.initial), np.log(chain.transitions)


def filtered(chain: Chain, log_likelihood: npt.ArrayLike, acts: npt.ArrayLike, *, temper: float = 1.0) -> Filtered:
    """Return what is known at each step from the past alone; the same as ``predict`` and ``update`` in turn.

    Parameters
    ----------
    chain : over K states.
    log_likelihood : (T, K) ``ln P(o_t | state)``; a row with NaN is missing and leaves the belief as it is.
    acts : (T,) what was done between the step before and this one; the first is not used.
    temper : exponent in (0, 1] on every likelihood.

    Raises
    ------
    ImpossibleObservation : at some step no state that is still held allows the observation.
    ValueError : shapes or acts that do not fit, +inf, or ``temper`` outside (0, 1].

    References
    ----------
    Rabiner (1989), Proceedings of the IEEE 77, 257-286; Bengio & Frasconi (1995), NIPS 7.

    Examples
    --------
    >>> sticky = Chain(np.array([0.5, 0.5]), np.array([[[0.9, 0.1], [0.1, 0.9]]]))
    >>> seen = filtered(sticky, np.log([[0.8, 0.2], [0.8, 0.2]]), [0, 0])
    >>> np.exp(seen.log_before[1]).round(3).tolist()
    [0.74, 0.26]
    """
    log_l, done = _checked(chain, log_likelihood, acts, temper)
    log_pi, log_t = _logs(chain)
    before, after, evidence = np.empty_like(log_l), np.empty_like(log_l), np.empty(len(log_l))
    for t, row in enumerate(log_l):
        before[t] = log_pi if t == 0 else _step(after[t - 1], log_t[done[t]])
        joint = before[t] + row
        evidence[t] = np.logaddexp.reduce(joint)
        if np.isneginf(evidence[t]):
            raise ImpossibleObservation(f"every state gives observation {t} probability zero")
        after[t] = joint - evidence[t]
    return Filtered(before, after, evidence)


def smoothed(chain: Chain, log_likelihood: npt.ArrayLike, acts: npt.ArrayLike) -> Counts:
    """Return what is known of each step from the whole sequence: later evidence counts too.

    For looking back, and for fitting. Never for a forecast: it has seen the answer.

    Parameters and errors are those of :func:`filtered`, untempered.

    Examples
    --------
    >>> sticky = Chain(np.array([0.5, 0.5]), np.array([[[0.9, 0.1], [0.1, 0.9]]]))
    >>> counts = smoothed(sticky, np.log([[0.5, 0.5], [0.8, 0.2]]), [0, 0])
    >>> counts.state[0].round(3).tolist(), round(float(counts.moves.sum()), 9)
    ([0.74, 0.26], 1.0)
    """
    log_l, done = _checked(chain, log_likelihood, acts, 1.0)
    seen = filtered(chain, log_l, done)
    _, log_t = _logs(chain)
    later = np.zeros_like(log_l)
    moves = np.zeros_like(chain.transitions)
    for t in range(len(log_l) - 1, 0, -1):
        ahead = log_l[t] + later[t] - seen.log_evidence[t]
        later[t - 1] = np.logaddexp.reduce(log_t[done[t]] + ahead[None, :], axis=1)
        moves[done[t]] += np.exp(seen.log_after[t - 1][:, None] + log_t[done[t]] + ahead[None, :])
    state = np.exp(seen.log_after + later)
    return Counts(state / state.sum(axis=1, keepdims=True), moves, float(seen.log_evidence.sum()))


def expected_counts(
    chain: Chain, sequences: Iterable[tuple[FloatArray, _IntArray]]
) -> tuple[FloatArray, FloatArray, list[FloatArray], float]:
    """Return the expectation step over many sequences: starts (K,), moves (A, K, K), states of each, log evidence.

    Dividing starts and moves by their sums gives the next chain; the states weigh whatever emits.

    Parameters
    ----------
    chain : the present one.
    sequences : pairs of log likelihoods (T, K) and acts (T,).
    """
    starts, moves = np.zeros_like(chain.initial), np.zeros_like(chain.transitions)
    states: list[FloatArray] = []
    total = 0.0
    for log_likelihood, acts in sequences:
        counts = smoothed(chain, log_likelihood, acts)
        starts += counts.state[0]
        moves += counts.moves
        states.append(counts.state)
        total += counts.log_evidence
    return starts, moves, states, total
