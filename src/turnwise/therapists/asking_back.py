"""What is asked of the listener about the talk: a view, whether a question was meant, a form, a mark, the thread.

Such a question gets a straight answer of one line before anything else, and then at most one question; where a view is
asked for, the honest answer is mostly that there is none yet that could be trusted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from turnwise.reading.sentences import split_sentences

__all__ = ["ASKED_BACK", "asked_back"]

ASKED_BACK: Mapping[str, tuple[str, ...]] = {
    "opinion": (
        "Honestly, I've no view of my own on it yet that I'd trust: I know only what you've told me. What would be "
        "your first guess, right or wrong?",
        "I don't know, and I'm not keeping an answer back. You've seen it from closer than I have. What comes nearest, "
        "for you?",
        "I'd only be guessing, from the little I know so far. I'd go by your guess before mine. What would it be?",
        "I can't tell from here, and I'd sooner say so than make something up. What makes it hard to say?",
    ),
    "handed_back": (
        "If it's left to me, the thing that bothers you most days, and not the big picture. What would that be?",
        "For me, then, the last time it got to you: one day is easier than all of it. When was that?",
        "I've no answer of my own there, being a program. If I'm to pick, we begin small, with yesterday. How did it "
        "go?",
    ),
    "returned": (
        "I've no answer of my own to that one: I'm a program. Shall I ask it another way?",
        "Nothing to tell there, I'm a program. What would you sooner be asked?",
        "I can't answer that for myself, as I'm a program. Is there something else you'd like me to say?",
    ),
    "how_are_you": (
        "Thank you for asking. I'm a program, so there's no good day or bad day for me. What has yours been like?",
        "There's nothing to tell on my side: I'm a program. What has your day been like, so far?",
        "I'm a program, so that's quickly answered: no days at all. What was yours like?",
    ),
    "real_question": (
        "It's a real question: I haven't got the answer, and there isn't a right one. Shall I put it more simply?",
        "A real one. There's no answer here that I'm waiting for, and you can turn it down. What would you sooner be "
        "asked?",
        "No trick in it, and no answer up my sleeve: I asked because I don't know. Would you rather leave that one?",
    ),
    "on_a_form": (
        "No, I've no form here and no list to get through. I asked so that I don't have to guess. Would you rather "
        "leave it?",
        "No. I'm a program, and that question was on no form. What made you wonder?",
        "It's on no form: I only wanted to understand. What would you sooner be asked?",
    ),
    "marked": (
        "No, there's no mark at the end. I'm a program, and I decide nothing about you. What had you expected would "
        "happen here?",
        "I give no marks, and I've no say in what happens to you: I'm a program. What made you think of it?",
        "Nothing is decided about you by me, and there's no passing or failing here. What would make that easier to "
        "believe?",
    ),
    "thread": (
        "You'd broken off, and nothing is lost by it. What's the last bit you remember telling me?",
        "In the middle of it, so we can pick it up again. What had you been about to say?",
        "Take it from wherever it comes back to you. What was the part that mattered?",
    ),
    "unlived": (
        "No, I don't: I'm a program, and know only what I'm told. What should I know about it?",
        "I don't, I've been nowhere, being a program. Tell it as if I'd never heard of it: what comes first?",
        "No: a program hasn't lived any of that. What made you think of it just now?",
    ),
    "mend": (
        "I can't put it right from here, and I won't talk as if I could. We can look for one thing that makes it "
        "easier. What would you want eased first?",
        "I wouldn't be honest if I said that I can fix it: I'm a program. I can help you find out what makes it better "
        "or worse. Which do you know more about, so far?",
        "That isn't in my power, and what is, is to look at it closely with you. Which part of it would you take on "
        "first?",
    ),
    "plea": (
        "That it stops is a plain thing to want, and I can't make it stop from here. We could look at what sets it "
        "off, or at what eases it while it lasts. Which would be more use to you?",
        "I hear that: you want it to stop. I can't take it away, and I won't talk as if I could. Some people get most "
        "from knowing what brings it on, others from having one thing to do when it comes. Which would you start with?",
        "I can't promise you that it stops. I can help you look for what makes it less. What has eased it so far, even "
        "for a minute?",
    ),
}


def _net(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_LEAD = re.compile(
    r"^(?:(?:so|and|but|well|okay|ok|um|uh|er|hm|oh|look|sorry|please|honestly|now|then|right|mind|like|i mean|just|"
    r"anyway|wait|no|yes|yeah)[,.]?\s+)*",
    re.IGNORECASE,
)
_TAIL = (
    r"(?:,? (?:then|now|yourself|honestly|really|like|here|doctor|doc|love|mate|(?:of|about|on) (?:it|that|this|"
    r"all (?:this|"
    r"that))))*\W*$"
)
_OPINION = _net(
    rf"^what (?:would|do|did) you (?:think|say|make|reckon|believe){_TAIL}",
    rf"^(?:what(?:'s| is| would be) )?your (?:view|opinion|take|guess|impression|answer)(?: on (?:it|that|"
    rf"this))?{_TAIL}",
    rf"^how (?:would|do) you see (?:it|that|this){_TAIL}",
    rf"^(?:have you|do you have)(?: got)? (?:an opinion|a view|any (?:view|opinion|idea)){_TAIL}",
    # a view on something in particular; "about me" asks for liking, "I'm mad" objects to being taken for it
    r"^do you (?:really |honestly |actually |personally )?(?:think|believe|reckon) (?:that )?(?!(?:about|of|in|"
    r"i'?m|i am|"
    r"so\b|we should|i should|it(?:'ll| will)? (?:ever )?(?:get|go|pass|stop)s?\b)\b)[^?]{3,80}\?\W*$",
)
_YOU = re.compile(r"^(?:(?:what|how) about )?you(?:rs|rself)?\s*\?\W*$", re.IGNORECASE)
_UNDECIDED = _net(
    r"\b(?:no idea|don't know|do not know|dunno|not sure|no preference|no clue|can't (?:say|decide|choose|think)|"
    r"couldn't (?:say|tell)|don't mind|either(?: way| one)?|whichever|anywhere|all the same|no view|hard to say)\b"
)
_KEEPS_WELL = re.compile(
    r"\b(?:fine|good|okay|ok|all right|alright|not (?:too |so )?bad|well|grand|great|tired|so-so|surviving|better)"
    r"(?:,? (?:thanks?(?: you)?|ta|cheers|really|i suppose))?\W*$",
    re.IGNORECASE,
)
_OF_A_PAPER = r"(?:form|list|sheet|questionnaire|checklist|card|script|manual|protocol|worksheet)"
_LAST: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("opinion", _OPINION),
    ("how_are_you", _net(r"^how are you(?: (?:doing|keeping|feeling|today|then|now|yourself|tonight))*\W*\?\W*$")),
    (
        "on_a_form",
        _net(
            rf"^(?:is|was) (?:it|that|this)(?: one| question)? (?:on|from|off|in) (?:your|the|a|some|that|my) (?:\w+ )?"
            rf"{_OF_A_PAPER}\b[^?]{{0,20}}\?",
            rf"^(?:have you|do you have|are you)(?: got| working from| reading (?:it |that |this )?(?:off|from))? "
            rf"(?:a|the|your) "
            rf"{_OF_A_PAPER}\b[^?]{{0,20}}\?",
        ),
    ),
    (
        "real_question",
        _net(
            r"^(?:is|was) (?:it|that|this) (?:a|another) (?:real|serious|genuine|trick|rhetorical|proper|honest) "
            r"(?:question|one)\b[^?]{0,60}\?",
            r"^(?:have you|do you)(?: already)? (?:got|have|know) the answer\b[^?]{0,40}\?",
            r"^are you (?:really|actually|seriously) asking\b[^?]{0,30}\?",
        ),
    ),
    (
        "marked",
        _net(
            r"^(?:will there|is there (?:going to|gonna)) be (?:a|some) (?:grade|mark|score|verdict)\b[^?]{0,30}\?",
            r"^is there (?:a|some) (?:grade|mark|score|verdict)\b[^?]{0,30}\?|^(?:did|do|will|would) i (?:pass|fail)\s*"
            r"\?\W*$",
            r"^is (?:this|that|it) (?:a|some (?:kind|sort) of|like a) (?:test|exam)\s*\?\W*$",
            r"^are you (?:grading|marking|assessing|scoring|rating|evaluating|judging|testing) (?:me|us)\b[^?]{0,20}\?",
        ),
    ),
    ("thread", _net(r"^(?:where|what) (?:was|were) (?:i|we)(?: (?:up to|at|saying|again|just))*\s*\?\W*$")),
    (
        "unlived",
        _net(
            r"^(?:do|did) you (?:know|remember|mind) (?:the|that|those) old\b[^?]{2,80}\?",
            r"^do you remember (?:the (?:time|days|one|place)|those|when)\b(?![^?]*\b(?:i|we) (?:said|told|"
            r"talked|spoke))"
            r"[^?]{2,80}\?",
            r"^do you know what (?:it|that|this)(?:'s| is| was) like\b[^?]{0,80}\?",
            r"^(?:have|did) you ever (?:been|had|lost|felt|loved|seen|tried|lived|worked|known|eaten|"
            r"driven)\b[^?]{2,80}"
            r"\?",
        ),
    ),
)
_ANYWHERE: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "marked",
        _net(
            r"\b(?:think|thinking|feel|feels|wonder|wondering|afraid|scared|worry|worried|as if|like)\b[^.?!]{0,20}"
            r"\byou(?:'re| are|'ll be) (?:deciding|grading|marking|assessing|scoring|rating|evaluating)\b[^.?!]{0,12}"
            r"\b(?:me|us)\b",
            r"\bat the end there(?:'ll| will|'s going to)? be a (?:grade|mark|score|verdict)\b",
        ),
    ),
    (
        "mend",
        _net(
            r"^(?:if you (?:can|could)|(?:can|could|will|would) you) (?:please |just |maybe )*(?:fix|cure|mend|"
            r"heal|correct|"
            r"sort(?: out)?) (?:it|this|that|me)\b(?! (?:to|in|for) (?:him|her|them|the letter)\b)",
        ),
    ),
    (
        "plea",
        _net(
            r"^(?:please,? |can you |could you |will you )*(?:just )?(?:make|get) (?:it|this|all this) (?:to "
            r")?(?:stop|quit"
            r"|go away)\b(?! \w+ing)",
            r"^i (?:just |only |really )?want (?:it|this|all this) (?:all |just )?(?:to (?:stop|quit|go away|"
            r"leave off)|"
            r"gone)\b(?! \w+ing)",
        ),
    ),
)


def asked_back(text: str, told: str = "") -> str:
    """Return what about the talk itself is asked of the listener, as a name in ``ASKED_BACK``; ``""`` where nothing is.

    ``told`` is all that was said up to now, a bar between turns: a "no idea" before a "you?" may stand only there.

    Examples
    --------
    >>> asked_back("I don't know. What would you say?"), asked_back("He asked what would you say.")
    ('opinion', '')
    >>> asked_back("No idea. You?"), asked_back("Not bad. And you?"), asked_back("You?")
    ('handed_back', 'how_are_you', 'returned')
    """
    sentences = split_sentences(text.replace("’", "'").strip())
    if not sentences:
        return ""
    turns = [turn for x in told.split("|") if (turn := x.strip())]
    last, before = _LEAD.sub("", sentences[-1]), " ".join(sentences[:-1])
    if turns and not before:
        before = re.sub(r"\W*(?:(?:and|what about|how about) )?you(?:rs|rself)?\W*$", "", turns[-1])
    if _YOU.match(last):
        if _UNDECIDED.search(before):
            return "handed_back"
        return "how_are_you" if _KEEPS_WELL.search(before) else "returned"
    found = next((name for name, net in _LAST if net.search(last)), "")
    if found:
        return found
    plain = [_LEAD.sub("", s) for s in sentences]
    return next((name for name, net in _ANYWHERE if any(net.search(s) for s in plain)), "")
