"""What kind of help a turn asks for: about the therapist, words to say, a way, or a fact; and a mere "may I ask?".

Nets of English phrases, and of those that look like a request and are none ("What's the point of it?").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.asking_back import asked_back
from turnwise.therapists.markers import asks

__all__ = [
    "LEADING_IN",
    "Wanted",
    "asks_about_records",
    "asks_for_a_paper",
    "asks_leave",
    "asks_of_the_listener",
    "asks_to_pass_over",
    "asks_why",
    "invited_to",
    "wanted",
]

Wanted = Literal["about_me", "wording", "method", "info"]


_ONLY_ASKED = 12  # words: in a longer turn more is asked, or told, than what a question was for


def _net(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


LEADING_IN = _net(
    r"^(?:(?:so|and|but|well|okay|ok|um|hm|please|sorry|excuse me|then|now|yeah|tell me|(?:may|can|could) i "
    r"(?:just )?ask(?: you)?|let me ask)[,.:;]?\s+)*",
)
_SHORT_LEAD = _net(r"^(?:[\w']+(?: [\w']+){0,3},\s+){1,2}")
_ASKS = _net(
    r"^(?:what(?! if\b| sort| of\b)|how|which|"
    r"who(?:'s| is) (?:writing|reading|keeping|going to (?:see|read))|"
    r"who(?:m| do| does| would| should| can| must| sees)|where|"
    r"when (?:do|does|will|can|should)|is (?:it|there|that|this)|are there|does|do (?:people|they|other|most|"
    r"any)|can (?:you|i|we|one|a)|could (?:you|i|we)|would you|will it|should i|if (?:a|i|somebody|"
    r"someone)\b)\b.*\?\W*$",
)
_WISHES = _net(
    r"^(?:teach|show|explain|list|give) me\b(?! (?:a|one) (?:minute|moment|second|chance|break))|\b(?:teach|show) "
    r"me (?:that|what|how|a)\b",
    r"\bi(?:'d| would) (?:really )?(?:like|be glad (?:of|if)) (?:the (?:names?|pros|steps|options|number)|some kind "
    r"of|a (?:plan|"
    r"way|list|run)|to (?:learn|sort|make|hear what|understand what|leave with a))\b",
    r"\bi want (?:to (?:sort|make|learn|understand what)|a plan|steps|somebody to lay)\b|\bready to hear\b|"
    r"\bi(?:'d| would) be glad if you (?:explained|told|showed)\b|\bwhat(?:'s| is) (?:step one|the (?:first step|"
    r"plan|procedure))\b",
    r"\bi(?:'ve| have)? heard (?:that )?(?:you|one|people|it) can\b[^?]*\bit's true\?",
    r"\bif i could (?:just )?(?:leave|go|come away)(?: here| home| away)? (?:knowing|with a)\b",
    # a doubt whether somebody can know, said as a question after what they said
    r"\bhow (?:would|do|does|can|could) (?:she|he|they|anybody|anyone|somebody|a doctor|the doctors?) (?:know|tell|be "
    r"(?:sure|certain))\b(?! (?:me|you|him|them|my|your|where|when|who)\b)[^.?!]*\b(?:it's|it is|it isn't|it "
    r"wasn't|that|"
    r"what it|for (?:sure|certain)|sure|certain)\b[^.!]*\?",
    r"\bwhat i want to know is\b|\b(?:write|tell me what to (?:do|say))\b.{0,20}\b(?:and i'll|like a recipe|for me)\b",
    r"\b(?:give me (?:(?:a|an|some|one|the) (?!minute|moment|hand|second|day|name|\w+ back)|something|"
    r"anything)|tell me (?:what|how|which)|tell me and i'll|want you to tell me|i(?:'d|"
    r" would) (?:really )?(?:like|rather|sooner) (?:to know|be told|have it ready)|help me (?:with|plan|find|"
    r"write)|what are the options)\b",
)
_WHY_ASKED = _net(
    r"\bwhat(?:'s| is) (?:it|that|this)(?: good)? for\b|\bwhat (?:it|that|this)(?:'s| is) for\b|\bwhy do you (?:ask|"
    r"want)\b|"
    r"\bwhy would you want\b|\bis (?:it|that|this) (?:on|for) (?:the|your|my|that) (?:form|file|record|notes?)\b|"
    r"\bis (?:it|that|this) (?:important|needed)\W*$|\bdoes (?:it|that) mean (?:something|anything)\W*$|"
    r"\bhow do you mean\b|\bwhat would you do with (?:it|that|the answer)\b|\bis there a right (?:one|answer)\b|"
    r"\bwhat would be a (?:good|right) answer\b|"
    r"\bshould i (?:know|have)\b[^.]{0,12}\?|\bis that "
    r"okay\W*$|"
    r"\bis (?:it|that) bad (?:if|that)\b",
)
"""Asks what a question was for, or whether an answer was right: about the therapist's doing, and easily answered."""
_NOT_ASKING = _net(
    r"^what (?:will|would|do|can) you call (?:it|that|this|him|her|me|such)\b",  # a verdict, in the form of a question
    r"\bwhat(?:'s| is) the (?:point|use|good)\b",
    r"\b(?:for|on|in) (?:the|your|that) (?:form|record|file|notes?)\b",
    r"\b(?:mean|matter|bad|wrong|important|strange|daft|silly|okay|ok|all right)(?: (?:something|thing to (?:say|"
    r"think|want|feel)|to say|of me|"
    r"then))?\s*\?\W*$",
    r"\bcan i (?:give|think|come back|leave|tell you|say that|do) (?:that|it|this)?\b",
    r"\bwhere were we\b|\bwhat would i want with\b|\bpass me\b|\bwhat do (?:i|you) (?:feel|remember|notice)\b|"
    r"\bsuch as what\b",
    r"^(?:what would you (?:think|say)|what would be a good answer|what do you think|"
    r"what (?:do|would) (?:people|they) (?:usually |normally )?(?:say|answer))\W*$",  # hands the question back
    r"\bwho (?:would|do|could) (?:i|ever)\b|\bwould you care\b|\bwhy would i\b",
    r"\b(?:because|cause|'cause),? what do (?:you|we) do\b|\bgot to do with\b|\bright answer\b|\bis (?:it|that) "
    r"(?:bad|wrong|okay|ok|all "
    r"right|strange|daft) (?:if|that|to)\b",
    r"\bwho asked\b",
    r"\bwhat do you (?:mean|want|think|care)",
    r"\bhow (?:do|would) you know\b",
    r"\bhow d'you mean\b",
    r"\bask you (?:something|a question)\b[^,]*\?",
    r"\bis that (?:so|it|right|me|all)\W*$",
    r"\bwhat good\b",
    r"\bdo i look\b",
    r"\bwho (?:cares|does that help|does it hurt)\b",
    r"\bwho do you think\b",
)
_PROCESS = _net(
    r"\bwho (?:do|must|would|can) (?:you|they)\b",
    r"\bwhom\b",
    r"\bwho (?:sees|reads|gets)\b|\bwho(?:'s| is) (?:writing|reading|keeping|going to (?:see|read))\b",
    r"\bgo any further\b",
    r"\binform\b",
    r"\bhow many (?:visits|times|sessions)\b",
    r"\bthe (?:process|procedure)\b",
    r"\bhow does (?:this|it) work\b",
    r"\bwhat (?:is it|do) you do\b",
    r"\bwhat happens (?:here|if|when)\b",
    r"\byour rules\b",
    r"\bdo you call\b",
)
_WORDING = _net(
    r"\b(?:to say|do i say|do i write|to write|the wording|first (?:line|sentence|word)|how (?:do|does|"
    r"can) (?:you|i|one|a (?:person|man|woman)|somebody) (?:tell(?! (?:if|whether|which|what|when|the (?:difference|"
    r"one)|it's)\b)(?![^.?!]*\b(?:"
    r"apart|from)\b)|begin|put it)|write it|put it to (?:him|her|them))\b",
)
_METHOD = _net(
    r"\b(?:give me|a way|a thing|something (?:for|to)|what do people do|(?:people|one|person) do\b|plan|"
    r"steps?|method|procedure|protocol|recipe|options|how (?:do|can|should) (?:i|you|people|they|we)|"
    r"what (?:should|can|could) i)\b",
)


