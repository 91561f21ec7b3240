"""Questions about what was just said: the person, the time, the thing that stopped, not the next item of a list.

Each asks one thing, can be answered from the patient's own experience, and presupposes nothing that was not said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from numpy.random import Generator

from turnwise.therapists.giving_back import weighty
from turnwise.therapists.mattering import tense_of
from turnwise.therapists.reflecting import Heard, Line, shuffled
from turnwise.therapists.wording import Phrase, people

__all__ = ["FEELING_ASKED", "near_questions", "times"]

_ABOUT: Mapping[str, tuple[str, ...]] = {
    "feeling": (
        "When is that strongest?",
        "What do you do, when you feel like that?",
        "How long has it been like that?",
        "What's going on round you, when it comes?",
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
        "Who used to be there?",
    ),
    "loss": (
        "What was it like before?",
        "When did you notice it first?",
        "What do you miss most?",
        "What is it like now, on an ordinary day?",
    ),
    "hiding": (
        "What do you do, so that it doesn't show?",
        "Who would you least mind knowing?",
        "What would it be like, if somebody saw?",
        "How long have you kept it to yourself?",
    ),
    "want": (
        "What would be different, if you had that?",
        "What would be the first thing you'd notice?",
        "When were you last near to that?",
        "What have you tried, to get there?",
    ),
    "body": (
        "What do you do, when that happens?",
        "When in the day does it come?",
        "What goes through your head meanwhile?",
        "What was going on, the last time?",
    ),
    "effort": (
        "What would happen, if you stopped?",
        "When do you get a rest from it?",
        "How long have you been doing that?",
        "What's it meant to keep away?",
    ),
    "bond": (
        "How did you take that?",
        "What did you make of that?",
        "How has it been between you since?",
        "What did you say back?",
    ),
    "self": (
        "How long has that been so?",
        "What makes you put it that way?",
        "When do you notice it most?",
        "How is that, day to day?",
    ),
    "shift": (
        "What else was going on for you then?",
        "What was it like before that?",
        "What did you notice first?",
        "How has it been since?",
    ),
    "without": (
        "How did that come about?",
        "What's behind that, do you think?",
        "What would it be like, if you did?",
        "How long has that been so?",
    ),
}
FEELING_ASKED = _ABOUT["feeling"]
_PAST: Mapping[str, tuple[str, ...]] = {
    "limit": (
        "What happened, just before that?",
        "What did you do instead?",
        "How did it end?",
        "What was going through you, at that moment?",
    ),
    "body": (
        "What was going on, just before?",
        "What did you do, when it happened?",
        "How long did it last?",
        "Who was there?",
    ),
    "feeling": (
        "What was happening, just then?",
        "What did you do with that, at the time?",
        "What stayed with you from it?",
        "What set it off?",
    ),
    "hiding": (
        "What would have happened, if you hadn't?",
        "What were you keeping out of sight, just then?",
        "What was it like, while you did that?",
        "How did it end?",
    ),
    "effort": (
        "How did that go?",
        "What was it like, having to?",
        "What did it cost you?",
        "What came of it?",
    ),
}
_WITH: tuple[str, ...] = (
    "How are things between you and {p}, at the moment?",
    "What does {p} see of all this?",
    "When did you last talk with {p}?",
    "What do you wish {p} knew?",
    "What is it like for you, when {p} is there?",
    "What would {p} say, if I asked how you are?",
)
_WHEN: tuple[str, ...] = (
    "What was going on for you {t}?",
    "What do you remember of how things were {t}?",
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
    "What was the worst moment of it?",
    "What stayed with you from that?",
    "How did it end?",
)
_TOLD_BY = re.compile(r"\bI (?:was|went|had|sat|stood|got|came|lay|put|told|said|rang|left|ran|took|hid|\w{3,}ed)\b")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_ONCE = re.compile(
    rf"\b(?P<p>in|since|at|on|last|before|after|yesterday)(?: the)?(?P<rest> (?:end of |middle of |start of |spring|"
    rf"summer|autumn|fall|winter|night|week|month|year|Christmas|Easter|Thanksgiving|(?:{_MONTHS})\b)"
    rf"(?:{_MONTHS})?)?",
)
_OFTEN = re.compile(
    r"\b(?:every (?:night|day|morning|evening|week|weekend|Sunday|Saturday|Monday)|at night|in the (?:morning|"
    r"evening)s?|"
    r"of a (?:morning|night|evening)|(?:on )?(?:Sunday|Saturday|Monday|Friday)s|at weekends|some nights|most nights)\b"
)


def times(text: str) -> tuple[str, bool] | None:
    """Return a time that was named, as it can be asked about, and whether it comes again; ``None`` without one.

    Examples
    --------
    >>> times("It began in March."), times("I lie there every night."), times("I told him.")
    (('in March', False), ('every night', True), None)
    """
    if often := _OFTEN.search(text):
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
    found: list[Line] = []
    phrase = about or next(iter(weighty(turn)), None)
    if phrase is not None and phrase.stake:
        past = tense_of(phrase.said) == "past"
        bank = _PAST.get(phrase.stake, _ABOUT[phrase.stake]) if past else _ABOUT[phrase.stake]
        name = f"near.{phrase.stake}{'.past' if past and phrase.stake in _PAST else ''}"
        found += [Line(f"{name}.{i}", line) for i, line in shuffled(bank, rng)]
    if about is not None:
        return found
    aside: list[Line] = []
    for who in people(turn.text)[-1:]:
        aside += [Line(f"with.{who}.{i}", line.format(p=who), (who,)) for i, line in shuffled(_WITH, rng)][:2]
    when = times(turn.text)
    if when is not None:
        bank = _AGAIN if when[1] else _WHEN
        aside += [Line(f"when.{when[0]}.{i}", line.format(t=when[0])) for i, line in shuffled(bank, rng)][:1]
    if _TOLD_BY.search(turn.text):
        aside += [Line(f"told.{i}", line) for i, line in shuffled(_TOLD, rng)][:3]
    mixed = [aside[int(i)] for i in rng.permutation(len(aside))]
    return found[:2] + mixed + found[2:] if rng.random() < 0.6 else mixed[:1] + found + mixed[1:]
