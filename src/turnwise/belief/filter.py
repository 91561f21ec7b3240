"""Exact filtering over a finite set of hypotheses, in log space and in nats.

Evidence is weighed, never repaired: an observation that no hypothesis allows raises, and a missing
likelihood leaves the belief where it was and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import ImpossibleObservation, UndefinedError
from turnwise.core.nouns import Belief, FloatArray

__all__ = [
    "UpdateInfo",
    "entropy",
    "expected_information_gain",
    "moved_together",
    "predict",
    "prior",
    "uniform",
    "update",
]

_SUMS_TO_ONE = 1e-9  # rounding of a few thousand additions; anything larger is not a distribution


@dataclass(frozen=True, slots=True)
class UpdateInfo:
    """What one observation did to a belief. All quantities in nats.

    Attributes
    ----------
    log_evidence : ``ln sum_h P(h) L(h)^temper``; ``None`` when nothing was observed. It is the log
        probability of the observation only for ``temper = 1``; then surprise in bits is
        ``-log_evidence / ln 2``.
    gain : ``KL(posterior || prior)`` >= 0. It is not ``entropy_before - entropy_after``, which is
        negative when evidence unsettles a firm belief.
    entropy_before, entropy_after : entropies, in [0, ln K].
    carried : true when the likelihood was missing and the belief was carried over unchanged.
    """

    log_evidence: float | None
    gain: float
    entropy_before: float
    entropy_after: float
    carried: bool = False


def _log(p: npt.ArrayLike) -> FloatArray:
    with np.errstate(divide="ignore"):  # a probability of zero is -inf, and meant
        return np.log(np.asarray(p, dtype=np.float64))


def _normalised(log_p: FloatArray) -> tuple[FloatArray, float]:
    total = float(np.logaddexp.reduce(log_p))
    return log_p - total, total


def prior(hypotheses: Sequence[str], p: npt.ArrayLike) -> Belief:
    """Return the belief that gives each hypothesis its probability.

    Keep an explicit "none of these" among the hypotheses: without it the posterior is certain of
    whichever given answer is least wrong.

    Parameters
    ----------
    hypotheses : K >= 2 distinct names.
    p : (K,) probabilities that sum to 1. They are not normalised for you: weights that do not sum
        to one are a mistake to be seen, not to be mended.

    Raises
    ------
    UndefinedError : ``not_applicable``, fewer than two hypotheses.
    ValueError : names repeat, or ``p`` is not a distribution over them.

    Examples
    --------
    >>> prior(("ready", "not ready"), [0.25, 0.75]).p.round(2).tolist()
    [0.25, 0.75]
    """
    names = tuple(hypotheses)
    if len(names) < 2:
        raise UndefinedError("not_applicable", f"a belief needs two hypotheses or more, got {len(names)}")
    if len(set(names)) < len(names):
        raise ValueError(f"hypotheses repeat: {names!r}; give each a name of its own.")
    weights = np.asarray(p, dtype=np.float64)
    if weights.shape != (len(names),):
        raise ValueError(f"p has shape {weights.shape} for {len(names)} hypotheses.")
    if not np.isfinite(weights).all() or (weights < 0).any() or abs(weights.sum() - 1.0) > _SUMS_TO_ONE:
        raise ValueError(f"p is not a distribution (it sums to {weights.sum()!r}); give probabilities that sum to 1.")
    return Belief(names, _normalised(_log(weights))[0])


def uniform(hypotheses: Sequence[str]) -> Belief:
    """Return the belief that gives K hypotheses 1/K each.

    Not "no assumption": it depends on how the hypotheses were cut.

    Raises
    ------
    UndefinedError : ``not_applicable``, fewer than two hypotheses.
    ValueError : names repeat.

    Examples
    --------
    >>> uniform(("a", "b", "c", "d")).p.tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    k = max(1, len(hypotheses))
    return prior(hypotheses, np.full(len(hypotheses), 1.0 / k))


