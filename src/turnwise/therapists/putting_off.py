"""Whether somebody puts a question off or declines it: one net for all who have to know.

Both are plain things to say and no complaint: nothing is owed but to leave it. So the forms are whole sentences and
not words in passing: "We can come to that later" puts off, "I came home later" tells; "I'd rather not say" declines,
"I'd rather not be alone" is as good an answer as any.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from turnwise.reading.sentences import split_sentences

__all__ = ["PutOff", "only_puts_off", "put_off_in", "puts_off_sentence"]

PutOff = Literal["later", "declined"]
"""``later``: not now, and that is no refusal; ``declined``: not this."""

_LEAD = (
    r"(?:(?:um+|uh+|er+m?|ah+|oh|hm+|mm+|ehn?|ach|okay|ok|well|so|no|nah|yes|yeah|and|but|or|now|look|please|sorry|"
    r"maybe|"
    r"perhaps|possibly|honestly|actually|thanks|thank you|I think|I guess|if I may|to be honest|if (?:that|it)(?:'s| "
    r"is) "
    r"(?:okay|ok|all right|fine))(?: then)?[,.]? )*"
)
_TAIL = (
    r"(?:,? (?:please|sorry|mind|maybe|perhaps|then|though|thanks|thank you|like|I think|I guess|I suppose|see|you "
    r"know|you see|"
    r"love|mate|dear|doctor|sir|yeah|okay|can we|could we|may I|for me|with you|honestly|to be honest|"
    r"if (?:that|it|you|I|we)(?:'s| is|'re| are|'d| would| do| can| may| could)?(?: \w+(?:'t)?){0,4}|"
    r"(?:until|till) (?:I|we)(?:'m|'re| am| are) \w+))*\W*$"
)
_IT = r"(?:(?:that|this|it|these|those|them)(?: (?:ones?|part|bit|question|item|subject|topic))?|(?:the|your) question)"
_LATER = (
    r"(?:(?:for )?(?:later(?: on)?|now|today|tonight|the (?:moment|time being)|another (?:day|time|session)|(?:some "
    r"other|a "
    r"different) (?:day|time)|next (?:time|week|session)|tomorrow)|after(?:wards)?|in (?:a (?:bit|minute|while|"
    r"moment)|time)|"
    r"further on|some day|(?:until|till) (?:later|next (?:time|week)|another (?:day|time)))"
)
_AGAIN = (
    r"(?:(?:for )?(?:later(?: on)?|another (?:day|time|session)|(?:some other|a different) (?:day|time)|next (?:time|"
    r"week|"
    r"session)|tomorrow)|after(?:wards)?|in (?:a (?:bit|minute|while|moment)|time)|further on|some day)"
)
"""The same without "now" and "today": of something that is told then."""
_MAY = r"(?:can|could|may|might|shall|should) (?:we|I) (?:(?:please|just|maybe|perhaps) )*"
_WILL = (
    r"(?:we|I)(?:'ll|'d| will| would| can| could| may| might)(?: (?:have|want|like) to| rather| sooner| prefer to)?"
    r"(?: (?:just|please|only))*"
)
_RATHER = r"I(?:'d| would) (?:much |just )?(?:rather|sooner|prefer(?: to)?)"
_SET_ASIDE = r"(?:leave|skip|drop|park|pass on|pass over|miss out|save|keep|hold|postpone|put (?:aside|away|off))"


def _whole(*forms: str) -> re.Pattern[str]:
    """Return a pattern for a sentence that is one of ``forms`` and nothing more."""
    return re.compile(rf"^\W*{_LEAD}(?:{'|'.join(forms)}){_TAIL}", re.IGNORECASE)


_LATER_ANYWHERE = _whole(
    rf"{_MAY}(?:come back|return|get back|get|come|turn) (?:to|round to|on to) {_IT}(?: {_AGAIN})?",
    rf"{_MAY}go (?:back )?(?:to|into) {_IT} {_AGAIN}",
    rf"{_MAY}(?:do|talk about|discuss|look at|answer|{_SET_ASIDE}) {_IT} (?:for )?{_LATER}",
    rf"{_MAY}(?:tell|say|answer|give) (?:you )?{_IT} {_AGAIN}",
    rf"{_MAY}(?:park|postpone|put off) {_IT}|{_MAY}put {_IT} (?:off|aside)(?: {_LATER})?",
    rf"(?:let's|let us|we(?:'ll|'d better| should| must)) (?:park|postpone) {_IT}(?: {_LATER})?|park {_IT}(?: "
    rf"{_LATER})?",
    rf"(?:(?:let's|let us|{_WILL}|{_RATHER}) )?{_SET_ASIDE} {_IT} (?:there )?(?:for )?{_LATER}",
    rf"{_WILL} (?:come back|return|get back|go back|come|get|go) (?:to|round to|on to|into) {_IT} {_AGAIN}",
    rf"(?:let's|let us|we) (?:come back|return|get back|come|get) to {_IT}(?: {_AGAIN})?",
    rf"(?:come|get) back to {_IT}(?: {_AGAIN})?|come to {_IT} {_AGAIN}",
    rf"{_WILL} (?:tell|say|answer|talk|look at|discuss|do) (?:you )?(?:about )?{_IT} {_AGAIN}",
    rf"(?:you can |you could |you may )?ask me (?:about )?(?:{_IT} )?(?:again )?{_AGAIN}",
    rf"(?:that|this)(?: one| part| bit| question)?(?: can| could|'ll have to| will have to| has to| may| might) wait"
    rf"(?: {_LATER})?|(?:can|could) (?:that|this)(?: one)? wait(?: {_LATER})?",
    rf"(?:that|this)(?: one| part| bit| question)?,? (?:is |'s |{_WILL} (?:keep|leave|save|hold|do) )?(?:for "
    rf")?{_AGAIN}",
    rf"(?:that|this)(?: one| part| bit| question)?'s (?:for )?{_AGAIN}",
    rf"(?:that|this) (?:one |part |bit )?{_WILL} (?:keep|leave|save|hold) (?:for )?{_LATER}",
    rf"{_RATHER} not[,.]? (?:(?:say|answer|talk|go into|get into|do)(?: (?:it|that|this)(?: one)?)? )?(?:just |right |"
    rf"yet )?"
    r"(?:now|yet|today|tonight|at the moment)",
    r"I(?:'m| am) not (?:quite |really )?ready (?:for (?:that|this|it)|to (?:say|tell|answer|(?:talk|speak) about|go "
    r"into|"
    r"get into|discuss)(?: (?:that|this|it))?)(?: (?:one|yet|now|today))*",
    r"(?:another|some other) (?:day|time)(?: for (?:that|this|it)(?: one)?|(?=,? (?:please|if)))",
    r"not (?:just |right )?now(?=,? (?:please|if|thank))",
)
_LATER_ALONE = _whole(
    r"(?:maybe |perhaps |some )?(?:another|some other|a different) (?:day|time)(?: (?:for|with) (?:that|this|it)(?: "
    r"one)?)?",
    r"later(?: on)?|not (?:just |right )?now|not (?:today|tonight|yet|here)(?=,? (?:please|if|thank))",
    r"(?:we|I)(?:'ll| will| can| could)? (?:come|get) (?:back )?to (?:that|this|it)(?: one)?",
    rf"(?:we|I|you)(?:'ll| will| can| could|'d have to| would have to|'d want to) (?:come|get|go) (?:back )?(?:to "
    rf"(?:that|it)"
    rf"|there)(?: {_AGAIN}| again)?",
    r"(?:that|this)(?: one| part| bit)?(?:'ll| will)? comes? (?:later(?: on)?|after(?:wards)?|in time)",
    rf"it (?:can|will have to|has to|may|might) wait(?: {_LATER})?",
    r"in (?:a (?:bit|minute|while|moment)|time)",
)
"""Forms that put something off only where nothing else is said: in a story they tell when."""
_TALK = (
    r"(?:talk(?:ing)?|speak(?:ing)?) (?:about|of) (?:that|this|it|him|her|them|all (?:that|this)|any of (?:that|this|"
    r"it)|(?:my|our|his|her|their|the) \w+(?: \w+)?)"
)
_INTO = (
    rf"(?:say(?:ing)?(?: (?:so|it|that|more|anything))?|tell(?: you)?(?: (?:that|this|it))?|answer(?:ing)?(?: {_IT})?|"
    rf"discuss(?:ing)? {_IT}|{_TALK}|(?:go|get|going|getting) (?:into|in to|near) (?:{_IT}|details|the details|all "
    rf"(?:that|this))|(?:do|doing|touch|touching|open|opening) (?:that|this|these|it)(?: one| part| bit| question)?|"
    rf"go(?:ing)? there|"
    r"be asked(?: (?:that|this|about (?:it|that|this)))?)(?: (?:here|with you|now|again|any ?more|any further|one|"
    r"further))*"
)
_DECLINED_ANYWHERE = _whole(
    rf"{_MAY}(?:not (?:do|talk about|go into|discuss) {_IT}|{_SET_ASIDE} {_IT}|(?:talk|speak) about something else|"
    r"(?:change|leave) the (?:subject|topic)|(?:move|go) on(?: to something else)?|do (?:another|a different) one)"
    r"(?: (?:out|alone|there|be|bit|at that|so))*",
    rf"(?:let's|let us|{_WILL}|{_RATHER}) (?:skip|leave|drop|pass on|pass over|miss out) {_IT}(?: (?:out|alone|there|"
    rf"be|so|at "
    r"that|bit|unanswered))*",
    r"(?:let's|let us) (?:not(?: (?:go there|do (?:that|this)|talk about (?:it|that|this)))?|(?:talk|speak) about "
    r"something "
    r"else|(?:change|leave) the (?:subject|topic))",
    r"(?:just )?(?:skip|leave|drop|pass on) (?:that|this|it)(?: (?:one|part|bit|question|item|subject))"
    r"(?: (?:out|alone|there|be|so))*|(?:just )?skip (?:that|this|it)|leave (?:that|this) (?:out|alone|be)",
    rf"(?:that(?: one)? |this one )?{_RATHER} not(?:,? {_INTO})?(?:,? {_IT})?",
    r"(?:that(?: one)? |this one )?(?:I(?:'d| would) )?(?:rather|sooner|prefer) not(?: (?:to|say|answer|go there))*",
    rf"{_RATHER} you (?:didn't|did not)(?: ask(?: (?:that|me that|about (?:that|it)))?)?",
    rf"I (?:don't|do not) (?:really |quite )?(?:want to|wish to|care to|feel like|like to|like) {_INTO}",
    rf"I(?:'m| am) not (?:doing|answering|touching) {_IT}",
    rf"I(?:'m| am) not going to {_INTO}|I (?:won't|will not) {_INTO}",
    r"I(?:'d| would) (?:skip|drop|pass on|pass over) (?:that|this|it)(?: (?:one|part|bit|question))?",
    r"I(?:'d| would) leave (?:that|this)(?: (?:one|part|bit|question))?(?: (?:out|alone|there|be|so|unanswered))*",
    r"that(?:'s| is) (?:a bit |rather |very |too )?(?:private|personal)",
    r"(?:ask me )?(?:anything but that|something else|another (?:one|question)),? please|next (?:one|question)(?:,? "
    r"please)?",
    r"not (?:that|this) (?:one|part|bit|question|subject|topic)(?=,? (?:please|if))",
)
_DECLINED_ALONE = _whole(
    r"not (?:that|this) (?:one|part|bit|question|subject|topic)",
    r"(?:just )?(?:leave|drop) (?:it|that|this)(?: (?:out|alone|there|be|so))*",
    rf"I(?:'d| would) leave {_IT}(?: (?:out|alone|there|be|so))*",
)
_COURTESY = re.compile(
    r"^\W*(?:(?:so |very |I'm |I am )*sorry|thanks?(?: you)?|please|if (?:you don't mind|I may|that's \w+(?: \w+)?)|"
    r"no offen[cs]e|okay|ok|no|yes|it's \w+)[.!… ]*$",
    re.IGNORECASE,
)
_LONG = 16  # words: who says more in one sentence says something of their own
_TURN = 45  # words of a turn in which a question can be put off, with something else told


def _read(sentence: str, *, alone: bool) -> PutOff | None:
    plain = sentence.replace("’", "'").strip()
    if len(plain.split()) > _LONG:
        return None
    if _LATER_ANYWHERE.match(plain) or (alone and _LATER_ALONE.match(plain)):
        return "later"
    if _DECLINED_ANYWHERE.match(plain) or (alone and _DECLINED_ALONE.match(plain)):
        return "declined"
    return None


def puts_off_sentence(sentence: str) -> PutOff | None:
    """Return whether one sentence, with nothing said beside it, puts a question off or declines it.

    Examples
    --------
    >>> puts_off_sentence("That one later, please."), puts_off_sentence("I'd sooner not go into it.")
    ('later', 'declined')
    >>> puts_off_sentence("I came back to it later."), puts_off_sentence("I'd sooner not be alone.")
    (None, None)
    """
    return _read(sentence, alone=True)


@lru_cache(maxsize=256)
def only_puts_off(text: str) -> PutOff | None:
    """Return whether a turn says nothing but that: a question said again and a courtesy beside it do not count.

    Examples
    --------
    >>> only_puts_off("What did I think? Another day, maybe. Sorry."), only_puts_off("Another day, another bill.")
    ('later', None)
    >>> only_puts_off("Can we leave that? I rang my brother instead.")
    """
    said = [s for s in split_sentences(text) if not _COURTESY.match(s)]
    read = [_read(s, alone=True) for s in said]
    while len(said) > 1 and read[0] is None and said[0].rstrip().endswith("?"):
        said, read = said[1:], read[1:]
    return read[0] if read and all(read) else None


def put_off_in(text: str) -> PutOff | None:
    """Return whether something is put off or declined in a turn, whatever else it tells.

    Examples
    --------
    >>> put_off_in("Can we leave that? I rang my brother instead."), put_off_in("I left that out.")
    ('declined', None)
    """
    if len(text.split()) > _TURN:
        return None
    whole = only_puts_off(text)
    found = [_read(s, alone=False) for s in split_sentences(text)]
    return whole or next((x for x in found if x), None)
