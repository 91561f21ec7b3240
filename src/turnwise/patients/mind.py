"""The nouns of a patient's inner life: the state, a turn as it is taken, and many of either at once.

No rule of change is here (``dynamics``), and no size (``change_sizes``). Whoever computes with a
state reads attributes only, so one rule serves one mind (plain numbers) and many (arrays): the
arithmetic is the same, operation by operation, and with it every bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np

from turnwise.patients.change_sizes import VALUES, Sizes

__all__ = ["GAINS", "MANY", "ONE", "Columns", "Impact", "Mind", "Number", "columns_of", "rows_of"]

Number: TypeAlias = Any
"""A number or an array of any shape; the rules of change do not care which."""

GAINS = ("advice", "challenge", "praise", "question", "reassurance", "reflection", "repair", "silence")
"""Kinds of turn that a person may take more or less strongly than others do (schema: ``parameters.gain``)."""


@dataclass(frozen=True, slots=True)
class Mind:
    """The state. Quantities are 0 to 1; counters are of this session.

    Attributes
    ----------
    trust, reactance, distress, conviction, fatigue : the words of docs/design.md.
    stirred : how much of the distress is upset of the moment: it rises and falls with it, and passes.
    met : short-lived warmth after having been understood.
    goals, tasks : agreement with the therapist on where to and how.
    leaning, talk, last_talk : used by the fitted family only: running lean of what is said towards
        change (0) or against it (1), how much is said (0 nothing, 1 a hundred words), and the kind of
        the last talk (0 change, 1 neutral, 2 sustain).
    praised : trust that praise has bought so far in this session.
    gain : how strongly this person takes each kind of turn (name, factor).
    sizes : how much each kind of turn moves this person; one table for all unless a study says otherwise.
    """

    trust: float = 0.35
    reactance: float = 0.12
    distress: float = 0.6
    stirred: float = 0.0
    conviction: float = 0.85
    fatigue: float = 0.0
    met: float = 0.0
    goals: float = 0.3
    tasks: float = 0.3
    leaning: float = 0.5
    talk: float = 0.45
    last_talk: int = 1
    turn: int = 0
    asked_running: int = 0
    praised: float = 0.0
    praises: int = 0
    kindnesses: int = 0
    repairs: int = 0
    corrected: bool = False
    pushed_back: bool = False
    evidence_asked: int = 0
    evidence_told: int = 0
    insights: int = 0
    insight_turn: int = -9
    shut_running: int = 0
    boiling: int = 0
    gain: tuple[tuple[str, float], ...] = ()
    sizes: Sizes = field(default=VALUES, repr=False)

    def gained(self, kind: str) -> float:
        """Factor with which this person takes a kind of turn."""
        return next((factor for name, factor in self.gain if name == kind), 1.0) if self.gain else 1.0

    def but(self, **changed: Any) -> Mind:
        """Return the same with some fields changed; ``dataclasses.replace`` goes through the fields one by one."""
        values = list(_VALUES(self))
        for name, value in changed.items():
            values[_PLACES[name]] = value
        return Mind(*values)


_NAMES = tuple(f.name for f in fields(Mind))
_VALUES = attrgetter(*_NAMES)
_PLACES = {name: i for i, name in enumerate(_NAMES)}


@dataclass(frozen=True, slots=True)
class Impact:
    """A therapist's turn as this patient takes it (probabilities and degrees 0 to 1, or plain facts).

    ``accuracy`` is how well a reflection fits what is so; ``names_feeling`` whether it names a true
    one, ``wrong_feeling`` one that is not there; ``copy`` that it only repeats the patient's words;
    ``raw`` how raw the feeling is that the patient has just shown; ``invited`` that help was asked
    for; ``counters`` that the right belief is asserted; ``evidence_question`` that the patient's own evidence is asked
    for while a thought is on the table; ``newly_seen`` that the patient has just come to see something anew,
    ``quotes`` that the turn quotes what was last said. It is how the turn lands, not what was meant.
    """

    reflection: float = 0.0
    accuracy: float = 0.0
    names_feeling: bool = False
    wrong_feeling: bool = False
    copy: bool = False
    open_question: bool = False
    tied: bool = False
    questions: int = 0
    words: int = 10
    advice: float = 0.0
    invited: bool = False
    refused_help: bool = False
    raw: float = 0.0
    challenge: float = 0.0
    counters: bool = False
    agrees_harmful: bool = False
    evidence_question: bool = False
    newly_seen: bool = False
    quotes: bool = False
    reassures: bool = False
    praises: bool = False
    normalises: bool = False
    self_words: int = 0
    repairs: bool = False
    yields: bool = False
    accuses: bool = False
    odd: bool = False
    repeated: bool = False
    silence: bool = False
    minimal: bool = False
    causes: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Columns:
    """Many minds, or many impacts: each field an array of one shape, under the same name.

    ``sizes`` belongs to minds; its entries may be arrays too, when every patient has sizes of its
    own. A kind of turn that has no gain column is taken by all as by anyone.

    Examples
    --------
    >>> both = columns_of([Mind(trust=0.2), Mind(trust=0.4)])
    >>> both.trust.tolist(), both.gained("advice")
    ([0.2, 0.4], 1.0)
    """

    of: Mapping[str, Number]
    sizes: Sizes = VALUES

    def __getattr__(self, name: str) -> Number:
        try:
            return self.of[name]
        except KeyError:
            raise AttributeError(name) from None

    def gained(self, kind: str) -> Number:
        """Factor with which each person takes a kind of turn."""
        return self.of.get("gain_" + kind, 1.0)

    def part(self, cut: slice, n: int) -> Columns:
        """Return some of ``n`` people; what is one number for all stays so."""
        sizes = {name: x[cut] if np.shape(x) == (n,) else x for name, x in self.sizes.of.items()}
        of = {name: x[cut] if np.shape(x) == (n,) else x for name, x in self.of.items()}
        return Columns(of, Sizes(self.sizes.name, sizes))

    def but(self, **changed: Number) -> Columns:
        """Return the same with some fields changed."""
        return Columns({**self.of, **changed}, self.sizes)

    def with_sizes(self, sizes: Sizes) -> Columns:
        """Return the same people, moved by other sizes."""
        return Columns(self.of, sizes)


_NOT_NUMBERS = ("gain", "sizes", "causes")


def columns_of(rows: Sequence[Mind] | Sequence[Impact]) -> Columns:
    """Return one array (rows,) per field. All minds must share one table of sizes.

    Raises
    ------
    ValueError : there are no rows, or they do not share their sizes.
    """
    if not rows:
        raise ValueError("no rows: an array of nobody has no fields.")
    names = [f.name for f in fields(rows[0]) if f.name not in _NOT_NUMBERS]
    of: dict[str, Number] = {name: np.array([getattr(row, name) for row in rows]) for name in names}
    if not isinstance(rows[0], Mind):
        return Columns(of)
    minds = [row for row in rows if isinstance(row, Mind)]
    if any(m.sizes != minds[0].sizes for m in minds):
        raise ValueError("these minds have different sizes; give them one table, or arrays in a table of your own.")
    for kind in GAINS:
        if any(m.gained(kind) != 1.0 for m in minds):
            of["gain_" + kind] = np.array([m.gained(kind) for m in minds])
    return Columns(of, minds[0].sizes)


def rows_of(minds: Columns) -> Iterator[Mind]:
    """Yield each of many minds, flattened, as one.

    Examples
    --------
    >>> next(rows_of(columns_of([Mind(trust=0.2)]))).trust
    0.2
    """
    names = [f.name for f in fields(Mind) if f.name not in _NOT_NUMBERS]
    shape = np.broadcast_shapes(*(np.shape(minds.of[n]) for n in names))
    flat = {n: np.broadcast_to(minds.of[n], shape).ravel().tolist() for n in names}
    gained = [k for k in GAINS if "gain_" + k in minds.of]
    gains = {k: np.broadcast_to(minds.of["gain_" + k], shape).ravel().tolist() for k in gained}
    for i in range(int(np.prod(shape))):
        gain = tuple((k, gains[k][i]) for k in gained)
        yield Mind(**{n: v[i] for n, v in flat.items()}, gain=gain, sizes=minds.sizes)


_COUNTED = 64
"""A power of a decay beyond this many repetitions is as good as this one (.6 ** 64 is 6e-15)."""


class _One:
    """Arithmetic on plain numbers."""

    @staticmethod
    def where(condition: Number, a: Number, b: Number) -> Number:
        return a if condition else b

    @staticmethod
    def no(condition: Number) -> Number:
        return not condition

    @staticmethod
    def decayed(factor: Number, times: Number) -> Number:
        """Return ``factor`` multiplied ``times`` over: by multiplication, so that no library's power decides a bit."""
        product = 1.0
        for _ in range(min(int(times), _COUNTED)):
            product = product * factor
        return product


class _Many:
    """The same arithmetic, operation by operation, on arrays of any shape."""

    @staticmethod
    def where(condition: Number, a: Number, b: Number) -> Number:
        return np.where(condition, a, b)

    @staticmethod
    def no(condition: Number) -> Number:
        return np.logical_not(condition)

    @staticmethod
    def decayed(factor: Number, times: Number) -> Number:
        counted = np.minimum(times, _COUNTED)
        if np.ndim(factor) == 0:
            powers = [1.0]
            for _ in range(_COUNTED):
                powers.append(powers[-1] * float(factor))
            return np.array(powers)[counted]
        product: Number = np.ones(np.broadcast_shapes(np.shape(factor), np.shape(times)))
        for i in range(int(np.max(counted, initial=0))):
            product = np.where(counted > i, product * factor, product)
        return product


ONE, MANY = _One(), _Many()
