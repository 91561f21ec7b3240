"""How much of a score's variance each crossed factor carries: therapist, patient, simulator, rater, seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.special import chdtri

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.stats.bootstrap import LEVEL, cluster_codes

__all__ = ["RESIDUAL", "Component", "Split", "variance_split"]

RESIDUAL = "residual"
_METHOD = "Henderson's method 1"
_SINGULAR = 1e-9  # relative; below it two factors cannot be told apart
_BLOCK = 1 << 20  # simulated scores held at once

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Component:
    """One factor of a split.

    Attributes
    ----------
    name : of the factor; ``"a:b"`` for an interaction, ``"residual"`` for what is left.
    levels : how many there are (rows, for the residual).
    variance : in squared units of the score, at least 0: a negative estimate is set to 0, and
        ``detail`` says so.
    share : of the sum of all variances, in [0, 1], without an interval.
    raw : the estimate before it was set to 0; ``None`` where undefined. Means over many studies
        are to be taken of this one.
    """

    name: str
    levels: int
    variance: Estimate
    share: Estimate
    raw: float | None


@dataclass(frozen=True, slots=True)
class Split:
    """The components of a score, factors as given, then interactions, then the residual; and their sum."""

    parts: tuple[Component, ...]
    total: Estimate

    def __getitem__(self, name: str) -> Component:
        """Return the component of that name."""
        return next(c for c in self.parts if c.name == name)


@dataclass(frozen=True, slots=True)
class _Design:
    """Which level of which term each row has, and the moment equations of that table."""

    names: tuple[str, ...]
    codes: tuple[IntArray, ...]
    counts: tuple[FloatArray, ...]
    equations: FloatArray

    def moments(self, y: FloatArray) -> FloatArray:
        """Return per draw the uncorrected sums of squares of each term and of the rows; y is (draws, N)."""
        squares = []
        for at, count in zip(self.codes, self.counts, strict=True):
            order = np.argsort(at, kind="stable")
            starts = np.concatenate([[0], np.cumsum(count)[:-1]]).astype(np.int64)
            squares.append((np.add.reduceat(y[:, order], starts, axis=1) ** 2 / count).sum(axis=1))
        rest = y.sum(axis=1) ** 2 / y.shape[1]
        return np.asarray(np.stack([*squares, (y**2).sum(axis=1)], axis=1) - rest[:, None])

    def solved(self, y: FloatArray) -> FloatArray:
        """Return the components (draws, terms + 1), negative ones as they are."""
        return np.asarray(np.linalg.solve(self.equations, self.moments(y).T).T)


def _design(names: Sequence[str], labels: Sequence[IntArray]) -> _Design:
    """Set up what the moments are expected to be, as sums over the components."""
    n = len(labels[0])
    counts = [np.bincount(at).astype(np.float64) for at in labels]
    overall = [float((c**2).sum()) / n for c in counts] + [1.0]
    rows = []
    for at, count in zip(labels, counts, strict=True):
        row = []
        for other, there in zip(labels, counts, strict=True):
            pair, each = np.unique(at * len(there) + other, return_counts=True)
            row.append(float((each.astype(np.float64) ** 2 / count[pair // len(there)]).sum()))
        rows.append([*row, float(len(count))])
    rows.append([float(n)] * (len(labels) + 1))
    return _Design(tuple(names), tuple(labels), tuple(counts), np.array(rows) - np.array(overall))


def _tangled(design: _Design) -> str:
    """Name the terms that this table cannot tell apart; empty if it can."""
    scale = np.sqrt(np.abs(np.outer(*[design.equations.diagonal()] * 2)))
    if (scale == 0.0).any() or np.linalg.svd(design.equations / scale, compute_uv=False)[-1] < _SINGULAR:
        n = len(design.codes[0])
        names, sizes = [*design.names, RESIDUAL], [len(c) for c in design.counts] + [n]
        codes = [*design.codes, np.arange(n)]
        same = [
            f"{names[i]} and {names[j]}"
            for i in range(len(names))
            for j in range(i)
            if sizes[i] == sizes[j] == len(np.unique(codes[i] * sizes[j] + codes[j]))
        ]
        return "; ".join(same) or "a combination of factors"
    return ""


def _simulated_variance(design: _Design, parts: FloatArray, draws: int, rng: Generator) -> FloatArray:
    """Return the sampling variance of each component if effects are normal with these variances."""
    n, spread = len(design.codes[0]), np.sqrt(parts)
    step, found = max(1, _BLOCK // n), []
    for start in range(0, draws, step):
        m = min(step, draws - start)
        y = spread[-1] * rng.standard_normal((m, n))
        for at, count, s in zip(design.codes, design.counts, spread, strict=False):
            y += s * rng.standard_normal((m, len(count)))[:, at]
        found.append(design.solved(y))
    return np.asarray(np.concatenate(found).var(axis=0, ddof=1))


def _interval(found: Estimate, variance: float) -> Estimate:
    """Return the estimate with Satterthwaite's chi-squared interval, given its sampling variance."""
    if not found.value or variance <= 0.0:
        return found
    df, tail = 2.0 * found.value**2 / variance, (1.0 - found.level) / 2.0
    low, high = (df * found.value / max(float(chdtri(df, p)), 1e-300) for p in (tail, 1.0 - tail))
    return replace(found, low=low, high=high, method=f"{_METHOD}, Satterthwaite interval, {df:.3g} df")


def _undefined(names: Sequence[str], sizes: Sequence[int], n: int, level: float, why: Estimate) -> Split:
    nothing = replace(why, n=n, level=level)
    return Split(tuple(Component(a, b, nothing, nothing, None) for a, b in zip(names, sizes, strict=True)), nothing)


