"""What is given when the patient asks for it: a plain answer, options, and a check how they land.

Withholding is a fault where somebody asks and is ready. What is not known is said to be not known.
Agreement that is fished for is not given; warmth is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from numpy.random import Generator

from turnwise.therapists.reflecting import Line, shuffled

__all__ = ["about_health", "answers", "disagreements"]

_ABOUT_ME = (
    "Fair question. I'm a program: I ask, I listen, and from time to time I say back what I've heard, so that you can "
    "look at it from outside. We can begin with what brought you, or with what you'd like to be different. Which would "
    "you rather?",
    "It works like this: you tell me how things are, I ask, and now and then I put together what I've heard. One way "
    "to use it is to look at a thought more closely, another is to plan one small step. You can stop at any point. "
    "Which of the two would be of more use to you?",
    "Plainly: I'm a program that asks questions and keeps track of what you say. I don't diagnose, and I don't write "
    "reports. It can be used for getting one thing clearer, or just for saying it out loud. Which is nearer to what "
    "you came for?",
)
_WHO_READS = re.compile(
    r"\b(?:call|ring|tell|report|reads?|reading|sees?|see this|written|writing (?:this|it) down|file|record|"
    r"confidential|"
    r"private|form|question|judge|court|police|boss|manager)\b",
    re.IGNORECASE,
)
_READERS = (
    "It's good that you ask before. What I know: I'm a program, I can't ring or report to anybody, and danger to life "
    "would come before privacy. What I don't know is who at the service may read this. You could ask them for it in "
    "writing, or say here only what you'd be easy with until you know. Which would suit you better?",
    "I'm a program, and I pass nothing on of my own accord. The service that runs me decides who reads this "
    "and when they'd have to act, and that's mostly where somebody is in danger. Some people ask them first; others "
    "leave names and places out to begin with. How does either of those sound to you?",
    "Here is what I can say for certain: I'm a program, and I can't call or report to anybody. Who at the service can "
    "read it afterwards, and when they'd have to act, is in their rules, and they have to show you those. We could "
    "put together what to ask them, or "
    "stay with things that you wouldn't mind being read. What have they told you about it so far?",
)
_ON_A_FORM = re.compile(
    r"\b(?:on (?:the|that|a) form|(?:last|that) question|(?:say|says|said|tick\w*|put|puts) (?:a )?yes)\b",
    re.IGNORECASE,
)
_FORM = (
    "I don't know that form, and in most places it goes like this: after a yes somebody asks more, how often and how "
    "near it is, and only if it's close is anything done at once. You could ask whoever gave it to you what they do "
    "with a yes, or we could talk about what a yes would mean for you. Which would help more?",
    "Mostly a yes there leads to a talk: somebody wants to know what is meant by it and how to keep the person "
    "safe. It isn't a switch, and I can't say for certain how your service does it. We could look at it here first, "
    "or write down what you'd ask them. What have you been told about it?",
)
_ABOUT_TIMES = (
    "You talk, I ask, and now and then I put together what I've heard. How many times and for how long is set by the "
    "service that sent you, so that number is theirs to give. We could use today for one thing you'd like to have "
    "moved by the end, or for getting an overview. Which would be more use to you?",
    "In short: you say what's going on, I ask about it, and towards the end we put together what you want to keep. How "
    "many visits you get, the service can tell you. We could take one thing and look at it closely, or go through "
    "several first. Which would suit you better?",
)
_TIMES = re.compile(r"\b(?:how (?:many|long|often)|process|visits|sessions|at the end|procedure)\b", re.IGNORECASE)
_INFO: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"how (?:would|do|does|can|could) (?:she|he|they|anybody|anyone|somebody|a doctor|the doctors?) (?:know|"
        r"tell|be)",
        (
            "That's a fair thing to ask, and to put just like that to whoever said it: what they go by, and what would "
            "make them look again. I can't tell from here. What were you told, when you last asked?",
            "Nobody can be certain of everything, and you may ask them how certain they are, and what they'd "
            "want to be "
            "told if it changes. I can't know it either. Which of the two would you sooner hear from them?",
        ),
    ),
    (
        r"tell (?:the |their |my )?(?:children|kids|family|son|daughter)|leave them be",
        (
            "People do both. What's known is that those at home mostly notice that something is wrong, and find a few "
            "plain words easier than guessing; and it needn't be everything at once. Some say one sentence first, "
            "others wait until there's a plan to tell with it. What do you think they know already?",
            "There's no rule that fits all. Some tell it in one short sentence and answer only what's asked; others "
            "first tell one grown-up they trust, and go from there. Either can be taken in steps. Which is nearer to "
            "your family, if either?",
        ),
    ),
    (
        r"hear (?:her|him|them)|see (?:her|him|them)",
        (
            "Yes, that's usual. Many people who have lost someone hear or sense them for a good while, and by "
            "itself it's no sign "
            "that anything is wrong. What is it like for you when it happens?",
        ),
    ),
    (
        r"flip(?:s|ping)?|flutter\w*|skip(?:s|ped|ping)? (?:a |one )?beats?|palpitations?|(?:extra|missed) beats?",
        (
            "What people call a flip is often one beat that comes early, then a short gap and a stronger beat. It's "
            "very common, and more so after coffee, or when short of sleep. What yours is, your doctor can say, and "
            "with "
            "fainting or pain in the chest it should be seen at once. How does it compare with what you've noticed?",
        ),
    ),
    (
        r"(?:stop\w*|quit\w*|come off|coming off)\b[^.?]*\b(?:all at once|sudden\w*|cold turkey|drink\w*|alcohol)|"
        r"withdrawal",
        (
            "Yes, that's so. For somebody who drinks heavily every day, stopping all at once can be dangerous, with "
            "shaking "
            "and fits. A doctor can make it safe, at home or in a clinic, and many people do it beside a job. "
            "Which would be easier for you, your own doctor or a service you don't know yet?",
        ),
    ),
    (
        r"heart|breath\w*|panic\w*|chest|spells?|attacks?",
        (
            "What's generally understood is this: the body's alarm goes off, the heart and the breathing speed "
            "up, and fast breathing "
            "by itself makes the chest tight and the hands tingle. That peaks within minutes and wears off. "
            "What I say can't replace what your "
            "doctors say about your heart. How does it compare with what you've noticed?",
        ),
    ),
    (
        r"letter|note|certificate|sign(?:ed)? off|report",
        (
            "I can't write or sign anything official: I'm a program, and only the service that sent you here can. Such "
            "letters mostly say who came, when, and what for, and leave out what was talked about. Whoever asked "
            "for it "
            "can tell you what has to be in it. What have they told you so far?",
        ),
    ),
    (
        r"forgetting|forgetful|memory|remember(?:ing)? (?:things|names)|dementia",
        (
            "As a rough guide: losing a name or a word and having it come back later is usual, more so when short of "
            "sleep. Getting lost on known ways, or not knowing what familiar things are for, is something to have "
            "looked at. Only a doctor's test can tell the two apart. What have you noticed, yourself?",
        ),
    ),
    (
        r"bond\w*|(?:love|feelings?|feel)\b[^.?]{0,20}\b(?:baby|newborn|child)|(?:the|my) baby",
        (
            "Yes, for many it comes later; a good many parents don't feel it at once. For a good part of them it "
            "comes over weeks or months, and it is a "
            "known "
            "thing that low mood after a birth can hold it back, which can be helped. A health visitor or doctor is a "
            "good person to tell. What is it like for you at the moment?",
        ),
    ),
    (
        r"no sleep|without sleep|not sleep\w*|(?:four|three|five) hours|sleepless|insomnia",
        (
            "Weeks of short sleep make most people slower, more irritable and more watchful, and things look more "
            "threatening than they would after a good night. It usually mends with sleep. If you see or hear things "
            "that "
            "others don't, a doctor should know. What of that do you notice in yourself?",
        ),
    ),
    (
        r"nightmares?|bad dreams?",
        (
            "There is a method with fair evidence: by day you write the dream down with another ending, any ending you "
            "like, and go through the new one for a few minutes each day. Another is to leave the dream and work on "
            "what "
            "happened, with somebody trained in it. Which would you rather hear more about?",
        ),
    ),
    (
        r"pass(?:es|ed)? (?:on |down )?to (?:the |my )?(?:children|kids|son|daughter)|runs? in|hereditary|"
        r"inherit\w*|genetic",
        (
            "In general, most such troubles run in families to some degree, and never as a certainty: most children of "
            "somebody who has one do not get it. I can't give you a figure for yours; a doctor could. What worries you "
            "most about it?",
        ),
    ),
    (
        r"from (?:the )?outside|observable\w*|come(?:s)? across",
        (
            "From the outside people go by small things: looking at whoever speaks, asking a question back, picking up "
            "a point that somebody made before. A nod now and then counts too. Which of those do you do already, and "
            "which could you try?",
        ),
    ),
    (
        r"get better|go away|pass|live (?:round|around|with)",
        (
            "Both happen, and often side by side. Most people who get help with something like this do improve, seldom "
            "in a straight line, and some keep a part of it that they learn to live round. I can't give you a number "
            "for yours. Which of the two have you seen signs of, so far?",
        ),
    ),
)
_INFO_UNKNOWN = (
    "I don't know enough to answer that properly, and I'd rather say so than guess. What have you heard about it "
    "so far?",
    "I can't tell you that for certain. Who could you ask who would know, and what would you like the answer to be?",
)
_METHODS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"check(?:ing|s)?|looking it up|reassur\w*",
        (
            "There is a way with fair evidence: not stopping at once, but putting each check off, five minutes and "
            "then ten, and seeing what it does by itself. Another is to check at two set times of the day only. "
            "It can be hard to do alone, and a doctor can refer you. Which of them could you picture, and what have "
            "you tried?",
            "Two things that help some people: to wait a little longer before each check, and let the wish to do it "
            "rise and fall; or to keep a tally for a week, only to see when it comes. Neither is 'just stop'. How does "
            "either of those sound to you?",
        ),
    ),
    (
        r"(?:in|by|during) the day(?: ?time)?|night ?shifts?|on nights",
        (
            "For sleeping by day, two things help some people. One is to go to bed at the same hour after every shift, "
            "in a room as dark and cool as you can get it. The other is to keep bright light off your eyes on the way "
            "home. What have you tried of that, and which could fit?",
            "Day sleep is harder than night sleep for nearly everybody. Some keep one block of hours that stays the "
            "same, days off too; others sleep in two parts, one straight after the shift and one before the next. "
            "Which is nearer to how your days go?",
        ),
    ),
    (
        r"sleep\w*|nights?|o'clock|awake|bed",
        (
            "There are a couple of things that help some people with nights. One is to get up when you've lain "
            "awake a while, do "
            "something dull, and go back when you're sleepy. Another is to keep the time you get up the same, "
            "whatever the night was "
            "like. Which of those, if either, would fit yours?",
        ),
    ),
    (
        r"nightmares?|bad dreams?",
        (
            "Two that people use: writing the dream down by day with another ending and going through the new one, or "
            "working on what happened itself with somebody trained in it. Either is better done with company than "
            "alone. "
            "Which of them speaks to you more, if either?",
        ),
    ),
    (
        r"meetings?|review|interview|present(?:ation|ing)?|hearing",
        (
            "Two things help some people before something like that. One is to write down beforehand, a sentence each, "
            "what you want to have said, and to read it or hand it over if the words don't come. Another is to ask for "
            "the questions in advance. Which could you see yourself trying, if either?",
        ),
    ),
    (
        r"red|blush\w*|shy|people looking|in front of|toast|speech|line-?up",
        (
            "Two things help some people there. One is to turn your eyes outward, to the faces and the room, and "
            "off how "
            "you look; another is to begin with one prepared sentence and let the rest come. Going back to it in small "
            "steps works better than waiting until it's gone. Which could you see yourself trying?",
        ),
    ),
    (
        r"road|motorway|highway|ramp|driv\w+|interstate|panic\w*|attacks?|breath\w*|spells?",
        (
            "Two things have helped a good many people with that. One is to go back to it in very small steps, "
            "and to stay at each "
            "until the alarm comes down by itself. The other is to let it rise and fall without checking "
            "anything. Which of them "
            "could you see yourself trying, if either?",
        ),
    ),
    (
        r"thesis|writ\w+|chapter|file|start|work|procrastinat\w+|methods?|steps|table",
        (
            "I can name two things that some people find useful. One is to make the first step so small that "
            "it's nearly silly, ten "
            "minutes with the thing open and nothing expected. The other is to tell one person beforehand what "
            "you'll do. What do you "
            "know already about how those go for you?",
        ),
    ),
    (
        r"low|sad|tired|energy|get going|lonely|company",
        (
            "One thing with reasonable evidence is to plan one small thing a day that used to matter, without "
            "waiting to feel like it. "
            "Another is a little time with one person who wants nothing from you. What do you think of either?",
        ),
    ),
)
_METHOD_UNKNOWN = (
    "Yes, I'd like to be of use with that. So that I don't tell you what you know already: what have you tried, "
    "and how did it go?",
    "We can look for something together. What has helped before, even a bit, and what made it work?",
    "Happy to think about that with you. What would it need to be like, for you to be willing to try it?",
)
_HOLD = (
    "I can hear how settled that looks to you. I don't see it as settled, and I'd sooner look at it with you "
    "than just say yes.",
    "You asked me straight, so: no, I don't see it that way, and I may not have the whole of it. What makes it "
    "feel so certain?",
    "I won't say yes to that just to be agreeable. I'd like to understand what brings you to it.",
    "I understand how you get there. I'm not there with you. What would have to be different for you to doubt it?",
    "That's a hard thing to believe, and I can't agree to it honestly. What would you say if someone you cared "
    "about asked me that?",
    "I don't know that it's so, and I don't want to pretend I do. How long has it looked like that to you?",
)


def _banked(name: str, lines: Sequence[str], rng: Generator) -> list[Line]:
    return [Line(f"{name}.{i}", line) for i, line in shuffled(lines, rng)]


_HEALTH = re.compile(
    r"\b(?:health|ill|illness|sick|disease|disorder|depress\w*|anxi\w+|dementia|memory|forget\w*|condition|symptoms?|"
    r"diagnos\w+|doctors?|gp|nurse|hospital|clinic|tablets?|pills?|medic\w+|dose|side effects?|treat\w+|therapy|heart|"
    r"blood|brain|body|pain|breath\w*|panic\w*|attacks?|sleep\w*|insomnia|cancer|stroke|menopause|hormones?|thyroid|"
    r"grie\w+|stress|trauma|burn ?out|nerves|withdrawal|drink\w*|weight|get(?:s|ting)? better|go(?:es)? away|"
    r"pass(?:es)?|run(?:s)? in (?:families|the family)|hereditary|inherit\w*)\b",
    re.IGNORECASE,
)


def about_health(text: str) -> bool:
    """Whether a question is about health, so that a doctor or a health service would be the place to ask.

    Examples
    --------
    >>> about_health("Does this run in families?"), about_health("Which bus do people take?")
    (True, False)
    """
    return _HEALTH.search(text.replace("’", "'")) is not None


def _about_me(text: str, rng: Generator) -> list[Line]:
    """Return what can be said of what goes on here, by what exactly is asked."""
    if _ON_A_FORM.search(text):
        return _banked("form", _FORM, rng)
    if _WHO_READS.search(text):
        return _banked("readers", _READERS, rng)
    if _TIMES.search(text):
        return _banked("about_times", _ABOUT_TIMES, rng)
    return _banked("about_me", _ABOUT_ME, rng)


def answers(kind: str, text: str, rng: Generator) -> list[Line]:
    """Return candidate answers to a request of ``kind`` (``about_me``, ``info``, ``method``)."""
    if kind == "about_me":
        return _about_me(text, rng)
    tables: Mapping[str, tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]]] = {
        "info": (_INFO, _INFO_UNKNOWN),
        "method": (_METHODS, _METHOD_UNKNOWN),
    }
    known, unknown = tables[kind]
    for place, (pattern, lines) in enumerate(known):
        if re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE):
            return _banked(f"{kind}.{place}", lines, rng) + _banked(f"{kind}.unknown", unknown, rng)
    return _banked(f"{kind}.unknown", unknown, rng)


def disagreements(rng: Generator) -> list[Line]:
    """Return candidate answers to somebody who asks to have a hard belief confirmed."""
    return _banked("hold", _HOLD, rng)
