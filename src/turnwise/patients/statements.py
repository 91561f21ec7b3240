"""Reply to a turn that asks nothing: reflections, advice, praise, silence between the lines."""

from __future__ import annotations

import re
from dataclasses import replace

from turnwise.patients.banks import Bank, draw, lines_for
from turnwise.patients.dynamics import openness, p_invalidates
from turnwise.patients.insights import insight
from turnwise.patients.listening import FOR_EVIDENCE
from turnwise.patients.not_known import next_of_its_own
from turnwise.patients.plans import Plan, Situation, rest_of, sayable, tell
from turnwise.patients.schema import Telling
from turnwise.patients.speech import favoured, habits
from turnwise.patients.wanted import wanted
from turnwise.reading.encoder import encode

__all__ = [
    "correct",
    "go_on",
    "minimal",
    "own_story",
    "pushback",
    "rebuffs",
    "to_advice",
    "to_reflection",
    "to_statement",
]


def pushback(s: Situation, bank: str) -> Plan:
    """Push back with a line of a bank: the turn pressed, accused or gave advice."""
    r = s.index.file.reactions
    line = draw(getattr(r, bank), s.memory, s.rng) or draw(r.fading, s.memory, s.rng) or "Mm."
    return Plan(bank, "pushed back", (line,), moment="invalidation")


def rebuffs(s: Situation, *, answerable: bool = False) -> Plan | None:
    """Rebuff a challenge: never within the working edge, the likelier the further beyond it.

    What cannot be answered from beyond the edge is always rebuffed. A question for evidence counts as a challenge
    only where its wording asks for it outright: what was perhaps misheard is better answered.
    """
    overt, q, p = _challenged(s), s.taken.query, float(p_invalidates(s.mind))
    for_evidence = q is not None and bool(q.worded & FOR_EVIDENCE)
    if p == 0.0 or not (overt or for_evidence):
        return None
    if (answerable or not overt) and s.rng.random() >= p:
        return None
    if overt:
        return pushback(s, "challenge")
    line = draw(lines_for(s.index.file.reactions, "defends"), s.memory, s.rng)
    return Plan("defends", "asked beyond the edge", (line,), moment="invalidation") if line else None


def _challenged(s: Situation) -> bool:
    """Whether a challenge is what is to be answered: who is asked "When did it start?" with it answers the question."""
    q = s.taken.question
    if q is not None and (q.open or wanted(q.plain) is not None):
        return "challenge" in q.moves
    return s.taken.heard.does("challenge")


def correct(s: Situation) -> Plan:
    """Correct a feeling that is not there with the first that is."""
    topic = s.index.file.topics.get(s.memory.topic or (s.memory.focus[0] if s.memory.focus else ""))
    right = topic.emotions[0] if topic else "tired"
    last = s.index.tellings.get(s.memory.last)
    if last and last.affect:
        right = last.affect
    template = draw(s.index.file.reactions.correction, s.memory, s.rng)
    wrong = s.taken.wrong
    words = {"{wrong}": wrong, "{Wrong}": wrong.capitalize(), "{right}": right, "{Right}": right.capitalize()}
    for slot, word in words.items():
        template = template.replace(slot, word)
    sentence = re.sub(r"(?:^|(?<=[.?!] ))[a-z]", lambda m: m.group().upper(), template)
    return Plan("correct", "a feeling that is not there", (sentence,)) if sentence else minimal(s)


def to_advice(s: Situation) -> Plan:
    """Take help that was asked for; else "yes, but", in the words this person has for that advice."""
    file = s.index.file
    subject = s.taken.heard.making("advice")[-1].subject
    if s.memory.moment == "request":
        steps = [file_t for x in file.insight_track.steps if sayable(s, file_t := s.index.tellings[x])]
        line = draw(lines_for(s.index.file.reactions, "accepts"), s.memory, s.rng)
        if line:
            return Plan("accept", "help that was asked for", (line,))
        if steps:
            return tell(s, steps[0], "step", "help that was asked for")
    if s.taken.heard.n_words < _LONG and s.rng.random() < _short(s, "advice"):
        return Plan("heard", "advice, let pass", (_ack(s),))
    banks = file.advice_replies
    line = _to_own_advice(s)
    line = line or (draw(banks.get(subject, ()), s.memory, s.rng) if subject in banks else "")
    line = line or draw(banks.get("any", ()), s.memory, s.rng)
    if not line:
        return replace(pushback(s, "confront" if s.mind.reactance > 0.4 else "fading"), kind="advice")
    # Who types does not interrupt: a short "yes, but" is followed by another.
    again = file.voice.modality == "typed" and s.rng.random() < _TWO_LINES
    more = draw(banks.get("any", ()), s.memory, s.rng) if again else ""
    return Plan(
        "advice", f"yes-but:{subject}", (line, *([more] if more != line and more else [])), moment="invalidation"
    )


