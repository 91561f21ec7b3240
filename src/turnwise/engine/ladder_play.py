"""The rungs below a live session: a moment met alone (*Show*), and after a history somebody else led (*Resume*).

Every reply is a function of the study's seed, the patient, the epoch, the rung and the turn, never of who plays
beside it or of what was played before: a killed run resumes, and any order gives the same bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from turnwise.core.nouns import Ending, Intake, Reply, SessionSpec, Trajectory, Transcript, Turn
from turnwise.core.play import check_reply
from turnwise.core.seeds import generator
from turnwise.engine.batch import release
from turnwise.engine.ladder_bank import BankMoment, Climb, played_again, scheduled_moments
from turnwise.engine.stage import Job, Keep
from turnwise.engine.store import RunFolder

__all__ = [
    "PLAYED_RUNGS",
    "REPLIES",
    "OnReply",
    "PlayedRung",
    "StoredReply",
    "planned_replies",
    "play_replies",
    "reply_id",
]

REPLIES = "replies.jsonl"
PlayedRung = Literal["show", "resume"]
PLAYED_RUNGS: tuple[PlayedRung, ...] = ("show", "resume")
OnReply = Callable[[int, int], None]
"""Called with how many replies are there and how many there will be."""


class StoredReply(BaseModel):
    """One line of ``replies.jsonl``: what a therapist said to one moment of the bank, and where that moment stands.

    ``bank`` and ``turn`` name the moment's session and turn in ``bank.jsonl``; the words before the reply are there
    and are not stored again.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["turnwise.reply/1"] = "turnwise.reply/1"
    session_id: str
    therapist: str
    rung: PlayedRung
    bank: str
    turn: int
    key: str
    moment: str
    reply: Turn | None = None
    info: dict[str, JsonValue] = Field(default_factory=dict)
    ending: Ending = "max_turns"
    error: str | None = None

    def whole(self, bank: Trajectory) -> Trajectory:
        """Return the reply as a session: what came before it on this rung, the moment, and the reply itself."""
        first = self.turn if self.rung == "show" else 0
        turns, infos = bank.turns[first : self.turn + 1], bank.infos[first : self.turn + 1]
        return Trajectory(
            session_id=self.session_id,
            source=bank.source,
            spec=_led_by(bank, self.therapist),
            turns=turns if self.reply is None else (*turns, self.reply),
            infos=infos if self.reply is None else (*infos, self.info),
            ending=self.ending,
            error=self.error,
            meta={
                "rung": self.rung,
                "key": self.key,
                "position": self.turn,
                "moment": self.moment,
                "bank": self.bank,
            },
        )


def _led_by(bank: Trajectory, therapist: str) -> SessionSpec:
    assert bank.spec is not None, "a bank is played, never imported"
    return bank.spec.model_copy(update={"therapist": therapist})


def reply_id(bank: Trajectory, therapist: str, rung: PlayedRung, key: str) -> str:
    """Return the stable name of a reply inside a run."""
    return f"{_led_by(bank, therapist).session_id}/{rung}/{key}"


def planned_replies(bank: Trajectory, therapists: Sequence[str]) -> Iterator[str]:
    """Yield the names of all replies to the moments of one bank session, in planned order."""
    moments = scheduled_moments(bank)
    for therapist in therapists:
        for rung in PLAYED_RUNGS:
            yield from (reply_id(bank, therapist, rung, moment.key) for moment in moments)


# --- one therapist and one session of the bank ----------------------------------------------------


class _Fault(Exception):
    """What a participant did wrong, as one sentence."""


@dataclass(frozen=True, slots=True)
class _Seat:
    """One therapist on one rung of one bank session: whom to ask, and with which luck."""

    name: str
    therapist: Any
    bank: Trajectory
    intake: Intake
    rung: PlayedRung

    def rng(self, turn: int, key: str = "") -> Generator:
        spec = _led_by(self.bank, self.name)
        place = "/".join(x for x in (spec.patient, spec.case, self.rung, key) if x)
        return generator(spec.seed, place, spec.epoch, "therapist", turn)

    def init(self, key: str = "") -> Any:
        try:
            return self.therapist.init(self.intake, self.rng(-1, key))
        except Exception as fault:
            raise _Fault(f"therapist before the first turn: {type(fault).__name__}: {fault}") from fault

    async def respond(self, state: Any, transcript: Transcript, rng: Generator, at: int) -> Reply[Any]:
        try:
            reply: Reply[Any] = await self.therapist.respond(state, transcript, rng)
            check_reply("therapist", reply)
        except Exception as fault:  # a plugin's or model's fault of whatever kind is data, not a crash
            raise _Fault(f"therapist at turn {at}: {type(fault).__name__}: {fault}") from fault
        return reply

    def stored(self, moment: BankMoment, outcome: Reply[Any] | _Fault) -> StoredReply:
        place: dict[str, Any] = {
            "session_id": reply_id(self.bank, self.name, self.rung, moment.key),
            "therapist": self.name,
            "rung": self.rung,
            "bank": self.bank.session_id,
            "turn": moment.turn,
            "key": moment.key,
            "moment": moment.moment,
        }
        if not isinstance(outcome, _Fault):
            try:
                said = Turn(speaker="therapist", text=outcome.text, cues=outcome.cues)
                return StoredReply(**place, reply=said, info=dict(outcome.info), ending=outcome.closes or "max_turns")
            except (TypeError, ValueError) as fault:  # e.g. an info that is not JSON
                outcome = _Fault(f"therapist: {type(fault).__name__}: {fault}")
        return StoredReply(**place, ending="error", error=str(outcome))


