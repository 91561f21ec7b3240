"""What kind of answer a question wants, by its question word, and which words are an answer of that kind.

The question word decides before the nearest story: whoever is asked *when* has not answered with a story that holds
no time. Both sides are read from surface wording. It is no understanding of the question: "When is it worst?" may be
answered by a time or by an occasion, and a person may be named in a story that is about somebody else.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from turnwise.patients.index import CaseIndex
from turnwise.patients.schema import Fact
from turnwise.reading.ears.intents import INTENTS

__all__ = [
    "KINDS",
    "Kind",
    "asked_by_kind",
    "fact_fits",
    "facts_of",
    "holding",
    "holds",
    "leaning",
    "of_common_knowledge",
    "people_of",
    "wanted",
]

Kind: TypeAlias = Literal["since_when", "when", "how_long", "how_often", "how_many", "who", "where", "why"]
KINDS: tuple[Kind, ...] = ("since_when", "when", "how_long", "how_often", "how_many", "who", "where", "why")

_ASKS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("how_long", re.compile(r"(?:for |since )?how long\b|(?:for |since )how many (?:hours|days|weeks|months|years)\b")),
    ("how_often", re.compile(r"how (?:often|frequent\w*|regular\w*|many times)\b")),
    (
        "how_many",
        re.compile(r"how (?:many|much (?!do you believe|does|did|is|has|have|has\b)|old|far|big|tall)\b|what age\b"),
    ),
    (
        "since_when",
        re.compile(
            r"(?:since )when (?:did|was|were|have|had|has)\b|when (?:did|was|were|had)\b|what (?:date|year|month)\b|"
            r"how (?:recently|long ago)\b"
        ),
    ),
    (
        "when",
        re.compile(r"(?:since )?when\b(?!'s the hardest)|(?:at |on |in )?what (?:time|day|date|year|month)\b"),
    ),
    ("who", re.compile(r"(?:with |to |from |for |about )?(?:whom?|who else)\b(?! are you\b)")),
    ("where", re.compile(r"(?:from |to )?(?:where(?: exactly| abouts|abouts)?|which room|what (?:place|town))\b")),
    (
        "why",
        re.compile(
            r"why\b|how come\b|for what reason\b|what(?:'s| is| was) the reason\b|"
            r"what (?:made|makes) (?:you|him|her|them)\b"
        ),
    ),
)
_ANY = re.compile("|".join(f"(?P<{kind}>{pattern.pattern})" for kind, pattern in _ASKS))
_ODD = re.compile(
    r"(?:where (?:does|did|do|would) (?:that|this|it|they|we) (?:leave|lead|take|put|go|start|begin|come)|"
    r"where (?:do|would|shall|should|could|might) (?:you|we|i|it) (?:see|start|begin|go|want|like)|"
    r"when you|when (?:that|it|he|she|they)\b(?! last)|when (?:things|people|somebody|someone|your|the) |"
    r"who are you\b|whose idea|where (?:are|is) you(?:r head)?|why don't (?:you|we))\b"
)
"""What begins like a question word and asks something else ("Where does that leave you?")."""
_PARTS = re.compile(r"[,;:–]\s")
_LEADS = re.compile(
    r"(?:(?:and|so|but|then|well|okay|or|roughly|about|exactly|yes|no|right|oh|ah|now|just|again|sorry|tell me|"
    r"more or less|say|do you (?:know|remember|recall)|can you (?:say|tell me|remember))\b[\s,]*)+"
)


@lru_cache(maxsize=4096)
def wanted(question: str) -> Kind | None:
    """Return what kind of answer a question wants by its question word; ``None`` where any story may be one.

    Examples
    --------
    >>> wanted("And roughly how long did you sit there?"), wanted("Who came in the end?")
    ('how_long', 'who')
    >>> wanted("Where does that leave you?"), wanted("What was that like?")
    (None, None)
    """
    text = " ".join(question.lower().replace("’", "'").split())
    for part in (text, *(_PARTS.split(text)[1:] if _PARTS.search(text) else ())):
        leads = _LEADS.match(part)
        bare = part[leads.end() :] if leads else part
        found = None if _ODD.match(bare) else _ANY.match(bare)
        if found is not None:
            return cast(Kind, found.lastgroup)
    return None


_IN_THE_MIND = re.compile(
    r"\b(?:(?:do|did|does|would|might|could|may|can|if|are|is) (?:you|he|she|they|it|that|this|people|\w+ \w+) "
    r"(?:really |actually |still |ever |just )*(?:think|thinking|feel|feeling|want|mean|hope|hoping|believe|expect|"
    r"imagine|wish|fear|suppose|guess|say about|tell you about|make of|need|make you|see it|see that|see yourself)|"
    r"(?:you|he|she|they|that|it) (?:thought|felt|feel|wanted?|meant|means?|feared|hoped)|"
    r"mean(?:s|t|ing)? (?:to|for|about)|through your (?:mind|head)|to mind|afraid|worr(?:y|ies|ied|ying)|worst|hardest|"
    r"hard|better|matters? most|important|likely|"
    r"(?<!day )(?<!week )(?<!shift )(?<!morning )(?<!evening )like (?:for you|to)|(?:is|was) (?:it|that|this) like|"
    r"feel(?:ing|s)? (?:like|in)|what if|why|how come|reasons?|sense|ideas?|views?|chang\w*|different\w*|describe|"
    r"scale|percent|true|truth|proof|evidence|(?:i|we) (?:can|could|might|should|do)|today|between us|"
    r"next (?:time|step))\b"
)
"""What asks for a thought, a feeling, a view, a reason or for what is not yet: who does not know that says so."""
_TO_COME = re.compile(r"(?:[\w'-]+ ){0,3}?(?:would|could|might|should|will|shall|going to|[\w]+'ll|[\w]+'d)\b")
_MUSING = re.compile(
    r"\bi(?:'m| am)? wonder(?:ing)?\b|"
    r"^(?:(?:and|so|but)\s)?(?:do|can|could|would) you (?:know|remember|recall|tell me|say)\b"
)
_FIRST_WORDS = re.compile(r"^(?:(?:and|so|but|then|well|okay|right|now|yes|no|oh|ah|or)\b[\s,]*)+")


@lru_cache(maxsize=4096)
def of_common_knowledge(question: str) -> bool:
    """Return whether anybody knows of themselves what is asked: who is at home, how often, what was said.

    "I don't know" is no answer to that. Read from surface wording: of thoughts, feelings, reasons and what is to come
    people often do not know. Whether it is about the person at all is not looked at.

    Examples
    --------
    >>> of_common_knowledge("Is there somebody at home with you?"), of_common_knowledge("How often do you go there?")
    (True, True)
    >>> of_common_knowledge("What do you think it means?"), of_common_knowledge("How would you know?")
    (False, False)
    """
    text = _FIRST_WORDS.sub("", _MUSING.sub(" ", " ".join(question.lower().replace("’", "'").split())).strip())
    return not _IN_THE_MIND.search(text) and not _TO_COME.match(text)


_NUMBER = (
    r"\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|hundred\w*|thousand\w*|half|dozen|couple|once|twice|both|none|zero|nought|nil"
)
_COUNT = _NUMBER.replace("one|", "", 1) + "|one(?! (?:time|day|of|thing|that))"
_UNIT = r"seconds?|minutes?|hours?|days?|nights?|weeks?|fortnight|weekends?|months?|terms?|semesters?|years?"
_CALENDAR = (
    r"january|february|march|april|may(?= |,|\.)|june|july|august|september|october|november|december|spring|summer|"
    r"autumn|winter|easter|christmas|thanksgiving|birthday|semester|\w*monday|\w*tuesday|\w*wednesday|\w*thursday|"
    r"\w*friday|\w*saturday|\w*sunday|tonight|yesterday|today|tomorrow|morning|mornings|afternoon|evening|evenings|"
    r"night|nights|midnight|noon|lunchtime|weekend"
)
_AGO = r"ago|since|lately|recently|last (?:week|year|month|time|night|\w+day)|always|this (?:year|week|morning)"
_OCCASION = r"when|whenever|if|after|before|while|until|till|once|during|by the time|as soon as|the (?:day|week|year)"
_PERSON = re.compile(
    r"\b(?:nobody|no one|no-one|somebody|someone|everybody|everyone|just me|only me|myself|"
    r"my (?:own )?(?:wife|husband|mother|mum|mam|mom|mama|father|dad|daddy|sister|brother|son|daughter|boss|manager|"
    r"doctor|gp|friend|mate|neighbour|neighbor|partner|ex|girl|boy|kids?|children|family|parents|uncle|aunt|cousin|"
    r"nan|gran|granny|grandmother|supervisor|colleague|landlord|landlady|lawyer|roommate|flatmate|housemate)|"
    r"(?:the|a|an|some|one|our|this|that|her|his|two|three)(?: \w+){0,2} (?:man|woman|men|women|lad|lads|fella|bloke|"
    r"girl|girls|boy|boys|lady|nurse|doctor|priest|guy|kid|kids|resident|manager|boss|teacher|driver|judge|police|"
    r"officer|neighbours?|neighbors?|family|friends?|students?|interpreter|clerk|receptionist|mate|mates|owner|"
    r"daughter|son|wife|husband|mother|father|sister|brother|granddaughter|grandson|lawyer|agency|team|folk|ones?))\b"
)
_PLACE = re.compile(
    r"\b(?:(?:in|at|on|by|behind|under|outside|inside|beside|near|over|up|down|round|around|across|to|from|into|off|"
    r"along|past|between|above|below|through|next to|back|out)(?: \w+)? (?:the|my|a|an|our|his|her|their|this|that|"
    r"there|here|home|work|school|bed|town|church|court|college|number|one)\b|home|upstairs|downstairs|everywhere|"
    r"nowhere|anywhere|outside|indoors|next door|abroad|all over|there|here)"
)
_NAMED_PLACE = re.compile(
    r"\b(?:in|at|from|near|to|outside|round|down|over) (?!January|February|March|April|May|June|July|"
    r"August|September|October|November|December|I\b)(?:the )?[A-Z][\w-]+|^[A-Z][\w-]+(?: [A-Z][\w-]+)?[.,]"
)
_REASON = re.compile(
    r"\b(?:because|'cause|cause|so (?:that|i|he|she|they|we|it|you|nobody|as)|in case|since|that's why|the reason|"
    r"otherwise|else|in order|if (?:i|you|he|she|they|it|we)|means?|wanted|afraid|scared|ashamed|(?:^|[.,] )to \w+)\b|"
    r"^(?:for|to|out of) "
)
_HOLDS: dict[Kind, re.Pattern[str]] = {
    "since_when": re.compile(
        rf"\b(?:(?:{_NUMBER}|few|some) (?:{_UNIT})|{_CALENDAR}|{_AGO}|o'clock|half past|the year|"
        rf"(?:at|by|around|about|from|in|was|were) (?:{_NUMBER})|(?:when|after|before) |age[sd]?)\b|\b\d"
    ),
    "when": re.compile(
        rf"\b(?:(?:{_NUMBER}|few|some) (?:{_UNIT})|{_CALENDAR}|{_AGO}|{_OCCASION}|o'clock|half past|"
        rf"(?:at|by|around|about|from|in) (?:{_NUMBER})|age[sd]?|{_UNIT}|(?:nine|eight|seven|five|six)\b)|\b\d"
    ),
    "how_long": re.compile(
        rf"\b(?:{_UNIT}|since|ages|forever|always|a while|long|till|until|all (?:day|night|my)|whole|{_CALENDAR})\b|\d"
    ),
    "how_often": re.compile(
        r"\b(?:every|each|once|twice|times|never|most|daily|weekly|nightly|often|seldom|rarely|all the time|"
        rf"now and then|whenever|sometimes|days|nights|{_UNIT}|mondays?|\w+days)\b"
    ),
    "how_many": re.compile(
        rf"\b(?:{_COUNT}|few|none|nothing|lots?|enough|(?:too|not|as) (?:much|many)|several|everything|all of)\b|\d"
    ),
}
_SO_OFTEN = re.compile(rf"\b(?:once|twice|times) (?:an?|per|every|each) (?:{_UNIT})\b")
"""No length of time: ten times a day."""
_TAGS: dict[Kind, tuple[str, ...]] = {
    "since_when": ("when_started", "last_time"),
    "when": ("when_started", "last_time"),
    "how_long": ("how_long",),
    "how_often": ("how_often",),
    "how_many": ("scale",),
    "who": ("who", "support"),
    "where": (),
    "why": ("why", "evidence_for", "what_stops_you", "fear"),
}


def holds(kind: Kind, text: str) -> bool:
    """Whether words hold an answer of a kind: a time, a length of time, a quantity, a person, a place, a reason.

    Examples
    --------
    >>> holds("when", "Between the fingers."), holds("when", "Since the week the clocks went back.")
    (False, True)
    >>> holds("where", "With the engine on."), holds("where", "In the back, by the bins.")
    (False, True)
    >>> holds("how_long", "Four times an hour."), holds("how_long", "Four hours, about.")
    (False, True)
    """
    low = text.lower().replace("’", "'")
    if kind == "how_long":
        low = _SO_OFTEN.sub(" ", low)
    if kind == "who":
        return bool(_PERSON.search(low))
    if kind == "where":
        return bool(_PLACE.search(low) or _NAMED_PLACE.search(text))
    return bool((_REASON if kind == "why" else _HOLDS[kind]).search(low))


@cache
def holding(index: CaseIndex) -> dict[Kind, npt.NDArray[np.bool_]]:
    """Return for each kind which tellings (N,) hold an answer of it in their first beats, or are labelled with it."""
    found: dict[Kind, npt.NDArray[np.bool_]] = {}
    for kind in KINDS:
        tags = [INTENTS.index(tag) for tag in _TAGS[kind]]
        has: npt.NDArray[np.bool_] = np.asarray(index.intents[:, tags].any(axis=1))
        for i, name in enumerate(index.order):
            t = index.tellings[name]
            text = " ".join(t.beats[:_BEATS])
            has[i] = has[i] or holds(kind, text) or (kind == "who" and bool(index.people_in(text)))
            has[i] = has[i] or sum(wanted(a) == kind for a in t.asks) >= _ASKED_SO
        found[kind] = has
    return found


_CLAUSE = re.compile(r"(?:Because|That (?!was\b|is\b|one\b|day\b|night\b|would\b|could\b|\w+'?s? (?:is|was)\b)[\w']+ )")


@cache
def leaning(index: CaseIndex) -> npt.NDArray[np.bool_]:
    """Return which tellings (N,) begin with a clause that only some questions can be answered by."""
    return np.array([bool(_CLAUSE.match(index.tellings[name].beats[0])) for name in index.order], dtype=np.bool_)


_BEATS = 2  # first beats of a telling in which the answer has to be
_ASKED_SO = 2  # known questions of a kind from which a telling is taken to answer that kind


@cache
def _asked_of_facts(index: CaseIndex) -> dict[str, frozenset[Kind | None]]:
    return {f.key: frozenset(wanted(a) for a in f.ask) for f in index.facts}


@cache
def facts_of(index: CaseIndex) -> dict[str, Fact]:
    """Return the small facts of a case by their keys."""
    return {f.key: f for f in index.facts}


def asked_by_kind(index: CaseIndex, key: str) -> bool:
    """Whether every known question of a small fact wants an answer of some kind, a time or a person, say."""
    kinds = _asked_of_facts(index).get(key, frozenset())
    return bool(kinds) and None not in kinds


@cache
def _people_of_facts(index: CaseIndex) -> dict[str, frozenset[str]]:
    return {f.key: frozenset(index.people_in(" ".join((*f.ask, f.say)))) for f in index.facts}


def people_of(index: CaseIndex, key: str) -> frozenset[str]:
    """Return whom a small fact is about: everybody named in it, or in what is known to ask for it."""
    return _people_of_facts(index).get(key, frozenset())


def fact_fits(index: CaseIndex, key: str, say: str, kind: Kind) -> bool:
    """Whether a small fact is an answer of a kind: a known question of it has that question word, or it holds one."""
    kinds = _asked_of_facts(index).get(key, frozenset())
    if kind in kinds:
        return True
    if kinds - {None}:
        return False
    return holds(kind, say) or (kind == "who" and bool(index.people_in(say)))
