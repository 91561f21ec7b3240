"""Word a plan: how long, which beats, who has to be introduced, how the pieces join."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.random import Generator

from turnwise.patients.dynamics import openness
from turnwise.patients.index import CaseIndex
from turnwise.patients.people import display, introduce
from turnwise.patients.plans import Plan, Situation, sayable
from turnwise.patients.schema import Telling
from turnwise.patients.speech import OWN_START, begun, habits, joined, lacking, loosened, lowered, unhedged
from turnwise.patients.taking_up import FORMS, named, taken_up, unknown
from turnwise.patients.turning_round import Asked, asked
from turnwise.patients.voicing import contracts
from turnwise.patients.words import content_words
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
    own: str = ""
    """Of a planned moment: its own words, with which the text ends, without what leads up to them."""


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
    if plan.scheduled:
        return _moment(s, plan, target, rng)
    must = _whole_request(plan)
    plan = replace(plan, must=must) if must != plan.must else plan
    asked = s.taken.question is not None
    beats = _sentences_first(s, plan, [b for b in plan.beats if b], target, asked=asked)
    taken = _as_many(beats, plan.must, target)
    room = target - sum(len(b.split()) for b in taken)
    further = _runs_on(s, plan, room) if len(taken) == len(beats) else None
    if further is not None:
        taken += further.beats
    known = set(s.memory.known) | _named(s)
    recent = s.index.people_in(s.taken.text + " " + " ".join(s.memory.lines[-2:]))
    said = []
    for i, beat in enumerate(taken):
        beat = _antecedent(s.index, plan, beat, recent, known) if i == 0 else beat
        if plan.kind != "fact" or not _asks_name(s):
            beat, known = introduce(s.index, beat, known)
        said.append(beat)
    if plan.kind in _LOOSE or _told_instead(plan):
        said = _loosened(s.index, plan, said, rng)
    begins = plan.lead, said[0] if said else ""
    lead, first = _taken_up(s, plan, *begins, rng)
    echoed = (lead, first) != begins
    opener = _ECHO if echoed else _opener(s, plan, said, rng)
    if said:
        said[0] = joined(opener, first, s.index.proper) if opener and not echoed else first
    text = " ".join(([lead] if lead else []) + said).strip() or "Mm."
    left = tuple(beats[len(taken) :]) if plan.telling or plan.continues else ()
    return Wording(text, tuple(taken), left, tuple(sorted(known)), opener, further.id if further else "")


def _moment(s: Situation, plan: Plan, target: float, rng: Generator) -> Wording:
    """Return a planned moment: its own words, and before them what leads up to it here.

    How much is told, what is filled in and who is introduced hang on the session's luck and the telling alone, so the
    words are the same whoever the therapist is and whatever came before.
    """
    lead = _shorter_lead(s, plan, target)
    led = _taken_up(s, plan, lead, plan.beats[0], rng)[0] if lead else ""
    alone = replace(plan, kind="scheduled", lead="", must=1)
    alone = replace(alone, must=_whole_request(alone))
    words = _own_words(s, alone) if plan.telling else Wording(" ".join(plan.beats), plan.beats, (), ())
    known = {*s.memory.known, *_named(s), *words.known}
    return replace(
        words,
        text=f"{led} {words.text}".strip(),
        known=tuple(sorted(known)),
        opener=_ECHO if led != lead else "",
        own=words.text,
    )


def _own_words(s: Situation, plan: Plan) -> Wording:
    """Return the words of a planned telling as they would be if nothing had been said before."""
    rng, voice = s.memory.luck_of(plan.telling, "words"), s.index.file.voice
    target = habits(voice.modality).length("open", float(rng.random())) * _STYLE[voice.style]
    beats = _sentences_first(s, plan, [b for b in plan.beats if b], target, asked=False)
    target = 0.0 if plan.moment == "risk" else target  # the rest of that is left to be asked for
    taken = _as_many(beats, plan.must, target)
    said, known = [_antecedent(s.index, plan, taken[0], frozenset(), set()), *taken[1:]], set[str]()
    for i, beat in enumerate(said):
        said[i], known = introduce(s.index, beat, known)
    left = tuple(b for b in beats[len(taken) :] if plan.moment not in _AT_ONCE or b in plan.beats)
    return Wording(" ".join(_loosened(s.index, plan, said, rng)), tuple(taken), left, tuple(known))


def _as_many(beats: Sequence[str], must: int, target: float) -> list[str]:
    """Return as many of the beats as come near the length, ``must`` at least."""
    taken: list[str] = []
    count = 0
    for i, beat in enumerate(beats):
        n = len(beat.split())
        if i >= must and count + 0.5 * n > target:
            break
        taken.append(beat)
        count += n
    return taken


def _loosened(index: CaseIndex, plan: Plan, said: list[str], rng: Generator) -> list[str]:
    speech, told = index.file.voice.speech, index.tellings.get(plan.telling)
    raw = told is not None and (told.intensity >= _RAW or told.level >= _GUARDED or told.id in index.risky)
    words = unhedged(speech) if plan.kind in _PLAIN_FACTS or plan.moment == "risk" else speech
    missing = lacking(speech, habits(index.file.voice.modality), index.fillers)
    return loosened(said, words, missing, index.proper, rng, raw=raw)


def _asks_name(s: Situation) -> bool:
    """Whether a question asks for a name: the bare name answers it."""
    q = s.taken.query
    return q is not None and re.search(r"\b(?:names?|called)\b", q.text.lower()) is not None


def _shorter_lead(s: Situation, plan: Plan, target: float) -> str:
    """Return the lead, or only the turn aside at its end where nothing was asked and a short reply is wanted."""
    short = s.taken.question is None and target < _SHORT_REPLY
    return split_sentences(plan.lead)[-1] if short and plan.lead else plan.lead


_SHORT_REPLY = 10  # words


def _told_instead(plan: Plan) -> bool:
    """Whether a non-answer has something beside it that is told all the same."""
    return plan.kind == "unanswerable" and bool(plan.telling)


def _sentences_first(s: Situation, plan: Plan, beats: list[str], target: float, *, asked: bool) -> list[str]:
    """Cut the first beat into its sentences where a much shorter reply is wanted: the rest can come later."""
    brought_up = plan.kind == "scheduled" and plan.moment in (*_LATER, *_AT_ONCE) and plan.telling
    enough = _ENOUGH[not asked]
    if not beats or plan.must > 1 or target > enough * len(beats[0].split()):
        return beats
    if plan.kind not in _TOLD and not brought_up and not _told_instead(plan):
        return beats
    cut = split_sentences(beats[0])
    if plan.kind == "yes_no":
        return [*cut, *beats[1:]] if _YES_NO.match(cut[0]) else beats
    if len(cut[0].split()) < _CLAUSE and _FRAGMENT.match(cut[0]):
        return beats
    if len(cut[0].split()) <= _POINT and brought_up:
        return beats  # "Thirtieth of June." alone brings nothing up
    asks = cut[0].endswith("?")
    if plan.moment == "request" and brought_up:
        # The request is in a question; what only leads up to it cannot stand for it.
        alone = asks and len(cut[0].split()) >= 2 * _POINT and not _MAY_I.match(cut[0])
        return [*cut, *beats[1:]] if alone else beats
    if len(cut[0].split()) >= _POINT and not asks:
        # Who types sends a whole sentence.
        stops = plan.kind in _UNASKED and s.index.file.voice.modality == "spoken"
        short = _clauses(cut[0]) if stops and target < 0.5 * len(cut[0].split()) else [cut[0]]
        return [*short, *cut[1:], *beats[1:]]
    return beats


_MAY_I = re.compile(r"(?:\w+,? )?(?:can|could|may|might) i\b", re.IGNORECASE)


def _whole_request(plan: Plan) -> int:
    """Return how many beats belong together: what is asked for is not left out after what leads up to it."""
    asks = (i + 1 for i, beat in enumerate(plan.beats) if "?" in beat)
    return max(plan.must, next(asks, 1) if plan.moment == "request" and plan.telling else 1)


def _clauses(sentence: str) -> list[str]:
    """Part a long sentence before its last "and" or "but" clause, as somebody stops who was not asked for more.

    Examples
    --------
    >>> _clauses("I lie there listening for the door at night, and there is nobody comes at twenty to two.")
    ['I lie there listening for the door at night.', 'And there is nobody comes at twenty to two.']
    """
    m = _LAST_CLAUSE.fullmatch(sentence)
    if m is None or len(sentence.split()) < _LONG or min(len(part.split()) for part in m.groups()) < _CLAUSE:
        return [sentence]
    return [f"{m[1]}.", f"{m[2][:1].upper()}{m[2][1:]}"]


_LAST_CLAUSE = re.compile(
    r"((?:[^'\"“”:;]|\b'\b)+), ((?:and|but) (?:I|he|she|they|we|it|there|nobody|my|the)\b(?:[^'\"“”:;]|\b'\b)+)"
)
_FRAGMENT = re.compile(r"(?:when|if|because|like|with|by|for|to|only|or|than|as)\b", re.IGNORECASE)
"""How a first sentence begins that is half a thought ("When she sleeps.")."""
_LONG, _CLAUSE = 16, 5  # words of a sentence that is parted, and of its parts
_UNASKED = ("leads_to", "deeper", "continue", "spine", "scheduled")
"""Kinds of reply in which something is said that was not asked for."""


_ENOUGH = (0.6, 1.0)
"""Share of its first beat below which a reply has to be wanted to be cut: in answer to a question, and unasked."""
_LATER = (None, "disclosure", "distortion", "hint")
_AT_ONCE = ("invalidation", "request")
"""Planned moments that are made by the first sentence of their telling; of the latter the rest is not said later."""
_BEGUN = ("tell", "leads_to", "spine", "deeper", "continue", "hint", "undecided", "further")
_LOOSE = (*_BEGUN, "yes_no", "bait", "insight", "fact")
"""Kinds of reply that are loosened, as planned moments are: not short lines, goodbyes, or what is said of danger."""
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


def _antecedent(index: CaseIndex, plan: Plan, beat: str, recent: Collection[str], known: Collection[str]) -> str:
    """Name whoever "He …" would be, when nobody has just spoken of them (``recent``)."""
    t = index.tellings.get(plan.telling)
    first = _THEY.match(beat)
    if t is None or first is None or plan.continues:
        return beat
    who = [p for p in t.mentions if index.file.people[p].pronoun == first.group(1).lower()]
    if len(who) != 1 or who[0] in recent or who[0] in index.people_in(beat):
        return beat
    names = index.file.people[who[0]].names
    name = display(next((n for n in names if n.startswith("my ")), names[0]) if who[0] not in known else names[0])
    return name[:1].upper() + name[1:] + beat[len(first.group(1)) :]


_THEY = re.compile(r"(He|She|They)('\w+)?\b")
_NAME = re.compile(r"[\w'-]+")


def _named(s: Situation) -> set[str]:
    """People the therapist has just called by their name: they need no introduction."""
    called = _called(s.index)
    return {p for word in _NAME.findall(s.taken.text.lower()) for p in called.get(word, ())}


@cache
def _called(index: CaseIndex) -> dict[str, list[str]]:
    """Return whom each name of one word is of."""
    found: dict[str, list[str]] = {}
    for person, who in index.file.people.items():
        for name in who.names:
            found.setdefault(name.lower(), []).append(person)
    return found


def _taken_up(s: Situation, plan: Plan, lead: str, first: str, rng: Generator) -> tuple[str, str]:
    """Return what is said before the answer, and its beginning, with the question taken up in one of them.

    Not twice running, not where danger or what may not be told is spoken of, and only of the question that was put
    last: what stands before an answer is heard as what it answers.
    """
    q, voice = s.taken.question, s.index.file.voice
    h, asks = habits(voice.modality), [x for x in s.taken.heard.sentences if x.asks]
    often = rng.random() < min(1.0, h.takes_up / _COULD)
    if not often or q is None or asks[-1] is not q or not first or not _may_take_up(s, plan):
        return lead, first
    if len(q.text.split()) > _LONGEST or _WINDS.search(q.text):
        return lead, first
    a, short = asked(q.text), contracts(s.index)
    if a is not None and (answer := unknown(lead or first, a, contracts=short)):
        return (answer, first) if lead else (lead, answer)
    if lead:
        return lead, first
    # What somebody came to say names no "main problem": it is only said after the words.
    told = plan.kind not in _NOTHING_TOLD and plan.moment != "thin" and not (plan.kind == "spine" and a and a.noun)
    if a is not None and a.holds & content_words(first):
        return lead, first
    form = FORMS[int(np.searchsorted(np.cumsum(h.forms), rng.random() * sum(h.forms)))]
    start, goes_on, typed = "", False, voice.modality == "typed"
    if a is not None and told:
        start, goes_on = taken_up(a, form, first, contracts=short, typed=typed)
    if not start and rng.random() < _INSTEAD * voice.speech.rate:
        start, goes_on = _handed_back(s, a, first, short), False
    return lead, f"{start} {lowered(first, s.index.proper) if goes_on else first}" if start else first


_COULD = 0.36
"""Share of the answers of the panel's sessions in which the question could be taken up: the others do it for all."""
_INSTEAD = 0.4
"""How often, times the rate of the case, the thing named or the whole question stands where no clause fits."""
_TAKES_UP = frozenset(("tell", "fact", "spine", "unanswerable", "thin", "why_unknown", "scheduled"))
_NOTHING_TOLD = ("unanswerable", "thin", "why_unknown")
_PLAIN_FACTS = ("fact", "yes_no")  # nobody hedges where they live
_TOO_RAW, _SECRET = 0.8, 3
_LONGEST = 12  # words of a question that is taken up: a part of a longer one is soon no English
_WINDS = re.compile(r"[,;:–] \w+ |\bor\b")


