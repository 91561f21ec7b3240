"""What in a clause may matter to the person who said it: a feeling, a want, a limit, a loss, somebody close.

General English wording, nothing about any subject. It is for choosing what to give back: "I'd only gone in about my
thyroid" is true and beside the point, "I couldn't cross" is not. What it does not find may matter all the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from turnwise.therapists.emotions import voiced

__all__ = ["STAKES", "WEIGHTS", "burdens", "is_administrative", "is_arrival", "stake_of", "tense_of"]

STAKES: tuple[str, ...] = (
    "feeling",
    "limit",
    "alone",
    "loss",
    "hiding",
    "want",
    "body",
    "effort",
    "bond",
    "self",
    "shift",
    "without",
)
"""What a clause may be about, in the order in which it is asked."""
WEIGHTS: Mapping[str, float] = {
    "feeling": 3.0, "limit": 2.4, "alone": 2.4, "loss": 2.3, "hiding": 2.3, "want": 2.2, "body": 2.0, "effort": 1.4,
    "bond": 1.6, "self": 1.6, "shift": 1.3, "without": 1.2, "": 0.0,
}  # fmt: skip
"""How much each weighs against the others; judgement, not fitted."""

_I = r"\bi(?:'ve|'d|'m)?\b"
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "feeling": r"\b(?:i|i've|i'd|i'm)\b(?: \w+){0,2} (?:fe(?:el|lt)|hate[ds]?(?! to)|dread(?:ed)?|worr(?:y|ied)|"
        r"panic(?:k?ed)?|blame[ds]? myself|sick of|fed up|beside myself)\b|\bi(?:'m| am| was|'ve been|'d been| get)"
        r"(?: (?!(?:a|an|the|in|on|at|my|his|her|some|by|with)\b)\w+){0,2} (?:insulted|mortified|lost|trapped|"
        r"empty|flat|"
        r"heavy|small|responsible|not grand|low|a fool|a wreck|stuck)\b(?! (?:enough|my|the|him|her|it|weight|"
        r"for|at|behind|in traffic)\b)|"
        r"\bmy (?:stomach drop|heart|legs went|"
        r"nerves|head (?:goes|went|won't))|\b(?:ashamed|proud|disappointed) (?:of|in) me\b|\bit (?:hurts?|kills me|"
        r"breaks my|frightens me|scares me|gets to me)\b",
        "limit": rf"{_I}[^.]{{0,12}} (?:can't|cannot|couldn't|could not|can not|don't dare|didn't dare|wasn't able|am "
        r"not able|stop being able|haven't been able|never manage|never get|never could)\b(?! complain| tell| say|"
        r" think| fault)|\bi can't\b(?! complain| tell| say| think| fault)|\bi couldn't\b(?! tell| say| think)|"
        r"\bi (?:get|got) (?:as far as|to the \w+ and)\b|\bi stood there\b",
        "alone": r"\b(?:nobody|no one|no-one|none of them)\b(?! (?:should|must|ought|would|likes|wants)\b)|"
        r"\b(?:people|they|folk|everybody) (?:don't|never|won't|"
        r"didn't) \w+ me\b|\b(?:on my own|by myself|all alone|alone)\b|"
        r"\bthere(?:'s| is| was) (?:only|just) me\b|\bi (?:never|don't) (?:ask|see anyone|talk to)",
        "loss": r"\b(?:died|dead|funeral|lost (?:him|her|them|my|the|it)|passed away|gone quiet|went quiet|very quiet|"
        r"house is quiet|i miss|missed (?:him|her|them)|no longer|not any ?more|any ?more|(?:i|we|it|there|"
        r"my \w+) used to|left me|has gone|"
        r"'s gone|nothing left|i still \w+|never again|stopped (?:com|ring|ask|call|talk)ing|doesn't (?:ring|ask|"
        r"talk|call))\b",
        "hiding": r"\bi(?:'ve| have|'d|'m| am)? (?:hid|hide|been hiding|pretend|never told|haven't told|didn't tell|"
        r"don't tell|keep it (?:from|to myself)|kept it (?:from|to myself)|lied|checking that i)\b|\bi say i\b|"
        r"\bi said (?:i was )?fine\b|\bnobody knows\b|\bnobody has been told\b|\b(?:smile|act) so (?:that )?they\b",
        "want": r"\b(?:i|i'd|i've)(?: just| only| really| still| do)? (?:want(?:ed)?|need(?:ed)?|wish(?:ed)?|"
        r"hop(?:e|ed)"
        r"|long)\b|\bi(?:'d| would) (?:just |only |really )?(?:like|love|rather have|give anything)\b|"
        r"\bmatters to me\b",
        "body": r"\b(?:sleep|sleeping|slept|awake|lie there|lay there|wake|breath|breathe|breathing|shak(?:e|"
        r"ing)|shook|pain|"
        r"aches?|hurts?|sick|(?:go|goes|went|hands (?:are|were|go)) cold|sweat\w*|faint\w*|dizzy|cry|cried|crying|"
        r"tears|eat|ate|starving|chest|stomach|jaw|"
        r"throat|throw up|threw up|vomit\w*|fell asleep|went cold|(?:my|the) heart|blank|voice stop\w*)\b",
        "effort": r"(?<!where )(?<!what )(?<!how )(?<!who )\b(?:i(?:'ve| have)? (?:have to|had to|got to|to) \w+|"
        r"i(?:'d| had) to \w+)|\bi (?:keep|kept) \w+ing|\bi(?:'ve| have)(?: \w+)? tried\b|\bi tried\b|\bi(?:'m|"
        r" am) (?:always|forever) \w+ing\b|"
        r"\bi never stop|"
        r"\bi(?:'d| had) better\b|\bso (?:that )?(?:nobody|he|she|they) (?:can|could|won't|wouldn't)\b|\bi check\b|"
        r"\bi wait\b|\bi practi[sc]e\b|\bi go over\b",
        "bond": r"^(?=.*\b(?:i|me|us|my|mine|we|our)\b)(?:he|she|they|my \w+|(?!(?:There|It|That|This|"
        r"They)\b)(?-i:[A-Z][a-z]+)|we)\b.*\b(?:talk|argue|"
        r"ask(?:s|ed)?|wait(?:s|ed)?|"
        r"sits?|sat|shout\w*|yell\w*|laugh\w*|looks? at|stay(?:s|ed)?|remember\w*|forgot|bangs?|worr(?:y|ies)|"
        r"cries|cried|leaves me|left me|blames?|hits?|trusts?|fights?|loves?|let(?:s)? me|"
        r"kept|keeps|goes on|came back|still)\b|^i (?:just |only |even )?(?:screamed|shouted|yelled|snapped|"
        r"swore|lashed|"
        r"slapped)\b(?!.*\b(?:match|game|telly|tv)\b)|\bbetween (?:me|us)\b|\bwe (?:don't|do not|never|hardly|"
        r"barely) (?:talk|speak|see each other)\b|\bwe laugh\b",
        "self": r"^i(?:'m| am| was|'ve been)(?: just| only)? (?:one|only|just|never|always|not|kind of|too|so|no|"
        r"used|left|made|like|(?:a|the) (?:one|sort|kind|type|person|man|woman|girl|lad|friend) (?:who|that|to|of)|"
        r"(?:a|an|the) \w+ (?:mother|father|wife|husband|son|daughter|friend))\b"
        r"(?! (?:here|sure|certain|saying|going|being))",
        "without": r"^i(?:'d|'ve|'m)?(?: just| really)? (?:don't|do not|didn't|did not|haven't|have not|won't|will not|"
        r"wouldn't|would not|never|cannot|no longer)\b(?! (?:know|think|mean|mind|see|remember))",
        "shift": r"\b(?:got|getting|gets) (?:worse|better|bad|harder|longer)\b|\b(?:it|this|that) (?:all )?(?:started|"
        r"began|changed|stopped)\b|\b(?:since|ever since) (?:he|she|they|my|the|it|we|i)\b|\bthe first time\b|"
        r"\bthe last time\b|\b(?:i've|i have) (?:quit|stopped|given up|gone off)\b|\bi (?:quit|stopped|gave up)\b"
        r"(?! (?:with|at|in|by|over|on|off|for|there|here)\b)|"
        r"\bfell (?:behind|apart)\b",
    }.items()
}
_ADMIN = re.compile(
    r"\b(?:flyer|form|appointment|referral|letter for|clinic (?:made|sent|gave)|doctor (?:rang|rings|sent|says)|"
    r"gp said|sent me|was sent|put me in|gave me (?:a|the) (?:link|card|number|leaflet|flyer)|this is one|"
    r"session one|thank you|thanks)\b|"
    r"\bi(?:'d| would)? (?:just |only |really )?(?:want|need|like)(?:ed)? (?:a|an|some|the|"
    r"something) (?:\w+ )?(?:letter|note|"
    r"signature|stamp|paper|certificate|proof|i can show)\b|"
    r"\b(?:don't|do not|didn't|did not|wouldn't) (?:want|like|mean|wish)(?: to)? (?:to )?(?:be )?(?:caus(?:e|ing)|"
    r"trouble|troubling|bother(?:ing)?|tak(?:e|ing) up|wast(?:e|ing)|mak(?:e|ing) a (?:fuss|scene|thing)|"
    r"put(?:ting)? (?:him|her|them|anybody|anyone|people) (?:out|to)|impose|a (?:bother|nuisance))\b|"
    r"^i (?:don't|do not) (?:want|need|ask for) (?:anything|nothing)$",
    re.IGNORECASE,
)
"""How somebody came to be here is told in every first minute, and is seldom what they came for. A paper that is asked
for is a request, and a politeness about trouble is manners: neither is what weighs."""
_ARRIVAL = re.compile(
    r"\b(?:sent me(?=,|$|\.| (?:here|to|because|for|along))|put me (?:in|down|on) for|made me (?:this|the|"
    r"an) appointment|"
    r"(?:asked|wants|wanted|told|advised) (?:that i come|me to (?:come|get in touch|ring|see|call|message|write|text|"
    r"book|sign up|contact|use this|try this))|(?:said|says|"
    r"thinks) i (?:should|"
    r"ought to|was to|had to|must) (?:come|see|talk|ring|get in touch)|i was (?:asked|told|advised) to (?:come|get in "
    r"touch|ring)|(?:gave|given) me (?:\w+ )of these|(?:rang|signed|booked) (?:you|me) (?:herself|himself|up|in))\b",
    re.IGNORECASE,
)

_WERE = (
    r"was|were|wasn't|weren't|had|hadn't|did|didn't|couldn't|went|came|got|said|told|sat|stood|lay|fell|left|lost|"
    r"took|gave|made|knew|thought|felt|saw|heard|kept|put|ran|rang|woke|broke|hid|met|sent|drove|slept|cried|quit|"
    r"brought|held|hurt|began|grew|wrote|shook|ate|could not|drew|bought|caught|taught|chose|built|paid|"
    r"spent|meant|led|fed|rode|rose|spoke|stole|threw|tore|wore|won|bit|blew|drank|forgot|flew|froze|hung|stuck|struck|"
    r"swore|understood|became|fought|found|sold|started|stopped|(?!(?:need|indeed|hundred|instead|speed|exceed|seed|"
    r"tired|ashamed|worried|scared|bored|stressed|used|exhausted|embarrassed)\b)[a-z]{3,}ed"
)
_PAST = re.compile(rf"\b(?:{_WERE})\b", re.IGNORECASE)
_WHO = (
    r"(?:i|we|you|he|she|they|it|there|that|nobody|everybody|my \w+(?: (?-i:[A-Z])\w+)?"
    rf"|(?-i:[A-Z][a-z]{{2,}})(?= (?:{_WERE})\b))"
)
_FIRST_VERB = re.compile(
    rf"\b{_WHO}(?: (?:just|only|always|never|still|really|also|even|then|once))* "
    r"(?!(?:i|we|you|he|she|they|it|a|the|my)\b)(?P<verb>could not|\w+(?:'t)?)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:i|we|he|she|they|it|there|you|that)(?:'m|'re|'s| am| is| are| keep| have to| don't| can't| do| does| feel| "
    r"know| think| lie| get| go| send| say| take| look| wake| hear|'ve got| have got|'ve been| have been|'ve had| have "
    r"had| have (?!\w+(?:ed|en|ne)\b)|'ve (?:a|an|no|the|never been)\b)\b(?! (?:gone|been left me|died|left)\b)",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"(?<!if )(?<!whether )\bi(?:'d| would|'ve)?(?: just| only| really| still| do| always)* "
    r"(?:want|wish|hope|need|long)\b|"
    r"(?<!if )(?<!whether )\bi(?:'d| would| should)(?: just| only| really)* "
    r"(?:like|love|rather|prefer|give anything)\b|"
    r"\bi (?:wish|hope)\b",
    re.IGNORECASE,
)


def stake_of(clause: str) -> str:
    """Return what ``clause`` is about that may matter to the speaker, or an empty string.

    Parameters
    ----------
    clause : the speaker's own words, first person.

    Examples
    --------
    >>> stake_of("I couldn't cross"), stake_of("she's gone quiet on me"), stake_of("I'd like to sleep through")
    ('limit', 'loss', 'want')
    >>> stake_of("she gave me a flyer"), stake_of("I'd only gone in about my thyroid")
    ('', '')
    """
    if voiced(clause):
        return "feeling"
    if _ADMIN.search(clause):
        return ""
    if _NAMES_IT.match(clause):
        return ""
    found = next((name for name in STAKES if _PATTERNS[name].search(clause)), "")
    return "bond" if found == "body" and _OF_OTHERS.match(clause) else found


_NAMES_IT = re.compile(
    r"^it(?:'s| is)(?: just| only| mostly)?(?: about| for| with| to do with)? (?:the|my|our) \w+$", re.IGNORECASE
)
"""Says what it is about and no more: "it's about my stomach"."""
_OF_OTHERS = re.compile(
    r"^(?:he|she|they|dad|mum|mom|mama|(?:my|our) (?!(?:head|heart|hands?|body|back|chest|stomach|throat|sleep|"
    r"legs?|arms?|"
    r"eyes|face|knees|jaw|neck|skin|belly|mouth|mind|voice|shoulders?|feet|hips?|breath\w*|fingers?)\b)[a-z]+|"
    r"(?!(?:It|There|That|This|Sleep|I)\b)(?-i:[A-Z][a-z]+))(?:'s|'d|'ve)? (?!(?:hurts?|aches?)\b)\w+",
    re.IGNORECASE,
)
"""What somebody else's body did is told for what was between them."""


