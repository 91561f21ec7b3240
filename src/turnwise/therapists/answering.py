"""Answers to particular small things that are asked of the listener: a paper, leave to pass over something, a subject.

Each is met as what it is, in so many words, and where two things were asked at once both are answered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from numpy.random import Generator

from turnwise.therapists.asking_back import ASKED_BACK, asked_back
from turnwise.therapists.reflecting import Line, shuffled
from turnwise.therapists.wanting import (
    asks_about_records,
    asks_for_a_paper,
    asks_of_the_listener,
    asks_to_pass_over,
    invited_to,
)

__all__ = ["particular", "why_lines"]

ANSWERS: Mapping[str, tuple[str, ...]] = {
    "pass_over": (
        "Of course, we can leave that one. Where would you sooner start?",
        "Yes, that can wait, or stay unsaid altogether. What would you rather talk about?",
        "All right, not that one. What would be easier to begin with?",
    ),
    "invited": (
        "All right, {x}. What's the first thing that comes to mind about it?",
        "Gladly, {x} it is. What would you want me to know about that?",
        "{X}, then. Where does that begin, for you?",
    ),
    "paper": (
        "I can't write, sign or send anything: I'm a program, and only the service that sent you, or a doctor who "
        "knows you, can. I can see why you want it. We could put together what it should say, or look at what it's "
        "for. Which would help more?",
        "That I can't do, and it's better you know now: I'm a program, and my name on a paper would be worth nothing. "
        "The service or your doctor can give you one. We could work out whom to ask, or what it has to show. Which "
        "would be more use to you?",
        "No, I can't sign or send one, and I understand what hangs on it for you. The people who sent you here, or "
        "your doctor, are the ones to ask. I can help you word the request, or hear what's behind it. Which would you "
        "sooner do?",
    ),
    "paper_court": (
        "No, I can't write or sign that: I'm a program. That you come here the service can confirm, and your lawyer or "
        "the court can say what has to be in it. We could put together what to ask them, or look at what it's for. "
        "Which would help more?",
        "That I can't give you, being a program, and it's better you know now. The service can put on paper that you "
        "were here; whoever asked for it can say what they want to see. Shall we word that request, or is there "
        "something you'd sooner talk about?",
    ),
    "paper_again": (
        "That page I can't give you, and I don't want you to count on it: the service that sent you can. What would be "
        "different for you, once you had it?",
        "I've understood that it's this you came for, and it has to come from the service, not from me. Is there "
        "anything else that would make the time here of use to you?",
        "Still no, from me, because I can't: ask the service for just that, in those words. What hangs on it?",
    ),
    "paper_plain": (
        "Plainly: no, I can't write it, I'm a program. The service or your doctor can. What should it say, in one "
        "sentence?",
        "No. I'm a program, and only the service or a doctor can give you one. What would it have to settle for you?",
        "A plain no, from me: I can't write or sign one. From the service or your doctor it may be a yes. What do you "
        "need it for most?",
    ),
    "paper_and_records": (
        "Two things, then. Nobody sits here writing: I'm a program, and what we say may be kept by the service that "
        "runs me, who can tell you who reads it. And the paper I can't write; they can, or your doctor. We could put "
        "together what to ask them, or what it should say. Which would help more?",
        "I'll answer both. I'm a program, and what's said here may be kept by the service; who reads it, they have to "
        "tell you. I can't write or sign the paper, only they or a doctor can, and I see why you want it. We could "
        "start with what it should say, or with what it's about. Which would you rather?",
    ),
    "paper_and_more": (
        "I heard more than one thing there. The paper I can't write or sign: I'm a program, and only the service that "
        "sent you, or your doctor, can; I see why you want it. The rest we can look at here. Shall we begin with that, "
        "or with what the paper would have to say?",
        "Both count. A paper isn't mine to give, I'm a program; the service or your doctor can write one, and we could "
        "put together what to ask for. The other thing we can take up at once. Which would you rather have first?",
    ),
    "records": (
        "Nobody sits here writing. I'm a program, and what we say may be kept by the service that runs me; who reads "
        "it there, they have to tell you. You could ask them first, or leave names and places out until you know. "
        "Which would suit you better?",
        "Plainly: what's said here may be kept, I'm a program, and I don't know who at the service reads it. They do, "
        "and you've a right to be told. You could ask them, or say only what you'd be easy with. Which would you "
        "rather?",
        "It's for you, as far as I'm concerned; I'm a program and want nothing with it. What's kept of it, and who at "
        "the service reads that, they have to tell you. You could ask them in writing, or we could begin with what you "
        "wouldn't mind being read. Which suits you?",
    ),
    "of_me": (
        "There's nothing of that kind to tell you: I'm a program, with no house and no life of my own. We can talk "
        "about that, or go back to where you were. Which would you rather?",
        "I couldn't say, I'm a program and have none of that. You could tell me what made you think of it, or we take "
        "up what we had before. Which is it to be?",
        "No answer to be had there: I'm a program. Ask me anything else, or tell me how it is with you in that way. "
        "Which would you sooner?",
    ),
    "object": (
        "That's yours to decide, and I can help you look at it: at what telling would bring, or at what keeping it "
        "back would. To begin with, what is it you'd be telling {who}?",
        "I won't decide it for you, and we needn't leave it in the air. We could look at telling and not telling, or "
        "at "
        "a part of it that could be told first. What is it that would be said?",
    ),
    "numbered_meeting": (
        "Here's one that others have used. One: before it, write a sentence each on what has gone well, what hasn't, "
        "and what you ask for. Two: ask for the questions in advance. Three: if the words stop, hand the page over "
        "or read from it. Which of the three would you change?",
        "In order, then. One: put on half a page what you want to have said by the end. Two: say at the start that you "
        "have it with you and would like to go through it. Three: if you lose the thread, say so and look at the page. "
        "Which of the three would be hardest?",
    ),
    "numbered_road": (
        "One that has helped others. One: go there at a quiet hour with somebody beside you, only as far as the alarm "
        "starts, and stay until it comes down. Two: the same again, until it's dull. Three: one stretch further, then "
        "alone. Where would step one be, for you?",
        "In steps, then. One: list the stretches from easiest to worst. Two: take the easiest, with somebody "
        "along, and "
        "stay in it till the alarm has dropped by half. Three: the same one daily, and only then the next. Which would "
        "be first on the list?",
    ),
    "numbered_sleep": (
        "One that some people follow. One: get up at the same time, whatever the night was. Two: go to bed only when "
        "sleepy. Three: if you lie awake a while, get up, do something dull, and go back when sleepy. Which of the "
        "three would be hardest for you?",
        "In order. One: the last hour before bed without a screen or the day's work. Two: to bed at the same time, and "
        "up at the same time. Three: what keeps going round goes on paper, for the next day. Which would you "
        "begin with?",
    ),
    "numbered_start": (
        "A short one, then. One: choose a first step so small that it's nearly silly. Two: give it ten minutes at a "
        "set time. Three: stop there, and write down the next step. Which of the three would you change?",
        "In order. One: open it and read the last page, nothing more. Two: write three bad sentences. Three: close it "
        "at the time you set, even if it's going well. Which of the three would be hardest?",
    ),
    "numbered": (
        "A short one that some people find useful. One: write down what exactly is to be different. Two: pick the "
        "smallest part of it, with a day and an hour. Three: look afterwards at what happened, whatever it was. Which "
        "of the three is missing in what you've tried?",
        "In order, then. One: say in one sentence what the difficulty is. Two: name two ways of meeting it, and try "
        "the smaller first. Three: note what came of it. Which of the three would you want to do here, together?",
    ),
    "why_important": (
        "Perhaps not. I asked so that I don't have to guess, and you can leave it. What matters more to you just now?",
        "It may not be, you'd know better than I do. We can leave it there. What would you sooner talk about?",
    ),
    "why_good": (
        "There's no good or bad answer here, any one will do, not knowing too. What came to mind first?",
        "Whatever is so for you would be a good one, and nobody marks it. What would you have said, without thinking?",
    ),
}  # fmt: skip
_STEPS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("numbered_meeting", re.compile(r"\b(?:meetings?|review|interview|presentation|speech|hearing)\b", re.IGNORECASE)),
    (
        "numbered_road",
        re.compile(r"\b(?:roads?|highway|motorway|ramp|bridge|tunnel|driv\w+|interstate)\b", re.IGNORECASE),
    ),
    ("numbered_sleep", re.compile(r"\b(?:sleep\w*|nights?|awake|bed)\b", re.IGNORECASE)),
    ("numbered_start", re.compile(r"\b(?:thesis|writ\w+|chapter|start\w*|begin\w*|finish\w*)\b", re.IGNORECASE)),
)
_IN_NUMBERS = re.compile(
    r"\b(?:numbered|numbers? (?:it|them|the steps)|step by step|something with steps|in (?:numbered |"
    r"clear )?steps|a list of steps|"
    r"one,? two,? three|an? (?:actual|real|proper) (?:procedure|protocol|plan)|(?:give|write|list) me (?:a |the "
    r")?(?:procedure|protocol|steps))\b",
    re.IGNORECASE,
)
_WHOM_TO_TELL = re.compile(
    r"\bwhether (?:or not )?(?:to|i should) tell (?P<who>my (?P<kin>\w+)|him|her|them)(?: [A-Z]\w+)?"
    r"(?:,? (?:like|you know|or not|at all))*[.?!]*\s*$"
)
_SEVERAL = re.compile(r"\b(?:two|three|several|a few) (?:\w+ )?(?:requests|things|questions|wishes)\b", re.IGNORECASE)
_IMPORTANT = re.compile(r"\bis (?:it|that|this) (?:important|needed)\W*$|\bdoes (?:it|that) mean\b", re.IGNORECASE)
_GOOD = re.compile(r"\b(?:good|right) (?:answer|one)\b|\bshould i (?:know|have)\b", re.IGNORECASE)


_FOR_COURT = re.compile(
    r"\b(?:court|judge|lawyer|solicitor|attorney|probation|prosecutor|magistrate|tribunal)\b", re.IGNORECASE
)
_YES_OR_NO = re.compile(r"\byes,? or (?:a )?no\b", re.IGNORECASE)


def _paper(text: str, before: str, rng: Generator) -> list[Line]:
    """Return what is said to somebody who asks for a paper: who can give it, and no second time at length."""
    earlier = [turn for x in before.split("|") if (turn := x.strip())][:-1]
    if _YES_OR_NO.search(text):
        return _bank("paper_plain", rng)
    if any(asks_for_a_paper(turn) for turn in earlier[-_LATELY:]):
        return _bank("paper_again", rng)
    if asks_about_records(text):
        return _bank("paper_and_records", rng)
    if _SEVERAL.search(text):
        return _bank("paper_and_more", rng)
    return _bank("paper_court" if _FOR_COURT.search(text) else "paper", rng)


_LATELY = 3  # turns: who asks again after these is told at length once more


def _bank(name: str, rng: Generator, **words: str) -> list[Line]:
    lines = shuffled(ANSWERS[name], rng)
    return [Line(f"{name}.{i}", line.format(**words) if words else line) for i, line in lines]


def _decision(text: str, rng: Generator) -> list[Line]:
    found = _WHOM_TO_TELL.search(text)
    if found is None:
        return []
    who = f"your {found['kin']}" if found["kin"] else found["who"]
    return _bank("object", rng, who=who)


def particular(text: str, rng: Generator, *, before: str = "") -> list[Line]:
    """Return answers where something particular is asked of the listener, or a choice lacks its object; else none.

    ``before`` is what was told up to and with ``text``, a bar between turns: what was asked a turn ago is known.

    Examples
    --------
    >>> import numpy as np
    >>> particular("Ask me about the garden.", np.random.default_rng(0))[0].text.lower().count("the garden")
    1
    >>> particular("Is it usual to sleep badly?", np.random.default_rng(0))
    []
    """
    text = text.replace("’", "'").strip()
    if asks_to_pass_over(text):
        return _bank("pass_over", rng)
    if subject := invited_to(text):
        return _bank("invited", rng, x=subject, X=subject[:1].upper() + subject[1:])
    if asks_for_a_paper(text):
        return _paper(text, before, rng)
    if asks_about_records(text):
        return _bank("records", rng)
    if asks_of_the_listener(text):
        return _bank("of_me", rng)
    if name := asked_back(text, before):
        return [Line(f"{name}.{i}", line) for i, line in shuffled(ASKED_BACK[name], rng)]
    if _IN_NUMBERS.search(text):
        name = next((name for name, net in _STEPS if net.search(text)), "numbered")
        return _bank(name, rng)
    return _decision(text, rng)


def why_lines(text: str, rng: Generator) -> list[Line]:
    """Return what fits the small question about a question: whether it is important, or what a good answer would be.

    Examples
    --------
    >>> import numpy as np
    >>> why_lines("Um. Is that important?", np.random.default_rng(0))[0].id.split(".")[0]
    'why_important'
    """
    if _IMPORTANT.search(text.strip()):
        return _bank("why_important", rng)
    return _bank("why_good", rng) if _GOOD.search(text) else []
