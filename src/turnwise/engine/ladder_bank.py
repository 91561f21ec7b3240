"""The bank of the ladder: sessions led by one reference therapist, whose moments every therapist then meets.

A patient's scheduled moments hang on the seed, the epoch and the patient alone, so a bank played with the study's
own seed holds the moments that the study's live sessions are scheduled to hold. It is stored once, as ``bank.jsonl``
in the format of ``trajectories.jsonl``, and is never played by the therapist that is measured.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwise.batteries.ladder.judging import planned_in
from turnwise.core.errors import UsageError
from turnwise.core.nouns import Trajectory
from turnwise.core.registry import THERAPISTS
from turnwise.engine.batch import DEFAULT_CONCURRENCY, play_many
from turnwise.engine.discovery import discover
from turnwise.engine.store import RunFolder
from turnwise.engine.study import Cast, Study

__all__ = [
    "BANK",
    "DEFAULT_LADDER",
    "BankMoment",
    "Climb",
    "Ladder",
    "bank_record",
    "bank_study",
    "make_bank",
    "played_again",
    "scheduled_moments",
    "with_reference",
]

BANK = "bank.jsonl"
_MOST_EPOCHS = 100_000


@dataclass(frozen=True, slots=True)
class Ladder:
    """What the ladder is climbed with: who led the bank's sessions, and of how many epochs moments are played again.

    The bank itself holds every epoch of the study: without it nobody would know which moments a live session never
    came to, and those count as not met.
    """

    reference: str = "reflector"
    epochs: int = 2

    def resolved(self) -> Ladder:
        """Return the ladder with the reference's version; refuse what cannot be played.

        Raises
        ------
        RegistryError : there is no such therapist (with the closest one).
        UsageError : the number of epochs makes no sense.
        """
        if not 1 <= self.epochs <= _MOST_EPOCHS:
            raise UsageError(
                f"--ladder-epochs {self.epochs} is not possible: give a whole number from 1 to {_MOST_EPOCHS}."
            )
        discover()
        return Ladder(THERAPISTS.get(self.reference).name, self.epochs)


DEFAULT_LADDER = Ladder()


@dataclass(frozen=True, slots=True)
class Climb:
    """Everything that playing the ladder of one study needs; ``path`` is its run folder, claimed by the caller.

    ``cast`` holds the study's participants and the reference (:func:`with_reference`); ``force`` starts over,
    ``shuffle`` plays in a random order, ``retry_errors`` plays replies again that ended ``error``. Neither they nor
    ``concurrency`` can change a byte of what embedded participants say.
    """

    study: Study
    ladder: Ladder
    path: Path
    cast: Cast
    concurrency: int = DEFAULT_CONCURRENCY
    force: bool = False
    shuffle: bool = False
    retry_errors: bool = False


@dataclass(frozen=True, slots=True)
class BankMoment:
    """A scheduled moment of a bank session: its key, the turn at which it came, and its kind."""

    key: str
    turn: int
    moment: str


def scheduled_moments(t: Trajectory) -> list[BankMoment]:
    """Return the scheduled moments of a session in order, each key once.

    A moment at the last turn that the session was allowed is left out: nobody could reply to it live.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> said = {"moment": "thin", "scheduled": True, "said": {"telling": "thin1"}}
    >>> turns = (Turn(speaker="therapist", text="How are you?"), Turn(speaker="patient", text="Fine."))
    >>> scheduled_moments(Trajectory(session_id="s", source="simulated", turns=turns, infos=({}, said)))
    [BankMoment(key='thin1', turn=1, moment='thin')]
    """
    last = 2 * t.spec.max_turns - 1 if t.spec else len(t.turns)
    return [BankMoment(m.key, m.position, m.moment) for m in planned_in(t) if m.position < last]


def played_again(t: Trajectory, ladder: Ladder) -> bool:
    """Whether the moments of a bank session are played alone and after its history: those of the first epochs are."""
    return t.spec is not None and t.spec.epoch < ladder.epochs


def with_reference(study: Study, ladder: Ladder) -> Study:
    """Return the study with the reference among its therapists: whoever has to be in the cast."""
    if ladder.reference in study.therapists:
        return study
    return study.model_copy(update={"therapists": (*study.therapists, ladder.reference)})


def bank_study(study: Study, ladder: Ladder) -> Study:
    """Return the study whose sessions are the bank: the reference alone, everything else alike.

    Of courses the first sessions alone: later ones begin where the reference's first ones ended, and nobody else's do.
    """
    return study.model_copy(update={"therapists": (ladder.reference,), "sessions": 1})


def make_bank(climb: Climb, on_done: Callable[[Trajectory], None] | None = None) -> RunFolder:
    """Fill ``bank.jsonl`` with what is missing and return it, in planned order.

    Sessions that the study itself played with the reference are taken over; only others are played.

    Raises
    ------
    UsageError : the bank that is there was led by another therapist.
    """
    study, ladder, bank = climb.study, climb.ladder, RunFolder(climb.path, BANK)
    specs = {spec.session_id: spec for spec in bank_study(study, ladder).specs()}
    stored = {} if climb.force else bank.finished()
    _refuse_other(stored, ladder, climb.path)
    done = {k: v for k, v in stored.items() if k in specs}
    if len(done) < len(specs) and ladder.reference in study.therapists:
        done |= {k: v for k, v in RunFolder(climb.path).finished().items() if k in specs}
    bank.open_log(list(done.values()))
    missing = [spec for session_id, spec in specs.items() if session_id not in done]

    def store(t: Trajectory) -> None:
        bank.append(t)
        if on_done:
            on_done(t)

    try:
        if missing:
            asyncio.run(play_many(missing, climb.cast, on_done=store, concurrency=climb.concurrency))
    finally:
        bank.close_log()
    bank.order(list(specs))
    return bank


def _refuse_other(stored: dict[str, str], ladder: Ladder, path: Path) -> None:
    for line in stored.values():
        spec = json.loads(line).get("spec")
        led_by = spec.get("therapist") if isinstance(spec, dict) else None
        if led_by != ladder.reference:
            raise UsageError(
                f"{path} holds a bank that {led_by} led, not {ladder.reference}; "
                "choose another --out, or --force to replace it."
            )
        return


def bank_record(bank: RunFolder, ladder: Ladder) -> dict[str, Any]:
    """Return what ``run.json`` says of a bank: who led it, what it holds, what is played again, and its hash."""
    moments: list[int] = []
    again = 0
    for t in bank.sessions():
        moments.append(len(scheduled_moments(t)))
        again += moments[-1] if played_again(t, ladder) else 0
    with bank.trajectories.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "reference": ladder.reference,
        "epochs": ladder.epochs,
        "bank_sessions": len(moments),
        "bank_moments": sum(moments),
        "replayed_moments": again,
        "bank_sha256": digest,
    }
