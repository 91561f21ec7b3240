"""What in a therapist's turn says nothing of the patient: advice, orders, offers, guesses, what is so in general.

By wording alone. A sentence that gives an order, or speaks of the therapist, is a *frame*: its clauses are no claims
unless they begin anew with the patient or somebody of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["advises", "assures", "frames", "generalises", "hedges", "of_the_therapist", "taken_back"]

_WORDS = re.compile(r"\w+")
_SPOKEN = re.compile(r"[a-z]+(?:['-][a-z]+)*|[,:;]")
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|may (?:be|feel|have|well)|could (?:it )?be|could have been"
    r"|wonder(?:ing)?"
    r"|guess(?:ing)?|suppose|imagin(?:e|ing)|hunch|hazard|curious (?:whether|if)|not sure (?:if|whether)|seems possible"
    r"|(?:if|when) i(?:'m| am| have|'ve)? (?:hear|understand|got|get|right|follow)\w*|get the (?:sense|impression)"
    r"|correct me|stop me|tell me if|i (?:may|could|might) be (?:\w+ )?(?:wrong|off|mistaken|reading)|my guess"
    r"|in case|(?<!sounds )(?<!seems )(?<!looks )(?<!feels )as (?:if|though)|almost as|would you say|i think|i'd say"
    r"|presumably|potentially|some part of you"
    r"|part of me wonders|likely|must (?:be|have|feel)|can't have been"
    r"|i'm (?:hearing|sensing) (?:that )?(?:maybe|perhaps))\b",
    re.IGNORECASE,
)
"""What makes an offer of a claim. "It sounds like" and "you seem" do not: they are how a reflection is said."""
_ADVICE = re.compile(
    r"\b(?:you(?:'ll| will)? (?:can(?!'t|not| (?:hear|see|feel|think|remember|tell)\b)|could|should|shouldn't|might|may"
    r"|need(?:n't)? to|needn't|don't (?:have|need) to|must|ought|will|decide"
    r"|deserve)\b|you(?:'d| would) (?:prefer|know|have to|better|be able)|you'll\b|let's|let us|please|feel free|^try "
    r"|thank(?:s| you)|take (?:your|all the|whatever) time|whenever you|if you|(?:^as|what|whatever) you "
    r"(?:like|wish|prefer|want|need)\b|(?:as|what|whatever) you(?:'d| would) (?:like|want)|"
    r"i(?:'m| am|'d| would|'ll| will| want| can| could| believe| appreciate| have| was| hope| won't| don't"
    r"| promise| invite"
    r"| might| may| gave| told| sometimes| asked| know| ask)\b|we (?:can|could|might|may|will|talk|have)|we'll"
    r"|you know(?:$|,| (?:this|that|yourself|it|best)\b)|^(?:what|how) you(?:'d| would|'ve| have| say| said| could"
    r"| can| need| want)|"
    r"tell me|say more|go on|help yourself|you're not alone|you are not alone|you're (?:welcome|right"
    r"|doing (?:great|well))"
    r"|good of you|(?:good|glad) (?:that )?you came|you came (?:here )?today|you shared|you told me|told you\b"
    r"|(?:professional|doctor|court|service|somebody|someone|they)(?: in your area)? (?:should|could|can|will|may)\b"
    r"|crisis line|emergency number|helpline|emergency department|(?:long|much|little|often|far) as you\b"
    r"|the service\b|your doctor (?:if|by)\b"
    r"|give you\b|for you to|you'd be \w+ing\b|see what they"
    r"|yours to\b|aside for you|(?:in|at) your own (?:time|pace|words))",
    re.IGNORECASE,
)
_ADVISING = frozenset(
    """can could should shouldn might may need needn must ought will would decide deserve prefer know have better able
    ll let please feel try thank thanks take whenever if as i we what how tell say go help alone welcome right doing
    good came shared told give for see don professional doctor court service somebody
    someone they crisis emergency helpline long much little often far whatever yours aside own glad""".split()
)
_HEDGING = frozenset(
    """maybe perhaps possibly possible probably might may could wonder wondering guess guessing suppose imagine
    imagining hunch hazard curious sure if when sense impression correct stop tell case as would think say presumably
    potentially part likely must been""".split()
)
# What only saves time: a word that every match of a long pattern must hold, so that it is not tried without one.
_TAKEN_BACK = re.compile(
    r"^\s*(?:but )?(?:i'm only guessing|i'm guessing|i (?:may|could|might) be|correct me|tell me if)", re.IGNORECASE
)
_ORDERS = frozenset(
    """tell say take put keep start go ask write draw make call ring look turn stay get tidy clean pick switch begin
    change cross do don't stop try use give let let's read breathe hold find choose wait come think remember notice
    imagine consider bring set spend arrange have be show leave drink eat walk talk speak text send contact practise
    practice repeat list plan allow help break plant wear open close sit count sort avoid focus join buy book cut
    thank thanks next""".split()
)
"""Verbs with which a sentence begins that asks or tells to do something."""
_OPENERS = frozenset(
    """please and but so then well okay ok right now also just only first there yes no all good alright
    again , : ;""".split()
)
_SELF = frozenset("i i'm i'd i'll i've we we'd we'll we're my our".split())
_MODALS = frozenset("should could must might may ought shouldn't needn't mustn't".split())
_FRONTED = frozenset("when whenever if once before after until unless as".split())
_GENERAL = re.compile(
    r"\b(?:in general|as a rule|generally|usually|it's (?:\w+ )?(?:important|common|normal|often)|advice"
    r"|a (?:good|great)"
    r" (?:many )?(?:people|idea)|most (?:people|of them|such)|many people|people (?:often|do|say|who)|somebody who"
    r"|someone who|when (?:somebody|someone|people)|(?:for|to) your doctor|once you get|as a rough"
    r"|one of the (?:\w+est|most)|a person (?:can|could|should|may|at)\b|no shame|there's help|it would be"
    r"|what you need"
    r"|the (?:first|best|next|only) (?:thing|advice|step))\b",
    re.IGNORECASE,
)
_ASSURES = re.compile(
    r"\b(?:you(?:'ll| will) (?:be (?:\w+ )?(?:fine|ok|okay|all right|alright|well|great)"
    r"|get (?:through|over|past|there)"
    r"|rise|manage|cope|come (?:through|out)|do (?:\w+ )?(?:fine|well|great)|make it|beat|succeed)"
    r"|everything(?:'ll| will|'s going to| is going to)|it(?:'ll| will) (?:all )?(?:pass|come right|work out"
    r"|be (?:\w+ )?(?:fine|ok|okay|all right|alright|over))|nothing to worry|no need to worry"
    r"|as \w+ as you(?: are)?$|you (?:can|should) be proud"
    r"|(?:somebody|someone|anybody|anyone|nobody|no one)(?: else| sensible)?"
    r" (?:would|could|can) have|i don't know (?:how you (?:do|manage|cope|bear)|many people|anyone)"
    r"|better \w+ than (?:most|anyone|anybody|many)"
    r"|^(?:what )?an? (?:\w+ ){0,3}(?:person|man|woman|mind|somebody|someone)\b)",
    re.IGNORECASE,
)
_ME = re.compile(r"\b(?:i|i'm|i'd|i'll|i've|me|my|we|us|our)\b", re.IGNORECASE)
_YOU_FIRST = re.compile(r"^(?:you|you're|you've)\b", re.IGNORECASE)


def hedges(sentence: str) -> bool:
    """Return whether a sentence only offers what it says."""
    return not _HEDGING.isdisjoint(_WORDS.findall(sentence.lower())) and _HEDGE.search(sentence) is not None


def taken_back(after: str) -> bool:
    """Return whether a sentence makes a guess of the one before it."""
    return _TAKEN_BACK.search(after) is not None


def assures(clause: str) -> bool:
    """Return whether a clause foretells that all will be well, or praises: it says something of the patient."""
    return _ASSURES.search(clause) is not None


def advises(clause: str, words: frozenset[str] | set[str]) -> bool:
    """Return whether a clause advises, offers or thanks; ``words`` are its words, in lower case."""
    return not words.isdisjoint(_ADVISING) and _ADVICE.search(clause) is not None


def generalises(sentence: str) -> bool:
    """Return whether a sentence says what is so of people in general, or what would be good."""
    return _GENERAL.search(sentence) is not None and _YOU_FIRST.match(sentence.lstrip()) is None


def of_the_therapist(clause: str) -> bool:
    """Return whether a clause speaks of whoever says it, and does not begin with the patient."""
    return "a program" in clause or (_ME.search(clause) is not None and _YOU_FIRST.search(clause) is None)


def frames(sentence: str) -> bool:
    """Return whether a sentence gives an order, sets a condition or speaks of the therapist.

    Examples
    --------
    >>> [frames(x) for x in ("Put your shoes by the door.", "When it comes, get up.", "I'd like you to rest.")]
    [True, True, True]
    >>> [frames(x) for x in ("You put your shoes by the door.", "When it comes, you get up.", "So you rest.")]
    [False, False, False]
    """
    words = _SPOKEN.findall(sentence.lower())
    at = _past_openers(words, 0)
    if at >= len(words):
        return False
    if words[at] in _FRONTED:
        if words[at] in ("if", "unless"):
            return True
        comma = next((i for i in range(at, len(words)) if words[i] == ","), -1)
        at = _past_openers(words, comma) if comma >= 0 else at
        return at < len(words) and words[at] in _ORDERS
    told_to = words[at] == "you" and (
        not _MODALS.isdisjoint(words[at + 1 : at + 2]) or words[at + 1 : at + 3] == ["need", "to"]
    )
    return told_to or words[at] in _ORDERS or words[at] in _SELF or words[at : at + 2] == ["here's", "what"]


def _past_openers(words: Sequence[str], at: int) -> int:
    while at < len(words) and words[at] in _OPENERS:
        at += 1
    return at
