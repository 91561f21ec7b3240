"""Word a plan: how long, which beats, who has to be introduced, how the pieces join."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from turnwise.patients.answering import Plan, Situation, sayable
from turnwise.patients.dynamics import openness
from turnwise.patients.people import display, introduce
from turnwise.patients.schema import Telling
from turnwise.reading.sentences import split_sentences

__all__ = ["Wording", "target_words", "word"]

MEDIAN_WORDS = {"open": 17.0, "closed": 9.0, "reflection": 5.0, "input": 6.0, "advice": 7.0, "other": 9.0}
"""Median words of the client's next turn by therapist move (AnnoMI, first annotator, development portion).

Reflections draw 2 to 3 there, spoken backchannels included; 5 lies between speech and typing.
"""
_SPREAD = 1.0
_STYLE = {
    "reserved": 0.7,
    "silent": 0.4,
    "plain": 1.0,
    "upset": 1.0,
    "pleasing": 1.1,
    "tangential": 1.6,
    "verbose": 1.7,
}
_OPENER_SHARE = 0.14
_OWN_OPENER = re.compile(
    r"^(?:well|no|yes|yeah|aye|oh|so|look|okay|ok|i mean|and|but|because|listen|you know|right|hm|huh|mm|it's|that)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wording:
    """What was said in the end: text, the beats in it, those left over, and who became known."""

    text: str
    beats: tuple[str, ...]
    pending: tuple[str, ...]
    known: tuple[str, ...]
    opener: str = ""
    also: str = ""
    """A second telling that ran on from the first, in a long reply."""


def target_words(s: Situation, rng: Generator) -> float:
    """Draw how long the reply wants to be: lognormal, by what the therapist did, openness and style."""
    heard, q = s.taken.heard, s.taken.question
    if q is not None:
        kind = "open" if q.open else "closed"
    elif heard.does("advice"):
        kind = "advice"
    elif s.taken.reflected:
        kind = "reflection"
    else:
        kind = "input" if heard.p_input > 0.5 else "other"
    median = MEDIAN_WORDS[kind] * (0.7 + 0.6 * openness(s.mind)) * _STYLE[s.style]
    drawn = float(np.exp(np.log(median) + _SPREAD * rng.standard_normal()))
    if s.mind.shut_running >= 3:
        drawn *= 0.5
    return max(drawn, 20.0) if s.mind.turn == 1 else drawn


def word(s: Situation, plan: Plan, rng: Generator) -> Wording:
    """Return the words of a plan; takes as many beats as come near the drawn length, never pads."""
    target = target_words(s, rng)
    taken, count = [], 0
    beats = _sentences_first(plan, [b for b in plan.beats if b], target)
    for i, beat in enumerate(beats):
        n = len(beat.split())
        if i >= plan.must and count + 0.5 * n > target:
            break
        taken.append(beat)
        count += n
    further = _runs_on(s, plan, target - count) if len(taken) == len(beats) else None
    if further is not None:
        taken += further.beats
    known = set(s.memory.known)
    said = []
    for i, beat in enumerate(taken):
        beat = _antecedent(s, plan, beat) if i == 0 else beat
        if plan.kind != "fact":
            beat, known = introduce(s.index, beat, known)
        said.append(beat)
    opener = _opener(s, plan, said, rng)
    if opener and said:
        said[0] = _join(opener, said[0], s.index.proper)
    text = " ".join(([plan.lead] if plan.lead else []) + said).strip() or "Mm."
    left = tuple(beats[len(taken) :]) if plan.telling or plan.continues else ()
    return Wording(text, tuple(taken), left, tuple(sorted(known)), opener, further.id if further else "")


def _sentences_first(plan: Plan, beats: list[str], target: float) -> list[str]:
    """Cut the first beat into its sentences where a much shorter reply is wanted: the rest can come later."""
    if not beats or plan.must > 1 or plan.kind not in _TOLD or target > 0.6 * len(beats[0].split()):
        return beats
    cut = split_sentences(beats[0])
    whole = len(cut) > 1 and len(cut[0].split()) >= _POINT and not cut[0].endswith("?")
    return [*cut, *beats[1:]] if whole else beats


_TOLD = ("tell", "leads_to", "deeper", "continue")
_POINT = 3  # words below which a first sentence does not hold the point


def _runs_on(s: Situation, plan: Plan, room: float) -> Telling | None:
    """In a long reply, one story leads to the next: the telling that follows, where there is room for it."""
    told = s.index.tellings.get(plan.telling)
    if told is None or plan.continues or plan.kind not in ("tell", "leads_to", "spine", "deeper"):
        return None
    for name in told.leads_to:
        t = s.index.tellings[name]
        ready = set(t.needs) <= {*s.memory.said, told.id} and sayable(s, _without_needs(t))
        if ready and t.function == "answer" and not t.moment and sum(len(b.split()) for b in t.beats) <= room:
            return t
    return None


def _without_needs(t: Telling) -> Telling:
    """Return the telling without its needs, which were looked at already."""
    return t.model_copy(update={"needs": ()})


def _antecedent(s: Situation, plan: Plan, beat: str) -> str:
    """Name whoever "He …" would be, when nobody has just spoken of them."""
    t = s.index.tellings.get(plan.telling)
    first = re.match(r"(He|She|They)('\w+)?\b", beat)
    if t is None or first is None or plan.continues:
        return beat
    who = [p for p in t.mentions if s.index.file.people[p].pronoun == first.group(1).lower()]
    recent = s.index.people_in(s.taken.text + " " + " ".join(s.memory.lines[-2:]))
    if len(who) != 1 or who[0] in recent or who[0] in s.index.people_in(beat):
        return beat
    names = s.index.file.people[who[0]].names
    name = display(
        next((n for n in names if n.startswith("my ")), names[0]) if who[0] not in s.memory.known else names[0]
    )
    return name[:1].upper() + name[1:] + beat[len(first.group(1)) :]


def _opener(s: Situation, plan: Plan, said: list[str], rng: Generator) -> str:
    voice = s.index.file.voice
    roll = rng.random()
    if (
        not said
        or plan.lead
        or plan.kind not in ("tell", "leads_to", "spine", "deeper", "undecided")
        or s.mind.turn == 1
    ):
        return ""
    if roll > _OPENER_SHARE or not voice.openers or _OWN_OPENER.match(said[0]) or len(said[0].split()) < 5:
        return ""
    fresh = [
        o
        for o in voice.openers
        if o not in s.memory.openers[-3:] and not re.match(r"(?:no|aye|yes)\b", o, re.IGNORECASE)
    ]
    return fresh[int(rng.integers(len(fresh)))] if fresh else ""


def _join(opener: str, beat: str, proper: frozenset[str]) -> str:
    first = beat.split()[0]
    if opener.rstrip(",").lower().split()[-1] == first.lower().rstrip(","):
        return beat
    bare = first.rstrip(".,!?").split("'")[0]
    lower = opener.endswith(",") and bare != "I" and bare not in proper and not (bare.isupper() and len(bare) > 1)
    return f"{opener} {beat[:1].lower() + beat[1:] if lower else beat}"