def entropy(belief: Belief) -> float:
    """Return the Shannon entropy of a belief in nats, in [0, ln K]; 0 when it is certain.

    Divide by ``ln 2`` for bits. Low entropy is confidence, not correctness.

    References
    ----------
    Shannon (1948), Bell System Technical Journal 27, 379-423.

    Examples
    --------
    >>> round(float(entropy(uniform(("a", "b"))) / np.log(2)), 12)
    1.0
    """
    p = belief.p
    held = p > 0
    return max(0.0, -float(np.sum(p[held] * belief.log_p[held])))


def predict(belief: Belief, transition: npt.ArrayLike) -> Belief:
    """Return the belief after the hypotheses themselves may have moved (before any observation).

    ``P'(j) = sum_i P(i) T[i, j]``.

    Parameters
    ----------
    belief : over K hypotheses.
    transition : (K, K) probabilities, row = from, column = to; every row sums to 1.

    Raises
    ------
    ValueError : the matrix has another shape, or a row is not a distribution.

    Examples
    --------
    >>> b = prior(("low", "high"), [1.0, 0.0])
    >>> predict(b, [[0.9, 0.1], [0.0, 1.0]]).p.round(6).tolist()
    [0.9, 0.1]
    """
    t = np.asarray(transition, dtype=np.float64)
    k = len(belief.hypotheses)
    if t.shape != (k, k):
        raise ValueError(f"transition has shape {t.shape} for {k} hypotheses.")
    if not np.isfinite(t).all() or (t < 0).any() or (np.abs(t.sum(axis=1) - 1.0) > _SUMS_TO_ONE).any():
        raise ValueError("every row of the transition must be a distribution (row = from, column = to).")
    log_next = np.logaddexp.reduce(belief.log_p[:, None] + _log(t), axis=0)
    # Renormalising takes away rounding only: the rows were checked above.
    return Belief(belief.hypotheses, _normalised(log_next)[0])


def _checked(belief: Belief, log_likelihood: npt.ArrayLike, temper: float) -> FloatArray:
    if not 0.0 < temper <= 1.0:
        raise ValueError(f"temper is {temper!r}; it lies in (0, 1], where 1 takes the likelihood at its word.")
    likelihood = np.asarray(log_likelihood, dtype=np.float64)
    if likelihood.shape != belief.log_p.shape:
        raise ValueError(f"log_likelihood has shape {likelihood.shape} for {len(belief.hypotheses)} hypotheses.")
    if np.isposinf(likelihood).any():
        raise ValueError("a log likelihood is +inf; give ln P(observation | hypothesis).")
    return likelihood


def update(belief: Belief, log_likelihood: npt.ArrayLike | None, *, temper: float = 1.0) -> tuple[Belief, UpdateInfo]:
    """Return the posterior after one observation, and what the observation did.

    ``P(h | o) = P(h) P(o | h)^temper / sum``: exact, so conditionally independent observations may
    come in any order. It does not know that an utterance was repeated: whoever perceives must not
    hand in the same claim twice.

    Parameters
    ----------
    belief : over K hypotheses.
    log_likelihood : (K,) ``ln P(observation | hypothesis)`` up to a common constant, -inf for
        impossible. ``None``, or NaN anywhere, means that the likelihood is missing: a hypothesis
        that was not weighed cannot be compared with the others, so the belief is carried over and
        flagged.
    temper : exponent in (0, 1] for likelihoods that are not calibrated; fit it on held-apart data.

    Returns
    -------
    The posterior, normalised, and an :class:`UpdateInfo` in nats.

    Raises
    ------
    ImpossibleObservation : every hypothesis that is still held gives it probability zero.
    ValueError : wrong shape, +inf, or ``temper`` outside (0, 1].

    References
    ----------
    Gelpí, Xue, Cunningham (2025), arXiv 2507.03682: the model proposes, the code infers.

    Examples
    --------
    >>> b = prior(("a", "b", "c", "none of these"), [0.5, 0.3, 0.1, 0.1])
    >>> after, info = update(b, np.log([0.8, 0.2, 0.1, 0.25]))
    >>> after.p.round(4).tolist()
    [0.8081, 0.1212, 0.0202, 0.0505]
    >>> update(b, None)[1].carried
    True
    """
    before = entropy(belief)
    likelihood = None if log_likelihood is None else _checked(belief, log_likelihood, temper)
    if likelihood is None or np.isnan(likelihood).any():
        return belief, UpdateInfo(None, 0.0, before, before, carried=True)
    joint = belief.log_p + temper * likelihood
    if np.isneginf(joint).all():
        raise ImpossibleObservation()
    log_p, log_evidence = _normalised(joint)
    posterior = Belief(belief.hypotheses, log_p)
    held = ~np.isneginf(log_p)
    gain = float(np.sum(np.exp(log_p[held]) * (log_p[held] - belief.log_p[held])))
    return posterior, UpdateInfo(log_evidence, max(0.0, gain), before, entropy(posterior))


