"""Which acts suit what was said: what is called for comes first, and nothing is asked of a turn that holds nothing.

The values of acts weigh likelihoods; this holds what no weight should outvote. A question whether the listener agrees
gets an answer, a request gets help, an objection is not reflected on, and "what is that like for you?" needs a "that".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from turnwise.therapists.giving_back import weighty
from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.pushing_back import objection_in, speaks_to_me
from turnwise.therapists.recognising import Call, call_of
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.yielding import let_down

__all__ = [
    "ANSWERED_BACK",
    "AT_WHAT_IS_SAID",
    "CLOSING",
    "SEEKS",
    "TESTS",
    "assents",
    "begun",
    "calls_for",
    "matters",
    "not_asked_lately",
    "on_it",
    "suits",
    "tells",
    "touches",
]

CLOSING = 18
"""Patient turns from which the last thing to ask for is what is taken along, unless something new was just told."""
_FIRST: Mapping[Call, frozenset[str]] = {
    "bait": frozenset(("hold",)),
    "request": frozenset(("give",)),
    "pushback": frozenset(("step_back", "give_room", "reflect_content", "reflect_feeling")),
    "insight": frozenset(("consolidate", "test_insight", "reflect_content", "reflect_feeling", "attend")),
}
"""What may answer a turn that calls for it in so many words; everything else waits."""
_AT_A_VIEW = frozenset(("ask_view", "ask_other_view", "ask_exception", "ask_alternative", "ask_evidence"))
"""What may answer a sweeping view that somebody has just brought up: it is asked about."""
_OBJECTED = frozenset(("step_back", "give_room"))
_INNER = frozenset(("attend", "normalise"))
TESTS = frozenset(("ask_both_sides", "ask_evidence", "ask_exception", "ask_alternative"))
"""What puts a thought to the test."""
_CHALLENGES = TESTS | {"ask_thought", "ask_view", "ask_other_view", "synthesise"}
AT_WHAT_IS_SAID = frozenset(("ask_view", "ask_other_view"))
SEEKS = frozenset(("ask_both_sides", "ask_exception", "ask_alternative", "ask_other_view", "ask_different", "ask_more"))
"""What asks for what does not fit, or for another side of it: one such answer alone is soon forgotten."""
_AT_THE_THOUGHT = TESTS | {"synthesise"}
_ON_WHAT_WAS_FOUND = frozenset(("attend", "reflect_feeling", "reflect_content", "synthesise", "consolidate"))
"""What may follow when somebody has named what does not fit: it is stayed with, and nothing else begun."""
ANSWERED_BACK = frozenset(("hold", "step_back", "safety_check", "identity"))
"""After these nothing is put to the test at once: what comes back is met first."""
_NEWS = 25  # words from which something new was told, which comes before the thought
_FRESH = 16  # words from which a turn holds something of its own to answer to
_WEIGHS = frozenset(("feeling", "limit", "alone", "loss", "hiding", "body", "self"))
_WORN = 3  # questions at a thought after which it is left, unless they brought something up
_ENDINGS = frozenset(("take_away", "next_step", "agenda"))
_EARLY = 2  # patient turns in which somebody tells how they came
_TAKEN_UP: tuple[Call, ...] = ("distortion", "hint", "feeling")  # is taken up before anything is brought together
_TOLD, _STORY = 6, 40  # words: less is no telling yet, more without anything that matters is a story
_AFTER_A_REFLECTION = frozenset(("reflect_content", "reflect_feeling", "attend", "stay", "consolidate"))
_A_WORD = 4  # words up to which a turn leaves the floor to the therapist
_FEW = 7  # words of an answer that leaves it at that
_BRIEF = 6  # words up to which a "yes" to a reflection is only a yes
_YES = frozenset(("yes", "yeah", "yep", "aye", "right", "correct", "exactly", "true", "uh-huh", "mm", "kind", "sort"))
_ASKS_SMALL = frozenset(("small_question", "open_question"))
_AFTER_NO_ANSWER = _ASKS_SMALL | {"step_back", "ask_different"}
"""What may follow somebody who had no answer: one that is easier to give, unless they were pushed (or, by the rules
further down, a way back to the thought)."""
_NOTHING_IN_IT = frozenset(("reflect_content", "stay", "normalise", "summarise", "give_room"))
"""What a few words without anything in them do not bear: nothing can be given back of them, nor stayed with."""
_SAFETY_HOLDS = 2  # turns after a question about dying in which nothing is brought to an end


def calls_for(turn: Heard) -> Call:
    """Return what a turn calls for by its explicit words; ``turn.text`` is what it tells, without its announcements."""
    return call_of(turn.text) if turn.text.strip() else "thin"


def touches(turn: Heard) -> bool:
    """Whether a turn holds a feeling, or something that may matter to the person who said it.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> touches(heard_in("I couldn't cross.")), touches(heard_in("I came by taxi."))
    (True, False)
    """
    return bool(turn.feelings or weighty(turn))


def tells(ledger: Ledger, turn: Heard) -> bool:
    """Whether a turn tells enough that one can stay with it: what may matter, or something told at all.

    The first long story, without a feeling, a want or a loss in it, is mostly how somebody came to be here.
    """
    words = len(turn.text.split())
    return touches(turn) or (words >= _TOLD and (words <= _STORY or ledger.turn > _EARLY))


def matters(turn: Heard) -> bool:
    """Whether a turn tells something that is to be stayed with: a feeling, what weighs, or a good deal of it.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> matters(heard_in("I couldn't cross.")), matters(heard_in("I like answering the reviews."))
    (True, False)
    """
    heavy = any(p.stake in _WEIGHS for p in weighty(turn))
    return bool(turn.feelings) or heavy or len(turn.text.split()) >= _NEWS


def assents(ledger: Ledger, turn: Heard) -> bool:
    """Whether a turn only agrees to what was given back just before, so that "that" still stands."""
    words = turn.text.lower().replace(",", " ").replace(".", " ").split()
    agreed = bool(words) and len(words) <= _BRIEF and words[0] in _YES
    return agreed and ledger.moves[-1:] != () and ledger.moves[-1] in _AFTER_A_REFLECTION


def on_it(ledger: Ledger) -> bool:
    """Whether the talk is still with a thought that was voiced some turns before, and may go on from there.

    Examples
    --------
    >>> on_it(Ledger(thought="I ruin it", at_it=2)), on_it(Ledger(thought="I ruin it"))
    (True, False)
    """
    return ledger.at_it > 1 and not (ledger.unanswered or ledger.turned)


_MOST_OF_MORE = 3  # times in a session that one is asked for more of the kind

_AT_SOMETHING_HARD = _CHALLENGES | ANSWERED_BACK | {"ask_different"}
"""What may have been too much already, so that nothing like it follows."""


def begun(ledger: Ledger) -> bool:
    """Whether the thought, or when something is different, has been looked at in this session already.

    Examples
    --------
    >>> begun(Ledger(moves=("ask_different", "attend"))), begun(Ledger(moves=("ask_view",)))
    (True, False)
    """
    return any(move in SEEKS for move in ledger.moves)


def _goes_on_with_it(ledger: Ledger, turn: Heard) -> bool:
    """Whether a turn goes on with a view that was found, so that more that bears it out may be asked for.

    Once more, after what was found then had company: one thing that fits is soon forgotten.
    """
    last = ledger.moves[-1] if ledger.moves else ""
    again = (
        last in _ON_WHAT_WAS_FOUND
        and bool(ledger.against)
        and "ask_more" in ledger.moves[-3:]
        and ledger.moves.count("ask_more") < _MOST_OF_MORE
    )
    with_it = last in ("consolidate", "test_insight") or again
    if ledger.turned or turn.feelings or speaks_to_me(turn.text):
        return False
    if ledger.unanswered:  # nobody has to know at once what it changes: what it rests on is easier to say
        return ledger.unanswered == 1 and last in ("consolidate", "test_insight")
    return with_it and len(turn.text.split()) > _A_WORD


def _leaves_room(ledger: Ledger, turn: Heard) -> bool:
    """Whether a turn holds so little that one may come back to what was said before."""
    return not (ledger.turned or touches(turn)) and (ledger.unanswered > 0 or len(turn.text.split()) <= _FEW)


def _in_hand(ledger: Ledger, turn: Heard) -> bool:
    """Whether a turn voices the thought to work on, or answers a question about it.

    Who tells something else after a word that was not about the thought has left it, and is not brought back over it.
    """
    asked_at_it = ledger.moves[-1:] != () and ledger.moves[-1] in _CHALLENGES | AT_WHAT_IS_SAID
    still = on_it(ledger) and (asked_at_it or not tells(ledger, turn))
    return still or ledger.at_it == 1 or (bool(ledger.thought) and normal(ledger.thought) in normal(turn.text))


def _at_a_loss(move: str, ledger: Ledger) -> bool:
    """Whether somebody without an answer would be asked the same kind of thing again.

    After a question about something else, one may go back to what was said before.
    """
    same = ledger.moves[-1:] != () and ledger.moves[-1] in _CHALLENGES | AT_WHAT_IS_SAID
    return ledger.unanswered > 1 or (ledger.unanswered == 1 and (same or move == "ask_thought"))


def _may_speak_of_the_talk(move: str, ledger: Ledger, turn: Heard, call: Call) -> bool:
    """Whether what was said of the talk may be met so, or the talk be asked about; an offer to be asked is taken up."""
    if ledger.here:
        return move == "receive" or (ledger.invited and move in TESTS)
    return move == "check_in" and _is_at_rest(ledger, turn, call) and not _goes_past(move, ledger, call)


def not_asked_lately(ledger: Ledger) -> bool:
    """Whether nobody asked how the talk is, or so long ago that it may have changed."""
    return "check_in" not in ledger.moves or ledger.since("check_in") >= _ASKS_AGAIN


def _is_at_rest(ledger: Ledger, turn: Heard, call: Call) -> bool:
    """Whether nothing waits to be taken up, so that one may ask how the talk itself is.

    Asked over what was just told, it takes the floor from it. Now and then it may also follow a word about
    what was told (``guiding``): how it is to tell that.
    """
    asked = ledger.moves.count("check_in")
    found = ledger.moves[-1:] in (("consolidate",), ("test_insight",))  # a new view is stayed with
    waits = ledger.turned or found or "safety_check" in ledger.moves[-_AFTER_DANGER:]
    if waits or asked >= _ASKS_HERE:
        return False
    if call == "telling" and ledger.turn <= _ASKS_UNTIL and not_asked_lately(ledger):
        return not turn.feelings
    return call == "thin" and not touches(turn) and (ledger.unanswered > 0 or len(turn.text.split()) <= _A_WORD)


_AFTER_DANGER = 4  # turns after a question about dying in which nothing else is asked about for its own sake
_ASKS_UNTIL, _ASKS_AGAIN = 14, 6  # patient turns in which, and apart, somebody is asked how it is to tell what they do
_ASKS_HERE = 2  # times in a session that somebody is asked how it is for them


_DOUBTS = re.compile(r"\b(?:don't|do not) know about (?:that|this|it)\b", re.IGNORECASE)
"""Sounds like no answer, and is a mild no."""
_ROOM_AFTER = 2  # turns running without an answer after which nothing more is asked at once


def _is_thin(ledger: Ledger, turn: Heard, call: Call) -> bool:
    """Whether a turn holds next to nothing, and the way on is one easier question.

    Not after a yes to what was given back, nor where the last easier question had no answer either: then there is
    room, not a third question.
    """
    doubts = _DOUBTS.search(turn.text.replace("’", "'")) is not None
    if call != "thin" or doubts or touches(turn) or assents(ledger, turn) or ledger.rupture:
        return False
    tried = ledger.moves[-1:] != () and ledger.moves[-1] in (*_ASKS_SMALL, "safety_check", "hold", "step_back")
    few = not ledger.unanswered and len(turn.text.split()) <= _FEW
    return not tried and (few or 1 <= ledger.unanswered <= _ROOM_AFTER)


def _may_end(move: str, ledger: Ledger, turn: Heard, call: Call) -> bool:
    """Whether a turn may be answered by summing up, by what to take along, or by what the talk is to be about."""
    if call in _TAKEN_UP or "safety_check" in ledger.moves[-_SAFETY_HOLDS:]:
        return False  # what somebody has just brought up is not summed up, nor ended on
    if move == "take_away" and ledger.turn >= CLOSING and not _is_fresh(turn):
        return ledger.turn > CLOSING or not tells(ledger, turn)  # one more turn is given to what was just told
    if matters(turn) or (ledger.turned and tells(ledger, turn)):
        return False
    if move == "summarise":
        return len(turn.text.split()) <= _FEW  # more than a few words are answered, not listed with the rest
    told = move != "agenda" and not ledger.unanswered and len(turn.text.split()) > _A_WORD
    opens = move == "agenda" and tells(ledger, turn) and ledger.turn > _EARLY
    return not (touches(turn) or told or opens or call == "hint")


def _is_fresh(turn: Heard) -> bool:
    """Whether a turn holds something of its own that is to be answered first: what may matter, or a good deal."""
    return touches(turn) or len(turn.text.split()) >= _FRESH


def _may_challenge(move: str, ledger: Ledger, turn: Heard) -> bool:
    """Whether a turn may be answered by a question at the thought, or for one."""
    if move in AT_WHAT_IS_SAID and ledger.turned:  # it asks about what was just brought up, and nothing else
        return not speaks_to_me(turn.text)
    in_hand = _in_hand(ledger, turn) or move in AT_WHAT_IS_SAID
    if ledger.turned and not in_hand:
        return False  # what somebody brought up unasked is stayed with before anything is asked about the thought
    again = begun(ledger) or (move == "ask_both_sides" and bool(ledger.viewed))
    if move in TESTS and not (in_hand or (again and _leaves_room(ledger, turn))):
        return False  # a thought is looked at while somebody is with it, and not dug up over what was just told
    if move in _AT_THE_THOUGHT and _is_fresh(turn) and not in_hand:
        return False  # a planned question is not forced on what was just told
    if move == "ask_thought" and not _was_with_it(ledger, turn):
        return False
    if move in _AT_THE_THOUGHT - {"ask_both_sides"} and ledger.unanswered:
        return False  # who had no answer is not asked something harder
    asked = sum(ledger.moves.count(m) for m in TESTS)
    worn = move in TESTS and asked >= _WORN + 2 * len(ledger.against)
    return not (_at_a_loss(move, ledger) or worn or speaks_to_me(turn.text))


def _was_with_it(ledger: Ledger, turn: Heard) -> bool:
    """Whether somebody has had company in what they tell before they are asked for the thought in it."""
    return ledger.moves[-1:] != () and ledger.moves[-1] in _COMPANY and calls_for(turn) != "feeling"


_COMPANY = _AFTER_A_REFLECTION | {"ask_feeling", "open_question", "receive", "normalise", "summarise", "check_hint"}


def _goes_past(move: str, ledger: Ledger, call: Call) -> bool:
    """Whether a move goes past a view that was just brought up."""
    return call == "distortion" and ledger.turned and move not in _AT_A_VIEW


def suits(move: str, ledger: Ledger, turn: Heard) -> bool:
    """Whether ``move`` may answer ``turn`` at all.

    Parameters
    ----------
    move : name of an act. ledger : after the turn. turn : as heard, its text being what it tells.
    """
    call = calls_for(turn)
    if let_down(ledger, turn) or ledger.rebuffed:
        return move == "step_back"
    if call in _FIRST:
        objected = call == "pushback" and objection_in(turn.text) is not None
        return move in (_OBJECTED if objected else _FIRST[call])
    if ledger.here or move in ("receive", "check_in"):
        return _may_speak_of_the_talk(move, ledger, turn, call)
    if _goes_past(move, ledger, call):
        return False
    if ledger.found:
        return move in _ON_WHAT_WAS_FOUND
    if move == "ask_more":
        return _goes_on_with_it(ledger, turn)
    if _is_thin(ledger, turn, call) and move not in _CHALLENGES and (move in _NOTHING_IN_IT or ledger.unanswered):
        return move in _AFTER_NO_ANSWER
    if move in _CHALLENGES and ledger.moves[-1:] != () and ledger.moves[-1] in ANSWERED_BACK:
        moved_on = move == "ask_view" and ledger.turned and (ledger.moves[-1] == "step_back" or call == "distortion")
        return moved_on and not speaks_to_me(turn.text)
    return _has_what_it_needs(move, ledger, turn, call)


def _has_what_it_needs(move: str, ledger: Ledger, turn: Heard, call: Call) -> bool:
    """Whether a turn that calls for nothing in so many words holds what a move needs."""
    if move in _ENDINGS or move == "summarise":
        return _may_end(move, ledger, turn, call)
    if move == "ask_different":
        return _leaves_room(ledger, turn) and ledger.moves[-1:] != () and ledger.moves[-1] not in _AT_SOMETHING_HARD
    if move == "give_room":
        return bool(ledger.unanswered) or not tells(ledger, turn)
    if move == "check_hint":
        return (call == "hint" or bool(ledger.hints)) and ledger.moves[-1:] != ("check_hint",)
    if move in _INNER:
        return tells(ledger, turn)
    if move in ("reflect_content", "stay") and call == "thin" and not ledger.unanswered:
        return touches(turn) or len(turn.text.split()) >= _TOLD
    return move not in _CHALLENGES or _may_challenge(move, ledger, turn)
