"""What a talk can be brought back to, and what to call it: the thing in the patient's own words, never the talk itself.

Patterns of English word order without a parser: a noun with "my", "the" or "a" before it and a clear end behind it.
What they do not find is asked about as "that", or not at all.
"""

from __future__ import annotations

import re

from turnwise.reading.ears.danger import is_danger
from turnwise.therapists.emotions import voiced
from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.mattering import burdens, tense_of
from turnwise.therapists.putting_off import only_puts_off
from turnwise.therapists.wording import Phrase, capital

__all__ = [
    "answered_with",
    "can_be_told_of",
    "defers",
    "heavy_lately",
    "lately",
    "of_a_life",
    "sums_up",
    "told_lately",
    "topic_in",
    "worth_returning",
]

_LATELY = 3  # patient turns that are the matter at hand
_HEAVY_STAKES = frozenset(("feeling", "limit", "alone", "loss", "hiding", "body", "effort", "self"))
_OF_THE_TALK = re.compile(
    r"\b(?:you|your|yours|listen(?:s|ing|ed)?|talk(?:s|ing|ed)? (?:to|with|about)|questions?|answers?|answering|"
    r"session|this hour|the (?:whole )?hour|the form|appointment|app|program|machine|taking up|a place|coming here|"
    r"go into|skip|do that one|that one|(?:my|your|the) (?:words?|mouth|ease)|such matters|"
    r"words? for|explain|formulate\w*|mind)\b",
    re.IGNORECASE,
)
"""Remarks on the talk, the listener or the place are no matter to come back to."""
_POINTS_NOWHERE = re.compile(
    r"\b(?:see|hear|tell|say|know|think|read|place|guess|picture|explain) (?:who|what|whether|if|which|how|where)\b|"
    r"\b(?:in|on|of|with|about|for|at|to|from|find|found|do|did|put|fix|had|have|need|want|mind|said|cause|told|tell|see|"
    r"saw|let|tried|"
    r"know|knew) (?:it|that|this|them|those|these|him|her|there)\b|\b(?:it|that|this|them|those|these|him|her|there|so|"
    r"in|on|up|out|one)$",
    re.IGNORECASE,
)
"""Told again turns later, its "it" or "him" would stand for nothing."""


def worth_returning(phrase: Phrase) -> bool:
    """Whether ``phrase`` may be come back to later: something felt, lost or hard to bear that stands by itself.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> told = ("I can't breathe at night.", "I'm the madrina of the toast.", "I feel somebody is listening.")
    >>> [worth_returning(heard_in(s).phrases[0]) for s in told]
    [True, False, False]
    """
    if not phrase.back or phrase.judges or phrase.stake not in _HEAVY_STAKES or not _OF_ME.match(phrase.said):
        return False
    if phrase.stake == "effort" and tense_of(phrase.said) == "past":  # a thing done once is over
        return False
    if _OF_THE_TALK.search(phrase.said) or _POINTS_NOWHERE.search(phrase.said):
        return False
    return burdens(phrase.said) or bool(voiced(phrase.said))


_OF_ME = re.compile(r"^(?:i|we|my|our|nobody|no one|people)\b", re.IGNORECASE)


def sums_up(phrase: Phrase) -> bool:
    """Whether ``phrase`` may stand in a summary: understood by itself, and no remark on the talk.

    Examples
    --------
    >>> [sums_up(Phrase(s, "you " + s[2:], 1.0)) for s in ("I can't breathe", "I don't mind your questions")]
    [True, False]
    """
    apart = _OF_THE_TALK.search(phrase.said) or _POINTS_NOWHERE.search(phrase.said)
    return bool(phrase.back) and not phrase.judges and not apart


def lately(ledger: Ledger, turns: int = _LATELY) -> list[str]:
    """Return the last patient turns, in words only, latest last: what is still the matter at hand.

    Examples
    --------
    >>> lately(Ledger(corpus=" one | two | three | four |"))
    ['two', 'three', 'four']
    """
    return [turn for x in ledger.corpus.split("|") if (turn := x.strip())][-turns:]


def told_lately(told: str, ledger: Ledger, turns: int = _LATELY) -> bool:
    """Whether ``told`` was said within the last turns.

    Examples
    --------
    >>> told_lately("I fell.", Ledger(corpus=" i fell | yes |")), told_lately("I fell.", Ledger(corpus=" yes |"))
    (True, False)
    """
    return any(normal(told) in turn for turn in lately(ledger, turns))