_LEAVE = _net(
    r"^(?:(?:so|and|but|well|okay|um|sorry|please|then|right|look)[,.]?\s+)*(?:(?:can|could|may|might) i (?:just |"
    r"maybe )?"
    r"ask (?:you )?(?:something|a question|one thing|one (?:small )?question|a thing|a favou?r)(?: (?:else|first|"
    r"now|then|properly|plainly|"
    r"odd|silly|daft|straight))?|is it (?:okay|ok|all right|allowed) (?:if i|to) ask(?: (?:something|you something|a "
    r"question))?|am i allowed to ask(?: something)?|do you mind if i ask(?: you)?(?: something)?)\s*[?.]*\W*$",
)


def asks_leave(text: str) -> bool:
    """Whether all that is asked is whether something may be asked, whatever was told before it.

    Examples
    --------
    >>> asks_leave("Can I ask you something?"), asks_leave("Can I ask you something? Does it pass?")
    (True, False)
    >>> asks_leave("He sat with me all night. Can I ask you something properly?")
    True
    """
    plain = text.replace("’", "'").strip()
    if _LEAVE.search(plain):
        return True
    sentences = split_sentences(plain)
    last = sentences[-1] if len(sentences) > 1 else ""
    return bool(last) and "?" not in " ".join(sentences[:-1]) and _LEAVE.search(last) is not None