async def _show(seat: _Seat, moments: Sequence[BankMoment]) -> AsyncIterator[StoredReply]:
    """Each moment on its own: a fresh therapist, the intake, and one turn of the patient."""
    for moment in moments:
        outcome: Reply[Any] | _Fault
        try:
            state = seat.init(moment.key)
            alone = (seat.bank.turns[moment.turn],)
            outcome = await seat.respond(state, alone, seat.rng(1, moment.key), 1)
        except _Fault as fault:
            outcome = fault
        yield seat.stored(moment, outcome)


async def _resume(seat: _Seat, moments: Sequence[BankMoment]) -> AsyncIterator[StoredReply]:
    """One pass through the bank session: the therapist answers every prefix, and hears the bank's words as its own.

    What it would have said at a moment is the reply; everything else that it says is discarded, only the state goes
    on. Who carries no state is asked at the moments alone.
    """
    at_turn = {moment.turn + 1: moment for moment in moments}
    try:
        state = seat.init()
        stateless = state is None or getattr(seat.therapist, "stateless", False) is True
        closed: int | None = None
        for turn in sorted(at_turn) if stateless else _spoken_to(seat.bank, max(at_turn)):
            if closed is not None:
                raise _Fault(f"therapist closed at turn {closed} of the replayed history")
            reply = await seat.respond(state, seat.bank.turns[:turn], seat.rng(turn), turn)
            if turn in at_turn:
                yield seat.stored(at_turn.pop(turn), reply)
            if not stateless:
                state, closed = reply.state, turn if reply.closes else None
    except _Fault as fault:
        for moment in at_turn.values():
            yield seat.stored(moment, fault)


def _spoken_to(bank: Trajectory, last: int) -> list[int]:
    """Return the turns at which a therapist spoke in the bank, up to and with ``last``."""
    spoken = [i for i, turn in enumerate(bank.turns[:last]) if turn.speaker == "therapist"]
    return [*spoken, last]


_PLAYING: dict[PlayedRung, Callable[[_Seat, Sequence[BankMoment]], AsyncIterator[StoredReply]]] = {
    "show": _show,
    "resume": _resume,
}

# --- all of them -----------------------------------------------------------------------------------


def play_replies(climb: Climb, bank: RunFolder, on_reply: OnReply | None = None) -> RunFolder:
    """Play Show and Resume of every therapist of the study against a bank, into ``replies.jsonl``.

    Appended to while playing; what is finished is not played again; put into planned order at the end.
    """
    log = RunFolder(climb.path, REPLIES)
    therapists = climb.study.therapists
    planned = [name for t in _replayed(climb, bank) for name in planned_replies(t, therapists)]
    wanted = set(planned)
    found = {} if climb.force else log.finished(errors=not climb.retry_errors)
    done = {k: v for k, v in found.items() if k in wanted}
    count = [len(done)]

    def store(reply: StoredReply) -> None:
        log.append_line(reply.model_dump_json())
        count[0] += 1
        if on_reply:
            on_reply(count[0], len(planned))

    log.open_log(list(done.values()))
    try:
        if wanted - done.keys():
            asyncio.run(_play_all(climb, _jobs(climb, bank, wanted - done.keys()), store))
    finally:
        log.close_log()
    log.order(planned)
    return log


def _replayed(climb: Climb, bank: RunFolder) -> Iterator[Trajectory]:
    return (t for t in bank.sessions() if played_again(t, climb.ladder))


_Job = tuple[str, Trajectory, frozenset[str]]


def _jobs(climb: Climb, bank: RunFolder, todo: set[str]) -> Iterator[_Job]:
    """Yield what is to be played: one therapist and one bank session at a time."""
    names = climb.study.therapists
    jobs = ((name, t, todo & set(planned_replies(t, (name,)))) for t in _replayed(climb, bank) for name in names)
    wanted = ((name, t, frozenset(missing)) for name, t, missing in jobs if missing)
    if not climb.shuffle:
        yield from wanted
        return
    found = list(wanted)
    order = generator(climb.study.seed, "order of replies", 0, "study", 0).permutation(len(found))
    yield from (found[int(i)] for i in np.asarray(order))


async def _play_all(climb: Climb, jobs: Iterator[_Job], store: Callable[[StoredReply], None]) -> None:
    def job(name: str, bank: Trajectory, missing: frozenset[str]) -> Job:
        async def replies(keep: Keep) -> Trajectory:
            last = bank
            async for reply in _replies(climb, name, bank, missing):
                keep(reply)
                last = reply.whole(bank)
            return last

        return Job(f"{_led_by(bank, name).session_id}/ladder", name, replies, store)

    try:
        await climb.cast.stage.run((job(*one) for one in jobs), climb.concurrency)
    finally:
        await release(climb.cast)


async def _replies(climb: Climb, name: str, bank: Trajectory, missing: frozenset[str]) -> AsyncIterator[StoredReply]:
    intake = climb.cast.cases[_led_by(bank, name).case].intake
    for rung, play_rung in _PLAYING.items():
        moments = [m for m in scheduled_moments(bank) if reply_id(bank, name, rung, m.key) in missing]
        if moments:
            async for stored in play_rung(_Seat(name, climb.cast.therapists[name], bank, intake, rung), moments):
                yield stored
