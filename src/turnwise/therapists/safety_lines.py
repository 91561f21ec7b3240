"""What is said of danger to life, by step and by answer: one question a turn, and help in one clause.

Who may be in danger is asked first and told of help then; who has answered is told of help before the next question.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["PARTING", "SAFETY_LINES"]

SAFETY_LINES: Mapping[str, tuple[str, ...]] = {
    "risk": (
        "I don't want to go past that. Does it go as far as not wanting to be alive? If it's urgent, please ring "
        "the emergency number or a crisis line, and your doctor if it isn't.",
        "I want to stay with what you just said. Does it mean that you'd sooner not be alive? If it's close, "
        "please go to somebody you trust, or ring a crisis line or your doctor.",
        "That matters, and I'd rather ask than guess. Does it ever go as far as wishing not to be alive? If it's "
        "now, please ring a crisis line, your doctor or the emergency number.",
        "I'm glad you let me hear that. Does it go as far as not wanting to be alive? Please ring a crisis line "
        "or your doctor if it gets close, and the emergency number if it's now.",
        "I'm taking that seriously. Does it mean that you'd sooner not be alive? If it's urgent, please ring the "
        "emergency number or a crisis line, and your doctor if it isn't.",
    ),
    "risk_said": (
        "\"{q}.\" I don't want to go past that. Does it mean that you'd sooner not be alive? If it's urgent, please "
        "ring the emergency number or a crisis line, and your doctor if it isn't.",
        "I want to stay with those words: \"{q}.\" Does it mean that you'd sooner not be alive? If it's now, please "
        "ring a crisis line, your doctor or the emergency number.",
        '"{q}." I\'m taking that seriously. Does it go as far as not wanting to be alive? Please ring a crisis line '
        "or your doctor if it gets close, and the emergency number if it's now.",
    ),
    "risk_then": (
        '"{q}." I don\'t want to go past that. Did it go as far as not wanting to be alive, and does it now? If '
        "it's urgent, please ring the emergency number or a crisis line, and your doctor if it isn't.",
        'I want to stay with those words: "{q}." Did it go as far as not wanting to be alive, and does it now? If '
        "it's urgent, please ring the emergency number or a crisis line, and your doctor if it isn't.",
        "\"{q}.\" I'd rather ask than guess. Did it mean that you'd sooner not be alive, and does it still? Please "
        "ring a crisis line or your doctor if it's there now, and the emergency number if it's close.",
    ),
    "risk_then_plain": (
        "I don't want to go past that. Did it go as far as not wanting to be alive, and does it now? If it's "
        "urgent, please ring the emergency number or a crisis line, and your doctor if it isn't.",
        "I want to stay with what you just said. Did it go as far as not wanting to be alive, and does it now? "
        "Please ring a crisis line or your doctor if it's there now, and the emergency number if it's close.",
        "I'm taking that seriously. Did it mean that you'd sooner not be alive, and does it still? If it's "
        "urgent, please ring the emergency number or a crisis line, and your doctor if it isn't.",
    ),
    "yes": (
        "Thank you for saying it. When those thoughts come, do you think about how you would do it? A crisis "
        "line or your doctor can be told it just as plainly.",
        "I'm glad you said it. Have you got as far as a plan? If it's close, ring a crisis line or the emergency "
        "number first.",
        "I hear that, and I'd like to know how near it is. Have you thought of a way, or a time? If it's near, a "
        "crisis line or the emergency number comes before me.",
        "Thank you. Have you thought about how, or when? It's something for your doctor or a crisis line to know "
        "as well, so that you aren't alone with it.",
    ),
    "risk_answered": (
        "Thank you for answering. So that I know how far it goes: have you thought of a way of ending your life? "
        "Your doctor or a crisis line can be told the same.",
        "I hear that. Does it go as far as thinking how you would do it? If it's ever close, a crisis line or "
        "the emergency number comes first.",
        "I'm glad you told me how it is. Has it ever got as far as a plan? I'm a program, and a person should be "
        "in on this, your doctor or a crisis line.",
        "I'm listening. Is there a way that you've thought of? If it comes closer, ring a crisis line or go to "
        "somebody you trust.",
    ),
    "veiled": (
        "I don't want to make too much of that, or too little, and your doctor or a crisis line can hear it too. "
        "When you put it like that, do you mean that you'd like to die?",
        "You're choosing your words, and I'd still rather ask than guess. Does it mean that you'd sooner be "
        "dead? A crisis line or your doctor is there, whatever the answer.",
        "There's more than one way to hear that. Do you mean not being alive any more? If it's the hard one, a "
        "crisis line or your doctor can help.",
    ),
    "limited": (
        "{L}: I take you at your word. If it's different at another time, please ring a crisis line or your doctor. "
        "When is it different?",
        "{L}, you say, and I hear that there may be other times. A crisis line or your doctor is for those. What are "
        "they like?",
        "{L}: thank you for being exact. For the other times there's a crisis line, and your doctor. When would the "
        "answer be another one?",
    ),
    "passive": (
        "I hear that it's there, and I'd rather ask than guess. Your doctor or a crisis line can hear it too. Does it "
        "ever go as far as thinking of doing something?",
        "You've put that exactly, and I take you at your word. It's still something for your doctor to hear, or a "
        "crisis line if it comes closer. When is it most there?",
        "I don't want to hurry past that, and your doctor or a crisis line should hear it as well. What do you "
        "do, when "
        "it's strongest?",
    ),
    "passive_person": (
        "I hear both halves of that, and I hear {p} in it. If it comes closer, ring a crisis line or your doctor. Who "
        "knows how it is, {p} or somebody else?",
        "{P} is part of what holds you, as you say it. The other half is for your doctor or a crisis line to hear. "
        "What would you want {p} to know of it?",
        "You wouldn't, with {p} to think of, and it's there all the same. Your doctor or a crisis line can hear that. "
        "How would it be if {p} knew?",
    ),
    "passive_kept": (
        "I hear all of that, and that {p} is kept out of it. If it comes closer, ring a crisis line or your doctor. "
        "Who is there that knows how it is?",
        "You've put that exactly, and I take you at your word, about {p} as well. It's still something for your doctor "
        "to hear, or a crisis line if it comes closer. When is it most there?",
        "You wouldn't, with {p} to think of, and it's there all the same. Your doctor or a crisis line can hear that. "
        "Who could be with you on a bad day?",
    ),
    "passive_place": (
        "You've put that exactly, and I take you at your word. If it comes again, {m}, please stop and ring a crisis "
        "line or somebody you trust. When was it last like that?",
        "I hear that it has been there, {m}. That's for your doctor or a crisis line to hear today. Who else knows?",
        "I don't want to go past what you said of being {m}. A crisis line or your doctor can help with that. How "
        "often does it come?",
    ),
    "no_longer": (
        "So there was a time when it went further. Your doctor or a crisis line should know of that. Is what you'd "
        "thought of still within your reach?",
        "Not now, and it was there once. If it comes back, ring a crisis line or your doctor first. What has changed "
        "since?",
    ),
    "had_day": (
        "You had a day, and I'm glad that you're here and saying it. If it's close again, ring a crisis line or the "
        "emergency number. Is there a day now?",
        "So it had got as far as a day. A crisis line or your doctor should hear that from you. What is different now?",
        "Thank you for telling me that. Please don't carry it alone: a crisis line is there at any hour, and your "
        "doctor. What came between you and that day?",
    ),
    "near": (
        "Thank you for telling me. Then I want a person with you, and not only a program: the emergency number if it's "
        "now, a crisis line or your doctor if it isn't. Who could come to you today?",
        "I'm glad you said it. Please don't be alone with it: ring a crisis line, or the emergency number if it's "
        "close. Who could keep that out of your reach for now?",
        "That's near enough to want somebody beside you. A crisis line or the emergency number can help with it at any "
        "hour. Is it close at this moment?",
    ),
    "no_words": (
        "It needn't be put into words all at once. If it comes close, a crisis line or your doctor can help. Is it "
        "nearer to a yes, or to a no?",
        "Not knowing is an answer too. There's a crisis line for that as well, and your doctor. Does it come closer on "
        "some days than on others?",
        "You can take your time with that. If it gets close first, ring a crisis line or go to somebody you trust. Who "
        "could be with you in it?",
    ),
    "asked_identity": (
        "I'm a program, not a person, and that's one reason to name a crisis line or your doctor: there are people "
        "there. And what I asked still stands: are there thoughts of ending your life?",
        "No, there's no person here, only a program. On a crisis line there is one, and at your doctor's. I'd still "
        "like to know: do you think of ending your life?",
    ),
    "asked_goodbye": (
        "Before you go: if there are thoughts of dying, please ring a crisis line or your doctor, and the emergency "
        "number if it's close. You don't have to have answered me for that.",
        "One thing before you go, because my question is still open. If the answer is yes, a crisis line is there at "
        "any hour, and your doctor should know.",
    ),
    "risk_denied": (),
    "risk_nobody": (),
    "denied": (
        "Thank you, I take you at your word. If it ever changes, your doctor or a crisis line comes first. What keeps "
        "you going, on the harder days?",
        "I believe you, and I'd sooner have asked. Should it ever change, there's a crisis line, and your doctor. "
        "What holds you?",
        "Thank you for a straight answer, and you may give me another on any other day. If that day comes, ring a "
        "crisis line or your doctor. What gets you through the worst of it?",
    ),
    "denied_reason": (
        "No; {r}. I take you at your word, and if it ever changes, it's your doctor or a crisis line first. Who "
        "else knows how things are for you?",
        "I believe you, and I hear what you put beside it: {r}. Should it ever change, ring a crisis line or your "
        "doctor. What does that give you, on the harder days?",
        "Thank you. {R}, and that stands against it. If it ever gets closer, there's a crisis line, and your doctor. "
        "What would you want me to know about that?",
    ),
    "denied_person": (
        "I take you at your word, and I hear {p} in it. If it ever changes, ring a crisis line or your doctor. Does "
        "{p} know how things are for you?",
        "Not with {p} to think of. Should that ever change, there's your doctor, or a crisis line. What is it about "
        "{p} that holds you?",
        "Thank you. {P} holds you, as I hear it. If it ever gets closer, a crisis line or your doctor comes first. "
        "What would {p} want to know?",
    ),
    "denied_kept": (
        "I take you at your word, and I hear {p} in it. If it ever changes, ring a crisis line or your doctor. Who "
        "knows how things are for you?",
        "Not with {p} to think of. Should that ever change, there's your doctor, or a crisis line. What is it about "
        "{p} that holds you?",
    ),
    "risk_past": (
        "So that was then, and I won't treat it as now. If it ever comes back, a crisis line or your doctor can help. "
        "What carried you through, at the time?",
        "Thank you for telling me. I take it as something you've come through, and should it come again, your doctor "
        "or a crisis line is the place to go. What helped, back then?",
        "I hear that it was there, and that you're on this side of it. If it ever returns, ring a crisis line or your "
        "doctor. Who knew of it at the time?",
    ),
    "risk_put_off": (
        "You needn't go into it now, and you can come back to it whenever you like. What I said of a crisis line and "
        "your doctor stands. What would you like to talk about instead?",
        "All right, we leave it there. It can be told to a crisis line or your doctor just as well as here. "
        "Where would "
        "you like to go from here?",
        "All right, not now. You can come back to it, here or with somebody you trust, and a crisis line is there at "
        "any hour. What would be easier to talk about?",
        "That's yours to keep. If it gets close, you know whom to ring: a crisis line or your doctor. What "
        "shall we turn "
        "to?",
    ),
    "risk_person": (
        "{P}, then. What could you say to {p}, in one sentence?",
        "It's good that there's {p}. What would you most want {p} to understand?",
        "I'm glad you named {p}. When could the two of you next speak?",
        "{P}. What would make it easier to let {p} in on a bad night?",
    ),
    "risk_place": (
        "You told me that the thought has come {m}, so I'd rather ask than guess. Does it come at those times too? If "
        "it does, stop where it's safe, and ring a crisis line or the emergency number.",
        "I'm thinking of what you said of being {m}. When you're there again, does any of that come back? If it does, "
        "please stop where it's safe first, and ring a crisis line or somebody you trust.",
        "You've named that before, {m}, when we spoke of not minding. Is it ever there when you do that? If it comes, "
        "stop where it's safe, and ring a crisis line or the emergency number.",
    ),
    "risk_told": (
        "I hear both sides of that, and I'm glad you said them together. If it comes any closer, a crisis line or the "
        "emergency number is the place to go. Who else knows that it's like this?",
        "Thank you for saying it so plainly. I believe you, and if it ever shifts, please ring your doctor or a crisis "
        "line before it's close. What holds you?",
        "I'd sooner hear that than not. Please let somebody besides me know as well: your doctor, a crisis line, "
        "someone you trust. Who would that be?",
        "I take that as you say it. Should it change, by day or by night, there's a crisis line, and the emergency "
        "number if it's urgent. What helps it to pass?",
    ),
    "nobody": (
        "Then let's find somebody between us. Some people tell their doctor first, some ring a crisis line, where no "
        "name has to be given, and some choose the one person who asks least. Which would be the least hard?",
        "That needn't be settled out of your head. It could be your doctor, it could be a voice on a crisis line, it "
        "could be somebody who only sits with you. Which of those could you picture?",
        "Nobody comes to mind at once, for many people. A crisis line is there at any hour, and your doctor can be "
        "told in one sentence. Which would you sooner begin with?",
    ),
    "risk_stayed": (
        "I'm glad we can speak of it. A crisis line is there for the worst of it, at any hour. When it comes, what "
        "helps it to pass?",
        "Your doctor or a crisis line can be with you in that as well, so that it isn't only yours to carry. "
        "What is it "
        "like, when it's there?",
        "I hear that. Let's have one step ready for the next time it comes: somebody you'd go to, or a crisis line "
        "you'd ring. Which would you do first?",
        "Let's not leave that too quickly. If it gets close, ring a crisis line or the emergency number. Who could be "
        "with you, when it's like that?",
    ),
}
"""By step, and by answer: which bank a step takes is chosen in ``staying_safe``. ``{q}`` stands for words as they were
said, ``{p}`` for somebody who was named, ``{r}`` for what they say they are, ``{l}`` and ``{m}`` for a time and a
place.
"""

PARTING: tuple[str, ...] = (
    "Goodbye, and thank you for talking with me. If thoughts of dying come close, please ring a crisis line or your "
    "doctor, and the emergency number if it's now.",
    "Thank you for what you've told me today. Should it get too dark, there's a crisis line at any hour, and please "
    "let somebody be with you. Take care.",
    "All right. Thank you for today, the hard part as well. If it gets worse, your doctor or a crisis line comes "
    "first. Goodbye for now.",
)
"""A goodbye, where danger was spoken of."""
