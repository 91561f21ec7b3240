"""The contracts: structural protocols, no base classes; state is threaded, randomness handed in.

Participants are async because a person or a model may have to be waited for; everything that
merely computes is sync. ``S`` is whatever a participant carries from turn to turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

from numpy.random import Generator

from turnwise.core.nouns import (
    Case,
    Course,
    Estimate,
    Finding,
    FloatArray,
    Intake,
    Ratings,
    Reply,
    Score,
    Trajectory,
    Transcript,
    Turn,
)

__all__ = [
    "Answer",
    "Answerer",
    "Check",
    "Completion",
    "CorpusMetric",
    "Importer",
    "Item",
    "LanguageModel",
    "Metric",
    "Patient",
    "Rater",
    "Reward",
    "SeriesMetric",
    "Therapist",
]

S = TypeVar("S")


class Patient(Protocol[S]):
    """Knows the case, sees only the transcript. Stateless itself: everything carried is in ``S``."""

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> S:
        """Return the state before the first word."""
        ...

    async def respond(self, state: S, transcript: Transcript, rng: Generator) -> Reply[S]:
        """Answer the last turn of ``transcript`` (a therapist's)."""
        ...


class Therapist(Protocol[S]):
    """Knows the intake, never the case; sees only the transcript; speaks first."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> S:
        """Return the state before the first word."""
        ...

    async def respond(self, state: S, transcript: Transcript, rng: Generator) -> Reply[S]:
        """Open the session (empty transcript) or answer the patient's last turn."""
        ...


@dataclass(frozen=True, slots=True)
class Item:
    """A keyed question about a moment (the Say rung)."""

    id: str
    prompt: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to an item; ``choice`` indexes its options when it has any."""

    text: str
    choice: int | None = None
    confidence: float | None = None


class Answerer(Protocol):
    """Answers keyed questions about moments; optional for a therapist."""

    async def answer(self, item: Item) -> Answer:
        """Answer one item."""
        ...


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model returned: text, tokens used, why it stopped.

    ``usage`` is all tokens of the call; ``tokens_in`` and ``tokens_out`` split it where the provider says so
    (``None`` where it does not). ``model`` is the name under which the provider answered, which may be narrower than
    the one that was asked for.
    """

    text: str
    usage: int
    stop: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str = ""


class LanguageModel(Protocol):
    """The only door to a network or an accelerator."""

    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        """Continue the conversation by one turn."""
        ...


class Metric(Protocol):
    """A measure of one trajectory. Pure: it reads turns, infos and attached ratings."""

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the score, or the reason why there is none."""
        ...


@runtime_checkable
class SeriesMetric(Protocol):
    """A metric that also says how its quantity runs over the turns."""

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the score."""
        ...

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return one value per turn, shape (turns,), NaN where it has none."""
        ...


class CorpusMetric(Protocol):
    """A measure of a set of trajectories."""

    def __call__(self, ts: Sequence[Trajectory], /) -> Estimate:
        """Return the estimate."""
        ...


class Reward(Protocol):
    """One credit per therapist turn, shape (T,)."""

    def __call__(self, t: Trajectory, /) -> FloatArray:
        """Return the credits."""
        ...


class Check(Protocol):
    """A pass / fail / undetermined verdict with the turn that proves it."""

    def __call__(self, t: Trajectory, /) -> Finding:
        """Return the finding."""
        ...


class Rater(Protocol):
    """Reads whole trajectories in batch; what it says is stored once with its version."""

    async def rate(self, ts: Sequence[Trajectory], /) -> Sequence[Ratings]:
        """Return one set of readings per trajectory, in order."""
        ...


class Importer(Protocol):
    """Reads somebody's transcripts as a stream. Recognised by content, never by file name."""

    def detect(self, head: str, /) -> bool:
        """Say whether a file that begins like ``head`` (decoded, at most 64 Ki characters) is ours."""
        ...

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield sessions one at a time; a bad session in a good file is yielded as an ``error``."""
        ...