def moved_together(log_p: FloatArray, log_transitions: FloatArray | None, log_likelihoods: FloatArray) -> FloatArray:
    """Return the posteriors of V beliefs over K hypotheses each, ``predict`` and ``update`` done for all at once.

    The same numbers as one after the other, some ten times faster for a handful of small beliefs; checks of
    transitions are left to who made them.

    Parameters
    ----------
    log_p : (V, K) normalised. log_transitions : (V, K, K) logarithms, row = from; ``None`` where nothing moves.
    log_likelihoods : (V, K), tempered already.

    Raises
    ------
    ImpossibleObservation : in one of them every hypothesis still held gives the observation probability zero.

    Examples
    --------
    >>> b, t, seen = uniform(("a", "b")), np.array([[0.9, 0.1], [0.2, 0.8]]), np.log([0.5, 0.25])
    >>> alone = update(predict(b, t), seen)[0].log_p
    >>> moved_together(b.log_p[None], np.log(t)[None], seen[None])[0].tolist() == alone.tolist()
    True
    """
    if log_transitions is not None:
        log_p = np.logaddexp.reduce(log_p[:, :, None] + log_transitions, axis=1)
        log_p = log_p - np.logaddexp.reduce(log_p, axis=1, keepdims=True)
    joint = log_p + log_likelihoods
    if np.isneginf(joint).all(axis=1).any():
        raise ImpossibleObservation()
    return np.asarray(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))


def expected_information_gain(belief: Belief, log_likelihood_by_observation: npt.ArrayLike) -> float:
    """Return how much a question is expected to teach, in nats: the mutual information of H and O.

    ``sum_o P(o) KL(P(h | o) || P(h))``; 0 <= gain <= entropy of the belief (and <= ln O). Not the
    worth of a question: what it costs to ask is the asker's business.

    Parameters
    ----------
    belief : over K hypotheses.
    log_likelihood_by_observation : (O, K) ``ln P(o | h)`` of all O possible answers; for each
        hypothesis the probabilities of the answers sum to 1.

    Raises
    ------
    ValueError : wrong shape, NaN, or the answers do not add up to one.

    References
    ----------
    Lindley (1956), Annals of Mathematical Statistics 27, 986-1005.

    Examples
    --------
    >>> b = uniform(("yes", "no"))
    >>> with np.errstate(divide="ignore"):
    ...     settles = np.log([[1.0, 0.0], [0.0, 1.0]])
    >>> expected_information_gain(b, settles) == entropy(b)
    True
    """
    log_l = np.asarray(log_likelihood_by_observation, dtype=np.float64)
    if log_l.ndim != 2 or log_l.shape[0] < 1 or log_l.shape[1] != len(belief.hypotheses):
        raise ValueError(f"the likelihoods have shape {log_l.shape}, expected (observations, {len(belief.p)}).")
    if np.isnan(log_l).any() or (np.abs(np.exp(log_l).sum(axis=0) - 1.0) > _SUMS_TO_ONE).any():
        raise ValueError("for each hypothesis the probabilities of the answers must sum to 1.")
    log_joint = log_l + belief.log_p
    log_marginal = np.logaddexp.reduce(log_joint, axis=1)
    possible = ~np.isneginf(log_joint)
    ratio = np.where(possible, log_l - np.where(np.isneginf(log_marginal), 0.0, log_marginal)[:, None], 0.0)
    gain = float(np.sum(np.where(possible, np.exp(log_joint), 0.0) * np.where(possible, ratio, 0.0)))
    # Both bounds hold exactly; only rounding can cross them.
    return min(max(gain, 0.0), entropy(belief))
