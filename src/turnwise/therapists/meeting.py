"""What the Socratic therapist says where something is called for: a request, a bait, a hint, an insight."""

from __future__ import annotations

import re
from collections.abc import Mapping

from numpy.random import Generator

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.answering import particular, why_lines
from turnwise.therapists.asking_back import asked_back
from turnwise.therapists.giving import about_health, answers
from turnwise.therapists.holding import held, worth_holding
from turnwise.therapists.offers import GO_AHEAD, OFFERED, WHY_ASKED
from turnwise.therapists.recognising import asks_leave, asks_why, wanted
from turnwise.therapists.reflecting import Line, shuffled

__all__ = ["MEETING", "given", "held", "worth_holding"]

MEETING: Mapping[str, tuple[str, ...]] = {
    "attend_now": (
        "What's that like for you?",
        "What is it like, when that happens?",
        "What do you feel, when it's like that?",
        "What does that do to you?",
        "What's the hardest part of that for you?",
        "How is that, for you?",
    ),
    "attend_found": (
        "What do you make of that?",
        "What do you make of it, now that you've said it?",
        "You found that one yourself. What do you make of it?",
        "Small or not, it's there. What does it say to you?",
        "What does it mean to you, that it was so?",
        "And what goes through your mind, as you say it?",
    ),
    "attend_friend": (
        "What happens, when you say that to yourself?",
        "How does that sit beside what you tell yourself?",
        "What makes it different, when it's you?",
        "What would it be like to hear that, from somebody who means it?",
        "How much of that could be so for you too?",
    ),
    "attend_found_quoted": (
        '"{A}." What do you make of that?',
        '"{A}." You found that one yourself. What do you make of it?',
        '"{A}." Small or not, it happened. What do you take it to mean?',
        '"{A}." I don\'t want to go past that. What goes through your mind, as you say it?',
    ),
    "attend_past": (
        "What was that like for you?",
        "What did you feel, at that moment?",
        "How did that leave you feeling?",
        "How have you been with that, since?",
        "What do you feel now, as you tell me?",
        "What was the hardest part of that?",
        "How is it to think back to it?",
        "What did that do to you?",
        "What went on in you then?",
    ),
    "attend_stay": (
        "I'd like to stay with that for a moment, if you would.",
        "Say as much about that as you want to.",
        "I'd like to hear more of that, in your own time.",
        "There's room for that here, as much as you want to say.",
        "Take your time with that.",
        "I'm listening, if you want to say more about it.",
        "You can say more about that, or leave it there.",
        "Let's not rush past that.",
    ),
    "attend_told_now": (
        "What's that like for you?",
        "How is that for you?",
        "I'd like to hear more about that.",
        "Tell me more about that, if you would.",
        "What's that like?",
        "Say a bit more about that, in your own time.",
    ),
    "attend_told_past": (
        "What was that like for you?",
        "How was that for you?",
        "I'd like to hear more about that.",
        "Tell me more about that, if you would.",
        "What was that like?",
        "Say a bit more about that, in your own time.",
    ),
    "attend_wished": (
        "What would that mean to you?",
        "What do you feel, when you think of it?",
        "What makes that matter to you?",
        "What would that feel like, do you think?",
        "What would be different for you then?",
        "What do you hope it would give you?",
        "What would it change for you?",
        "What do you feel, as you tell me?",
    ),
    "agenda": (
        "What would you like to have got from today, by the time we stop?",
        "What matters most to you to talk about today?",
    ),
    "small_question": (
        "What did yesterday look like, from getting up?",
        "What does a usual evening look like at the moment?",
        "What was the best part of this week, even if it was small?",
        "What did you have on your mind before we began?",
        "What do you do, when you've an hour to yourself?",
        "What do you like doing, or used to?",
        "Where do you feel most at ease?",
    ),
    "small_near": (
        "Of what you've told me, what would you like to say more about?",
        "What would be easier to talk about?",
        "Where would you like to go from here?",
        "What would you like to tell me instead?",
        "What's the part of it that's easiest to say?",
        "I still have in mind that {s}. We can stay there a little, or leave it.",
        "You told me that {s}. We can stay with that for a while, or leave it.",
    ),
    "take_away": (
        "We've a little time left. What would you like to take with you from today?",
        "Before we come to the end: is there something from today that you want to keep?",
        "Out of all we've talked about, what do you want to remember?",
        "We're nearly at the end. What should we not lose sight of, from today?",
    ),
    "take_away_safe": (
        "We've a little time left. You told me something hard today, and I'm glad you did. Please let your doctor hear "
        "it too, and ring a crisis line if it comes closer. What would you like to take with you?",
        "We're nearly at the end. How dark it gets is worth telling your doctor as well, or a crisis line if it comes "
        "closer. I'm glad you told me. What should we not lose sight of, from today?",
    ),
    "check_hint": (
        '"{q}." I\'d like to hear more about that, if you\'d like to say it.',
        '"{q}." What would you want me to understand by that?',
        '"{q}." What more is there to that?',
        '"{q}." You can say more about that here, or leave it.',
        '"{q}." What should I know about that?',
        "You began to say something there. I'd like to hear it, if you'd like to tell me.",
        "I'd like to hear the rest of that, if you want to tell it.",
    ),
    "consolidate": (
        '"{q}." You got there yourself. What does that change, for you?',
        '"{q}." That\'s another way of looking at it, and it\'s yours. What does it change?',
        '"{q}." Let\'s stay with that one for a moment. What does it do, to see it like that?',
        '"{q}." That\'s new, as far as I\'ve heard. What does it do for you, to see that?',
        '"{q}." I don\'t want that to get lost. What does it change, for you?',
        '"{q}." You found that one yourself. What does it tell you?',
        '"{q}." That\'s your own thought. What does it mean to you?',
        "That's a new way of seeing it, and it's your own. What does it change for you?",
    ),
    "consolidate_unsure": (
        '"{q}." And now you aren\'t so sure. What does that change for you?',
        '"{q}." And now there\'s a doubt in it, your own. What does that change for you?',
        '"{q}." You got there yourself: that may not be the whole of it. What does that change for you?',
    ),
    "test_insight": (
        '"{q}." That\'s your own thought. What tells you that it might be so?',
        '"{q}." You got there yourself. Where else might that hold, do you think?',
        '"{q}." You found that one yourself. What else might look different, if that\'s so?',
        '"{q}." That\'s another way of looking at it, and it\'s yours. What tells you that it might be so?',
        '"{q}." What else have you noticed, that doesn\'t fit with how you saw it before?',
        "That's a new way of seeing it, and it's your own. What tells you that it might be so?",
    ),
    "test_unsure": (
        '"{q}." And now you aren\'t so sure. What tells you that it might be otherwise?',
        '"{q}." And now you aren\'t so sure. What might be nearer to the truth, do you think?',
        '"{q}." You got there yourself: that may not be so. What else might it have been, do you think?',
    ),
    "agreed_before": (
        'Hello again. Last time you said, "{b}." How did that go?',
        'It\'s good that you\'re back. From last time I have your words, "{b}." What has become of it?',
        'Hello. We stopped last time at "{b}." What happened with that since?',
    ),
}  # fmt: skip
_RECENT = 1500  # letters of what was told before, in which what "it" means is looked for
_POINTS_BACK = re.compile(r"\b(?:it|this|that|them|these)\b", re.IGNORECASE)
_DECIDES = re.compile(
    r"\b(?:whether (?:or not )?to|should i(?! (?:know|have|be able)\b)|whether i (?:should|ought)|what would you do|"
    r"is it better to|"
    r"do i (?:tell|leave|go|stay|say|let|keep|ring|call))\b",
    re.IGNORECASE,
)
"""A decision is the patient's: it is helped with, and never made."""
_FELT = re.compile(
    r"\b(?:normal|usual|common|feel(?:s|ings?)?|felt|love|miss|used to it|(?:does|will|do) (?:it|that|this|they) "
    r"(?:come|stop|end|change|get)|other people|most people)\b",
    re.IGNORECASE,
)
"""Asks how such things go with people, not how something is done."""


