"""What is offered to somebody who asks, where nothing more particular is known: options, and how they fit."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["GO_AHEAD", "OFFERED", "WHY_ASKED"]

GO_AHEAD: tuple[str, ...] = (
    "Of course, ask. What I know I'll tell you, and what I don't I'll say so; we could find out then who would know. "
    "What is it?",
    "Yes, please do. I can give you a straight answer, or help you think it through, whichever you'd sooner have. What "
    "would you like to know?",
    "Go ahead. If I know it you'll have it, and if I don't we can look at who does. What's on your mind?",
    "Gladly. Ask it the way it comes, and I'll tell you what I know and what I don't. Which bit of it matters most?",
)
"""To somebody who asks whether they may ask."""
WHY_ASKED: tuple[str, ...] = (
    "It's fair to ask. It isn't for any form: I only wanted to understand it better, and you can leave it. What would "
    "you sooner talk about?",
    "I asked so that I don't have to guess, and for nothing else. It's no test. Would you sooner tell me something "
    "else?",
    "I asked to know how it is for you, and there's nothing that ought to be said. What comes to mind, if anything?",
    "Nothing hangs on it. I ask to understand, and not knowing is as good as any answer. What would you like "
    "to talk "
    "about instead?",
    "Only so that I understand it better. I can say it more simply, or leave it. Which would you sooner?",
)
"""To somebody who asks what a question was for, or whether the answer was a good one."""
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
        "Happy to. A shape that often works is three short sentences: what happened, how it is for you, and the one "
        "thing you'd ask for. Or only the last of the three. What have you got so far, and which would suit it?",
        "Gladly. You could say it short, one fact and one wish, or write it down first and read it out. What would you "
        "want them to have understood at the end, and what have you tried saying?",
    ),
    "wording_toast": (
        "Yes, gladly. Three sentences are enough for that: how you know each other, one small thing that only you have "
        "seen, and a wish. Or leave out the first two, and only say the wish, straight out. Which would feel more like "
        "you?",
        "Let's. One way is to begin with a small thing that only you know about them, and end on a wish; another is to "
        "write four lines on a card and read them. Either is short, and nobody minds short. How do those sound, and "
        "what small thing comes to mind?",
    ),
    "wording_bare": (
        "Gladly, once I know for what. Who is it to be said to?",
        "Yes, we can find words. What is it for, and who will hear it?",
        "Happy to. What should they have understood, whoever it is, by the end of it?",
    ),
    "wording_letter": (
        "Yes. Somebody at a desk reads the first lines and looks for what is wanted. One way is to put that on top, "
        "with a date by which you'd like an answer, and the rest as a short list of dates below. Another is to tell "
        "it in order and end on it. Which fits what you have on the page?",
        "Happy to help with that. What gets read is mostly short: what happened and when, what it does to you, and the "
        "one thing you ask them to do. The proof can go behind it as numbered pages. What's the first line at the "
        "moment, and which of the three is missing?",
    ),
    "wording_close": (
        "Yes, let's look for it. With somebody close, some people say first that it's hard to say, and then the one "
        "sentence; others write it down and stay in the room while it's read. Which is nearer to the two of you?",
        "I can think of two beginnings. One says straight away that there's something you haven't told them, and that "
        "you'd like to. The other starts at the end, with what you'd want from them afterwards. How does either sound "
        "in your own voice?",
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
    "unclear": (
        "Of course. Two things people do: some tell one person they trust in a sentence, and leave the rest for later; "
        "others wait until they know what they'd ask for, and then say it. Which is nearer to what you had in mind?",
        "Gladly. Mostly people do one of two things: they take one small part of it and change that, or they tell "
        "somebody and think it out together. What have you tried of either, and is it that you meant?",
        "Yes. Some leave it for a while and look again; others settle one small thing they'd want to be different, and "
        "begin there. It may not be what you were after: which comes closer?",
    ),
    "decide": (
        "That's yours to decide, and I can help you look at it. One way is to ask what you'd want to be true in a "
        "year; "
        "another is to say what each choice would cost, and whom. Which would help more?",
        "I won't decide it for you, and we needn't leave it in the air. Some people start with what they'd regret not "
        "having done, others with the smallest part of it that could be tried. Which is nearer to you?",
        "Let's lay it out. There's doing it, leaving it, and doing a small part of it first. What speaks for each of "
        "them, as far as you can see?",
        "It isn't for me to say, but I'd gladly think it through with you: what you hope would come of it, and what "
        "you would sooner not see. Which of the two is louder at the moment?",
    ),
    "felt": (
        "People differ a good deal in that, and I can't tell you how it will go for you. For some it comes late or "
        "bit by bit, for others in another form than they'd thought. Which of those is nearer to how it is with "
        "you?",
        "There's no one answer to that, as far as I know: some find it so, others don't, and neither means that "
        "something is wrong with them. You could ask others it has happened to, or we look at how it is with you. "
        "Which "
        "would you sooner do?",
        "I can't say for certain, and I'd not want to make it up. It varies, from person to person and from one month "
        "to the next; somebody who sees many people with it, a doctor or a counsellor, could say more. What have you "
        "noticed so far?",
    ),
    "unsure": (
        "I don't know that for certain, and I'd sooner say so than guess. Somebody who deals with it every day could "
        "tell you, or a guide that gives its sources. Which of those could you reach, and what have you heard already?",
        "I can't settle that one, and I can help you sort it. One way is to put down what you know and what's "
        "missing; another is to ask what would be enough to know for now. How does either of those sound to you?",
        "I haven't got the answer. We could work out together who would have it, or how you'd put the question so "
        "that you get a clear one. Which would help more?",
        "That I don't know. You could tell me what hangs on it for you, and we look at that, or we think of somebody "
        "to ask. Which would you sooner do?",
    ),
    "info": (
        "That's worth knowing, and I don't have the exact answer. Two places that would: your doctor, and a published "
        "guide for patients that gives its sources. What do you know about it so far, and which of them would "
        "suit you?",
        "I'd rather not guess at that. You could put it to your doctor, written down so that nothing gets lost, or we "
        "could sort out together what exactly you want to know. What have you heard about it already?",
        "I don't want to tell you more than I know. In general such things differ from person to person, and your "
        "doctor "
        "or a health service's own pages could say more than I can. Which part of it do you most want to know?",
        "I can't answer that well enough for you to lean on. It would be a good question to write down for your "
        "doctor, "
        "just as you put it. What would you do with the answer, once you had it?",
    ),
}  # fmt: skip
"""Collaborative answers by kind of request: options, and a question how they fit. What is not known is called so."""
