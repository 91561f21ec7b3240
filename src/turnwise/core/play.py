"""The one session loop. Every engine, trainer and page plays through here.

The therapist opens; ``max_turns`` counts therapist turns. Whoever closes, closes through the
typed field of a reply. When the therapist closes, the patient still answers the goodbye. What a
participant raises is a fault of the world outside: the session ends ``error`` and is kept.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import JsonValue

from turnwise.core.contracts import Patient, Therapist
from turnwise.core.errors import BoundaryError
from turnwise.core.nouns import Case, Course, Ending, Reply, SessionSpec, Speaker, Trajectory, Turn
from turnwise.core.seeds import Role, generator

__all__ = ["check_reply", "play"]

_MAY_CLOSE: dict[Speaker, tuple[Ending, ...]] = {
    "therapist": ("therapist_closed",),
    "patient": ("patient_closed", "patient_left", "patient_faded"),
}
OnTurn = Callable[[Turn], None]


class _Session:
    """What has happened so far; the loop below only decides who is next."""

    def __init__(self, spec: SessionSpec) -> None:
        self.spec = spec
        self.turns: tuple[Turn, ...] = ()
        self.infos: list[dict[str, JsonValue]] = []

    def rng(self, role: Role, turn: int) -> Any:
        return generator(self.spec.seed, self.spec.luck, self.spec.epoch, role, turn)

    async def step(self, who: Speaker, participant: Any, state: Any) -> Reply[Any]:
        respond: Callable[..., Awaitable[Reply[Any]]] = participant.respond
        try:
            reply = await respond(state, self.turns, self.rng(who, len(self.turns)))
            check_reply(who, reply)
            turn = Turn(speaker=who, text=reply.text, cues=reply.cues)
        except Exception as fault:  # a plugin's or model's fault of whatever kind is data, not a crash
            raise BoundaryError(f"{who} at turn {len(self.turns)}: {type(fault).__name__}: {fault}") from fault
        self.turns += (turn,)
        self.infos.append(dict(reply.info))
        return reply

    def ended(self, ending: Ending, error: str | None = None) -> Trajectory:
        return Trajectory(
            session_id=self.spec.session_id,
            source="simulated",
            spec=self.spec,
            turns=self.turns,
            infos=tuple(self.infos),
            ending=ending,
            error=error,
        )


def check_reply(who: Speaker, reply: object) -> None:
    """Raise what is wrong with a reply: not a reply, no words and no cue, or an ending that is not its to bring."""
    if not isinstance(reply, Reply):
        raise TypeError(f"returned {type(reply).__name__} instead of a Reply")
    if not isinstance(reply.text, str):
        raise TypeError(f"said {type(reply.text).__name__} instead of text")
    if not reply.text.strip() and not reply.cues:
        raise ValueError("said nothing, and no cue says that it was a silence")
    if reply.closes is not None and reply.closes not in _MAY_CLOSE[who]:
        raise ValueError(f"cannot end a session with {reply.closes!r}")


async def play(
    spec: SessionSpec,
    case: Case,
    patient: Patient[Any],
    therapist: Therapist[Any],
    *,
    prior: Course | None = None,
    on_turn: OnTurn | None = None,
) -> Trajectory:
    """Play one session and return it, however it ended.

    Parameters
    ----------
    spec : the recipe; equal recipes give equal sessions, byte for byte on one machine.
    case : who the patient is; the therapist is given ``case.intake`` and nothing else.
    patient, therapist : implementations of the two protocols.
    prior : earlier sessions of the pair, if any.
    on_turn : called with every turn as it is spoken (a live page, a progress bar).

    Returns
    -------
    A trajectory with parallel ``turns`` and ``infos``; ``ending`` is ``"error"`` when a
    participant failed, with one sentence in ``error``.
    """
    session = _Session(spec)
    try:
        p_state = _init(patient.init, case, session.rng("patient", -1), prior, "patient")
        t_state = _init(therapist.init, case.intake, session.rng("therapist", -1), prior, "therapist")
        for _ in range(spec.max_turns):
            said = await session.step("therapist", therapist, t_state)
            t_state = said.state
            if on_turn:
                on_turn(session.turns[-1])
            answer = await session.step("patient", patient, p_state)
            p_state = answer.state
            if on_turn:
                on_turn(session.turns[-1])
            # A patient who walks out at the goodbye has walked out.
            ending = answer.closes or said.closes
            if ending is not None:
                return session.ended(ending)
        return session.ended("max_turns")
    except BoundaryError as fault:
        return session.ended("error", str(fault))


def _init(init: Callable[..., Any], who: object, rng: Any, prior: Course | None, role: str) -> Any:
    try:
        return init(who, rng, prior)
    except Exception as fault:
        raise BoundaryError(f"{role} before the first turn: {type(fault).__name__}: {fault}") from fault
