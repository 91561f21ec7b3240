"""Word a plan: how long, which beats, who has to be introduced, how the pieces join."""

from __future__ import annotations

import re
from dataclasses import dataclass

from numpy.random import Generator

from turnwise.patients.answering import Plan, Situation, sayable
from turnwise.patients.dynamics import openness
from turnwise.patients.people import display, introduce
from turnwise.patients.schema import Telling
from turnwise.patients.speech import OWN_START, begun, habits, joined, lacking, loosened
from turnwise.reading.sentences import split_sentences

__all__ = ["Wording", "target_words", "word"]

_STYLE = {
    "reserved": 0.7,
    "silent": 0.4,
    "plain": 1.0,
    "upset": 1.0,
    "pleasing": 1.1,
    "tangential": 1.4,
    "verbose": 1.7,
}


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
    """Draw how long the reply wants to be: from people's lengths after such a turn, by openness and style."""
    voice = s.index.file.voice
    drawn = habits(voice.modality).length(s.taken.kind, float(rng.random()))
    drawn *= (0.7 + 0.6 * openness(s.mind)) * _STYLE[voice.style]
    if s.mind.shut_running >= 3:
        drawn *= 0.5
    return float(max(drawn, 20.0) if s.mind.turn == 1 else drawn)


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
    known = set(s.memory.known) | _named(s)
    said = []
    for i, beat in enumerate(taken):
        beat = _antecedent(s, plan, beat) if i == 0 else beat
        if plan.kind != "fact":
            beat, known = introduce(s.index, beat, known)
        said.append(beat)
    speech, h = s.index.file.voice.speech, habits(s.index.file.voice.modality)
    if plan.kind in _LOOSE:
        told = s.index.tellings.get(plan.telling)
        raw = told is not None and (told.intensity >= _RAW or told.level >= _GUARDED or told.id in s.index.risky)
        said = loosened(said, speech, lacking(speech, h, s.index.fillers), s.index.proper, rng, raw=raw)
    echo = _taken_up(s, plan, said, rng)
    opener = echo or _opener(s, plan, said, rng)
    if opener and said:
        said[0] = joined(opener, said[0], s.index.proper)
    text = " ".join(([plan.lead] if plan.lead else []) + said).strip() or "Mm."
    left = tuple(beats[len(taken) :]) if plan.telling or plan.continues else ()
    opener = _ECHO if echo else opener
    return Wording(text, tuple(taken), left, tuple(sorted(known)), opener, further.id if further else "")


def _sentences_first(plan: Plan, beats: list[str], target: float) -> list[str]:
    """Cut the first beat into its sentences where a much shorter reply is wanted: the rest can come later."""
    if not beats or plan.must > 1 or plan.kind not in _TOLD or target > 0.6 * len(beats[0].split()):
        return beats
    cut = split_sentences(beats[0])
    if plan.kind == "yes_no":
        return [*cut, *beats[1:]] if _YES_NO.match(cut[0]) else beats
    whole = len(cut) > 1 and len(cut[0].split()) >= _POINT and not cut[0].endswith("?")
    return [*cut, *beats[1:]] if whole else beats


_BEGUN = ("tell", "leads_to", "spine", "deeper", "continue", "hint", "undecided")
_LOOSE = (*_BEGUN, "scheduled", "yes_no", "bait")
"""Kinds of reply that are loosened: not banks of short lines, goodbyes, or what is said of danger."""
_ECHO = "?"
_RAW, _GUARDED = 0.5, 2
_TOLD = ("tell", "leads_to", "deeper", "continue", "spine", "yes_no")
_YES_NO = re.compile(r"(?:yes|no|yeah|aye|nah|nope|yep|never|sometimes|not really)\b", re.IGNORECASE)
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


def _named(s: Situation) -> set[str]:
    """People the therapist has just called by their name: they need no introduction."""
    words = set(re.findall(r"[\w'-]+", s.taken.text.lower()))
    return {p for p, person in s.index.file.people.items() if any(n.lower() in words for n in person.names)}


_NAMED = re.compile(r"\b(your|the) ([a-z]+)\b(?=[ ,.?!]|$)")
_TAKES_UP = 0.3
"""Share of the answers that could take up what the question names and do. In AnnoMI .27 of answers share a word of
content with their question, .12 by chance; authored answers hardly ever do."""


def _taken_up(s: Situation, plan: Plan, said: list[str], rng: Generator) -> str:
    """Return the thing or person a question names, handed back as people do ("My sister? She's …"), or ``""``."""
    q = s.taken.question
    if q is None or not q.open or plan.lead or plan.kind not in ("tell", "fact") or not said or s.mind.turn == 1:
        return ""
    roll, answer = rng.random(), " ".join(said).lower()
    if roll > _TAKES_UP or s.memory.openers[-1:] == (_ECHO,) or len(said[0].split()) < _POINT:
        return ""
    for whose, noun in _NAMED.findall(q.plain):
        about = s.index.topic_words.search(noun) or s.index.people_in(f"your {noun}")
        if about and noun not in answer:
            return f"{'My' if whose == 'your' else 'The'} {noun}?"
    return ""


def _opener(s: Situation, plan: Plan, said: list[str], rng: Generator) -> str:
    """Return what the reply begins with, if it begins with anything."""
    voice = s.index.file.voice
    plain = said and not plan.lead and not OWN_START.match(said[0]) and len(said[0].split()) >= _POINT
    if not plain or plan.kind not in _BEGUN:
        return ""
    goes_along = s.taken.question is None and plan.kind in ("leads_to", "deeper", "continue")
    h = habits(voice.modality)
    return begun(voice.speech, h, s.taken.kind, s.memory.openers[-1:], rng, goes_along=goes_along)
