"""Markers in a patient's words that a therapist listens for: explicit wording, nothing inferred.

Each is a small, fallible net of English phrases with high precision and modest recall. They are
evidence for the therapist's belief, never a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

__all__ = ["MARKERS", "asks", "markers", "seeks_agreement"]

MARKERS: Mapping[str, re.Pattern[str]] = {
    "yes_but": re.compile(
        r"^\W*(?:yeah|yes|maybe|sure|okay|ok|right|i know|i suppose|true|perhaps|well)\b.{0,60}?\bbut\b|"
        r"\bbut (?:it's|that's) not|"
        r"\bit's not (?:that|as) (?:simple|easy)|\b(?:i've|i have) (?:tried|had|done) (?:that|all that|the|it)\b|"
        r"\bi know about\b|\bthey all say that\b|\bi can't see (?:what|how)\b|\bthat (?:won't|wouldn't|"
        r"doesn't) (?:work|help)",
        re.IGNORECASE | re.DOTALL,
    ),
    "hostile": re.compile(
        r"\byou(?:'re| are) (?:not|n't) (?:really |even )?(?:listening|hearing|helping)|\byou weren't there|"
        r"\b(?:don't|stop|quit) (?:you )?(?:manag|handl|patroni|lectur|tell|start|push|com|judg)(?:e|ing|s[ei]ng|"
        r"ze)? (?:at |on )?me\b|"
        r"\bwhat(?:'s| has) that got to do with|\bthat's (?:not fair|easy to say|easy for you to say)|"
        r"\beasy (?:for you )?to say\b|"
        r"\bnone of your\b|\bexcuse me\?|\byou (?:don't|can't) (?:know|understand|get it|have a clue)|"
        r"\byou (?:talk|sound) like\b|"
        r"\bnow you sound\b|\byou're (?:just )?(?:one of (?:those|them)|all the same|like all)|\btalking over me|"
        r"\b(?:just |now )?leave it[,.!]|"
        r"\bback off\b|\bback up\.|\byou're (?:calling|treating) me|\bi'm done\b|\bwaste of (?:my |your )?time|"
        r"\bthis (?:is|isn't) (?:pointless|helping|"
        r"stupid|useless)|\bwho (?:do you think you are|asked you)|\bquit (?:it|that)\b|"
        r"\bi(?:'ve)? (?:just )?told you\b",
        re.IGNORECASE,
    ),
    # Turning from the subject to the person opposite is how most pushback is said.
    "about_you": re.compile(
        r"(?:^|[.!?]\s+|\bthat )you(?:'re| are| sound| don't| weren't| can't| didn't| aren't| want to| first| tell me)"
        r"(?! know| see| mean| doing| very| good| kind| great| lovely| right| nice)|\bi can (?:hear|see) you\b|"
        r"\bi can tell you(?:'re|'ve| are| have| don't| think| want)\b|"
        r"\bsounded like (?:it|you)|\ba careful answer|"
        r"\byou got (?:a |any )?(?:card|script|list|form)|"
        r"(?:^|[.!?]\s+)go (?:read|ask|look)\b",
        re.IGNORECASE,
    ),
    "doubt": re.compile(
        r"\b(?:can't|don't|couldn't) (?:quite )?(?:see|know|understand) (?:what|how|why) (?:\w+ ){0,3}?"
        r"(?:talking|this|it|coming)\b|\bwhat(?:'s| is) the (?:point|use|good)|\bif i knew (?:why|what|how|that)|"
        r"\b(?:won't|can't|isn't going to|not going to) (?:change|help|bring|put|fix|mend)\b|"
        r"\bwhat good (?:is|does|will)",
        re.IGNORECASE,
    ),
    "refusal": re.compile(
        r"\bi(?:'d| would) (?:rather|sooner) (?:not|leave|you didn't)|\bdon't want to (?:talk|go|get) |"
        r"\bnothing (?:much )?to (?:say|tell)|"
        r"\blet's not\b|\bleave (?:it|that|him|her|the \w+) (?:there|alone|be|lie|out)|\bthat's all(?: there is)?\W*$|"
        r"\bnot (?:my|your) end\b|\bdoesn't matter\b|\bit's (?:only|just) \w+\W*$|\bthat'll keep\b|\bi manage\W*$",
        re.IGNORECASE,
    ),
    "dont_know": re.compile(
        r"^\W*(?:well\W+|hm+\W+|um+\W+|no\W+)?(?:i (?:don't|do not|couldn't|wouldn't) (?:really )?(?:know|say|"
        r"tell you)|dunno|no idea|not sure|"
        r"couldn't (?:say|tell you)|hard to say|you tell me|if you (?:say so|like)|i (?:dare say|expect) so|"
        r"could be|whatever)\b",
        re.IGNORECASE,
    ),
    "insight": re.compile(
        r"^\W*huh\b|\bcome to think\b|\bi(?:'d| had|'ve| have)? never (?:really )?(?:thought|seen|looked at|"
        r"noticed|considered) (?:of |about )?"
        r"(?:it|that)|\bi(?:'d| had)n't (?:thought|seen|noticed)\b|\bi don't like how that sounds|"
        r"\bnow (?:that )?(?:you|i) (?:say|said) it|"
        r"\bso maybe\b|\bmaybe (?:it|he|she|they|i)(?:'s|'m| is| was| am)? (?:not|n't|only|just)|\bso (?:it|he|"
        r"she|they|i) (?:might|may) |"
        r"\bi see (?:that|it) (?:now|differently)|\bi (?:just )?(?:realised|realized)\b|\bput like that\b|"
        r"\bwhen i say it out loud\b",
        re.IGNORECASE,
    ),
    "thanks": re.compile(
        r"\bthank(?:s| you)\b|\bi appreciate\b|\bthat helps\b|\bobliged to you\b|\bi'm glad\b", re.IGNORECASE
    ),
    "absolute": re.compile(
        r"\b(?:i|i'm|i've|i'd|me|my)\b[^.!?]{0,60}\b(?:always|never|nobody|no one|nothing|everything|useless|"
        r"worthless|a burden|a weight|"
        r"a failure|stupid|not good enough|one more job)\b|\b(?:nobody|no one|everybody|"
        r"everyone)\b[^.!?]{0,60}\b(?:i|me|my)\b",
        re.IGNORECASE,
    ),
    "loss": re.compile(
        r"\b(?:died|funeral|buried|passed|i lost (?:him|her|them|\w+)|i miss|since (?:he|she) went|cried|crying|"
        r"tears)\b",
        re.IGNORECASE,
    ),
}

_AGREE = re.compile(
    r"\b(?:don't you|do you not|wouldn't (?:you|she|he)|isn't (?:it|there)|aren't (?:i|they)|am i right|"
    r"you (?:must|can) see that|"
    r"you (?:think|see) (?:so|that|it)(?: also| too)?|you agree|you'd say (?:that|so)|you think so too|or|right|"
    r"no)\W*\?|"
    r"\b(?:isn't|is|aren't) (?:there|it|they)\.\s*$|\b(?:would|wouldn't|isn't|is|doesn't) (?:she|he|it|"
    r"they)\.\s*$|\byou must see that|\bjust say it|(?:^|[.!?]\s+)(?:so |just |go on,? )*say it\b|"
    r"\byou(?:'d| would) say that yourself|\byou can say it\b|\btell me i'm (?:wrong|right)",
    re.IGNORECASE,
)
_ASK_ABOUT_ME = re.compile(
    r"\bwhat (?:is it )?(?:do )?you do\b|\bwhat (?:is|are) (?:this|you) for\b|\bhow does this work|"
    r"\bwhat happens here|\bwho do you have to tell",
    re.IGNORECASE,
)
_ASK_METHOD = re.compile(
    r"\b(?:is there (?:anything|one|something|a way)|(?:do you have|have you got|give me) (?:a|an|any|something|"
    r"anything|one)|"
    r"what (?:should|can|could|would) (?:i|you|one) (?:do|normally do|try)|could (?:we|you) (?:plan|help|show)|"
    r"what helps|"
    r"i(?:'d| would) like (?:a|some) (?:method|plan|advice|tips?)|how (?:do|can) i (?:stop|get|deal|cope))\b",
    re.IGNORECASE,
)
_ASK_INFO = re.compile(
    r"\b(?:is (?:it|that|this) (?:usual|normal|common)|do (?:other|most) people|does (?:it|this|"
    r"that) (?:get better|pass|go away)|"
    r"(?:then )?what (?:is it|is this)(?: doing)?\?|would you know|how does (?:it|that|this) (?:work|happen)|"
    r"(?:can|could|would) you explain|i want to (?:know|understand) (?:how|what|why))",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def markers(text: str) -> frozenset[str]:
    """Return the names of the markers found in ``text``.

    Examples
    --------
    >>> sorted(markers("Yeah, but he's got the twins."))
    ['yes_but']
    >>> sorted(markers("You're not listening. I'd rather leave it."))
    ['about_you', 'hostile', 'refusal']
    """
    return frozenset(name for name, pattern in MARKERS.items() if pattern.search(text))


def seeks_agreement(text: str) -> bool:
    """Whether the patient asks to have something confirmed ("… , don't you think?").

    Examples
    --------
    >>> seeks_agreement("There's not much anybody can do with me, is there?")
    False
    >>> seeks_agreement("They missed something. You think so too, don't you?")
    True
    """
    return _AGREE.search(text) is not None


def asks(text: str) -> str | None:
    """Return what kind of help is asked for: ``"about_me"``, ``"method"``, ``"info"`` or ``None``.

    Examples
    --------
    >>> asks("Is there anything you can do about four o'clock?")
    'method'
    """
    for kind, pattern in (("about_me", _ASK_ABOUT_ME), ("info", _ASK_INFO), ("method", _ASK_METHOD)):
        if pattern.search(text):
            return kind
    return None
