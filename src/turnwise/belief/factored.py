"""Beliefs over several variables at once: one factor each, joint evidence weighed exactly, then projected.

An observation may bear on several variables together. Its update is exact on the product of those
variables and is then projected back on the product of their marginals (assumed-density filtering).
Every update says, in nats, how much dependence the projection threw away; evidence about a single
variable throws away none. Small products can be filtered exactly instead (``joint``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt

from turnwise.belief.filter import UpdateInfo, entropy, predict, update
from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import Belief, FloatArray

__all__ = [
    "MOST_STATES",
    "Factored",
    "FactoredInfo",
    "expected_gain_about",
    "factored_entropy",
    "joint",
    "predict_factors",
    "predict_given",
    "project",
    "update_about",
]

MOST_STATES = 100_000
"""Largest product that is enumerated; beyond it an observation bears on too many variables at once."""
_SUMS_TO_ONE = 1e-9


@dataclass(frozen=True, slots=True)
class Factored:
    """A belief over several variables that are held to be independent of one another.

    Attributes
    ----------
    factors : the belief about each variable, by name, in order. Independence is an assumption of the
        representation, not of the world: see ``FactoredInfo.lost``.

    Raises
    ------
    UndefinedError : ``not_applicable``, no variable at all.
    """

    factors: Mapping[str, Belief]

    def __post_init__(self) -> None:
        if not self.factors:
            raise UndefinedError("not_applicable", "a factored belief needs one variable or more, got none")

    def __getitem__(self, variable: str) -> Belief:
        """Return the marginal belief about one variable."""
        if variable not in self.factors:
            raise ValueError(f"no variable {variable!r} among {', '.join(self.factors)}.")
        return self.factors[variable]


@dataclass(frozen=True, slots=True)
class FactoredInfo:
    """What one joint observation did to a factored belief. All quantities in nats.

    Attributes
    ----------
    about : of the variables that the observation bears on, jointly (exact).
    lost : total correlation of their exact posterior, ``sum_v H(v) - H(all)`` >= 0: what the
        projection on independent factors forgets. Its sum over time is *not* the error of the
        marginals, which the next transitions contract (Boyen & Koller 1998).
    """

    about: UpdateInfo
    lost: float


def factored_entropy(belief: Factored, variables: Sequence[str] | None = None) -> float:
    """Return the entropy of the named variables (all of them by default), in nats: a sum over factors.

    Examples
    --------
    >>> from turnwise.belief.filter import uniform
    >>> two = Factored({"mood": uniform(("low", "high")), "trust": uniform(("a", "b", "c", "d"))})
    >>> round(factored_entropy(two) / float(np.log(2)), 9)
    3.0
    """
    return float(sum(entropy(belief[v]) for v in (belief.factors if variables is None else variables)))


def _shape(belief: Factored, about: Sequence[str]) -> tuple[int, ...]:
    if not about or len(set(about)) < len(about):
        raise ValueError(f"name one variable or more, each once; got {tuple(about)!r}.")
    shape = tuple(len(belief[v].hypotheses) for v in about)
    if prod(shape) > MOST_STATES:
        raise ValueError(f"{' x '.join(about)} has {prod(shape):,} states, more than {MOST_STATES:,}; name fewer.")
    return shape


def joint(belief: Factored, about: Sequence[str] | None = None) -> Belief:
    """Return the exact product of the named factors (all by default) as one belief.

    Its hypotheses are named ``"a & b"``, the last variable varying fastest. From here on
    ``filter.predict`` and ``filter.update`` are exact; the cost is the product of the sizes.

    Raises
    ------
    ValueError : a variable is unknown or named twice, or the product exceeds ``MOST_STATES``.

    Examples
    --------
    >>> from turnwise.belief.filter import prior
    >>> both = joint(Factored({"x": prior(("a", "b"), [0.5, 0.5]), "y": prior(("c", "d"), [0.25, 0.75])}))
    >>> both.hypotheses[1], float(both.p[1].round(9))
    ('a & d', 0.375)
    """
    names = tuple(belief.factors) if about is None else tuple(about)
    shape = _shape(belief, names)
    log_p = np.zeros(shape)
    for axis, name in enumerate(names):
        log_p = log_p + _along(belief[name].log_p, axis, len(names))
    named = tuple(" & ".join(h) for h in product(*(belief[v].hypotheses for v in names)))
    return Belief(named, log_p.reshape(-1))


def _along(values: FloatArray, axis: int, dims: int) -> FloatArray:
    return values.reshape([-1 if d == axis else 1 for d in range(dims)])


def _log_sum(x: FloatArray, axes: tuple[int, ...]) -> FloatArray:
    """Log of the sum over ``axes``; all -inf stays -inf."""
    if not axes:
        return x
    top = np.max(x, axis=axes, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        summed = np.log(np.sum(np.exp(x - top), axis=axes, keepdims=True)) + top
    return np.asarray(np.squeeze(summed, axis=axes), dtype=np.float64)


def _entropy_of(log_p: FloatArray) -> float:
    p = np.exp(log_p)
    held = p > 0
    return max(0.0, -float(np.sum(p[held] * log_p[held])))


def project(belief: Factored, about: Sequence[str], log_p: npt.ArrayLike) -> tuple[Factored, float]:
    """Return the belief whose factors are the marginals of a joint over ``about``, and what that loses.

    Of all products of factors this one is nearest to the joint in ``KL(joint || product)``; that
    divergence is the second value, in nats (the total correlation; Watanabe 1960).

    Parameters
    ----------
    belief : gives the other variables, which stay as they are.
    about : variables of the joint, in the order of its axes.
    log_p : the joint's log probabilities, flat or of shape ``(K_1, ..., K_n)``, summing to one.

    Raises
    ------
    ValueError : unknown or repeated variables, another size, or not a distribution.
    """
    shape = _shape(belief, about)
    table = np.asarray(log_p, dtype=np.float64)
    if table.size != prod(shape):
        raise ValueError(f"the joint has {table.size} entries, {' x '.join(about)} has {prod(shape)}.")
    table = table.reshape(shape)
    if np.isnan(table).any() or abs(float(np.exp(table).sum()) - 1.0) > _SUMS_TO_ONE:
        raise ValueError("the joint is not a distribution; give log probabilities that sum to one.")
    factors, total = dict(belief.factors), 0.0
    for axis, name in enumerate(about):
        marginal = _log_sum(table, tuple(d for d in range(len(shape)) if d != axis))
        factors[name] = Belief(belief[name].hypotheses, marginal - _log_sum(marginal, (0,)))
        total += _entropy_of(factors[name].log_p)
    return Factored(factors), max(0.0, total - _entropy_of(table)) if len(shape) > 1 else 0.0


def predict_factors(belief: Factored, transitions: Mapping[str, npt.ArrayLike]) -> Factored:
    """Return the belief after each named variable may have moved by itself; exact, nothing is lost.

    Parameters
    ----------
    belief : over several variables.
    transitions : (K, K) by variable, row = from, column = to; variables not named stay.

    Raises
    ------
    ValueError : unknown variable, wrong shape, or a row that is not a distribution.
    """
    moved = {name: predict(belief[name], t) for name, t in transitions.items()}
    return Factored({name: moved.get(name, held) for name, held in belief.factors.items()})


def predict_given(
    belief: Factored, variable: str, given: Sequence[str], transition: npt.ArrayLike
) -> tuple[Factored, float]:
    """Return the belief after one variable moved in a way that depends on others, and what was lost.

    ``P'(v = j) = sum_g,i P(g) P(v = i) T[g, i, j]``: the new marginal is exact for the factors handed
    in; its dependence on ``given`` is forgotten, and measured.

    Parameters
    ----------
    belief : over several variables.
    variable : the one that moves.
    given : variables that it depends on, in the order of the leading axes.
    transition : ``(K_given..., K, K)``; every last row a distribution.

    Raises
    ------
    ValueError : unknown or repeated variables, wrong shape, or a row that is not a distribution.
    """
    shape = _shape(belief, (*given, variable))
    t = np.asarray(transition, dtype=np.float64)
    if t.shape != (*shape, shape[-1]):
        raise ValueError(f"transition has shape {t.shape}, expected {(*shape, shape[-1])}.")
    if not np.isfinite(t).all() or (t < 0).any() or (np.abs(t.sum(axis=-1) - 1.0) > _SUMS_TO_ONE).any():
        raise ValueError("every last row of the transition must be a distribution (row = from, column = to).")
    with np.errstate(divide="ignore"):
        log_t = np.log(t)
    log_p = joint(belief, (*given, variable)).log_p.reshape(shape)
    after = _log_sum(log_p[..., None] + log_t, (len(given),))
    return project(belief, (*given, variable), after - _log_sum(after, tuple(range(after.ndim))))


def update_about(
    belief: Factored, about: Sequence[str], log_likelihood: npt.ArrayLike | None, *, temper: float = 1.0
) -> tuple[Factored, FactoredInfo]:
    """Return the posterior after one observation that bears on the named variables together.

    Exact on their product, then projected on its marginals. Variables that are not named stay.
    Measured on random models (3 variables of 3 states, 20 steps, ``tools/belief_error.py``; figures
    in ``docs/tracker.json``) the marginals stay near the exact ones; the more the observations couple
    the variables and the slower these move, the less near.

    Parameters
    ----------
    belief : over several variables.
    about : the variables that the observation bears on, in the order of the axes.
    log_likelihood : ``(K_1, ..., K_n)`` ``ln P(observation | values)`` up to a constant. ``None`` or NaN
        anywhere: missing, the belief is carried over and flagged.
    temper : exponent in (0, 1].

    Raises
    ------
    ImpossibleObservation : every combination that is still held gives it probability zero.
    ValueError : unknown or repeated variables, wrong shape, +inf, or ``temper`` outside (0, 1].

    References
    ----------
    Boyen & Koller (1998), Tractable inference for complex stochastic processes, UAI, 33-42.

    Examples
    --------
    >>> from turnwise.belief.filter import uniform
    >>> two = Factored({"x": uniform(("a", "b")), "y": uniform(("a", "b"))})
    >>> after, info = update_about(two, ("x", "y"), np.log([[0.9, 0.1], [0.1, 0.9]]))
    >>> after["x"].p.round(9).tolist(), round(info.lost, 4)  # alike: says nothing of either alone
    ([0.5, 0.5], 0.3681)
    """
    shape = _shape(belief, about)
    if log_likelihood is not None and np.shape(log_likelihood) != shape:
        raise ValueError(f"log_likelihood has shape {np.shape(log_likelihood)}, expected {shape}.")
    flat = None if log_likelihood is None else np.asarray(log_likelihood, dtype=np.float64).reshape(-1)
    after, info = update(joint(belief, about), flat, temper=temper)
    if info.carried:
        return belief, FactoredInfo(info, 0.0)
    projected, lost = project(belief, about, after.log_p)
    return projected, FactoredInfo(info, lost)


def expected_gain_about(
    belief: Factored, about: Sequence[str], log_likelihood_by_observation: npt.ArrayLike, chosen: Sequence[str]
) -> float:
    """Return what an observation is expected to teach about the chosen variables, in nats.

    The mutual information of the chosen variables and the observation, the others summed out;
    0 <= gain <= entropy of the chosen. It is not the sum of the gains about each of them.

    Parameters
    ----------
    belief : over several variables.
    about : variables that the observation depends on, in the order of the axes after the first.
    log_likelihood_by_observation : ``(O, K_1, ..., K_n)`` ``ln P(o | values)``; for each combination the
        probabilities of the O observations sum to one.
    chosen : some or all of ``about``; a variable outside it is not taught about, and refused.

    Raises
    ------
    ValueError : unknown variables, ``chosen`` outside ``about``, wrong shape, or likelihoods that do not sum to one.

    References
    ----------
    Lindley (1956), Annals of Mathematical Statistics 27, 986-1005.

    Examples
    --------
    >>> from turnwise.belief.filter import uniform
    >>> two = Factored({"x": uniform(("a", "b")), "y": uniform(("a", "b"))})
    >>> with np.errstate(divide="ignore"):
    ...     alike = np.log([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    >>> expected_gain_about(two, ("x", "y"), alike, ("x",))
    0.0
    >>> round(expected_gain_about(two, ("x", "y"), alike, ("x", "y")) / float(np.log(2)), 9)
    1.0
    """
    shape = _shape(belief, about)
    if not chosen or not set(chosen) <= set(about) or len(set(chosen)) < len(chosen):
        raise ValueError(f"chosen {tuple(chosen)!r} must be among {tuple(about)!r}, each once.")
    log_l = np.asarray(log_likelihood_by_observation, dtype=np.float64)
    if log_l.ndim != len(shape) + 1 or log_l.shape[1:] != shape or log_l.shape[0] < 1:
        raise ValueError(f"the likelihoods have shape {log_l.shape}, expected (observations, {shape}).")
    if np.isnan(log_l).any() or (np.abs(np.exp(log_l).sum(axis=0) - 1.0) > _SUMS_TO_ONE).any():
        raise ValueError("for each combination the probabilities of the observations must sum to 1.")
    table = log_l + joint(belief, about).log_p.reshape(shape)
    table = _log_sum(table, tuple(1 + i for i, name in enumerate(about) if name not in chosen))
    held = factored_entropy(belief, chosen)
    heard = _entropy_of(_log_sum(table, tuple(range(1, table.ndim))))
    # Both bounds hold exactly; only rounding can cross them.
    gain = held + heard - _entropy_of(table)
    return min(max(0.0 if abs(gain) < 1e-12 else gain, 0.0), held)
