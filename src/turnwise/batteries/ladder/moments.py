"""A moment and the reply it met: all that a skill is judged on, the same on every rung."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic import JsonValue

from turnwise.core.nouns import Moment, Reading, Reason, Trajectory, Transcript, Turn

__all__ = ["RUNGS", "Cell", "MomentView", "Rung", "moment_key", "views_of"]

Rung: TypeAlias = Literal["show", "resume", "sustain"]
RUNGS: tuple[Rung, ...] = ("show", "resume", "sustain")
"""The rungs that the same raters score; *Say* is an examination and stands apart."""


@dataclass(frozen=True, slots=True, eq=False)
class MomentView:
    """One patient turn that calls for something, what was said before it, and the reply.

    Attributes
    ----------
    history : the turns before the moment; empty when the moment is met alone.
    said : the moment. ``reply`` is ``None`` where the session ended before anybody replied.
    readings : what the raters say of the session, by item; ``reply_turn`` is the row of the reply in them.
    truth : what the simulated patient emitted at the moment; empty for a transcript.
    """

    moment: Moment
    source: Literal["truth", "read"]
    history: Transcript
    said: Turn
    reply: Turn | None
    readings: Mapping[str, Reading] = field(default_factory=dict)
    reply_turn: int = -1
    truth: Mapping[str, JsonValue] = field(default_factory=dict)

    def label(self, item: str) -> str | None:
        """Return what a rater decided of the reply, ``None`` where it did not read it."""
        reading = self.readings.get(item)
        if reading is None or self.reply is None or reading.codes[self.reply_turn] is not None:
            return None
        return reading.values()[self.reply_turn]

    def code(self, item: str) -> Reason | None:
        """Return why a rater said nothing of the reply; ``None`` where it did, or where there is no such rater."""
        reading = self.readings.get(item)
        return None if reading is None or self.reply is None else reading.codes[self.reply_turn]

    def p(self, item: str, label: str) -> float | None:
        """Return the probability of a label of the reply, ``None`` where it was not read."""
        reading = self.readings.get(item)
        if reading is None or self.reply is None or reading.codes[self.reply_turn] is not None:
            return None
        return float(reading.p[self.reply_turn, reading.labels.index(label)])


@dataclass(frozen=True, slots=True)
class Cell:
    """One skill at one moment on one rung: the row of ``moments.parquet``.

    ``value`` in [0, 1] or ``None`` with ``code``; ``reached`` is false for a scheduled moment that a live session
    never came to (it counts as not met, or has no value where only the planned length was over; the bound that
    assumes the best stands beside it). ``read`` is what the raters that the skill needs said of the reply, with their
    probabilities; ``said`` and ``reply`` are the words, where whoever stores it keeps them.
    """

    therapist: str
    patient: str
    epoch: int
    key: str
    moment: str
    skill: str
    rung: Rung
    scheduled: bool
    position: int
    value: float | None
    code: str | None = None
    detail: str = ""
    reached: bool = True
    read: str = ""
    said: str = ""
    reply: str = ""


def moment_key(truth: Mapping[str, JsonValue]) -> str:
    """Return the name under which a scheduled moment is the same in every session of a patient.

    Examples
    --------
    >>> moment_key({"said": {"telling": "dad3"}}), moment_key({"said": {"key": "planned:thin2"}})
    ('dad3', 'thin2')
    """
    said = truth.get("said")
    if not isinstance(said, dict):
        return ""
    return str(said.get("telling") or said.get("key") or "").removeprefix("planned:")


def views_of(t: Trajectory) -> Iterator[tuple[int, MomentView]]:
    """Yield ``(turn, view)`` for every moment of a session, known by construction or read from the text."""
    reading = t.reading("moment")
    labels = reading.values() if reading is not None else (None,) * len(t.turns)
    for i, turn in enumerate(t.turns):
        if turn.speaker != "patient":
            continue
        found = _moment_at(t.info(i), labels[i])
        if found is None:
            continue
        moment, source = found
        after = t.turns[i + 1] if i + 1 < len(t.turns) and t.turns[i + 1].speaker == "therapist" else None
        truth = t.info(i) if source == "truth" else {}
        yield i, MomentView(moment, source, t.turns[:i], turn, after, t.ratings, i + 1, truth)


def _moment_at(info: Mapping[str, JsonValue], label: str | None) -> tuple[Moment, Literal["truth", "read"]] | None:
    if "moment" in info:
        named = info["moment"]
        return (Moment(str(named)), "truth") if named else None
    return (Moment(label), "read") if label and label != "none" else None
