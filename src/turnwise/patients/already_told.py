"""What answers was told before: go on with what is left of it, say it again in short, or that this was all."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.patients.banks import draw, lines_for
from turnwise.patients.matching import Candidates
from turnwise.patients.memory import AGAIN
from turnwise.patients.not_known import kept_back, nothing_more
from turnwise.patients.plans import Plan, Situation, goes_on_of, has_more, just_raised, open_now, rest_of, sayable, tell
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Telling
from turnwise.patients.wanted import Kind, holds
from turnwise.patients.words import content_words
from turnwise.reading.sentences import split_sentences

__all__ = ["again", "followed_up", "told_already", "told_before", "went_on"]

_LIKELY = float(np.log(0.4))
"""Log-probability from which what was told is what was asked for."""
_SURE = float(np.log(0.9))
"""Log-probability from which what was told is said again though it shares no word with the question."""
_ELSE = float(np.log(0.25))
"""Log-probability from which something else may be the answer instead."""
_FOLLOWS = -2.0  # log-probability from which what a telling leads to may answer a question about it
_SURE_OF_BEFORE = float(np.log(0.25))
"""Log-probability from which what was told in an earlier session is what was asked for."""
_LONGEST = 70  # characters of a question that only hands a word back
_SHORT = 16  # words of a sentence that is said again
_ECHOES = re.compile(
    r"(?:[\w'-]+ ){0,5}(?:of|for|with|from|to|about|by|at|in|on) (?:what|who|whom|where|which(?: [\w'-]+)?)|"
    r"(?:what|which|whose) [\w'-]+(?: [\w'-]+)? (?:is|was|are|were) (?:that|those|it|this)|"
    r"what (?:is|was|'s|are) (?:that|it|this|the [\w'-]+)(?: [\w'-]+)?|what's [\w'-]+|you were saying"
)
"""Questions that hand back a word of what was just said: "Full of what?", "Which drawer was that?"."""


def told_already(
    s: Situation, q: Query, raw: FloatArray, scores: FloatArray, kind: Kind | None, *, yes_no: bool
) -> Plan | None:
    """Return the plan where what answers was told; ``None`` where it was not, or something else may be the answer.

    ``raw`` are the scores of all tellings (N,), ``scores`` those without what was said.
    """
    best = int(raw.argmax())
    told = s.index.tellings[s.index.order[best]]
    if yes_no or told.id not in s.memory.said or raw[best] < _LIKELY or told.id in s.index.risky:
        return None
    asked = q.worded
    if asked and told.answers and not asked & set(told.answers):
        return None  # its words ask for something else: "How do you feel about having been sent?"
    other = float(np.where(open_now(s), scores, -99.0).max(initial=-99.0))
    if other >= _ELSE and other > raw[best] - 1.0:
        return None
    rest = s.memory.pending[0] if told.id == s.memory.last and s.memory.pending else ""
    # What was brought up a moment ago, and is surely what is asked about, is gone on with: that is what it was for.
    just_now = any(x in (*told.beats, *told.wordings) for x in s.memory.lines[-1:])
    surely = just_now and bool(raw[best] >= _SURE)
    follows = bool(rest) and (kind is not None or surely or goes_on_of(q, rest))
    if follows and _fits(kind, q, split_sentences(rest)[0]):
        return rest_of(s, "asked about what was just told")
    for name in told.leads_to:
        t = s.index.tellings[name]
        if sayable(s, t) and scores[s.index.position(name)] >= _FOLLOWS and _fits(kind, q, t.beats[0]):
            return tell(s, t, "leads_to", "asked about what was told")
    return _again(s, q, told, kind, sure=bool(raw[best] >= _SURE) and not s.index.introduces[best])


def again(s: Situation, key: str, beats: tuple[str, ...], kind: str = "repeated") -> Plan:
    """Plan to say once more what was said before, in another session or in this one, as something that was said."""
    line = draw(lines_for(s.index.file.reactions, "like_i_said"), s.memory, s.rng)
    first = (f"{line} {beats[0]}".strip(), *beats[1:])
    return Plan(kind, f"said before: {key}", first, key=f"{AGAIN}{key}")


def told_before(s: Situation, c: Candidates, scores: FloatArray) -> Plan | None:
    """What answers best was told in an earlier session: say so, and the point of it, once a session."""
    assert c.scores is not None
    best = int(c.scores.argmax())
    t = s.index.tellings[s.index.order[best]]
    if t.id not in s.memory.earlier or s.memory.told_again(t.id) or c.scores[best] < _SURE_OF_BEFORE:
        return None
    if scores.max() >= c.scores[best] or s.index.never_asked_for[best] or s.index.is_risky[best]:
        return None
    if c.yes_no and s.index.begins_yes_no[best]:
        return None
    # The rest of it is there for whoever asks on.
    return replace(again(s, t.id, t.beats), telling=t.id, continues=True)


def _fits(kind: Kind | None, q: Query, text: str) -> bool:
    """Whether words hold an answer of the kind, and speak of oneself where that is asked: "What did you say back?"."""
    return (kind is None or holds(kind, text)) and (not _OF_ME.search(q.reading.text) or bool(_ME.search(text)))


_OF_ME = re.compile(r"\b(?:do|did|have|had|were|would|could|can) you\b|\bwho (?:\w+ )?\w+ you\b")
_IN_ORDER = re.compile(r"\b(?:before|after|first|last|next)\b")
_ME = re.compile(r"\b(?:I|[Ww]e)\b")


def _again(s: Situation, q: Query, told: Telling, kind: Kind | None, *, sure: bool) -> Plan | None:
    """Say in short again what was asked for, as people do; ``None`` where it was told, but not that."""
    asked = content_words(q.text)
    if (not asked and told.id != s.memory.last) or _IN_ORDER.search(q.reading.text) or q.form == "disguised":
        return None  # "When was that?" asks of what was said last, "What came before?" of something else
    spoken = [x for beat in (*told.beats, *told.wordings) if beat in s.memory.lines for x in split_sentences(beat)]
    brief = [x for x in spoken if len(x.split()) <= _SHORT and _fits(kind, q, x)]
    if kind is None and not q.worded & set(told.answers):
        brief = []  # "What was that like?" has not been answered by a sentence that shares a word with it
    # What was said a moment ago is no answer to a question that does not ask for it by its words.
    fresh = [x for x in brief if kind is not None or not any(x in y for y in s.memory.lines[-1:])]
    besides = asked - content_words(" ".join(n for p in q.people for n in s.index.file.people[p].names))
    short = [x for x in brief if _holds_most(besides, content_words(x)) and content_words(x) - asked] or (
        fresh[:1] if (sure and kind is None and besides == asked) or (kind and not asked) else []
    )
    if not short or any(x in y for x in short[:1] for y in s.memory.lines[-1:] if told.id != s.memory.last):
        # Where no word of the question is new it asks for the rest, unless it asks what is done or thought.
        over = kind is None and told.id == s.memory.last and asked and asked <= content_words(" ".join(spoken))
        rest = over and bool(q.worded & {"more", "then"}) and not _OF_ME.search(q.reading.text)
        return nothing_more(s) if rest else None
    line = draw(lines_for(s.index.file.reactions, "like_i_said"), s.memory, s.rng)
    return Plan("repeated", "was told before", (f"{line} {short[0]}",)) if line else None


def _holds_most(asked: frozenset[str], said: frozenset[str]) -> bool:
    """Whether what was said holds half of what is asked, and some of it: one word in common is soon there."""
    return bool(asked & said) and 2 * len(asked & said) >= len(asked)


def went_on(q: Query, plan: Plan | None) -> Plan | None:
    """Keep what goes on after "and then?" only where it follows: no other story of the subject, no others' deeds."""
    if plan is None or "more" in q.worded:
        return plan
    return plan if plan.kind != "deeper" and (plan.continues or _fits(None, q, plan.beats[0])) else None


