"""The nouns of a session. Frozen; what reaches disk refuses unknown fields.

Sessions and what people wrote are validated (pydantic); numbers per turn live in arrays and
plain dataclasses, because a validated object per number would cost more than the session.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import numpy as np
import numpy.typing as npt
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from turnwise.core.seeds import luck_key, place_key

__all__ = [
    "ENDINGS",
    "REASONS",
    "TRAJECTORY_SCHEMA",
    "Agreement",
    "Belief",
    "Case",
    "Course",
    "Cue",
    "CueKind",
    "Ending",
    "Estimate",
    "Finding",
    "FloatArray",
    "Intake",
    "Moment",
    "Rating",
    "Ratings",
    "Reading",
    "Reason",
    "Reply",
    "ScheduledMoment",
    "Score",
    "SessionSpec",
    "Speaker",
    "Trajectory",
    "Transcript",
    "Turn",
    "Verdict",
    "unscored",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
S = TypeVar("S")

Speaker = Literal["therapist", "patient"]
CueKind = Literal["pause", "tears", "gaze", "tone", "laughter", "sigh", "movement", "other"]
Ending = Literal[
    "therapist_closed",
    "patient_closed",
    "patient_left",
    "patient_faded",
    "max_turns",
    "not_held",  # a planned session of a course that did not take place: the patient had left before
    "error",
    "unknown",
]
Verdict = Literal["pass", "fail", "undetermined"]
Reason = Literal[
    "empty",  # nothing to read: no turn, no text
    "too_short",  # fewer turns or sessions than the definition needs
    "no_denominator",  # the thing it is a share or ratio of never happened
    "unparsed",  # a judge or file answered, but not readably
    "no_answer",  # the participant did not answer
    "not_applicable",  # the question does not arise for this input
    "out_of_scope",  # not the language or domain the coder was fitted on
    "needs_truth",  # only known inside a simulation; this is a transcript
    "no_reading",  # the coder it needs did not run or failed
    "undetermined",  # computed, but below the floor at which it may be used
    "session_error",  # the session itself ended in an error
    "failed",  # the measure raised: its own fault, never a number
]
ENDINGS: tuple[str, ...] = get_args(Ending)
REASONS: tuple[Reason, ...] = get_args(Reason)


class Moment(StrEnum):
    """A kind of patient turn that calls for something (docs/design.md). Known in a simulation, read in a transcript."""

    DISCLOSURE = "disclosure"
    THIN = "thin"
    DISTORTION = "distortion"
    INVALIDATION = "invalidation"
    REQUEST = "request"
    HINT = "hint"
    BAIT = "bait"
    RISK = "risk"
    IDENTITY = "identity"
    INSIGHT = "insight"


class _Stored(BaseModel):
    """What reaches disk: frozen, and a field nobody knows is an error instead of silence."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Cue(_Stored):
    """A signal outside the words. A text-only participant does not get it."""

    kind: CueKind
    detail: str = ""


class Turn(_Stored):
    """One utterance. Nothing private fits in it; speakers need not alternate.

    An empty ``text`` is a silence. A participant may be silent only with a cue that says so.
    """

    speaker: Speaker
    text: str
    cues: tuple[Cue, ...] = ()

    @property
    def n_words(self) -> int:
        """Whitespace-separated words, the unit of every published length band (AnnoMI, ESConv)."""
        return len(self.text.split())


Transcript: TypeAlias = tuple[Turn, ...]


class Intake(_Stored):
    """All that a therapist may know at the start: what a referral would say."""

    age: int | None = None
    gender: str | None = None
    referral: str = ""


class Case(_Stored):
    """Who a patient is. ``truth`` never crosses to the therapist; ``intake`` does."""

    id: str
    intake: Intake
    truth: dict[str, JsonValue] = Field(repr=False)
    source: str
    licence: str


class ScheduledMoment(_Stored):
    """A moment that comes whatever the therapist did, between two patient turns (0-based, inclusive)."""

    key: str
    moment: Moment
    earliest: int
    latest: int


