"""The rungs below a live session: a moment met after the greetings (*Show*), and after a replayed history (*Resume*).

Every reply is a function of the study's seed, the patient, the epoch, the rung and the turn, never of who plays
beside it or of what was played before: a killed run resumes, and any order gives the same bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
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
    and are not stored again, but for ``before``: what the therapist itself had said on *Show*.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["turnwise.reply/1", "turnwise.reply/2"] = "turnwise.reply/2"
    session_id: str
    therapist: str
    rung: PlayedRung
    bank: str
    turn: int
    key: str
    moment: str
    before: tuple[Turn, ...] = ()
    reply: Turn | None = None
    info: dict[str, JsonValue] = Field(default_factory=dict)
    ending: Ending = "max_turns"
    error: str | None = None

    def whole(self, bank: Trajectory) -> Trajectory:
        """Return the reply as a session: what came before it on this rung, the moment, and the reply itself."""
        turns, infos = self._heard(bank)
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

    def _heard(self, bank: Trajectory) -> tuple[Transcript, tuple[Mapping[str, JsonValue], ...]]:
        """Return what the therapist had before it, with what is known of each turn."""
        if self.rung == "resume":
            return bank.turns[: self.turn + 1], bank.infos[: self.turn + 1]
        alone = shown(bank, self.turn, self.before)
        return alone, tuple(bank.infos[at] if at >= 0 else {} for at in _places(self.turn, self.before))


def shown(bank: Trajectory, turn: int, before: Sequence[Turn]) -> Transcript:
    """Return what a therapist has before it when a moment is shown: its own opening, answered, and the moment.

    ``before`` holds the turns of the therapist's own: none, as in runs of before 0.8; the opening alone, where the
    moment is itself the answer to it; or the opening and what it said to the patient's first words.
    """
    own = iter(before)
    *earlier, _ = (bank.turns[at] if at >= 0 else next(own) for at in _places(turn, before))
    return (*earlier, _moment_alone(bank, turn))


def _moment_alone(bank: Trajectory, turn: int) -> Turn:
    """Return the patient's turn without what led up to it there: an answer to the bank's therapist, a turn aside."""
    said = bank.info(turn).get("said")
    words = said.get("words") if isinstance(said, dict) else None
    return bank.turns[turn].model_copy(update={"text": words}) if isinstance(words, str) and words else bank.turns[turn]


_ANSWER = 1
"""Where the patient's answer to an opening stands in a session."""


def _places(turn: int, before: Sequence[Turn]) -> tuple[int, ...]:
    """Return the turns of the bank that are shown, in order; -1 for a turn of the therapist's own."""
    return {0: (turn,), 1: (-1, turn), 2: (-1, _ANSWER, -1, turn)}[len(before)]


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

    def stored(self, moment: BankMoment, outcome: Reply[Any] | _Fault, before: tuple[Turn, ...] = ()) -> StoredReply:
        place: dict[str, Any] = {
            "session_id": reply_id(self.bank, self.name, self.rung, moment.key),
            "therapist": self.name,
            "rung": self.rung,
            "bank": self.bank.session_id,
            "turn": moment.turn,
            "key": moment.key,
            "moment": moment.moment,
            "before": before,
        }
        if not isinstance(outcome, _Fault):
            try:
                said = _said(outcome)
                return StoredReply(**place, reply=said, info=dict(outcome.info), ending=outcome.closes or "max_turns")
            except (TypeError, ValueError) as fault:  # e.g. an info that is not JSON
                outcome = _Fault(f"therapist: {type(fault).__name__}: {fault}")
        return StoredReply(**place, ending="error", error=str(outcome))


def _said(reply: Reply[Any]) -> Turn:
    return Turn(speaker="therapist", text=reply.text, cues=reply.cues)


async def _show(seat: _Seat, moments: Sequence[BankMoment]) -> AsyncIterator[StoredReply]:
    """Each moment on its own, with an opening of the therapist's own behind it, which is the same for all of them."""
    opened: dict[int, tuple[tuple[Turn, ...], Any]] = {}
    for moment in moments:
        turns = 1 if moment.turn == _ANSWER else 2
        if turns not in opened:
            opened[turns] = await _opened(seat, turns)
        before, state = opened[turns]
        if isinstance(state, _Fault):
            yield seat.stored(moment, state, before)
            continue
        heard = shown(seat.bank, moment.turn, before)
        outcome: Reply[Any] | _Fault
        try:
            outcome = await seat.respond(state, heard, seat.rng(len(heard), moment.key), len(heard))
        except _Fault as fault:
            outcome = fault
        yield seat.stored(moment, outcome, before)


async def _opened(seat: _Seat, turns: int) -> tuple[tuple[Turn, ...], Any]:
    """Return the first ``turns`` turns of a therapist and the state after them, or what went wrong in them."""
    said: tuple[Turn, ...] = ()
    heard: Transcript = ()
    try:
        state = seat.init()
        while len(said) < turns:
            reply = await seat.respond(state, heard, seat.rng(len(heard)), len(heard))
            if reply.closes:
                raise _Fault(f"therapist closed at turn {len(heard)}, before a moment came")
            said, state = (*said, _said(reply)), reply.state
            heard = (*heard, said[-1], seat.bank.turns[_ANSWER])
    except _Fault as fault:
        return said, fault
    return said, state


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
