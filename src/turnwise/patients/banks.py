"""Short lines for what any case may have to say, in no particular voice, and drawing a line that was not yet said.

A case that has lines of its own for one of these (``reactions`` in its file) speaks those instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from numpy.random import Generator

from turnwise.patients.memory import Memory
from turnwise.patients.schema import Line, Reactions

__all__ = ["SHARED", "Bank", "draw", "lines_for", "said_of"]

Bank = Literal[
    "undecided",
    "checks",
    "agrees_in_part",
    "accepts",
    "asides",
    "evidence_leads",
    "told_what_you_are",
    "unthought",
    "like_i_said",
    "minimal",
    "not_mine",
    "unknown",
    "passed_over",
    "defends",
    "guarded_here",
    "middling_here",
    "open_here",
]
SHARED: Mapping[Bank, tuple[str, ...]] = {
    # neither yes nor no: for yes/no questions whose answer the case does not know
    "undecided": (
        "How do you mean?",
        "I'd have to think about that.",
        "I haven't thought about it.",
        "I couldn't say.",
        "Hard to say.",
        "It depends what you mean.",
    ),
    # after a question about the talk itself ("does that fit?")
    "checks": (
        "I think so.",
        "More or less.",
        "Something like that.",
    ),
    # after a reflection that does not fit
    "agrees_in_part": (
        "In a way.",
        "Not quite that.",
        "Maybe.",
        "I don't know about that.",
    ),
    # help that was asked for, given
    "accepts": (
        "Okay. That's clear.",
        "All right. I could look at that.",
        "All right. Thank you.",
    ),
    # before a planned telling that does not answer what was just asked
    "asides": (
        "Can I say something else first?",
        "Sorry, before I forget.",
        "There is something else.",
        "This is about something else.",
    ),
    # before something from one's own life that was asked for as an exception
    "evidence_leads": (
        "There's one thing.",
        "Well, there's this.",
        "Maybe this.",
    ),
    # when it was asked whether this is a person, and the answer came
    "told_what_you_are": (
        "Okay. I wanted to know.",
        "All right. Thanks for saying so.",
        "Fine. It's good to know.",
    ),
    # when a question asks for a thought or a view, and the case holds none
    "unthought": (
        "I don't know how to answer that.",
        "I'd have to think about that one.",
        "I've never looked at it like that.",
        "Nothing comes, to be honest.",
        "It's hard to put into words.",
    ),
    # when the patient's own words come back, or a question comes twice
    "like_i_said": (
        "Like I said.",
        "I said.",
        "That's what I said.",
    ),
    # when there is nothing more to tell
    "minimal": (
        "There's not much to say.",
        "I don't know, really.",
        "It's fine.",
        "Nothing special.",
    ),
    # when nothing in the case answers: plain, and fit for any question, whatever it asked for
    "unknown": (
        "I don't know.",
        "I'm not sure.",
        "I couldn't tell you.",
        "I don't know, honestly.",
    ),
    # when nothing in the case answers what anybody knows of themselves: neither told nor said to be unknown
    "passed_over": (
        "Can we come back to that?",
        "I'd rather not go into that.",
        "Let's leave that one.",
        "Can I skip that one?",
        "Maybe another time.",
    ),
    # asked too early for what speaks against the thought, or how else it could be seen
    "defends": (
        "I can't see it any other way.",
        "I don't see what good that does.",
        "That's how it looks from here.",
        "You'd have to be me to see it.",
        "I've been round that already.",
        "I know how I see it.",
    ),
    # asked how the talk itself is for them: not at ease, getting used to it, at ease
    "guarded_here": (
        "It's not easy, to tell you the truth.",
        "I'm watching what I say, mostly.",
        "I can't see yet what good it does.",
        "It feels strange. I keep most of it to myself.",
    ),
    "middling_here": (
        "It's all right. I'm still finding my feet.",
        "Some of it helps and some of it doesn't.",
        "Better than at the start. We'll see.",
        "I'm getting used to it, bit by bit.",
    ),
    "open_here": (
        "It's easier than I thought it would be.",
        "I feel you're listening, so go on and ask.",
        "It does me good to say it.",
        "I can say things here that I don't say elsewhere.",
    ),
    # when the therapist speaks of what has nothing to do with this person
    "not_mine": (
        "I don't think that's me.",
        "I never said that.",
        "That's somebody else, I think.",
        "I don't know where that comes from.",
    ),
}


def lines_for(reactions: Reactions, bank: Bank) -> Sequence[Line | str]:
    """Return a case's own lines of a bank, or the shared ones where it has none."""
    own: Sequence[Line] = getattr(reactions, bank)
    return own or SHARED[bank]


def said_of(bank: Sequence[Line | str]) -> list[str]:
    """Return the words of the lines of a bank."""
    return [x if isinstance(x, str) else x.say for x in bank]


def draw(bank: Sequence[Line | str], memory: Memory, rng: Generator) -> str:
    """Return a line not yet spoken whose needs are met, or the one spoken longest ago, or ``""``."""
    open_lines = said_of([x for x in bank if isinstance(x, str) or set(x.needs) <= set(memory.said)])
    fresh = [x for x in open_lines if x not in memory.lines]
    if fresh:
        return fresh[int(rng.integers(len(fresh)))]
    short = [x for x in open_lines if len(x.split()) <= 3 and x not in memory.lines[-6:]]
    return min(short, key=lambda x: memory.lines[::-1].index(x) * -1) if short else ""
