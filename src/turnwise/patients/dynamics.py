"""How a therapist's turn moves a patient's state: pure functions, no words, one mind or a million at once.

``step`` moves one mind, ``step_many`` arrays of minds; both run the same rules, operation by
operation, so their results are equal to the last bit. Sizes come from ``change_sizes``, what a
state leads to lies in ``endings``. Randomness is handed in as ``noise`` and scales every change, so
nothing happens where nothing was done. That the principles hold here is by construction of the
simulator and never a finding.
"""

from __future__ import annotations

import numpy as np

from turnwise.patients.endings import (
    may_have_insight,
    openness,
    p_fades,
    p_invalidates,
    p_leaves,
    p_pushes_back,
    sayable_level,
    working_edge,
)
from turnwise.patients.mind import MANY, ONE, Columns, Impact, Mind, Number

__all__ = [
    "Impact",
    "Mind",
    "may_have_insight",
    "openness",
    "p_fades",
    "p_invalidates",
    "p_leaves",
    "p_pushes_back",
    "sayable_level",
    "step",
    "step_many",
    "working_edge",
]

_BLOCK = 4096
"""Minds moved at a time: what a block needs stays in the processor's cache, which doubles the speed."""


class Change:
    """The changes of one turn, summed; noise scales them all alike, so it never turns a sign."""

    def __init__(self, m: Number, h: Number, noise: Number) -> None:
        o = ONE if isinstance(m, Mind) else MANY
        clipped = o.where(noise < -2.0, -2.0, o.where(noise > 2.0, 2.0, noise))
        self.mind, self.heard, self.ops, self.sizes = m, h, o, m.sizes.of
        self.scale = 1.0 + self.sizes["noise"] * clipped
        self.by: dict[str, Number] = {}
        self.causes: list[tuple[str, Number]] = []

    def add(self, what: str, amount: Number, when: Number, cause: str = "") -> None:
        """Add an amount where a condition holds; a named cause is kept for the truth record."""
        self.by[what] = self.by.get(what, 0.0) + self.ops.where(when, amount, 0.0)
        if cause:
            self.causes.append((cause, when))

    def of(self, what: str) -> Number:
        """Return the sum, scaled by the noise of the turn."""
        return self.by.get(what, 0.0) * self.scale

    def unit(self, x: Number) -> Number:
        """Clip to 0 to 1; by comparison, so that a zero keeps its sign in either arithmetic."""
        return self.ops.where(x < 0.0, 0.0, self.ops.where(x > 1.0, 1.0, x))


class _ChangeOfOne(Change):
    """The same sums for one mind: what does not hold is not added, which changes no bit (x + 0.0 is x)."""

    def add(self, what: str, amount: Number, when: Number, cause: str = "") -> None:
        if when:
            self.by[what] = self.by.get(what, 0.0) + amount
            if cause:
                self.causes.append((cause, when))

    def unit(self, x: Number) -> Number:
        return 0.0 if x < 0.0 else 1.0 if x > 1.0 else x


def step(m: Mind, heard: Impact, noise: float = 0.0) -> tuple[Mind, tuple[str, ...]]:
    """Return the state after a therapist's turn, and the names of what moved it.

    Pure. ``noise`` is a standard normal draw (clipped at 2 either way) that scales every change. It
    is not what the patient says: ``after_pushback``, ``after_telling`` and ``after_insight`` follow once
    that is decided.

    Examples
    --------
    >>> before = Mind()
    >>> after, why = step(before, Impact(reflection=0.9, accuracy=1.0, names_feeling=True))
    >>> after.trust > before.trust, after.reactance < before.reactance, why
    (True, True, ('met',))
    """
    c = _ChangeOfOne(m, heard, noise)
    after = m.but(**_moved(c))
    return after, tuple(dict.fromkeys(cause for cause, holds in c.causes if holds))


def step_many(minds: Columns, heard: Columns | Impact, noise: Number = 0.0) -> Columns:
    """Return the states of many minds after a turn each; equal to ``step`` on each, bit for bit.

    Fields, impacts and ``noise`` are arrays of any shapes that broadcast; one ``Impact`` is heard by
    all. Causes are left out: who wants them steps that one mind.

    Examples
    --------
    >>> from turnwise.patients.mind import columns_of
    >>> pair = [Mind(trust=0.2), Mind(trust=0.6)]
    >>> told = Impact(advice=0.8)
    >>> step_many(columns_of(pair), told).trust.tolist() == [step(m, told)[0].trust for m in pair]
    True
    """
    n = np.size(minds.trust)
    if np.ndim(minds.trust) != 1 or n <= _BLOCK:
        return minds.but(**_moved(Change(minds, heard, noise)))
    done: dict[str, list[Number]] = {}
    for cut in (slice(i, i + _BLOCK) for i in range(0, n, _BLOCK)):
        told = heard.part(cut, n) if isinstance(heard, Columns) else heard
        some = noise[cut] if np.shape(noise) == (n,) else noise
        for name, x in _moved(Change(minds.part(cut, n), told, some)).items():
            done.setdefault(name, []).append(np.broadcast_to(x, len(range(*cut.indices(n)))))
    return minds.but(**{name: np.concatenate(parts) for name, parts in done.items()})


