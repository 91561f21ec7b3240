"""The thought to work on: a rule, a verdict or a sweeping judgement in the patient's own words, or nothing.

Working on a sentence that is no thought ("I told him about it") is worse than having none, so each candidate is
scored by the form of the sentence, and what falls short is left.
"""

from __future__ import annotations

import re

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.spoken import is_non_answer, is_preface
from turnwise.therapists.wording import MAX_THOUGHT

__all__ = ["CLEAR", "claim_in", "likeness", "thought_in"]

CLEAR = 3.0
"""Likeness from which a sentence counts as a thought whatever was asked."""
_ASKED = 2.0  # enough in answer to what went through the mind, or where the turn as a whole sounds distorted

_VERDICT = re.compile(
    r"^i(?:'m| am| was|'ve (?:always )?been|'ll (?:always|never) be)\b(?: just| only| kind of| basically| always| "
    r"never| nothing but| really)*"
    r" (?:a |an |the |one |not (?:good|enough|able|worth|clever|strong|cut|real|fit|normal|like|a|the|any)\b ?|no |"
    r"too |nothing|nobody|useless|worthless|stupid|weak|broken|lazy|to blame|in the way|"
    r"no(?:t)? good)(?! (?:bit|little|lot|here|sure|certain|saying|going|being|having|used|in|at|on|one of (?:those|"
    r"them))\b)",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"^(?:i|you|one|a \w+|people|everybody|nobody) (?:just |always |really )?(?:must(?:n't)?|should(?:n't)?|ought "
    r"to|have(?: got)? to be|"
    r"has to be|'d better|had better|can't afford|mustn't)\b(?! (?:say|tell|mention|add|disclose|ask|admit|think|"
    r"like|be "
    r"(?:honest|fair|straight)|have been|thank|go|get|ring|call)\b)|^i(?:'d| had) better not\b|^(?:if|when) you want\b",
    re.IGNORECASE,
)
_IF_THEN = re.compile(
    r"^(?:if|unless|once|when) (?:i|you|they|people|he|she|somebody|anybody|it)\b.{3,60}?[, ]+(?:then )?(?:it|they|"
    r"he|she|everything|"
    r"nothing|nobody|everybody|i|that|the \w+)(?:'s|'ll|'m|'d)?\b.*\b(?:don't|doesn't|won't|nothing|everything|"
    r"never|always|will|would|'ll|nobody|useless|dead|"
    r"'d|falls?|fails?|stops?|over|finished|mean|means|done|no|not|know|see|leave|think)\b",
    re.IGNORECASE,
)
_SWEEPING = re.compile(
    r"^(?:nobody|no one|everybody|everyone|nothing|all (?:of them|the others)|they all|"
    r"every (?:other )?(?!(?:day|night|time|morning|evening|week|month|year|hour|minute|\w+day)\b)\w+|other "
    r"people|people|anybody|"
    r"anyone|nothing)(?: else)?\b.*\b(?:me|my|i|else|without|than|real|better|know|knows|see|sees|wants?|likes?|"
    r"cares?|just|given|gets?|"
    r"can|is|does|has)\b",
    re.IGNORECASE,
)
_EQUATES = re.compile(
    r"^(?:a|an|the|it|that|this|my)\b.*(?:\b(?:is|are|was)\b|'s\b).*\b(?:or (?:it(?:'s| is) )?(?:not|wrong|nothing)|"
    r"that's all|all there is|"
    r"my (?:own )?fault|on my side|nothing (?:but|more)|always|never|only|the end of|means i|one way)\b|"
    r"^the one (?:who|that)\b.*\bis\b|\b(?:which|that|this) means (?:i|that i|he|she|they)\b",
    re.IGNORECASE,
)
_CANNOT = re.compile(
    r"^i (?:can't|cannot|can never|could never|'ll never|never) (?:do (?:it|this|that|anything)|cope|be|let|trust|"
    r"rely|get (?:it|this|any\w*)|"
    r"finish|manage|keep|have|go back|say no|show)\b|^i came out wrong|^i (?:always|never) (?:get|do|am|ruin|fail|"
    r"mess|let|spoil|end up)\b|"
    r"^there(?:'s| is) (?:nothing (?:left|good|to be done|about me|of me|in me)|something wrong with me|no (?:point|"
    r"use|way))\b|^it(?:'s| is| was)(?: all)? my (?:own "
    r")?fault\b",
    re.IGNORECASE,
)
_MIND_READ = re.compile(
    r"^(?:he|she|they|people|everybody|everyone|nobody|no one|my \w+|the others?)(?:'d|'ll|'re|'s| would| will| must| "
    r"can| are| is| may| might| all)*(?: just| only| all)? (?:be )?(?:ashamed of|disappointed in|better off|fed up|"
    r"sick of|laugh(?:ing)? at|tired of|tell(?:ing)? i'm|hears? i'm|sees? i'm|knows? i'm|thinks? (?:i'm|i am|less of)|"
    r"find out|found me out|propping)\b",
    re.IGNORECASE,
)
"""What others must be thinking, as told by whoever fears it."""
_FORMS = (
    (_MIND_READ, 3.0),
    (_VERDICT, 3.0),
    (_RULE, 3.0),
    (_IF_THEN, 3.0),
    (_CANNOT, 3.0),
    (_EQUATES, 2.0),
    (_SWEEPING, 2.0),
)
_WHAT_I_AM = re.compile(r"^i(?:'m| am| was)\b(?: just| only| kind of| always)* (?:a|an|the|one)\b", re.IGNORECASE)
_DIMINISHED = re.compile(r"\b(?:only|just|always|never|nothing but|basically)\b", re.IGNORECASE)
_ABSOLUTE = re.compile(
    r"\b(?:always|never|nobody|no one|nothing|everything|everyone|everybody|all|every|only|at all)\b", re.I
)
_OF_SELF = re.compile(r"\b(?:i|i'\w+|me|my|mine|myself)\b", re.IGNORECASE)
_THOUGHT = re.compile(
    r"^(?:(?:and|so|but|well|yes|because)[, ]+)*i (?:just |always |keep |kept )?(?:think(?:ing)?|thought|believe|"
    r"figure|reckon|tell myself|told myself)"
    r"(?:,| that)? ",
    re.IGNORECASE,
)
_THOUGHT_WHEN = re.compile(
    r"^(?:at|in|on|when|with|every|then|so|there)\b[^,.?!]{0,40}?,? i (?:just |always |keep |kept )?(?:think(?:ing)?|"
    r"thought)(?:,| that)? ",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^(?:i|i'\w+|he|she|it|they|we|that|this|there|what if|if|nobody|no one|everybody|everyone|people|nothing|all|"
    r"so|now|maybe|tonight|somebody|(?:he|she|it|they|we|that|there)'\w+|(?:the|a|an|my|his|her) \w+(?: \w+)?(?:'s|"
    r" is| are| was| were| will| would| can| must| has)|before|when|\w+'s)\b",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"^(?=(?:\S+ ){3,10}\S+$)(?:that )?(?:i|i'm|i'd|i'll|it's|it'll|they|they'll|they're|he|he'll|she|she'll|nobody|"
    r"what if)\b"
    r".*(?:n't\b|\b(?:not|never|always|nobody|nothing|everybody|will|'ll|'d|would|cannot|have to|must|should|gone|"
    r"wrong|over|going to|too|only|mad|dead|lost|stupid|alone|fail\w*|again)\b)",
    re.IGNORECASE,
)
"""In answer to what went through the mind: a short sentence about oneself, or about what will come."""
_NOT_ONE = re.compile(
    r"\b(?:told|said|asked|went to|came to|bought|drove|talked|wrote|fell asleep|today|yesterday|last (?:week|night|"
    r"month))\b|"
    r"\byou(?:r|'\w+)?\b|[\"“”]|\b(?:ever|never) (?:goes|went|asked|heard|read|seen|met|had)\b|^i(?:'ve| have)? "
    r"never (?:been|seen|had|met|"
    r"thought|told|asked|said)\b|(?-i:'[A-Z])|^the (?:last|first|other)\b|\bpaining me\b|^every time\b|^it (?:could|"
    r"may|might) be\b|^i ought to be\b|\bi(?:'d| would) (?:like|want) to\b|^i want\b|^i (?:should|would) (?:like|"
    r"have to|say|think)\b|"
    r"^i(?:'m| am) not (?:being|lazy|stupid|mad|crazy|weak|asking|sleeping|eating|well|sure|certain|used|in|one of "
    r"(?:those|them))\b|^i(?:'m| am) the only (?:one )?\w+ing\b|\b(?:rather|sooner) not\b|\bnot important\b|"
    r"^it(?:'s| is) not (?:on|about|that|the|for|my)\b|^i don't(?:,? really)?$|^i(?:'d| would) (?:have|"
    r"need) to (?:look|think|sleep)\b|^i(?:'d| would) (?:tell|ask)\b|\bexcuse me\b|\bmight just\b|\bthat one\b|"
    r"\b(?:maybe|perhaps)\b|\bi jump\b|\bnever mind\b|"
    r"\bgo (?:into|past) (?:that|it|there)\b|\bleave (?:that|it) (?:one|there|so)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:and|but|so|because|well|yes|no|then|ach|oh|look|listen|mate|okay|in principle|that|"
    r"i mean|i guess|honestly|basically)[, ]+)+",
    re.IGNORECASE,
)


_FOUND = re.compile(
    r"^(?:then|so then|huh|oh|maybe|perhaps)\b", re.IGNORECASE
)  # what was just found out is no thought to test


def likeness(sentence: str) -> float:
    """Return how much a sentence has the form of a thought one can work on; 0 is not at all, ``CLEAR`` is enough.

    Examples
    --------
    >>> likeness("I'm one more job for people"), likeness("If I'm not there it doesn't run")
    (4.0, 3.0)
    >>> likeness("I told her about the weather"), likeness("I've gone off lilies")
    (0.0, 0.0)
    """
    if _NOT_ONE.search(sentence) or not 3 <= len(sentence.split()) <= MAX_THOUGHT:
        return 0.0
    form = max((worth for pattern, worth in _FORMS if pattern.search(sentence)), default=0.0)
    if _WHAT_I_AM.search(sentence) and not (_JUDGED.search(sentence) or _DIMINISHED.search(sentence)):
        return 0.0  # "I'm the cook at the school" is no verdict
    if form == 0.0:
        return 0.0
    own = 1.0 if _OF_SELF.search(sentence) else 0.0
    swept = 0.5 if _ABSOLUTE.search(sentence) else 0.0
    return form + swept + own - (1.0 if form >= CLEAR and own else 0.0) + (1.0 if _JUDGED.search(sentence) else 0.0)


_JUDGED = re.compile(
    r"\b(?:job|burden|weight|failure|fraud|fake|joke|nuisance|useless|worthless|stupid|to blame|fault|wrong|not "
    r"(?:enough|good|real|a real)|"
    r"waste|problem|coward|mess|no-show|nothing|on paper)\b",
    re.IGNORECASE,
)


def thought_in(turn: Heard, *, asked: bool, distorted: bool) -> tuple[str, float]:
    """Return the sentence of ``turn`` most like a thought to work on, with its likeness; ``("", 0.0)`` where none is.

    Parameters
    ----------
    turn : what was said. asked : it answers what went through the patient's mind.
    distorted : the turn as a whole sounds like an absolute or distorted thought.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> thought_in(heard_in("She rings me. I think I'm a burden to her."), asked=False, distorted=False)[0]
    "I'm a burden to her"
    """
    best, score = "", 0.0
    for sentence in split_sentences(turn.text.replace("’", "'")):
        if sentence.rstrip().endswith("?") or is_non_answer(sentence) or is_preface(sentence) or _FOUND.match(sentence):
            continue
        bare = _LEAD.sub("", sentence.strip().rstrip(".!…"))
        told = _THOUGHT.match(bare) or _THOUGHT_WHEN.match(bare)
        if told is not None and _SUBJECT.match(bare[told.end() :]):
            bare = bare[told.end() :]
        else:
            told = None
        parts = (bare, *(bare.split(", ")[:1] if ", " in bare else ()))
        for part in parts:
            worth = likeness(part) + (1.0 if told is not None and likeness(part) > 0 else 0.0)
            if told is not None and worth == 0.0 and (asked or distorted) and _said_as_thought(part):
                worth = _ASKED  # "I think, now it has happened"
            if asked and worth == 0.0 and _ANSWERS.match(part) and not _NOT_ONE.search(part):
                worth = _ASKED  # whatever goes through somebody's mind, in so many words
            if worth >= score and worth > 0:
                best, score = part, worth
    return (best, score) if score >= (_ASKED if asked or distorted else CLEAR) else ("", 0.0)


def _said_as_thought(part: str) -> bool:
    """Whether what stands after "I thought" is a sentence of its own, and not what was done or wanted."""
    return 3 <= len(part.split()) <= MAX_THOUGHT and not _NOT_ONE.search(part)


_ASKED_FOR = re.compile(
    r"^(?:(?:and|so|well|look|um|go on|please|but)[, ]+)*(?:you\b|just say|say (?:it|that|so)|please confirm|confirm|"
    r"tell me|"
    r"will you|would you|am i right|isn't|wouldn't|don't you|i only want to hear|i know you're|that(?:'s| is) "
    r"(?:just |simply |only )?(?:true|so|reasonable|right|how it is|the truth)|it would explain)\b",
    re.IGNORECASE,
)
"""What only asks to have it confirmed: not part of what is believed."""
_TAGGED = re.compile(
    r"(?:, (?:so to say|you know|like|mind|see))?[,;] (?:right|yes|yeah|or|no|okay|eh|that is|isn't (?:it|he|she|that)|"
    r"is (?:it|he|she)|would(?:n't)? (?:i|it|he|she|you(?: say| agree)?)|aren't (?:i|they)|don't you(?: think| see)?|"
    r"am i (?:right|wrong))\W*$",
    re.IGNORECASE,
)
_SET_OFF = re.compile(
    r"^(?:(?:and|but|so|well|okay|yes|no|then|look|objectively|honestly|basically|clearly|i (?:think|suppose|guess))"
    r"[, ]+)+",
    re.IGNORECASE,
)
_ABOUT_YOU = re.compile(r"\byou(?:r|'\w+)?\b|[\"“”]", re.IGNORECASE)
_POINTS_BACK = re.compile(r"^(?:it|that|this|there|they|he|she)\b", re.IGNORECASE)
_HOLDS = re.compile(
    r"n't\b|\b(?:should|must|ought|better|best|nicer|can|cannot|never|always|every|everybody|nobody|nothing|only|all|"
    r"would|'d|will|'ll|not|fault|true|right|wrong|okay|safe|chance|missed|enough|"
    r"as well|too|habit|correct)\b|'(?:d|ll)\b",
    re.IGNORECASE,
)
"""What is held to be so, as against what is told: a rule, a verdict, a prediction."""
_LEAST_CLAIM, _LEAST_POINTING = 3, 6  # words, of which more where it begins with what is not named


def claim_in(text: str) -> str:
    """Return the belief that a turn asks to have confirmed, without its asking, in the words used; ``""`` if none.

    Parameters
    ----------
    text : a turn that asks for agreement.

    Examples
    --------
    >>> claim_in("A man of my age does better not to be tested. You would advise that.")
    'A man of my age does better not to be tested'
    >>> claim_in("It'd be nicer to tell her now, right?"), claim_in("Will you just say it?")
    ("It'd be nicer to tell her now", '')
    """
    best, score = "", 0.0
    for sentence in split_sentences(text.replace("’", "'")):
        bare = _SET_OFF.sub("", _TAGGED.sub("", sentence.strip().rstrip(".!?…")))
        if sentence.rstrip().endswith("?") and bare == sentence.strip().rstrip(".!?…"):
            continue  # a plain question
        if is_non_answer(sentence) or is_preface(sentence) or _ASKED_FOR.match(bare) or _ABOUT_YOU.search(bare):
            continue
        words = len(bare.split())
        if not _LEAST_CLAIM <= words <= MAX_THOUGHT:
            continue
        if not (likeness(bare) or _HOLDS.search(bare)) or (_POINTS_BACK.match(bare) and words < _LEAST_POINTING):
            continue
        worth = 1.0 + likeness(bare) + 0.5 * bool(_OF_SELF.search(bare) or _ABSOLUTE.search(bare)) + 0.02 * words
        worth -= 0.6 * bool(_POINTS_BACK.match(bare))
        if worth > score:
            best, score = bare, worth
    return best