def _to_own_advice(s: Situation) -> str:
    """A reply to advice that this person in particular keeps getting, or ``""``."""
    said = " ".join(x.text for x in s.taken.heard.making("advice")).lower()
    for own in s.index.file.own_advice.values():
        if any(re.search(rf"\b{re.escape(word.lower())}", said) for word in own.words):
            line = draw(own.say, s.memory, s.rng)
            if line:
                return line
    return ""


def to_statement(s: Situation) -> Plan:
    """Reply to a turn without a question, by what weighs most in it."""
    heard, taken, r = s.taken.heard, s.taken, s.index.file.reactions
    if heard.does("accuse"):
        return pushback(s, "accused")
    pushed = pushback(s, "challenge") if heard.does("counter") else rebuffs(s)
    if pushed is not None:
        return pushed
    if heard.does("repair") and not taken.wrong:
        line = draw(r.repaired, s.memory, s.rng)
        return Plan("repaired", "an apology", (line, *s.memory.pending[:1]), telling="", must=1) if line else minimal(s)
    if heard.sentences[-1:] and heard.sentences[-1].form == "check" and not taken.wrong:
        return _checked(s)
    if taken.reflected:
        return to_reflection(s)
    for move, bank in (("praise", r.praised), ("reassure", r.reassured), ("self", r.told_about_you)):
        if heard.does(move) and (line := draw(bank, s.memory, s.rng)):
            return Plan(move, move, (line,))
    if s.memory.moment == "request" and heard.n_words > 8:
        line = draw(lines_for(s.index.file.reactions, "accepts"), s.memory, s.rng)
        if line:
            return Plan("accept", "information that was asked for", (line,))
    return _idle(s)


_PROPOSES = re.compile(
    r"\b(?:how (?:does|would) that (?:sound|sit|land)|would (?:that|it) (?:be|work|help)|shall we)\b"
)


def _checked(s: Situation) -> Plan:
    """Asked whether it was understood rightly, or what somebody thinks of a plan."""
    taken, r = s.taken, s.index.file.reactions
    half: Bank = "agrees_in_part"
    if _PROPOSES.search(taken.text.lower()):
        bank: Bank = "accepts" if s.mind.trust > _WILLING else half
    else:
        bank = half if taken.reflected and taken.fits < _FITS else "checks"
    return Plan("check", "asked whether that is right", (draw(lines_for(r, bank), s.memory, s.rng) or _ack(s),))


_WILLING = 0.4  # trust from which a plan is taken as it comes


def to_reflection(s: Situation) -> Plan:
    """What was given back: mostly a word of agreement, as people do; at times on from there."""
    taken, r = s.taken, s.index.file.reactions
    if taken.wrong:
        return correct(s)
    if taken.fits < _FITS and not taken.copied and not taken.feelings:
        line = draw(lines_for(r, "agrees_in_part"), s.memory, s.rng) or "Mm."
        return Plan("unsure", "a reflection that does not fit", (line,))
    thought = insight(s)
    if thought is not None and s.rng.random() < 0.5:
        return thought
    if s.rng.random() < _short(s, "reflection"):
        return Plan("heard", "said back", (_ack(s),))
    if taken.copied and s.rng.random() < max(_COPIED[0], _COPIED[1] * _short(s, "reflection")):
        return Plan("heard", "said back", (_ack(s),))
    deeper = go_on(s, "met") or _deeper(s) or own_story(s)
    if deeper is None:
        return Plan("heard", "met, and nothing more comes", (_ack(s),))
    return replace(deeper, lead=draw(r.backchannel, s.memory, s.rng) if s.rng.random() < _LEAD else "")


def _short(s: Situation, kind: str) -> float:
    """Share of turns of a kind that people answer in at most three words."""
    return habits(s.index.file.voice.modality).short[kind]


def _ack(s: Situation) -> str:
    """A word of having heard, in this person's voice."""
    acks = s.index.file.voice.speech.acks
    # Not drawn like other lines: people say the same "mm-hm" all the time, only seldom twice running.
    fresh = [x for x in acks if x not in s.memory.lines[-1:]]
    return favoured(fresh, s.rng) if fresh else draw(s.index.file.reactions.backchannel, s.memory, s.rng) or "Mm."


