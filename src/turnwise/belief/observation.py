"""Observation models learnt from labelled examples: smoothed tables, and how far to trust them.

Counts become ``ln P(observation | hypothesis)`` with a Dirichlet prior, so that what was never seen
stays possible; "none of these" gets a likelihood of its own, broader than any hypothesis'; and one
exponent (the temper) is fitted on held-apart data, because signs that come together are counted as if
they came apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.belief.chain import Chain, filtered
from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import FloatArray

__all__ = [
    "NONE_OF_THESE",
    "Table",
    "Temper",
    "evidence_of",
    "fit_temper",
    "fit_temper_in_time",
    "table_from_counts",
    "table_from_document",
]

NONE_OF_THESE = "none_of_these"
_LEAST = 0.01  # a temper below this says that the likelihoods carry nothing; zero would not be a temper
_SUMS_TO_ONE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """``ln P(outcome | hypothesis)`` of one kind of observation.

    Attributes
    ----------
    hypotheses : K names.
    outcomes : O names; every observation is one of them, or missing.
    log_p : (K, O); each row a distribution.

    Raises
    ------
    ValueError : names repeat, wrong shape, or a row that is not a distribution.
    """

    hypotheses: tuple[str, ...]
    outcomes: tuple[str, ...]
    log_p: FloatArray

    def __post_init__(self) -> None:
        for names in (self.hypotheses, self.outcomes):
            if len(set(names)) < len(names):
                raise ValueError(f"names repeat: {names!r}; give each a name of its own.")
        if self.log_p.shape != (len(self.hypotheses), len(self.outcomes)) or self.log_p.size == 0:
            raise ValueError(f"log_p has shape {self.log_p.shape}, expected (hypotheses, outcomes).")
        sums = np.exp(self.log_p).sum(axis=1)
        if np.isnan(self.log_p).any() or (np.abs(sums - 1.0) > _SUMS_TO_ONE).any():
            raise ValueError("every row of a table must be a distribution over its outcomes.")

    def log_likelihood(self, outcome: str | None) -> FloatArray:
        """Return ``ln P(outcome | hypothesis)``, (K,); zeros, which say nothing, where it is missing.

        Raises
        ------
        ValueError : the outcome is not one of the table's.
        """
        if outcome is None:
            return np.zeros(len(self.hypotheses))
        if outcome not in self.outcomes:
            raise ValueError(f"no outcome {outcome!r}; expected one of {', '.join(self.outcomes)}, or None.")
        return np.asarray(self.log_p[:, self.outcomes.index(outcome)], dtype=np.float64)

    def soft(self, p: npt.ArrayLike) -> FloatArray:
        """Return the log likelihood of an outcome that was read with uncertainty, (K,).

        ``ln sum_o P(o | h) q(o)`` for ``q`` proportional to ``P(text | o)``. A classifier's posterior is
        not that: divide it by the class frequencies it was trained with first.

        Parameters
        ----------
        p : (O,) non-negative weights, not all zero.

        Raises
        ------
        ValueError : wrong shape, negative, or all zero.
        """
        q = np.asarray(p, dtype=np.float64)
        if q.shape != (len(self.outcomes),) or not np.isfinite(q).all() or (q < 0).any() or q.sum() <= 0:
            raise ValueError(f"p must be {len(self.outcomes)} weights, none negative and not all zero.")
        return np.asarray(np.log(np.exp(self.log_p) @ (q / q.sum())), dtype=np.float64)

    def document(self) -> dict[str, Any]:
        """Return the table as plain data, for a file."""
        p = [[round(float(x), 6) for x in row] for row in np.exp(self.log_p)]
        return {"hypotheses": list(self.hypotheses), "outcomes": list(self.outcomes), "p": p}


def table_from_document(document: Mapping[str, Any]) -> Table:
    """Return the table that ``Table.document`` wrote, rows normalised again after rounding.

    Raises
    ------
    ValueError : it is not such a document.
    """
    try:
        names = tuple(map(str, document["hypotheses"])), tuple(map(str, document["outcomes"]))
        p = np.asarray(document["p"], dtype=np.float64)
    except (KeyError, TypeError) as e:
        raise ValueError(f"not a table: {type(e).__name__} at {e}; expected hypotheses, outcomes and p.") from e
    if p.ndim != 2 or (p < 0).any() or (np.abs(p.sum(axis=1) - 1.0) > 1e-4).any():
        raise ValueError("every row of a table must be a distribution over its outcomes.")
    with np.errstate(divide="ignore"):
        return Table(*names, np.log(p / p.sum(axis=1, keepdims=True)))


def table_from_counts(
    hypotheses: Sequence[str],
    outcomes: Sequence[str],
    counts: npt.ArrayLike,
    *,
    strength: float = 1.0,
    breadth: float | None = 1.0,
) -> Table:
    """Return the posterior mean of P(outcome | hypothesis) under a Dirichlet prior, from counts.

    The prior of each row is ``strength`` pseudo-observations spread as the outcomes are overall (one
    added to each, so that none is zero): a hypothesis that was seen rarely looks like everybody.

    Parameters
    ----------
    hypotheses : K names, without "none of these".
    outcomes : O names.
    counts : (K, O), non-negative, fractions allowed (expected counts of an EM step, soft labels).
    strength : pseudo-observations, > 0.
    breadth : of the added hypothesis ``none_of_these``: 1 is uniform (all it says is that something was
        observed), 0 the overall frequencies; between, a mixture. ``None`` adds none, for tables of
        hypotheses that are exhaustive by construction.

    Raises
    ------
    UndefinedError : ``no_denominator``, nothing was counted.
    ValueError : wrong shape, negative counts, ``strength`` not above 0, ``breadth`` outside [0, 1].

    Examples
    --------
    >>> t = table_from_counts(("ready", "not ready"), ("yes", "no"), [[8, 2], [1, 9]], strength=2.0)
    >>> np.exp(t.log_p).round(3).tolist()
    [[0.742, 0.258], [0.159, 0.841], [0.5, 0.5]]
    """
    n = np.asarray(counts, dtype=np.float64)
    if n.shape != (len(hypotheses), len(outcomes)):
        raise ValueError(f"counts have shape {n.shape}, expected ({len(hypotheses)}, {len(outcomes)}).")
    if not np.isfinite(n).all() or (n < 0).any():
        raise ValueError("counts must be finite and not negative.")
    if not strength > 0 or (breadth is not None and not 0.0 <= breadth <= 1.0):
        raise ValueError(f"strength {strength!r} must be above 0, and breadth {breadth!r} in [0, 1] or None.")
    if n.sum() == 0:
        raise UndefinedError("no_denominator", "nothing was counted: there is no table to learn")
    overall = (n.sum(axis=0) + 1.0) / (n.sum() + n.shape[1])
    p = (n + strength * overall) / (n.sum(axis=1, keepdims=True) + strength)
    names = tuple(hypotheses)
    if breadth is not None:
        names = (*names, NONE_OF_THESE)
        p = np.vstack([p, breadth / n.shape[1] + (1.0 - breadth) * overall])
    return Table(names, tuple(outcomes), np.log(p))


def evidence_of(tables: Mapping[str, Table], seen: Mapping[str, str | None]) -> FloatArray:
    """Return the joint log likelihood of several observations, (K,), as if independent given the hypothesis.

    They seldom are: temper what comes out. A kind of observation that was not made says nothing.

    Parameters
    ----------
    tables : by kind of observation, all over the same hypotheses in the same order.
    seen : outcome by kind; ``None`` or absent is missing.

    Raises
    ------
    ValueError : no tables, other hypotheses, an unknown kind or an unknown outcome.

    Examples
    --------
    >>> t = table_from_counts(("a", "b"), ("yes", "no"), [[9, 1], [1, 9]], breadth=None)
    >>> evidence_of({"first": t, "second": t}, {"first": "yes"}).tolist() == t.log_likelihood("yes").tolist()
    True
    """
    first = next(iter(tables.values()), None)
    if first is None or any(t.hypotheses != first.hypotheses for t in tables.values()):
        raise ValueError("give one table or more, all over the same hypotheses in the same order.")
    if unknown := set(seen) - set(tables):
        raise ValueError(f"no table for {', '.join(sorted(unknown))}; there are {', '.join(tables)}.")
    # In the order of the tables, so that the sum is the same number however a turn was read.
    told = [t.log_likelihood(x) for kind, t in tables.items() if (x := seen.get(kind)) is not None]
    return np.asarray(sum(told, start=first.log_likelihood(None)), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Temper:
    """An exponent for likelihoods, and what it is worth on the data that it was fitted on.

    Attributes
    ----------
    value : in [0.01, 1].
    loss, loss_untempered : mean ``-ln P(truth)`` with it and with 1, in nats; the first is not larger.
    n : judged steps.
    """

    value: float
    loss: float
    loss_untempered: float
    n: int


def _best(loss: Callable[[float], float], n: int) -> Temper:
    from scipy.optimize import minimize_scalar

    if n == 0:
        raise UndefinedError("no_denominator", "no step has a known truth: there is nothing to fit a temper on")
    untempered = loss(1.0)
    found = minimize_scalar(loss, bounds=(_LEAST, 1.0), method="bounded", options={"xatol": 1e-5})
    if not np.isfinite(found.fun) or float(found.fun) >= untempered:
        return Temper(1.0, untempered, untempered, n)
    return Temper(float(found.x), float(found.fun), untempered, n)


def fit_temper(log_prior: npt.ArrayLike, log_likelihood: npt.ArrayLike, truth: Sequence[int]) -> Temper:
    """Return the temper that makes posteriors over hypotheses that stay put best calibrated (least log loss).

    The posterior is ``P(h) L(h)^temper / sum`` with ``L`` all evidence of a case together; the loss is
    convex in the temper. Fit it on cases that the likelihoods were not learnt from.

    Parameters
    ----------
    log_prior : (K,) or (N, K) before the evidence.
    log_likelihood : (N, K), summed over a case's observations; rows with NaN are missing and not judged.
    truth : (N,) index of the hypothesis that held; -1 where it is not known.

    Raises
    ------
    UndefinedError : ``no_denominator``, no case can be judged.
    ValueError : shapes that do not fit, or an index outside the hypotheses.

    References
    ----------
    Guo et al. (2017), ICML (temperature scaling); Gelpí, Xue & Cunningham (2025), arXiv 2507.03682.

    Examples
    --------
    >>> over_sure = np.log([[0.99, 0.01]] * 8 + [[0.01, 0.99]] * 2)
    >>> found = fit_temper(np.log([0.5, 0.5]), over_sure, [0] * 10)  # right in 8 of 10, sure in all
    >>> round(found.value, 2), found.loss < found.loss_untempered
    (0.3, True)
    """
    log_l, held = np.asarray(log_likelihood, dtype=np.float64), np.asarray(truth, dtype=np.int64)
    if log_l.ndim != 2 or held.shape != log_l.shape[:1] or held.max(initial=-1) >= log_l.shape[1]:
        raise ValueError(f"truth {held.shape} does not fit log_likelihood {log_l.shape}.")
    start = np.broadcast_to(np.asarray(log_prior, dtype=np.float64), log_l.shape)
    judged = (held >= 0) & ~np.isnan(log_l).any(axis=1)
    start, log_l, held = start[judged], log_l[judged], held[judged]

    def loss(temper: float) -> float:
        joint = start + temper * log_l
        kept = joint[np.arange(len(held)), held] - np.logaddexp.reduce(joint, axis=1)
        return -float(np.mean(kept))

    return _best(loss, len(held))


def fit_temper_in_time(
    chain: Chain,
    sequences: Sequence[tuple[npt.ArrayLike, npt.ArrayLike, Sequence[int]]],
    *,
    untempered: Sequence[npt.ArrayLike] | None = None,
) -> Temper:
    """Return the temper under which the filter gives the states that held the least log loss.

    As :func:`fit_temper`, for a state that moves: each step's posterior rests on all evidence so far,
    every piece of it tempered. The loss need not be convex; the best found in [0.01, 1] is returned, and
    never one that is worse than no temper.

    Parameters
    ----------
    chain : how the state moves.
    sequences : for each, log likelihoods (T, K), acts (T,) and true states (T,), -1 where not known.
    untempered : for each, further log likelihoods (T, K) that are taken as they are: of signs that come alone.

    Raises
    ------
    UndefinedError : ``no_denominator``, no step has a known truth.
    ImpossibleObservation, ValueError : as :func:`turnwise.belief.chain.filtered`.
    """
    held = [np.asarray(truth, dtype=np.int64) for *_, truth in sequences]
    n = sum(int((h >= 0).sum()) for h in held)

    asked = [0.0 for _ in sequences] if untempered is None else untempered
    plain = [np.asarray(x, dtype=np.float64) for x in asked]

    def loss(temper: float) -> float:
        total = 0.0
        for (log_l, acts, _), truth, as_is in zip(sequences, held, plain, strict=True):
            tempered = temper * np.asarray(log_l, dtype=np.float64) + as_is
            after = filtered(chain, tempered, acts).log_after
            judged = truth >= 0
            total -= float(after[judged, truth[judged]].sum())
        return total / n

    return _best(loss, n)
