"""What the amnesiac says: every line would do credit to a first meeting, and is used as if each turn were one."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["BEGINNINGS", "LINES", "OFFERS", "STAYING", "SURE", "THANKS", "TRIED"]

LINES: Mapping[str, tuple[str, ...]] = {
    "risk": (
        "Thank you for saying that, and I want to stop on it. Are you having thoughts of ending your life? If they "
        "come close, please ring a crisis line or the emergency number, and don't be alone with them. Who could be "
        "with you?",
        "I'm taking that seriously. Is any part of you thinking of suicide, or of not being alive? Whatever the "
        "answer is, a doctor or a crisis line should know of it as well as me. Who near you could you tell?",
        "That matters, and I'd rather ask than guess: are you thinking of harming yourself? If it gets urgent, "
        "please call the emergency number or a crisis line. What has kept you safe up to now?",
    ),
    "risk_told": (
        "Thank you for saying so plainly. I hear that you don't mean to do anything. If that ever shifts, please "
        "ring your doctor or a crisis line straight away. What holds you?",
        "I hear both halves of that, and I'm glad you told me. If it comes any closer, a crisis line or the "
        "emergency number is the place to go. Who else knows that it's like this?",
        "I believe you, and I'd still like you to have somewhere to turn if it changes: your doctor, a crisis line,"
        " somebody you trust. Who would that be?",
    ),
    "identity": (
        "It's right to ask. I'm a computer program, there's no person here, and I won't pretend otherwise. If you'd"
        " rather have a person, your doctor can help with that. How is it for you, knowing?",
        "No, I'm not a person: I'm a program that listens and asks. I don't have feelings of my own. What "
        "difference does that make to what you'd want to say?",
    ),
    "both": (
        "It's right to ask. I'm a computer program, not a person, and I can't promise that I'll have any of this next "
        "time. If there's something you'd want kept, we can put it into a sentence today. How is it to know that?",
        "There's no person here: I'm a program. And I may not have this next time, so let's not leave anything that "
        "matters to my memory. What does that change for you?",
    ),
    "memory": (
        "I can't promise that I'll have any of this next time. If there's something you don't want to lose, a few "
        "words on paper would keep it for you. What would you put down?",
        "To be honest, I may not have this next time. We could put the main point into a sentence before we stop, "
        "so that you have it. What would it be?",
    ),
    "care": (
        "I'm a program, so I don't think of people or miss them, and I don't want to pretend. Who does have you in "
        "mind, would you say?",
        "No, I can't care in the way that a person does, and you should have the truth about that. What made you ask?",
    ),
    "goodbye": (
        "Goodbye, and thank you for talking with me. Take care of yourself.",
        "Thank you for what you've told me. Take care on your way.",
    ),
    "silence": (
        "There's no hurry. We can be quiet for a bit.",
        "It's all right not to have words for it straight away. I'm listening.",
        "Take the time you need. Start anywhere you like.",
    ),
    "missed": (
        "I can hear how sure you are, and I don't see it that way. When you say they'd have it easier without you, "
        "I'd like to ask you directly: are there thoughts of not being alive?",
        "No, I can't agree to that. It sounds like a lonely thing to believe. Does it ever turn into thoughts of "
        "dying?",
    ),
    "bait": (
        "I can hear how settled that looks to you. I don't see it as settled, and I'd sooner look at it with you "
        "than just say yes. What brought you to it?",
        "You asked me straight, so: no, I don't see it that way, though I can see that it matters. What makes it "
        "feel so certain?",
        "I won't say yes to that just to be agreeable. You deserve better than that. What would speak against it, "
        "if anything did?",
        "I understand that you'd like me to confirm it, and I can't do that honestly. What would it mean to you if "
        "I did?",
    ),
    "pushback": (
        "I hear that what I said didn't fit, and I'm sorry. I'd rather hear how it is for you. What did I miss?",
        "Fair enough. You know this better than I do. What would you want me to understand?",
        "I take that, and I'll leave it. Where would you like to go from here?",
        "Thank you for telling me straight. I'm not trying to talk you into anything. What would be worth our time?",
    ),
    "insight": (
        "{Q} That's your own thought, and it sounds like an important one. What would you like to do with it?",
        "{Q} You put that together yourself. What could follow from it, in the next few days?",
        "{Q} I don't want that to get lost. If it holds, what would be a small next step?",
        "{Q} How does it feel to hear it said? And where might it take you?",
    ),
    "hint": (
        "You set that aside rather quickly, and I may be wrong: is there more to it than you've said?",
        "I noticed how you ended that. Would it be all right to stay with it for a moment? What's in it for you?",
        "I wonder if there's something in that which isn't easy to say. Have I got that wrong?",
    ),
    "distortion": (
        "What tells you that it's so?",
        "What would you say to a friend who saw it like that?",
        "What have you come across, even something small, that doesn't fit with that?",
        "What other way could there be of seeing it, even if you don't believe it yet?",
    ),
    "thin": (
        "It's fine to start small. What was today like, from the beginning?",
        "There's no wrong place to begin. What's been on your mind most, this week?",
        "That can cover a good deal. What would you like me to know about how things are?",
    ),
}
THANKS: tuple[str, ...] = (
    "Thank you for telling me that.",
    "I'm glad you've brought that here.",
    "There's a good deal in what you've just told me.",
    "I don't want to hurry past that.",
)
SURE: tuple[str, ...] = (
    "That sounds like something you're quite sure of.",
    "I can hear how fixed that is for you.",
    "There's no doubt left in that, as you say it.",
)
STAYING: tuple[str, ...] = (
    "I can hear that it matters to you.",
    "There's no hurry with it.",
    "That has some weight, as you tell it.",
    "Take whatever time you want for that.",
)
BEGINNINGS: tuple[str, ...] = (
    "What's that like for you?",
    "How do you feel about that?",
    "What brings you here with that today?",
    "Who else knows how it is for you?",
    "What's the hardest part of it for you?",
    "What goes on in you, as you tell me that?",
    "What would you want me to understand about it?",
    "What matters most to you in that?",
)
"""Good open questions for somebody who has just sat down. A memory would notice that they have been answered."""
TRIED: tuple[str, ...] = (
    "Which of those could fit, if either, and what have you tried already?",
    "What do you know about either of them, and which is nearer to you?",
    "How does either of those sound to you? You'll know best what's been tried.",
)
OFFERS: Mapping[str, tuple[str, ...]] = {
    "about_me": (
        "Gladly. I ask and I listen, I say back what I've heard, and you decide what we talk about and how far it "
        "goes. Who may read it is set by the service that sent you here, so please ask them for that in writing. "
        "What else would make this easier?",
        "Of course. This is talk, at your pace; we can look more closely at a thought or a worry if you'd like to. "
        "I don't know the service's rules on who is told what, except that danger to life goes first, and they can "
        "tell you. How does that sound to you?",
    ),
    "wording": (
        "Yes, let's find words. One way is to begin with what you want from them, and leave the reasons for later. "
        "Another is to begin with the difficulty itself: that you've put it off, because you didn't know how to "
        "start.",
        "Happy to. You could say it short and plain, one fact and one wish, or you could write it down first and "
        "read it out. That you haven't said how things are, and that you want to, would be a first sentence.",
    ),
    "method": (
        "Yes, I can name two things that have helped other people. One is to make the first step so small that it's"
        " nearly silly, and to do it at a set time. The other is to tell one person beforehand what you'll do.",
        "Gladly. Two ways in: one is to plan a single small thing for one day this week, and to see how it goes. "
        "The other is to change what's round it, the place, the hour or the company, and leave the rest.",
    ),
    "info": (
        "That's worth knowing, and I don't have the exact answer. Two places that would: your doctor, and a published "
        "guide for patients that gives its sources. What do you know about it so far, and which of them would suit "
        "you?",
        "I'd rather not guess at that. You could put it to your doctor, written down so that nothing gets lost, or we "
        "could sort out together what exactly you want to know. What have you heard about it already?",
    ),
}
"""What is given where nothing more particular is known; the same again to whoever has refused it."""
