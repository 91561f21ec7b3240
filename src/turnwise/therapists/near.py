"""Questions about what was just said: the person, the time, the thing that stopped, not the next item of a list.

Each asks one thing, can be answered from the patient's own experience, and presupposes nothing that was not said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from numpy.random import Generator

from turnwise.therapists.emotions import voiced
from turnwise.therapists.giving_back import weighty
from turnwise.therapists.held_out import DIRECT
from turnwise.therapists.mattering import burdens, is_administrative, tense_of
from turnwise.therapists.reflecting import Heard, Line, shuffled
from turnwise.therapists.topics import answered_with, topic_in
from turnwise.therapists.wording import Phrase, people

__all__ = ["FEELING_ASKED", "naming", "near_questions", "tells_an_event", "times", "who_in"]

_ABOUT: Mapping[str, tuple[str, ...]] = {
    "feeling": (
        "When is that strongest?",
        "What do you do, when you feel like that?",
        "How long has it been like that?",
    ),
    "limit": (
        "What happens, when you try?",
        "What gets in the way, as far as you can tell?",
        "What do you do instead?",
        "When did it last go better?",
    ),
    "alone": (
        "Who comes nearest to knowing?",
        "What would you want somebody to know?",
        "What's that like, at the end of the day?",
        "How long has it been like that?",
    ),
    "loss": (
        "What was it like before?",
        "What has it been like since?",
        "What do you miss most?",
        "What is it like now, on an ordinary day?",
    ),
    "bereaved": (
        "What do you miss most?",
        "What has it been like since?",
        "What's an ordinary day like now?",
        "Who do you have, to talk to about it?",
    ),
    "hiding": (
        "What do you do, so that it doesn't show?",
        "Who would you least mind knowing?",
        "What would it be like, if somebody saw?",
        "How long have you kept it to yourself?",
    ),
    "want": (
        "What would be different, if it were so?",
        "What would be the first thing you'd notice?",
        "What makes that matter to you?",
        "How long have you wanted that?",
    ),
    "body": (
        "When in the day does it come?",
        "What goes through your head meanwhile?",
        "What was going on, the last time?",
        "How long has it been like that?",
    ),
    "effort": (
        "What does that ask of you?",
        "What would happen, if you didn't?",
        "When do you get a rest from it?",
        "What's the hardest part of it?",
    ),
    "bond": (
        "What do you make of that?",
        "How is that for you?",
        "How are things between you, at the moment?",
    ),
    "self": (
        "How long has that been so?",
        "What makes you put it that way?",
        "When do you notice it most?",
    ),
    "shift": (
        "What else was going on for you then?",
        "What was it like before that?",
        "What did you notice first?",
        "How has it been since?",
    ),
    "without": (
        "How did that come about?",
        "What would you want me to know about that?",
        "How long has that been so?",
    ),
    "pleasant": (
        "What is it about that, that you like?",
        "What does that give you?",
        "What's different for you there?",
    ),
}
FEELING_ASKED = _ABOUT["feeling"]
_PAST: Mapping[str, tuple[str, ...]] = {
    "limit": (
        "What happened, just before that?",
        "What did you do instead?",
        "What came after that?",
        "What was going through you, at that moment?",
    ),
    "body": (
        "What was going on, just before?",
        "What did you do, when it happened?",
        "What was it like afterwards?",
        "Who was there?",
    ),
    "feeling": (
        "What was going on, at the time?",
        "What did you do with that, at the time?",
        "What was it like afterwards?",
        "What brought it on, as far as you can tell?",
    ),
    "hiding": (
        "What would have happened, if you hadn't?",
        "What was it like, while you did that?",
        "Who would you least have minded knowing?",
    ),
    "effort": (
        "How did that go?",
        "What was it like, having to?",
        "What did it cost you?",
        "What came of it?",
    ),
    "bond": (
        "How did you take that?",
        "What did you make of that?",
        "How has it been between you since?",
    ),
}
_NEEDS_A_BURDEN = frozenset(("limit", "alone", "loss", "body", "effort", "self", "without"))
"""Of these nothing is asked as if it were hard, unless it says so: sleep may be good, a role is none."""
_BEREAVED = re.compile(
    r"\b(?:died|dead|death|funeral|passed away|buried|widow\w*|my late|lost (?:my|our|him|her|a) ?(?:wife|husband|son|"
    r"daughter|mother|father|mum|mom|dad|brother|sister|baby|friend|partner|child)?)\b",
    re.IGNORECASE,
)
_PLEASANT = re.compile(
    r"\bi(?: do| really| still| just| always)*? (?:love|loved|like|liked|enjoy|enjoyed)\b(?! to know| you| it if)|"
    r"\b(?:it's|it is|it goes|goes|everything's) (?:quiet|calm|easier|easy|better|peaceful|lovely)\b",
    re.IGNORECASE,
)
_WITH: tuple[str, ...] = (
    "How are things between you and {p}, at the moment?",
    "What is it like for you, with {p}?",
)
_WITH_CLOSE: tuple[str, ...] = ("What would {p} say, if I asked how you are?",)
_AT_WORK = re.compile(r"\b(?:boss|manager|supervisor|colleague|neighbou?r|doctor|landlord|teacher)\b", re.IGNORECASE)
_WHEN: tuple[str, ...] = (
    "What was going on for you {t}?",
    "How were things for you {t}?",
)
_AGAIN: tuple[str, ...] = (
    "What happens {t}, usually?",
    "What is it like for you {t}?",
    "What goes on in you {t}?",
)
_TOLD: tuple[str, ...] = (
    "What happened next?",
    "What did you do then?",
    "How was that for you, at the time?",
)
_TOLD_HARD: tuple[str, ...] = (
    "What was the worst moment of it?",
    "How was that for you, at the time?",
    "What happened next?",
)
_NAMED: tuple[str, ...] = (
    "Can you tell me a little more about {n}?",
    "What comes to mind, when you think of {n}?",
    "How does {n} come into it?",
)
_A_WORD: tuple[str, ...] = (
    '"{q}." Can you tell me a little more about that?',
    '"{q}." What\'s behind that, as far as you can say?',
    '"{q}." What comes to mind with that?',
)
_NO_EVENT = re.compile(
    r"\b(?:always|never|every|usually|up to now|so far|sometimes|most (?:days|"
    r"nights)|whenever|used to|these days|nowadays|"
    r"lately|that says|'d be)\b|\b(?:so i've come|i've come|i said i'd come|and i went)\b",
    re.IGNORECASE,
)
"""What goes on, or comes with its own ending, has no "what happened next"."""
_AN_EVENT = 9  # words from which something is told that can have had a next
_TOLD_BY = re.compile(
    r"\bI (?:was \w+ing|went|had|sat|stood|got|came|lay|put|told|said|rang|left|ran|took|hid|\w{3,}ed)\b"
)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_ONCE = re.compile(
    rf"\b(?P<p>in|since|at|on|last|before|after|yesterday)(?: the)?(?P<rest> (?:end of |middle of |start of |spring|"
    rf"summer|autumn|fall|winter|night|week|month|year|Christmas|Easter|Thanksgiving|(?:{_MONTHS})\b)"
    rf"(?:{_MONTHS})?)?",
)
_OFTEN = re.compile(
    r"\b(?:every (?:night|morning|evening|weekend|Sunday|Saturday|Monday)|at night|in the (?:morning|"
    r"evening)s?|"
    r"of a (?:morning|night|evening)|(?:on )?(?:Sunday|Saturday|Monday|Friday)s|at weekends|some nights|most nights)\b"
)
_CLOCK = re.compile(
    r"(?:\bo'clock|\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half)),? $", re.IGNORECASE
)
"""After an hour of the clock, "in the morning" is part of the hour."""


def times(text: str) -> tuple[str, bool] | None:
    """Return a time that was named, as it can be asked about, and whether it comes again; ``None`` without one.

    Examples
    --------
    >>> times("It began in March."), times("I lie there every night."), times("I told him.")
    (('in March', False), ('every night', True), None)
    """
    often = _OFTEN.search(text)
    if often and not _CLOCK.search(text[: often.start()]):
        return often[0], True
    for once in _ONCE.finditer(text):
        word, rest = once["p"], (once["rest"] or "").strip()
        if word == "yesterday":
            return "yesterday", False
        if not rest or rest.endswith("of"):
            continue
        if word == "last":
            return f"last {rest}", False
        if re.fullmatch(_MONTHS, rest):
            return f"{'in' if word in ('since', 'in', 'on') else word} {rest}", False
        if rest in ("spring", "summer", "autumn", "fall", "winter"):
            return f"in the {rest}", False
    return None


def near_questions(turn: Heard, rng: Generator, *, about: Phrase | None = None) -> list[Line]:
    """Return questions about what ``turn`` told, nearest first: its weightiest phrase, a time, a person, what happened.

    Parameters
    ----------
    turn : what was just said. about : ask about this phrase instead of the turn's own weightiest.
    """
    phrase = about or next(iter(weighty(turn)), None)
    found = _of_phrase(phrase, rng) if phrase is not None else []
    if about is not None:
        return found
    direct = [
        Line(f"{name}.{i}", line)
        for name, net, lines in DIRECT
        if net.search(turn.text)
        for i, line in shuffled(lines, rng)
    ]
    if not found and _PLEASANT.search(turn.text):
        found = [Line(f"near.pleasant.{i}", line) for i, line in shuffled(_ABOUT["pleasant"], rng)]
    aside = _of_persons(turn, rng)
    when = times(turn.text)
    if when is not None:
        bank = _AGAIN if when[1] else _WHEN
        aside += [Line(f"when.{when[0]}.{i}", line.format(t=when[0])) for i, line in shuffled(bank, rng)][:1]
    if tells_an_event(turn.text):
        told = _TOLD_HARD if burdens(turn.text) and not _BEREAVED.search(turn.text) else _TOLD
        aside += [Line(f"told.{i}", line) for i, line in shuffled(told, rng)][:3]
    mixed = [aside[int(i)] for i in rng.permutation(len(aside))]
    if found and found[0].id.startswith("near.pleasant"):
        return direct + found + mixed
    named = [] if found else naming(turn.text, rng)
    return direct + (found[:2] + mixed + found[2:] if rng.random() < 0.7 else mixed[:1] + found + mixed[1:]) + named


def tells_an_event(text: str) -> bool:
    """Whether ``text`` tells of something that happened once, so that there is a "then" to ask about.

    Examples
    --------
    >>> tells_an_event("I went down to the yard and sat on the step for a bit.")
    True
    >>> tells_an_event("A letter that says I was here."), tells_an_event("I got through, up to now, without a ticket.")
    (False, False)
    """
    return (
        len(text.split()) >= _AN_EVENT
        and _TOLD_BY.search(text) is not None
        and not (_NO_EVENT.search(text) or is_administrative(text))
    )


def naming(text: str, rng: Generator) -> list[Line]:
    """Return questions that ask for more of a thing and name it: a thing in ``text``, or the few words that it is.

    Examples
    --------
    >>> import numpy as np
    >>> [line.text for line in naming("Cards.", np.random.default_rng(0))][0]
    '"Cards." What comes to mind with that?'
    >>> naming("I do not know.", np.random.default_rng(0))
    []
    """
    said = answered_with(text)
    if said:
        return [Line(f"word.{i}", line.format(q=said), (said,)) for i, line in shuffled(_A_WORD, rng)]
    topic = topic_in(text)
    return [Line(f"named.{i}", line.format(n=topic)) for i, line in shuffled(_NAMED, rng)] if topic else []


def _of_phrase(phrase: Phrase, rng: Generator) -> list[Line]:
    stake = _asked_as(phrase)
    if not stake:
        return []
    past = tense_of(phrase.said) == "past" and stake in _PAST
    bank = _PAST[stake] if past else _ABOUT[stake]
    return [Line(f"near.{stake}{'.past' if past else ''}.{i}", line) for i, line in shuffled(bank, rng)]


def _asked_as(phrase: Phrase) -> str:
    """Return the bank for a phrase, or an empty string where it says nothing that its questions could speak of."""
    if _BEREAVED.search(phrase.said):
        return "bereaved"
    if phrase.stake == "want" and _PLEASANT.search(phrase.said) and not _WANTS.search(phrase.said):
        return "pleasant"
    if phrase.stake == "limit" and _BODILY.search(phrase.said):
        return "body"
    if phrase.stake == "feeling" and not voiced(phrase.said):
        return "body" if tense_of(phrase.said) == "now" else ""
    return phrase.stake if phrase.stake not in _NEEDS_A_BURDEN or burdens(phrase.said) else ""


_BODILY = re.compile(r"\b(?:breathe|sleep|eat|swallow|stop (?:crying|shaking))\b", re.IGNORECASE)
_WANTS = re.compile(r"\b(?:would|'d|want\w*|need\w*|wish\w*|hop\w+)\b", re.IGNORECASE)


def who_in(text: str) -> tuple[str, ...]:
    """Return people brought up in ``text`` who can be asked about; a word that only opens a sentence is nobody.

    Examples
    --------
    >>> who_in("Being told to slow down. Being asked asks a lot. My sister rang."), who_in("Delyth said I should.")
    (('your sister',), ('Delyth',))
    """
    return tuple(p for p in people(text) if not _NOBODY.search(p))


_NOBODY = re.compile(r"^[A-Z]\w*ing$|^(?:Folks|Folk|Kids|Doctors?|Nurses?|Work|Home|Both|Neither|Whatever|Anyone)$")


def _of_persons(turn: Heard, rng: Generator) -> list[Line]:
    if _BEREAVED.search(turn.text):
        return []
    found: list[Line] = []
    for who in who_in(turn.text)[-1:]:
        bank = _WITH if _AT_WORK.search(who) or not who.startswith("your ") else _WITH + _WITH_CLOSE
        found += [Line(f"with.{who}.{i}", line.format(p=who), (who,)) for i, line in shuffled(bank, rng)][:2]
    return found