_WEIGHTY_WORDS = re.compile(
    r"\b(?:died?|dies|dying|death|dead|funeral|hospital|debts?|owe[sd]?|owing|court|loan|kill\w*|suicid\w*|pills?|cancer|"
    r"stroke|heart|fired|redundan\w+|divorce\w*|hit me|cry|cries|cried|crying|ashamed|afraid|scared|alone|nobody|blood|"
    r"police|letter from|threw up|throw up|thrown up|sick|panic\w*)\b"
)


def heavy_lately(ledger: Ledger) -> bool:
    """Whether something heavy was said in the last turns, so that small talk would slight it.

    Examples
    --------
    >>> heavy_lately(Ledger(corpus=" i owe them four thousand | i don't know |")), heavy_lately(Ledger())
    (True, False)
    """
    heavy = any(worth_returning(p) and told_lately(p.said, ledger) for p in ledger.kept)
    return heavy or any(_WEIGHTY_WORDS.search(x) or voiced(x) or is_danger(x) for x in lately(ledger))


_NO_TOPIC = (
    r"(?:same|first|last|next|other|others|one|ones|way|time|times|moment|thing|things|day|days|week|weeks|lot|bit|bits|"
    r"kind|sort|sorts|whole|rest|end|point|questions?|talk|best|worst|only|more|most|hour|hours|subject|sake|end|top|"
    r"middle|side|back|front|few|little|while|minute|second|year|years|month|months|morning|evening|night|afternoon|"
    r"weekend|matter|fact|idea|case|like|answers?|words?|form|list|app|voice|mind|number|past|present|present|part|"
    r"usual|fault|truth|impression|person|people|man|woman|lady|eyes|house|\w+(?:th|first|second)|second|bus|train|car|weather|twenty\S*|thirty\S*|name|edge|place|door|self|own|life|opinion|view|\w+ly|\w+ed)"
)
_TOPIC = re.compile(
    rf"\b(?P<d>[Mm]y|[Oo]ur|[Tt]he|[Aa]n?) (?P<n>(?!(?:{_NO_TOPIC})\b)[a-z][\w-]+(?: (?!(?:{_NO_TOPIC})\b)[a-z][\w-]"
    rf"{{2,}})??)"
    r"(?=[.,;?!]|$| (?:is|was|are|were|isn't|wasn't|has|had|that|who|and|or|but|in|on|at|with|from|when|because|says|"
    r"said|goes|went|keeps|came|comes|does|did|will|would|can|can't|sent|still|just|never|always|want|wants|need|needs|"
    r"don't|doesn't|won't|every)\b)",
)
_NO_NOUN = re.compile(
    r"\b(?:i|he|she|they|it|we|you|me|him|us|is|was|are|were|has|had|have|do|does|did|get|got|go|went|that|who|and|or|but|"
    r"in|on|at|to|of|with|from|for|by|when|as|than|so|not|said|says|told|sent|kept|goes|can|could|will|would|up|out|down|"
    r"off|over|through|after|before|want|wants|need|needs|hurts?|feels?|looks?|still|just|never|always|gone|left|lost)$|(?:'s|n't)\b|^(?:little|big|bit)\b",
    re.IGNORECASE,
)


def topic_in(text: str) -> str:
    """Return a thing that ``text`` speaks of, as a listener would name it, or an empty string; "my" comes first.

    Examples
    --------
    >>> topic_in("My hands still want something, and the sink is clean."), topic_in("I like answering the reviews.")
    ('your hands', 'the reviews')
    >>> topic_in("The paper's under the bread box."), topic_in("I do not know."), topic_in("It was a hospital.")
    ('the bread box', '', 'the hospital')
    """
    if len(text.split()) > _SHORT:
        return ""
    found: list[tuple[bool, str]] = []
    for hit in _TOPIC.finditer(text.replace("’", "'")):
        noun = hit["n"]
        if (
            re.search(r" \w+[^s]s$", noun)
            or _NO_NOUN.search(noun)
            or any(_NO_NOUN.search(word) for word in noun.split())
        ):
            continue
        own = hit["d"].lower() in ("my", "our")
        found.append((own, f"{'your' if own else 'the'} {noun}"))
    return max(reversed(found), key=lambda x: x[0])[1] if found else ""


