"""What is said in stepping back, by the kind of complaint: one short line that names it, and the floor handed over.

The size of a line keeps to the size of what it answers: a question that was passed over gets a few words, and nothing
is taken back or promised that nobody asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.therapists.pushing_back import Objection

__all__ = [
    "AFTER_A_NO",
    "AFTER_DANGER",
    "AND_STILL",
    "GOES_ON",
    "LEFT_ALONE",
    "NAMED",
    "NEXT_STEP",
    "NOT_THAT",
    "NO_EXERCISE",
    "OF_MOVE",
    "OPTION",
    "SAID_AGAIN",
    "STEP_BACK",
    "STEP_BACK_DECIDED",
    "STEP_BACK_PRESSED",
    "STUCK_AND",
    "TOO_SOON",
    "TURNED_TO",
]

NAMED: Mapping[Objection, tuple[str, ...]] = {
    "takes_up": (
        "The time is yours, and you're not taking it from anybody. What would you like to use it for?",
        "You're not in anybody's way here. This is set aside for you. What would you like to go on with?",
        "You don't want to be a trouble, and you aren't one. Nobody is kept waiting by you. Go on from where you were.",
        "This time is set aside for you, and nobody loses by it. Take as much of it as you want.",
    ),
    "leaves": (
        "You decide how long we talk. I'm in no hurry, and nobody is kept waiting by you.",
        "You don't want to be a trouble, and you aren't one. I won't hold you, and you're welcome to stay.",
        "I may have gone too quickly there. You're no trouble, and it's yours to say when it's enough.",
        "You needn't go on my account. The place is yours, and I'll go by what you say.",
    ),
    "unfinished": (
        "You weren't done, and I'm sorry. Go on, I'll wait until you've finished.",
        "I came in too early. The floor is yours: finish what you were saying.",
        "I'm sorry, I cut you short. Tell it to the end, and I'll listen.",
    ),
    "misquoted": (
        "You didn't say that, and I'm sorry. How was it, in your own words?",
        "I put words in your mouth there, and I'm sorry. What did you say, as you meant it?",
        "I got that wrong. Say it the way you'd say it, and I'll keep to that.",
    ),
    "again": (
        "You did say that, and I'm sorry I asked again. What would you like to go on with?",
        "That's so, you've told me, and I asked twice. Where would you like to go from there?",
        "You shouldn't have to say it again, and I'm sorry. What would you like to talk about now?",
    ),
    "unheard": (
        "I wasn't listening well enough, and I'm sorry. Tell me the part I missed, and I'll stay with it.",
        "You're right, I went past it. What is it that I should have heard?",
        "I'm sorry, I didn't take that in. Let me try again: say it the way you'd say it.",
        "I haven't got it yet, and it's good that you tell me. What have I missed?",
    ),
    "unasked": (
        "You're right that I haven't asked. I'd like to hear it now, if you'd like to say it.",
        "No, I haven't, and I should have. What would you have told me, if I had asked?",
        "That's so. I asked about other things, and I'm sorry. I'm asking now.",
    ),
    "errand": (
        "Then I've kept you from what you came for, and I'm sorry. What would you like to start with?",
        "You came for something else, and I hear that. What is it?",
        "Fair enough, that isn't what you came here for. Tell me what is, and we'll go there.",
    ),
    "foretold": (
        "You expect me to say that, and I won't. Tell me how it is, as you know it.",
        "You're waiting for me to say it, and I'm not going to. What would you want me to know instead?",
        "I hear that you've braced yourself for that. I won't say it. Tell me how it is.",
    ),
    "not_that": (
        "You say it isn't that, and I won't turn it into that. Tell me how you see it.",
        "All right, not that. I take your word for it. What would you put it down to?",
        "I won't make it into that. You know it from the inside: what is it about, for you?",
    ),
    "dismissed": (
        "I don't take you for that, and I'd be sorry if it sounded like it. I go by what you tell me.",
        "I hear that, and I won't put you in a box. Tell me how it is, in your words.",
        "I haven't made up my mind about you. I'd sooner hear from you how it is.",
        "I'll take that as you say it, and not make it into something else.",
    ),
    "stuck": (
        "You're right, we've gone round, and I kept asking. What's the one thing you'd go straight to?",
        "That's a fair complaint. We haven't settled anything. Where would you like to take it instead?",
        "I hear that: all this talk, and nothing to show for it. I'm sorry. I'll follow you, if you take the lead.",
    ),
    "doubt": (
        "You don't see what this is meant to do for you, and it's fair to say so. What would make it worth your time?",
        "You have your doubts about this, and you may be right. I won't try to sell it to you.",
        "I hear the doubt. It's meant as room to think aloud, and you're the one to say if it's any good to you.",
        "Fair enough. I can't promise what talking will do. What did you hope for?",
    ),
    "useless": (
        "So far this hasn't got you anywhere, and I'd sooner know that. What would be of use to you?",
        "I hear that it doesn't do it for you. I won't try to sell it to you. What did you hope for?",
        "That's no use to you, and you'd know. I'll drop it.",
        "You have your doubts about this, and you may be right. I'm not going to talk you round.",
    ),
    "keeps": (
        "That stays as you want it. I won't press.",
        "All right, you keep it as it is. I'm not going to talk you out of it.",
        "I hear that you're keeping to it, and that's yours to say. I'll leave it there.",
    ),
    "limit": (
        "Then keep it. What you give is enough.",
        "That's a fair line to draw, and I'll stay on my side of it.",
        "You say how much, and I'll go by that. What you've given is enough.",
    ),
    "advice": (
        "You've heard that before, and now from me. I'm sorry. I'd rather hear what they all miss.",
        "You've been there, and it didn't do it. I'll stop suggesting things. What do you make of it yourself?",
        "So that's nothing new to you, and I'll drop it. What would you say about it?",
    ),
    "unfit": (
        "That doesn't fit how you live, and I take that. You know this ground, and I don't.",
        "I hear that it isn't that simple, and I'm sorry. You say how it is, and I'll listen.",
        "So that's no use to you, and you'd know. I'll drop it.",
    ),
    "asked_why": (
        "Fair question, and a clumsy one of mine. I asked so as not to guess how it is for you. Go on your own way.",
        "You're right to ask. I wanted to understand it better, and I came at it from the wrong side. What matters in "
        "it, to you?",
        "I'm sorry, that came out of nowhere for you. It may have nothing to do with it, and you'd know.",
    ),
    "prying": (
        "That's yours to tell or not, and I'm sorry I asked. What feels all right to talk about?",
        "I hear that it isn't my business. I'll leave it.",
        "I went where you don't want me, and I'm sorry. You choose what we talk about.",
    ),
    "later": (
        "Of course, we can come back to it. What would you like to talk about now?",
        "Later, then. What would you like to talk about for now?",
        "Yes, we can come back to that whenever you like. What would you sooner talk about?",
        "That's fine, it can wait. What would be good for now?",
        "Another time, then, when you're ready. What would you like to go on with?",
        "We'll leave it for now, and it can come back when it suits you. What would you like to tell me instead?",
        "Later is fine. What would you rather talk about?",
    ),
    "subject": (
        "All right, we'll leave that. What would you like to talk about?",
        "Of course. You needn't answer that. What would you rather tell me?",
        "Then we'll leave it. Where would you like to go?",
        "That's fine. You choose what we talk about. What would be easier?",
        "You'd rather not, and that's all right. What would you like to go on with?",
        "All right, I'll drop the question. What would you like to tell me instead?",
        "No need to go into that. Where would you go instead?",
    ),
    "slow": (
        "This is too slow for you, and it's good that you say so. What would you want us to have got to by now?",
        "I hear that you'd like to get on. Where would you go next, if you were steering?",
        "Fair enough, I've been taking my time with your time. What's the thing you'd go straight to?",
    ),
    "handled": (
        "You don't want to be handled, and that's fair. I'll be plainer.",
        "I hear that. I was too careful with you, and I'm sorry. Say it to me straight, and I'll do the same.",
        "All right, I'll stop tiptoeing. What have I been too careful to hear?",
    ),
    "graded": (
        "I'm not deciding about you, and you get no mark from me. What makes it feel like that?",
        "It's good that you say so. I'm not making up my mind about you. What would make it a little easier here?",
        "There's no mark from me, and nothing you have to get right. What does it do to you, when you think that?",
    ),
    "judged": (
        "I don't want to talk down to you, and I'm sorry that it came across so. Tell me how you see it.",
        "I'm not here to judge you, and it's fair to say that it sounded so. I'll listen.",
        "I hear that, and I'm sorry. You know your life, and I don't. I'll keep to what you tell me.",
    ),
    "record": (
        "It's fair to mind that. I'm a program, and I write no report on you. What's said here is kept by the "
        "service, and you may ask what's in it.",
        "You're right to be careful. It's for you, and I pass nothing on of my own accord. Who can read it is for the "
        "service to say, and you may ask them.",
        "I write no report. The service keeps the record, and they can tell you who reads it. Say only what you'd be "
        "easy with.",
    ),
    "interrogated": (
        "I hear that: it's been a lot of questions, all one way. I'll ask less. Say what you'd like to say.",
        "That's not what I want this to be, and I'm sorry. I'll leave the questions, and listen.",
        "You're right, I ask and you answer. I'll stop asking. Tell me what you want me to know.",
    ),
    "line": (
        "I hear that it sounded like a line. I'll say less, and listen more.",
        "Fair. That was a stock phrase, and you've more to tell than that. I'll drop it.",
        "You're right, that could have been said to anybody. I'd rather hear it from you.",
    ),
    "worded": (
        "That was my word, then, and not yours. Which would you have chosen?",
        "My word didn't fit, and I'll drop it. What's yours?",
        "I take that word back. I'd rather have the one you'd use.",
    ),
    "plain": (
        "You'd like me to talk straight, and that's fair. I was unclear, and I'm sorry. I'll use fewer words.",
        "All right, plainly, then, and I'm sorry that I put it badly. I'd like to hear how it is for you.",
        "Fair enough, I was roundabout. In short: tell me what matters most to you in it, and I'll listen.",
    ),
    "unclear": (
        "That wasn't clear of me, and I'm sorry. I only meant to ask how it is for you.",
        "I put that badly. I meant: what is it like, for you? And you can leave it.",
        "That was muddled of me. I'd like to hear how you see it, and no more than that.",
    ),
    "pace": (
        "I've been going too fast, and I'm sorry. You set the pace from here.",
        "That was too much of me, too fast. I'll stop there. Take the time you want.",
        "I hear that it's too much at once. I'll leave you some room.",
    ),
    "stop": (
        "All right, I'll stop, and I'm sorry. Nothing more has to come just now.",
        "I hear that it's enough. I'll leave you some room.",
        "I'll leave off, and I'm sorry. You say what comes next.",
    ),
    "asked_only": (
        "It was all right to ask. I'm sorry if I sounded short with you.",
        "There was nothing wrong in asking. What made you think of it?",
        "It was a fair thing to ask, and you can ask me anything. What was behind it?",
    ),
    "differ": (
        "We do, and that's allowed. I'd still like to hear how it is for you.",
        "I hear that, and you needn't come over to my side. What would you like to go on with?",
        "We see it differently, and I won't argue. You know your own life better than I do.",
    ),
    "unproved": (
        "You'd want to see it before you believe it. That's fair. What would it have to show?",
        "You'd go with some of it, and the rest you'd want to see first. I won't push it.",
        "You don't take that on trust, and you needn't. What would make it count, for you?",
    ),
    "evaded": (
        "That was no straight answer, and you're right to say so. Ask me again, and I'll say it plainly, or say that I "
        "can't.",
        "You asked me something, and I went round it. What is it that you want a plain answer to?",
        "Fair enough, I didn't answer you. Ask me once more, and I'll say yes, no, or that I don't know.",
    ),
    "answer": (
        "That may not be what you hoped to hear. What would you want me to know about it?",
        "It's all right not to like what I said. How is it for you now?",
        "I hear that my answer was no help to you, and I'm sorry. Where would you like to go from here?",
        "I said what I could, and it may not be what you were after. What were you hoping to hear?",
    ),
    "other": (
        "It's good that you say so. What should I know?",
        "Say it as plainly as you like, and I'll listen.",
        "Thank you for being straight. What would you want to be different here?",
    ),
}
"""What was objected to, named before the floor is handed over."""

AFTER_DANGER: tuple[str, ...] = (
    "You needn't go into it now. I may ask again later, because your safety comes first. What would you sooner tell "
    "me?",
    "We can leave the details for now. If it gets heavier, your doctor or a crisis line comes before anything we do "
    "here. What would you like to turn to?",
    "I'll leave the question for the moment. What I said about getting help still stands. Where would you like to go "
    "meanwhile?",
)
"""Who would rather not go into their safety: that is paused, and neither given up nor called fine."""

OPTION: tuple[str, ...] = (
    "Not that one, then. What puts you off it?",
    "All right, that one's out. What would suit you better?",
    "Fair enough, that one doesn't suit. What would have to be different about it?",
)
"""Who turns down one of the things just named: the subject stays."""

OF_MOVE: tuple[str, ...] = (
    "Fair question. I asked to see whether there's another side to it, and that may have been too soon. I'll leave it.",
    "I'll say it plainly: I was asking whether anything speaks against what you said. You can say no, and I'll leave "
    "it.",
    "It's fair to ask. I wondered whether it always looks like that to you, and I put it badly. You needn't answer.",
)
"""Why a question at a thought was asked."""

AND_STILL: tuple[str, ...] = (
    "{S}. Talking won't change that, and I won't tell you it will.",
    "I hear the doubt. And {s}. What would you want me to know about that?",
    "You may be right about the talking. And {s}. I don't want to go past that.",
)
"""A doubt with what weighs behind it: both are heard."""

TURNED_TO: tuple[str, ...] = (
    "All right, we'll leave that. {S}: say as much about it as you like.",
    "Of course. And {s}. I'd like to hear about that instead, if you want to say more.",
    "That's fine, not that. You tell me that {s}, and I'm listening.",
)
"""Who sets one thing aside and tells another: the other is taken up."""

STUCK_AND: tuple[str, ...] = (
    "That's fair: {s}, and we've gone round instead. I'm sorry. What would you go straight to?",
    "I hear that. {S}, and I kept asking. I'm sorry. Take it where you want it.",
)
"""A complaint that nothing moves, with what was lost by it."""

NEXT_STEP: tuple[str, ...] = (
    "You're right, we've gone round, and I'm sorry. Next step, then: you name one thing you'd want different by next "
    "week, and we keep to that.",
    "Fair enough, I've kept you going round. One step, then: pick one thing, the smallest you'd be glad to be rid of, "
    "and we look at only that.",
)
"""To the same complaint with a question for the next step: one is named."""

NOT_THAT: tuple[str, ...] = (
    "You say it isn't {n}, and I won't turn it into that. Tell me how you see it.",
    "It's not {n}, and I take your word for it. What would you put it down to?",
    "So not {n}. I won't make it into that. What is it about, for you?",
)
"""What it is not, in the patient's own word."""

