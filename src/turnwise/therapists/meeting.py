"""What the Socratic therapist says where something is called for: a request, a bait, a hint, an insight."""

from __future__ import annotations

import re
from collections.abc import Mapping

from numpy.random import Generator

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.answering import particular, why_lines
from turnwise.therapists.giving import about_health, answers
from turnwise.therapists.holding import held, worth_holding
from turnwise.therapists.offers import GO_AHEAD, OFFERED, WHY_ASKED
from turnwise.therapists.recognising import asks_leave, asks_why, wanted
from turnwise.therapists.reflecting import Line, shuffled

__all__ = ["MEETING", "given", "held", "worth_holding"]

MEETING: Mapping[str, tuple[str, ...]] = {
    "attend_now": (
        "What's that like for you?",
        "How is that for you, day to day?",
        "What is it like, when that happens?",
        "What do you feel, when it's like that?",
        "How do you live with that?",
        "What does that do to you?",
        "How is it to say that out loud?",
        "What's the hardest part of that for you?",
        "What do you feel, as you tell me?",
        "How does that sit with you?",
        "What is it like inside, when it's like that?",
        "How have you been, with all that?",
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
        "How was that, from the inside?",
        "What did you feel, at that moment?",
        "How did that leave you feeling?",
        "How did you take it?",
        "How have you been with that, since?",
        "What do you feel now, as you tell me?",
        "What was the hardest part of that?",
        "How is it to think back to it?",
        "How did that sit with you?",
        "What stayed with you from it?",
        "What did that do to you?",
    ),
    "attend_stay": (
        "I'd like to stay with that for a moment, if you would.",
        "Say as much about that as you want to.",
        "I'd like to hear how that is for you.",
        "In your own time, tell me how it is for you.",
        "I'd like to understand what that's like for you.",
        "I'd like to hear what that does to you, in your own time.",
        "I'm listening, if you want to say how that was.",
        "Let's not rush past how that feels.",
        "You can say how that is, or leave it there.",
        "I'd like to hear what that's like for you.",
    ),
    "attend_told_now": (
        "What's that like for you?",
        "How is that for you?",
        "How does that sit with you?",
        "How do you feel, when it's like that?",
        "What is it like, from the inside?",
        "What do you notice in yourself, when that happens?",
    ),
    "attend_told_past": (
        "What was that like for you?",
        "How was that for you?",
        "What did you feel, at that moment?",
        "What went on in you, just then?",
        "What stayed with you from it?",
        "What was going on for you then?",
        "How is it, thinking back to that?",
    ),
    "attend_wished": (
        "What would that mean to you?",
        "How is it for you, that it isn't so yet?",
        "What do you feel, when you think of it?",
        "What makes that matter to you?",
        "How does it feel to say that?",
        "What's it like, wanting that?",
        "What would that feel like, do you think?",
        "How long have you wanted that?",
        "What do you feel, as you tell me?",
        "What goes on in you, when you picture it?",
        "What's the hardest part of that for you?",
        "How is it to be without that?",
    ),
    "agenda": (
        "What would you like to have got from today, by the time we stop?",
        "If this hour is any use to you, what will have happened in it?",
        "There may be several things here. Which of them would you want us to spend the time on?",
        "So that I don't take you somewhere you don't want to go: what matters most to look at today?",
    ),
    "small_question": (
        "What did yesterday look like, from getting up?",
        "What does a usual evening look like at the moment?",
        "When in the day is it hardest?",
        "What was the best part of this week, even if it was small?",
        "What did you have on your mind on the way here?",
        "What would you be doing now, if you weren't here?",
        "What was the last proper talk like that you had with somebody?",
        "How are the nights?",
        "What do you do, when you've an hour to yourself?",
        "What do you like doing, or used to?",
        "What was the last thing that made you laugh?",
        "Where do you feel most at ease?",
        "What did you hope coming here might do?",
        "How are you sitting there right now: what do you notice?",
    ),
    "take_away": (
        "We've a little time left. What would you like to take with you from today?",
        "Before we come to the end: which bit of this do you want to keep?",
        "If you told somebody tonight what we looked at, what would you say?",
        "Out of all we've talked about, what do you want to remember?",
        "We're coming towards the end. What was the most useful bit, if any was?",
    ),
    "check_hint": (
        '"{q}." You said that and went on. What is it about that, for you?',
        '"{q}." I noticed that you told me that. Is there more to it than you\'ve said?',
        'Can I go back to one thing? "{q}." I may be wrong: is there something in it that isn\'t easy to say?',
        '"{q}." It sounded small, and I\'m not sure that it is. What made you think of it just now?',
        'You mentioned it almost in passing: "{q}." What goes with that?',
        '"{q}." I wonder what that\'s like, and I don\'t want to guess. What is it like?',
        'I don\'t want to pass over that: "{q}." What would it be like to say a bit more?',
        '"{q}." What does that have to do with how you are?',
        "You put that aside rather quickly, and I may be wrong: is there more to it than you've said?",
        "You said it lightly, and I wondered whether it is light. How is it really?",
        "Did I hear a worry under that, or am I making it up?",
        "Can I ask about what you left unsaid there, or is that too soon?",
    ),
    "consolidate": (
        '"{q}." That\'s your own thought, and it sounds like an important one. What would you like to do with it?',
        '"{q}." You got there yourself. What could follow from it, in the next few days?',
        '"{q}." I don\'t want that to get lost. What would be a small next step with it?',
        '"{q}." Where might it take you, if you stay with that?',
        '"{q}." You saw that, I didn\'t. What would be different this week, if you went by it?',
        '"{q}." That\'s another way of looking at it than before, and it\'s yours. What would you do, if it\'s true?',
        '"{q}." Stay with that one for a moment. What changes, if you see it like that?',
        '"{q}." Where else in your life might that hold?',
        '"{q}." That\'s new, as far as I\'ve heard. What would you like to try, with that in mind?',
        '"{q}." What might you do with it this week?',
        '"{q}." I\'d write that down, if I were keeping notes for you. What would you like to do with it?',
        '"{q}." And you found it without me. What could be a first small thing that comes of it?',
        "That's another way of seeing it, and it's your own. What might follow from it this week?",
        "You're looking at it differently from before. What could you do with that, in a small way?",
    ),
    "test_insight": (
        '"{q}." If that holds, what becomes of the way you saw it before?',
        '"{q}." If the old way of seeing it comes back this week, what would you say to it?',
        '"{q}." Suppose it is so: what else would you have to see another way?',
        '"{q}." How might you find out this week whether that holds?',
        '"{q}." When would that be hardest to hold on to?',
        '"{q}." If you put that to the test this week, even in a small way, what would you look out for?',
        "That's another way of seeing it, and it's your own. If the old way comes back, what would you say to it?",
        "You're looking at it differently from before. Suppose it's so: what else would you have to see another way?",
        "You got there yourself. If that holds, what becomes of the way you saw it before?",
        "That's new, as far as I've heard. How might you find out this week whether it holds?",
    ),
    "here_guarded": (
        "Thank you for saying so. You needn't give me more than you want to. What would be easier to talk about?",
        "That's good to know, and it's yours to keep what you like. Where would you like to go on?",
        "I'm glad you say it straight. We can take it slower. What would you like to talk about?",
        "That makes sense to me. What would be all right to look at?",
    ),
    "here_middling": (
        "Thank you, that's fair. What would you like to go on with?",
        "Good to know. We needn't hurry. What would be useful to look at?",
        "Thanks for telling me. Where would you like to go from here?",
        "Then we'll see together what comes of it. What would you like to talk about next?",
    ),
    "here_open": (
        "I'm glad of that. What would you like to look at next?",
        "That's good to hear. Where would you like to go from here?",
        "Thank you for telling me. What would be useful to look at, while it's like that?",
        "Good. Then I may ask you a harder thing now and then. What would you like to go on with?",
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
    if asks_why(text):
        return why_lines(text, rng) + [Line(f"why.{i}", line) for i, line in shuffled(WHY_ASKED, rng)]
    kind = wanted(text)
    if kind is None:
        return []
    if exactly := particular(text, rng):
        return exactly + [Line(f"offer.{kind}.{i}", line) for i, line in shuffled(OFFERED[kind], rng)]
    if _DECIDES.search(text):
        return [Line(f"offer.decide.{i}", line) for i, line in shuffled(OFFERED["decide"], rng)]
    asked = _asking_part(text)
    if kind == "wording":
        name = next((name for name, net in _WORDING_FOR if net.search(text)), kind)
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
    return known + [Line(f"offer.{kind}.{i}", line) for i, line in shuffled(OFFERED[kind], rng)]


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