def asks_why(text: str) -> bool:
    """Whether somebody asks what a question was for, or whether the answer was a right one.

    Examples
    --------
    >>> asks_why("May I ask what it is for?"), asks_why("What is a good way to begin?")
    (True, False)
    """
    return _WHY_ASKED.search(text.replace("’", "'").strip()) is not None


_PASSES_OVER = _net(
    r"^(?:can|could|may|shall) (?:i|we) (?:please |just |maybe )*(?:not (?:do|talk about|go into|have)|skip|"
    r"leave|come back to|tell you) (?:that|this|it|them|that one|this one|him|her)"
    r"(?: (?:one|bit|part|later|another (?:time|day)|out|for now|there|next time))*\W*$",
    r"^(?:can|could|may|shall) (?:i|we) (?:please |just |maybe )*(?:tell you|say|answer|come back)(?: (?:that|"
    r"this|it))?"
    r"(?: one)? (?:later(?: on)?|after(?:wards)?|another (?:time|day)|some other (?:time|day)|next (?:time|week)|in a "
    r"(?:bit|minute|while))\W*$",
    r"^(?:come|get|go) back to (?:that|this|it)(?: one)?(?: (?:later|after(?:wards)?|in a (?:bit|minute|while)|another "
    r"(?:time|day)|next time))?\s*\?\W*$",
    r"^(?:is it (?:okay|ok|all right|fine) if|(?:do|would) you mind if) (?:i|we) (?:don't|do not|didn't|skip|"
    r"leave|pass "
    r"on|come back to) (?:answer |say |talk about |do )?(?:that|this|it)(?: one)?(?: (?:later|for now|out))?\s*\?\W*$",
)
_INVITES = re.compile(
    r"(?i:^(?:go on,? |no,? )?ask me (?:anything )?about )(?P<what>(?:the|my) [a-z]+)\b(?! of\b| that\b)"
)
_A_PAPER = r"(?:paper|letter|note|certificate|reference|e-?mail|statement|signature|form)\b"
_FILLED = r"(?:,? (?:like|you know|um|er|please|only|just|here|with me),?)*"
_PAPER = _net(
    rf"\b(?:a|one|the|some|this) (?:\w+ )?{_A_PAPER}{_FILLED},? (?:for you to sign|from you|off you)\b",
    rf"\b(?:can|could|will|would) you (?:just |please )?(?:write|sign|send|stamp|give|do) (?:me |us )?(?:a|an|the|one|"
    rf"that|this)? ?(?:\w+ )?{_A_PAPER}",
    rf"\bi(?:'m| am)? (?:just )?(?:want|need|would like|after)(?: is)?{_FILLED} (?:a|an|one) (?:short )?{_A_PAPER}",
    rf"\bi'd like (?:a|an|one) (?:short )?{_A_PAPER}",
    rf"\b(?:requests?|things?|want|wish|need|like|ask|came|come|here)\b(?! (?:was|were)\b)[^.?!]{{0,40}}\bto be "
    rf"(?:given|"
    rf"written) (?:a|an|one) (?:short )?{_A_PAPER}(?! by\b)",
    rf"\b(?:yes or (?:a )?no|yes,? or no)\b[^.?!]{{0,20}}\b(?:a|the|my|that|this) (?:short )?{_A_PAPER}",
    rf"(?:^|[.!] )(?:just |only )?(?:a|an|one) (?:short )?{_A_PAPER},? (?:that (?:says|shows|confirms|proves)|"
    rf"saying),? "
    r"(?:that )?i (?:was (?:here|there|ill|sick)|came|come|attend\w*|have been|can't|cannot|may)\b",
    r"\bsomething i can show\b|\bone (?:page|line|sentence),? (?:that says|saying)\b|\b(?:you|to) sign (?:it|this|that|"
    r"here)\b",
)
_RECORDS = _net(
    r"\bwhere(?:'s| does| do| will) (?:this|all (?:this|that|of (?:this|it))|what i(?:'ve)? (?:say|said|told you|tell "
    r"you))(?: all)? (?:go|end up|get kept)\b(?! (?:from here|next|wrong))[^.?!]*\?",
    r"\bi(?:'d)? (?:like|want|need) to know who(?:'s| is| sees| reads| will)\b[^.?!]{0,20}\b(?:read\w*|see\w*|"
    r"list\w+)\b",
    r"\bwho(?:'s| is| are|m is)? (?:it|this|that|all this|all that) for\b|\bwho(?:'s| is| will be)? (?:writing|reading|"
    r"keeping|recording|listening)\b[^.]*\?|\bwho (?:sees|reads|gets to (?:see|read)|writes|keeps)\b|\bwho(?:'s|"
    r" is) it "
    r"for\b|\bis (?:this|that|it|any of (?:it|this)) (?:being )?(?:written down|recorded|kept|saved)\b",
)
_OF_YOU = (
    r"(?:bill|house|home|name|age|wife|husband|family|kids|children|mother|father|car|phone|address|salary|star ?sign|"
    r"religion|hobbies)"
)
_OF_THE_LISTENER = _net(
    rf"\b(?:what|who|where|how much)(?:'s|\s+is|\s+was|\s+are|\s+were)(?:,? was)? your (?:last |own |real )?{_OF_YOU}"
    r"\b[^.]*\?",
    r"\b(?:have you|do you have)(?: got)? (?:any )?(?:solar|kids|children|family|brothers|sisters|(?:a|an) (?:wife|"
    r"husband|"
    r"family|dog|cat|car|garden|partner|boyfriend|girlfriend))\b[^.]*\?",
    r"\b(?:are you (?:married|single|religious|from (?:here|round here))|how old are you|where (?:are you|"
    r"do you come) from|"
    r"where do you live|do you (?:smoke|cook|follow (?:the )?football))\b[^.]*\?",
)