_OF_A_LIFE = re.compile(
    r"^(?:your|the) (?:(?:old|new|first|own|little|big|elder|eldest|younger|youngest|last) )?(?:work|job|jobs|"
    r"trade|business|"
    r"company|firm|career|school|college|studies|degree|course|thesis|training|apprenticeship|marriage|divorce|family|wedding|"
    r"baby|babies|child|children|kids?|sons?|daughters?|wife|husband|partner|girlfriend|boyfriend|mother|father|mum|mom|mam|dad|"
    r"parents|brothers?|sisters?|nephews?|nieces?|cousins?|aunt\w*|uncles?|grand\w+|nan|gran|friends?|neighbou?rs?|boss|manager|"
    r"supervisor|colleagues?|team|landlord|teacher|health|sleep|illness|operation|diagnosis|pregnancy|stroke|accident|church|choir|"
    r"band|club|music|faith|garden|allotment|farm|shop|dogs?|cats?|debts?|rent|money|drinking|gambling|move|exams?)$",
    re.IGNORECASE,
)


def of_a_life(topic: str) -> bool:
    """Whether a thing that was named is one of those that lives are made of, so that more of it may be asked for.

    Of a drawer or a trolley nobody has anything to tell; they stood in what was told.

    Examples
    --------
    >>> of_a_life("your old job"), of_a_life("the baby"), of_a_life("the trolley"), of_a_life("")
    (True, True, False, False)
    """
    return _OF_A_LIFE.match(topic) is not None


_SHORT = 14  # words: in more than these a noun is mostly one detail of a story
_NOT_YET = re.compile(
    r"^(?:(?:well|oh|no|yes|um|sorry)[,.]? )*i (?:haven't|have not) (?:formulated|got to|come to) (?:that|it)"
    r"(?: yet)?\W*$",
    re.IGNORECASE,
)


def defers(text: str) -> bool:
    """Whether ``text`` only puts something off, so that there is nothing in it to be given back.

    Examples
    --------
    >>> defers("We can come to that later."), defers("That one later, please."), defers("I came home later.")
    (True, True, False)
    """
    plain = text.strip().replace("’", "'")
    return only_puts_off(plain) == "later" or _NOT_YET.match(plain) is not None


_A_FEW_WORDS = 6
_SAYS_NOTHING = re.compile(
    r"\b(?:yes|yeah|yep|aye|no|nope|not|n't|fine|okay|ok|right|sure|maybe|perhaps|suppose|guess|thanks?|thank|mm|"
    r"uh-huh|whatever|later|nothing|true|exactly|good|great|grand|bits|partly|sorry|pass|same|usual|\w*n't|you|it|that|this|what|"
    r"see|hear|think|know|dunno|manage|hang on|hold on|wait|mind|one|"
    r"why|how|who|when|first|second|sometimes|always|often|never|everything|all|go on|please|well|first thing)\b",
    re.IGNORECASE,
)


def answered_with(text: str) -> str:
    """Return the few words that name something in answer to a question, as they can be said back, or ``""``.

    Examples
    --------
    >>> answered_with("Cards."), answered_with("We play euchre on lunch."), answered_with("I see.")
    ('Cards', 'We play euchre on lunch', '')
    """
    said = text.strip().rstrip(".!…")
    if (
        re.fullmatch(r"[\w' -]+", said) is None
        or not 1 <= len(said.split()) <= _A_FEW_WORDS
        or _SAYS_NOTHING.search(said)
        or defers(text)
        or only_puts_off(text)
    ):
        return ""
    return capital(said)


def can_be_told_of(said: str) -> bool:
    """Whether more can be asked of a few words that were said: no feeling, number, bidding or thing pointed at.

    Examples
    --------
    >>> [can_be_told_of(x) for x in ("Cards", "We play bowls", "Angry", "Ten pages", "Try me", "There was a cart")]
    [True, True, False, False, False, False]
    """
    return not (voiced(said) or _A_NUMBER.match(said) or _A_BIDDING.match(said) or _AT_SOMETHING.search(said))


_A_NUMBER = re.compile(
    r"^(?:about |around |only |just )?(?:\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve|twenty|thirty|"
    r"forty|fifty|sixty|a hundred|half)\b",
    re.IGNORECASE,
)
_AT_SOMETHING = re.compile(r"\b(?:them|him|her|those|these|there)\b", re.IGNORECASE)
_A_BIDDING = re.compile(
    r"^(?:there|they|the \w+ (?:was|were|is|are)|ask|tell|go|try|let|put|give|take|leave|do|say|write|fire|"
    r"carry|start|keep|come|have|be)\b",
    re.I,
)