def _terms(
    factors: Mapping[str, npt.ArrayLike], interactions: Sequence[tuple[str, str]], kept: npt.NDArray[np.bool_]
) -> dict[str, IntArray]:
    if not factors or RESIDUAL in factors:
        raise ValueError(f"name at least one factor, and none {RESIDUAL!r}.")
    terms = {a: cluster_codes(np.asarray(labels), len(kept))[kept] for a, labels in factors.items()}
    for a, b in interactions:
        if a not in factors or b not in factors or a == b:
            raise ValueError(f"an interaction of {a!r} and {b!r} needs two of the factors {sorted(factors)}.")
        terms[f"{a}:{b}"] = terms[a] * len(kept) + terms[b]
    return {a: cluster_codes(at, len(at)) for a, at in terms.items()}


def variance_split(
    values: npt.ArrayLike,
    factors: Mapping[str, npt.ArrayLike],
    *,
    interactions: Sequence[tuple[str, str]] = (),
    rng: Generator | int | None = None,
    draws: int = 1_000,
    level: float = LEVEL,
) -> Split:
    """Return the variance of a score by crossed random factors, from balanced and unbalanced tables.

    ``y = mean + effect of each factor's level + ... + rest``, effects independent. Sums of squares
    per factor are set to what they are expected to be and solved (on balanced tables: the analysis
    of variance estimates). Unbiased for any table, before negative estimates are set to 0. Not a
    test, not a cause: that therapists carry little variance among *these* therapists says nothing of
    others. For met / not met it splits variance on the scale of shares, and the rest holds p (1 - p).

    Parameters
    ----------
    values : (N,) scores, NaN where undefined (left out and counted).
    factors : name to (N,) labels: what each row's therapist, patient, rater, seed... was. Factors
        may be crossed or nested (give nested ones labels that are unique).
    interactions : pairs of factors whose combination has an effect of its own. One that has a row
        per combination is the residual: leave it out.
    rng : generator or seed for intervals (Satterthwaite; sampling variance simulated with normal
        effects); ``None`` = no intervals. Rough for a factor of few levels or of little variance.
    draws, level : simulated tables, and coverage asked for.

    Returns
    -------
    A :class:`Split`; ``n`` = rows with a value. No row: ``empty``. A factor with one level, or terms
    that the table cannot tell apart: every part ``undetermined``, and which is said. All values
    equal: variances 0, shares ``no_denominator``. A part that is 0 has no interval.

    Raises
    ------
    ValueError : labels and values of unequal length, infinite values, an unknown interaction, ``draws < 2``.

    References
    ----------
    Henderson (1953), Biometrics 9, 226-252; Searle, Casella & McCulloch (1992), Variance Components,
    ch. 5; Satterthwaite (1946), Biometrics Bulletin 2, 110-114.

    Examples
    --------
    >>> found = variance_split([1, 2, 3, 5, 5, 6], {"patient": list("aabbcc")})
    >>> [(c.name, round(c.variance.value, 3)) for c in found.parts]
    [('patient', 3.583), ('residual', 1.0)]
    """
    y = np.asarray(values, dtype=np.float64)
    if y.ndim != 1 or np.isinf(y).any() or draws < 2 or not 0.0 < level < 1.0:
        raise ValueError(
            f"values has shape {y.shape}, draws is {draws}, level {level}; give (N,) finite, >= 2, in (0, 1)."
        )
    kept = ~np.isnan(y)
    terms = _terms(factors, interactions, kept)
    total, y = len(y), y[kept]
    n, names = len(y), [*terms, RESIDUAL]
    sizes = [int(at.max()) + 1 if n else 0 for at in terms.values()] + [n]
    if n == 0:
        note = f"none of {total} rows has a value"
        return _undefined(names, sizes, n, level, Estimate(None, None, None, level, 0, _METHOD, "empty", note))
    single = [a for a, size in zip(names, sizes, strict=True) if size < 2]
    design = _design(list(terms), list(terms.values()))
    note = f"one level only: {', '.join(single)}" if single else _tangled(design)
    if note:
        note = note if single else f"this table cannot tell apart: {note}"
        return _undefined(names, sizes, n, level, Estimate(None, None, None, level, n, _METHOD, "undetermined", note))
    raw = design.solved((y - y.mean())[None, :])[0] if np.ptp(y) > 0.0 else np.zeros(len(names))
    parts = np.maximum(raw, 0.0)
    seen = "" if n == total else f"{n} of {total} rows have a value"
    found = [_component(parts[i], raw[i], n, level, seen) for i in range(len(names))]
    if rng is not None and parts.any():
        error = _simulated_variance(design, parts, draws, np.random.default_rng(rng))
        found = [_interval(e, float(v)) for e, v in zip(found, error, strict=True)]
    whole = float(parts.sum())
    return Split(
        tuple(
            Component(names[i], sizes[i], found[i], _share(parts[i], whole, n, level), float(raw[i]))
            for i in range(len(names))
        ),
        Estimate(whole, None, None, level, n, _METHOD, detail=seen),
    )


def _component(part: float, raw: float, n: int, level: float, seen: str) -> Estimate:
    note = f"the estimate {raw:.3g} is negative and set to 0" if raw < 0.0 else ""
    return Estimate(float(part), None, None, level, n, _METHOD, detail="; ".join(filter(None, [seen, note])))


def _share(part: float, whole: float, n: int, level: float) -> Estimate:
    if whole == 0.0:
        return Estimate(None, None, None, level, n, _METHOD, "no_denominator", "the scores do not vary")
    return Estimate(float(part) / whole, None, None, level, n, f"{_METHOD}, share of the sum")
