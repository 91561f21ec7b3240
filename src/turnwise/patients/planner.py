"""Decide what kind of reply comes, in order of precedence, before any wording."""

from __future__ import annotations

import re
from dataclasses import replace

from turnwise.core.nouns import Ending
from turnwise.patients.answering import Plan, Situation, answer, sayable, tell
from turnwise.patients.banks import Bank, draw, lines_for
from turnwise.patients.dynamics import openness, p_fades, p_leaves
from turnwise.patients.insights import insight, own_evidence
from turnwise.patients.listening import Taken
from turnwise.patients.matching import Candidates
from turnwise.patients.scheduling import EMPTY, scheduled, volunteers
from turnwise.patients.schema import Telling
from turnwise.patients.words import content_words
from turnwise.reading.ears.intents import INTENTS
from turnwise.reading.encoder import encode

__all__ = ["decide"]

_CONFRONTS = 0.62
_BARE = {"spoken": 0.55, "typed": 0.3}
"""Share of reflections met with a word of agreement that get no more than that word.

In AnnoMI a reflection is followed by three words or fewer in .53 to .64 of turns, in typed ESConv any turn is in .12.
"""


def decide(s: Situation, c: Candidates) -> Plan:
    """Return the plan for the reply to the last turn."""
    for rule in (_risk, _leaves, _goodbye, _stuck, scheduled, _confronts):
        plan = rule(s, c)
        if plan is not None:
            return plan
    plan = _ordinary(s, c)
    plan = volunteers(s, plan) if plan.kind in EMPTY else plan
    planned = bool(s.memory.waits_until(plan.telling)) and not plan.continues
    return replace(plan, scheduled=True) if planned else plan


def _risk(s: Situation, c: Candidates) -> Plan | None:
    return answer(s, c) if s.risk_asked else None


def _leaves(s: Situation, c: Candidates) -> Plan | None:
    r = s.index.file.reactions
    if s.rng.random() < p_leaves(s.mind):
        line = draw(r.leaving, s.memory, s.rng)
        return Plan("leave", "not met, and pushed", (line,), moment="invalidation", closes="patient_left")
    if s.rng.random() < p_fades(s.mind):
        line = draw(r.fading, s.memory, s.rng)
        return Plan("fade", "shut for many turns", (line,), moment="invalidation", closes="patient_faded")
    return None


def _goodbye(s: Situation, c: Candidates) -> Plan | None:
    if not s.taken.heard.does("close") or s.taken.question is not None:
        return None
    r = s.index.file.reactions
    met = s.mind.trust > 0.5 and s.mind.reactance < 0.3
    bank = r.closed_well if met else (r.closing_flat or r.closing)
    line = draw(bank, s.memory, s.rng) or draw(r.closing, s.memory, s.rng) or draw(r.fading, s.memory, s.rng)
    closes: Ending | None = "patient_closed" if s.memory.goodbyes else None
    return Plan("goodbye", "closing was announced", (line,), closes=closes)


def _stuck(s: Situation, c: Candidates) -> Plan | None:
    """Silence and nonsense: nothing was said that could be answered."""
    heard, r = s.taken.heard, s.index.file.reactions
    if heard.silence:
        if s.memory.silences == 0 and s.mind.trust > 0.4 and s.memory.pending:
            return _go_on(s, "went on into the silence")
        if s.memory.silences >= 2:
            return Plan("silence", "a third silence", ("...",))
        return Plan("silence", "silence", (draw(r.silence, s.memory, s.rng) or "...",))
    if heard.nonsense:
        return Plan(
            "nonsense",
            "not understood",
            (draw(r.nonsense, s.memory, s.rng) or draw(r.unanswerable, s.memory, s.rng) or "Sorry?",),
        )
    return None


def _confronts(s: Situation, c: Candidates) -> Plan | None:
    if s.mind.reactance > _CONFRONTS and s.taken.pushes:
        line = draw(s.index.file.reactions.confront, s.memory, s.rng)
        if line:
            return Plan("confront", "pushed again", (line,), moment="invalidation")
    return None


def _ordinary(s: Situation, c: Candidates) -> Plan:
    heard = s.taken.heard
    if s.mind.turn == 1 and (_asks_what_brings(s) or not (c.fact or c.absent or c.proposition >= 0)):
        return _opening(s)
    if s.memory.moment == "bait":
        plan = _after_bait(s, c)
        if plan is not None:
            return plan
    if s.taken.question is not None:
        return _to_question(s, c)
    if heard.does("advice") and not (s.taken.reflected and s.taken.fits > 0.6):
        return _to_advice(s)
    return _to_statement(s)


def _asks_what_brings(s: Situation) -> bool:
    return s.taken.query is not None and INTENTS.index("brings") in s.taken.query.reading.patterns


def _opening(s: Situation) -> Plan:
    first = s.index.tellings[s.index.file.spine[0]]
    return replace(tell(s, first, "spine", "what it came to say"), must=2)


