"""The Socratic therapist: perceive, update the beliefs, choose an act, speak, validate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.random import Generator
from pydantic import JsonValue

from turnwise.belief.filter import UpdateInfo, entropy, prior
from turnwise.core.nouns import Belief, Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.therapists.acts import ACTS, NO_ACT, Act
from turnwise.therapists.amnesiac_lines import LINES
from turnwise.therapists.choosing import Known, Policy, choose
from turnwise.therapists.duties import DUTY_LINES, identity_lines
from turnwise.therapists.guiding import candidates, fallbacks
from turnwise.therapists.inviting import only_asks_for_more
from turnwise.therapists.ledger import Ledger, done, heard, normal
from turnwise.therapists.questions import OPENINGS
from turnwise.therapists.recognising import Call, asks_to_be_remembered
from turnwise.therapists.reflecting import Heard, Line, heard_in
from turnwise.therapists.safety_answers import back_at
from turnwise.therapists.safety_lines import with_help
from turnwise.therapists.spoken import is_non_answer
from turnwise.therapists.stance import Signs, initial, moved, signs_in
from turnwise.therapists.standing_by import takes_up
from turnwise.therapists.staying_safe import (
    SAFETY_LINES,
    SafetyStep,
    asked_who,
    asked_with,
    goodbye_lines,
    help_for,
    lines_for,
    safety_due,
)
from turnwise.therapists.suiting import AT_WHAT_IS_SAID
from turnwise.therapists.tact import load_tact
from turnwise.therapists.tact_aspects import Setting, setting_of
from turnwise.therapists.topics import lately
from turnwise.therapists.tracking.levels import act_group, band_shares, expected, initial_levels, moved_levels, observed
from turnwise.therapists.tracking.needs import BASE, NEEDS, perceived
from turnwise.therapists.tracking.taking_in import take_in, window_of
from turnwise.therapists.tracking.talking_here import answered_here
from turnwise.therapists.validating import fault
from turnwise.therapists.wording import asked_in, asks_alike, draw
from turnwise.therapists.working_edge import bearable, initial_edge, moved_edge

__all__ = ["TACT", "Plan", "Seen", "Socratic", "SocraticState", "socratic"]

_FALL_BACK = Act("fall_back", "support", 0.0, 2, NO_ACT)
_LATEST = 40  # ids of lines kept in mind: beyond that a frame may come again with other words
_DUE: tuple[Call, ...] = ("goodbye", "silence", "identity", "memory", "care")
"""Calls that any responsible therapist answers before anything else, danger apart: the mask before all values."""
_DUE_LINES: Mapping[str, tuple[str, ...]] = {**dict(DUTY_LINES.items()), "care": LINES["care"]}
_LONG_AGO = 1000  # turns: never
_ENDS_AFTER = 24  # patient turns after which a session that was brought together is closed


@dataclass(frozen=True, slots=True)
class SocraticState:
    """Beliefs (stance, working edge, need, levels by variable), the ledger, and how far the talk of danger has come.

    ``safety`` is the step of ``staying_safe`` just taken (empty: none), ``stayed`` the turns it was stayed with.
    """

    belief: Belief
    edge: Belief
    ledger: Ledger = field(default_factory=Ledger)
    safety: str = ""
    stayed: int = 0
    need: Belief | None = None
    levels: Mapping[str, Belief] = field(default_factory=initial_levels)

    @property
    def known(self) -> Known:
        """What an act is chosen by."""
        need = self.need or _no_need()
        return Known(self.belief, self.edge, need, self.levels, bearable(self.edge))


def _no_need() -> Belief:
    return prior(NEEDS, BASE)


@dataclass(frozen=True, slots=True)
class Seen:
    """One patient turn as perceived, with what it did to the belief about the stance."""

    text: str
    heard: Heard
    signs: Signs | None
    update: UpdateInfo | None
    call: Call = "telling"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done next: the act, what it is about, our own wording of it, and why.

    ``duty`` names what has to be answered before anything else (risk, identity, a goodbye), or is
    empty. ``line`` is the embedded wording, already checked: whoever words the act otherwise can
    always come back to it. ``rejected`` counts lines of ours that failed a check.
    """

    act: Act
    target: str
    line: Line
    why: str = ""
    duty: str = ""
    rejected: int = 0