_BURDEN = re.compile(
    r"n't\b|\b(?:not|no|nobody|nothing|never|cannot|without|alone|hurts?|pain|aches?|sick|cry|cried|crying|awake|"
    r"lost|died|dead|"
    r"gone|quiet|worse|bad|hard|heavy|stuck|tired|afraid|scared|ashamed|hide|hiding|lied|dread|panic\w*|worr(?:y|"
    r"ied)|shak(?:e|ing)|"
    r"shook|fell|faint\w*|stop(?:s|ped)|blank|flat|numb|useless|miss|missed|used to|any ?more|used up|"
    r"(?<!where i )(?<!what i )(?<!who i )(?<!how i )(?:have to|had to))\b",
    re.IGNORECASE,
)


def burdens(clause: str) -> bool:
    """Whether ``clause`` says something hard, so that "that sounds hard" is no guess.

    Examples
    --------
    >>> burdens("I just cry at everything"), burdens("I slept every night of it")
    (True, False)
    """
    return _BURDEN.search(clause) is not None


def is_administrative(clause: str) -> bool:
    """Whether ``clause`` is about how somebody came to be here, and seldom about what they came for.

    Examples
    --------
    >>> is_administrative("she gave me a flyer"), is_administrative("my voice stops")
    (True, False)
    """
    return _ADMIN.search(clause) is not None


