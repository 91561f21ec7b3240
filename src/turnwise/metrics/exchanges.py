"""Exchanges of the TCCS: a therapist's turn and the answer to it, and rates over them.

No public data carry TCCS labels. On transcripts this is a *proxy*: giving input stands for
challenging, every other behaviour for supporting, and sustain talk (or, in a simulation, the
moment ``invalidation`` that the patient emitted) for invalidating.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from turnwise.core.nouns import Moment, Score, Trajectory, unscored
from turnwise.metrics.label_counts import CLIENT_TALK, THERAPIST_BEHAVIOUR, whole_reading

__all__ = ["Exchange", "ExchangeRates", "after_invalidation", "exchange_rates", "exchanges_of"]

YIELD_REPLY = "yield_reply"
Act = Literal["support", "challenge", "silence"]
Answer = Literal["validate", "ambivalent", "invalidate", "other"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A therapist's turn and the patient's answer; ``None`` = there are words, but they were not read."""

    therapist: Act | None
    patient: Answer | None


@dataclass(frozen=True, slots=True)
class ExchangeRates:
    """Rates over the exchanges of one session, each with the n it rests on.

    Attributes
    ----------
    collaboration : P(validate).
    step_back, insist : P(support), P(challenge) given that the previous exchange invalidated. A
        silence is neither, so they add up to one only where the therapist never fell silent.
    reach : P(challenge) given that the previous exchange validated.
    recovery : P(validate | previous invalidated, stepped back) minus the same after insisting.
    """

    collaboration: Score
    step_back: Score
    insist: Score
    reach: Score
    recovery: Score


def _rate(hits: Sequence[bool], what: str) -> Score:
    return Score(sum(hits) / len(hits), len(hits)) if hits else unscored("no_denominator", what)


def exchange_rates(exchanges: Sequence[Exchange]) -> ExchangeRates:
    """Return the TCCS rates of labelled exchanges, in order.

    Exchanges whose label is ``None`` leave the numerator and the denominator of the rates that
    need it. Undefined rates are ``no_denominator``.

    References
    ----------
    Ribeiro, Ribeiro, Gonçalves, Horvath & Stiles (2013), Psychology and Psychotherapy 86, 294-314.

    Examples
    --------
    >>> yes, no = Exchange("support", "validate"), Exchange("challenge", "invalidate")
    >>> exchange_rates([yes, no, no, yes]).step_back.value
    0.5
    """
    steps = list(pairwise(exchanges))
    after_no = [b for a, b in steps if a.patient == "invalidate" and b.therapist is not None]
    after_yes = [b for a, b in steps if a.patient == "validate" and b.therapist is not None]
    met = {
        act: [b.patient == "validate" for b in after_no if b.therapist == act and b.patient is not None]
        for act in ("support", "challenge")
    }
    resisted = "no answered therapist turn followed an invalidation: the patient never resisted, or nothing came after"
    if met["support"] and met["challenge"]:
        stepped, pressed = (sum(met[act]) / len(met[act]) for act in ("support", "challenge"))
        recovery = Score(stepped - pressed, len(met["support"]) + len(met["challenge"]))
    else:
        recovery = unscored("no_denominator", "after invalidations the therapist did not both step back and insist")
    return ExchangeRates(
        collaboration=_rate([e.patient == "validate" for e in exchanges if e.patient], "no answer was read"),
        step_back=_rate([e.therapist == "support" for e in after_no], resisted),
        insist=_rate([e.therapist == "challenge" for e in after_no], resisted),
        reach=_rate([e.therapist == "challenge" for e in after_yes], "no therapist turn followed a validation"),
        recovery=recovery,
    )


def exchanges_of(t: Trajectory, *, lets_go: bool = False) -> tuple[Exchange, ...] | Score:
    """Return the exchanges of a session by the proxy above, or why there are none.

    Neighbouring turns of one speaker are merged: one input among them makes a challenge, one
    invalidation an invalidation. A therapist's turn without an answer is dropped, and so is
    whatever the patient says before the therapist's first turn. Where the simulation emitted
    moments (the key ``moment`` on any patient turn, even ``None``) they decide; otherwise the
    reading ``client_talk`` does.

    Parameters
    ----------
    lets_go : input that ``yield_reply`` reads as stepping back is support and no challenge. An apology is input to a
        coder of behaviour, which has no other place for it ("I pushed there, and I'm sorry").
    """
    behaviour, talk = whole_reading(t, THERAPIST_BEHAVIOUR), whole_reading(t, CLIENT_TALK)
    truth = any(turn.speaker == "patient" and "moment" in t.info(i) for i, turn in enumerate(t.turns))
    if behaviour is None or (talk is None and not truth):
        item = THERAPIST_BEHAVIOUR if behaviour is None else CLIENT_TALK
        return unscored("no_reading", f"needs the coder {item!r}, which did not read this session")
    backs: Sequence[str | None] = (None,) * len(t.turns)
    if lets_go:
        replies = whole_reading(t, YIELD_REPLY)
        if replies is None:
            return unscored("no_reading", f"needs the coder {YIELD_REPLY!r}, which did not read this session")
        backs = replies.values()
    moves = behaviour.values()
    talks = talk.values() if talk is not None else (None,) * len(t.turns)
    blocks = [(who, list(run)) for who, run in groupby(range(len(t.turns)), key=lambda i: t.turns[i].speaker)]
    found = []
    for (who, mine), (_, answer) in pairwise(blocks):
        if who == "therapist":
            patient = _by_moment(t, answer) if truth else _by_talk([talks[i] for i in answer])
            found.append(Exchange(_act(t, mine, moves, backs), patient))
    return tuple(found)


def _act(t: Trajectory, turns: Sequence[int], moves: Sequence[str | None], backs: Sequence[str | None]) -> Act | None:
    if any(moves[i] is not None for i in turns):
        pressed = any(moves[i] == "therapist_input" and backs[i] != "steps_back" for i in turns)
        return "challenge" if pressed else "support"
    return None if any(t.turns[i].text.strip() for i in turns) else "silence"


def _by_moment(t: Trajectory, turns: Sequence[int]) -> Answer:
    return "invalidate" if any(t.info(i).get("moment") == Moment.INVALIDATION for i in turns) else "other"


def _by_talk(talks: Sequence[str | None]) -> Answer | None:
    read = [x for x in talks if x is not None]
    if not read:
        return None
    return "invalidate" if "sustain" in read else "validate" if "change" in read else "other"


def after_invalidation(t: Trajectory, rate: Literal["step_back", "insist"], *, lets_go: bool = False) -> Score:
    """Return one of the two rates after an invalidation for a session; ``lets_go`` as in :func:`exchanges_of`."""
    exchanges = exchanges_of(t, lets_go=lets_go)
    if isinstance(exchanges, Score):
        return exchanges
    rates = exchange_rates(exchanges)
    return rates.step_back if rate == "step_back" else rates.insist
