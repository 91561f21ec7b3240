"""The stated principles of change as predicates over any state: what a family of patients must show.

Each function takes minds of any number (``Columns``), a way to move them and the noise of a turn, and
returns for each mind whether the principle holds from there. The principled family is built to keep
them all, so that it does is by construction and no finding; the contrary family breaks one at a time;
of the fitted family it is a question. Statements and sources: docs/design.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.random import Generator

from turnwise.patients.after_speaking import after_insight_many, after_pushback_many, after_telling_many
from turnwise.patients.change_sizes import VALUES, Sizes
from turnwise.patients.dynamics import step_many
from turnwise.patients.endings import openness, p_invalidates, p_leaves, working_edge
from turnwise.patients.mind import MANY, Columns, Impact, Mind, Number, columns_of
from turnwise.patients.natural_course import between_sessions

__all__ = ["PRINCIPLES", "Held", "Principle", "Step", "held", "panel"]

Mask: TypeAlias = Any
"""One truth value a mind, in the shape of the minds."""


class Step(Protocol):
    """How a family moves many minds by one turn of the therapist."""

    def __call__(self, minds: Columns, heard: Columns | Impact, noise: Number = 0.0) -> Columns:
        """Return the minds after the turn."""
        ...


FITTING = Impact(reflection=0.9, accuracy=1.0, names_feeling=True)
ADVICE = Impact(advice=0.9)
CHALLENGE = Impact(challenge=0.9)
UNMET = Impact(accuses=True, odd=True, questions=3, words=150)
"""Blamed at length, and asked three things at once, one of them odd."""
RAW = 0.8
"""Intensity of a feeling that nobody would call small."""
QUIET = Impact(silence=True, words=0)
TURNS = 30
"""Turns over which a habit of the therapist's is played."""


def panel(rng: Generator, n: int, sizes: Sizes = VALUES) -> Columns:
    """Return ``n`` minds of every sort: quantities uniform over .02 to .98, somewhere in a session.

    Not a population of patients; it is spread so that no corner of the state is left out.

    Examples
    --------
    >>> panel(np.random.default_rng(1), 3).trust.shape
    (3,)
    """
    drawn: dict[str, Any] = {
        x: rng.uniform(0.02, 0.98, n) for x in ("trust", "reactance", "distress", "conviction", "goals", "tasks")
    }
    drawn["met"], drawn["turn"] = rng.uniform(0.0, 0.2, n), rng.integers(0, 25, n)
    drawn["stirred"] = drawn["distress"] * rng.uniform(0.0, 0.3, n)
    return columns_of([Mind()] * n).but(**drawn).with_sizes(sizes)


def run(minds: Columns, heard: Impact, turns: int, step: Step) -> Columns:
    """Return the minds after the same turn many times over, without noise."""
    for _ in range(turns):
        minds = step(minds, heard)
    return minds


def _support(m: Columns, step: Step, z: Number) -> Mask:
    met, plain = step(m, FITTING, z), step(m, Impact(), z)
    return (met.reactance < plain.reactance) | ((met.reactance == 0.0) & (plain.reactance == 0.0))


def _edge(m: Columns, step: Step, z: Number) -> Mask:
    challenged, plain = step(m, CHALLENGE, z), step(m, Impact(), z)
    costs = (challenged.trust < m.trust) & (challenged.reactance > plain.reactance)
    costs = costs | ((m.trust == 0.0) & (challenged.trust == 0.0)) | (challenged.reactance == 1.0)
    free = (challenged.trust == plain.trust) & (challenged.reactance == plain.reactance)
    beyond, rebuffs = working_edge(m) < 0.0, p_invalidates(m) > 0.0
    return np.asarray(MANY.where(beyond, costs & rebuffs, free & ~rebuffs))


def _raw_advice(m: Columns, step: Step, z: Number) -> Mask:
    early = m.but(turn=np.zeros_like(m.turn))
    plain, advised = step(early, Impact(), z), step(early, ADVICE, z)
    raw = step(early, replace(ADVICE, raw=0.8), z)
    closes = (advised.reactance > plain.reactance) & (openness(advised) <= openness(plain))
    return closes & (raw.reactance > advised.reactance) | (advised.reactance == 1.0)


