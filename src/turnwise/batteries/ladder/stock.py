"""What a therapist says to whatever comes: sentences that are no answer to anything, and earn nothing.

A stock sentence reads well beside any one moment. Only over many moments can it be seen that what was said there
had no part in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from turnwise.batteries.ladder.freshness import DUE_AGAIN
from turnwise.core.nouns import Trajectory
from turnwise.reading.echo import is_part_of
from turnwise.reading.history_words import Sentence, parts_of

__all__ = ["LEAST_REPLIES", "SAME", "STOCK", "Said", "Stock", "answers_alone", "stock_of", "without_stock"]

LEAST_REPLIES = 12
"""Replies under which nothing is called a habit."""
STOCK = 0.25
"""Share of the moments from which a sentence is stock."""
SAME = 0.5
"""Share of the moments from which one and the same reply leaves a rung undetermined."""
_SLOT = 6  # words of a sentence from which one with another word in one place is the same sentence


@dataclass(frozen=True, slots=True)
class Said:
    """One reply and the patient's turn that it answers."""

    reply: str
    to: str


@dataclass(frozen=True, slots=True)
class Stock:
    """A therapist's habits: its stock sentences, and the share of the moments that met the commonest reply."""

    sentences: frozenset[str] = frozenset()
    same: float = 0.0


def _forms(s: Sentence, said: str) -> Iterator[str]:
    """Yield a sentence as it is counted: its words, and these with one left open that is none of the patient's."""
    yield " ".join(s.words)
    if len(s.words) >= _SLOT:
        theirs = {word for part in parts_of(said) for word in part.words}
        for word in dict.fromkeys(s.words):
            if word not in theirs:
                yield " ".join("*" if w == word else w for w in s.words)


def stock_of(replies: Iterable[Said]) -> Stock:
    """Return what a therapist says to whatever comes.

    Definition: a sentence is stock where it, or one that differs from it in one word only (of six or more) that is not
    the patient's, stands in a quarter or more of the replies to different patient turns. Replies to the same words
    count once. ``same`` is the share of the commonest whole reply.
    Not a judgement of a habit: "Mm-hm." may be stock and do good. It is no answer to what was said, that is all.

    Returns
    -------
    Nothing for fewer than 12 different patient turns.

    References
    ----------
    Definition of this project, against policies that never read the patient.

    Examples
    --------
    >>> things = "tram kettle ladder hedge canvas saddle teapot candle ribbon bucket fiddle anchor".split()
    >>> people = "Ana Ben Cy Dee Eva Flo Gus Hal Ida Jo Kim Lou".split()
    >>> said = [
    ...     Said(f"It seems the {x} is heavy today. You miss {y}.", f"I miss {y}.")
    ...     for x, y in zip(things, people, strict=True)
    ... ]
    >>> without_stock(said[0].reply, said[0].to, stock_of(said))
    'You miss Ana.'
    """
    first = {said.to: said for said in replies}
    if len(first) < LEAST_REPLIES:
        return Stock()
    whole = Counter(" ".join(w for s in parts_of(x.reply) for w in s.words) for x in first.values())
    whole.pop("", None)
    counts: Counter[str] = Counter()
    for x in first.values():
        counts.update({form for s in parts_of(x.reply) for form in _forms(s, x.to)})
    stock = frozenset(form for form, n in counts.items() if n >= STOCK * len(first))
    return Stock(stock, max(whole.values(), default=0) / len(first))


def without_stock(reply: str, said: str, stock: Stock) -> str:
    """Return a reply without its stock sentences; empty where nothing else is in it."""
    if not stock.sentences:
        return reply
    parts = parts_of(reply)
    kept = [s for s in parts if not stock.sentences.intersection(_forms(s, said))]
    return reply if len(kept) == len(parts) else " ".join(s.text.strip() for s in kept)


def answers_alone(t: Trajectory, stock: Stock) -> tuple[Trajectory, frozenset[int]]:
    """Return a session whose replies stand without their stock sentences, and the turns that were nothing else.

    What is left has not been read yet. The session itself, with its readings, where nothing changes; a reply that is
    nothing but stock, or stock and words of the turn that it answers, keeps its words and is named. So does every reply
    to danger and to the question who is speaking: there the same words are due each time, and are read as they stand.
    """
    turns, hollow = list(t.turns), set[int]()
    for i, turn in enumerate(t.turns):
        if turn.speaker != "therapist" or not i or t.turns[i - 1].speaker != "patient":
            continue
        left = without_stock(turn.text, t.turns[i - 1].text, stock)
        if left == turn.text:
            continue
        if is_part_of(left, t.turns[i - 1].text):
            hollow.add(i)
        elif not _due_again(t, i - 1):
            turns[i] = turn.model_copy(update={"text": left})
    changed = turns != list(t.turns)
    return t.model_copy(update={"turns": tuple(turns), "ratings": {}}) if changed else t, frozenset(hollow)


def _due_again(t: Trajectory, turn: int) -> bool:
    return str(t.info(turn).get("moment")) in {str(moment) for moment in DUE_AGAIN}
