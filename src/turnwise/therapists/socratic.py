"""The Socratic therapist: perceive, update the belief, choose an act, speak, validate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

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

__all__ = ["Plan", "Seen", "Socratic", "SocraticState", "socratic"]

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
class Seen:
    """One patient turn as perceived, with what it did to the belief."""

    text: str
    heard: Heard
    signs: Signs | None
    update: UpdateInfo | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done next: the act, what it is about, our own wording of it, and why.

    ``duty`` names what has to be answered before anything else (risk, identity, a goodbye), or is
    empty. ``line`` is the embedded wording, already checked: whoever words the act otherwise can
    always come back to it.
    """

    act: Act
    target: str
    line: Line
    why: str = ""
    duty: Duty | Literal[""] = ""


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
        state, seen = await self.perceive(state, transcript)
        plan = self.plan(state, seen, rng)
        return self.settle(state, seen, plan, plan.line.text)

    async def perceive(self, state: SocraticState, transcript: Transcript) -> tuple[SocraticState, Seen | None]:
        """Return the state after the patient's last turn and what was seen in it; ``None`` before the first word."""
        if not transcript:
            return state, None
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
        return state, Seen(text, turn, signs, update)

    def plan(self, state: SocraticState, seen: Seen | None, rng: Generator) -> Plan:
        """Return what to do next, with a wording of ours that passed every check."""
        if seen is None:
            return Plan(ACTS["open_question"], "", Line(*draw("opening", OPENINGS, (), rng)))
        owed = duty(seen.text, asked_about_risk=state.asked_about_risk)
        if owed is not None:
            key, words = draw(owed, DUTY_LINES[owed], state.ledger.used, rng)
            act = Act("safety_check" if owed.startswith("risk") else owed, "support", 0.0, 2, _FALL_BACK.value)
            return Plan(act, owed, Line(key, words), duty=owed)
        asked = asks(seen.text)
        if asked is not None and (line := _sound(answers(asked, seen.text, rng), _GIVE, state)):
            return Plan(_GIVE, asked, line)
        if seeks_agreement(seen.text) and (line := _sound(disagreements(rng), _HOLD, state)):
            return Plan(_HOLD, "belief", line)
        return _guided(state, seen, rng)

    def settle(self, state: SocraticState, seen: Seen | None, plan: Plan, text: str) -> Reply[SocraticState]:
        """Return the reply that says ``text`` for ``plan``, with what is kept in mind of it."""
        line, before = replace(plan.line, text=text), state.ledger
        ledger = replace(
            before,
            moves=(*before.moves, plan.act.move),
            last_class=plan.act.kind,
            said=before.said | {line.text},
            used=(*before.used, *line.id.split("+")),
            synthesised=len(before.against) if plan.act.move == "synthesise" else before.synthesised,
            kept=before.kept[-1:] if plan.act.move == "summarise" else before.kept,
        )
        after = replace(state, ledger=ledger, asked_about_risk=plan.duty == "risk")
        closes: Literal["therapist_closed"] | None = "therapist_closed" if plan.duty == "goodbye" else None
        return Reply(text, after, _info(state, seen, plan), closes=closes)


def _sound(lines: Iterable[Line], act: Act, state: SocraticState) -> Line | None:
    """Return the first line that passes every check, frames not used lately first."""
    good = [line for line in lines if fault(line, act, state.ledger, state.belief) is None]
    recent = set(state.ledger.used[-_LATEST:])
    return next((line for line in good if not recent & set(line.id.split("+"))), None) or next(
        (line for line in good if not set(state.ledger.used[-6:]) & set(line.id.split("+"))), None
    )


def _guided(state: SocraticState, seen: Seen, rng: Generator) -> Plan:
    turn, signs = seen.heard, seen.signs
    ranked = choose(state.belief, state.ledger, turn, bearable(state.edge), rng)
    new = signs is not None and "insight" in signs.present and share(state.belief, "resisting", "withdrawing") < 0.4
    if new and state.ledger.since("consolidate") >= 2:
        ranked = [ACTS["consolidate"], *ranked]
    for act in ranked:
        line = _sound(candidates(act.move, state.ledger, turn, rng), act, state)
        if line is not None:
            target = state.ledger.thought if act.stage == 4 else (line.quoted[0] if line.quoted else line.feeling)
            return Plan(act, target, line)
    key, spare = draw("opening", OPENINGS, state.ledger.used, rng)
    line = _sound(fallbacks(state.ledger, turn, rng), _FALL_BACK, state) or Line(key, spare)
    return Plan(_FALL_BACK, "", line)


def _info(state: SocraticState, seen: Seen | None, plan: Plan) -> dict[str, JsonValue]:
    act = plan.act
    update = seen.update if seen else None
    signs = seen.signs if seen else None
    evidence = None if update is None else update.log_evidence
    present: list[JsonValue] = [*sorted(signs.present)] if signs else []
    return {
        "act": {
            "move": act.move, "target": plan.target, "intensity": round(act.intensity, 6), "stage": act.stage,
            "why": plan.why,
        },
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
    }  # fmt: skip


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