def _may_take_up(s: Situation, plan: Plan) -> bool:
    """Whether the answer bears to have the question before it."""
    told = s.index.tellings.get(plan.telling)
    raw = told is not None and (told.intensity >= _TOO_RAW or told.level >= _SECRET or told.id in s.index.risky)
    again = s.memory.openers[-1:] == (_ECHO,)
    return plan.kind in _TAKES_UP and not (raw or again or s.risk_asked or plan.moment == "risk" or plan.continues)


def _handed_back(s: Situation, a: Asked | None, first: str, short: bool) -> str:
    """Return the thing or person the question names, or the question itself, handed back: "My sister?"."""
    assert s.taken.question is not None
    answer = first.lower()
    of_somebody = s.taken.query is not None and bool(s.taken.query.people)
    for thing, noun in named(s.taken.question.text):
        whom = s.index.people_in(f"your {noun}")
        if of_somebody and not whom:
            continue  # "Who looks after Quincy while you're on the floor?" is not about the floor
        about = whom or s.index.topic_words.search(noun)
        if about:
            return f"{thing[:1].upper()}{thing[1:]}?" if noun not in answer else ""
    for form in ("phrase", "question"):
        start, _ = taken_up(a, form, first, contracts=short, typed=False) if a is not None else ("", False)
        if start:
            return start
    return ""


def _opener(s: Situation, plan: Plan, said: list[str], rng: Generator) -> str:
    """Return what the reply begins with, if it begins with anything."""
    voice = s.index.file.voice
    plain = said and not plan.lead and not OWN_START.match(said[0]) and len(said[0].split()) >= _POINT
    if not plain or plan.kind not in _BEGUN:
        return ""
    goes_along = s.taken.question is None and plan.kind in ("leads_to", "deeper", "continue")
    h = habits(voice.modality)
    text = " ".join(said).lower()
    had = (*s.memory.openers[-1:], *(x for x in voice.speech.begins if x.lower() in text))
    return begun(voice.speech, h, s.taken.kind, had, rng, goes_along=goes_along)
