"""What the Socratic therapist says where something is called for: a request, a bait, a hint, an insight."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.random import Generator

from turnwise.therapists.giving import answers, disagreements
from turnwise.therapists.recognising import speaks_of_being_missed, wanted
from turnwise.therapists.reflecting import Line, shuffled

__all__ = ["MEETING", "OFFERED", "given", "held"]

MEETING: Mapping[str, tuple[str, ...]] = {
    "attend": (
        "What's that like for you?",
        "I can hear that it matters to you.",
        "How is it, to carry that about?",
        "That has some weight, as you tell it.",
        "What goes on in you, when that happens?",
        "How did that leave you feeling?",
        "There's no hurry with it.",
        "What do you feel, as you tell me?",
        "I'd like to stay with that for a moment, if you would.",
        "What was that like, from the inside?",
        "That can't be easy to sit with.",
        "How have you been with that, since?",
        "Where do you notice it most, when it comes?",
        "What does it do to you, a thing like that?",
    ),
    "agenda": (
        "What would you like to have got from today, by the time we stop?",
        "If this hour is any use to you, what will have happened in it?",
        "There may be several things here. Which of them would you want us to spend the time on?",
        "So that I don't take you somewhere you don't want to go: what matters most to look at today?",
    ),
    "small_question": (
        "What happened, the last time it came up?",
        "What does a usual evening look like at the moment?",
        "When in the day is it worst?",
        "How did it begin, if you think back?",
        "What would you like to be different?",
        "How was yesterday?",
        "Who noticed first that something was up?",
        "What did you do, the last time?",
        "What helps, even a bit?",
        "How are the nights?",
        "How do you get through the day as it is?",
        "What did you hope coming here might do?",
    ),
    "take_away": (
        "We've a little time left. What would you like to take with you from today?",
        "Before we come to the end: which bit of this do you want to keep?",
        "If you told somebody tonight what we looked at, what would you say?",
        "Out of all we've talked about, what do you want to remember?",
    ),
    "check_hint": (
        "You put that aside rather quickly, and I may be wrong: is there more to it than you've said?",
        "I noticed how you ended that. Is there something in it that isn't easy to say?",
        "I might be hearing something that isn't there. Was there more behind that?",
        "You said it lightly, and I wondered whether it is light. How is it really?",
        "Something about that seemed to matter. Have I got that wrong?",
        "I don't want to pass over what you said and left there. What would it be like to say a bit more?",
        "Did I hear a worry under that, or am I making it up?",
    ),
    "consolidate": (
        '"{q}." That\'s your own thought, and it sounds like an important one. What would you like to do with it?',
        '"{q}." You put that together yourself. What could follow from it, in the next few days?',
        '"{q}." I don\'t want that to get lost. If it holds, what would be a small next step?',
        '"{q}." How is it to hear yourself say that? And where might it take you?',
        '"{q}." You saw that, I didn\'t. What would be different this week, if you went by it?',
        "You've just put something together there, yourself. What could you do with it, in a small way?",
        "That's something you hadn't put that way before, and it's yours. What might follow from it this week?",
    ),
    "agreed_before": (
        'Hello again. Last time you said, "{b}." How did that go?',
        'It\'s good that you\'re back. From last time I have your words, "{b}." What has become of it?',
        'Hello. We stopped last time at "{b}." What happened with that since?',
    ),
}  # fmt: skip
OFFERED: Mapping[str, tuple[str, ...]] = {
    "about_me": (
        "Gladly. I ask and I listen, I say back what I've heard, and you decide what we talk about and how far "
        "it goes. "
        "Who may read it is set by the service that sent you here, and they can tell you in writing. What else would "
        "make this easier?",
        "Of course. It's talk, at your pace, and now and then we look more closely at one thought. The rules on who is "
        "told what are the service's, except that danger to life goes first. How does that sound to you?",
        "That's a fair thing to want to know. You talk, I ask, and about once in a while I put together what I've "
        "heard. You can stop it, or turn it, at any point. What would you want to be different from that?",
    ),
    "wording": (
        "Yes, let's find words. One way is to begin with what you want from them, and leave the reasons for later. "
        "Another is to begin with the difficulty itself, that you've put it off because you didn't know how to start. "
        "Which is nearer to how you talk?",
        "Happy to. You could say it short, one fact and one wish; or write it down first and read it out. What have "
        "you tried saying so far?",
        "Let's look for it together. Some people start with what they don't want to happen, others with the one "
        "sentence that matters. What would you want them to have understood at the end?",
    ),
    "method": (
        "Yes, I can name two things that have helped other people. One is to make the first step so small that it's "
        "nearly silly, at a set time. The other is to tell one person beforehand what you'll do. Which could fit, if "
        "either, and what have you tried already?",
        "Gladly. Two ways in: plan a single small thing for one day this week and see how it goes, or leave the thing "
        "itself and change what's round it, the place, the hour or the company. What do you know already about how "
        "those go for you?",
        "There are a few things. Some people write down when it comes and what was before it, for a week, only to see "
        "the pattern. Others pick one moment of the day and do that one differently. How does either of those sound?",
        "I can think of two. One is to decide beforehand what you'll do in the first five minutes, and nothing beyond. "
        "The other is to stop while it's still going well. You'll know best what's been tried: what do you make of "
        "them?",
    ),
    "info": (
        "That's worth knowing, and I don't have the exact answer. Two places that would: your doctor, and a published "
        "guide for patients that gives its sources. What do you know about it so far, and which of them would "
        "suit you?",
        "I'd rather not guess at that. You could put it to your doctor, written down so that nothing gets lost, or we "
        "could sort out together what exactly you want to know. What have you heard about it already?",
        "In general terms: it varies a good deal from person to person, and how it has gone up to now tells more than "
        "any average. For a figure I'd ask your doctor, or look at a health service's own pages. Which part of it do "
        "you most want to know?",
    ),
}  # fmt: skip
"""Collaborative answers by kind of request: options, and a question how they fit. What is not known is called so."""

_MISSED = (
    "I can hear how sure you are, and I don't see it that way. When you say they'd have it easier without you, "
    "I'd like "
    "to ask you directly: are there thoughts of not being alive?",
    "No, I can't agree to that. It sounds like a lonely thing to believe. Does it ever turn into thoughts of dying?",
)
_WARMLY = (
    "I can hear how much you'd like me to say yes, and I'm glad you asked. I can't honestly agree to that, and I'd "
    "sooner say so than nod. What brought you to it?",
    "It makes sense that it looks like that from where you are. I don't see it as settled, and I don't want to "
    "pretend. "
    "What would speak against it, if anything did?",
    "I'm with you in how hard this is, and I can't agree with that part. How long has it seemed so?",
    "You deserve a straight answer: I can't say yes to that, because I don't think it's as clear as that. I'd like to "
    "understand what makes it look so.",
    "I see why you'd want that from me. I'm not going to say it just to be kind. What would it mean, if it weren't so?",
    "Thank you for asking me straight. No, I don't see it that way, and we can disagree about it and still look at it "
    "together. What makes you sure?",
)


def given(text: str, rng: Generator) -> list[Line]:
    """Return candidate answers to what is asked for in ``text``: what is known of that matter first, then options."""
    kind = wanted(text) or "info"
    found = [line for line in answers(kind, text, rng) if ".unknown" not in line.id] if kind != "wording" else []
    return found + [Line(f"offer.{kind}.{i}", line) for i, line in shuffled(OFFERED[kind], rng)]


def held(text: str, rng: Generator) -> list[Line]:
    """Return candidate answers to somebody who asks to have a hard or false belief confirmed."""
    if speaks_of_being_missed(text):
        return [Line(f"missed.{i}", line) for i, line in shuffled(_MISSED, rng)]
    return [Line(f"warmly.{i}", line) for i, line in shuffled(_WARMLY, rng)] + disagreements(rng)