class SessionSpec(_Stored):
    """The recipe that replays a session. ``versions`` holds hashes of whatever could move a byte.

    ``session`` is its place in the course of the pair, from 1; a first session is stored as if there were no courses.
    """

    case: str
    patient: str
    therapist: str
    seed: int
    epoch: int = 0
    max_turns: int = 20
    schedule: tuple[ScheduledMoment, ...] = ()
    versions: dict[str, str] = Field(default_factory=dict)
    session: int = Field(default=1, ge=1)

    @property
    def session_id(self) -> str:
        """Stable name of the session inside a run; never used as a path."""
        return f"{self.therapist}/{self.patient}/{self.case}/{self.epoch}{place_key(self.session)}"

    @property
    def luck(self) -> str:
        """Whom the luck of the session belongs to (``core.seeds.generator``): the patient and the session's place."""
        return luck_key(self.patient, self.case, self.session)

    @model_serializer(mode="wrap")
    def _without_first(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = written(self)
        if self.session == 1:
            fields.pop("session", None)
        return fields


class Agreement(_Stored):
    """Something the pair agreed on in an earlier session."""

    session_id: str
    text: str


class Course(_Stored):
    """The sessions of one pair in order, with what was agreed.

    It is told to both sides, so names of sessions must give nothing away (``core.course`` counts them).
    """

    session_ids: tuple[str, ...] = ()
    agreed: tuple[Agreement, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply(Generic[S]):
    """One step of a participant: what it said, what it carries on, what is merely interesting.

    ``closes`` names the ending this reply brings about, if any; it is a typed field so that
    somebody who merely *says* "END" ends nothing.
    """

    text: str
    state: S
    info: Mapping[str, JsonValue] = field(default_factory=dict)
    closes: Ending | None = None
    cues: tuple[Cue, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one coder says of every turn of one trajectory.

    ``p`` has shape (turns, labels); rows that were not read are NaN and ``codes`` says why
    (``"not_applicable"`` for the other speaker's turns). ``in_scope`` is the mask of read rows.
    ``sha256`` is the hash of the weights that spoke: another hash makes a stored reading stale.
    ``decided`` holds the label of each turn where a coder has a rule of its own (offsets for rare
    labels, a threshold); where several labels may hold at once, they are joined by ``"|"`` and
    ``"none"`` says that none does. Without it the most probable label is the value.
    """

    item: str
    coder: str
    sha256: str
    labels: tuple[str, ...]
    p: FloatArray
    codes: tuple[Reason | None, ...]
    decided: tuple[str | None, ...] | None = None

    @property
    def in_scope(self) -> npt.NDArray[np.bool_]:
        """(turns,) mask of the turns that were read."""
        return np.array([c is None for c in self.codes], dtype=bool)

    def values(self) -> tuple[str | None, ...]:
        """Label per turn, ``None`` where nothing was read."""
        if self.decided is not None:
            return self.decided
        best = np.where(np.isnan(self.p), -1.0, self.p).argmax(axis=1) if len(self.codes) else []
        return tuple(self.labels[b] if c is None else None for b, c in zip(best, self.codes, strict=True))


Ratings: TypeAlias = Mapping[str, Reading]
"""Readings of one trajectory by item name."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One verdict of one rater on one turn, as stored in a row of ``ratings.parquet``."""

    item: str
    turn: int
    value: str | float | None
    rater: str
    version: str
    rationale: str = ""


TRAJECTORY_SCHEMA: Literal["turnwise.trajectory/1"] = "turnwise.trajectory/1"


class Trajectory(_Stored):
    """A session as it was: turns, what each side emitted, and how it ended.

    ``infos`` runs parallel to ``turns`` and holds what the simulation knows (a patient's state,
    a therapist's belief) or what came with an imported transcript (``{"labels": …}``).
    ``ratings`` is attached after reading and is never written with the session: play and
    scoring are separate.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    format: Literal["turnwise.trajectory/1"] = TRAJECTORY_SCHEMA
    session_id: str
    source: str
    spec: SessionSpec | None = None
    turns: tuple[Turn, ...] = ()
    infos: tuple[dict[str, JsonValue], ...] = ()
    ending: Ending = "unknown"
    error: str | None = None
    meta: dict[str, JsonValue] = Field(default_factory=dict)
    ratings: Mapping[str, Any] = Field(default_factory=dict, exclude=True, repr=False)

    @model_validator(mode="after")
    def _parallel(self) -> Trajectory:
        if self.infos and len(self.infos) != len(self.turns):
            raise ValueError(f"infos has {len(self.infos)} entries for {len(self.turns)} turns")
        if (self.ending == "error") != (self.error is not None):
            raise ValueError("a session has an error sentence exactly when its ending is 'error'")
        return self

    def with_ratings(self, ratings: Ratings) -> Trajectory:
        """Return the same session with readings attached."""
        return self.model_copy(update={"ratings": ratings})

    def reading(self, item: str) -> Reading | None:
        """Return the attached reading of ``item``, if there is one."""
        found = self.ratings.get(item)
        return found if isinstance(found, Reading) else None

    def info(self, turn: int) -> Mapping[str, JsonValue]:
        """Return what was emitted at ``turn`` (an empty mapping when nothing was)."""
        return self.infos[turn] if self.infos else {}


class Score(NamedTuple):
    """A number, or the reason why there is none. ``n`` counts what the value rests on."""

    value: float | None
    n: int
    code: Reason | None = None
    detail: str = ""


def unscored(code: Reason, detail: str, n: int = 0) -> Score:
    """Return a score without a value: a machine-readable code and one sentence."""
    return Score(None, n, code, detail)


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict with the turn that proves it. ``undetermined`` counts as fail (safety fails closed)."""

    verdict: Verdict
    turn: int | None = None
    evidence: str = ""

    @property
    def passed(self) -> bool:
        """True only for a plain pass."""
        return self.verdict == "pass"


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """A distribution over K named hypotheses, in natural log."""

    hypotheses: tuple[str, ...]
    log_p: FloatArray

    @property
    def p(self) -> FloatArray:
        """Probabilities, shape (K,)."""
        return np.exp(self.log_p)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The one shape of every statistic: a value, its interval and what it rests on.

    ``value`` is ``None`` when the quantity is undefined; then ``code`` and ``detail`` say why.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    method: str
    code: Reason | None = None
    detail: str = ""

    def __post_init__(self) -> None:
        if (self.value is None) == (self.code is None):
            raise ValueError("an estimate has either a value or a code")
        for x in (self.value, self.low, self.high):
            if x is not None and math.isnan(x):
                raise ValueError("NaN is not an estimate; say why it is undefined instead")

    @property
    def excludes_zero(self) -> bool:
        """True when the whole interval lies on one side of zero."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)
