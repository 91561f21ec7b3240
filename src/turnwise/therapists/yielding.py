"""Stepping back when a patient pushes: no defence, no second attempt, the objection named and the floor handed over."""

from __future__ import annotations

import re

from numpy.random import Generator

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.pronouns import to_you
from turnwise.therapists.pushing_back import Objection, objection_in, speaks_to_me
from turnwise.therapists.recognising import Call, call_of
from turnwise.therapists.reflecting import Heard, Line, heard_in, shuffled
from turnwise.therapists.wording import capital
from turnwise.therapists.yielding_lines import (
    AFTER_DANGER,
    AND_STILL,
    NAMED,
    NEXT_STEP,
    NOT_THAT,
    OF_MOVE,
    OPTION,
    STUCK_AND,
    TURNED_TO,
)

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

_AFTER_A_NO = (
    "I said no to something that matters to you, and I may have been too quick. Where would you like to go from here?",
    "That may not be what you hoped to hear, and I won't press it. What would be good to talk about?",
    "I may have sounded as if I doubted you. I'd still like to understand. What would you want me to know about it?",
    "I don't want to argue with you about it, and you know it better than I do. What should I hear?",
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


_PUT_OFF: frozenset[Objection] = frozenset(("later", "subject", "prying", "limit"))
_DECIDED: frozenset[Objection] = frozenset(("subject", "keeps", "limit", "leaves", "advice", "unfit"))
_OF_A_DECISION = frozenset((5, 6, 7, 11))  # lines of STEP_BACK that take a turn for a no
_AT_A_THOUGHT = frozenset(("ask_other_view", "ask_evidence", "ask_exception", "ask_alternative"))
_ONE_OF_THEM = re.compile(r"^\W*(?:\w+[,.] )?not that one\b", re.IGNORECASE)
_SORRY = re.compile(r"\bsorry\b", re.IGNORECASE)
_THING = re.compile(r"\b(?:it's|it is) not (?:about )?((?:the|my) [\w ]{3,24}?(?:thing|business))\b", re.IGNORECASE)
_SHORT_REST = 16  # words of what stands behind a doubt that can be given back


def _rest(turn: Heard, *, stands: bool = False) -> tuple[str, str]:
    """Return what an objection comes with, as it was said and as it is given back: the last plain statement.

    ``stands``: only a phrase that stands by itself when it is said back.
    """
    for sentence in reversed(split_sentences(turn.text)):
        skipped = sentence.rstrip().endswith("?") or _STEP_ASKED.search(sentence) is not None
        if skipped or objection_in(sentence) or speaks_to_me(sentence):
            continue
        for phrase in heard_in(sentence).phrases:
            back = _PARENT.sub(
                lambda m: f"your {m.group(0).lower()}", phrase.back or ("" if stands else to_you(phrase.said))
            )
            if _REST_FROM <= len(back.split()) <= _SHORT_REST and not _FRAGMENT.match(back):
                return phrase.said, back[:1].lower() + back[1:] if back.startswith(_SMALL) else back
    return "", ""


def _with_the_rest(name: str, bank: tuple[str, ...], rest: tuple[str, str], rng: Generator) -> list[Line]:
    said, back = rest
    if not back:
        return []
    return [Line(f"{name}.{i}", x.format(s=back, S=capital(back)), (said,)) for i, x in shuffled(bank, rng)]


_REST_FROM = 4  # words
_STEP_ASKED = re.compile(r"\bnext step\b|\bwhat (?:now|next)\b", re.IGNORECASE)
_PARENT = re.compile(r"(?<!your )\b(?:Dad|Mum|Mam|Mom|Mammy|Daddy|Papa|Mama)\b")
_FRAGMENT = re.compile(r"(?:just|only|not|no|because|so|that's|it's|it is|with|for|thanks?)\b", re.IGNORECASE)
_SMALL = ("Somebody", "Someone", "Nobody", "There", "The ", "They", "He ", "She ", "He'", "She'", "We")


def _special(kind: Objection, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return what fits better than the bank of the kind: by what was asked before, or by what else was said."""
    last = ledger.moves[-1] if ledger.moves else ""
    if kind in _PUT_OFF and last == "safety_check":
        return [Line(f"after_danger.{i}", line) for i, line in shuffled(AFTER_DANGER, rng)]
    if last == "give" and _ONE_OF_THEM.search(turn.text):
        return [Line(f"option.{i}", line) for i, line in shuffled(OPTION, rng)]
    if kind in ("asked_why", "unclear", "plain") and last in _AT_A_THOUGHT:
        return [Line(f"of_move.{i}", line) for i, line in shuffled(OF_MOVE, rng)]
    if kind == "stuck" and _STEP_ASKED.search(turn.text):
        return [Line(f"next_step_named.{i}", line) for i, line in shuffled(NEXT_STEP, rng)]
    if kind in ("doubt", "stuck"):
        name, bank = ("and_still", AND_STILL) if kind == "doubt" else ("stuck_and", STUCK_AND)
        return _with_the_rest(name, bank, _rest(turn), rng)
    if kind == "not_that" and (thing := _THING.search(turn.text)):
        named = thing.group(1).lower()
        said = named.replace("my ", "your ") if named.startswith("my ") else named
        return [Line(f"not_that.{i}", line.format(n=said), (named,)) for i, line in shuffled(NOT_THAT, rng)]
    if kind in ("later", "subject") and (rest := _rest(turn, stands=True))[1]:
        return _with_the_rest("turned_to", TURNED_TO, rest, rng)
    if kind in ("later", "subject") and _SORRY.search(turn.text):
        return [
            Line(f"no_need.{i}", f"No need to be sorry. {line}")
            for i, line in shuffled(NAMED[kind], rng)
            if "need" not in line
        ]
    return []


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
    special = _special(kind, ledger, turn, rng) if kind else []
    named = [Line(f"named.{kind}.{i}", line) for i, line in shuffled(NAMED[kind], rng)] if kind else []
    press = pressed and kind not in _CALM
    own = [Line(f"step_back_pressed.{i}", line) for i, line in shuffled(STEP_BACK_PRESSED, rng)] if press else []
    left_out = frozenset[int]() if kind in _DECIDED else _OF_A_DECISION
    anything = [Line(f"step_back.{i}", line) for i, line in shuffled(STEP_BACK, rng) if i not in left_out]
    return special + named + own + anything


_CALM: frozenset[Objection] = frozenset(("later", "limit", "asked_only", "differ", "unproved"))
"""Nothing in these says that somebody was pushed, and no apology is owed."""