def _invited_help(m: Columns, step: Step, z: Number) -> Mask:
    early = m.but(turn=np.zeros_like(m.turn))
    plain, helped = step(early, Impact(), z), step(early, replace(ADVICE, invited=True), z)
    opened, shut = openness(helped), openness(plain)
    return (helped.trust > plain.trust) & ((opened > shut) | (shut == 1.0) | (opened == 0.0))


def _accuracy(m: Columns, step: Step, z: Number) -> Mask:
    right, worse, wrong = (
        step(m, h, z)
        for h in (
            Impact(reflection=0.9, accuracy=1.0),
            Impact(reflection=0.9, accuracy=0.4),
            Impact(reflection=0.9, accuracy=0.4, wrong_feeling=True),
        )
    )
    return (right.trust > worse.trust) & (worse.trust > wrong.trust)


def _assertion(m: Columns, step: Step, z: Number) -> Mask:
    return run(m, Impact(counters=True), 10, step).conviction >= m.conviction


def _own_evidence(m: Columns, step: Step, z: Number) -> Mask:
    return after_insight_many(m).conviction < m.conviction


def _view_taken_up(m: Columns, step: Step, z: Number) -> Mask:
    """Given back and gone on with, a new view loosens the belief; passed over or topped with advice, it does not."""
    seen = replace(FITTING, newly_seen=True)
    on, passed, topped = (
        step(m, h, z)
        for h in (
            replace(seen, open_question=True, tied=True, questions=1),
            replace(QUIET, newly_seen=True),
            replace(seen, advice=0.8),
        )
    )
    given = step(m, seen, z)
    lasts = ((on.conviction < given.conviction) & (given.conviction < m.conviction)) | (m.conviction == 0.0)
    return lasts & (passed.conviction >= m.conviction) & (topped.conviction >= m.conviction)


def _collusion(m: Columns, step: Step, z: Number) -> Mask:
    after = step(m, Impact(agrees_harmful=True), z)
    return (after.trust > m.trust) & ((after.conviction > m.conviction) | (after.conviction == 1.0))


def _repetition(m: Columns, step: Step, z: Number) -> Mask:
    fresh, stale = step(m, FITTING, z), step(m, replace(FITTING, repeated=True), z)
    first = run(m, Impact(normalises=True), 1, step)
    second = run(m, Impact(normalises=True), 2, step)
    return (stale.trust < fresh.trust) & (second.trust - first.trust < first.trust - m.trust)


def _praise(m: Columns, step: Step, z: Number) -> Mask:
    return run(m, Impact(praises=True), TURNS, step).trust - m.trust <= 0.1


def _parrot(m: Columns, step: Step, z: Number) -> Mask:
    parroted = run(m, replace(FITTING, copy=True, names_feeling=False), 10, step)
    return parroted.trust < run(m, FITTING, 10, step).trust


def _silence(m: Columns, step: Step, z: Number) -> Mask:
    after = run(m, QUIET, TURNS, step)
    return np.logical_and.reduce(
        [getattr(after, x) == getattr(m, x) for x in ("trust", "reactance", "distress", "stirred", "conviction")]
    )


def staying(m: Columns, heard: Impact, turns: int, step: Step, *, pushes: bool = False) -> Number:
    """Return the probability that each mind is still there after turns of one kind; ``pushes`` back at each."""
    left: Number = np.ones_like(m.trust)
    for _ in range(turns):
        m = step(after_pushback_many(m) if pushes else m, heard)
        left = left * (1.0 - p_leaves(m))
    return left


def _insisting(m: Columns, step: Step, z: Number) -> Mask:
    """Sooner: never later, more irritated and less trusting after each pushback, and lost more often in all."""
    pushed = after_pushback_many(m.but(reactance=0.6 + 0.0 * m.reactance, trust=0.2 * m.trust))
    calm = pushed.but(pushed_back=np.zeros_like(pushed.pushed_back))
    insists, back = Impact(counters=True), Impact(yields=True)
    pressed, met, unpressed = step(pushed, insists, z), step(pushed, back, z), step(calm, insists, z)
    worse = (pressed.reactance > unpressed.reactance) & (pressed.reactance > met.reactance)
    worse = worse & (pressed.trust < unpressed.trust) | (unpressed.trust == 0.0)
    insisted, stepped = (staying(pushed, h, TURNS, step, pushes=True) for h in (insists, back))
    # Where nobody ever leaves, nobody is lost sooner; that is the principle "unmet" and not this one.
    return worse & (pressed.trust < met.trust) & ((insisted < stepped) | ((insisted == 1.0) & (stepped == 1.0)))


