"""What somebody holds out and has not yet said: a skipped question, a saying, a plan, years, what others think."""

from __future__ import annotations

import re

from turnwise.reading.sentences import split_sentences

__all__ = ["DIRECT", "hard_moment", "hinted_in"]

DIRECT: tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...] = (
    (
        "skipped",
        re.compile(
            r"\b(?:skipped|left out|missed out|didn't (?:answer|fill in)|left\b.{0,14}\b(?:blank|empty))\b.{0,16}\b"
            r"(?:question|box|item|page)\b|\bleft (?:a|one|that|the) question (?:blank|empty|out)\b",
            re.IGNORECASE,
        ),
        ("Which question was it?", "What was the question about?", "What did the question ask?"),
    ),
    (
        "saying",
        re.compile(
            r"\b(?:people|they|we|folk|folks|neighbours|old ones) (?:say|have|tell)(?: \w+)? (?:a|one|this) "
            r"(?:thing|saying|word|proverb)\b",
            re.IGNORECASE,
        ),
        ("What do they say?", "How does it go?"),
    ),
    (
        "plan",
        re.compile(
            r"^(?:(?:well|maybe|perhaps|um|so)[, ]+)*i (?:could|might)(?! (?:not|never|only|hardly|barely|just|have|"
            r"be|feel|"
            r"hear|see|smell|tell|say|do with|cry|scream|kill|murder)\b)(?: \w+){3,}",
            re.IGNORECASE,
        ),
        ("When might that be?", "How would you begin?", "What would help, so that it comes off?"),
    ),
    (
        "overlooked",
        re.compile(r"\b(?:nobody|no one) (?:asked|rang|told|consulted|warned) me\b", re.IGNORECASE),
        (
            "It was settled without you, by the sound of it. How did that sit with you?",
            "So it was arranged over your head. How did you take that?",
        ),
    ),
    (
        "reported",
        re.compile(
            r"\b[A-Z]\w+\b[^.?!]{0,25}\b(?:said|says|thinks|reckons) (?:that )?(?:she|he|they|I)\b(?:'d| would| should|"
            r" ought| might)"
        ),
        ("How do you see it, yourself?", "What do you make of that, yourself?"),
    ),
    (
        "years",
        re.compile(
            r"^(?:(?:\S+ ){0,5})(?:\w+ )?years\b(?! (?:ago|back|old|later|earlier|before|younger|older)\b)"
            r"(?:\W+\S+){0,6}\W*$",
            re.IGNORECASE,
        ),
        ("That's a long time. What has it been like?", "That's a long while. What have those years been like?"),
    ),
)
"""What somebody has held out and not yet said is asked for, before anything else."""
_BREAKS_OFF = re.compile(
    r"^(?:(?:but|well|so|and|ah|oh)[, ]+)*(?:anyway|anyhow|never mind|forget (?:it|that|i said)|it's nothing|"
    r"it is nothing|"
    r"(?:it|that) (?:doesn't|does not) matter|doesn't matter|no matter|it's whatever|(?:it|that)(?:'ll| can|"
    r" will) keep|"
    r"that's (?:another|a different) (?:story|matter)|that's (?:by the by|not your end)|i(?:'ve|"
    r" have) said (?:too much|enough)|"
    r"i(?:'d better| shouldn't| oughtn't to)(?: not)? (?:say|go on)|not (?:urgent|important))\b[^?]{0,30}$",
    re.IGNORECASE,
)
"""Said last, it takes back the sentence before it, which was begun for a reason."""
_HOLDS_BACK = re.compile(
    r"\bthere(?:'s| is| are| was)(?: also)? (?:a thing|things|something|more|a reason|"
    r"a part of it)(?: that)? (?:about|(?:i|i've|"
    r"i'd)(?: have)? (?:never|not|haven't|don't|didn't|couldn't|can't)|nobody|no one|to (?:it|that) than)\b|"
    r"\bi(?:'ve| have|'d)? (?:never|not|haven't|didn't) (?:told|said|mentioned) (?:that |this |"
    r"it )?(?:to )?(?:anyone|anybody|a "
    r"soul|it|this|that)\b|\bi don't (?:tell|say|mention) (?:that|this|it)? ?(?:to )?(?:people|anyone|anybody|"
    r"everyone)\b|"
    r"\bif (?:you|they|people|anybody) (?:only )?knew\b|\bi wasn't going to (?:say|mention|bring)\b|"
    r"\bi don't really do\b|"
    r"\bthat(?:'s| is) not (?:all|the whole) of it\b",
    re.IGNORECASE,
)
"""Says that there is something more, and not what."""
_QUOTABLE = re.compile(
    r"^(?!(?:with|on|in|at|from|for|of|by|not|and|but|or|you)\b)\w[\w',-]*(?: [\w',-]+){2,10}$", re.IGNORECASE
)