class Socratic:
    """Guided discovery with the belief in the middle. Holds its ear and its policy, no state."""

    def __init__(self, ear: Ear, policy: Policy | None = None) -> None:
        self._ear = ear
        self.policy = policy or Policy()

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> SocraticState:
        """Return the state before the first word, with what was agreed in earlier sessions."""
        before = tuple(a.text for a in prior.agreed) if prior else ()
        return SocraticState(initial(), initial_edge(), Ledger(before=before))

    async def respond(self, state: SocraticState, transcript: Transcript, rng: Generator) -> Reply[SocraticState]:
        """Open the session, or answer what was just said."""
        state, seen = await self.perceive(state, transcript)
        plan = self.plan(state, seen, rng)
        return self.settle(state, seen, plan, plan.line.text)

    async def perceive(self, state: SocraticState, transcript: Transcript) -> tuple[SocraticState, Seen | None]:
        """Return the state after the patient's last turn and what was seen in it; ``None`` before the first word."""
        if not transcript:
            return state, None
        taken = take_in(transcript)
        hearing = await self._ear.hear(window_of(transcript, taken))
        text, turn, ledger, after = taken.main, taken.heard, state.ledger, state.ledger.last_class
        signs = signs_in(text, hearing, ledger.lengths, feeling=bool(turn.feelings))
        need, _ = perceived(text, hearing, after)
        belief, edge, levels, update = state.belief, state.edge, state.levels, None
        # The same words again are the same evidence, and count once.
        if self.policy.tracks and normal(turn.text) and normal(turn.text) != ledger.last_text:
            belief, update = moved(belief, signs, after)
            up = takes_up(ledger.moves, signs, turn.text)
            edge, _ = moved_edge(edge, signs, after, taken_up=up)
            group = act_group(ledger.moves[-1], after) if ledger.lengths else None
            here = answered_here(taken.main) if ledger.moves[-1:] == ("check_in",) else None
            pressed = after in ("challenge", "offer")
            levels = moved_levels(levels, observed(signs, taken.call, pressed=pressed, taken_up=up, here=here), group)
        likeliest = NEEDS[int(need.p.argmax())]
        ledger = heard(ledger, turn, signs, likeliest, answered=taken.answered)
        state = replace(state, belief=belief, edge=edge, levels=levels, need=need, ledger=ledger)
        return state, Seen(text, turn, signs, update, taken.call)

    def plan(self, state: SocraticState, seen: Seen | None, rng: Generator) -> Plan:
        """Return what to do next, with a wording of ours that passed every check."""
        if seen is None:
            return _opening(state, rng)
        owed = _owed(seen, state)
        if owed is not None:
            name, bank = _due_lines(owed, seen, state)
            key, words = draw(name, bank, state.ledger.used, rng)
            help_name, help_lines = help_for(owed, seen.text, state.ledger.used) if owed in SAFETY_LINES else ("", ())
            if help_lines:
                help_key, sentence = draw(help_name, help_lines, state.ledger.used, rng)
                key, words = f"{key}+{help_key}", with_help(words, sentence)
            act = Act("safety_check" if owed.startswith("risk") else owed, "support", 0.0, 2, NO_ACT)
            return Plan(act, owed, Line(key, words), f"{owed}: owed before anything else is chosen.", owed)
        if _is_over(state.ledger):
            key, words = draw("goodbye", goodbye_lines(state.ledger.moves), state.ledger.used, rng)
            act = Act("goodbye", "support", 0.0, 3, NO_ACT)
            return Plan(act, "", Line(key, words), "goodbye: what there was to bring together was.", "goodbye")
        return self._guided(state, seen, rng)

    def settle(self, state: SocraticState, seen: Seen | None, plan: Plan, text: str) -> Reply[SocraticState]:
        """Return the reply that says ``text`` for ``plan``, with what is kept in mind of it."""
        move, line = plan.act.move, plan.line
        viewed = line.quoted[0] if move in AT_WHAT_IS_SAID and line.id.startswith("quoted.") else ""
        before = done(state.ledger, move, plan.target, viewed)
        ledger = replace(
            before,
            moves=(*before.moves, move),
            last_class=plan.act.kind,
            said=before.said | {text},
            used=(*before.used, *plan.line.id.split("+")),
            bare=only_asks_for_more(text),
            synthesised=len(before.against) if move == "synthesise" else before.synthesised,
            kept=before.kept[-1:] if move == "summarise" else before.kept,
        )
        after = _with_safety(replace(state, ledger=ledger), plan)
        closes: Literal["therapist_closed"] | None = "therapist_closed" if plan.duty == "goodbye" else None
        return Reply(text, after, _info(state, seen, plan), closes=closes)

    def _guided(self, state: SocraticState, seen: Seen, rng: Generator) -> Plan:
        """Return the act and the line that are worth most together: what the act is worth less what the line costs."""
        turn, best, rejected = seen.heard, None, 0
        at = setting_of(state.ledger, turn) if self.policy.validates else None
        for choice in choose(state.known, state.ledger, turn, rng, self.policy):
            if best is not None and choice.worth <= best[0]:
                break  # acts come by their worth, and no line costs less than nothing
            lines, faults = self._sound(candidates(choice.act.move, state.ledger, turn, rng), choice.act, state)
            rejected += faults
            if lines:
                line, cost = _least_costly(lines, choice.act.move, at)
                left = choice.worth - TACT * cost
                if best is None or left > best[0]:
                    best = (left, choice, line, cost)
        if best is not None:
            _, choice, line, cost = best
            why = choice.why if at is None else f"{choice.why} A supervisor would mind it by {cost:.2f}."
            return Plan(choice.act, _target(choice.act, line, state.ledger, seen), line, why, rejected=rejected)
        key, spare = draw("opening", OPENINGS, state.ledger.used, rng)
        lines, _ = self._sound(fallbacks(state.ledger, turn, rng), _FALL_BACK, state)
        line = _least_costly(lines, _FALL_BACK.move, at)[0] if lines else Line(key, spare)
        why = "fall_back: nothing that was chosen could be said without a fault."
        return Plan(_FALL_BACK, "", line, why, rejected=rejected)

    def _sound(self, lines: Iterable[Line], act: Act, state: SocraticState) -> tuple[list[Line], int]:
        """Return the lines that pass every check, only those least used lately, and how many failed."""
        tried = list(lines)
        if not self.policy.validates:
            return tried, 0
        good = [line for line in tried if fault(line, act, state.ledger, state.belief) is None]
        if state.ledger.bare and act is not _FALL_BACK:
            good = [line for line in good if not only_asks_for_more(line.text)]
        recent, asked = set(state.ledger.used[-_LATEST:]), {asked_in(x) for x in state.ledger.said} - {""}
        new = [line for line in good if not recent & set(line.id.split("+"))]
        unasked = [line for line in new if asked_in(line.text) not in asked]
        unlike = [x for x in unasked if not any(asks_alike(asked_in(x.text), y) for y in asked)]
        last = [x for x in (*unasked, *new, *good) if not set(state.ledger.used[-6:]) & set(x.id.split("+"))]
        return unlike or last, len(tried) - len(good)