def _unmet(m: Columns, step: Step, z: Number) -> Mask:
    stays = staying(m, FITTING, TURNS, step) == 1.0
    distrusts = m.but(trust=0.3 * m.trust)
    return (staying(distrusts, UNMET, TURNS, step) < 0.5) & (stays | (m.reactance > 0.4))


def _natural_course(m: Columns, step: Step, z: Number) -> Mask:
    """Untreated weeks ease distress, and of two people the one further above the usual falls further."""
    worse = m.but(distress=np.maximum(m.distress, 0.6))
    worst = worse.but(distress=0.5 * (worse.distress + 1.0))
    fell, fell_more = (x.distress - between_sessions(x, 4).distress for x in (worse, worst))
    return (fell > 0.0) & ((fell_more > fell) | (worst.distress == worse.distress))


def _telling(m: Columns, step: Step, z: Number) -> Mask:
    """Stirs, eases by more than the same reflection had nothing been told, and does not ease when pressed."""
    told = after_telling_many(m, RAW)
    met, aside, pressed = (step(told, replace(h, raw=RAW), z) for h in (FITTING, Impact(), ADVICE))
    stirs = (told.distress > m.distress) | (m.distress == 1.0)
    eases = (met.distress < aside.distress) & (told.distress - met.distress > m.distress - step(m, FITTING, z).distress)
    return stirs & eases & (pressed.distress > aside.distress)


@dataclass(frozen=True, slots=True)
class Principle:
    """One principle: what it says, who said it first, and whether it holds from a state."""

    says: str
    source: str
    holds: Callable[[Columns, Step, Number], Mask]


PRINCIPLES: Mapping[str, Principle] = {
    "support": Principle("support lowers reactance", "Miller & Rollnick 2013; Elliott et al. 2018", _support),
    "edge": Principle(
        "beyond the edge a challenge irritates, costs trust, may be rebuffed", "Ribeiro et al. 2013, TCCS", _edge
    ),
    "raw_advice": Principle("early advice closes, on a raw feeling more so", "Chiu et al. 2024, BOLT", _raw_advice),
    "invited_help": Principle("help that was asked for opens", "MITI 4.2, Moyers et al. 2016", _invited_help),
    "accuracy": Principle("accurate reflection beats inaccurate", "Elliott et al. 2018; Nie et al. 2024", _accuracy),
    "assertion": Principle("asserting the right belief convinces nobody", "Padesky 1993", _assertion),
    "own_evidence": Principle("one's own evidence does", "Padesky 1993; Braun et al. 2015", _own_evidence),
    "taken_up": Principle("a new view lasts as it is taken up", "Jennissen et al. 2018; Stiles 2001", _view_taken_up),
    "collusion": Principle("agreeing with a harmful belief pleases and feeds it", "Moore et al. 2025", _collusion),
    "repetition": Principle("saying it again says less", "definition of this project", _repetition),
    "praise": Principle("praise alone lifts trust by a tenth at most", "definition of this project", _praise),
    "parrot": Principle("a parrot stays below a reflector", "MITI 4.2, Moyers et al. 2016", _parrot),
    "silence": Principle("silence changes nothing", "definition of this project", _silence),
    "insisting": Principle("who insists loses the patient sooner than who steps back", "TCCS; 3RS", _insisting),
    "unmet": Principle("a patient who is not met leaves", "Swift & Greenberg 2012", _unmet),
    "natural_course": Principle("untreated weeks help, extremes the most", "Whiteford et al. 2013", _natural_course),
    "telling": Principle("telling what is raw stirs, being met then eases", "Smyth 1998; Elliott et al.", _telling),
}
"""Name to principle; the names are the switches of the contrary family."""


@dataclass(frozen=True, slots=True)
class Held:
    """In which share of states a principle holds, and over how many it was asked."""

    share: float
    n: int


def held(name: str, minds: Columns, step: Step = step_many, noise: Number = 0.0) -> Held:
    """Return how widely a principle holds over some minds.

    Examples
    --------
    >>> from turnwise.patients.mind import Mind, columns_of
    >>> held("support", columns_of([Mind(), Mind(reactance=0.5)]))
    Held(share=1.0, n=2)
    """
    found = np.broadcast_to(PRINCIPLES[name].holds(minds, step, noise), np.shape(minds.trust))
    return Held(float(np.mean(found)), int(found.size))
