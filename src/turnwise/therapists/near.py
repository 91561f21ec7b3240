"""Questions about what was just said: the person, the time, the thing that stopped, not the next item of a list.

Each asks one thing, can be answered from the patient's own experience, and presupposes nothing that was not said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from numpy.random import Generator

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.emotions import voiced
from turnwise.therapists.giving_back import weighty
from turnwise.therapists.going_with import bereaved, suits_told
from turnwise.therapists.held_out import DIRECT
from turnwise.therapists.mattering import burdens, is_administrative, is_arrival, tense_of
from turnwise.therapists.reflecting import Heard, Line, shuffled
from turnwise.therapists.topics import answered_with, can_be_told_of, of_a_life, topic_in
from turnwise.therapists.wording import Phrase, people

__all__ = ["FEELING_ASKED", "naming", "near_questions", "tells_an_event", "times", "who_in"]

_ABOUT: Mapping[str, tuple[str, ...]] = {
    "feeling": (
        "When is that strongest?",
        "What do you do, when you feel like that?",
        "Can you tell me a bit more about that?",
    ),
    "limit": (
        "What happens, when you try?",
        "What do you do instead?",
        "What is that like for you?",
    ),
    "alone": (
        "Who comes nearest to knowing?",
        "What would you want somebody to know?",
        "What's that like, at the end of the day?",
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
        "How long have you kept it to yourself?",
    ),
    "want": (
        "What would be different for you then?",
        "What makes that matter to you?",
        "How long have you wanted that?",
    ),
    "body": (
        "When is it at its worst?",
        "What goes through your head, when it's like that?",
        "What is that like for you?",
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
        "Can you tell me a bit more about that?",
        "When do you notice it most?",
    ),
    "shift": (
        "What else was going on for you then?",
        "What was it like before that?",
        "How has it been since?",
    ),
    "without": (
        "How did that come about?",
        "What would you want me to know about that?",
        "How long has that been so?",
    ),
    "acted": (
        "What was going on, just before?",
        "What was that like for you?",
        "How was it for you afterwards?",
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
        "What did you do instead?",
        "What was going through you, at that moment?",
        "What was that like for you?",
    ),
    "body": (
        "What was going on, just before?",
        "What was it like afterwards?",
        "What was that like for you?",
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
        "What was that like for you?",
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
_PLEASANT = re.compile(
    r"(?<!if )(?<!whether )(?<!that )\bi(?: do| really| still| just| always)*? (?:love|loved|like|liked|enjoy|"
    r"enjoyed)\b"
    r"(?! to know| you| it if)|"
    r"\b(?:it's|it is|it goes|goes|everything's) (?:quiet|calm|easier|easy|better|peaceful|lovely)\b",
    re.IGNORECASE,
)
_WITH: tuple[str, ...] = (
    "How are things between you and {p}, at the moment?",
    "What is it like for you, with {p}?",
)
_WHEN: tuple[str, ...] = ("What was going on for you {t}?",)
_AGAIN: tuple[str, ...] = (
    "What is it like for you {t}?",
    "What goes on in you {t}?",
)
_TOLD: tuple[str, ...] = (
    "What happened next?",
    "What did you do then?",
    "How was that for you, at the time?",
)
_ALL_TOLD = 30  # words: what was told in more has had its "what happened next"
_NAMED: tuple[str, ...] = (
    "Can you tell me a little more about {n}?",
    "How are things with {n}?",
)
_A_WORD: tuple[str, ...] = ('"{q}." Can you tell me a little more about that?',)
_NO_EVENT = re.compile(
    r"\b(?:always|never|every|usually|up to now|so far|sometimes|most (?:days|"
    r"nights)|whenever|used to|these days|nowadays|"
    r"lately|that says|'d be|i(?:'d| would) (?:just )?(?:like|love|want)|i (?:want|hope) to|i(?:'m|"
    r" am) going to|i'll)\b|\b(?:fell asleep|passed out)\b|\b(?:so i've come|i've come|i said i'd come|and i went)\b",
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
        return [] if bereaved(about.said) else found  # a death is come back to by whose it is
    direct = [
        Line(f"{name}.{i}", line)
        for name, net, lines in DIRECT
        if net.search(turn.text)
        for i, line in shuffled(lines, rng)
    ]
    if not found and _PLEASANT.search(turn.text):
        found = [Line(f"near.pleasant.{i}", line) for i, line in shuffled(_ABOUT["pleasant"], rng)]
    aside = _of_persons(turn, phrase, rng) + _of_time(turn.text, rng)
    if tells_an_event(turn.text) and not bereaved(turn.text):
        told = _TOLD if len(turn.text.split()) <= _ALL_TOLD else _TOLD[-1:]
        aside += [Line(f"told.{_TOLD.index(line)}", line) for _, line in shuffled(told, rng)]
    mixed = [aside[int(i)] for i in rng.permutation(len(aside))]
    if found and found[0].id.startswith("near.pleasant"):
        return direct + found + mixed
    named = [] if found else naming(turn.text, rng)
    mixed = found[:2] + mixed + found[2:] if rng.random() < _NEAREST_FIRST else mixed[:1] + found + mixed[1:]
    plain = [Line(f"plain.{i}", line) for i, line in shuffled(_PLAIN, rng)]
    return direct + [line for line in mixed + named + plain if suits_told(line.text, turn.text)]


_PLAIN: tuple[str, ...] = (
    "Can you tell me more about that?",
    "Say a bit more about that, in your own time.",
)
"""Where nothing nearer can be asked, a plain invitation is better than a quotation that weighs nothing."""


_NEAREST_FIRST = 0.7


def _of_time(text: str, rng: Generator) -> list[Line]:
    """Return a question about a time that was named where it is the matter: of a beginning, or when it is worst."""
    when = times(text)
    if when is None or bereaved(text):
        return []
    sentence = next((s for s in split_sentences(text) if times(s)), text)
    if not (_AT_ITS_WORST if when[1] else _ONSET).search(sentence):
        return []
    bank = _AGAIN if when[1] else _WHEN
    return [Line(f"when.{when[0]}.{i}", line.format(t=when[0])) for i, line in shuffled(bank, rng)][:1]


_ONSET = re.compile(
    r"\b(?:it|that|this|things?|everything)(?: all)?(?:'s| has|'ve| have)?(?: been)? (?:began|begun|started|"
    r"start(?:s)?|"
    r"changed|stopped|came on|got (?:worse|bad)|gone|like (?:that|this))\b|"
    r"\bsince (?:the |last )?(?:\w+ )?(?:spring|summer|autumn|fall|winter|Christmas|Easter|January|February|"
    r"March|April|May|June|"
    r"July|August|September|October|November|December)\b",
    re.IGNORECASE,
)
_AT_ITS_WORST = re.compile(
    r"\b(?:worst|worse|hurts?|aches?|pain|awake|alone|lonely|cry|crying|hard(?:est)?|can't)\b", re.I
)


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
    '"Cards." Can you tell me a little more about that?'
    >>> [naming(x, np.random.default_rng(0)) for x in ("I do not know.", "Angry.", "Six pages.")]
    [[], [], []]
    """
    said = answered_with(text)
    if said:
        lines = [Line(f"word.{i}", line.format(q=said), (said,)) for i, line in shuffled(_A_WORD, rng)]
        return lines if can_be_told_of(said) else []
    topic = topic_in(text)
    return [Line(f"named.{i}", line.format(n=topic)) for i, line in shuffled(_NAMED, rng)] if of_a_life(topic) else []


