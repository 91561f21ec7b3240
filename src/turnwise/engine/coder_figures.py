"""What can be said of a coder once people and coder have both labelled the same turns.

Used twice: for the cards, when a coder is fitted, and by ``turnwise validate``, when it is measured
again. Both therefore mean the same by every figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.reading.cards import Calibration, Figure, Kind, ReliabilityBin
from turnwise.stats import calibration as cal
from turnwise.stats.classification import Tally, accuracy, f1_by_label, macro_f1, paired_gain, tally

__all__ = ["UNIT", "Coded", "as_indices", "constant_answer", "figure"]

UNIT = "group"
_SEED = 20_260_101
_PLACES = 4
Ints = npt.NDArray[np.int64]


def figure(found: Estimate, unit: str = UNIT) -> Figure:
    """Return an estimate as a card stores it, rounded to four places.

    Raises
    ------
    ValueError : the estimate has no value or no interval; a card states neither.
    """
    if found.value is None or found.low is None or found.high is None:
        raise ValueError(f"a card needs a value with an interval: {found.detail or found.code}")
    value, low, high = (round(x, _PLACES) for x in (found.value, found.low, found.high))
    return Figure(value=value, low=low, high=high, level=found.level, n=found.n, unit=unit)


def constant_answer(gold: Ints) -> Ints:
    """Return the best answer that is always the same: the commonest label, or every label where several may hold."""
    if gold.ndim == 2:
        return np.ones_like(gold)
    return np.full(len(gold), np.bincount(gold).argmax() if len(gold) else 0, dtype=np.int64)


def _rounded(found: Estimate) -> float:
    if found.value is None:
        raise ValueError(f"no figure: {found.detail or found.code}")
    return round(found.value, _PLACES)


@dataclass(frozen=True)
class Coded:
    """The same turns, labelled by people and by a coder.

    Attributes
    ----------
    labels, kind : the coder's labels, and whether a turn has one (``"one"``) or any number (``"many"``).
    gold, decided : label indices (n,), or 0/1 (n, L) where several may hold.
    p : (n, L) the coder's probabilities.
    group : (n,) what belongs together; the unit of every interval.
    """

    labels: tuple[str, ...]
    kind: Kind
    gold: Ints
    decided: Ints
    p: FloatArray
    group: npt.NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.gold)

    def tally_of(self, decided: Ints) -> Tally:
        """Count any answers to these turns (the coder's own: ``tally``)."""
        return tally(self.gold, decided, self.group, len(self.labels))

    @cached_property
    def tally(self) -> Tally:
        """Counts of the coder's own answers."""
        return self.tally_of(self.decided)

    def macro_f1(self) -> Estimate:
        """Return macro-F1 with its interval over groups."""
        return macro_f1(self.tally, rng=_SEED)

    def accuracy(self) -> Estimate:
        """Return the share of turns whose whole answer is right, with its interval over groups."""
        return accuracy(self.tally, rng=_SEED)

    def f1_by_label(self) -> dict[str, float]:
        """Return F1 of each label; 0.0 for one that neither side gave."""
        f1 = np.nan_to_num(f1_by_label(self.tally))
        return {x: round(float(v), _PLACES) for x, v in zip(self.labels, f1, strict=True)}

    def against(self, floor: Ints) -> tuple[Estimate, Estimate]:
        """Return macro-F1 of other answers to the same turns, and the coder's paired gain over them."""
        other = self.tally_of(floor)
        return macro_f1(other, rng=_SEED), paired_gain(self.tally, other, rng=_SEED)

    def constant(self) -> float:
        """Return macro-F1 of the best answer that is always the same."""
        return _rounded(macro_f1(self.tally_of(constant_answer(self.gold)), rng=_SEED))

    def calibration(self, temperature: float) -> Calibration:
        """Return whether the probabilities are shares (see ``reading.cards.Calibration``)."""
        confidence, correct = self._stated()
        ece, null = cal.ece(confidence, correct, min_n=1), cal.null_ece(confidence, rng=_SEED, min_n=1)
        own = self._indicators()
        per_label = (
            cal.debiased_ece(self._p[:, i], own[:, i], rng=_SEED, draws=100, min_n=1) for i in range(len(self.labels))
        )
        return Calibration(
            ece=_rounded(ece),
            adaptive_ece=_rounded(cal.adaptive_ece(confidence, correct, min_n=1)),
            bins=cal.BINS,
            null_mean=_rounded(null),
            null_95=round(null.high or 0.0, _PLACES),
            debiased_ece=round((ece.value or 0.0) - (null.value or 0.0), _PLACES),
            debiased_by_label={x: _rounded(e) for x, e in zip(self.labels, per_label, strict=True)},
            brier=_rounded(cal.brier(confidence, correct)),
            nll=_rounded(cal.nll(confidence, correct)),
            over_confidence=_rounded(cal.over_confidence(confidence, correct)),
            auroc=None if (a := cal.auroc(confidence, correct).value) is None else round(a, _PLACES),
            temperature=temperature,
            share_read=self.shares(self.decided),
            share_coded=self.shares(self.gold),
            reliability=_bins(confidence, correct),
        )

    def shares(self, answers: Ints) -> dict[str, float]:
        """Return how often each label is given, as a share of turns."""
        mean = self._as_sets(answers).mean(axis=0) if len(answers) else np.zeros(len(self.labels))
        return {x: round(float(v), _PLACES) for x, v in zip(self.labels, mean, strict=True)}

    def confusion(self) -> list[list[int]] | None:
        """Return counts (people, coder); ``None`` where several labels may hold."""
        if self.kind == "many":
            return None
        table = np.zeros((len(self.labels), len(self.labels)), dtype=np.int64)
        np.add.at(table, (self.gold, self.decided), 1)
        counts: list[list[int]] = table.tolist()
        return counts

    def _as_sets(self, answers: Ints) -> Ints:
        return answers if answers.ndim == 2 else np.eye(len(self.labels), dtype=np.int64)[answers]

    @property
    def _p(self) -> FloatArray:
        return np.clip(self.p, 0.0, 1.0)  # a sum of rounded parts may pass one by the last bit

    def _indicators(self) -> Ints:
        return self._as_sets(self.gold)

    def _stated(self) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
        """Return every stated probability with whether it came true."""
        if self.kind == "many":
            return self._p.ravel(), self.gold.ravel() > 0
        rows = np.arange(len(self))
        return self._p[rows, self.decided], self.gold == self.decided


def _bins(confidence: FloatArray, correct: npt.NDArray[np.bool_]) -> tuple[ReliabilityBin, ...]:
    def rounded(b: cal.ReliabilityBin) -> dict[str, Any]:
        ends = {"low": b.low, "high": b.high, "confidence": b.confidence, "correct": b.correct}
        return {k: round(v, _PLACES) for k, v in ends.items()} | {"n": b.n}

    return tuple(ReliabilityBin(**rounded(b)) for b in cal.reliability(confidence, correct))


def as_indices(values: Sequence[str], labels: tuple[str, ...], kind: Kind) -> Ints:
    """Return labels as a coder decides them (``"a"``; ``"a|b"``, ``"none"`` where several may hold) as numbers.

    Raises
    ------
    ValueError : a label the coder does not have.

    Examples
    --------
    >>> as_indices(["b", "a"], ("a", "b"), "one").tolist(), as_indices(["a|b", "none"], ("a", "b"), "many").tolist()
    ([1, 0], [[1, 1], [0, 0]])
    """
    if kind == "one":
        return np.array([labels.index(v) for v in values], dtype=np.int64)
    out = np.zeros((len(values), len(labels)), dtype=np.int64)
    for i, value in enumerate(values):
        for label in value.split("|") if value != "none" else ():
            out[i, labels.index(label)] = 1
    return out
