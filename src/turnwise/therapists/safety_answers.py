"""What somebody answered who was asked about dying, by their own words: yes, no, no but, not now, then, later, who.

Nets of English phrases, used after that question only, and still fallible; where none of them holds the answer is
met as one that may be a yes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from turnwise.reading.ears.danger import is_danger
from turnwise.reading.sentences import split_sentences
from turnwise.therapists.putting_off import put_off_in, puts_off_sentence
from turnwise.therapists.spoken import is_non_answer
from turnwise.therapists.wording import MAX_QUOTED, capital

__all__ = [
    "Answer",
    "answer_in",
    "back_at",
    "held_by",
    "kept_out",
    "leaves_it",
    "limit_in",
    "names_means",
    "person_in",
    "puts_off",
    "said_before",
    "then",
]

Answer = Literal["yes", "denied", "passive", "limited", "past", "veiled", "put_off", "no_words", "told"]
"""``passive``: nothing would be done, and it is there; ``limited``: no, but not now only; ``told``: anything else."""


def _net(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


_SHORT = 16  # words up to which a turn can be no more than a putting off, or the name of somebody
_LEAD = r"^(?:(?:oh|well|god|good lord|look|ah|honestly|mate|love|hand on heart)\W+)*"
_NO = _net(
    _LEAD + r"(?:no|nope|nah)\b(?! (?:idea|notion|clue|thought on|view|answer|words?)\b)",
    _LEAD + r"(?:not (?:that|like that|dead|me|at all|really)|never|nothing like that|god forbid|of course not)\b",
    r"\byou can (?:write|put)(?: down)? no\b|\bit(?:'s| is) a sin\b",
)
_NOT_DO = _net(
    r"\bi(?:'d| would|'ll| will)?(?: not| never|n't)? ?(?:wouldn't|would not|would never|won't|couldn't|could not|"
    r"not|never) (?:ever )?do (?:it|that|anything|a thing|such a thing|nothing)\b",
    r"\bi(?:'d| would) do nothing\b|\b(?:no|haven't (?:got )?a|don't have a) plans?\b|\bnot planning\b|"
    r"\bi(?:'m| am) (?:staying|not going to)\b",
)
_THERE = _net(
    r"\bstand in its way\b|\bsend for it\b|\b(?:not|n't) (?:mind(?:ing)?|argue|complain)\b",
    r"\b(?:sooner|rather|prefer) not (?:to )?(?:be|wake|have)\b|\bnot wak(?:e|ing)\b|\boff, more\b|"
    r"\bif it (?:came|come|didn't stop|stopped|took me)\b|\bwish (?:it|i) (?:was|were)\b|\bweight off\b",
    r"\bbefore the (?:end|last)\b|\bthe last of it\b|\bdo(?:n't| not) ask (?:god|him) for\b",
)
_VEILED = _net(
    r"\b(?:like|want|love|need|ready) to (?:rest|sleep|stop|go|have it over|lie down|be (?:left|done|away|gone))\b",
    r"\b(?:put|say) (?:it )?no (?:higher|more than)\b|\btired is a different\b|\b(?:only|just) (?:want )?"
    r"(?:peace|quiet|a rest|a long rest|sleep|some sleep)\b|\bto be done with it\b|\ba long (?:lie-in|sleep|rest)\b|"
    r"\bhad enough of it\b",
)
_YES = _net(
    _LEAD + r"(?:yes|yeah|yep|aye|i do|i have|i am|it does|it has|maybe|perhaps|part of me|a bit|some\b(?! (?:day|one|"
    r"people|of them|would|do\\b))|sometimes|some (?:days|nights)\b|now and (?:then|again)|often|most (?:days|nights)|"
    r"every (?:day|night)|once or twice|at times|off and on|on and off)\b",
    r"\bnot a no\b",
)
_NOT_NOW = _net(
    r"\bnot (?:now|any ?more|these days|for (?:a long time|years)|since)\b|\bno longer\b",
    r"\bthat(?:'s| is) (?:over|past)\b|^not any ?more\b",
    r"\b(?:has(?:n't| not)|it never|never) (?:come|came) back\b|\bthat was (?:then|years|a long)\b",
)
_THEN = _net(
    r"\b(?:years?|winters?|summers?|months?|weeks?|long) (?:ago|back|before)\b|\bback then\b|\bwhen i (?:was|had|lost|"
    r"fell|came|lived)\b|\b(?:in )?(?:my|the|that|last|one) (?:first )?"
    r"(?:winter|summer|spring|autumn|year|christmas)\b|"
    r"\bused to\b|^once\b|[.,] once\b|\bat (?:the|that) time\b",
)
_NOT_YET = re.compile(r"(?:^|[.!,;] )not (?:just |right )?(?:now|yet|today)[.!]*\s*$", re.IGNORECASE)
_WAS_CLOSE = re.compile(
    r"\bI(?:'d| had) (?:decided|planned it|tried)\b|\bI (?:nearly|almost) (?:did|went)\b|\bI tried (?:it|to|once)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\bnot (?:(?:for |at |just |right )?(?:now|yet|today|tonight|the moment|the minute)|this (?:time of (?:the )?year|"
    r"week|month|year|minute|second|winter|summer|spring|autumn)|these days|lately|in the (?:daytime|mornings?)|"
    r"as long as [^.,;!?]{3,40}|while [^.,;!?]{3,40})(?=[.,;!?]|$)",
    re.IGNORECASE,
)
_LATER = _net(
    _LEAD + r"(?:not (?:that|this) (?:one|bit|part|question)|leave (?:that|this|it)(?: one)?|skip (?:it|that)|pass)\b",
    r"\bi (?:do(?:n't| not)|(?:really|just|honestly) do(?:n't| not)) (?:really )?want to (?:talk about|answer|"
    r"(?:get|go) into (?:that|this|it|details|why|how)|say(?=[.,!?]|$| (?:that|so|it|more|how|what|why|when)))\b|"
    r"\bnot ready to (?:say|talk|answer)\b",
    r"\bi(?:'d| would) (?:much )?(?:rather|sooner|prefer) not(?: to)? (?:say|tell|answer|talk|go into|get into|"
    r"discuss)\b",
)
"""Where it is about dying, a refusal in passing counts as well: it is better asked again later than pressed now."""
_ABOUT_WHEN = re.compile(r"^\W*(?:no\W+)?not (?:just |right )?now\b(?!,? (?:please|if))", re.IGNORECASE)
"""Asked about thoughts of dying, "not now" says when they are not there."""
_DONE_TO = re.compile(
    r"\bdo (?:it|that|such a thing|this) to (?P<who>(?:Mrs?|Ms|Dr)\.? [A-Z]\w+|[A-Z][a-z]{2,}|my "
    r"(?:little |wee )?[a-z]{3,})\b"
    r"|\b[Nn]ever (?:been )?with (?P<with>[A-Z][a-z]{2,}|the (?:baby|children|kids|boys|girls|little \w+)|my "
    r"(?:little |wee )?"
    r"[a-z]{3,})\b"
)
_SMALL = re.compile(
    r"\b(?:bab(?:y|ies)|child(?:ren)?|kids?|boys?|girls?|little \w+|wee \w+|bairns?|weans?|grand(?:child(?:ren)?|sons?|"
    r"daughters?|kids)|toddler|newborn|twins|dog|cat|pets?)\b",
    re.IGNORECASE,
)
_WHAT_I_AM = re.compile(
    r"\bI(?:'m| am) (?P<am>an? (?:father|mother|grandfather|grandmother|husband|wife|dad|mum|mother of \w+|father of "
    r"\w+|believer|Christian|Muslim))\b|\bI(?:'ve| have)(?: got)? (?P<have>(?:a|two|three|four|five|my) "
    r"(?:child(?:ren)?|kids|sons?|daughters?|boys?|girls?|grandchild(?:ren)?|family))\b"
)
_MEANS = re.compile(
    r"\b(?:in the (?:car|garage|bath|river|sea|water)|on the (?:bridge|platform|roof|motorway|road|cliff)|at the "
    r"(?:wheel|bridge|station|crossing)|by the (?:river|water|tracks|line))\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:tablets|pills|rope|gun|knife|knives|blades?|bridge|overdose|the medication|my meds|under (?:a|the) (?:train|"
    r"lorry|bus)|the train|hosepipe)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"n't\b|\b(?:not|never|nobody|no one|without|except)\b", re.IGNORECASE)
_RELATION = (
    r"(?:friend|mate|wife|husband|partner|girlfriend|boyfriend|sister|brother|mother|father|mum|mom|mam|dad|son|"
    r"daughter|neighbour|neighbor|colleague|coworker|boss|manager|cousin|aunt|uncle|nephew|niece|roommate|flatmate|"
    r"grandson|granddaughter|pastor|priest|imam|rabbi|nurse|GP|doctor)"
)
_OF_OTHERS = re.compile(
    r"^(?:the|an?|he|she|they|it|we|our|their|his|this|that)\b(?!.*\b(?:be|is|was|been)\s*$)(?!.*'s\s*$).*\w",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    rf"\b(?P<title>(?:Mrs|Mr|Ms|Dr)\.? [A-Z][a-z]+)\b|\b[Mm]y (?P<kin>{_RELATION})\b(?!'s|-in-law)"
    rf"(?: (?:at|from) (?:work|church|school|home))?(?:,? (?P<name>(?!Mrs?\b|Ms\b|Dr\b|I\b)[A-Z][a-z]{{2,}}))?"
    r"|(?:^|[.,] )(?P<bare>(?!He\b|She\b|They\b|Who\b|Nobody\b|Everyone\b|Everybody\b|Somebody\b|God\b|It\b|That\b)"
    r"[A-Z][a-z]{2,}) (?:knows|would (?:come|listen|understand|sit))\b"
    r"|(?:^|[.,] )[Tt]here(?:'s| is) (?:always |only |just )?(?P<there>(?!God\b|I\b)[A-Z][a-z]{2,})\b(?=[.,;!]|$)"
)


def puts_off(text: str) -> bool:
    """Whether a question about safety is put off or declined for now.

    Examples
    --------
    >>> puts_off("What keeps me safe? I'd sooner leave that."), puts_off("We can come to that later.")
    (True, True)
    >>> puts_off("I'd sooner not be there for the last of it."), puts_off("I never leave the house.")
    (False, False)
    >>> puts_off("Not now."), puts_off("Not now, please."), puts_off("Another day. There's my dad as well.")
    (False, True, True)
    """
    plain = text.replace("’", "'").strip()
    if not 1 <= len(plain.split()) <= _SHORT or _ABOUT_WHEN.match(plain):
        return False
    first = split_sentences(plain)[:1]
    return bool(put_off_in(plain) or any(map(puts_off_sentence, first)) or _LATER.search(plain))


def leaves_it(text: str) -> bool:
    """Whether a sentence of ``text`` sets the question aside, whatever of their own somebody goes on to.

    Examples
    --------
    >>> leaves_it("I would leave that. My sister rang, by the way, on Sunday, and we spoke of her house for an hour.")
    True
    >>> leaves_it("I leave the light on.")
    False
    """
    return any(puts_off(s) for s in split_sentences(text.replace("’", "'"))[:2])


def answer_in(text: str) -> Answer:
    """Return what was answered to the question whether there are thoughts of dying.

    Examples
    --------
    >>> answer_in("Some. Not like right this second."), answer_in("No. Of that I have no plan at all.")
    ('yes', 'denied')
    >>> answer_in("No. Hand on heart, no. Not this time of year."), answer_in("I would like to rest.")
    ('limited', 'veiled')
    >>> answer_in("Not now. Once, when I was nineteen. It has not come back.")
    'past'
    >>> answer_in("No. I wouldn't do that to her. I'd not stand in its way, if it came.")
    'passive'
    """
    plain = text.replace("’", "'").strip()
    if puts_off(plain):
        return "put_off"
    if is_non_answer(plain):
        return "no_words"
    denies = _NO.search(plain) is not None or _NOT_DO.search(plain) is not None
    if _WAS_CLOSE.search(plain):
        return "past"
    there = _THERE.search(plain) is not None or (is_danger(plain) and denies)
    if _THEN.search(plain) and (_NOT_NOW.search(plain) or _THEN.match(plain)) and not there:
        return "past"
    if denies:
        return "passive" if there else "limited" if limit_in(plain) else "denied"
    if _YES.search(plain):
        return "yes"
    if there and _NOT_YET.search(plain):
        return "passive"  # "I'd go before the end of it. Not now.": it is there, and not only at another time
    if there or _VEILED.search(plain):
        return "veiled"
    return "limited" if limit_in(plain) else "told"


def limit_in(text: str) -> str:
    """Return the words with which a no is limited to a time, or ``""``.

    Examples
    --------
    >>> limit_in("No. Not this time of year."), limit_in("I'm not now as tall as I was.")
    ('Not this time of year', '')
    """
    found = _LIMIT.search(text.replace("’", "'"))
    words = found.group() if found else ""
    return "" if re.search(r"\b(?:I|I'm|my|me)\b", words) else capital(words)


def held_by(text: str) -> tuple[str, str]:
    """Return the person it would not be done to, and what somebody says they are or have; each may be ``""``.

    Examples
    --------
    >>> held_by("No. I wouldn't do that to Delyth."), held_by("God forbid it. I am a father.")
    (('Delyth', ''), ('', "you're a father"))
    """
    plain = text.replace("’", "'")
    who, what = _DONE_TO.search(plain), _WHAT_I_AM.search(plain)
    person = (who.group("who") or who.group("with")) if who else ""
    reason = ""
    if what:
        reason = f"you're {what.group('am')}" if what.group("am") else f"you have {what.group('have')}"
    return re.sub(r"^my ", "your ", person), reason.replace("have my", "have your")


def kept_out(text: str) -> bool:
    """Whether who it would not be done to may be a child, or was named as not there: nobody who could be told of it.

    Examples
    --------
    >>> kept_out("And never with Iona in it."), kept_out("I wouldn't do that to my kids.")
    (True, True)
    >>> kept_out("I wouldn't do that to my wife.")
    False
    """
    who = _DONE_TO.search(text.replace("’", "'"))
    return who is not None and bool(who.group("with") or _SMALL.search(who.group("who") or ""))


def person_in(text: str) -> str:
    """Return the first person named who may help, as a therapist would name them; ``""`` where nobody is.

    Examples
    --------
    >>> person_in("If I must, my friend Uzo. He is far enough."), person_in("My neighbour Mrs Schofield, and my GP.")
    ('Uzo', 'Mrs Schofield')
    >>> person_in("My sister, maybe."), person_in("I've not told my daughter."), person_in("It comes at night.")
    ('your sister', '', '')
    """
    for sentence in split_sentences(text.replace("’", "'")):
        if _NEGATED.search(sentence):
            continue
        found = list(_KNOWN.finditer(sentence))
        if found and _OF_OTHERS.match(sentence[: found[0].start()]):
            continue  # "The office pays my cousin": told of somebody, and not who could help
        named = next(
            (m.group("title") or m.group("name") or m.group("bare") or m.group("there") for m in found[:1]), None
        )
        if named is None and found:  # "my neighbour Mrs Schofield": the name right after it
            after = found[1].group("title") if len(found) > 1 and found[1].start() - found[0].end() <= 2 else None
            named = after or f"your {found[0].group('kin')}"
        if named:
            return named
    return ""


def names_means(text: str) -> tuple[str, bool]:
    """Return the place that was named with the thought, or ``""``, and whether a means of dying was named.

    Examples
    --------
    >>> names_means("On my own in the car I've thought I'd not mind."), names_means("The tablets, I suppose.")
    (('in the car', False), ('', True))
    """
    place = _MEANS.search(text)
    return (place.group().lower() if place else ""), _PLANNED.search(text) is not None


def back_at(text: str, before: Sequence[str]) -> bool:
    """Whether ``text`` names the place again that was named with the thought in a turn ``before``.

    Examples
    --------
    >>> there = "Off, more. On my own in the car I've thought I'd not mind if it didn't stop."
    >>> back_at("When she's unsettled I take her up there in the car.", [there])
    True
    >>> back_at("We sat in the car and ate chips.", ["I left it in the car."])
    False
    """
    place = names_means(text)[0]
    return bool(place) and any(names_means(said)[0] == place and _speaks_of_dying(said) for said in before)


def _speaks_of_dying(said: str) -> bool:
    return is_danger(said) or _THERE.search(said) is not None


def said_before(text: str) -> str:
    """Return the words that made somebody ask, as they were said and short enough to quote; ``""`` if none can be.

    Examples
    --------
    >>> said_before("It was late. I hope I don't wake up. Put it that way.")
    "I hope I don't wake up"
    >>> said_before("There's a question I left blank. It's not a no.")
    ''
    """
    for sentence in split_sentences(text.replace("’", "'")):
        whole = re.sub(r"^(?:And|But|So|To be honest|Honestly|Let me see),? ", "", sentence.strip().rstrip(".!… "))
        whole = whole[:1].upper() + whole[1:]
        for at in (0, *(m.end() for m in re.finditer(r", (?=I\b)", whole))):
            words = whole[at:]
            short = 3 <= len(words.split()) <= MAX_QUOTED and not re.search(r"[\"“”?]", words)
            if short and is_danger(words):
                return words
    return ""


def then(text: str) -> bool:
    """Whether what was said of dying was said of a time that is over.

    Examples
    --------
    >>> then("My first winter here, I did not think I would need one."), then("These days I don't mind it.")
    (True, False)
    """
    risky = [s for s in split_sentences(text) if is_danger(s)] or [text]
    if any(re.search(r"\b(?:these days|now|some nights|lately|still)\b", s, re.IGNORECASE) for s in risky):
        return False
    return _THEN.search(text.replace("’", "'")) is not None