def given(text: str, rng: Generator, *, before: str = "") -> list[Line]:
    """Return candidate answers to what is asked for in ``text``: what is known of that matter first, then options.

    Somebody who only asks whether they may ask is told to go ahead; what is no request for help gets nothing.
    """
    if asks_leave(text):
        return [Line(f"go_ahead.{i}", line) for i, line in shuffled(GO_AHEAD, rng)]
    if asks_why(text) and not asked_back(text):
        return why_lines(text, rng) or [Line(f"why.{i}", line) for i, line in shuffled(WHY_ASKED, rng)]
    kind = wanted(text)
    if kind is None:
        return []
    if exactly := particular(text, rng, before=before):
        return exactly  # what holds of any request passes over this one
    if _DECIDES.search(text):
        return [Line(f"offer.decide.{i}", line) for i, line in shuffled(OFFERED["decide"], rng)]
    asked = _asking_part(text)
    if kind == "wording":
        # "Just tell me what to say": for what, may have been told before; if not, it is asked first
        near = text if _subject_words(asked) > 2 else f"{before[-_RECENT:]} {text}"
        spare = kind if _subject_words(asked) > 2 else "wording_bare"
        name = next((name for name, net in _WORDING_FOR if net.search(text)), "")
        name = name or next((name for name, net in _WORDING_FOR[:2] if net.search(near)), spare)
        return [Line(f"offer.{name}.{i}", line) for i, line in shuffled(OFFERED[name], rng)]
    known: list[Line] = []
    # "What is it actually doing?" speaks of what was told before; a question with its own subject does not.
    earlier = (f"{before[-_RECENT:]} {text}",) if _POINTS_BACK.search(asked) and _subject_words(asked) <= 2 else ()
    for words in (asked, *(() if kind == "about_me" else (text, *earlier))):
        known = known or [line for line in answers(kind, words, rng) if ".unknown" not in line.id]
    if not known and _BARE.search(asked):
        return [Line(f"offer.unclear.{i}", line) for i, line in shuffled(OFFERED["unclear"], rng)]
    if kind == "info" and not known and not about_health(text):
        name = "felt" if _FELT.search(asked) else "unsure"
        return [Line(f"offer.{name}.{i}", line) for i, line in shuffled(OFFERED[name], rng)]
    return known or [Line(f"offer.{kind}.{i}", line) for i, line in shuffled(OFFERED[kind], rng)]


