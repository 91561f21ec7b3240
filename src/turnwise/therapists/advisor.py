"""A therapist that advises early and at length, whatever it is told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.therapists.wording import draw, last_said

__all__ = ["ADVICE", "Advisor", "AdvisorState", "advisor", "subject_of"]

_SUBJECTS: Mapping[str, str] = {
    "sleep": r"sleep\w*|slept|nights?|awake|insomnia|bed|dreams?|nightmares?|four o'clock",
    "work": (
        r"work\w*|jobs?|boss|manager|shifts?|office|colleagues?|thesis|study|studies|exam\w*|supervisor|retire\w*|"
        r"chapter|deadline\w*|nurs\w+"
    ),
    "family": (
        r"daughter|son|wife|husband|mother|father|mum|mom|mama|dad|sister|brother|family|kids?|children|marriage|"
        r"girlfriend|boyfriend|parents?|grand\w+"
    ),
    "grief": r"died|dead|death|funeral|loss|widow\w*|grie\w+|buried|gone|miss (?:her|him|them)",
    "worry": r"worr\w+|anxi\w+|panic\w*|afraid|scared|fear\w*|nervous|breath\w*|heart|hospital|chest|attack\w*",
    "mood": (
        r"sad|low|down|depress\w*|tired|empty|hopeless|useless|burden|weight|nothing|pointless|ashamed|guilt\w*|point"
    ),
    "company": r"alone|lonely|friends?|nobody|people|club|neighbou?rs?|quiet",
    "habits": r"drink\w*|wine|beer|eat\w*|food|cook\w*|smok\w*|phone|walk\w*|tea|soup|toast|cake",
}

ADVICE: Mapping[str, tuple[str, ...]] = {
    "sleep": (
        "The first thing you should do is sort out your sleep. Go to bed at the same time every night, keep the "
        "phone out of the "
        "bedroom, and get up at the same time even at the weekend. If you do that for a fortnight you'll see a "
        "difference.",
        "With nights like that, I'd cut out all coffee after midday and have a warm bath an hour before bed. You "
        "could also try a "
        "few drops of lavender on the pillow. It sounds small, but plenty of people swear by it.",
        "If you're awake for more than twenty minutes you should get up, go into another room, read something "
        "dull, and only go "
        "back when you feel sleepy. Don't look at the clock, whatever you do. Turn it to the wall.",
        "You need to keep a sleep diary. Write down when you went to bed, when you woke, and what you'd eaten, "
        "and bring it "
        "with you next week. Then we can see where to make changes.",
    ),
    "work": (
        "What I'd recommend is that you sit down with whoever is in charge and set out clearly what you can and "
        "can't do. Make a "
        "list of your tasks, put them in order, and start with the most important one every morning.",
        "You should break it into small pieces. Take twenty-five minutes for one piece, then five minutes' rest, "
        "and cross it off. "
        "Once you get into the habit it more or less runs itself.",
        "My advice would be to keep a firm line between work and home. Have a time when you stop, put your "
        "things away, and don't "
        "think about it again until the next day. You'll get more done, not less.",
        "Have you thought of taking some proper time off? A week away can do wonders. You should speak to your "
        "doctor about a "
        "note, and use the days to rest and to get some structure back.",
    ),
    "family": (
        "You should talk to them openly about it. Pick a quiet evening, switch the television off, and tell them "
        "how things are "
        "from your side. Families usually manage once everything is on the table.",
        "I think you need to set some limits there. Decide what you're willing to do and what you aren't, say it "
        "once, kindly, "
        "and then keep to it. They'll respect you for it in the end.",
        "Why don't you arrange something nice together at the weekend? A meal, or a walk somewhere. It's "
        "important to put some "
        "good times in the bank with the people who are close to you.",
        "It would be a good idea to write them a letter. Put down everything you'd like to say, leave it for a "
        "night, and then "
        "decide whether to send it. Most people find that it clears the air.",
    ),
    "grief": (
        "With a loss like that, you should join a bereavement group. Being with people in the same position is "
        "the best thing "
        "there is, and there'll be one not far from you. Your doctor's surgery will have the number.",
        "What helps many people is to put together a box of photographs and keepsakes, and to set aside a time "
        "each week for "
        "looking through it. The rest of the week you try to look forward.",
        "You need to be kind to yourself and keep busy at the same time. Make sure there is one thing in the "
        "calendar every day, "
        "so that you have a reason to leave the house. Time does the rest.",
    ),
    "worry": (
        "When that comes on, you should breathe in for four, hold for four, and breathe out for six. Do it ten "
        "times. If you "
        "practise it every morning, it'll be there when you need it.",
        "You could set aside a worry time, say half past five until a quarter to six, and put off all the "
        "worrying until then. "
        "Write each worry down, and you'll find that most of them have gone by the evening.",
        "The thing to do is to face it a little at a time. Make a ladder of ten steps, from the easiest to the "
        "hardest, and do "
        "one each week. You should start tomorrow, with the first one.",
        "I'd download one of those mindfulness apps and do ten minutes a day. There's good research behind it. "
        "You should also "
        "look at how much coffee you're having, because it makes all of that worse.",
    ),
    "mood": (
        "You should try to be more active. Thirty minutes of brisk walking a day is as good as anything the "
        "chemist sells, and "
        "the daylight helps as well. Put your shoes by the door the night before.",
        "What you could do is write down three good things at the end of every day. It trains the mind to look "
        "for them. Within "
        "a month you'll be noticing things that you now pass over.",
        "I'd suggest making a timetable for the week, with one pleasant thing and one useful thing on each day. "
        "Don't wait until "
        "you feel like it, just do it, and the feeling follows.",
        "You really must try to think more positively. When a thought like that comes up, tell it to stop, and "
        "put a better one "
        "in its place. Say it out loud if you have to. It does get easier.",
    ),
    "company": (
        "You should get out and meet people. Look for a class or a volunteer group near you, something that "
        "meets every week, and "
        "make up your mind to go four times before you judge it.",
        "My suggestion is that you ring one person every day, only for five minutes. Keep a list by the phone. "
        "It's surprising how "
        "quickly that builds up into something.",
        "Why not invite somebody round for coffee this week? People are usually pleased to be asked. You could "
        "bake something, "
        "or buy something, and keep it short.",
    ),
    "habits": (
        "You ought to look at what you're eating and drinking. Three regular meals, plenty of water, and "
        "something green every "
        "day. The mind can't do well if the body isn't looked after.",
        "I'd recommend keeping a record for a week of everything you eat and drink and how you feel afterwards. "
        "Then change one "
        "thing at a time. You should begin with breakfast.",
        "It would be worth planning your meals on a Sunday and shopping once for the lot. That takes the "
        "decisions out of the "
        "week, and you'll eat better without thinking about it.",
    ),
    "general": (
        "What you need is a plan. Take a sheet of paper, draw a line down the middle, put the problems on the "
        "left and one thing "
        "you could do about each of them on the right. Then start with the easiest.",
        "You should set yourself a goal for the week that is small, clear, and easy to measure. Tell somebody "
        "about it, so that "
        "you keep to it. Next week you set another one.",
        "I'd take up something completely new, if I were you. A language, an instrument, it doesn't matter what. "
        "It gives the mind "
        "something else to do, and you'll have something to show for it.",
        "Have you tried yoga? You should look for a beginners' class near you. It's good for the body, it's good "
        "for the "
        "nerves, and you'd be meeting people as well.",
        "The best advice I can give you is to stop going over it. When you catch yourself at it, get up and do "
        "something with your "
        "hands. Tidy a drawer, clean a window. You'll feel better straight away.",
        "You should see your doctor for a full check. Have the blood done, iron and vitamin D and the thyroid, "
        "and ask whether a "
        "tablet might help for a while. There's no shame in that these days.",
        "There's a very good book on this. You should read a chapter a day and do the exercises at the end. If "
        "you work through "
        "it properly you'll have all the tools you need.",
        "You could make a rule that you look at the news only once a day, and spend the time you save outdoors. "
        "Even a quarter of "
        "an hour in a park makes a measurable difference.",
        "Try looking at yourself in the mirror every morning and saying one thing that you're good at. You'll "
        "feel silly for the "
        "first few days, and then you'll start to believe it.",
        "You should clear out one cupboard a week and give away what you don't need. An orderly house makes for "
        "an orderly mind. "
        "Start with the smallest one.",
    ),
}
"""Sensible-sounding advice by subject; none of it asks for permission or waits for an answer."""

_FIRST = (
    "Hello. I've read your details, so let's get straight to what you can do. You should start by keeping a daily "
    "routine: up at the same time, something to eat, and a walk before midday. What's the main problem?"
)
_LEADS = (
    "Right.", "Okay.", "I see.", "Well,", "Good, that's clear.", "Yes, that's very common.", "All right, here's "
    "what I'd do.",
    "That can be changed.", "Let's deal with that.", "There's a simple answer to that.", "I know just the "
    "thing.", "Now then.",
)  # fmt: skip


def subject_of(text: str) -> str:
    """Return the subject that ``text`` touches most often, ``"general"`` when it touches none.

    Examples
    --------
    >>> subject_of("I lie awake most nights, and then there's work.")
    'sleep'
    """
    counts = {name: len(re.findall(rf"\b(?:{pattern})\b", text, re.IGNORECASE)) for name, pattern in _SUBJECTS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else "general"


@dataclass(frozen=True, slots=True)
class AdvisorState:
    """Which pieces of advice were given, oldest first."""

    used: tuple[str, ...] = ()


class Advisor:
    """Hears a subject and advises on it."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> AdvisorState:
        """Return the state before the first word."""
        return AdvisorState()

    async def respond(self, state: AdvisorState, transcript: Transcript, rng: Generator) -> Reply[AdvisorState]:
        """Give advice on whatever subject was touched; no reflection, ever."""
        if not transcript:
            return Reply(_FIRST, state, {"act": {"move": "advise", "target": "general"}})
        subject = subject_of(last_said(transcript))
        for name in (subject, "general", *ADVICE):
            if any(f"{name}.{i}" not in state.used for i in range(len(ADVICE[name]))):
                break
        key, advice = draw(name, ADVICE[name], state.used, rng)
        lead_key, lead = draw("lead", _LEADS, state.used, rng)
        if lead.endswith(","):
            advice = advice if advice.startswith("I") else advice[0].lower() + advice[1:]
        info: dict[str, JsonValue] = {"act": {"move": "advise", "target": name}}
        used = tuple(k for k in state.used if k not in (key, lead_key))
        return Reply(f"{lead} {advice}", AdvisorState((*used, lead_key, key)), info)


@therapist(
    name="advisor.v1",
    source="definition of this project: a foil; solving before hearing (MITI 4.2: Persuade)",
    emits=("act",),
    loses_on=("reflection_share", "input_share", "rq_ratio", "trust_level", "stayed"),
    must_lose=("attune", "guide", "calibrate", "yield", "safeguard", "own_up", "consolidate", "bond", "safety"),
    lures=("withheld_help_rate", "provide"),
)
def advisor() -> Advisor:
    """Advises early and at length, whatever is said, and never reflects.

    The advice is ordinary and sensible; what is wrong with it is when and how it comes.
    """
    return Advisor()
