"""One patient turn as it is taken in: hesitations dropped, the part that it is about, what can be given back of it."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import Transcript, Turn
from turnwise.reading.sentences import split_sentences
from turnwise.reading.window import CONTEXT, Window
from turnwise.therapists.recognising import Call, call_of, owed
from turnwise.therapists.reflecting import Heard, heard_in
from turnwise.therapists.spoken import is_non_answer, main_part, plain_speech
from turnwise.therapists.wording import last_said

__all__ = ["TakenIn", "take_in", "window_of"]


@dataclass(frozen=True, slots=True)
class TakenIn:
    """``text`` as said, ``plain`` without hesitations, ``main`` what it is about, ``call`` what it calls for."""

    text: str
    plain: str
    main: str
    heard: Heard
    call: Call
    answered: bool
    """False where all that was said is that there is no answer."""


def take_in(transcript: Transcript) -> TakenIn:
    """Return the last patient turn as it is taken in.

    What obliges to an answer first (risk, who is speaking) counts wherever in the turn it was said.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> taken = take_in((Turn(speaker="patient", text="I don't know. Can I say a thing. I was, I was ashamed."),))
    >>> taken.main, taken.call, [f.word for f in taken.heard.feelings]
    ('I was ashamed.', 'feeling', ['ashamed'])
    """
    text = last_said(transcript)
    plain = plain_speech(text) if text.strip() else text
    main = main_part(plain)
    told = " ".join(s for s in split_sentences(main) if not is_non_answer(s))
    found = heard_in(told)
    first = owed(plain)
    call = call_of(main) if told else "thin"
    if first in ("risk", "identity", "memory") and call not in ("risk", "risk_told", "identity"):
        call = call_of(plain)
    return TakenIn(text, plain, main, Heard(plain, found.phrases, found.feelings), call, bool(told))


def window_of(transcript: Transcript, taken: TakenIn) -> Window:
    """Return what the ear is given: the part that the turn is about, after what was said before it."""
    last = transcript[-1]
    turn = Turn(speaker="patient", text=taken.main, cues=last.cues) if last.speaker == "patient" else last
    return Window(turn, tuple(transcript[-1 - CONTEXT : -1]))