def hinted_in(text: str) -> tuple[bool, str]:
    """Return whether ``text`` says in so many words that something is held back, and the sentence that may be quoted.

    What is only told, however small, is no hint.

    Examples
    --------
    >>> hinted_in("There's the money. Anyway."), hinted_in("I have moved the lamp.")
    ((True, "There's the money"), (False, ''))
    >>> hinted_in("There's more to it than that. I'd rather not say.")
    (True, "There's more to it than that")
    """
    said = [s.strip().rstrip(".!…") for s in split_sentences(text.replace("’", "'")) if not s.rstrip().endswith("?")]
    held = next((s for s in said if _HOLDS_BACK.search(s)), "")
    if not held and len(said) > 1 and _BREAKS_OFF.match(said[-1]):
        held = said[-2]
    return bool(held), held if _QUOTABLE.match(held) else ""


_ME = r"\b(?:i|i'\w+|me|my)\b"
_HARD_MOMENT = re.compile(
    # what was done, or done to somebody, that does not leave one cold
    r"\bi(?:'d|'ve| had| have)? (?:just |then |only |even |still )*(?:scream|shout|yell|snap|swore|slam|hit\b|cr(?:y|"
    r"ied)\b|burst|"
    r"broke (?:down|off)|lost (?:it|my temper)|froze|fr?eeze|walk(?:ed)? (?:off|out|away)|r[au]n (?:off|out|away)|"
    r"hung up|hang up|"
    r"hid\b|hide\b|lied\b|fail(?:ed)?\b|forg[eo]t\b|go blank|went blank|sh(?:ake|ook)\b|faint|collapse|threw up|"
    r"throw up|"
    r"panic|quit\b|stopp?(?:ed)? (?:dead|there|going|seeing|talking|singing|answering)|couldn't|could not|can't|cannot|"
    r"stood there|sat there|let (?:him|her|them) down)\w*|"
    r"\b(?:he|she|they|everybody|people|[A-Z]\w+)(?:'d|'ve| had| have)? (?:just |all )*(?:arrest|sack|fir|dropp|dump|"
    r"bulli|hit|"
    r"laugh|shout|scream|stare|star|ignor|threw|kick|left|hung up)\w* (?:on |at |out on |past |out )?me\b|"
    r"\bmy (?:voice|hands?|legs|knees|heart|mind|breath|head) (?:\w+ )?(?:stops?|stopped|shak\w+|shook|was shaking|"
    r"went|goes|go "
    r"(?:cold|blank|weak)|gave)\b|\b(?:there|then) i stop\b|"
    # what is gone over and over
    rf"^(?=.*{_ME}).*\b(?:in bed|awake|over and over|again and again|every night|each night|all night)\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"\bcan't (?:complain|say|tell|remember|think)\b|\bcouldn't (?:say|tell)\b|\bforgot to\b|\bi (?:hope|wish|"
    r"want)\b|\b(?:used to|no "
    r"longer|not any ?more)\b|\blaugh\w* (?:so|till|until)\b|\b(?:slept|sleep) (?:well|fine|through|right through|"
    r"all night|every)\b",
    re.IGNORECASE,
)


def hard_moment(text: str) -> str:
    """Return the sentence of ``text`` that tells of a moment with a thought in it, or nothing.

    Something went wrong or was borne, by or from the speaker; a plain fact, however long its story, has no such moment.

    Examples
    --------
    >>> hard_moment("He rang about the shift. I just screamed at him."), hard_moment("I followed the cable to a shed.")
    ('I just screamed at him.', '')
    """
    sentences = split_sentences(text.replace("’", "'"))
    fit = [s for s in sentences if not s.rstrip().endswith("?") and _HARD_MOMENT.search(s) and not _NOT_SO.search(s)]
    return fit[-1] if fit else ""
