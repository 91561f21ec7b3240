"""Short lines shared by all cases of one style, and drawing a line that was not yet said."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import Generator

from turnwise.patients.memory import Memory
from turnwise.patients.schema import Line

__all__ = [
    "ACCEPTS",
    "AGREES_IN_PART",
    "ASIDES",
    "CHECKS",
    "EVIDENCE_LEADS",
    "LIKE_I_SAID",
    "MINIMAL",
    "TOLD_WHAT_YOU_ARE",
    "UNDECIDED",
    "UNTHOUGHT",
    "draw",
    "styled",
]

_Bank = dict[str, tuple[str, ...]]
_PLAIN = "plain"

UNDECIDED: _Bank = {
    "plain": (
        "How do you mean?",
        "I'd have to think about that.",
        "I haven't thought about it.",
        "I couldn't say.",
        "Hard to say.",
        "That's a good question.",
        "Depends what you mean.",
    ),
    "reserved": (
        "How d'you mean?",
        "I'd have to think.",
        "I've not given it any thought.",
        "Hard to say, that.",
        "That depends.",
        "I'd not like to say.",
        "I'd be guessing.",
    ),
    "upset": (
        "What do you mean by that?",
        "I'd have to think about it.",
        "Depends on the day.",
        "I don't know how to answer that.",
        "Ask me that another way.",
        "I couldn't say.",
        "Hard to say.",
    ),
    "verbose": (
        "How do you mean that?",
        "That I'd have to think about first.",
        "It depends on the definition, I would say.",
        "I haven't any data on that.",
        "That's hard to say, in principle.",
        "I can't say it so generally.",
        "There I'd be guessing.",
    ),
}
"""Neither yes nor no: for yes/no questions whose answer the case does not know."""
CHECKS: _Bank = {
    "plain": ("I think so.", "More or less.", "Something like that."),
    "reserved": ("That'll do.", "Near enough.", "Aye, all right."),
    "upset": ("Close enough.", "I guess.", "Sure."),
    "verbose": ("Approximately, yes.", "Yes, that's okay.", "In principle."),
}
AGREES_IN_PART: _Bank = {
    "plain": ("In a way.", "I don't know about that.", "Not quite that.", "Maybe."),
    "reserved": ("In a way.", "I don't know that I'd put it like that.", "Perhaps.", "It's not quite that."),
    "upset": ("Not exactly.", "I don't know about all that.", "Kind of.", "If that's how you want to say it."),
    "verbose": ("Not quite, I would say.", "Partly.", "I'd formulate it differently.", "That I'm not sure of."),
}
ACCEPTS: _Bank = {
    "plain": ("Okay. That's clear.", "Right. I could look at that.", "All right. Thank you."),
    "reserved": (
        "Right. That's plain enough.",
        "Well, thank you. That's something to go on.",
        "Fair enough. I know where I am, then.",
    ),
    "upset": (
        "Okay. That's an answer, at least.",
        "All right. I can work with that.",
        "Huh. Okay. Nobody's said it straight like that.",
    ),
    "verbose": (
        "Good. That I can work with.",
        "Thank you, that's clear. I'd write it down, if you don't mind.",
        "Okay. That's at least a statement.",
    ),
}
ASIDES: _Bank = {
    "plain": (
        "Can I say something else first.",
        "Sorry, before I forget.",
        "It's something else, this.",
        "There's this as well.",
        "Something else came to me.",
    ),
    "reserved": (
        "There's something else, mind.",
        "I'll just say this.",
        "Before you go on.",
        "It's gone off the point, but.",
        "I was thinking, coming here.",
        "Only there's this.",
    ),
    "upset": (
        "Hold on.",
        "Okay, wait.",
        "Let me say this first.",
        "Can I get this out.",
        "You know what.",
        "No, wait. Listen.",
    ),
    "verbose": (
        "May I put something in between.",
        "One thing beforehand.",
        "That leads to another point.",
        "I jump now, excuse me.",
        "There's a footnote to that.",
        "Something else, it's related only loosely.",
    ),
}
"""Said before a scheduled telling that does not answer what was just asked."""
EVIDENCE_LEADS: _Bank = {
    "plain": ("There's one thing.", "Well, there's this.", "Maybe this.", "One thing, I suppose."),
    "reserved": ("There's this, I suppose.", "Well, only this.", "There is one thing.", "This much, maybe."),
    "upset": ("I mean, there's this.", "Okay, here's one.", "There's one thing, I guess.", "All right, this."),
    "verbose": (
        "One data point, maybe.",
        "There's one thing that fits badly.",
        "I can offer one observation.",
        "For completeness, this.",
    ),
}
"""Said before something from one's own life that was asked for as an exception or another view."""
TOLD_WHAT_YOU_ARE: _Bank = {
    "plain": ("Okay. I wanted to know.", "All right. Thanks for saying so.", "Fine. It's good to know."),
    "reserved": (
        "Fair enough. I only wanted to know where I was.",
        "Well, thank you for saying. It makes no odds to me.",
        "Right. That's fair enough, then.",
    ),
    "upset": (
        "Okay. At least you said so.",
        "All right. I'd sooner know than guess.",
        "Huh. Okay. At least nobody's sighing at me.",
    ),
    "verbose": (
        "Good. I only wanted to have it clear.",
        "Thank you. Then I know with what I'm dealing.",
        "Okay. That's at least honest.",
    ),
}
"""When it was asked whether this is a person, and the answer came."""
UNTHOUGHT: _Bank = {
    "plain": (
        "I don't know how to answer that.",
        "I'd have to think about that one.",
        "I've never looked at it like that.",
        "Nothing comes, to be honest.",
        "It's hard to put into words.",
    ),
    "reserved": (
        "I've never put it into words.",
        "I'd have to think about that one.",
        "Nothing comes, now.",
        "I've not looked at it that way round.",
        "You'd have to give me time on that.",
        "I haven't got that far.",
    ),
    "upset": (
        "I don't have an answer for that.",
        "I can't get that far right now.",
        "I haven't let myself look at it.",
        "I'd have to think on that one.",
        "Nothing comes up.",
        "I can't think about that straight.",
    ),
    "verbose": (
        "To that I have no finished answer.",
        "I haven't formulated that yet.",
        "There I don't get further.",
        "I'd have to look at it from outside, and I'm inside.",
        "That I can't put in one sentence.",
        "I notice that nothing comes.",
    ),
}
"""When a question asks for a thought or a view, and the case holds none that answers it."""
LIKE_I_SAID: _Bank = {
    "plain": ("Like I said.", "I said.", "That's what I said."),
    "reserved": ("As I said.", "I think I told you that.", "Those were my words, aye."),
    "upset": ("Like I told you.", "I said that already.", "That's what I just said."),
    "verbose": ("As I said.", "That I mentioned, I think.", "That was a quotation, or?"),
}
MINIMAL: _Bank = {
    "plain": ("Not much to say.", "I don't know, really.", "It's fine.", "Nothing special."),
    "reserved": ("There's not a lot to say.", "Nothing, really.", "It's nothing much.", "I don't know, now."),
    "upset": (
        "I don't know what you want me to say.",
        "Nothing. It's nothing.",
        "I don't know.",
        "That's all I've got.",
    ),
    "verbose": (
        "There I don't have much.",
        "Nothing of relevance.",
        "I don't know it, to be honest.",
        "That's rather empty at the moment.",
    ),
}


def styled(bank: _Bank, style: str) -> tuple[str, ...]:
    """Return the lines of a bank for a style (plain ones where it has none)."""
    return bank.get(style, bank[_PLAIN])


def draw(bank: Sequence[Line | str], memory: Memory, rng: Generator) -> str:
    """Return a line not yet spoken whose needs are met, or the one spoken longest ago, or ``""``."""
    open_lines = [
        x if isinstance(x, str) else x.say for x in bank if isinstance(x, str) or set(x.needs) <= set(memory.said)
    ]
    fresh = [x for x in open_lines if x not in memory.lines]
    if fresh:
        return fresh[int(rng.integers(len(fresh)))]
    short = [x for x in open_lines if len(x.split()) <= 3 and x not in memory.lines[-6:]]
    return min(short, key=lambda x: memory.lines[::-1].index(x) * -1) if short else ""