def _least_costly(lines: Sequence[Line], move: str, at: Setting | None) -> tuple[Line, float]:
    """Return one of the lines that a supervisor would mind least, the first of those nearly alike, and its cost."""
    if at is None:
        return lines[0], 0.0
    costs = load_tact().costs(lines[:_WEIGHED], move, at)
    pick = int(np.flatnonzero(costs <= costs.min() + _ALIKE)[0])
    return lines[pick], float(costs[pick])


TACT = 1.2
"""What a reply that a listener surely would wince at costs, in worth of acts."""
_WEIGHED = 16  # lines of an act that are weighed: they come in the order in which they should be tried
_ALIKE = 0.03  # cost by which lines are alike, so that not always the same one is said


def _opening(state: SocraticState, rng: Generator) -> Plan:
    if state.ledger.before:
        line = next(iter(candidates("agreed_before", state.ledger, heard_in(""), rng)))
        return Plan(ACTS["open_question"], "agreed", line, "open_question: what was agreed last time comes first.")
    return Plan(ACTS["open_question"], "", Line(*draw("opening", OPENINGS, (), rng)), "open_question: the first word.")


def _owed(seen: Seen, state: SocraticState) -> Call | SafetyStep | None:
    """Return what has to be answered first, or ``None``: the mask that comes before any value, danger before all."""
    since = state.ledger.since("safety_check") if "safety_check" in state.ledger.moves else _LONG_AGO
    risk = state.known.needs("risk")
    danger = safety_due(state.safety, state.stayed, seen.call, risk, since, seen.text)
    if danger in (None, "risk_stayed") and since < _LONG_AGO and _is_back_there(state.ledger, seen.text):
        return "risk_place"
    if danger is None and is_non_answer(seen.text) and asked_who(state.ledger.used[-1] if state.safety else ""):
        return "risk_nobody"
    return danger or (seen.call if seen.call in _DUE else None)


