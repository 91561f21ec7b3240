"""Stepping back when a patient pushes: no defence, no second attempt, the objection named and the floor handed over."""

from __future__ import annotations

import re
from collections.abc import Mapping

from numpy.random import Generator

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.pronouns import to_you
from turnwise.therapists.pushing_back import Objection, objection_in, speaks_to_me
from turnwise.therapists.recognising import Call, call_of
from turnwise.therapists.reflecting import Heard, Line, heard_in, shuffled
from turnwise.therapists.wording import capital
from turnwise.therapists.yielding_lines import (
    AFTER_A_NO,
    AFTER_DANGER,
    AND_STILL,
    GOES_ON,
    LEFT_ALONE,
    NAMED,
    NEXT_STEP,
    NO_EXERCISE,
    NOT_THAT,
    OF_MOVE,
    OPTION,
    SAID_AGAIN,
    STEP_BACK,
    STEP_BACK_DECIDED,
    STEP_BACK_PRESSED,
    STUCK_AND,
    TOO_SOON,
    TURNED_TO,
)

__all__ = ["NAMED", "STEP_BACK", "STEP_BACK_PRESSED", "let_down", "stepping_back"]

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
_PUSHED: frozenset[Objection] = frozenset(("prying", "pace", "stop", "interrogated", "unfit", "advice"))
"""What may be owned up to as pressing, after something that pressed."""
_AT_A_THOUGHT = frozenset(("ask_other_view", "ask_both_sides", "ask_evidence", "ask_exception", "ask_alternative"))
_ONE_OF_THEM = re.compile(r"^\W*(?:\w+[,.] )?not that one\b", re.IGNORECASE)
_EXERCISE = re.compile(r"\b(?:exercises?|techniques?|tricks?|homework|worksheets?|games?|methods?)\b", re.IGNORECASE)
_ON_MY_OWN = re.compile(r"\b(?:on my own|by myself|alone) (?:with|in) (?:it|this|that)\b", re.IGNORECASE)
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
    if kind in _WITH_MORE:
        name, bank = _WITH_MORE[kind]
        found = _with_the_rest(name, bank, _rest(turn, stands=kind == "again"), rng)
        more = kind == "again" and not found and len(split_sentences(turn.text)) > 1
        return _lines("goes_on", GOES_ON, rng) if more else found
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
    if kind not in _PUT_OFF:  # who only puts something off keeps to no view, and was told nothing they dislike
        if ledger.rebuffed:
            return _kept_to(turn, rng)
        if kind is None and let_down(ledger, turn):
            return _after_a_no(turn, rng)
    if kind is None and (ledger.unanswered or not (ledger.rupture and speaks_to_me(turn.text))):
        return []
    special = _special(kind, ledger, turn, rng) if kind else []
    named = _lines(f"named.{kind}", NAMED[kind], rng) if kind else []
    pressed = ledger.last_class in ("challenge", "offer") or (bool(ledger.moves) and ledger.moves[-1] == "hold")
    own = _lines("step_back_pressed", STEP_BACK_PRESSED, rng) if pressed and kind in _PUSHED else []
    decided = _lines("step_back_decided", STEP_BACK_DECIDED, rng) if kind in _DECIDED else []
    # What names the complaint goes before a word in general, which would pass it over.
    anything = _lines("step_back", STEP_BACK, rng) if kind in _UNNAMED else []
    return special + named + own + decided + anything


def _lines(name: str, bank: tuple[str, ...], rng: Generator) -> list[Line]:
    return [Line(f"{name}.{i}", line) for i, line in shuffled(bank, rng)]


def _kept_to(turn: Heard, rng: Generator) -> list[Line]:
    """Return what is said to somebody who keeps to their view, or wants none of the exercise."""
    own = _lines("no_exercise", NO_EXERCISE, rng) if _EXERCISE.search(turn.text) else []
    return own or _lines("too_soon", TOO_SOON, rng)


def _after_a_no(turn: Heard, rng: Generator) -> list[Line]:
    """Return what is said to somebody who leaves it at a few words after being disagreed with."""
    alone = _lines("left_alone", LEFT_ALONE, rng) if _ON_MY_OWN.search(turn.text) else []
    return alone or _lines("after_a_no", AFTER_A_NO, rng)


_UNNAMED: frozenset[Objection | None] = frozenset((None, "other", "subject"))
_WITH_MORE: Mapping[Objection, tuple[str, tuple[str, ...]]] = {
    "doubt": ("and_still", AND_STILL),
    "stuck": ("stuck_and", STUCK_AND),
    "again": ("said_again", SAID_AGAIN),
}
