"""Lines of the Socratic therapist that rest on no more than that something was said, or on the thought in hand.

``{t}`` is the thought to work on, ``{a}`` what speaks against it, both quoted; ``{s}`` something told earlier, given
back. Lines under a name with ``_here`` speak of "that", and are for a turn that holds the thing itself.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LEAVING_IT", "LINES", "SMALLER"]

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
        "You don't have to know that. I'm not going anywhere.",
        "That's fine. Say it another time, or not at all.",
        "All right. We can let that one lie.",
        "That's an answer too. Take your time.",
    ),
    "normalise": (
        "Many people would recognise that, I think.",
        "Plenty of people would find that difficult. I don't mean that it makes yours any less.",
        "You're not the first to tell of something like it. How is it in your case?",
        "People often tell of that, each in their own way. What is yours like?",
        "That happens to a good many people, and it's still yours to live with.",
        "You'd not be alone with that, if people talked about it more.",
    ),
    "normalise_unanswered": (
        "Many people find that hard to put into words.",
        "Not many people could answer that straight off.",
        "It's a thing most people have to live with for a while before they can say it.",
        "That's hard to say for nearly everybody.",
    ),
    "ask_thought_past": (
        "What went through your mind just then?",
        "What were you telling yourself at that moment?",
        "What did you take it to mean?",
        "What did you make of that, about yourself?",
        "If there was a sentence in your head just then, how did it go?",
        "What was the first thought, when that happened?",
        "What did you say to yourself afterwards?",
        "What did that tell you, as you saw it then?",
    ),
    "ask_thought_now": (
        "What goes through your mind, when it's like that?",
        "When that happens, what thought comes first?",
        "What do you say to yourself about it, when nobody's listening?",
        "What does that say about you, in your own eyes?",
        "If it stays like that, what would it mean to you?",
        "What do you tell yourself, when you notice it?",
        "What's the sentence in your head that goes with that?",
        "What do you take it to mean?",
    ),
    "ask_thought": (
        "You told me earlier that {s}. What goes through your mind, at a moment like that?",
        "I'm still thinking of what you said, that {s}. What does that say about you, in your own eyes?",
        "Can I go back to one thing? You said that {s}. What do you tell yourself about it?",
        "You mentioned that {s}. What do you take it to mean?",
        "A while ago you said that {s}. What thought goes with that?",
        "I'd like to understand one thing better. You said that {s}: what would it mean, if it stayed so?",
    ),
    "ask_evidence": (
        'You said, "{t}." What do you go by, when you say that?',
        '"{T}." What tells you that it\'s so?',
        'Can we look at one sentence of yours? "{T}." What has taught you that?',
        'There\'s something you said that I\'d like to understand: "{t}." What makes you sure of it?',
        'When you say "{t}", what have you seen that goes with it?',
        'I\'d like to stay with one thing you told me. "{T}." What speaks for it?',
    ),
    "ask_exception": (
        'You said, "{t}." What has happened, even something small, that doesn\'t fit with that?',
        'What have you seen or heard lately, if anything, that doesn\'t quite go with "{t}"?',
        'Thinking of "{t}": who or what, if anything, would speak against it?',
        'I keep thinking of a sentence of yours: "{t}." What doesn\'t fit with it, however small?',
        'There\'s a sentence of yours I keep coming back to: "{t}." When was it last a little different?',
        'Can I go back to something? You said, "{t}." Who has treated you in a way that doesn\'t go with it?',
        'If I asked the people round you about "{t}", what might one of them tell me that doesn\'t fit?',
        '"{T}," you told me. What from the last weeks, if anything, doesn\'t go with it?',
    ),
    "ask_exception_more": (
        'You\'ve told me one thing that doesn\'t fit with "{t}." What else is there that doesn\'t fit, however small?',
        'On the one hand, "{t}." You also told me something that speaks against it. What else doesn\'t fit?',
        'Let\'s see whether that stands alone. What else have you come across that doesn\'t go with "{t}"?',
    ),
    "ask_exception_back": (
        "You told me that {s}. When was it last a little different, even for a moment?",
        "I'm thinking of what you said, that {s}. What has there been lately that doesn't go with that?",
        "Can I go back to one thing? You said that {s}. What, if anything, doesn't fit with that?",
    ),
    "ask_alternative_back": (
        "You told me that {s}. If a friend told you that about themselves, what would you say to them?",
        "Can I go back to one thing? You said that {s}. How might it look to somebody who wished you well?",
        "A while ago you told me that {s}. What would you say to somebody you love, if it was like that for them?",
    ),
    "ask_exception_all": (
        "With all that you've told me: when was it last a little different, even for a moment?",
        "Among all this, what doesn't fit with how things look to you, however small?",
        "You've told me a good deal that weighs. What have you come across that doesn't go with it?",
        "Of all that has happened lately, what doesn't quite fit with the rest?",
    ),
    "ask_alternative_all": (
        "If a friend told you all that you've told me, what would you say to them?",
        "If somebody who wished you well had heard all this, how might it look to them?",
        "What other way could there be of seeing all this, even if you don't believe it yet?",
    ),
    "ask_exception_here": (
        "Who, if anybody, has treated you in a way that doesn't go with that?",
        "When was it last a little different, even for a moment?",
        "What is there, however small, that doesn't fit with that?",
        "Who might see that another way, and what would they point to?",
        "When was it last a little less true?",
        "What have you come across that doesn't go with it, even if it seemed too small to count?",
    ),
    "ask_alternative": (
        '"{T}." If a friend told you that about themselves, what would you say to them?',
        'How would it look to somebody who is fond of you, when you say "{t}"?',
        'You said, "{t}." How might it look to somebody who knows you well?',
        'Can I go back to your sentence, "{t}"? What other way could there be of seeing it?',
        'You said, "{t}." What else might explain how things are?',
        '"{T}." What would you say to somebody you love, if they told you that?',
    ),
    "ask_alternative_here": (
        "Suppose someone you care about were in exactly that place. How would you see them?",
        "What other way could there be of seeing it, even if you don't believe it yet?",
        "How might the same thing look from outside, to someone who wished you well?",
        "What else might explain it?",
        "If a friend told you exactly that, what would you say to them?",
        "What would you say to somebody you love, if they saw it like that?",
    ),
    "ask_exception_state": (
        "When was it last a little different, even for a moment?",
        "What has there been lately that doesn't go with that, however short?",
        "What's different at times when it isn't as bad, if there are any?",
        "What is there, however small, that doesn't fit with that?",
    ),
    "ask_alternative_state": (
        "If a friend told you exactly that, what would you say to them?",
        "What would you say to somebody you love, if it was like that for them?",
        "How might that look to somebody who wished you well?",
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
        "If you went by what you've just seen, what would this week look like?",
    ),
    "next_step": (
        "Of all we've talked about, is there one small thing you'd want to try?",
        "What would be a small step, so small that it could hardly go wrong?",
        "Is there something you'd like to do differently this week, even once?",
        "What could you do, in the next day or two, that would be a beginning?",
    ),
    "give_room": (
        "You don't have to go into that. We can come back to it or not. What's an easier place to start?",
        "It's fine to leave that where it is. What would you rather talk about?",
        "We can go slower, or somewhere else. What would you like to do with the time?",
        "There's nothing you have to tell me. What's been on your mind today, big or small?",
        "I may have been asking the wrong things. How was your day, up to now?",
        "Let's leave my questions for a bit. What would you like to tell me?",
        "We can leave that. How has your week been, otherwise?",
        "I've been asking a good deal. What would you like to say, that I haven't asked?",
    ),
    "deepen_told": (
        "What's that like for you?",
        "Can you tell me more about that?",
        "What matters to you in that?",
        "What stays with you about it?",
        "What do you make of that?",
        "What would you want me to understand about that?",
        "How do you feel about that?",
        "How is that, for you?",
        "What's behind that?",
        "What does that mean to you?",
    ),
    "encourage": (
        "Go on, I'm with you.",
        "Say a little more about that.",
        "I'd like to hear the rest of that.",
        "Tell me how that is.",
        "Yes. Go on.",
        "I'm following. What else?",
        "Let's stay with that for a bit.",
        "What else belongs to that?",
        "I'm listening.",
        "And how is that now?",
        "Help me see it the way you see it.",
        "What comes next in that?",
    ),
}  # fmt: skip
SMALLER: tuple[str, ...] = (
    "That was a big question of mine. A smaller one:",
    "That's all right, it needn't have an answer. Something nearer:",
    "Fair enough. Let me ask it smaller.",
    "No matter. Let me come at it from nearer by.",
    "You don't have to know. Tell me one small thing instead.",
    "That's fine. Something easier:",
    "Then I asked too much at once. Just this:",
    "Fine. We'll take something smaller.",
)
"""Before a small question to somebody who has just said that there is no answer: the question was too big, not they."""
LEAVING_IT: tuple[str, ...] = (
    "That's all right, we can leave that one.",
    "It needn't have an answer.",
    "All right, not that one, then.",
    "That's fine. I'd like to come back to something else you said.",
    "No matter. There's something you said before that has stayed with me.",
)
"""Before a question about something else that was told, to somebody who had no answer to the one before."""