@lru_cache(maxsize=1024)
def tense_of(clause: str) -> str:
    """Return ``"past"``, ``"wished"`` or ``"now"``: when what a clause tells of is.

    Examples
    --------
    >>> tense_of("I couldn't cross"), tense_of("I'd like to sleep"), tense_of("I lie there")
    ('past', 'wished', 'now')
    """
    if _WISHED.search(clause):
        return "wished"
    verbs = [m for m in _FIRST_VERB.finditer(clause) if m["verb"].lower() not in _HELPERS]
    now = _NOW.search(clause)
    if verbs and (now is None or verbs[0].start() < now.start()):
        return "past" if _PAST.fullmatch(verbs[0]["verb"]) else "now"
    if now is not None:
        return "now"
    return "past" if _PAST.search(clause) else "now"


_HELPERS = frozenset(("m", "re", "s", "ve", "d", "ll", "just", "only", "and", "who", "that"))


def is_arrival(sentence: str) -> bool:
    """Whether a sentence tells who sent somebody here, or said that they should come: nothing in it is what weighs.

    Examples
    --------
    >>> is_arrival("Dr Holt sent me, because she can't go on like this."), is_arrival("They sent me diary sheets.")
    (True, False)
    """
    return _ARRIVAL.search(sentence) is not None