def _is_back_there(ledger: Ledger, text: str) -> bool:
    """Whether somebody is, in what they tell, where the thought of dying has been; it is asked about once."""
    asked = any(key.startswith("risk_place.") for key in ledger.used)
    return not asked and back_at(text, lately(ledger, ledger.turn)[:-1])


def _due_lines(owed: Call | SafetyStep, seen: Seen, state: SocraticState) -> tuple[str, tuple[str, ...]]:
    """Return the name and the lines of what is owed, by what exactly was said or asked."""
    if owed in SAFETY_LINES:
        return lines_for(owed, seen.text, asked_with(state.ledger.used))
    if owed == "identity":
        return identity_lines(seen.text, remembered=asks_to_be_remembered(seen.text))
    return owed, goodbye_lines(state.ledger.moves) if owed == "goodbye" else _DUE_LINES[owed]


def _with_safety(state: SocraticState, plan: Plan) -> SocraticState:
    """Return the state with the step of the talk of danger; who disagrees by asking about it has asked."""
    step = plan.duty if plan.duty in SAFETY_LINES else "risk" if plan.line.id.startswith("missed.") else ""
    return replace(state, safety=step, stayed=state.stayed + 1 if step == "risk_stayed" else 0)


def _is_over(ledger: Ledger) -> bool:
    return ledger.turn >= _ENDS_AFTER and "take_away" in ledger.moves and ledger.since("take_away") >= 2


def _target(act: Act, line: Line, ledger: Ledger, seen: Seen) -> str:
    if act.move == "give":
        return line.id.split(".")[1] if line.id.startswith("offer.") else line.id.split(".")[0]
    if act.stage == 4 and act.move not in ("consolidate", "take_away"):
        return ledger.thought
    return line.quoted[0] if line.quoted else line.feeling


def _rounded(belief: Belief) -> dict[str, JsonValue]:
    return {name: round(float(p), 6) for name, p in zip(belief.hypotheses, belief.p, strict=True)}


def _info(state: SocraticState, seen: Seen | None, plan: Plan) -> dict[str, JsonValue]:
    act, ledger = plan.act, state.ledger
    update = seen.update if seen else None
    signs = seen.signs if seen else None
    evidence = None if update is None else update.log_evidence
    present: list[JsonValue] = [*sorted(signs.present)] if signs else []
    return {
        "act": {
            "move": act.move, "target": plan.target, "intensity": round(act.intensity, 6), "stage": act.stage,
            "why": plan.why,
        },
        "belief": _rounded(state.belief),
        "edge": _rounded(state.edge),
        "need": _rounded(state.known.need),
        "levels": {name: [round(float(p), 6) for p in band_shares(b)] for name, b in state.levels.items()},
        "expected": {name: round(expected(name, b), 6) for name, b in state.levels.items()},
        "bears": round(bearable(state.edge), 6),
        "entropy": round(entropy(state.belief), 6),
        "gain": round(update.gain, 6) if update else 0.0,
        "surprise": None if evidence is None else round(-evidence, 6),
        "rejected": plan.rejected,
        "evidence": {
            "signs": present,
            "length": ("short", "usual", "long")[signs.length] if signs else None,
            "thought": ledger.thought,
            "supporting": list(ledger.supporting),
            "against": list(ledger.against),
            "views": [[v.text, v.whose] for v in ledger.views],
            "limits": [[x.kind, x.about] for x in ledger.limits],
            "rupture": ledger.rupture,
        },
        "agreed": list(ledger.agreed),
    }  # fmt: skip


@therapist(
    name="socratic.v1",
    source="definition of this project; stages after Padesky (2020); tracking after Gelpí, Xue & Cunningham (2025)",
    emits=("act.move", "belief", "edge", "need", "levels", "bears", "entropy", "evidence"),
)
def socratic(*, ear: Ear) -> Socratic:
    """Guided discovery: keeps beliefs about the patient and acts by expected value under them, looking ahead.

    It tracks the stance, what the last turn calls for, and levels of conviction, openness, alliance, distress,
    irritation and the working edge; where an answer is expected to teach enough of the edge it asks how the talk is. A
    view or an insight is met gently or boldly, by what can be borne; a thought is looked at while somebody is with it.
    What a critical listener is expected to mind of a line is taken from its worth (``tact``). Its ledger keeps whose
    words are whose. Its model of the patient is its own and coarse.
    ``surprise`` is the negative log evidence of the tempered likelihood, in nats up to a constant: comparable within a
    session, not a probability.

    Parameters
    ----------
    ear : what it hears with.
    """
    return Socratic(ear)
