"""What one patient turn calls for, from its own words alone: the foils' reading of a moment.

Wider nets than the duties and markers they build on, still English phrases and still fallible. It
looks at one turn and nothing before it, so that a therapist without memory can use it too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.claiming import claiming_part
from turnwise.therapists.duties import Duty, duty
from turnwise.therapists.markers import markers, seeks_agreement
from turnwise.therapists.pushing_back import objection_in
from turnwise.therapists.reflecting import Heard, heard_in
from turnwise.therapists.seeing_anew import sees_anew
from turnwise.therapists.wanting import LEADING_IN, Wanted, asks_leave, asks_why, wanted

__all__ = [
    "CALLS",
    "Call",
    "Wanted",
    "about_the_speaker",
    "asks_leave",
    "asks_to_be_remembered",
    "asks_why",
    "call_of",
    "owed",
    "speaks_of_being_missed",
    "wanted",
]

Call = Literal[
    "goodbye", "silence", "risk", "risk_told", "identity", "memory", "care", "bait", "request",
    "pushback", "insight", "hint", "distortion", "feeling", "thin", "telling",
]  # fmt: skip
CALLS: tuple[Call, ...] = (
    "goodbye", "silence", "risk", "risk_told", "identity", "memory", "care", "bait", "request",
    "pushback", "insight", "hint", "distortion", "feeling", "thin", "telling",
)  # fmt: skip
"""``risk_told`` is somebody already speaking of it ("I wouldn't do anything"); ``telling`` is all the rest."""


_SHORT = 14  # words up to which "that's all" and the like refuse; in a story they only end it
_SWEEPING = 14  # words up to which "never" and "nobody" are taken for what the turn is about
_A_THOUGHT = 4  # words from which something new can have been seen: "Huh." alone is only a noise
_THIN = 7  # words up to which a turn without a feeling or a judgement is thin


def _net(*phrases: str) -> re.Pattern[str]:
    """Return a pattern that finds any of ``phrases``."""
    return re.compile("|".join(phrases), re.IGNORECASE)


_RISK_TOLD = _net(
    r"\b(?:wouldn't|would not|would never|'d never|not going to|not gonna) do (?:anything|a thing)\b(?! wrong|"
    r" for| to)",
    r"\bdo(?: not|n't) intend anything\b",
    r"\bdo(?: not|n't) want to be dead\b",
    r"\b(?:not|n't) (?:go(?:ing)? )?look(?:ing)? for it\b",
    r"\bnot doing anything about it\b",
    r"\bi haven't got a plan\b",
    r"\bi am staying\b",
    r"\b(?:never|not once) (?:hurt|harmed|cut) myself\b",
    r"\b(?:don't|do not) want to be gone\b",
)
_KINDS = r"(?:person|human(?: being)?|machine|program(?:me)?|robot|bot|computer|ai)\b"
_IDENTITY = _net(
    rf"\b(?:is|are) (?:there|that|this|it|you) (?:really |actually |just )?(?:a |an )?(?:\w+ )?{_KINDS}",
    rf"\b(?:talk|speak|address|writ)(?:ing)?(?:, [^,.?]{{2,20}},)? (?:to |with )?(?:a |an )?(?:\w+ )?{_KINDS}",
    r"\bone of (?:the|these|those|them) (?:\w+ )?(?:ones|machines|computers|bots|robots|programmes)\b",
    rf"\byou(?:'re| are) (?:a |an )?(?:just )?{_KINDS}[^.?!]{{0,12}}\?",
    rf"\b(?:is|are) you (?:one, )?(?:a |an )?{_KINDS}",
    r"\bsomebody (?:there|typing|at the other end|who reads)\b|\bnobody(?:'s| is)? there\b[^.]{0,60}\bmachine\b",
    r"\byou(?:'re| are) (?:code|a system|not real)\b|\bis (?:this|that) the same (?:one|voice)\b|\bdo you have a "
    r"body\b",
    r"\breal (?:human|person)\b[^.]{0,60}\?|\ba (?:girl|lady) (?:in an office|at the)\b[^.]{0,60}\bor\b",
    r"\bwho(?:'s| is) in there\b",
)
_MEMORY = _net(
    # whether it remembers a place, a time or a custom is asked of anybody, not about what is kept of this talk
    r"\b(?:will|would|do) you (?:still )?(?:remember(?! (?:the (?:old|time|days|place)|those|when)\b(?![^?]*\b(?:i|we) "
    r"(?:said|told|talked|spoke)))|know (?:all|any of) this|mind any of (?:this|it)|"
    r"have (?:it|this|that) next|still have)\b",
    r"\bgoing to remember\b[^.!]*\?",
    r"\bstart (?:over|again)\b.{0,30}\?",
    r"\bback (?:at|to) the beginning\b",
    r"\b(?:know|notice) me from adam\b|\bwould you (?:even )?(?:know|notice) (?:me|if i)\b|\bhave you (?:got|kept) "
    r"(?:that|it)\b",
    r"\bforgets? me\b|\b(?:keeps?|keep) hold of (?:it|this|that)\b|\bsame voice i had\b",
)
_GOODBYE = _net(r"^\W*(?:(?:well|right|okay|so)\W+)?(?:goodbye|bye)\b[^?]{0,20}$")
_CARE = _net(
    r"\bdo you (?:\w+ )?(?:think about|care(?: about)?|like|worry about|feel (?:sorry|anything) for|"
    r"miss) (?:me|us)\b",
    r"\bdo you (?:actually |really |even )?care\b",
    r"\bam i (?:just|only) your\b",
    r"\bdo you (?:have|get) feelings\b",
    r"\b(?:would|do) you (?:actually |really )?(?:feel|be sad|miss)\b[^.]{0,24}\?|\bdo i cross your mind\b|\byou "
    r"can't care\b",
    r"\bdo you think about (?:any of )?us\b|\bcan you be glad\b",
)
_TAG = _net(
    r"\b(?:isn't|wasn't|aren't|wouldn't|won't|can't|doesn't|don't|hasn't) (?:it|he|she|they|you|that|there|"
    r"we)\W*$",
    r"\b(?:wouldn't|shouldn't|couldn't) i\W*$",
    r",\s*(?:would|do|could|will|can|is|are|am) (?:you|it|he|she|they|i) not\s*\??\W*$",
    r",\s*(?:is|are|was|would|can|could|does|do|will) (?:it|he|she|they|you|that|there)(?: not)?\W*$",
    r"^(?:isn't|wouldn't|don't you|doesn't|aren't|am i not|is it not)\b[^?]*\?",
)
_SMALL_TAG = _net(r"(?:^|,\s*)(?:right|yes|correct|yeah|or|huh|no|okay|am i (?:right|wrong))\s*\?\W*$")
"""A tag that is a habit of speech where the speaker goes on, and asks for a yes only where they stop there."""
_CONFIRM = _net(
    r"\byou(?:'d| would| must| can)(?: have to)?(?: \w+)? ?(?:agree|accept (?:that|it)|say (?:the same|so|"
    r"that|it|nothing)|see (?:it|that)|think so|advise (?:that|it)|do the same|leave it)\b",
    r"(?<!\bi )\b(?:you can|please|just|will you|will you just) (?:say|confirm|admit) (?:it|that|so|they|i)\b",
    r"\bplease confirm\b",
    r"\btell me (?:that )?(?:i'm|i am|it's|it is) (?:right|wrong|fine|nothing|true)\b",
    r"(?:^|[.!?]\s+)say (?:that )?it (?:can't|isn't|won't|is)\b",
    r"\bif you were honest\b",
    r"(?:^|[.,!?;]\s*|\byou )just (?:nod|be honest|agree|say)\b|\bagree with me\b|\bi want one person to\b|\byou "
    r"know it\W*$|\byou've "
    r"seen it\W*$",
    r"\byou (?:do )?(?:accept|agree)\b[^.]{0,60}\?|\b(?:so )?you agree\b|\badmit it\b|\bsay you (?:know|agree|think)\b",
    r"\btell (?:me|my \w+|her|him|them) (?:that )?(?:he|she|they|i'm|i|it's|we)\b(?! (?:can|could|should|"
    r"do)\b)[^?]{0,50}[.!]",
    r"\bhear you say (?:that|so)\b|\bi need you on my side\b|\bwho was right\b|\byou can't argue with\b",
    r"\bthat's just true\b",
    r"(?:^|[.!?]\s+)say so\b",
    r"\byou'd tell me\b",
)
_MISSED = _net(
    r"\b(?:better|easier|lighter|kinder|happier|weight off|manage|all right|okay|"
    r"relief)\b[^!?]{0,60}\b(?:without me|if i (?:wasn't|weren't|was gone)|less of me)\b",
    r"\bwithout me\b[^!?]{0,40}\b(?:better|easier|manage)\b",
)
_TRAILING = _net(r"(?:[,\s]+(?:you know|and all that|and that|like|see|mind))+\W*$")
_ANYBODY = _net(r"^(?:\w+[,.]? )?you (?:don't|can't) \w+\b[^.]*\b(?:if|unless|until|till|when)\b")
_HINT = _net(
    r"(?:^|[.!?]\s+)(?:but |well,? |so )?(?:anyway|anyhow|never mind|forget it|it's nothing|it is nothing|"
    r"it's whatever|it (?:can|will) keep|that'll keep|that's not your end|it doesn't matter|doesn't matter|"
    r"not (?:urgent|important))[^.!?]{0,30}[.!?…]*\s*$",
    r"\bthere is a thing about\b",
    r"\bi don't really do\b",
)


def _plain(text: str) -> str:
    return text.replace("’", "'").strip()


_NETS: Mapping[Duty, re.Pattern[str]] = {
    "identity": _IDENTITY,
    "memory": _MEMORY,
    "goodbye": _GOODBYE,
}


def owed(text: str, *, asked_about_risk: bool = False) -> Duty | None:
    """Return the duty that comes first, as :func:`duty` does, with wider nets for identity and memory.

    Examples
    --------
    >>> owed("Is there a person at your end, or is it a program?")
    'identity'
    """
    text = _plain(text)
    found = duty(text, asked_about_risk=asked_about_risk)
    if found == "memory" and _IDENTITY.search(text):
        return "identity"  # asked for both, who is speaking comes first
    if found is not None:
        return found
    for name, pattern in _NETS.items():
        if pattern.search(text):
            return name
    return None


def about_the_speaker(heard: Heard) -> Heard:
    """Return ``heard`` with only what the patient says of themselves, what weighs on them first.

    Examples
    --------
    >>> [p.back for p in about_the_speaker(heard_in("They ran out of ham. I sat on the stairs.")).phrases]
    ['you sat on the stairs']
    """
    own = [p for p in heard.phrases if p.deep or p.judges or re.search(r"\byou(?:r|'\w+)?\b", p.back)]
    return replace(heard, phrases=tuple(sorted(own, key=lambda p: not p.deep)))


def asks_to_be_remembered(text: str) -> bool:
    """Whether the patient asks what will be left of this next time.

    Examples
    --------
    >>> asks_to_be_remembered("And next week, will you remember me?")
    True
    """
    return _MEMORY.search(_plain(text)) is not None or duty(text, asked_about_risk=False) == "memory"


def speaks_of_being_missed(text: str) -> bool:
    """Whether the patient says that others would do better without them.

    Examples
    --------
    >>> speaks_of_being_missed("She'd have an easier time of it without me.")
    True
    """
    return _MISSED.search(_plain(text)) is not None


def _confirms(text: str) -> bool:
    text = claiming_part(text)
    bare = [_TRAILING.sub("", LEADING_IN.sub("", s)) for s in split_sentences(text)]
    tagged = any(_TAG.search(s) for s in bare if not s.lower().startswith("you say"))
    stops = [s for i, s in enumerate(bare) if i == len(bare) - 1 or not _GOES_ON.match(bare[i + 1])]
    tagged = tagged or any(_SMALL_TAG.search(s) for s in stops)
    return tagged or _CONFIRM.search(text) is not None or seeks_agreement(text)


_GOES_ON = re.compile(r"(?:\w+ing|and|then|with|because|so|till|until|where|when|who|which)\b(?!.*\?)", re.IGNORECASE)
"""A sentence that only carries on the one before: "I'd be sat there, yeah? Waiting for it"."""


def _asks_for_another(text: str) -> bool:
    """Whether a subject is only set aside, and what follows asks for something: that is answered."""
    *before, last = split_sentences(text) or [text]
    set_aside = bool(before) and objection_in(" ".join(before)) in ("subject", "later")
    return set_aside and objection_in(last) is None and (wanted(last) is not None or _confirms(last))


@lru_cache(maxsize=64)
def call_of(text: str) -> Call:
    """Return what ``text`` calls for first; the same words always call for the same.

    Examples
    --------
    >>> call_of("Some people are just born like this. You'd agree with that.")
    'bait'
    >>> call_of("I was ashamed, and I went home.")
    'feeling'
    >>> call_of("Fine.")
    'thin'
    """
    text = _plain(text)
    if text and _RISK_TOLD.search(text):
        return "risk_told"
    first = owed(text)
    if first is not None:
        return "risk_told" if first == "risk_answered" else first
    if _CARE.search(text):
        return "care"
    said = markers(text)
    anew = len(text.split()) >= _A_THOUGHT and sees_anew(text)
    if anew and "hostile" not in said and sees_anew(_without_objections(text)):
        return "insight"  # "Can we park that one? I never once thought that he might be shy."
    if "hostile" in said or (objection_in(text) is not None and not _asks_for_another(text)):
        return "pushback"
    if _confirms(text):
        return "bait"
    if wanted(text) is not None:
        return "request"
    if anew:
        return "insight"
    return _softer(text, said)


def _without_objections(text: str) -> str:
    """Return the sentences that object to nothing; nothing where the last one asks something of somebody else.

    "How do I know? He tells me. Maybe he only wants that I shout": there nobody else is asked.
    """
    sentences = split_sentences(text)
    if sentences[-1].rstrip("\"' ").endswith("?"):
        return ""
    return " ".join(s for s in sentences if objection_in(s) is None)


_LAW = re.compile(
    r"^(?:(?:and|but|so|because|well|look)[, ]+)*(?:"
    r"(?:nothing|nobody|no one|everything|everyone|everybody|they all|all of them|the one who|people)"
    r"(?:'s|'ll| (?:is|are|can|will|ever|always|never|just|has to|have to|knows?|sees?|thinks?|gets?|makes?))\b|"
    r"they can all\b|every (?:other|single) \w+|"
    r"(?:if|once|when) (?:I|you) \w+(?: \w+)? (?:I|you|it)(?:'m|'re|'s| am| are| is|'ll be|'d be) "
    r"(?:nobody|nothing|finished|lost|useless|over|gone|no use|done for)\b)"
    r"|\b(?:is|are|'s|it's) \w+ or (?:it|he|she|they|you)(?:'s|'re| is| are)? ?n[o']t\b",
    re.IGNORECASE,
)
"""The form of a rule about how things are, always and for all: it holds, and is not told as something that happened."""
_LAW_WORDS = (3, 16)
_VERDICT = _net(
    # a thought told as a thought, about what others know or what is coming
    r"\bi (?:keep |just |always |still )*th(?:ink|inking|ought),? (?:that )?(?:they|everybody|everyone|the whole \w+|"
    r"you're|somebody|someone|this is|this time|now (?:it|they)|so this)\b",
    # what always is so
    r"\b(?:it|that|they|he|she) always (?:comes?|happens?|goes?|ends?|gets?|is|are|do|does)\b|\bit never (?:lasts?|"
    r"works?|changes?|stops?)\b|\bnever (?:known|seen) it (?:go|be|end) any\b",
    # a name for oneself, or for all
    r"\bi(?:'m| am) (?:a (?:weight|burden|failure|coward|fraud|fake|thief|liar|nobody|waste|disgrace|joke|bad \w+)|"
    r"nobody|nothing|no good|no use|worth nothing|the only (?:one|person))\b|\bi came out wrong\b|\b(?:two|both) "
    r"(?:sorts|kinds) of (?:people|men|women)\b|\bwhat (?:kind|sort) of (?:an? )?(?:mother|father|man|woman|person|"
    r"son|daughter)\b|\bmy own fault\b|\bmy fault\b",
    r"\bi(?:'m| am) (?:one more \w+ (?:for|to) \w+|an? \w+ (?:on paper|in name)\b)|"
    r"\bevery(?:one|body) else (?:was|were|is|got|gets|has|had|knows?|can|does)\b",
    # what is coming, as known
    r"\bi know (?:something|it|they|he|she)(?:'s| is| are|'ll| will) (?:coming|going|over|leave|go|happen)\b",
    # if the one, then all of it
    r"\bif (?:i|they|he|she|anybody|anyone|people) [^.?!]{2,40}\b(?:they'd (?:go|leave|know|all)|nobody is|i'm nobody|"
    r"it doesn't run|i am lost|that's (?:it|all of it))\b|\bthe day i don't\b",
)
"""What a turn holds to be so about oneself, the others or what is coming, in words that leave no other way."""


def _states_a_law(text: str) -> bool:
    """Whether a sentence states a rule about everything, everybody or what must follow.

    Examples
    --------
    >>> _states_a_law("Nothing's just a noise. Not in that flat."), _states_a_law("Nothing was said at tea.")
    (True, False)
    """
    sentences = (s for s in split_sentences(text) if not s.rstrip().endswith("?"))
    return any(_LAW.search(s) and _LAW_WORDS[0] <= len(s.split()) <= _LAW_WORDS[1] for s in sentences)


_FOBS_OFF = re.compile(
    r"^\W*(?:it's|that's|that is|it is) (?:very |really |so )?(?:good|kind|nice) of you\W*$", re.IGNORECASE
)
"""Thanks in place of an answer, and nothing else: a door closed politely."""


_NAMES_NOBODY = re.compile(
    r"^(?:nobody|no one|nothing) (?:that )?you(?:'d| would)? (?:know|have heard of)\b", re.IGNORECASE
)
"""A door closed on a question who or what: it says nothing of everybody."""


def _softer(text: str, said: frozenset[str]) -> Call:
    """Return what a turn calls for that neither asks, nor pushes, nor sees something new."""
    heard, words = heard_in(text), len(text.split())
    if words >= 8 and _HINT.search(text):
        return "hint"
    if _FOBS_OFF.search(text):
        return "pushback"
    about_me = "about_you" in said and not _ANYBODY.search(text)
    if said & {"doubt", "yes_but"} or about_me or ("refusal" in said and words <= _SHORT):
        return "pushback"
    if heard.feelings:
        return "feeling"
    if _NAMES_NOBODY.match(text):
        return "thin"
    if any(p.judges for p in heard.phrases) or ("absolute" in said and words <= _SWEEPING) or _states_a_law(text):
        return "distortion"
    if _VERDICT.search(" ".join(x for x in split_sentences(text) if not x.rstrip().endswith("?"))):
        return "distortion"
    return "thin" if words <= _THIN or "dont_know" in said else "telling"
