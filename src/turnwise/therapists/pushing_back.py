"""What a patient pushes back against: a net of English phrases for each kind, so that the objection can be named.

Explicit words and nothing inferred. What the nets miss may be pushback all the same; where nothing is found, a
therapist who steps back had better not claim to know what from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from turnwise.therapists.markers import markers
from turnwise.therapists.putting_off import PutOff, only_puts_off, put_off_in

__all__ = ["Objection", "objection_in", "speaks_to_me"]

Objection = Literal[
    "takes_up", "leaves", "unfinished", "misquoted", "again", "unheard", "unasked", "errand", "foretold", "not_that",
    "dismissed", "stuck", "doubt", "useless", "keeps", "limit", "advice", "unfit", "asked_why", "prying", "later",
    "subject", "slow", "handled", "graded", "judged", "record", "interrogated", "line", "worded", "plain", "pace",
    "stop", "asked_only", "differ", "unproved", "evaded", "answer", "unclear", "other",
]  # fmt: skip
"""
``takes_up``: feels to be taking up the time; ``leaves``: is about to go; ``unfinished``: was talked over;
``misquoted``: that was not said; ``again``: it was said already; ``unheard``: I did not listen; ``unasked``: I never
asked; ``errand``: came for something else; ``foretold``: knows what I am going to say; ``not_that``: "it's not the …
thing"; ``dismissed``: I am taken for something I am not; ``stuck``: we go round and round; ``doubt``: does not see what
this is for; ``useless``: it does not work; ``keeps``: will go on as before; ``limit``: gives so much and no more;
``advice``: has heard it from everybody; ``unfit``: what was offered does not fit; ``asked_why``: what has that to do
with it; ``prying``: none of my business; ``later``: not now, and that is no refusal; ``subject``: not this;
``slow``: too slow; ``handled``: treated too carefully; ``graded``: fears that I make up my mind about them;
``judged``: judged or lectured; ``record``: who reads this, what is written about me; ``interrogated``: like an exam;
``line``: a stock phrase; ``worded``: the wrong word; ``plain``: be plain with me; ``pace``: too fast, too much;
``stop``: enough; ``asked_only``: it was only a question; ``differ``: we see it differently; ``unproved``: that has to
be seen first; ``evaded``: I went round what was asked; ``answer``: an answer of mine disappointed; ``unclear``: how is
that meant; ``other``: announced as an objection, and not said what to.
"""


def _net(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_NETS: Mapping[Objection, re.Pattern[str]] = {
    "takes_up": _net(
        r"\b(?:taking|take|takes|using|wasting) (?:up )?(?:the |your |a )?(?:\w+ )?(?:time|hour|place|slot|turn|"
        r"chair)\b",
        r"\bneeds? (?:this|it|you|the place) more\b",
        r"\b(?:people|others|folk|somebody|someone)\b[^.]{0,30}\b(?:real problems|worse|needs? this)\b",
        r"\b(?:give|offer) (?:them|somebody|someone|him|her) my (?:turn|place|slot|time)\b",
    ),
    "leaves": _net(
        r"\bi(?:'ll| will| shall)? ?(?:won't|not|don't want to) (?:keep|take up|waste|hold) (?:any (?:more )?of )?you",
        r"\b(?:that's|that is) (?:probably |about |maybe |quite )?enough (?:from|of|about|for) (?:me|today|now)\b",
        r"\bi(?:'d| would) (?:rather |sooner )?(?:just )?(?:go|leave|stop) (?:home|now|here)\b",
    ),
    "handled": _net(
        r"(?<!'s )(?<!'re )(?<!is )(?<!are )(?<!was )(?<!were )\bbeing (?:patient|nice|kind|careful|gentle|polite) "
        r"(?:with|"
        r"to) me\b|\b(?:manag|handl)(?:e|ing) me\b",
        r"\byou(?:'re| are) being (?:patient|nice|kind|careful|gentle|polite) (?:with|to) me\b",
        r"\byou(?:'re| are) (?:being )?(?:very |so |too )?(?:careful|polite|diplomatic|patient with me)\b",
        r"\byou(?:'re| are) being (?:kind|nice)\b",
    ),
    "record": _net(
        r"\bvery interested in me\b|\bwho(?:'s| is) (?:it|this|that|all this) (?:all )?for\b|"
        r"\bwho(?:'s| is) reading\b",
        r"\byou have a (?:paper|file|report) (?:about|on) me\b|\b(?:write|writing|put|putting) (?:all )?(?:this|that)"
        r" down about me\b|\byou(?:'re| are) fishing\b",
    ),
    "unfinished": _net(
        r"\btalking over me\b|\blet me (?:finish|get to the end)\b|\bstop (?:interrupting|cutting (?:me|in))\b"
    ),
    "misquoted": _net(
        r"\bi never said (?:that|this)\b|\b(?:that|this|it)(?:'s| is) not what i (?:said|meant|mean)\b|"
        r"\bplease don't invent\b|"
        r"\b(?:that|this|it)(?:'s| is) not what i(?:'m| am) (?:saying|asking)\b",
    ),
    "errand": _net(
        r"\bi (?:did not|didn't) come (?:here )?(?:for|to)\b|(?:^|[.,!] )(?:\w+[,.]? )?i came (?:here )?(?:for|about) "
        r"the\b",
    ),
    "again": _net(
        r"\bi(?:'ve| have)? (?:just |already )+(?:told you|said (?:that|so|it)|answered|explained|been through)\b"
        r"(?! about| to (?:my|him|her|them|the))",
        r"\bi(?:'ve| have)? (?:told you|said (?:that|so|it|this)|answered (?:that|this|it))(?: \w+)? "
        r"(?:already|before|twice|earlier|once)\b(?! to (?:my|him|her|them|the))",
        r"\bi (?:just )?told you(?=[.!]|$)|\byou(?:'ve| have) (?:already |just )?asked (?:me )?(?:that|this)\b",
        r"\byou (?:already|just) asked\b|\byou (?:keep|kept) asking\b|\bhow (?:many times|often) (?:do|must|should) "
        r"i (?:have to )?(?:say|tell|explain|answer|repeat)\b",
    ),
    "unheard": _net(
        r"\byou(?:'re| are) (?:not|n't) (?:really |even )?(?:listening|hearing)|\bnot (?:one|a) (?:word|thing) i say\b",
        r"\byou (?:didn't|never|don't) (?:listen|hear (?:me|a word))\b|\byou (?:keep|kept) (?:saying|on)\b",
        r"\byou (?:went|walked|talked) (?:right |straight )?(?:past|over)\b",
        r"\b(?:don't|do not) (?:think|feel|believe) (?:that )?you(?:'ve| have)? (?:really |quite |even )?(?:(?:get|"
        r"got) (?:it|"
        r"me|this|that|what)|understand|understood|(?:follow|see|hear|heard|listen(?:ed)?)(?: to)? (?:it|me|that|what "
        r"i))\b",
        r"\byou(?:'re| are|'ve| have)? (?:\w+ )?miss(?:ed|ing) (?:the|my) point\b|\byou(?:'ve| have)? (?:got|have) "
        r"(?:me|"
        r"it|this|that) (?:all )?(?:wrong|backwards|upside down)\b",
        r"\b(?:that|this|it)(?:'s| is) not it\b(?! at all to)",
    ),
    "unasked": _net(r"\byou (?:never|haven't|have not|didn't) (?:even )?ask(?:ed)?\b"),
    "foretold": _net(
        r"\byou(?:'re| are) (?:just )?going to (?:say|tell me)\b|\ball in my head\b|\b(?:say|saying|think|"
        r"thinks)\b.{0,12}\bin my head\b|\bi know what you're thinking\b",
    ),
    "not_that": _net(r"\b(?:it's|it is) not (?:the|my|about(?: the| my)?) [\w ]{3,24}(?:thing|business)\b"),
    "dismissed": _net(
        r"\bi(?:'m| am) not (?:one of (?:those|them)|(?:a )?(?:nutter|mad|crazy|that (?:sort|kind|bad)))\b",
        r"\bisn't the problem here\b|\bis not the problem(?: here)?\b|\b(?:you've|you have) (?:made up|decided)\b",
        r"\byou(?:'re| are) (?:calling|treating) me\b|\bdo you think i'?m\b|\bon (?:his|her|their) side\b",
        r"\byou only heard (?:her|his|their)\b",
    ),
    "stuck": _net(
        r"\b(?:round and round|going nowhere|get(?:s|ting)? (?:us |me )?nowhere|get(?:s|ting)? (?:us|me) anywhere|"
        r"not getting anywhere)\b",
        r"\bsettled anything\b|\bhave ?n[o']t (?:settled|done|got)\b.{0,12}\banything\b",
    ),
    "doubt": _net(
        r"\b(?:don't|do not|can't|cannot|couldn't) (?:quite |honestly |really )?see (?:yet )?(?:what|how|why|that|"
        r"the)\b",
        r"\b(?:not sure|don't know|do not know) (?:yet )?what (?:it|this|all this)(?:'s| is) (?:all )?for\b",
        r"\bwhat(?:'s| is) the (?:point|use|good)\b|\bwhat good\b|"
        r"\bhow (?:would|does|is) (?:that|this|talking) (?:help|going)\b",
    ),
    "useless": _net(
        r"(?:^\W*|\b(?:it|this|that|these|talk\w*|words|asking|questions?|coming here|nothing|nobody|"
        r"you)\b[^.?!]{0,14}?)\b(?:won't|isn't going to|not going to|'s not going to) (?:change|help|fix|mend|do)\b",
        r"^\W*rubbish\b|\bpointless question\b|\bwhat would i want with\b",
        r"\b(?:doesn't|don't|won't|wouldn't) work\b|\bthis is not (?:it|helping)\b",
    ),
    "limit": _net(
        r"\bthe rest i(?:'m| am) keeping\b(?! back)|\bi(?:'ll| will) keep the rest\b|\bthat's all you need\b",
        r"\b(?:that|this) (?:one )?i keep to myself\b|\bi give you what i can\b|"
        r"(?:^|[.!?,] )let me keep (?:that|it)\b",
    ),
    "keeps": _net(
        r"\bi(?:'ll| will) be keeping\b(?![^.?!]*\bback\b)|\bi(?:'m| am) (?:keeping\b(?![^.?!]*\bback\b)|not about to|"
        r"not giving (?:it|this|that|them) up|fine as i am)\b",
    ),
    "advice": _net(
        r"\bi(?:'ve| have)? (?:tried|heard|been told|read) (?:all )?(?:that|it|this|the \w+ thing)\b"
        r"(?: (?:already|before)\b|\s*[.,;!?]|$)",
        r"\b(?:they|you people|you|everyone|everybody)(?: all| always)+ (?:say|says|tell|tells|bang)\b|"
        r"\beasy (?:for you )?to say\b",
    ),
    "unfit": _net(
        r"\bi (?:don't|do not) want (?:\w+er\b|a tip|tips|advice|an? \w+ diary)|\b(?:doesn't|does not) (?:fit|apply)\b",
        r"\bi didn't ask for\b|\bit (?:isn't|'s not) (?:that|as) (?:simple|easy)\b",
        r"\bthen you (?:have not|haven't|don't|do not|can't|never)\b|\bmy \w+ is(?:n't| not) the problem\b|\bstop "
        r"offering\b|\bthat(?:'s| is) grand for other\b",
    ),
    "asked_why": _net(
        r"\b(?:what|who)(?:'s| has| is)? (?:that|this) (?:got )?to do with\b|\bask (?:everyone|everybody) that\b",
        r"^(?:\w+[,.] )?(?:why (?:do|did|would|are) you (?:ask(?:ing)?|want to know)|who (?:wants to know|asked))\b",
    ),
    "prying": _net(r"\bnone of your\b|\bdon't go there\b|\bnot (?:my|your) end\b|\bdo not tell me my\b"),
    "later": _net(r"(?!)"),  # read by sentences: "later" in passing puts nothing off
    "subject": _net(
        r"(?:^|[.!?] )(?:(?:please|just|so|and|but|no|look|ah|oh|now)[,.]? )*(?:leave|drop) (?:it|that|this|him|her|"
        r"them)"
        r"(?: (?:bit|part|one|alone|be|out|there|lie|so|of it))*(?=[,.!]|$)",
        r"^(?:\w+[,.] )?forget it\b|^(?:\w+[,.] )?not that (?:bit|one|part)\b|(?<!i )(?<!you )(?<!we )(?<!they "
        r")\bdon't "
        r"(?:start|push)\b|\bfind something else to talk\b",
        r"^(?:(?:um|sorry|so|no)[,.]? )*that(?:'s| is) hard to talk about\W*$",
    ),
    "slow": _net(
        r"\b(?:going|goes|is|this|so|too) slow\b|"
        r"(?<!i )(?<!i just )\bget (?:on with it|to the point)\b|\bhurry (?:it )?up\b"
    ),
    "graded": _net(
        r"\byou(?:'re| are)(?: \w+)? (?:deciding (?:about|on)|making up your mind about|marking|grading|scoring|"
        r"weighing up|"
        r"sizing up) me\b|\b(?:think(?:ing)?|worr(?:y|ied|ying)|afraid|scared|feels?(?: like| as if)?|wonder(?:ing)?) "
        r"(?:that |if |whether )?you(?:'re| are)(?: \w+)? (?:judging|testing|assessing|marking|laughing at)\b",
        r"\byou(?:'ll| will| are going to|'re going to) (?:give me|write) (?:a|the) (?:grade|mark|score|verdict)\b",
    ),
    "judged": _net(
        r"(?:\b(?:you(?:'re| are)?|don't|stop|quit|come to|here to)\b[^.?!]{0,14}|^\W*)\b(?:patroni|lectur|judg)"
        r"(?:e|ing|sing|zing|ise|ize) me\b"
    ),
    "interrogated": _net(
        r"\byou ask,? (?:and )?i (?:talk|answer|tell)\b|\b(?:this|it)(?:'s| is) like (?:customs|an? (?:interview|exam|"
        r"interrogation|cross-examination|quiz|police station))\b",
    ),
    "line": _net(
        r"\b(?:off|from|got) (?:a|your|some) (?:script|card|sheet|list)\b|\bthat(?:'s| is) a (?:nice )?line\b",
        r"\bthat(?:'s| is) kind(?:ly)?\b.*\bnot\b|\byou (?:talk|sound|speak) like\b|\bnow you sound\b|"
        r"\bit's your job\b|\byou have to say (?:that|so)\b",
    ),
    "worded": _net(r"\bdifferent word\b|\b(?:not|wouldn't be) (?:my|the) word\b"),
    "plain": _net(
        r"(?<!thought you'd )\b(?:be|speak|talk) (?:plain|plainly|straight|normal|clearer)\b|\bplain english\b"
    ),
    "unclear": _net(r"^\W*(?:\w+[,.] )?(?:how|what) (?:do |did |d')you mean(?: by that)?\W*$"),
    "pace": _net(
        r"(?<!i'm going )\btoo (?:fast|soon|quick|many questions)\b|"
        r"\b(?:this|that|it)(?:'s| is) (?:all )?too much(?=[.,!]|$| for)|"
        r"(?<!told to )\bslow down\b|"
        r"\bone (?:thing|question) at a time\b|\bstop pushing\b",
        r"(?<!you )(?<!they )(?<!we )(?<!i )\b(?:don't|do not) (?:rush|push|press|hurry)\b",
    ),
    "stop": _net(
        r"\bback (?:off|up)\b|\bgive me a (?:minute|chance|second)\b|\bquit it\b|\bthat's enough\b|\bstop it\b",
        r"\bwould you (?:let|stop|quit)\b",
    ),
    "asked_only": _net(
        r"\bi only asked\b|\bit was (?:only|just) a question\b|\bhad to ask\b",
        r"\bi should(?:n't| not)(?: have)? ask(?:ed)?(?: (?:you|that|it))?(?=\W*$|[.!,])|\bsorry (?:i|that i|for) "
        r"ask(?:ed|ing)\b",
    ),
    "differ": _net(r"\b(?:then|so) we (?:differ|disagree)\b|\bwe(?:'ll have to| must)? agree to (?:differ|disagree)\b"),
    "unproved": _net(r"\byou'd want to see it\b"),
    "evaded": _net(
        r"\byou(?:'re|'ve| are| have)? (?:just |only |neatly )?(?:went|going|gone|got|stepp?(?:ed|ing)|walked|talked|"
        r"skirt(?:ed|"
        r"ing)) (?:right |neatly |all )?a?round\b|\bstepped round\b|"
        r"\byou(?:'re|'ve| are| have)? (?:\w+ )?(?:dodg|side-?stepp|duck)(?:ed|ing)\b",
        r"\b(?:that|this|it)(?:'s| is| was)(?:n't| not) an answer\b|\byou(?:'ve| have) not (?:said|answered)\b|\byou "
        r"(?:haven't|didn't|never) answer(?:ed)?\b",
        r"\b(?:diplomatic|careful|evasive|polite|cautious) (?:answer|reply)\b|^\W*very diplomatic\b",
    ),
    "answer": _net(
        r"\byou (?:decline|won't|wouldn't|didn't|don't) (?:to )?(?:say|answer|tell)\b|\bthat(?:'s| was|'s, that's) "
        r"a no\b|\bdown as a no\b|\bnot allowed to say\b|"
        r"\bi thought you'd (?:say|be straight)\b|"
        r"\bi(?:'d| had)? (?:hoped|wanted) (?:that )?(?:you(?:'d)? (?:would )?(?:say|agree|tell)|for a yes|a yes|you "
        r"to (?:say|"
        r"agree|tell))\b|\bthat(?:'s| is)(?: still)?(?: not|n't) a yes\b",
        r"\bsomebody to say yes\b|\bso that's a no\b|\b(?:so|then) it stays\b",
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
_PUT_OFF: Mapping[PutOff, Objection] = {"later": "later", "declined": "subject"}
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


@lru_cache(maxsize=256)
def objection_in(text: str) -> Objection | None:
    """Return what ``text`` objects to, or ``None`` where no objection was put into words.

    Examples
    --------
    >>> objection_in("I'll not keep you."), objection_in("With respect, we have not settled anything.")
    ('leaves', 'stuck')
    >>> objection_in("You're not listening."), objection_in("Please be plain with me.")
    ('unheard', 'plain')
    >>> objection_in("May we come back to that?"), objection_in("Can we skip that one?")
    ('later', 'subject')
    >>> objection_in("It's gone very quiet.") is None
    True
    """
    text = _QUOTED.sub("", text.replace("’", "'"))  # what somebody else said is no objection to me
    # In a long story somebody else may be told all of this: an objection to the listener is short, or says so.
    brief = len(text.split()) <= _BRIEF or _POLITE.search(text) is not None
    if only := only_puts_off(text):
        return _PUT_OFF[only]
    put_off = put_off_in(text)
    for kind, pattern in _NETS.items():
        put = put_off is not None and kind == _PUT_OFF[put_off]
        if brief and (put or pattern.search(text)):
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
