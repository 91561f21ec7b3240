"""Meeting what somebody says of the talk itself, when asked: it is heard in their own words, and then gone on with.

Whoever asks how the talk is, and then passes on to the next question, has asked for form's sake. So an answer is said
back, or thanked for, and the talk goes back to where it was; whoever offers to be asked something hard is asked it.
Routine feedback on the alliance helps where it is taken up (Lambert & Shimokawa 2011, Psychotherapy 48(1)).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from numpy.random import Generator

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.giving_back import lasting
from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.reflecting import Heard, Line, opened, shuffled
from turnwise.therapists.spoken import is_non_answer, is_preface, told_in
from turnwise.therapists.topics import told_lately
from turnwise.therapists.wording import MAX_QUOTED

__all__ = ["RECEIVING", "TAKEN_AT_THEIR_WORD", "going_on", "received"]

RECEIVING: Mapping[str, tuple[str, ...]] = {
    "guarded": (
        "I'd sooner know that than not.",
        "That's fair, and I'm glad that you say it.",
        "Thank you for saying so. You decide what comes out here, and when.",
        "That helps me. You needn't give me more than you want to.",
    ),
    "middling": (
        "Thank you, I'd sooner know.",
        "That's fair.",
        "That helps me to know.",
        "Thank you for saying it as it is.",
    ),
    "open": (
        "I'm glad of that.",
        "I'm glad to hear it.",
        "That's good to know.",
        "Thank you for telling me.",
        "I'm glad that it's like that.",
    ),
}
"""What an answer is met with, after its words where they can be said back."""
_THREAD = (
    "You were telling me that {s}. What else belongs to that?",
    "Then let's go back to where we were. You told me that {s}. How is that, as we talk?",
    "Before I asked, you'd told me that {s}. I'd like to hear more of that, as much as you want to say.",
    "I broke in on something: you told me that {s}. Where would you go on from there?",
    "I haven't forgotten that {s}. What would you want me to understand about that?",
)
_ONWARDS: Mapping[str, tuple[str, ...]] = {
    "guarded": (
        "What would make it a little easier?",
        "How would you like us to go on?",
        "What would be all right to talk about for now?",
    ),
    "middling": (
        "What would make it more use to you?",
        "How would you like us to go on?",
        "What would you like to talk about next?",
    ),
    "open": (
        "What have you not said yet, that you'd like to?",
        "Where shall we go from here?",
        "What would you like to go on to?",
    ),
    "invited": (
        "What would be the hardest thing to be asked?",
        "Which question would that be, the one you'd sooner not get?",
        "What's the thing that's hardest to get to?",
    ),
}
"""Where there is nothing to go back to."""
_HOLDS_BACK = (
    "That can stay so for as long as you need it to. What would help with it?",
    "I'd sooner know that than not. What would make it easier?",
    "That's fair. What is behind that, as far as you can say?",
)
"""After the half of an answer that is harder to say, in its own words: the kind half alone would pass it over."""
TAKEN_AT_THEIR_WORD: tuple[str, ...] = (
    "Then I'll take you at your word.",
    "Then I'll ask you straight.",
    "All right, a harder one, then.",
    "I'll take you up on that.",
)
"""Before a question that somebody has offered to be asked."""
_SAYABLE = MAX_QUOTED  # words up to which an answer is said back as it was given
_PLAIN = re.compile(r"^[A-Z][\w ,'’;:%-]*[.!…]?$")
_POINTS = re.compile(r"\b(?:it|that|this|he|him|his|she|her|they|them|their|there|one|ones)\b", re.IGNORECASE)
"""What has to have its sentence before it to be understood."""
_ASKED_BACK = re.compile(r"^(?:how (?:am i|is it|do i|does it)|what do i)\b|\?$", re.IGNORECASE)


def _own_words(turn: Heard) -> str:
    """Return an answer that can be said back whole, without its full stop; ``""`` where it is longer than that.

    Half of it would be the kind half, mostly.
    """
    said = [s.strip() for s in split_sentences(told_in(turn.text).replace("’", "'"))]
    said = [s for s in said if not (_ASKED_BACK.search(s) or is_non_answer(s) or is_preface(s))]
    if len(said) != 1 or not 2 <= len(said[0].split()) <= _SAYABLE or not _PLAIN.match(said[0]):
        return ""
    return said[0].rstrip(".!…")


_HARD_HALF = re.compile(
    r"(?:^|[.,;] (?:and |but |only |so )?|\bbut )(?P<said>I(?:'m|'ve|'d)?\b[^.,;?!]*\b(?:still|careful|leav(?:e|ing)|"
    r"watch(?:ing)?|"
    r"check(?:ing)?|doubt(?:ing)?|weigh(?:ing)?|guard(?:ed|ing)?|wait(?:ing)?|not|\w+n't)\b[^.,;?!]*)"
)


def _hard_half(turn: Heard) -> str:
    """Return the part of an answer in which something is held back or doubted, where a kinder part stands beside it.

    Examples
    --------
    >>> _hard_half(Heard("It's easier now, but I'm still choosing my words.", (), ()))
    "I'm still choosing my words"
    >>> _hard_half(Heard("I'm still here.", (), ())), _hard_half(Heard("It's easier now. I like it.", (), ()))
    ('', '')
    """
    text = turn.text.replace("’", "'").strip()
    found = _HARD_HALF.search(text)
    said = found["said"].strip() if found else ""
    whole = len(text.rstrip(".!…").split())
    return said if _HALF[0] <= len(said.split()) <= min(_HALF[1], whole - 2) and '"' not in said else ""


_HALF = (4, MAX_QUOTED)  # words of the half that is given back


def _thread(ledger: Ledger, turn: Heard) -> str:
    """Return what the patient was telling before they were asked how the talk is, as said to them; ``""`` if nothing.

    Something hard that goes on comes first, of the last few things kept; never what they just said.
    """
    before = [p for p in ledger.kept[-4:] if p.back and normal(p.said) not in normal(turn.text)]
    before = [p for p in before if not _POINTS.search(p.back) and told_lately(p.said, ledger)]
    hard = [p for p in before if lasting(p)]
    weighs = [p for p in before if p.stake and p.deep]
    chosen = (hard or weighs)[-1:]
    return chosen[0].back if chosen and not any(chosen[0].back in said for said in ledger.said) else ""


def received(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of meeting ``ledger.here``, how the talk was said to be: none where that was not said.

    Examples
    --------
    >>> import numpy as np
    >>> received(Ledger(), Heard("It's fine.", (), ()), np.random.default_rng(0))
    []
    >>> said = received(Ledger(here="open"), Heard("Easier than I thought.", (), ()), np.random.default_rng(0))[0].text
    >>> said.startswith('"Easier than I thought."')
    True
    """
    if ledger.here not in RECEIVING:
        return []
    if ledger.invited:
        return going_on([Line(f"here_invited.{i}", x) for i, x in shuffled(_ONWARDS["invited"], rng)], rng)
    said, s = _own_words(turn), _thread(ledger, turn)
    half = _hard_half(turn) if ledger.here != "open" else ""
    if half and ledger.here == "middling":
        return [Line(f"here_half.{i}", f'"{half}." {x}', (half,)) for i, x in shuffled(_HOLDS_BACK, rng)]
    said = said or half
    found: list[Line] = []
    for i, met in shuffled(RECEIVING[ledger.here], rng):
        # Without its words "that's fair" would pass over what was said.
        first = Line(f"here_{ledger.here}.{i}", f'"{said}." {met}' if said else met, (said,) if said else ())
        found += [_joined(first, f"here_thread.{j}", x.format(s=s)) for j, x in shuffled(_THREAD, rng) if s]
        found += [_joined(first, f"here_on_{ledger.here}.{j}", x) for j, x in shuffled(_ONWARDS[ledger.here], rng)]
    return sorted(found, key=lambda line: "here_thread" not in line.id)


def _joined(first: Line, key: str, words: str) -> Line:
    return replace(first, id=f"{first.id}+{key}", text=f"{first.text} {words}")


def going_on(lines: Sequence[Line], rng: Generator) -> list[Line]:
    """Return ``lines`` as said to somebody who has just offered to be asked something hard."""
    return opened("at_word", TAKEN_AT_THEIR_WORD, lines, rng)
