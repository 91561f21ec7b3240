"""The Socratic therapist: perceive, update the belief, choose an act, speak, validate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.belief.filter import UpdateInfo, entropy
from turnwise.core.nouns import Belief, Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.reading.window import CONTEXT, Window
from turnwise.therapists.choosing import ACTS, Act, choose
from turnwise.therapists.duties import DUTY_LINES, Duty, duty
from turnwise.therapists.giving import answers, disagreements
from turnwise.therapists.guiding import candidates, fallbacks
from turnwise.therapists.ledger import Ledger, heard, normal, share
from turnwise.therapists.markers import asks, seeks_agreement
from turnwise.therapists.questions import OPENINGS
from turnwise.therapists.reflecting import Heard, Line, heard_in
from turnwise.therapists.stance import STANCES, Signs, initial, moved, signs_in
from turnwise.therapists.validating import fault
from turnwise.therapists.wording import draw, last_said
from turnwise.therapists.working_edge import EDGES, bearable, initial_edge, moved_edge

__all__ = ["Socratic", "SocraticState", "socratic"]

_GIVE = Act("give", "offer", 0.2, 1, (0.0,) * len(STANCES))
_HOLD = Act("hold", "support", 0.3, 4, (0.0,) * len(STANCES))
_FALL_BACK = Act("fall_back", "support", 0.0, 2, (0.0,) * len(STANCES))
_LATEST = 40  # ids of lines kept in mind: beyond that a frame may come again with other words


@dataclass(frozen=True, slots=True)
class SocraticState:
    """Two beliefs (stance, working edge), the ledger, and whether risk was just asked about."""

    belief: Belief
    edge: Belief
    ledger: Ledger = field(default_factory=Ledger)
    asked_about_risk: bool = False


@dataclass(frozen=True, slots=True)
class _Seen:
    """One patient turn as perceived, with what it did to the belief."""

    text: str
    heard: Heard
    signs: Signs | None
    update: UpdateInfo | None


class Socratic:
    """Guided discovery with the belief in the middle. Holds its ear and one switch, no state."""

    def __init__(self, ear: Ear, *, frozen: bool) -> None:
        self._ear = ear
        self._frozen = frozen

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> SocraticState:
        """Return the state before the first word."""
        return SocraticState(initial(), initial_edge())

    async def respond(self, state: SocraticState, transcript: Transcript, rng: Generator) -> Reply[SocraticState]:
        """Open the session, or answer what was just said."""
        if not transcript:
            opening = Line(*draw("opening", OPENINGS, (), rng))
            return _reply(state, None, opening, ACTS["open_question"], "")
        state, seen = await self._perceive(state, transcript)
        owed = duty(seen.text, asked_about_risk=state.asked_about_risk)
        if owed is not None:
            return _dutiful(state, seen, owed, rng)
        asked = asks(seen.text)
        if asked is not None and (line := _sound(answers(asked, seen.text, rng), _GIVE, state)):
            return _reply(state, seen, line, _GIVE, asked)
        if seeks_agreement(seen.text) and (line := _sound(disagreements(rng), _HOLD, state)):
            return _reply(state, seen, line, _HOLD, "belief")
        return _guide(state, seen, rng)

    async def _perceive(self, state: SocraticState, transcript: Transcript) -> tuple[SocraticState, _Seen]:
        hearing = await self._ear.hear(Window(transcript[-1], tuple(transcript[-1 - CONTEXT : -1])))
        text = last_said(transcript)
        turn = heard_in(text)
        ledger = state.ledger
        signs = signs_in(text, hearing, ledger.lengths, feeling=bool(turn.feelings))
        belief, edge, update = state.belief, state.edge, None
        # The same words again are the same evidence, and count once.
        if not self._frozen and normal(text) and normal(text) != ledger.last_text:
            belief, update = moved(state.belief, signs, ledger.last_class)
            edge, _ = moved_edge(state.edge, signs, ledger.last_class)
        state = replace(state, belief=belief, edge=edge, ledger=heard(ledger, turn, signs))
        return state, _Seen(text, turn, signs, update)


def _sound(lines: Iterable[Line], act: Act, state: SocraticState) -> Line | None:
    """Return the first line that passes every check, frames not used lately first."""
    good = [line for line in lines if fault(line, act, state.ledger, state.belief) is None]
    recent = set(state.ledger.used[-_LATEST:])
    return next((line for line in good if not recent & set(line.id.split("+"))), None) or next(
        (line for line in good if not set(state.ledger.used[-6:]) & set(line.id.split("+"))), None
    )


def _guide(state: SocraticState, seen: _Seen, rng: Generator) -> Reply[SocraticState]:
    turn, signs = seen.heard, seen.signs
    ranked = choose(state.belief, state.ledger, turn, bearable(state.edge), rng)
    new = signs is not None and "insight" in signs.present and share(state.belief, "resisting", "withdrawing") < 0.4
    if new and state.ledger.since("consolidate") >= 2:
        ranked = [ACTS["consolidate"], *ranked]
    for act in ranked:
        line = _sound(candidates(act.move, state.ledger, turn, rng), act, state)
        if line is not None:
            target = state.ledger.thought if act.stage == 4 else (line.quoted[0] if line.quoted else line.feeling)
            return _reply(state, seen, line, act, target)
    key, spare = draw("opening", OPENINGS, state.ledger.used, rng)
    line = _sound(fallbacks(state.ledger, turn, rng), _FALL_BACK, state) or Line(key, spare)
    return _reply(state, seen, line, _FALL_BACK, "")


def _dutiful(state: SocraticState, seen: _Seen, owed: Duty, rng: Generator) -> Reply[SocraticState]:
    key, line = draw(owed, DUTY_LINES[owed], state.ledger.used, rng)
    act = Act("safety_check" if owed.startswith("risk") else owed, "support", 0.0, 2, _FALL_BACK.value)
    reply = _reply(state, seen, Line(key, line), act, owed)
    after = replace(reply.state, asked_about_risk=owed == "risk")
    return replace(reply, state=after, closes="therapist_closed" if owed == "goodbye" else None)


def _reply(state: SocraticState, seen: _Seen | None, line: Line, act: Act, target: str) -> Reply[SocraticState]:
    before = state.ledger
    ledger = replace(
        before,
        moves=(*before.moves, act.move),
        last_class=act.kind,
        said=before.said | {line.text},
        used=(*before.used, *line.id.split("+")),
        synthesised=len(before.against) if act.move == "synthesise" else before.synthesised,
        kept=before.kept[-1:] if act.move == "summarise" else before.kept,
    )
    after = replace(state, ledger=ledger, asked_about_risk=False)
    return Reply(line.text, after, _info(state, seen, act, target))


def _info(state: SocraticState, seen: _Seen | None, act: Act, target: str) -> dict[str, JsonValue]:
    update = seen.update if seen else None
    signs = seen.signs if seen else None
    evidence = None if update is None else update.log_evidence
    present: list[JsonValue] = [*sorted(signs.present)] if signs else []
    return {
        "act": {"move": act.move, "target": target, "intensity": round(act.intensity, 6), "stage": act.stage},
        "belief": {name: round(float(p), 6) for name, p in zip(STANCES, state.belief.p, strict=True)},
        "edge": {name: round(float(p), 6) for name, p in zip(EDGES, state.edge.p, strict=True)},
        "bears": round(bearable(state.edge), 6),
        "entropy": round(entropy(state.belief), 6),
        "gain": round(update.gain, 6) if update else 0.0,
        "surprise": None if evidence is None else round(-evidence, 6),
        "evidence": {
            "signs": present,
            "length": ("short", "usual", "long")[signs.length] if signs else None,
            "thought": state.ledger.thought,
            "against": list(state.ledger.against),
        },
    }


@therapist(
    name="socratic.v1",
    source="definition of this project; stages after Padesky (2020); tracking after Gelpí, Xue & Cunningham (2025)",
    emits=("act.move", "belief", "edge", "bears", "entropy", "evidence"),
)
def socratic(*, ear: Ear, frozen: bool = False) -> Socratic:
    """Guided discovery: keeps a belief about the patient's stance and acts by expected value under it.

    Its model of the patient is its own and coarse. ``surprise`` is the negative log evidence of the
    tempered likelihood, in nats up to a constant: comparable within a session, not a probability.

    Parameters
    ----------
    ear : what it hears with.
    frozen : never update the belief, and so act from the prior (the ablation).
    """
    return Socratic(ear, frozen=frozen)