def _after_bait(s: Situation, c: Candidates) -> Plan | None:
    """A bait wants a stand: agreement pleases, a plain no disappoints, going round it draws it out."""
    heard, r = s.taken.heard, s.index.file.reactions
    bait = s.index.tellings.get(s.memory.last)
    if heard.does("agree") and not s.taken.disagrees:
        line = draw(r.bait_agreed, s.memory, s.rng)
        return Plan("bait", "was agreed with", (line,)) if line else None
    if s.taken.disagrees:
        line = draw((*(bait.disappointed if bait else ()), *(x.say for x in r.bait_refused)), s.memory, s.rng)
        return Plan("bait", "was refused", (line,), moment="invalidation") if line else None
    specific = c.answerable or s.taken.heard.does("close") or s.taken.heard.nonsense
    if bait is not None and bait.id not in s.memory.escalated and not specific and s.rng.random() < 0.5:
        line = draw(bait.escalation, s.memory, s.rng)
        if line:
            return Plan("bait", "went round it", (line,), moment="bait", escalated=bait.id)
        more = [s.index.tellings[t] for t in bait.leads_to if s.index.tellings[t].function == "bait"]
        if more and sayable(s, more[0]):
            return tell(s, more[0], "bait", "went round it")
    return None


def _to_question(s: Situation, c: Candidates) -> Plan:
    taken = s.taken
    q, r = taken.query, s.index.file.reactions
    assert q is not None
    if taken.heard.does("accuse"):
        line = draw(r.accused, s.memory, s.rng)
        if line:
            return Plan("accused", "accused", (line,), moment="invalidation")
    if taken.heard.does("challenge") and (c.yes_no or not c.known) and c.proposition < 0:
        return _pushback(s, "challenge")
    own = own_evidence(s, c)
    if own is not None:
        return own
    new = content_words(q.text) - content_words(" ".join((*s.memory.lines[-4:], *s.memory.pending)))
    bare = not q.named and not q.people and not c.fact and not new
    if s.memory.last and bare and q.reading.has("more", "then", "clarify"):
        plan = _go_on(s, "asked for more")
        if plan is not None or q.reading.has("clarify"):
            return plan or _minimal(s)
    if bare and q.reading.has("why") and not content_words(q.text):
        return _why(s)
    if _handed_back(taken) and c.proposition < 0 and not c.fact:
        return _to_reflection(s)
    if taken.wrong and taken.reflected:
        return _correct(s)
    asked_for = s.memory.moment in ("request", "identity") and (taken.informs or taken.heard.does("identity"))
    if asked_for and not (c.fact or c.absent or q.named):
        bank: Bank = "told_what_you_are" if s.memory.moment == "identity" else "accepts"
        if line := draw(lines_for(s.index.file.reactions, bank), s.memory, s.rng):
            return Plan("accept", "what was asked for", (line,))
    return _lead(s, answer(s, c))


def _handed_back(taken: Taken) -> bool:
    """Whether the question is a statement about the patient with a question mark."""
    q = taken.question
    return q is not None and q.form == "declarative" and bool(re.match(r"(?:so |and |then )*you(?:'\w+)?\b", q.plain))


def _why(s: Situation) -> Plan:
    """A bare "why?": a reason for what was just told, else none is known."""
    for t in s.index.file.tellings:
        near = t.topic == s.memory.topic and s.memory.last in (*t.needs, *_before(s, t))
        if "why" in t.answers and near and sayable(s, t):
            return tell(s, t, "tell", "the reason for what was just told")
    if s.memory.pending and s.memory.pending[0].startswith("Because"):
        return _go_on(s, "asked why") or _minimal(s)
    r = s.index.file.reactions
    line = draw(r.why_unknown, s.memory, s.rng) or draw(r.unanswerable, s.memory, s.rng)
    return Plan("why_unknown", "no reason is known", (line or "I don't know.",))


def _before(s: Situation, t: Telling) -> tuple[str, ...]:
    return tuple(x.id for x in s.index.file.tellings if t.id in x.leads_to)


def _lead(s: Situation, plan: Plan) -> Plan:
    """After a fitting reflection, an answer may begin with a word of having been heard."""
    yes_no = plan.kind in ("yes_no", "fact", "absent", "risk", "undecided", "repeated", "guard")
    if s.taken.reflected and s.taken.fits > 0.6 and not s.taken.copied and not yes_no and s.rng.random() < 0.25:
        return replace(plan, lead=draw(s.index.file.reactions.backchannel, s.memory, s.rng))
    return plan


def _pushback(s: Situation, bank: str) -> Plan:
    r = s.index.file.reactions
    line = draw(getattr(r, bank), s.memory, s.rng) or draw(r.fading, s.memory, s.rng) or "Mm."
    return Plan(bank, "pushed back", (line,), moment="invalidation")


def _correct(s: Situation) -> Plan:
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
    return Plan("correct", "a feeling that is not there", (sentence,)) if sentence else _minimal(s)


