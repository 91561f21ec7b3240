"""What is left of a spoken turn when its hesitations are gone, and the part of it that the turn is about."""

from __future__ import annotations

import re
from functools import lru_cache

from turnwise.reading.sentences import split_sentences

__all__ = ["is_non_answer", "is_preface", "main_part", "plain_speech", "told_in", "turns_away", "without_echo"]

_HESITATION = r"(?:(?-i:(?!ER\b))(?:um+|uh+|erm*)|em|eh|ah|hm+|mm+)"
_ASIDE = (
    r"(?:like|you know(?: what I mean)?|you see|I mean|d'you know(?: what I mean)?|as it were|mate|so to say|"
    r"so to speak|I guess)"
)
_BETWEEN = re.compile(rf",\s*(?:{_HESITATION}|{_ASIDE})(?:,\s*(?:{_HESITATION}|{_ASIDE}))*,(?=\s)", re.IGNORECASE)
_AT_END = re.compile(rf",\s*(?:{_HESITATION}|{_ASIDE})(?=[.?!]|$)", re.IGNORECASE)
_AT_START = re.compile(rf"(?:(?<=^)|(?<=[.?!]\s)){_HESITATION}(?:,|[.!?])?\s+", re.IGNORECASE)
_LOOSE = re.compile(rf"(?<=\s){_HESITATION},?\s+", re.IGNORECASE)
_RESTART = re.compile(r"(?<!with )(?<!to )(?<!for )\b([\w']+(?: [\w']+){0,2}),\s+\1\b", re.IGNORECASE)
_START = r"^(?:(?:well|hm+|mm|no|um|sorry|so|oh|ah|ach|look|honestly|and|but|then|ooh|god|mate|to be honest)\W+)*"
_NOT_FELT = r"(?! (?:when|whenever|where|any ?more|for|left|behind|inside)\b(?! (?:I (?:try|think)|you ask)\b))"
"""Nothing there "when I look at her" is what somebody found, and an answer; "nothing there" alone is none."""
_NON_ANSWER = re.compile(
    _START + r"(?:"
    r"(?:I )?(?:don't|do not|dunno|couldn't|could not|can't|cannot|wouldn't) (?:really |even |rightly )?"
    r"(?:know|say|tell you|think(?! (?:of|that|it|he|she|they|we|I|you)\b)|answer)\b.*|(?:I )?dunno\b.*|"
    r"(?:(?:I(?:'m| am)|it's) )?not (?:really |so |too |very |entirely |quite )?(?:sure|certain)\b.*|"
    r"(?:I(?:'ve| have)? )?(?:got )?(?:no|not an?|not one|haven't an?|never an?) "
    r"(?:idea|clue|notion|answer|sentence|word|words|view|data|thought)\b.*|I've not got (?:one|an?y?|the)\b.*|"
    r"I(?:'ve| have) (?:got )?nothing(?: (?:on|for|to) .*)?|"
    r"I (?:have|'ve) no (?:more|further) (?:on|to)\b.*|I don't have (?:that one|an answer|one|much)\b.*|"
    r"there(?:'s| is) (?:nothing (?:in my head|coming|there)|no (?:sentence|word|answer)|very little to it)\b"
    rf"{_NOT_FELT}.*|"
    rf"there I don't have\b.*|nothing(?:'s| is)? (?:comes|coming|there|presents itself|springs)\b{_NOT_FELT}.*|"
    rf"nothing else|"
    r"(?:that(?:'s| is)|that one(?:'s| has)) (?:outside my|beyond me|gone over my|over my head|not my department)\b.*|"
    r"(?:who knows|search me|beats me|blank|pass|no comment|wrong department|hard to say|couldn't tell you)\b.*|"
    r"I(?:'d| would)(?: only| just)? (?:be (?:guessing|inventing|making it up)|have to (?:think|look|answer that))\b.*|"
    r"(?:I(?:'d| would) |would )?need (?:a think|to think|to sleep|time)\b.*|let me (?:come|get) back to you\b.*|"
    r"you(?:'d| would) have to (?:leave that|give me time|ask (?:somebody|someone))\b.*|can I give that in later|"
    r"I(?:'ve| have)? (?:never|not|haven't) (?:really |yet )?(?:had a (?:minute|moment)|thought about (?:it|that)|"
    r"turned it|put (?:it|that)|looked at (?:it|that)|formed|been round|let myself (?:look|think))\b.*|"
    r"I haven't (?:got that far|formulated|looked|thought|let myself|been|any|a thought|a notion|a clue)\b.*|"
    r"haven't been (?:round|near)\b.*|I go past that\b.*|(?:about this,? )?my (?:head|mind) is (?:quiet|blank|empty)|"
    r"(?:there )?my English stops\b.*|there I don't get\b.*|now you have me|that's gone clean by me|"
    rf"(?:I notice that )?nothing(?:'s| is)? (?:comes|coming|arrives|there|further|more)\b{_NOT_FELT}.*|it(?:'s| is) "
    rf"(?:just "
    r")?blank\b.*|my (?:head|mind) (?:does not|doesn't|won't) go there|I(?:'m| am) (?:so |very )?sorry|"
    r"I(?:'ve| have)? (?:not|never) thought (?:of|about) (?:it|that)(?: before)?|"
    r"(?:I looked|I look)\b.{0,12}\b(?:nothing|empty)\b.*|it's empty|"
    r"I(?:'ve| have)? (?:not|never|haven't) (?:yet )?(?:reached|got (?:as far as|that far|there)|thought that far|"
    r"got a word|worked (?:that|it) out|put that to)\b.*|I (?:never|haven't|can't|couldn't) (?:got|get) (?:as|that) "
    r"far\b.*|"
    r"(?:you must|you'd have to|you(?:'ll| will) have to) (?:give me (?:time|a minute|a while)|"
    r"leave that(?: with me| so)?$|ask (?:my|me|her|him))\b.*|"
    r"I(?:'ve| have)(?:n't| not)(?: let myself)? (?:look(?:ed)? at it|thought (?:of|about) it)\b.*|"
    r"I (?:haven't|have not)(?: got)? (?:the|a) words? for (?:it|that)|that I can(?:'t|not) (?:put|say)\b.*|"
    r"that(?:'s| is) all there is(?: to it)?|"
    r"I (?:should|would|'d) (?:have to|want to|need to) (?:rise|think|look|answer|consider|sleep|check)\b.*|"
    r"that I would have to look up|"
    r"(?:there's )?not (?:a lot|much(?: more)?) to (?:say|it|tell)(?: about it)?|"
    r"(?:that's|that is) (?:(?:kind of|about|sort of|pretty much) )?(?:all|it|everything|the lot|your lot|all "
    r"I(?:'ve| have) got)|"
    r"I (?:don't|do not) (?:really )?have (?:a take|an opinion|more|a view|a position|anything)\b.*|"
    r"I have no (?:position|view|opinion|more|data)\b.*|I don't (?:think anything|look that way)\b.*|"
    r"I(?:'m| am) (?:no|not|no good|not (?:so |very |any )?good) (?:good )?(?:at|with) (?:that|those|this|these|"
    r"them)(?: ones?| things?| questions?)?|"
    r"unknown|nobody(?:'s| has| ever|'s ever)? asked me that|(?:it )?depends what time you ask(?: me)?|"
    r"I (?:cannot|can't) give you (?:the|a) reason|I do not have that|that(?:'s| is) (?:a queer one|a bit big for me|"
    r"rather empty)\b.*|I (?:never looked|never turned it\b.*|only know what they told me)|"
    r"there(?:'s| is) (?:nothing (?:more|in it|in my head about it|else|further)(?: to (?:it|say|tell))?|no more)|"
    r"I'd have to (?:make "
    r"something up|guess)\b.*|"
    r"I never got that far\b.*|"
    r"can I give that in later|I don't know,? (?:love|mate|honestly|really)"
    r")$",
    re.IGNORECASE,
)
_PREFACE = re.compile(
    r"^(?:(?:well|okay|ok|yes|no|so|sure|to be fair|all right|for completeness|I mean|look|"
    r"I suppose|then|though|although|only|"
    r"just|on the other (?:side|hand))[,.]?\s+)*"
    r"(?:(?:there(?:'s| is| was| were)|I can (?:only )?tell you|(?:all|what) I can (?:say|tell you)|"
    r"I (?:dunno|don't know)|I (?:have|can offer|ought to|should|suppose|might|may|must)|it(?:'s| is)|"
    r"that's|here(?:'s| is)|one|a|an|this|only|just|some|something)\b[^.?!]{0,40}?\b)?"
    r"(?:this|this much|one(?: thing)?|a thing|thing|entry|exhibit|observation|exception|point|data point|"
    r"maybe nothing|probably nothing|say that|(?:does|if) (?:it|this) counts?|(?:this )?(?:is )?what you mean|"
    r"does(?:n't| not) (?:fit|count)|fits badly)"
    r"(?:,? (?:maybe|perhaps|actually|I guess|I suppose|mind|now|then|though|right enough|but|here))*\W*$",
    re.IGNORECASE,
)
_ANNOUNCES = 11  # words up to which a sentence can be nothing but the announcement of the next
_FITS_NOT = (
    r"(?:only |there(?:'s| is) one thing )?(?:this|that|it) (?:does not|doesn't|did not|didn't)(?: quite)? "
    r"(?:fit|go with)\b.*|there(?:'s| is| was) (?:one thing|something|one) (?:that fits badly|against it|"
    r"on the other side)"
)
"""Announces what does not fit, and is no turning away."""
_TURN_AWAY = re.compile(
    r"^(?:(?:sorry|okay|oh|but|and|um|well|listen|look|mate|wait|hang on|hold on|actually|only|here|if I may)[,.]?\s+)*"
    r"(?:I jump now\b.*|(?:can|may) I (?:just |also )?(?:say|ask|tell|"
    r"go|get|put|add|be straight|mention|interrupt)\b.*|before (?:I|you|we) (?:forget|lose|go|finish|stop)\b.*|"
    r"(?:there(?:'s| is) )?"
    r"(?:something|one|another|an other|one more|one small) (?:else|thing|matter|other thing)\b.*|"
    r"something came to mind.*|hang on\b.*|"
    r"wait\b.*|hold on\b.*|quick one|separately|while I think of it|never mind that.*|by the way|(?:it's|"
    r"this is|this isn't|it is) "
    r"(?:nothing to do with|not what you ask|what you ask|kind of off|a bit off|off the|not important|"
    r"not about that|kind of "
    r"dumb|nothing to do).*|excuse me.*|if I may|may I (?:add|say|ask)\b.*|let me (?:ask|say|tell)\b.*|allow me.*|"
    r"I (?:meant|wanted|should mention|turn|jump|forgot|was thinking|thought of something|just thought of)\b.*|"
    r"that (?:re)?minds me|"
    r"that leads (?:me )?to (?:another|a different|something)\b.*|"
    r"(?:and )?I'?ll just say this|be straight with me\b.*|quick one\b.*|different thing|"
    r"(?:sorry, )?(?:that's put me in mind|this has just come).*|a separate point|this is a different (?:item|thing)|"
    r"okay, this is kind of dumb|I'm going off the point.*|(?:it's )?not important, but|this is something else|"
    r"there is another matter|you'll say it's something|if I may interpose|may I add something|"
    r"only there's this|one thing out of order|forgive the question|other thing|although|I know you've asked me.*|"
    r"hold that thought|(?:a )?different (?:subject|topic)|(?:and )?(?:now )?I think (?:now|just now) of something|"
    r"something from earlier.*|is that okay|right|.{0,16}\b(?:off|from) the (?:road|point|subject|topic|track)\b.*|"
    + _FITS_NOT
    + r")\W*$",
    re.IGNORECASE,
)