def _of_phrase(phrase: Phrase, rng: Generator) -> list[Line]:
    stake = _asked_as(phrase)
    if not stake:
        return []
    past = tense_of(phrase.said) == "past" and stake in _PAST
    bank = _PAST[stake] if past else _ABOUT[stake]
    return [Line(f"near.{stake}{'.past' if past else ''}.{i}", line) for i, line in shuffled(bank, rng)]


def _asked_as(phrase: Phrase) -> str:
    """Return the bank for a phrase, or an empty string where it says nothing that its questions could speak of."""
    if bereaved(phrase.said):
        return "bereaved"
    if phrase.stake == "want" and _PLEASANT.search(phrase.said) and not _WANTS.search(phrase.said):
        return "pleasant"
    if phrase.stake == "bond" and phrase.said[:2] in ("I ", "I'"):
        return "acted" if tense_of(phrase.said) == "past" else ""
    if phrase.stake == "limit" and _BODILY.search(phrase.said):
        return "body"
    if phrase.stake == "feeling" and not voiced(phrase.said) and not _FELT_SO.search(phrase.said):
        return "body" if tense_of(phrase.said) == "now" else ""
    if phrase.stake == "feeling" and not (voiced(phrase.said) or burdens(phrase.said)):
        return ""
    return phrase.stake if phrase.stake not in _NEEDS_A_BURDEN or burdens(phrase.said) else ""


_FELT_SO = re.compile(r"\b(?:feel|felt|hate|dread|worry|blame)\w*\b", re.IGNORECASE)
_BODILY = re.compile(
    r"\b(?:breathe|sleep|eat|swallow|stop (?:crying|shaking)|(?:get|catch) (?:\w+ )?(?:air|breath)|feel my)\b",
    re.IGNORECASE,
)
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


def _of_persons(turn: Heard, weightiest: Phrase | None, rng: Generator) -> list[Line]:
    """Return questions about somebody brought up, where the turn is about them and not about something weightier."""
    if bereaved(turn.text) or len(turn.text.split()) > _A_STORY:
        return []
    found: list[Line] = []
    for who in who_in(turn.text)[-1:]:
        name = re.compile(rf"\b{re.escape(who.split()[-1])}\b", re.IGNORECASE)
        told = [s for s in split_sentences(turn.text) if name.search(s)]
        aside = any(is_administrative(s) or is_arrival(s) or _FOR_HIRE.search(s) for s in told)
        if aside or (weightiest is not None and not name.search(weightiest.said)):
            continue
        found += [Line(f"with.{who}.{i}", line.format(p=who), (who,)) for i, line in shuffled(_WITH, rng)]
    return found


_A_STORY = 30  # words: in more, a person is one of several things told
_FOR_HIRE = re.compile(r"\b(?:has|have|got) (?:my|our) \w+ (?:her|his|their) \w+|\bsays? i\b", re.IGNORECASE)
"""Only named for something they have, or for what they say of the speaker."""
