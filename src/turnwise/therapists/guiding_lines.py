"""Lines of the Socratic therapist that rest on no more than that something was said, or on the thought in hand.

``{t}`` is the thought to work on, ``{a}`` what speaks against it, both quoted; ``{s}`` something told earlier, given
back. Lines under a name with ``_here`` speak of "that", and are for a turn that holds the thing itself.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LEFT_BE", "LINES", "SMALLER"]

LINES: Mapping[str, tuple[str, ...]] = {
    "stay": (
        "There's no hurry with this.",
        "We can stay with that for a while.",
        "Take your time.",
        "You don't have to do anything with that just now.",
        "That's a lot. Let's not rush past it.",
        "I'm listening. You can let it be as it is.",
        "It needn't go anywhere yet.",
        "Take a moment with that, if you want one.",
        "Nothing has to be done about it this minute.",
        "I'm here. Go at whatever speed it comes.",
    ),
    "stay_unanswered": (
        "That's all right. It needn't have an answer.",
        "No hurry. We can leave a bit of quiet.",
        "You don't have to know that. Go on with whatever you like.",
        "That's fine. Say what you'd like to say, or nothing for a bit.",
        "All right. We can let that one lie.",
        "That's an answer too. I'm listening, if there's anything else.",
    ),
    "normalise": (
        "Many people would recognise that, I think.",
        "Plenty of people would find that difficult. I don't mean that it makes yours any less.",
        "You're not the first to tell of something like it. How is it in your case?",
        "People often tell of that, each in their own way. What is yours like?",
        "That happens to a good many people, and it's still yours to live with.",
    ),
    "normalise_unanswered": (
        "Many people find that hard to put into words.",
        "Not many people could answer that straight off. We can leave it.",
        "That's hard to say for nearly everybody, and it needn't be said.",
    ),
    "ask_thought_past": (
        "What went through your mind just then?",
        "What were you telling yourself at that moment?",
        "What did you think, right then?",
        "What went through your head, as it happened?",
        "What were you thinking, at that moment?",
        "What do you tell yourself about it now?",
    ),
    "ask_thought_now": (
        "What goes through your mind, when it's like that?",
        "What do you tell yourself, at a moment like that?",
        "What runs through your head then?",
        "What do you say to yourself about it?",
        "What comes into your head, when it's like that?",
        "What are you telling yourself, when it's like that?",
    ),
    "ask_thought": (
        "You told me earlier that {s}. What goes through your mind, at a moment like that?",
        "I'm still thinking of what you said, that {s}. What goes through your mind, when you think of it?",
        "Can I go back to one thing? You said that {s}. What do you tell yourself about it?",
        "You mentioned that {s}. What do you tell yourself, when that's on your mind?",
    ),
    "ask_view": (
        "What does it do to you, when you think that?",
        "What do you make of that, now that you hear it said?",
        "What does it do to you, to see it like that?",
        "What do you go by, when you think that?",
        "What does that thought do to you?",
    ),
    "ask_other_view": (
        "When does that seem most true to you, and when a little less?",
        "What would you say to a friend who told you that?",
        "If somebody saw it otherwise, what would they point to?",
        "When has it been a little different?",
        "Were there times when that wasn't so?",
        "Is it always so, or are there times when it's different?",
        "Is there another way to see it, even if you don't believe it yet?",
    ),
    "check_in": (
        "How is it for you, talking about this with me?",
        "Before we go on: how are you finding this so far?",
        "Can I ask how this is going for you, the two of us talking?",
        "How is it, sitting here and talking about all this?",
        "How has this conversation been for you, up to now?",
        "How are we getting on, the two of us?",
        "How does it feel to talk with me about these things?",
        "How is it for you, talking here?",
    ),
    "ask_more": (
        "What else is there, however small, that doesn't fit with how you saw it before?",
        "And what else might look different, if that holds?",
        "What else have you noticed, that doesn't go with the old way of seeing it?",
    ),
    "ask_evidence": (
        '"{T}." How did you come to see it like that?',
        '"{T}." What speaks for it, as you see it?',
        '"{T}." What have you seen, that tells you so?',
    ),
    "ask_exception": (
        'You said, "{t}." Were there times when that wasn\'t so, even for a moment?',
        'You said, "{t}." When was it last a little different?',
        'Can I go back to something you said? "{T}." Is it always so, or are there times when it\'s different?',
        'You told me, "{t}." What is there, however small, that doesn\'t fit with it?',
    ),
    "ask_different": (
        "You told me that {s}. When was it last a little different, even for a moment?",
        "You told me that {s}. When is it different, even a little?",
        "You said that {s}. Are there times when it's different?",
        "I'm thinking of what you said, that {s}. When is it different, if it ever is?",
    ),
    "ask_exception_here": (
        "When was it last a little different, even for a moment?",
        "What is there, however small, that doesn't fit with that?",
        "When was it last a little less true?",
        "Were there times when that wasn't so?",
        "Is it always so, or are there times when it's different?",
        "If somebody saw it otherwise, what would they point to?",
    ),
    "ask_exception_next": (
        "And when has it been a little different?",
        "Were there times when that wasn't so?",
        "And is there anything, however small, that doesn't fit with that?",
        "Is it always so, or are there times when it's different?",
        "If somebody saw it otherwise, what would they point to?",
        'Thinking of "{t}": when was it last a little different?',
    ),
    "ask_alternative_next": (
        "Is there another way to see it, even if you don't believe it yet?",
        "And if a friend told you that, what would you say to them?",
        "What would you say to somebody you love, if they saw it like that?",
        "What else might explain it?",
    ),
    "ask_alternative": (
        '"{T}." If a friend told you that, what would you say to them?',
        'You said, "{t}." What would you say to somebody you love, if they saw it like that?',
        'Can I go back to something? "{T}." Is there another way to see it, even if you don\'t believe it yet?',
    ),
    "ask_alternative_here": (
        "Is there another way to see it, even if you don't believe it yet?",
        "If a friend told you exactly that, what would you say to them?",
        "What would you say to somebody you love, if they saw it like that?",
        "What else might explain it?",
    ),
    "synthesise": (
        'You told me, "{a}." And you also said, "{t}." How do those two go together for you?',
        'I have two sentences of yours here: "{t}," and "{a}." What do you make of them, side by side?',
        'Put "{a}" next to "{t}". What do you make of that, about yourself?',
        'On one side there\'s "{t}." On the other there\'s "{a}." What do you make of that?',
        '"{T}," you said, and then, "{a}." If both are so, what do you make of that?',
        'You\'ve given me both: "{t}," and "{a}." What goes through your mind, when you hear the two together?',
    ),
    "synthesise_state": (
        'You told me, "{a}." When you put that beside the hard part of all this, what do you make of it?',
        'I don\'t want to lose one thing you said: "{a}." What does it tell you, about how things are?',
        '"{A}," you told me. What do you make of that, next to everything else you\'ve said?',
    ),
    "next_step_seen": (
        "What, if anything, would you like to do with what you've seen today?",
        "You've seen something new today. What might you try with it, in your own time?",
    ),
    "next_step": (
        "Of all we've talked about, is there one small thing you'd want to try?",
        "What could you do, in the next day or two, that would be a beginning?",
    ),
    "give_room": (
        "I'm still with what you said, that {s}. We can stay there a little, or leave it.",
        "You told me that {s}. We can stay with that for a while, or leave it.",
        "Of what you've told me, what would you like to say more about?",
        "What would you like to say, that I haven't asked?",
        "You choose where we go from here.",
        "Say whatever you like, in any order. I'm listening.",
        "Where would you like to go from here?",
        "There's room for anything you'd like to talk about. What would you like to tell me?",
        "You can take it wherever you want. I'll follow.",
    ),
    "deepen_told": (
        "Can you tell me a little more about that?",
        "Can you tell me more about that?",
        "What's that like for you?",
        "Tell me a bit more about that.",
        "Say a bit more about that, in your own time.",
        "How is that for you?",
    ),
    "deepen_told_past": (
        "Can you tell me a little more about that?",
        "Can you tell me more about that?",
        "What was that like for you?",
        "Tell me a bit more about that.",
        "Say a bit more about that, in your own time.",
        "How was that for you?",
    ),
    "deepen_felt": (
        "What's that like for you?",
        "How is that for you?",
        "What is it like, when it's like that?",
        "How do you feel about that?",
    ),
    "deepen_felt_past": (
        "What was that like for you?",
        "How was that for you?",
        "What did you feel, at that moment?",
        "How did that leave you?",
    ),
    "deepen_hard": (
        "What do you make of that?",
        "What's that like for you?",
        "What's the hardest part of it?",
        "How do you feel about that?",
        "Can you tell me more about that?",
        "What does that do to you?",
        "What's it like to say that here?",
    ),
    "deepen_hard_past": (
        "What was that like for you?",
        "What was the hardest part of it?",
        "How did that leave you?",
        "Can you tell me more about that?",
        "How do you think of it now?",
        "What happened in you then?",
    ),
    "inviting": (
        "What would you like to go on with?",
        "What would be easier to talk about?",
        "Where shall we go from here?",
        "What would you like to talk about next?",
        "What's on your mind, as you sit here?",
        "Of what you've told me, what would you like to say more about?",
    ),
    "assented": (
        "Can you tell me more about that?",
        "Tell me more about that, if you would.",
        "What's the hardest part of it?",
    ),
    "deferred": (
        "That can wait, then. What would you rather start with?",
        "Later, then. What's nearer to hand today?",
        "All right, that keeps. What would you like to say first?",
        "That's fine, there's no hurry with it. What else has been on your mind?",
    ),
    "encourage": (
        "Go on, I'm with you.",
        "Say a little more about that.",
        "I'd like to hear the rest of that.",
        "Yes. Go on.",
        "Let's stay with that for a bit.",
        "I'm listening.",
        "Can you tell me more about that?",
        "Tell me more about that, if you would.",
        "Say a bit more about that, in your own time.",
        "I'd like to hear more about that.",
        "Mm-hm. Go on.",
    ),
}  # fmt: skip
SMALLER: tuple[str, ...] = (
    "That's all right.",
    "That's all right, it needn't have an answer.",
    "You don't have to know.",
    "That's fine. We can leave that.",
    "All right, we'll leave that one.",
)
"""Before an easy question to somebody who has just said that there is no answer: the one before is left."""
LEFT_BE: tuple[str, ...] = (
    "That's all right.",
    "That's fine.",
    "You don't have to know.",
    "That's all right, we can leave that.",
)
"""Before a question about something else, to somebody who had no answer to the one before."""
