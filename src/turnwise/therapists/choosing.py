"""Choose the next act by expected value under the belief, plus what it is expected to teach.

Values are the therapist's own, one small table of act by stance; they know nothing of how any
simulated patient reckons. A safety mask comes before any value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from turnwise.core.nouns import Belief
from turnwise.therapists.ledger import Ledger, share
from turnwise.therapists.markers import markers
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.stance import ActClass, information_gain

__all__ = ["ACTS", "TOO_RAW", "Act", "choose", "too_early", "values"]

TOO_RAW = 0.33
"""Probability of raw, resisting or withdrawing above which a challenge comes too early."""
CURIOSITY = 0.5  # nats into value: a clear answer is worth about half of a well-placed act
_STRONG = 0.5  # intensity from which a challenge is followed by something gentler
_NOISE = 0.05  # so that equal values are not always settled alphabetically


@dataclass(frozen=True, slots=True)
class Act:
    """A move with its kind, intensity in [0, 1], Padesky stage and value by stance.

    Stages: 1 informational questions, 2 empathic listening, 3 summary, 4 analytical or synthesising.
    ``value`` runs in the order of ``STANCES``.
    """

    move: str
    kind: ActClass
    intensity: float
    stage: int
    value: tuple[float, ...]


ACTS: Mapping[str, Act] = {
    act.move: act
    for act in (
        #                                           engaged  raw  ambiv  resist withdr none
        Act("open_question", "question", 0.1, 1, (0.42, 0.05, 0.30, -0.20, 0.05, 0.35)),
        Act("ask_feeling", "question", 0.2, 2, (0.40, 0.30, 0.25, -0.30, -0.05, 0.25)),
        Act("reflect_feeling", "support", 0.0, 2, (0.95, 1.00, 0.60, 0.25, 0.25, 0.40)),
        Act("reflect_content", "support", 0.0, 2, (0.85, 0.60, 0.62, 0.25, 0.28, 0.50)),
        Act("stay", "support", 0.0, 2, (-0.15, 0.55, 0.05, 0.10, 0.30, 0.05)),
        Act("normalise", "support", 0.0, 2, (0.00, 0.35, 0.20, 0.15, 0.25, 0.10)),
        Act("summarise", "support", 0.1, 3, (0.62, 0.25, 0.60, 0.05, 0.05, 0.30)),
        Act("ask_thought", "challenge", 0.4, 4, (0.66, -0.10, 0.35, -0.50, -0.40, 0.15)),
        Act("ask_evidence", "challenge", 0.56, 4, (0.60, -0.50, 0.25, -0.80, -0.60, 0.05)),
        Act("ask_exception", "challenge", 0.59, 4, (1.45, -0.45, 0.35, -0.95, -0.75, 0.05)),
        Act("ask_alternative", "challenge", 0.59, 4, (1.40, -0.50, 0.30, -0.95, -0.70, 0.00)),
        Act("synthesise", "challenge", 0.61, 4, (1.40, -0.45, 0.40, -0.80, -0.60, 0.05)),
        Act("next_step", "question", 0.4, 4, (0.55, -0.50, 0.10, -0.80, -0.50, 0.00)),
        Act("step_back", "support", 0.0, 2, (-0.35, 0.00, 0.05, 1.00, 0.30, 0.00)),
        Act("give_room", "support", 0.0, 2, (-0.45, 0.15, -0.05, 0.45, 0.85, -0.05)),
        Act("consolidate", "support", 0.2, 4, (0.95, 0.30, 0.80, 0.05, 0.00, 0.40)),
    )
}


def too_early(belief: Belief, act: Act) -> bool:
    """Whether a challenge would come too early for what the patient's stance may be."""
    return act.kind == "challenge" and share(belief, "raw", "resisting", "withdrawing") > TOO_RAW


def _available(ledger: Ledger, turn: Heard, belief: Belief, act: Act) -> bool:
    if too_early(belief, act):
        return False
    known = bool(ledger.thought)
    # What was just answered to "what went through your mind?" can be looked at without quoting it.
    in_hand = known or ledger.since("ask_thought") <= 1 or "absolute" in markers(turn.text)
    needs = {
        "reflect_feeling": bool(turn.feelings),
        "reflect_content": turn.statement is not None,
        "summarise": len(ledger.kept) >= 3 and ledger.since("summarise") >= 7 and ledger.turn >= 4,
        "ask_thought": ledger.turn >= 2,
        "ask_evidence": known and ledger.since("ask_evidence") >= 6,
        "ask_exception": in_hand,
        "ask_alternative": in_hand and ledger.since("ask_alternative") >= 2,
        "synthesise": known and len(ledger.against) > ledger.synthesised,
        "next_step": (ledger.insights > 0 or ledger.changes >= 3.0)
        and ledger.turn >= 8
        and ledger.since("next_step") >= 5,
        "consolidate": False,
        "normalise": ledger.since("normalise") >= 5,
        "stay": ledger.since("stay") >= 3,
    }
    return needs.get(act.move, True)


def _fit(ledger: Ledger, act: Act, bears: float) -> float:
    """Return what the course of the session adds to or takes from an act's value."""
    recent = ledger.moves[-3:]
    fit = -0.35 * (act.move == (recent[-1] if recent else "")) - 0.12 * recent.count(act.move)
    asking = 0
    for move in reversed(ledger.moves):
        kind = ACTS[move].kind if move in ACTS else "support"
        if kind not in ("question", "challenge"):
            break
        asking += 1
    if act.kind in ("question", "challenge"):
        fit -= 0.12 * asking + 0.25 * max(0, asking - 1)
    elif asking == 0 and ledger.moves and act.move.startswith(("reflect", "stay", "normalise")):
        fit -= 0.12  # two turns of mirroring running: the patient is doing all the work
    if act.kind == "challenge":
        fit -= 2.5 * max(0.0, act.intensity - bears)
        pressed = [m for m in recent[-2:] if m in ACTS and ACTS[m].intensity >= _STRONG]
        fit -= 0.15 * len(pressed) * (0.3 if act.move == "synthesise" else 1.0)
    if act.move == "ask_thought":
        fit -= 0.35 * bool(ledger.thought) + 0.2 * (ledger.since("ask_thought") < 4)
    if act.move == "summarise":
        fit += 0.25 * (len(ledger.kept) >= 4) + 0.15 * (ledger.since("summarise") >= 8)
    if act.move == "open_question":
        fit += 0.2 * (ledger.turn < 3) - 0.15 * (ledger.turn > 8)
    return fit


def values(belief: Belief, ledger: Ledger, turn: Heard, bears: float) -> dict[str, float]:
    """Return the value of every act that may be chosen now; ``bears`` is the challenge that can be borne."""
    gains = {kind: information_gain(belief, kind) for kind in ("support", "question", "challenge", "offer")}
    return {
        act.move: float(belief.p @ np.array(act.value)) + CURIOSITY * gains[act.kind] + _fit(ledger, act, bears)
        for act in ACTS.values()
        if _available(ledger, turn, belief, act)
    }


def choose(belief: Belief, ledger: Ledger, turn: Heard, bears: float, rng: Generator) -> list[Act]:
    """Return the acts that may be chosen, best first, with a little noise among near ties."""
    worth = values(belief, ledger, turn, bears)
    noise = {move: _NOISE * float(rng.standard_normal()) for move in sorted(worth)}
    return [ACTS[move] for move in sorted(worth, key=lambda m: (-(worth[m] + noise[m]), m))]