def _last(text: str) -> str:
    sentences = split_sentences(text.replace("’", "'").strip())
    return LEADING_IN.sub("", sentences[-1]) if sentences else ""


def asks_to_pass_over(text: str) -> bool:
    """Whether somebody asks whether something may be left out or told later: no question for a fact.

    Examples
    --------
    >>> asks_to_pass_over("Can we skip that one?"), asks_to_pass_over("Can we find a way to sleep?")
    (True, False)
    """
    return _PASSES_OVER.match(_last(text)) is not None


def invited_to(text: str) -> str:
    """Return what somebody invites the listener to ask about, as said to them; ``""`` where nobody does.

    Examples
    --------
    >>> invited_to("Work's dull. Ask me about my garden, yeah?"), invited_to("He asked me about it.")
    ('your garden', '')
    """
    for sentence in split_sentences(text.replace("’", "'")):
        found = _INVITES.match(LEADING_IN.sub("", sentence))
        if found is not None:
            return re.sub(r"^my\b", "your", found["what"], flags=re.IGNORECASE)
    return ""


def asks_for_a_paper(text: str) -> bool:
    """Whether a letter, a note, a signature or the like is asked for.

    Examples
    --------
    >>> asks_for_a_paper("I have a paper for you to sign."), asks_for_a_paper("I wrote a letter to my son.")
    (True, False)
    """
    return _PAPER.search(text.replace("’", "'")) is not None