_WORDING_FOR: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("wording_toast", re.compile(r"\b(?:toast|speech|eulogy|reading at)\b", re.IGNORECASE)),
    ("wording_letter", re.compile(r"\b(?:letter|page|desk|e-?mail|complaint|application|appeal)\b", re.IGNORECASE)),
    (
        "wording_close",
        re.compile(
            r"\b(?:wife|husband|partner|son|daughter|mother|mum|mom|father|dad|sister|brother|friend|family|him|her)\b",
            re.IGNORECASE,
        ),
    ),
)
_BARE = re.compile(r"^(?:(?:can|may|could) i (?:just )?ask (?:you )?)?what (?:do )?people do\W*$", re.IGNORECASE)
_ORDINARY = frozenset(
    """what when where which who how why is it it's its this that there a an the do does did to of for in on at i you
    me my your can could would will with and or be just actually then not if people one thing like about so please
    """.split()
)


def _subject_words(asked: str) -> int:
    """Return how many words of a question name what it is about."""
    return sum(w not in _ORDINARY for w in re.findall(r"[a-z']+", asked.lower()))


def _asking_part(text: str) -> str:
    """Return the sentences of ``text`` that ask, or all of it where none has a question mark."""
    return " ".join(s for s in split_sentences(text) if s.rstrip().endswith("?") and not asks_leave(s)) or text
