"""Lines of the Socratic therapist that rest on no more than that something was said, or on the thought in hand.

``{t}`` is the thought to work on, ``{a}`` what speaks against it, both quoted; ``{s}`` something told earlier, given
back. Lines under a name with ``_here`` speak of "that", and are for a turn that holds the thing itself.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LINES", "SMALLER"]

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
        "It would be odd if that left you cold, I think.",
        "You'd not be alone with that, if people talked about it more.",
        "I think a lot of people would have done the same, and felt the same about it.",
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
        'When you say "{t}", what are you thinking of in particular?',
        '"{T}." When did you see that for yourself, last?',
        'How did you come to it: "{t}"?',
    ),
    "ask_exception": (
        'You said, "{t}." Has there been a time, even a small one, that doesn\'t fit with that?',
        'Is there anything you\'ve seen or heard lately that doesn\'t quite go with "{t}"?',
        'Thinking of "{t}": who or what, if anything, would speak against it?',
        'Has there been a day when "{t}" was less true than on other days? What was different about it?',
        'There\'s a sentence of yours I keep coming back to: "{t}." When was it last a little less so?',
        'Can I go back to something? You said, "{t}." Who has treated you in a way that doesn\'t go with it?',
        'If I asked the people round you about "{t}", what might one of them tell me that doesn\'t fit?',
        '"{T}," you told me. What happened lately that you\'d have to leave out, for it to be the whole truth?',
    ),
    "ask_exception_here": (
        "Is there anybody who has treated you in a way that doesn't go with that?",
        "When was it last a little different, even for a moment?",
        "Is there anything, however small, that doesn't fit with that?",
        "Who might see that another way, and what would they point to?",
        "When was that last not quite true?",
        "What have you come across that doesn't go with it, even if it seemed too small to count?",
    ),
    "ask_alternative": (
        'If a friend said about themselves, "{t}," what would you say back?',
        'How would it look to somebody who is fond of you, when you say "{t}"?',
        'Somebody else might look at "{t}" and see it differently. How might they put it?',
        'Can I go back to your sentence, "{t}"? What other way could there be of putting it?',
        'You said, "{t}." What would you tell a younger person who came to you with that?',
    ),
    "ask_alternative_here": (
        "Suppose someone you care about were in exactly that place. How would you see them?",
        "What other way could there be of seeing it, even if you don't believe it yet?",
        "How might the same thing look from outside, to someone who wished you well?",
        "What else might explain it?",
        "If a friend told you exactly that, what would you say to them?",
        "What would you say to somebody you love, if they saw it like that?",
        "Ten years on, how might you look back on it?",
    ),
    "synthesise": (
        'You told me, "{a}." And you also said, "{t}." How do those two go together for you?',
        'I have two sentences of yours here: "{t}," and "{a}." What do you make of them, side by side?',
        'Put "{a}" next to "{t}". What do you notice?',
        'On one side there\'s "{t}." On the other there\'s "{a}." What do you make of that?',
        'If "{t}" were the whole story, where would "{a}" belong?',
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
        "You don't have to go into that. We can talk about something easier, and come back or not.",
        "It's fine to leave that where it is. Start wherever you like.",
        "We can go slower, or somewhere else. What would you like to do with the time?",
        "There's nothing you have to tell me. What's been on your mind today, big or small?",
        "I may have been asking the wrong things. Tell me anything at all about your day.",
        "I notice we've got a bit quiet. Have I missed something?",
        "We can leave that. How has your week been, otherwise?",
        "I've been asking a good deal. What would you like to say, that I haven't asked?",
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