def asks_about_records(text: str) -> bool:
    """Whether somebody asks who writes this down, reads it, or whom it is for.

    Examples
    --------
    >>> asks_about_records("Who's writing this down, by the way?"), asks_about_records("Who wrote it, I don't know.")
    (True, False)
    """
    return _RECORDS.search(text.replace("’", "'")) is not None


def asks_of_the_listener(text: str) -> bool:
    """Whether somebody asks about the listener's own life, as if there were one.

    Examples
    --------
    >>> asks_of_the_listener("What was your last bill?"), asks_of_the_listener("What is your plan for today?")
    (True, False)
    """
    return _OF_THE_LISTENER.search(text.replace("’", "'")) is not None


def _asks_something_particular(text: str) -> bool:
    asked = asks_to_pass_over(text) or invited_to(text) or asks_for_a_paper(text)
    return bool(asked) or asks_about_records(text) or asks_of_the_listener(text) or bool(asked_back(text))


@lru_cache(maxsize=64)
def _put_to_somebody(sentences: Sequence[str]) -> list[str]:
    """Return the sentences without questions about oneself that the speaker goes on from: they are put to nobody."""
    return [s for i, s in enumerate(sentences) if i == len(sentences) - 1 or not _TO_ONESELF.match(s)]


_TO_ONESELF = re.compile(
    r"(?:so |and |but )?(?:what|why|how|who|when|where)(?:'ve|'d| have| was| did| had) i\b(?!.*\byou\b).*\?",
    re.IGNORECASE,
)


def wanted(text: str) -> Wanted | None:
    """Return what kind of help is asked for: about the therapist, words to say, a way, or a fact.

    Examples
    --------
    >>> wanted("How does a person begin, with his wife?")
    'wording'
    >>> wanted("What's the point of it?") is None
    True
    """
    text = text.replace("’", "'").strip()
    if asks_leave(text) or (len(text.split()) <= _ONLY_ASKED and asks_why(text)):
        return "about_me"
    if _asks_something_particular(text):
        return "about_me"
    text = " ".join(_put_to_somebody(split_sentences(text)))
    found = _WISHES.search(text) is not None
    for sentence in split_sentences(text):
        plain = LEADING_IN.sub("", sentence)
        for asked in (plain, _SHORT_LEAD.sub("", plain)):
            asking = (
                len(asked.split()) >= (4 if asked == sentence else 3)
                and _ASKS.match(asked)
                and not _NOT_ASKING.search(asked)
            )
            found = found or bool(asking)
    known = asks(text)
    if not found and (known is None or "?" not in text or _NOT_ASKING.search(text)):
        return None
    if _PROCESS.search(text):
        return "about_me"
    if _WORDING.search(text):
        return "wording"
    if known is not None:
        return known  # type: ignore[return-value]
    return "method" if _METHOD.search(text) else "info"