def _moved(c: Change) -> dict[str, Number]:
    m, k, o = c.mind, c.sizes, c.ops
    quiet = c.heard.silence | c.heard.minimal
    weight = o.where(c.heard.repeated, k["repeat_decay"], 1.0)
    counters = {
        **_supported(c, weight),
        **_asked(c),
        **_advised(c),
        **_challenged(c),
        **_taken_up(c),
        **_pleased(c, weight),
        **_repaired(c, weight),
        **_answered_pushback(c),
    }
    c.add("trust", k["silence_trust"], quiet)
    soothed = counters.pop("soothed")
    irritated = o.where(quiet, m.reactance, m.reactance * k["reactance_keeps"]) * (1.0 - soothed)
    rise = c.of("reactance")
    reactance = c.unit(irritated + o.where(rise > 0.0, rise * c.unit(k["ceiling"] - m.reactance), rise))
    trusting = c.of("trust")
    trusting = o.where(trusting < 0.0, trusting * c.unit(m.trust / k["trust_to_lose"]), trusting)
    trust = c.unit(m.trust + trusting)
    warmth, kept = c.of("met"), m.met * k["met_keeps"]
    met = c.unit(o.where(warmth > kept, warmth, kept))
    state = {
        "trust": trust,
        "reactance": reactance,
        **_upset(c, quiet),
        "conviction": c.unit(m.conviction + c.of("conviction")),
        "met": met,
        "goals": c.unit(m.goals + k["goals_share"] * trusting),
        "tasks": c.unit(m.tasks + k["tasks_share"] * trusting - k["tasks_reactance"] * c.unit(rise)),
        "fatigue": c.unit(m.fatigue + k["fatigue"]),
        "turn": m.turn + 1,
    }
    return {**state, **counters, **strained(m, state, o)}


def _upset(c: Change, quiet: Number) -> dict[str, Number]:
    """Return distress and the part of it that was stirred up: pushes add to it, it passes, being met settles it.

    The nearer to the top, the less a push adds. Silence is the zero point: in it nothing passes either.
    """
    m, o = c.mind, c.ops
    c.add("settles", c.sizes["stirred_passes"], o.no(quiet))
    settled = c.unit(c.by.get("settles", 0.0)) * c.scale * m.stirred
    rise = c.of("stirs") * (1.0 - m.distress)
    return {
        "distress": c.unit(m.distress + (c.of("distress") + rise - settled)),
        "stirred": c.unit(m.stirred + (rise - settled)),
    }


def strained(m: Number, after: dict[str, Number], o: Number) -> dict[str, Number]:
    """Return how many turns running somebody has been shut, and how many at boiling point."""
    k = m.sizes.of
    open_now = k["openness_base"] + k["openness_trust"] * after["trust"]
    open_now = open_now + k["openness_reactance"] * after["reactance"] + after["met"]
    boils = (after["reactance"] > k["leave_reactance"]) & (after["trust"] < k["boil_trust"])
    return {
        "shut_running": o.where(open_now < k["fade_openness"], m.shut_running + 1, 0),
        "boiling": o.where(boils, m.boiling + 1, 0),
    }


def _supported(c: Change, weight: Number) -> dict[str, Number]:
    """Reflections: fitting ones meet the patient, parroted ones hardly, wrong ones cost."""
    m, h, k, o = c.mind, c.heard, c.sizes, c.ops
    heard = h.reflection >= k["heard_reflection"]
    wrong, copied = heard & h.wrong_feeling, heard & o.no(h.wrong_feeling) & h.copy
    plain = heard & o.no(h.wrong_feeling) & o.no(h.copy)
    fits = k["fits_at_zero"] + k["fits_slope"] * h.accuracy
    met = plain & (fits > 0.0)
    p = h.reflection * m.gained("reflection") * weight * fits
    size = o.where(h.names_feeling, k["reflection_feeling"], k["reflection_content"])
    c.add("trust", k["wrong_feeling"] * h.reflection, wrong, "a feeling that is not there")
    c.add("trust", k["near_copy"], copied, "parroted")
    c.add("trust", size * p * (1.0 - m.trust), met, "met")
    c.add("reactance", k["reflection_calms"] * p, met)
    c.add("distress", k["reflection_eases"] * p, met)
    c.add("settles", k["met_settles"] * p, met)
    c.add("met", k["met"] * p, met)
    c.add("trust", k["second_try"] * weight, met & m.corrected, "right at the second try")
    return {"corrected": o.where(wrong, True, o.where(met, False, m.corrected))}


