"""What a patient pushes back against: a net of English phrases for each kind, so that the objection can be named.

Explicit words and nothing inferred. What the nets miss may be pushback all the same; where nothing is found, a
therapist who steps back had better not claim to know what from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from turnwise.therapists.markers import markers

__all__ = ["Objection", "objection_in", "speaks_to_me"]

Objection = Literal[
    "unheard",
    "unasked",
    "pace",
    "slow",
    "useless",
    "dismissed",
    "leaves",
    "subject",
    "advice",
    "plain",
    "answer",
    "other",
]
"""
``unheard``: I did not listen, or asked again; ``unasked``: I never asked; ``pace``: too fast, too much;
``slow``: too slow; ``useless``: talking leads nowhere;
``dismissed``: I am taken for something I am not; ``leaves``: does not want to take up time, or is about to go;
``subject``: not this subject; ``advice``: what was offered does not fit; ``plain``: my manner; ``answer``: an answer
of mine disappointed; ``other``: announced as an objection, and not said what to.
"""


def _net(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_NETS: Mapping[Objection, re.Pattern[str]] = {
    "leaves": _net(
        r"\bi(?:'ll| will| shall)? ?(?:won't|not|don't want to) (?:keep|take up|waste|hold) (?:any (?:more )?of )?you",
        r"\b(?:taking|take|takes|using|wasting) (?:up )?(?:the |your |a )?(?:\w+ )?(?:time|hour|place|slot|turn|"
        r"chair)\b",
        r"\bneeds? (?:this|it|you|the place) more\b",
        r"\b(?:that's|that is) (?:probably |about |maybe |quite )?enough (?:from|of|about|for) (?:me|today|now)\b",
        r"\b(?:people|others|folk|somebody|someone)\b[^.]{0,30}\b(?:real problems|worse|needs? this)\b",
        r"\bi(?:'d| would) (?:rather |sooner )?(?:just )?(?:go|leave|stop) (?:home|now|here)\b",
        r"\b(?:give|offer) (?:them|somebody|someone|him|her) my (?:turn|place|slot|time)\b",
    ),
    "unheard": _net(
        r"\byou(?:'re| are) (?:not|n't) (?:really |even )?(?:listening|hearing)|\bnot (?:one|a) (?:word|thing) i say\b",
        r"\byou (?:didn't|never|don't) (?:listen|hear (?:me|a word))\b|\bi(?:'ve| have)? (?:just |already )+(?:told "
        r"you|said (?:that|so|it))\b",
        r"\byou(?:'ve| have) (?:already )?asked (?:me )?(?:that|this)\b|\byou (?:keep|kept) (?:saying|asking|on)\b",
        r"\bi (?:did not|didn't) come (?:here )?(?:for|to)\b|\btalking over me\b|\blet me (?:finish|get to the "
        r"end)\b",
        r"\byou (?:went|walked|talked) (?:right |straight )?(?:past|over|round)\b|\bi never said (?:that|this)\b",
        r"\b(?:that|this|it)(?:'s| is) not (?:it|what i (?:said|meant|mean))\b(?! at all to)|\bplease don't invent\b",
    ),
    "unasked": _net(r"\byou (?:never|haven't|have not|didn't) (?:even )?ask(?:ed)?\b"),
    "dismissed": _net(
        r"\byou(?:'re| are) (?:just )?going to (?:say|tell me)\b|\ball in my head\b|\b(?:say|saying|think|"
        r"thinks)\b.{0,12}\bin my head\b|\bi know what you're "
        r"thinking\b",
        r"\bi(?:'m| am) not (?:one of (?:those|them)|(?:a )?(?:nutter|mad|crazy|that (?:sort|kind|bad)))\b",
        r"\b(?:it's|it is) not (?:the|my|about(?: the| my)?) [\w ]{3,24}(?:thing|business)\b",
        r"\bisn't the problem here\b|\bis not the problem(?: here)?\b|\b(?:you've|you have) (?:made up|decided)\b",
        r"\byou(?:'re| are) (?:calling|treating) me\b|\bdo you think i'?m\b|\bon (?:his|her|their) side\b",
        r"\byou only heard (?:her|his|their)\b",
    ),
    "useless": _net(
        r"\b(?:don't|do not|can't|cannot|couldn't) (?:quite |honestly |really )?see (?:yet )?(?:what|how|why|that|"
        r"the)\b",
        r"\bwhat(?:'s| is) the (?:point|use|good)\b|\bwhat good\b|\b(?:round and round|going nowhere|get(?:s|ting)? "
        r"(?:us |me )?nowhere|get(?:s|ting)? (?:us|me) anywhere|not getting anywhere)\b|(?:^\W*|\b(?:it|this|that|"
        r"these|talk\w*|words|asking|questions?|coming here|nothing|nobody|you)\b[^.?!]{0,14}?)\b(?:won't|"
        r"isn't going to|"
        r"not going to|'s not going to) (?:change|help|fix|mend|do)\b",
        r"\b(?:this|that|it|talking|all that)(?:'s| is| was)? (?:a |just )?(?:pointless|useless|rubbish|waste of)\b|"
        r"^\W*rubbish\b|"
        r"\bpointless question\b|\bhow (?:would|does|is) (?:that|this|talking) (?:help|going)\b",
        r"\bsettled anything\b|\bwhat would i want with\b|\bhave ?n[o']t (?:settled|done|got)\b.{0,12}\banything\b",
        r"\b(?:doesn't|don't|won't|wouldn't) work\b|\bthis is not (?:it|helping)\b",
    ),
    "advice": _net(
        r"\bi(?:'ve| have)? (?:tried|heard|been told|read) (?:all )?(?:that|it|this|the \w+ thing)\b"
        r"(?: (?:already|before)\b|\s*[.,;!?]|$)",
        r"\b(?:they|you people|you|everyone|everybody)(?: all| always)+ (?:say|says|tell|tells|bang)\b|"
        r"\beasy (?:for you )?to say\b",
        r"\bi (?:don't|do not) want (?:\w+er\b|a tip|tips|advice|an? \w+ diary)|\b(?:doesn't|does not) (?:fit|apply)\b",
        r"\bi(?:'ll| will) be keeping\b|\bi(?:'m| am) (?:keeping|not about to|not giving (?:it|this|that|them) up|"
        r"fine as i am)\b|"
        r"\bi didn't ask for\b|\bit (?:isn't|'s not) (?:that|as) (?:simple|easy)\b",
        r"\bthen you (?:have not|haven't|don't|do not|can't|never)\b|\bmy \w+ is(?:n't| not) the problem\b|\bstop "
        r"offering\b|\bthat(?:'s| is) grand for other\b",
    ),
    "subject": _net(
        r"(?<!said )(?<!to )(?<!i )(?<!can't )(?<!cannot )(?<!couldn't )\b(?:leave|drop) (?:it|that|this|him|her|"
        r"them)(?: (?:bit|part|alone|be|out|there|lie))*\b(?![^.!]*\?)",
        r"\blet's not\b|^(?:\w+[,.] )?forget it\b|^not that (?:bit|one|part)\b|\bi(?:'d| would) (?:rather|sooner) "
        r"(?:not|leave|you didn't)\b|\bdon't (?:go there|start|push)\b",
        r"\bdon't want to (?:talk|go|get) (?:about|into|there)|\bnone of your\b|\bfind something else to talk\b",
        r"\bthat's all you need\b|\bnot (?:my|your) end\b|\bdo not tell me my\b|\bi came (?:here )?(?:for|about) the\b",
        r"\b(?:what|who)(?:'s| has| is)? (?:that|this) (?:got )?to do with\b|\bwho (?:wants to know|asked)\b",
        r"(?:^|[.!?] )(?:(?:um|sorry|okay|so|and|but|please)[,.]? )*(?:can|could|may|might|shall) (?:we|i) "
        r"(?:(?:please|just|maybe) )*(?:leave|skip|drop|park|come back to|pass on|return to) (?:that|this|it)(?: one)?"
        r"(?=[,.?!]|$| (?:for now|another|later|if|please))",
        r"^(?:(?:um|maybe|please|sorry|okay|so|no)[,.]? )*(?:not that one|"
        r"skip (?:that|this|it)(?: one| item)?(?=[,.]|$)|"
        r"another (?:day|time)\W*$|ask me (?:that )?(?:another|some other) (?:day|time)|"
        r"(?:that|this) one i keep to myself|(?:we can )?(?:return|come back) to (?:that|it)\b|park (?:that|it)\b|"
        r"that(?:'s| is) hard to talk about\W*$|i (?:don't|do not) (?:really )?want to say(?=[,.]|$))",
    ),
    "slow": _net(r"\b(?:going|goes|is|this|so|too) slow\b|\bget (?:on with it|to the point)\b|\bhurry (?:it )?up\b"),
    "pace": _net(
        r"\btoo (?:fast|soon|quick|many questions|much)\b|\bslow down\b|\bone (?:thing|question) at a time\b",
        r"\bback (?:off|up)\b|\bgive me a (?:minute|chance|second)\b|\bquit it\b|\bthat's enough\b|\bstop (?:it|"
        r"pushing)\b",
        r"\b(?:don't|do not) (?:rush|push|press|hurry)\b|\bwould you (?:let|stop|quit)\b",
    ),
    "plain": _net(
        r"\b(?:be|speak|talk) (?:plain|plainly|straight|normal|clearer)\b|\bplain english\b|\bthat(?:'s| is) "
        r"kind(?:ly)?\b.*"
        r"\bnot\b|\byou (?:talk|sound|speak) like\b|\bnow you sound\b|\bbeing (?:patient|nice|kind|careful) (?:with|"
        r"to) me|\byou(?:'re| are) (?:being (?:careful|polite|kind|diplomatic|nice)|fishing|very interested in "
        r"me)\b",
        r"\b(?:a )?careful answer\b|\b(?:off|from|got) (?:a|your|some) (?:script|card|sheet|list)\b|\bdifferent "
        r"word\b",
        r"\b(?:manag|handl|patroni|lectur|judg)(?:e|ing|sing|zing|ise|ize) me\b|\bthat(?:'s| is) a (?:nice )?line\b",
        r"\bit's your job\b|\byou have to say (?:that|so)\b",
        r"\byou ask,? (?:and )?i (?:talk|answer|tell)\b|\b(?:this|it)(?:'s| is) like (?:customs|an? (?:interview|exam|"
        r"interrogation|cross-examination|quiz|police station))\b|\bat the end you have a (?:paper|file|report) "
        r"(?:about|on) me\b",
    ),
    "answer": _net(
        r"\byou (?:decline|won't|wouldn't|didn't|don't) (?:to )?(?:say|answer|tell)\b|\bthat(?:'s| was|'s, that's) "
        r"a no\b|\bdown as a no\b|\bi only asked\b|\bit was only a question\b|\bhad to ask\b|\bsomebody to say yes\b|"
        r"\byou(?:'ve| have) not (?:said|answered)\b|\bso that's a no\b|"
        r"\b(?:so|then) it stays\b|\bthen we differ\b|\b(?:diplomatic|"
        r"careful|evasive|polite|cautious) (?:answer|reply)\b|"
        r"^\W*very diplomatic\b|\bstepped round\b|\bside-?stepp|\bdodg(?:ed|ing)\b|"
        r"\byou'd want to see it\b",
    ),
}
_POLITE = _net(
    r"\bno (?:offen[cs]e|disrespect)\b",
    r"\bwith (?:all |every |the greatest )?(?:due )?respect\b",
    r"\bnot being funny\b",
    r"\bcan i be (?:straight|honest|frank)\b",
    r"\bjust so you know\b",
    r"\bi (?:have to|must) say\b.*\bnot\b",
    r"^ah no\b|^nah\b|^so nah\b",
)
"""How a pushback is announced, whatever it is about."""
_BRIEF = 45
_QUOTED = re.compile(r"(?<!\w)'[^'.?!]{3,40}'(?!\w)")
_TO_ME = re.compile(
    r"^(?:(?:and|but|so|well|no|oh|now|then|okay|sure|ah|look)[,.]? )*you(?:'re|'ve| are| have| did| didn't| don't| "
    r"do| said|"
    r" say| ask(?:ed)?| keep| kept| want| think| sound| talk| would| just| only| can't| couldn't)\b(?! know\b| see\b| "
    r"mean\b| to\b)",
    re.IGNORECASE,
)
_ANYBODY = re.compile(
    r"^(?:\w+[,.]? )?you (?:don't|can't|do|just|only|can) \w+\b.*\b(?:if|unless|until|till|when)\b", re.IGNORECASE
)
"""Said of people in general: "You don't send it out if it isn't right"."""
_KINDLY = re.compile(
    r"\b(?:thank|lovely|grand|kind|great|good|nice|sweet|couldn't have known|more to you)\b", re.IGNORECASE
)


def objection_in(text: str) -> Objection | None:
    """Return what ``text`` objects to, or ``None`` where no objection was put into words.

    Examples
    --------
    >>> objection_in("I'll not keep you."), objection_in("With respect, we have not settled anything.")
    ('leaves', 'useless')
    >>> objection_in("You're not listening."), objection_in("Please be plain with me.")
    ('unheard', 'plain')
    >>> objection_in("It's gone very quiet.") is None
    True
    """
    text = _QUOTED.sub("", text.replace("’", "'"))  # what somebody else said is no objection to me
    # In a long story somebody else may be told all of this: an objection to the listener is short, or says so.
    brief = len(text.split()) <= _BRIEF or _POLITE.search(text) is not None
    for kind, pattern in _NETS.items():
        if brief and pattern.search(text):
            return kind
    if _POLITE.search(text):
        return "other"
    return "unheard" if "hostile" in markers(text) else None


def speaks_to_me(text: str) -> bool:
    """Whether a turn is about the listener, outside a question: half of what people object to, they say so.

    Examples
    --------
    >>> speaks_to_me("You didn't ask me."), speaks_to_me("You know how it is."), speaks_to_me("You're very kind.")
    (True, False, False)
    """
    sentences = re.split(r"(?<=[.!?])\s+", text.replace("’", "'"))
    return any(
        _TO_ME.search(s) and not _ANYBODY.search(s) and not _KINDLY.search(s) and not s.rstrip().endswith("?")
        for s in sentences
    )
