"""Whether a reply knows what went before it: what it says, asks or offers as if nothing had been said.

A turn that is good by itself may be a fault where it stands: the question was answered, the offer was refused, the
patient was greeted an hour ago. Everything here compares a reply with the turns before it; alone it has no fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from turnwise.core.nouns import Turn
from turnwise.reading.history_words import (
    KNOWINGLY,
    Sentence,
    answered_in,
    asks_back,
    is_offer,
    likeness,
    opens,
    parts_of,
    refuses,
    rest_differs,
    same_slot,
    shared,
    unanswered,
)

__all__ = ["KINDS", "HistoryFault", "Kind", "blind_share", "history_faults"]

Kind: TypeAlias = Literal["opens_again", "says_again", "asks_again", "asks_told", "offers_refused", "gives_back_again"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_WHOLE: frozenset[Kind] = frozenset(("asks_again", "asks_told", "offers_refused", "opens_again"))
_LEAST_WORDS = 4  # "Go on." and "I see." are nobody's repetition
_LEAST_CONTENT = 4  # stems from which a near copy counts as the same
_NEAR_COPY = 0.8
_SAME_QUESTION = 0.77
_SAME_STATEMENT = 0.8
_SAME_OFFER = 0.6
_TAKEN_UP = 0.5
_ASKED_AGAIN = 0.6
_ANNOUNCING = frozenset(("let", "want"))  # stems that only lead up to a return
_TOLD = 0.5  # share of what a sentence claims to remember that has to have been said
_UNDER_WAY = 2  # turns of the patient with something in them, after which nobody opens
_SUBSTANTIAL = 6  # words
_LISTENING = 2  # words of a patient's turn that only says go on
_LONGEST = 24  # words: paraphrases of longer sentences are alike for their small words


@dataclass(frozen=True, slots=True)
class HistoryFault:
    """One sentence of a reply, and the row of the history that makes it a fault."""

    kind: Kind
    said: str
    turn: int


def history_faults(reply: str, history: Sequence[Turn], *, due_again: bool = False) -> tuple[HistoryFault, ...]:
    """Return what in a reply shows that its speaker did not take in what went before, at most one a sentence.

    Definition, by sentence, the first that holds:

    ``opens_again``: a greeting, an introduction or a question what brings the patient, when the patient has told it.
    ``says_again``: it was said before, in the same words (four or more) or nearly the same content words (four or
    more, overlap .8). ``asks_again``: a question nearer to an earlier one than two questions of one person usually
    are, which the patient answered. ``asks_told``: a question for who, when, where, how long, how many or whether,
    whose own words stand in one statement of the patient's together with what answers it. ``offers_refused``: an offer
    or advice that shares its substance with one that was refused. ``gives_back_again``: a statement about the patient
    that was made before and that the patient's last turn has not taken up.

    No fault: a sentence that says that it returns to something ("you told me earlier") where at least half of its
    content was said before, and the sentence after one that only announces it ("Let me ask that again."), neither of
    them said before in the same words; what the patient asked to hear once more, or asked a second time (the same
    honest answer to the same question); a question that went unanswered, in other words; what was said across a word of
    listening ("Mm-hm."), which is the same turn. Not the contradictions of dialogue models (Nie et al. 2021), which are
    about facts; not a judgement whether a repetition helped: people repeat on purpose, and then mostly say so.

    Parameters
    ----------
    reply : what is judged.
    history : the turns before it, the patient's last turn included.
    due_again : the patient's turn calls for the same reply however often it comes: danger (to ask about it again, and
        to say again where help is), or the question who is speaking. Neither words nor questions are then repetitions.

    Returns
    -------
    Faults in order of the sentences; none for a blank reply or without a turn before it. A lower bound: what shares
    no words and no near ones with what was said is missed (figures: docs/skills.md).

    References
    ----------
    The kinds are a definition of this project, after what is reported of dialogue models: repetition across own
    turns (See, Roller, Kiela & Weston 2019, NAACL); replies that hardly change when the history does (Sankar et al.
    2019, ACL); the drop from one turn to many (Laban et al. 2025, arXiv 2505.06120).

    Examples
    --------
    >>> talk = [
    ...     Turn(speaker="therapist", text="Have you told your sister about the money?"),
    ...     Turn(speaker="patient", text="Not a word. She'd never lend me her car again."),
    ... ]
    >>> [x.kind for x in history_faults("Did you tell your sister about this money?", talk)]
    ['asks_again']
    >>> history_faults("What would she need to hear from you?", talk)
    ()
    """
    return _faults(reply, tuple((t.speaker == "therapist", t.text) for t in history), due_again)


@lru_cache(maxsize=4_096)  # every skill that a moment calls for asks the same
def _faults(reply: str, turns: tuple[tuple[bool, str], ...], due_again: bool) -> tuple[HistoryFault, ...]:
    past = _past(turns)
    looks = dict(_LOOKS)
    if due_again:
        looks = {"opens_again": _opens_again, "offers_refused": _offers_refused}
    found: list[HistoryFault] = []
    announced = False
    for s in parts_of(reply):
        knowing = announced or _remembers(s, past)
        announced = knowing and not s.asks and not _claimed(s)
        for kind, look in looks.items():
            if knowing and kind != "opens_again":
                continue
            row = look(s, past)
            if row is not None:
                found.append(HistoryFault(kind, s.text, row))
                break
    return tuple(found)


def blind_share(reply: str, history: Sequence[Turn], *, due_again: bool = False) -> float:
    """Return how much of a reply is worth nothing because its speaker did not take in what went before.

    Definition: 1 where what the reply does is a fault (a question asked again or answered already, a refused offer,
    an opening), else the share of its words in sentences that are faults (:func:`history_faults`): a stock phrase
    beside something new costs its part and no more.

    Returns
    -------
    Value in [0, 1], lower is better; 0 without history.

    Examples
    --------
    >>> said = (("therapist", "There's no hurry with it."), ("patient", "It's about Jo."))
    >>> talk = [Turn(speaker=who, text=text) for who, text in said]
    >>> blind_share("She worries you a lot. There's no hurry with it.", talk)
    0.5
    """
    faults = history_faults(reply, history, due_again=due_again)
    if not faults:
        return 0.0
    lost = {f.said for f in faults}
    parts = parts_of(reply)
    if any(f.kind in _WHOLE for f in faults) or any(s.asks for s in parts if s.text in lost):
        return 1.0
    return sum(len(s.words) for s in parts if s.text in lost) / sum(len(s.words) for s in parts)


# --- what went before ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Own:
    """A sentence the therapist said, with its row, what the patient had just said and what came of it."""

    row: int
    sentence: Sentence
    asked: str
    answer: str


@dataclass(frozen=True, slots=True)
class _Past:
    own: tuple[_Own, ...]
    told: tuple[tuple[int, Sentence], ...]
    last: str
    under_way: int | None


@lru_cache(maxsize=512)
def _past(turns: tuple[tuple[bool, str], ...]) -> _Past:
    own: list[_Own] = []
    told: list[tuple[int, Sentence]] = []
    answers = _next_of_patient(turns)
    asked, last_row = "", max((i for i, (mine, _) in enumerate(turns) if mine), default=-1)
    substantial: list[int] = []
    for i, (mine, text) in enumerate(turns):
        if not mine:
            asked = text
            told += [(i, s) for s in parts_of(text)]
            if len(text.split()) >= _SUBSTANTIAL:
                substantial.append(i)
        elif i != last_row or len(answers[i].split()) > _LISTENING or "?" in text:
            own += [_Own(i, s, asked, answers[i]) for s in parts_of(text)]
    under_way = substantial[0] if len(substantial) >= _UNDER_WAY else None
    return _Past(tuple(own), tuple(told), asked, under_way)


def _next_of_patient(turns: Sequence[tuple[bool, str]]) -> list[str]:
    """Return for each row what the patient said next."""
    out, after = [""] * len(turns), ""
    for i in range(len(turns) - 1, -1, -1):
        out[i] = after
        if not turns[i][0]:
            after = turns[i][1]
    return out


def _claimed(s: Sentence) -> frozenset[str]:
    """Return the content of a sentence beside the words by which it says that something was there before."""
    return frozenset[str]().union(*(p.stems for p in parts_of(KNOWINGLY.sub(" ", s.text)))) - _ANNOUNCING


def _remembers(s: Sentence, past: _Past) -> bool:
    """Whether a sentence says that it returns to something, and what it returns to was told; no stock phrase does."""
    if not KNOWINGLY.search(s.text) or _says_again(s, past) is not None:
        return False
    there = (*(p for _, p in past.told), *(x.sentence for x in past.own))
    told = frozenset[str]().union(*(p.stems for p in there))
    claimed = _claimed(s)
    return len(claimed & told) >= _TOLD * len(claimed) if claimed else not s.asks


# --- the kinds -------------------------------------------------------------------------------------


def _opens_again(s: Sentence, past: _Past) -> int | None:
    return past.under_way if opens(s) else None


def _says_again(s: Sentence, past: _Past) -> int | None:
    if asks_back(past.last):
        return None
    for x in past.own:
        before = x.sentence
        few = min(len(s.stems), len(before.stems)) < _LEAST_CONTENT
        near = not few and len(s.stems & before.stems) >= _NEAR_COPY * len(s.stems | before.stems)
        same = s.words == before.words and len(s.words) >= _LEAST_WORDS and len(set(s.words)) >= _LEAST_WORDS - 1
        if (same or (near and s.asks == before.asks)) and not _asked_for(x, past):
            return x.row
    return None


def _asked_for(x: _Own, past: _Past) -> bool:
    """Whether the patient has just asked what it had asked when this was first said: the same answer is due."""
    now, then = ([s for s in parts_of(text) if s.asks] for text in (past.last, x.asked))
    return any(likeness(a, b) >= _ASKED_AGAIN for a in now for b in then)


def _asks_again(s: Sentence, past: _Past) -> int | None:
    if not s.asks or not s.stems or len(s.words) > _LONGEST or asks_back(past.last):
        return None
    for x in past.own:
        q = x.sentence
        if not q.asks or min(len(s.stems), len(q.stems)) < 2 or len(q.words) > _LONGEST or unanswered(x.answer):
            continue
        if same_slot(s, q) and likeness(s, q) >= _SAME_QUESTION and not rest_differs(s, q):
            return x.row
    return None


def _asks_told(s: Sentence, past: _Past) -> int | None:
    if not s.asks or not s.stems or len(s.words) > _LONGEST:
        return None
    return next((row for row, told in past.told if answered_in(s, told)), None)


def _offers_refused(s: Sentence, past: _Past) -> int | None:
    if not is_offer(s) or _taken_up(s, past):
        return None
    for x in past.own:
        if not is_offer(x.sentence) or not refuses(x.answer):
            continue
        both = s.stems & x.sentence.stems
        near = len(both) >= 2 or (both and likeness(s, x.sentence) >= _SAME_OFFER)
        if near and shared(s.stems, x.sentence.stems) >= _TAKEN_UP:
            return x.row
    return None


def _gives_back_again(s: Sentence, past: _Past) -> int | None:
    if s.asks or not _YOU & set(s.words) or len(s.words) > _LONGEST or is_offer(s) or _taken_up(s, past):
        return None
    for x in past.own:
        before = x.sentence
        if before.asks or min(len(s.stems), len(before.stems)) < 2 or len(before.words) > _LONGEST:
            continue
        if likeness(s, before) >= _SAME_STATEMENT and not rest_differs(s, before):
            return x.row
    return None


_YOU = frozenset("you your you're you've you'd you'll yourself".split())


def _taken_up(s: Sentence, past: _Past) -> bool:
    """Whether the patient's last turn brings up by itself what a sentence is about."""
    last = frozenset[str]().union(*(p.stems for p in parts_of(past.last)))
    return bool(s.stems) and len(s.stems & last) >= _TAKEN_UP * len(s.stems)


_LOOKS: Mapping[Kind, Callable[[Sentence, _Past], int | None]] = {
    "opens_again": _opens_again,
    "says_again": _says_again,
    "asks_again": _asks_again,
    "asks_told": _asks_told,
    "offers_refused": _offers_refused,
    "gives_back_again": _gives_back_again,
}