def _asked(c: Change) -> dict[str, Number]:
    """Questions: tied ones show interest, chains of them wear; so does a speech."""
    m, h, k, o = c.mind, c.heard, c.sizes, c.ops
    asks = h.questions > 0
    supported = (h.reflection >= k["heard_reflection"]) & o.no(h.copy)
    running = o.where(supported, 0, m.asked_running + o.where(asks, 1, 0))
    tied = k["tied_question"] * m.gained("question") * (1.0 - m.trust)
    c.add("trust", tied, h.open_question & h.tied & o.no(h.repeated))
    c.add("reactance", k["interrogated"], (running > k["chain"]) & asks, "interrogated")
    c.add("reactance", k["interrogated"], h.questions > k["at_once"], "several questions at once")
    speech = h.words > k["speech_words"]
    c.add("reactance", k["interrogated"], speech, "a long speech")
    c.add("trust", k["monologue"], speech)
    taken_in = h.evidence_question & (working_edge(m) > k["evidence_edge"])
    return {"asked_running": running, "evidence_asked": m.evidence_asked + o.where(taken_in, 1, 0)}


def _advised(c: Change) -> dict[str, Number]:
    """Advice: closes when it comes early or on a raw feeling, helps when it was asked for."""
    m, h, k, o = c.mind, c.heard, c.sizes, c.ops
    gives = h.advice > 0.0
    asked_for, unasked = gives & h.invited, gives & o.no(h.invited)
    c.add("trust", k["invited_help"] * h.advice * (1.0 - m.trust), asked_for, "help that was asked for")
    c.add("reactance", k["invited_calms"] * h.advice, asked_for)
    c.add("met", k["invited_met"] * h.advice, asked_for)
    taken = h.advice * m.gained("advice")
    early = (m.turn < k["early_turns"]) | (m.trust < k["early_trust"])
    raw = h.raw > k["raw_from"]
    size = o.where(early, k["early_advice_reactance"], k["late_advice_reactance"])
    c.add("reactance", size * taken, unasked & o.no(raw), "advice")
    c.add("reactance", (size + k["raw_advice"]) * taken, unasked & raw, "advice on a raw feeling")
    c.add("stirs", k["raw_advice_stirs"] * taken, unasked & raw)
    c.add("trust", k["early_advice_trust"] * taken, unasked & (early | raw))
    c.add("trust", k["withheld_help"], o.no(gives) & h.refused_help, "asked for help and got none")
    again = h.repeated & ((h.advice > k["repeated_from"]) | (h.challenge > k["repeated_from"]))
    c.add("reactance", k["repeated_reactance"], again, "said it again")
    return {}


def _challenged(c: Change) -> dict[str, Number]:
    """Challenge by the working edge; counter-claims, accusation, oddity."""
    m, h, k, o = c.mind, c.heard, c.sizes, c.ops
    beyond = working_edge(m) < 0.0
    challenged = h.challenge > 0.0
    taken = h.challenge * m.gained("challenge")
    c.add("reactance", k["challenge_reactance"] * taken, challenged & beyond, "challenged beyond the edge")
    c.add("trust", k["challenge_trust"] * taken, challenged & beyond)
    c.add("conviction", k["challenge_backfires"] * h.challenge, challenged & beyond)
    c.add("stirs", k["beyond_stirs"] * taken, challenged & beyond)
    c.add("stirs", k["challenge_stirs"] * h.challenge, challenged & o.no(beyond), "challenged within the edge")
    c.add("reactance", k["counter_reactance"], h.counters, "told what to believe")
    c.add("conviction", k["told_conviction"], h.counters)
    c.add("reactance", k["accused_reactance"], h.accuses, "accused")
    c.add("trust", k["accused_trust"], h.accuses)
    c.add("stirs", k["accused_stirs"], h.accuses)
    c.add("reactance", k["odd_reactance"], h.odd, "asked something odd")
    c.add("trust", k["odd_trust"], h.odd)
    return {}


