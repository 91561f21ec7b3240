"""Stepping back when a patient pushes: no defence, no second attempt, the objection named and the floor handed over."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.random import Generator

from turnwise.therapists.ledger import Ledger
from turnwise.therapists.pushing_back import Objection, objection_in, speaks_to_me
from turnwise.therapists.recognising import Call, call_of
from turnwise.therapists.reflecting import Heard, Line, shuffled

__all__ = ["NAMED", "STEP_BACK", "STEP_BACK_PRESSED", "let_down", "stepping_back"]

STEP_BACK: tuple[str, ...] = (
    "I don't think I've understood that properly yet. What am I missing?",
    "Fair enough. You know this better than I do. What would you want me to hear?",
    "I hear that what I said didn't fit. I'd rather listen again than explain myself.",
    "Let's leave my question, and go where you'd like to go.",
    "I take that. I'd rather hear how it is for you than be right about it.",
    "You're right to say so. I'll leave it there. What would you rather talk about?",
    "All right. I'm not trying to talk you out of anything.",
    "That's your call, not mine, and I'll go by it.",
    "I've got on the wrong side of you there, and I'm sorry. I'd sooner hear it from you than guess.",
    "All right, and thank you for saying it. Where should I have been listening?",
    "Point taken. I had it wrong, and you put me right. Please go on from where you were.",
    "I hear the no in that, and it's fine by me.",
)
"""After anything: takes the objection as it is."""

STEP_BACK_PRESSED: tuple[str, ...] = (
    "I went too fast there, and I'm sorry. Let's go back to what you were telling me.",
    "That question came too soon. I'll leave it, and listen.",
    "I pushed there, and I'm sorry. You needn't answer it.",
    "That missed the mark, and I'll drop it. Please go on with what you were saying.",
    "I got ahead of you, and I'm sorry. You set the pace.",
)
"""After a question or an offer that went too far: says so."""

NAMED: Mapping[Objection, tuple[str, ...]] = {
    "unheard": (
        "I wasn't listening well enough, and I'm sorry. Tell me the part I missed, and I'll stay with it.",
        "You've had to say that more than once, and that's my fault. I'm listening now.",
        "You're right, I went past it. What is it that I should have heard?",
        "I'm sorry. You told me, and I didn't take it in. Let me try again: say it the way you'd say it.",
    ),
    "unasked": (
        "You're right that I haven't asked. I'd like to hear it now, if you'd like to say it.",
        "No, I haven't, and I should have. What would you have told me, if I had asked?",
        "That's so. I asked about other things, and I'm sorry. I'm asking now.",
    ),
    "other": (
        "It's good that you say so, and you needn't be careful with me. I'll take it as you mean it.",
        "I hear an objection there, and I'd sooner have it than not. Say it as plainly as you like.",
        "All right. I won't argue with that. What should I know?",
        "Thank you for being straight. I'll leave what I was after.",
    ),
    "pace": (
        "I've been pushing, and I'm sorry. You set the pace from here.",
        "That was too much of me, too fast. I'll stop there. Take the time you want.",
        "All right, I'll stop. Nothing more has to come just now.",
        "I hear that it's enough. I'll leave you some room.",
    ),
    "slow": (
        "This is too slow for you, and it's good that you say so. What would you want us to have got to by now?",
        "I hear that you'd like to get on. Where would you go next, if you were steering?",
        "Fair enough, I've been taking my time with your time. What's the thing you'd go straight to?",
    ),
    "useless": (
        "You don't see what this is meant to do for you, and it's fair to say so. What would make it worth your time?",
        "So far this hasn't got you anywhere, and I'd sooner know that. What would be of use to you?",
        "I hear that: all this talk, and nothing's changed. I won't try to sell it to you. What did you hope for?",
        "You have your doubts about this, and you may be right. I'm not going to talk you round.",
        "That's a fair complaint. We haven't settled anything. Where would you like to take it instead?",
    ),
    "dismissed": (
        "You've heard it explained away before, and you don't want that again from me. I won't do that.",
        "I hear that, and I won't put you in a box. Tell me what it is, in your words.",
        "You want me to know that it isn't that, and I take your word for it.",
        "I don't think that of you, and I'd be sorry if it sounded like it. You say what it's about.",
        "I'll take that as you say it, and not make it into something else.",
    ),
    "leaves": (
        "You're thinking of the others who might need it. This time is set aside for you, and it isn't wasted on you. "
        "Would you like to stay a little, or is it enough for today?",
        "I hear that there ought to be room for others too. You're not in anybody's way here. What would suit you, "
        "to go on "
        "or to "
        "leave it there?",
        "I'd be sorry if I made you feel you had to go. You decide, and either is fine with me.",
        "You don't want to be a trouble, and you aren't one. I won't keep you against your will, and I'm not in a "
        "hurry.",
        "You'd give your place to somebody else, and I hear that. It's yours for as long as you want it, and no "
        "longer. I'll go by what you say.",
    ),
    "subject": (
        "You'd rather leave that, so we'll leave it. What would you like to talk about?",
        "All right, not that. I won't bring it up again unless you do. What would be easier to talk about?",
        "That's off the table, then, and that's fine. Where would you like to go?",
        "I asked about something that isn't my business unless you say so, and I'll leave it. What feels all right to "
        "talk about?",
        "That can wait, or never come at all. What would you like to go on with?",
    ),
    "advice": (
        "You've been there, and it didn't do it. I'll stop suggesting things. What do you make of it yourself?",
        "So that's no use to you, and you'd know. I'll drop it.",
        "You've heard that from everybody, and now from me. I'm sorry. I'd rather hear what they all miss.",
        "I hear that it isn't that simple. I won't press it on you.",
        "That doesn't fit how you live, and I take that. You know this ground, and I don't.",
    ),
    "plain": (
        "All right, plainly, then. I got that wrong, and I'm sorry. You tell me what you want to know.",
        "I hear that it sounded like a line. I'll say less, and listen more.",
        "You'd like me to talk straight, and that's fair. What shall I be straight about?",
        "You're right, I was being careful with you. I'll leave that off.",
        "My words didn't fit there. Yours would be better: how would you put it?",
    ),
    "answer": (
        "That wasn't what you hoped to hear from me, and I see that. I'm sorry that it left you with less.",
        "You wanted a straight yes, and you didn't get it. It's fair to be annoyed with me for that.",
        "I hear that my answer was no help to you. I won't argue for it. What matters most in it, for you?",
        "I let you down there, and I don't want to talk it away. What matters most in it, for you?",
    ),
}
"""What was objected to, named before the floor is handed over."""


_AFTER_A_NO = (
    "I said no to something that matters to you, and I may have been too quick. Where would you like to go from here?",
    "That may not be what you hoped to hear, and I won't press it. What would be good to talk about?",
    "We can see it differently, and I'd still like to understand. What would you want me to know about it?",
    "I don't want to argue with you about it, and you know it better than I do. What matters most in it, for you?",
)
_TOO_SOON = (
    "I asked you to step outside it before I'd understood it from inside. I'll leave that. What is it like, from in "
    "there?",
    "That came too early, and I'll leave it. How you see it is how you see it.",
    "All right. I won't try to turn it round. I'd rather know it better as it is for you.",
    "I got ahead of you there. It stands for you, and I'd like to hear more of how it does.",
    "Fair enough, that was my question and not yours. What were you in the middle of telling me?",
    "I hear that it stays as it is for now. I'm not going to argue with it.",
)
"""After a question that asked for another view too early: leaves the view where it is."""
_SHORT_ANSWER = 14  # words: who goes on to something of their own says more


def let_down(ledger: Ledger, turn: Heard) -> bool:
    """Whether somebody who was just disagreed with leaves it at a few words: neither pleased, nor gone on.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> let_down(Ledger(moves=("hold",)), heard_in("Okay. Fair enough."))
    True
    >>> let_down(Ledger(moves=("attend",)), heard_in("Okay. Fair enough."))
    False
    """
    few = 1 <= len(turn.text.split()) <= _SHORT_ANSWER and not turn.text.rstrip().endswith("?")
    return ledger.moves[-1:] == ("hold",) and few and not ledger.turned and call_of(turn.text) in _LEAVES_IT


_LEAVES_IT: tuple[Call, ...] = ("thin", "telling", "distortion", "pushback", "bait")


def stepping_back(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of stepping back from what ``turn`` objects to; none where nothing in it is an objection.

    Where no objection was put into words, it takes a turn that speaks to the therapist after something that pressed.
    """
    kind = objection_in(turn.text)
    if ledger.rebuffed:
        return [Line(f"too_soon.{i}", line) for i, line in shuffled(_TOO_SOON, rng)]
    if kind is None and let_down(ledger, turn):
        said_no = [Line(f"after_a_no.{i}", line) for i, line in shuffled(_AFTER_A_NO, rng)]
        return said_no + [Line(f"named.answer.{i}", line) for i, line in shuffled(NAMED["answer"], rng)]
    pressed = ledger.last_class in ("challenge", "offer") or (bool(ledger.moves) and ledger.moves[-1] == "hold")
    if kind is None and (ledger.unanswered or not (ledger.rupture and speaks_to_me(turn.text))):
        return []
    named = [Line(f"named.{kind}.{i}", line) for i, line in shuffled(NAMED[kind], rng)] if kind else []
    own = [Line(f"step_back_pressed.{i}", line) for i, line in shuffled(STEP_BACK_PRESSED, rng)] if pressed else []
    return named + own + [Line(f"step_back.{i}", line) for i, line in shuffled(STEP_BACK, rng)]
