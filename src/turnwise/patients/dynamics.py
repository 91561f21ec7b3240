"""The patient's inner state and how a therapist's turn moves it: pure functions, no words.

Update sizes are hand-set starting points from the prototype, not results; each
constant names the principle it serves and where that comes from. What the literature leaves open
is left small. Randomness is handed in as ``noise`` and scales every change, so nothing happens
where nothing was done.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from turnwise.patients.change_sizes import CONSTANTS

__all__ = [
    "Impact",
    "Mind",
    "after_insight",
    "after_pushback",
    "may_have_insight",
    "openness",
    "p_fades",
    "p_leaves",
    "sayable_level",
    "step",
    "working_edge",
]

_K = {name: value for name, (value, _) in CONSTANTS.items()}


@dataclass(frozen=True, slots=True)
class Mind:
    """The state. Quantities are 0 to 1; counters are of this session.

    Attributes
    ----------
    trust, reactance, distress, conviction, fatigue : the words of docs/design.md.
    met : short-lived warmth after having been understood.
    goals, tasks : agreement with the therapist on where to and how.
    gain : how strongly this person takes each kind of turn (name, factor).
    """

    trust: float = 0.35
    reactance: float = 0.12
    distress: float = 0.6
    conviction: float = 0.85
    fatigue: float = 0.0
    met: float = 0.0
    goals: float = 0.3
    tasks: float = 0.3
    turn: int = 0
    asked_running: int = 0
    praised: float = 0.0
    praises: int = 0
    kindnesses: int = 0
    repairs: int = 0
    corrected: bool = False
    pushed_back: bool = False
    evidence_asked: int = 0
    evidence_told: int = 0
    insights: int = 0
    insight_turn: int = -9
    shut_running: int = 0
    boiling: int = 0
    gain: tuple[tuple[str, float], ...] = ()

    def gained(self, kind: str) -> float:
        """Factor with which this person takes a kind of turn."""
        return dict(self.gain).get(kind, 1.0)


@dataclass(frozen=True, slots=True)
class Impact:
    """A therapist's turn as this patient takes it (probabilities and degrees 0 to 1, or plain facts).

    ``accuracy`` is how well a reflection fits what is so; ``names_feeling`` whether it names a true
    one, ``wrong_feeling`` one that is not there; ``copy`` that it only repeats the patient's words;
    ``raw`` how raw the feeling is that the patient has just shown; ``invited`` that help was asked for.
    """

    reflection: float = 0.0
    accuracy: float = 0.0
    names_feeling: bool = False
    wrong_feeling: bool = False
    copy: bool = False
    open_question: bool = False
    tied: bool = False
    questions: int = 0
    words: int = 10
    advice: float = 0.0
    invited: bool = False
    refused_help: bool = False
    raw: float = 0.0
    challenge: float = 0.0
    counters: bool = False
    agrees_harmful: bool = False
    evidence_question: bool = False
    reassures: bool = False
    praises: bool = False
    normalises: bool = False
    self_words: int = 0
    repairs: bool = False
    yields: bool = False
    accuses: bool = False
    odd: bool = False
    repeated: bool = False
    silence: bool = False
    minimal: bool = False
    causes: tuple[str, ...] = field(default=(), compare=False)


def openness(m: Mind) -> float:
    """Return how much of what is true may be said now, 0 to 1."""
    o = _K["openness_base"] + _K["openness_trust"] * m.trust + _K["openness_reactance"] * m.reactance + m.met
    return min(1.0, max(0.0, o))


def sayable_level(m: Mind) -> int:
    """Return the highest level of telling that may be said (0 open to 3 secret).

    Examples
    --------
    >>> sayable_level(Mind(trust=0.2)), sayable_level(Mind(trust=0.9, turn=12))
    (0, 3)
    """
    o = openness(m)
    if o > 0.62 and m.turn > 10:
        return 3
    return 0 if o < 0.30 else 1 if o < 0.46 else 2


def working_edge(m: Mind) -> float:
    """Return the room for challenge: positive within the edge, negative beyond it."""
    return m.trust - _K["edge_reactance"] * m.reactance - _K["edge"]


class _Change:
    """Sums changes of one turn; noise scales them, so it never turns a sign."""

    def __init__(self, noise: float) -> None:
        self.scale = 1.0 + 0.15 * max(-2.0, min(2.0, noise))
        self.by: dict[str, float] = {}
        self.causes: list[str] = []

    def add(self, what: str, amount: float, cause: str = "") -> None:
        self.by[what] = self.by.get(what, 0.0) + amount
        if cause and cause not in self.causes:
            self.causes.append(cause)

    def of(self, what: str) -> float:
        return self.by.get(what, 0.0) * self.scale


def step(m: Mind, heard: Impact, noise: float = 0.0) -> tuple[Mind, tuple[str, ...]]:
    """Return the state after a therapist's turn, and the names of what moved it.

    Pure. ``noise`` is a standard normal draw (clipped at 2) that scales every change by 15 %.

    Examples
    --------
    >>> before = Mind()
    >>> after, why = step(before, Impact(reflection=0.9, accuracy=1.0, names_feeling=True))
    >>> after.trust > before.trust, after.reactance < before.reactance, why
    (True, True, ('met',))
    """
    c = _Change(noise)
    calmed = replace(m, turn=m.turn + 1, met=m.met * _K["met_keeps"])
    if not (heard.silence or heard.minimal):
        calmed = replace(calmed, reactance=m.reactance * _K["reactance_keeps"])
    weight = _K["repeat_decay"] if heard.repeated else 1.0
    if heard.repeated and (heard.advice > 0.5 or heard.challenge > 0.5):
        c.add("reactance", _K["repeated_reactance"], "said it again")
    counters = {
        **_support(m, heard, c, weight),
        **_asking(m, heard, c),
        **_pushing(m, heard, c),
        **_kindness(m, heard, c, weight),
        **_after_pushback(m, heard, c),
    }
    factor = _K["repair_reactance"] ** counters.pop("soothes", 0.0)
    after = replace(
        calmed,
        trust=_unit(m.trust + c.of("trust")),
        reactance=_unit(calmed.reactance * factor + _saturated(c.of("reactance"), m.reactance)),
        distress=_unit(m.distress + c.of("distress")),
        conviction=_unit(m.conviction + c.of("conviction")),
        met=_unit(max(calmed.met, c.of("met"))),
        goals=_unit(m.goals + 0.5 * c.of("trust")),
        tasks=_unit(m.tasks + 0.5 * c.of("trust") - 0.2 * max(0.0, c.of("reactance"))),
        fatigue=_unit(m.fatigue + _K["fatigue"]),
        **counters,
    )
    return _strained(after), tuple(c.causes)


def _saturated(rise: float, reactance: float) -> float:
    """Irritation has a ceiling: the same push adds less to somebody already angry."""
    return rise * (1.1 - reactance) if rise > 0.0 else rise


def _strained(m: Mind) -> Mind:
    shut = m.shut_running + 1 if openness(m) < _K["fade_openness"] else 0
    boiling = m.boiling + 1 if m.reactance > _K["leave_reactance"] and m.trust < 0.3 else 0
    return replace(m, shut_running=shut, boiling=boiling)


def _unit(x: float) -> float:
    return min(1.0, max(0.0, x))


def _support(m: Mind, h: Impact, c: _Change, weight: float) -> dict[str, Any]:
    """Reflections: fitting ones meet the patient, parroted ones hardly, wrong ones cost."""
    if h.reflection < 0.4:
        return {}
    p = h.reflection * m.gained("reflection") * weight
    if h.wrong_feeling:
        c.add("trust", _K["wrong_feeling"] * h.reflection, "a feeling that is not there")
        return {"corrected": True}
    if h.copy:
        c.add("trust", _K["near_copy"] * weight, "parroted")
        return {}
    if h.accuracy <= 0.0:
        return {}
    size = _K["reflection_feeling"] if h.names_feeling else _K["reflection_content"]
    c.add("trust", size * p * h.accuracy * (1.0 - m.trust), "met")
    c.add("reactance", _K["reflection_calms"] * p * h.accuracy)
    c.add("distress", _K["reflection_eases"] * p * h.accuracy)
    c.add("met", _K["met"] * p * h.accuracy)
    if m.corrected:
        c.add("trust", _K["second_try"] * weight, "right at the second try")
    return {"corrected": False}


def _asking(m: Mind, h: Impact, c: _Change) -> dict[str, Any]:
    supported = h.reflection >= 0.4 and not h.copy
    running = 0 if supported else m.asked_running + (1 if h.questions else 0)
    if h.open_question and h.tied and not h.repeated:
        c.add("trust", _K["tied_question"] * m.gained("question") * (1.0 - m.trust), "")
    if running > 4 and h.questions:
        c.add("reactance", _K["interrogated"], "interrogated")
    if h.questions > 2:
        c.add("reactance", _K["interrogated"], "several questions at once")
    if h.words > 90:
        c.add("reactance", _K["interrogated"], "a long speech")
        c.add("trust", _K["monologue"])
    asked = m.evidence_asked + (1 if h.evidence_question and working_edge(m) > -0.25 else 0)
    return {"asked_running": running, "evidence_asked": asked}


def _pushing(m: Mind, h: Impact, c: _Change) -> dict[str, Any]:
    """Advice, challenge, counter-claims, accusation, oddity."""
    if h.advice > 0.0 and h.invited:
        c.add("trust", _K["invited_help"] * h.advice * (1.0 - m.trust), "help that was asked for")
        c.add("reactance", -0.03 * h.advice)
        c.add("met", 0.06 * h.advice)
    elif h.advice > 0.0:
        g = h.advice * m.gained("advice")
        early = m.turn < 8 or m.trust < 0.55
        raw = h.raw > 0.45
        size = _K["early_advice_reactance"] if early else _K["late_advice_reactance"]
        c.add(
            "reactance", (size + (_K["raw_advice"] if raw else 0.0)) * g, "advice on a raw feeling" if raw else "advice"
        )
        if early or raw:
            c.add("trust", _K["early_advice_trust"] * g)
    elif h.refused_help:
        c.add("trust", _K["withheld_help"], "asked for help and got none")
    if h.challenge > 0.0:
        if working_edge(m) < 0.0:
            g = h.challenge * m.gained("challenge")
            c.add("reactance", _K["challenge_reactance"] * g, "challenged beyond the edge")
            c.add("trust", _K["challenge_trust"] * g)
            c.add("conviction", _K["challenge_backfires"] * h.challenge)
        else:
            c.add("distress", 0.01 * h.challenge, "challenged within the edge")
    if h.counters:
        c.add("reactance", _K["counter_reactance"], "told what to believe")
    if h.accuses:
        c.add("reactance", _K["accused_reactance"], "accused")
        c.add("trust", _K["accused_trust"])
    if h.odd:
        c.add("reactance", _K["odd_reactance"], "asked something odd")
        c.add("trust", _K["odd_trust"])
    return {}


def _kindness(m: Mind, h: Impact, c: _Change, weight: float) -> dict[str, Any]:
    """Reassurance, praise, agreement, normalising, self-disclosure, repair, stepping back: all decay."""
    out: dict[str, Any] = {}
    if h.reassures:
        c.add("distress", _K["reassured_distress"] * weight, "reassured")
        c.add("reactance", _K["reassured_reactance"] * m.gained("reassurance"))
    if h.praises:
        room = max(0.0, _K["praise_cap"] - m.praised)
        gain = min(room, _K["praise"] * m.gained("praise") * _K["praise_decay"] ** m.praises)
        c.add("trust", gain, "praised")
        c.add("conviction", _K["praise_conviction"] * _K["praise_decay"] ** m.praises)
        out |= {"praises": m.praises + 1, "praised": m.praised + gain}
    if h.agrees_harmful:
        c.add("trust", _K["agrees_trust"] * (1.0 - m.trust), "agreed with the belief")
        c.add("conviction", _K["agrees_conviction"])
        c.add("distress", -0.01)
    small = _K["kind_decay"] ** m.kindnesses
    if h.normalises:
        c.add("trust", _K["normalise"] * small * (1.0 - m.trust), "normalised")
    if h.self_words:
        c.add("trust", (_K["self_short"] * small if h.self_words < 30 else _K["self_long"]), "told about itself")
    if h.normalises or h.self_words:
        out["kindnesses"] = m.kindnesses + 1
    if h.repairs:
        again = _K["kind_decay"] ** m.repairs
        trouble = m.reactance > _K["trouble"]
        c.add("trust", (_K["repair_trust"] if trouble else _K["repair_idle"]) * again * m.gained("repair"), "repaired")
        out |= {"repairs": m.repairs + 1, "soothes": again if trouble else 0.0}
    if h.yields and m.reactance > 0.15:
        c.add("reactance", _K["yield_reactance"] * weight, "stepped back")
    return out


def _after_pushback(m: Mind, h: Impact, c: _Change) -> dict[str, Any]:
    """The turn after the patient has pushed back: going along with it repairs, pressing on costs."""
    if not m.pushed_back:
        return {}
    met = (h.reflection >= 0.4 and not h.copy and not h.wrong_feeling and h.accuracy > 0.0) or h.yields or h.repairs
    # An open question is not pressing (TCCS counts it as support); one for evidence is a challenge.
    asks = h.questions > 0 and (not h.open_question or h.evidence_question)
    presses = h.advice > 0.0 or h.challenge > 0.3 or h.accuses or h.counters or asks
    if met:
        c.add("trust", _K["stepped_with"] * (1.0 - m.trust), "pushback was met")
        c.add("reactance", _K["yield_reactance"])
    elif presses:
        c.add("reactance", _K["insist_reactance"], "pressed on after pushback")
        c.add("trust", _K["insist_trust"])
    return {"pushed_back": False}


def after_pushback(m: Mind, *, confronts: bool = True) -> Mind:
    """Return the state of somebody who has just pushed back and waits to see what comes of it.

    Confronting is said in irritation; drawing back ("that'll keep") is not (Eubanks et al. 2015
    keep the two kinds of rupture marker apart).
    """
    floor = _K["pushback_reactance"] if confronts else 0.0
    return replace(m, reactance=max(m.reactance, floor), pushed_back=True)


def may_have_insight(m: Mind) -> bool:
    """Whether the patient's own evidence can now add up to a new thought (never the therapist's claim)."""
    return (
        m.evidence_asked >= _K["insight_evidence"]
        and m.evidence_told > m.insights
        and m.trust > _K["insight_trust"]
        and m.turn - m.insight_turn > _K["insight_pause"]
        and m.insights < _K["insights_at_most"]
    )


def after_insight(m: Mind) -> Mind:
    """Return the state after the patient has drawn a conclusion of its own."""
    conviction = _unit(m.conviction + _K["insight_conviction"])
    return replace(m, conviction=conviction, insights=m.insights + 1, insight_turn=m.turn)


def p_leaves(m: Mind) -> float:
    """Return the probability that the patient walks out now (a hazard, so that seeds differ)."""
    if m.boiling < 2:
        return 0.0
    return min(
        0.85, _K["leave_hazard"] * (m.reactance - _K["leave_reactance"] + 0.12 * (m.boiling - 1)) * (1.0 - m.trust)
    )


def p_fades(m: Mind) -> float:
    """Return the probability that a shut-down patient ends it by having nothing left to say."""
    if m.shut_running < 6:
        return 0.0
    return min(0.6, 0.12 * (m.shut_running - 5) * (1.0 - m.reactance))