def _taken_up(c: Change) -> dict[str, Number]:
    """The turn after somebody has come to see something anew: given back and gone on with, the new view lasts.

    Passed over, talked down or topped with advice, it fades, and the belief stays as it was. Quoting counts as giving
    back: a view of one's own is worth hearing in one's own words.
    """
    h, k, o = c.heard, c.sizes, c.ops
    presses = (h.advice > 0.0) | (h.challenge > k["press_from"]) | h.counters | h.accuses | h.wrong_feeling
    taken = h.newly_seen & o.no(presses)
    back = h.quotes | (h.reflection >= k["heard_reflection"]) & (h.copy | (h.accuracy > 0.0))
    on = h.open_question & h.tied
    c.add("conviction", k["view_given_back"], taken & back, "a new view was given back")
    c.add("conviction", k["view_gone_on_with"], taken & on, "a new view was gone on with")
    return {}


def _pleased(c: Change, weight: Number) -> dict[str, Number]:
    """Reassurance, praise, agreement, normalising, self-disclosure: all wear off."""
    m, h, k, o = c.mind, c.heard, c.sizes, c.ops
    c.add("distress", k["reassured_distress"] * weight, h.reassures, "reassured")
    c.add("reactance", k["reassured_reactance"] * m.gained("reassurance"), h.reassures)
    worn = o.decayed(k["praise_decay"], m.praises)
    full, room = k["praise"] * m.gained("praise") * worn, c.unit(k["praise_cap"] - m.praised)
    gain = o.where(full < room, full, room)
    c.add("trust", gain, h.praises, "praised")
    c.add("conviction", k["praise_conviction"] * worn, h.praises)
    c.add("trust", k["agrees_trust"] * (1.0 - m.trust), h.agrees_harmful, "agreed with the belief")
    c.add("conviction", k["agrees_conviction"], h.agrees_harmful)
    c.add("distress", k["agrees_soothes"], h.agrees_harmful)
    small = o.decayed(k["kind_decay"], m.kindnesses)
    c.add("trust", k["normalise"] * small * (1.0 - m.trust), h.normalises, "normalised")
    told = o.where(h.self_words < k["self_words"], k["self_short"] * small, k["self_long"])
    c.add("trust", told, h.self_words > 0, "told about itself")
    kind = h.normalises | (h.self_words > 0)
    return {
        "praises": m.praises + o.where(h.praises, 1, 0),
        "praised": m.praised + o.where(h.praises, gain, 0.0),
        "kindnesses": m.kindnesses + o.where(kind, 1, 0),
    }


def _repaired(c: Change, weight: Number) -> dict[str, Number]:
    """Repair, where there is trouble, and stepping back."""
    m, h, k, o = c.mind, c.heard, c.sizes, c.ops
    again = o.decayed(k["kind_decay"], m.repairs)
    trouble = m.reactance > k["trouble"]
    size = o.where(trouble, k["repair_trust"], k["repair_idle"])
    c.add("trust", size * again * m.gained("repair"), h.repairs, "repaired")
    c.add("reactance", k["yield_reactance"] * weight, h.yields & (m.reactance > k["yield_from"]), "stepped back")
    return {
        "repairs": m.repairs + o.where(h.repairs, 1, 0),
        "soothed": o.where(h.repairs & trouble, k["repair_calms"] * again, 0.0),
    }


def _answered_pushback(c: Change) -> dict[str, Number]:
    """The turn after the patient has pushed back: going along with it repairs, pressing on costs."""
    m, h, k, o = c.mind, c.heard, c.sizes, c.ops
    reflects = (h.reflection >= k["heard_reflection"]) & o.no(h.copy) & o.no(h.wrong_feeling) & (h.accuracy > 0.0)
    met = m.pushed_back & (reflects | h.yields | h.repairs)
    # An open question is not pressing (TCCS counts it as support); one for evidence is a challenge.
    asks = (h.questions > 0) & (o.no(h.open_question) | h.evidence_question)
    presses = (h.advice > 0.0) | (h.challenge > k["press_from"]) | h.accuses | h.counters | asks
    pressed = m.pushed_back & o.no(met) & presses
    c.add("trust", k["stepped_with"] * (1.0 - m.trust), met, "pushback was met")
    c.add("reactance", k["yield_reactance"], met)
    c.add("reactance", k["insist_reactance"], pressed, "pressed on after pushback")
    c.add("trust", k["insist_trust"], pressed)
    c.add("stirs", k["insist_stirs"], pressed)
    return {"pushed_back": m.pushed_back & False}
