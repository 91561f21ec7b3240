"""What a state leads to: how much is told, whether a thought comes, whether somebody pushes back, leaves or fades.

Pure functions of a state, for one mind or many (``Mind`` or ``Columns``); no chance is drawn here,
hazards are returned. A session may also end well: a patient closes when the therapist does.
"""

from __future__ import annotations

from turnwise.patients.mind import MANY, ONE, Mind, Number

__all__ = [
    "may_have_insight",
    "openness",
    "p_fades",
    "p_invalidates",
    "p_leaves",
    "p_pushes_back",
    "sayable_level",
    "why_fading",
    "why_leaving",
    "working_edge",
]


def _between(m: Number, low: Number, x: Number, high: Number) -> Number:
    o = ONE if isinstance(m, Mind) else MANY
    return o.where(x < low, low, o.where(x > high, high, x))


def openness(m: Number) -> Number:
    """Return how much of what is true may be said now, 0 to 1.

    Rises with trust and with having just been met, falls with reactance. It is no measure of how
    much is said: that hangs on what was asked too.

    Examples
    --------
    >>> openness(Mind(trust=0.5)) > openness(Mind(trust=0.5, reactance=0.5))
    True
    """
    k = m.sizes.of
    o = k["openness_base"] + k["openness_trust"] * m.trust + k["openness_reactance"] * m.reactance + m.met
    return _between(m, 0.0, o, 1.0)


def sayable_level(m: Number) -> Number:
    """Return the highest level of telling that may be said (0 open to 3 secret).

    Examples
    --------
    >>> sayable_level(Mind(trust=0.2)), sayable_level(Mind(trust=0.9, turn=12))
    (0, 3)
    """
    k, o = m.sizes.of, openness(m)
    ops = ONE if isinstance(m, Mind) else MANY
    open_levels = ops.where(o < k["gate_half_open"], 0, ops.where(o < k["gate_guarded"], 1, 2))
    return ops.where((o > k["gate_secret"]) & (m.turn > k["gate_secret_turn"]), 3, open_levels)


def working_edge(m: Number) -> Number:
    """Return the room for challenge: positive within the edge, negative beyond it.

    Ribeiro et al. 2013 (TCCS) judge the edge from what the client does next; here it is a number
    that decides what the client does next. It is not an observable.
    """
    return m.trust - m.sizes["edge_reactance"] * m.reactance - m.sizes["edge"]


def p_invalidates(m: Number) -> Number:
    """Return the probability that a challenge is rebuffed rather than answered, 0 to 1: none within the edge.

    That is how the edge shows: TCCS knows it by whether a client validates a challenge (Ribeiro et al. 2013). The
    direction is theirs, the size is not known. A straight line, so that what goes far beyond is rebuffed most.

    Examples
    --------
    >>> p_invalidates(Mind(trust=0.6)), p_invalidates(Mind(trust=0.2)) > p_invalidates(Mind(trust=0.4)) > 0.0
    (0.0, True)
    """
    return _between(m, 0.0, m.sizes["challenge_invalidated"] * -working_edge(m), 1.0)


def may_have_insight(m: Number) -> Number:
    """Whether the patient's own evidence can now add up to a new thought (never the therapist's claim)."""
    k = m.sizes.of
    return (
        (m.evidence_asked >= k["insight_evidence"])
        & (m.evidence_told > m.insights)
        & (m.trust > k["insight_trust"])
        & (m.turn - m.insight_turn > k["insight_pause"])
        & (m.insights < k["insights_at_most"])
    )


def p_pushes_back(m: Number) -> Number:
    """Return the probability that a turn that presses meets pushback rather than a plain answer, 0 to 1.

    A straight line through the share of sustain talk that human clients show (card
    ``human_sizes.json``); its slope is free. Sustain talk is not discord: AnnoMI codes what is said
    about the habit, and a client may defend the habit in a friendly voice.

    Examples
    --------
    >>> p_pushes_back(Mind(reactance=0.12)) < p_pushes_back(Mind(reactance=0.6)) < 1.0
    True
    """
    k = m.sizes.of
    return _between(m, 0.0, k["link_share"] + k["link_slope"] * (m.reactance - k["link_calm"]), 1.0)


def p_leaves(m: Number) -> Number:
    """Return the probability that the patient walks out now (a hazard, so that seeds differ), 0 to 1.

    Zero until irritation without trust has lasted some turns. No client walks out in AnnoMI, staged
    bad sessions included, so the hazard is free; it is set low (card ``human_sizes.json``). Between
    sessions one in five stays away for good (Swift & Greenberg 2012, J Consult Clin Psychol 80(4):
    19.7 % [18.7, 20.7]); this is not that.
    """
    k = m.sizes.of
    ops = ONE if isinstance(m, Mind) else MANY
    above = m.reactance - k["leave_reactance"] + k["leave_builds"] * (m.boiling - 1)
    hazard = _between(m, 0.0, k["leave_hazard"] * above * (1.0 - m.trust), 1.0)
    return ops.where(m.boiling >= k["leave_patience"], hazard, 0.0)


def p_fades(m: Number) -> Number:
    """Return the probability that a shut-down patient ends it by having nothing left to say, 0 to 1."""
    k = m.sizes.of
    hazard = k["fade_hazard"] * (m.shut_running - k["fade_patience"]) * (1.0 - m.reactance)
    return _between(m, 0.0, hazard, 1.0)


def why_leaving(m: Mind, causes: tuple[str, ...]) -> str:
    """Return the reason that the truth record gives for walking out: what it was, and for how long.

    Examples
    --------
    >>> why_leaving(Mind(reactance=0.7, trust=0.1, boiling=3), ("advice", "pressed on after pushback"))
    'irritated without trust for 3 turns; at last: advice, pressed on after pushback'
    """
    last = f"; at last: {', '.join(causes)}" if causes else ""
    return f"irritated without trust for {m.boiling} turns{last}"


def why_fading(m: Mind) -> str:
    """Return the reason that the truth record gives for fading.

    Examples
    --------
    >>> why_fading(Mind(shut_running=7))
    'shut for 7 turns'
    """
    return f"shut for {m.shut_running} turns"