def _rest_of_it(s: Situation, c: Candidates, q: Query, plain: str) -> Plan | None:
    """Go on with what was just told where the question holds nothing but its words and nothing else answers it."""
    asked, last = content_words(plain), s.index.tellings.get(s.memory.last)
    sure = any(score >= _LIKELY and name not in (s.memory.last, "-") for name, score in c.top[:1])
    if len(asked) < _ENOUGH or sure or last is None or not s.memory.pending or last.id in s.index.risky:
        return None
    if not plain.startswith(("what", "which", "how", "and what", "so what")) or _IN_ORDER.search(plain):
        return None
    if q.worded & {"how_are", "feel"} or not has_more(s):
        return None  # "How are you, these weeks?" asks for no more of the story, and a few words are no more of it
    return rest_of(s, "asked about what was just told")


def _goes_on_of_it(s: Situation, plain: str) -> bool:
    """Whether what goes on is of the words handed back: of "Full of what?" anything, of "Which recordings?" those."""
    asked = content_words(plain)
    if not s.memory.pending:
        return False
    return not asked or bool(_OF_WHAT.search(plain)) or bool(asked & content_words(s.memory.pending[0]))


_OF_WHAT = re.compile(r"\b(?:what|whom?|where)$")
_ENOUGH = 2  # words of content in a question that holds nothing new


def followed_up(s: Situation, c: Candidates, q: Query, bare: bool) -> Plan | None:
    """Go on with what was just said where a word of it is handed back: "Full of what?", "Which word?"."""
    plain = q.reading.text.removesuffix(" do you mean")
    if not s.memory.lines or q.people or len(plain) > _LONGEST:
        return None
    said = content_words(" ".join(s.memory.lines[-3:]))
    if content_words(plain) - said:
        return None
    if not _ECHOES.fullmatch(plain.rstrip("?. ")):
        return _rest_of_it(s, c, q, plain)
    best = s.index.tellings.get(c.top[0][0]) if c.top and c.top[0][1] >= _LIKELY else None
    if c.fact or (best is not None and sayable(s, best)):
        return None
    last = s.index.tellings.get(s.memory.last)
    goes_on = _goes_on_of_it(s, plain) or (just_raised(s) and bool(s.memory.pending))
    if last is not None and goes_on and last.id not in s.index.risky:
        return rest_of(s, "asked what was meant")
    return None if bare else kept_back(s, "asked what was meant, and nothing more is known")