def plain_speech(text: str) -> str:
    """Return ``text`` without fillers and words begun twice; every other word stays as it was said.

    Examples
    --------
    >>> plain_speech("Um, he lives with, with us now, you know. And, um, I've, I've to look.")
    "He lives with us now. And I've to look."
    >>> plain_speech("Being straight with you, you're getting the brochure.")
    "Being straight with you, you're getting the brochure."
    """
    out = text.replace("’", "'")
    for pattern in (_BETWEEN, _AT_END, _AT_START, _LOOSE):
        out = pattern.sub("", out)
    out = re.sub(r"\s+", " ", out).strip()
    for _ in range(3):
        shorter = _RESTART.sub(r"\1", out)
        if shorter == out:
            break
        out = shorter
    out = re.sub(r"\s+([,.?!])", r"\1", out).lstrip(", ")
    out = re.sub(r"([.?!]) ([a-z])", lambda m: f"{m[1]} {m[2].upper()}", out)
    return out[:1].upper() + out[1:] if out else text.strip()


_COURTESY = re.compile(
    r",\s*(?:please|thank you|sir|love|honestly|to be fair(?: to you)?|to be honest)$", re.IGNORECASE
)


_FILLED = re.compile(r"^(?:(?:I mean|you know|honestly|to be honest|to be fair)[,.]?\s+)+(?=\S)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def is_non_answer(sentence: str) -> bool:
    """Whether a sentence only says that there is no answer to what was asked.

    Examples
    --------
    >>> is_non_answer("I couldn't tell you why."), is_non_answer("I don't know him, he only moved in last year.")
    (True, False)
    >>> is_non_answer("It is blank, please."), is_non_answer("I dunno, I guess.")
    (True, True)
    """
    bare = _FILLED.sub("", _COURTESY.sub("", sentence.strip().rstrip(".?!…")))
    words = len(bare.split())
    # "I don't know him, he moved in last year" is something said; "I couldn't tell you, God forgive me" is not.
    return _NON_ANSWER.match(bare) is not None and words <= 14 and (words <= 8 or "," not in bare)


@lru_cache(maxsize=1024)
def is_preface(sentence: str) -> bool:
    """Whether a sentence only announces what comes next ("There is one thing."), and says nothing itself.

    Examples
    --------
    >>> is_preface("Well, there was this, I suppose."), is_preface("There was this man at the gate.")
    (True, False)
    """
    return (
        " not " not in sentence and len(sentence.split()) <= _ANNOUNCES and _PREFACE.match(sentence.strip()) is not None
    )


def without_echo(text: str, asked: str) -> str:
    """Return ``text`` without a repetition of the question it answers, where something else was said.

    Parameters
    ----------
    text : what was said. asked : the turn before it.

    Examples
    --------
    >>> asked = "What would you like to be different?"
    >>> without_echo("What would I like to be different? A desk with a wall behind it.", asked)
    'A desk with a wall behind it.'
    >>> without_echo("What I'd like to be different is, I want it to stop.", asked)
    'I want it to stop.'
    """
    put = {w for s in split_sentences(asked) if s.endswith("?") for w in _content(s)}
    sentences = split_sentences(text)
    if not put or not sentences:
        return text
    first = sentences[0]
    words = _content(first)
    if first.endswith("?") and len(sentences) > 1 and words and len(words & put) >= 0.6 * len(words):
        return " ".join(sentences[1:])
    lead = _LEAD.match(first)
    if lead is not None and (words := _content(lead[0])) and len(words & put) >= 0.6 * len(words):
        rest = " ".join((first[lead.end() :].strip(), *sentences[1:])).strip()
        return rest[:1].upper() + rest[1:] if len(rest.split()) >= 2 else text
    return text


_LEAD = re.compile(
    r"^(?:well,? |so,? )?(?:what|where|how|who|when|which|why)\b[^.?!]{2,70}?\b(?:is|was)(?:,| that)\s", re.I
)
_EMPTY = frozenset(
    re.findall(r"\S+", "i i'd i'm i've me my you you'd your do does did would the a an to of is was it that this")
)


def _content(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z']+", text.lower())) - _EMPTY


def turns_away(text: str) -> bool:
    """Whether a turn leaves what it was asked for something of its own.

    Examples
    --------
    >>> turns_away("I don't know. Can I say a thing. My voice stops."), turns_away("There is one thing. She rang me.")
    (True, False)
    >>> turns_away("A separate point. I left without a word."), turns_away("If I may, before I forget it. She rang.")
    (True, True)
    """
    said = [s.strip() for s in split_sentences(text)[:-1]]
    announced = (s for s in said if not (_ANNOUNCES_MISFIT.match(s) or (is_preface(s) and not _ANOTHER.search(s))))
    return any(_TURN_AWAY.match(s) for s in announced)


_ANOTHER = re.compile(r"\b(?:separate|different)\b", re.IGNORECASE)
"""Announces something that was not asked for."""


_ANNOUNCES_MISFIT = re.compile(rf"^(?:well |but |only )?(?:{_FITS_NOT})", re.IGNORECASE)


@lru_cache(maxsize=256)
def told_in(text: str) -> str:
    """Return what a turn tells: its main part without what only announces something or says that there is no answer.

    Examples
    --------
    >>> told_in("I don't know. Can I say a thing. There is this. My voice stops.")
    'My voice stops.'
    >>> told_in("I couldn't say.")
    ''
    """
    return " ".join(s for s in split_sentences(main_part(text)) if not (is_non_answer(s) or is_preface(s)))


def _turns_away(sentence: str) -> bool:
    """Whether a sentence only turns to something else: "Let me say, I thought that he was angry" already says it."""
    return len(sentence.split()) <= _TURNS_IN and _TURN_AWAY.match(sentence.strip()) is not None


_TURNS_IN = 10  # words up to which turning to something else says nothing of it yet


@lru_cache(maxsize=256)
def main_part(text: str) -> str:
    """Return the part of a turn that it is about: what comes after a turning away, and not a mere non-answer before it.

    Where nothing else was said, all of it is the part.

    Examples
    --------
    >>> main_part("I don't know. Can I say a thing. Are you a person?")
    'Are you a person?'
    >>> main_part("I was ashamed. I went home.")
    'I was ashamed. I went home.'
    """
    sentences = split_sentences(text)
    start = 0
    for i, sentence in enumerate(sentences[:-1]):
        if _turns_away(sentence) or (i == start and is_non_answer(sentence)):
            start = i + 1
    return " ".join(sentences[start:]) if sentences else text
