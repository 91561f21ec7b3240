"""A participant's next reply from a transcript alone: its state is rebuilt by playing the transcript through it.

Whoever serves participants to others keeps no sessions: each request brings the whole session. The participant hears
every prefix that it answered, what it would have said is discarded for what the transcript says it said, and only its
state goes on (teacher forcing, as on the ladder's Resume). States of prefixes that were met before are kept in a
bounded store; that can change no word.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from turnwise.core.errors import BoundaryError, UsageError
from turnwise.core.nouns import Case, Intake, Reply, Speaker, Transcript
from turnwise.core.play import check_reply
from turnwise.engine.luck import Luck

__all__ = ["Replayer", "Seat", "SessionOver"]

_KEPT = 1_024


class SessionOver(UsageError):
    """The transcript goes on after the participant had closed it."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who answers: the participant, its role and luck, and what it is told at the start (a case, or an intake)."""

    name: str
    role: Speaker
    participant: Any
    told: Case | Intake
    luck: Luck

    @property
    def key(self) -> str:
        """Whatever decides, beside the transcript, what is said."""
        told = self.told.id if isinstance(self.told, Case) else self.told.model_dump_json()
        return f"{self.role}\0{self.name}\0{self.luck}\0{told}"


class Replayer:
    """Answers transcripts, of several threads at a time. ``kept`` bounds how many replies, with their states, stay."""

    def __init__(self, kept: int = _KEPT) -> None:
        self._kept = kept
        self._replies: OrderedDict[bytes, Reply[Any]] = OrderedDict()
        self._lock = threading.Lock()

    async def reply(self, seat: Seat, turns: Transcript) -> Reply[Any]:
        """Return the reply of ``seat`` to ``turns``.

        Raises
        ------
        UsageError : there is nothing to answer: its own turn is the last, nothing was said to a patient, or the
            patient speaks first.
        SessionOver : it had closed the session at an earlier turn.
        BoundaryError : the participant failed.
        """
        if turns and turns[-1].speaker == seat.role:
            raise UsageError("the last message is the assistant's own; end with what the other side says.")
        if not turns and seat.role == "patient":
            raise UsageError("nothing was said to the patient yet; the therapist, who is the user here, opens.")
        if seat.role == "patient" and turns[0].speaker == "patient":
            raise UsageError("the first message is the patient's own; the therapist, who is the user here, opens.")
        keys = _keys(seat, turns)
        own = [i for i, turn in enumerate(turns) if turn.speaker == seat.role]
        known, met = next(
            ((n, found) for n in range(len(own), 0, -1) if (found := self._found(keys[own[n - 1]])) is not None),
            (0, None),
        )
        state = self._begun(seat) if met is None else self._open(met, own[known - 1])
        for i in own[known:]:
            state = self._open(await self._asked(seat, state, turns[:i], keys[i]), i)
            await asyncio.sleep(0)  # a long transcript must not hold up the others
        last = self._found(keys[-1])
        return last if last is not None else await self._asked(seat, state, turns, keys[-1])

    def _found(self, key: bytes) -> Reply[Any] | None:
        with self._lock:
            if key in self._replies:
                self._replies.move_to_end(key)
            return self._replies.get(key)

    def _open(self, reply: Reply[Any], turn: int) -> Any:
        """Return the state after a reply, unless it closed the session."""
        if reply.closes is not None:
            raise SessionOver(f"the session was over at turn {turn} ({reply.closes}); begin another.")
        return reply.state

    def _begun(self, seat: Seat) -> Any:
        try:
            return seat.participant.init(seat.told, seat.luck.rng(seat.role, -1))
        except Exception as fault:
            raise BoundaryError(f"{seat.name} failed before the first turn ({type(fault).__name__})") from fault

    async def _asked(self, seat: Seat, state: Any, turns: Transcript, key: bytes) -> Reply[Any]:
        try:
            reply: Reply[Any] = await seat.participant.respond(state, turns, seat.luck.rng(seat.role, len(turns)))
            check_reply(seat.role, reply)
        except Exception as fault:  # what it says of it may quote what was said
            raise BoundaryError(f"{seat.name} failed at turn {len(turns)} ({type(fault).__name__})") from fault
        with self._lock:
            self._replies[key] = reply
            while len(self._replies) > self._kept:
                self._replies.popitem(last=False)
        return reply


def _keys(seat: Seat, turns: Transcript) -> list[bytes]:
    """Return one key for every prefix of ``turns``, the empty one first."""
    digest = hashlib.sha256(seat.key.encode("utf-8", "surrogatepass"))
    keys = [digest.digest()]
    for turn in turns:
        words = turn.model_dump_json().encode()
        digest.update(len(words).to_bytes(8, "big") + words)
        keys.append(digest.digest())
    return keys