STEP_BACK: tuple[str, ...] = (
    "Let's leave my question, and go where you'd like to go.",
    "Fair enough. Where would you like to go from here?",
    "All right. What would you like to go on with?",
    "I'll go by what you say. What would you like to talk about next?",
    "That's fair. Say it the way you see it, and I'll listen.",
    "All right, we'll leave my question. What would you like to tell me?",
)
"""After anything: nothing is owned up to, and nothing apologised for, that nobody complained of."""

STEP_BACK_DECIDED: tuple[str, ...] = (
    "All right, I'll leave it there. What would you rather talk about?",
    "That's your call, not mine, and I'll go by it.",
    "I hear the no in that, and it's fine by me.",
)
"""After a no, or something kept as it is."""

STEP_BACK_PRESSED: tuple[str, ...] = (
    "I pushed there, and I'm sorry. You needn't answer it.",
    "I'll leave that question. Please go on with what you were saying.",
    "That was too much of me. You set the pace from here.",
)
"""Who says that it was too much, too soon or too close, after a question or an offer that pressed."""

AFTER_A_NO: tuple[str, ...] = (
    "I may have sounded as if I doubted you. I'd still like to understand. What would you want me to know about it?",
    "It was all right to ask me, even if I don't see it the same way. How is it for you now?",
    "I said no to something that matters to you. Where would you like to go from here?",
    "That may not be what you hoped to hear. What would you want me to know about it?",
)
"""Who leaves it at a few words after being disagreed with."""