_FITS = 0.3  # how well a reflection has to fit for a plain yes to it
_COPIED = (0.35, 1.5)
"""Where one's own words come back as they were, a word and no more is so likely at least, or so much likelier than
after other reflections (chosen by reading)."""
_LONG = 60  # words from which a turn is too much to be met with one
_TWO_LINES = 0.5
_LEAD = 0.3
"""Share of replies that go on from a reflection after a whole sentence of agreement ("That's it.")."""
_GOES_ON = 0.42
"""Least cosine to what was just said for a telling to follow it unasked (chosen by reading, not fitted)."""
_DEEPER = frozenset(
    """feel thought hardest means_about_you fear more then cost what_happened last_time belief
    what_is_x_like said""".split()
)
_REPLIES = (
    "Because",
    "No",
    "Yes",
    "That ",
    "To ",
    "With ",
    "Like ",
    "Aye",
    "By ",
    "For ",
    "Every",
    "Only ",
    "Or ",
    "When ",
)


def _stands_alone(t: Telling) -> bool:
    """Whether a telling can follow a statement: its first beat does not lean on a question."""
    first = re.split(r"[.?!]", t.beats[0])[0].split()  # "Hot. In the face." answers something
    return bool(_DEEPER & set(t.answers)) and not t.beats[0].startswith(_REPLIES) and len(first) > 2


def _deeper(s: Situation) -> Plan | None:
    """The deepest thing about the same subject that may be told."""
    open_now = [
        t
        for t in s.index.file.tellings
        if t.topic == s.memory.topic and sayable(s, t) and _stands_alone(t) and t.function == "answer"
    ]
    # Said unasked, it has to go on from what was just said: else it answers a question nobody put.
    near = encode([" ".join((*s.memory.lines[-2:], s.taken.text))])[0]
    open_now = [t for t in open_now if float(s.index.vectors[s.index.position(t.id)] @ near) >= _GOES_ON]
    if not open_now:
        return None
    deepest = max(t.level for t in open_now)
    pick = [t for t in open_now if t.level == deepest]
    return tell(s, pick[int(s.rng.integers(len(pick)))], "deeper", "met")


def go_on(s: Situation, why: str) -> Plan | None:
    """Continue: the next beat of the last telling, else what it leads to."""
    last = s.index.tellings.get(s.memory.last)
    if last is None:
        return None
    # Of danger only what was brought up by itself is gone on with, where more of it is asked for.
    more = why == "asked for more" and bool(s.memory.waits_until(last.id))
    if s.memory.pending and (last.id not in s.index.risky or more):
        return replace(rest_of(s, why), moment=_moment(last))
    for name in last.leads_to:
        t = s.index.tellings[name]
        leans = s.taken.question is None and t.beats[0].startswith(_REPLIES)
        if sayable(s, t) and not leans and t.function in ("answer", "hint", "evidence"):
            return tell(s, t, "leads_to", why)
    return _deeper(s) if why == "asked for more" else None


def _moment(t: Telling) -> str | None:
    """A disclosure goes on being one; a hint, bait or request is made once."""
    return t.moment.value if t.moment and t.moment.value in ("disclosure", "distortion") else None


def _idle(s: Situation) -> Plan:
    """Nothing was asked: go on, or bring the next of what it came to say, or leave it at a word."""
    shut, on = openness(s.mind) < 0.2, any("minimal" in x.moves for x in s.taken.heard.sentences)
    if not on and s.rng.random() < _short(s, s.taken.kind):
        return Plan("minimal", "heard", (_ack(s),))
    if not shut and s.rng.random() < 0.7:
        plan = go_on(s, "went on")
        if plan is not None:
            return plan
    if not shut and s.rng.random() < 0.6:
        return own_story(s) or minimal(s)
    return minimal(s)


def own_story(s: Situation) -> Plan | None:
    """The next of what it came to say that can be heard by itself."""
    first = next_of_its_own(s)
    return tell(s, first, "spine", "brings its own story") if first is not None else None


def minimal(s: Situation) -> Plan:
    """Leave it at a word."""
    r = s.index.file.reactions
    bank = r.fading if openness(s.mind) < 0.3 else r.backchannel
    return Plan(
        "minimal",
        "nothing to answer",
        (draw(bank, s.memory, s.rng) or draw(lines_for(s.index.file.reactions, "minimal"), s.memory, s.rng) or "Mm.",),
    )