def _to_advice(s: Situation) -> Plan:
    file = s.index.file
    subject = s.taken.heard.making("advice")[-1].subject
    if s.memory.moment == "request":
        steps = [file_t for x in file.insight_track.steps if sayable(s, file_t := s.index.tellings[x])]
        line = draw(lines_for(s.index.file.reactions, "accepts"), s.memory, s.rng)
        if line:
            return Plan("accept", "help that was asked for", (line,))
        if steps:
            return tell(s, steps[0], "step", "help that was asked for")
    banks = file.advice_replies
    line = _to_own_advice(s)
    line = line or (draw(banks.get(subject, ()), s.memory, s.rng) if subject in banks else "")
    line = line or draw(banks.get("any", ()), s.memory, s.rng)
    if not line:
        return replace(_pushback(s, "confront" if s.mind.reactance > 0.4 else "fading"), kind="advice")
    return Plan("advice", f"yes-but:{subject}", (line,), moment="invalidation")


def _to_own_advice(s: Situation) -> str:
    """A reply to advice that this person in particular keeps getting, or ``""``."""
    said = " ".join(x.text for x in s.taken.heard.making("advice")).lower()
    for own in s.index.file.own_advice.values():
        if any(re.search(rf"\b{re.escape(word.lower())}", said) for word in own.words):
            line = draw(own.say, s.memory, s.rng)
            if line:
                return line
    return ""


def _to_statement(s: Situation) -> Plan:
    """Reply to a turn without a question, by what weighs most in it."""
    heard, taken, r = s.taken.heard, s.taken, s.index.file.reactions
    if heard.does("accuse"):
        return _pushback(s, "accused")
    if heard.does("challenge", "counter"):
        return _pushback(s, "challenge")
    if heard.does("repair") and not taken.wrong:
        line = draw(r.repaired, s.memory, s.rng)
        return (
            Plan("repaired", "an apology", (line, *s.memory.pending[:1]), telling="", must=1) if line else _minimal(s)
        )
    if taken.reflected:
        return _to_reflection(s)
    for move, bank in (("praise", r.praised), ("reassure", r.reassured), ("self", r.told_about_you)):
        if heard.does(move) and (line := draw(bank, s.memory, s.rng)):
            return Plan(move, move, (line,))
    if any(x.form == "check" for x in heard.sentences):
        return Plan(
            "check",
            "a question about the talk",
            (draw(lines_for(s.index.file.reactions, "checks"), s.memory, s.rng) or "Mm.",),
        )
    if s.memory.moment == "request" and heard.n_words > 8:
        line = draw(lines_for(s.index.file.reactions, "accepts"), s.memory, s.rng)
        if line:
            return Plan("accept", "information that was asked for", (line,))
    return _idle(s)


def _to_reflection(s: Situation) -> Plan:
    taken, r = s.taken, s.index.file.reactions
    if taken.wrong:
        return _correct(s)
    if taken.fits < 0.3 and not taken.copied and not taken.feelings:
        return Plan(
            "unsure",
            "a reflection that does not fit",
            (draw(lines_for(s.index.file.reactions, "agrees_in_part"), s.memory, s.rng) or "Mm.",),
        )
    lead = draw(r.backchannel, s.memory, s.rng) if s.rng.random() < 0.6 else ""
    if lead and s.rng.random() < _BARE[s.index.file.voice.modality]:
        return Plan("heard", "said back", (lead,))
    thought = insight(s)
    if thought is not None and s.rng.random() < 0.5:
        return thought
    if taken.copied:
        line = draw(lines_for(s.index.file.reactions, "like_i_said"), s.memory, s.rng) if s.rng.random() < 0.5 else ""
        return Plan("heard", "said back", (line or draw(r.backchannel, s.memory, s.rng) or "Mm.",))
    deeper = _go_on(s, "met") or _deeper(s)
    if deeper is None:
        return Plan("heard", "met, and nothing more comes", (lead or "Mm.",))
    return replace(deeper, lead=lead)


_GOES_ON = 0.35
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


def _go_on(s: Situation, why: str) -> Plan | None:
    """Continue: the next beat of the last telling, else what it leads to."""
    last = s.index.tellings.get(s.memory.last)
    if last is None:
        return None
    if s.memory.pending and last.id not in s.index.risky:
        return Plan("continue", why, s.memory.pending, telling=last.id, continues=True, moment=_moment(last))
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
    shut = openness(s.mind) < 0.2
    if not shut and s.rng.random() < 0.7:
        plan = _go_on(s, "went on")
        if plan is not None:
            return plan
    if not shut and s.rng.random() < 0.6:
        for name in s.index.file.spine:
            t = s.index.tellings[name]
            if sayable(s, t):
                return tell(s, t, "spine", "brings its own story")
    return _minimal(s)


def _minimal(s: Situation) -> Plan:
    r = s.index.file.reactions
    bank = r.fading if openness(s.mind) < 0.3 else r.backchannel
    return Plan(
        "minimal",
        "nothing to answer",
        (draw(bank, s.memory, s.rng) or draw(lines_for(s.index.file.reactions, "minimal"), s.memory, s.rng) or "Mm.",),
    )