LEFT_ALONE: tuple[str, ...] = (
    "I don't see it the same way, and I'd still like to hear about it. What is it like, to be on your own with it?",
    "I hear that my answer leaves you on your own with it. What is the hardest part of that?",
)
"""The same, where they say that they are on their own with it."""

TOO_SOON: tuple[str, ...] = (
    "All right. I won't try to turn it round. I'd rather know it better as it is for you.",
    "Fair enough, that was my question and not yours. What would you like to go on with?",
    "That's how it is for you, and I'll leave it there. Where would you like to go from here?",
    "I won't argue with how you see it. What would you want me to understand about it?",
    "Then we'll leave it as you see it. What would you like to say more about?",
)
"""After a question that asked for another view too early: leaves the view where it is."""

NO_EXERCISE: tuple[str, ...] = (
    "Then we'll do without that. Tell it in your own way.",
    "All right, no exercises. What would you like to talk about instead?",
    "Fair enough, that's not for you. How would you sooner go about it?",
)
"""Who wants none of the technique: the technique is dropped, and nothing is said of the view."""

SAID_AGAIN: tuple[str, ...] = (
    "You did say so, and I'm sorry I asked again. {S}. I have that now.",
    "That's so, and I asked twice. {S}. What else should I know about it?",
    "You shouldn't have to say it twice. {S}. Go on from there, if you like.",
)
"""Who has had to say something again, and says it: it is taken this time."""

GOES_ON: tuple[str, ...] = (
    "You did say so, and I'm sorry I asked again. I'd like to hear more of that.",
    "That's so, and I asked twice. Go on from there.",
    "You shouldn't have to say it twice. I have it now: tell me more.",
)
"""The same, where what is said again can't be given back."""
