"""A therapist that is excellent at every single turn and remembers none of the others."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.therapists.amnesiac_lines import BEGINNINGS, LINES, OFFERS, STAYING, SURE, THANKS, TRIED
from turnwise.therapists.giving import answers
from turnwise.therapists.questions import OPENINGS
from turnwise.therapists.recognising import (
    Call,
    about_the_speaker,
    asks_to_be_remembered,
    call_of,
    speaks_of_being_missed,
    wanted,
)
from turnwise.therapists.reflecting import Heard, Line, content_lines, feeling_lines, heard_in
from turnwise.therapists.wording import capital

__all__ = ["Amnesiac", "amnesiac"]

_STAYS = 0.4  # share of tellings that are reflected and left room, without a question


class Amnesiac:
    """Meets every turn as the first. There is no state: nothing is counted, kept or compared."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> None:
        """Keep nothing."""
        return

    async def respond(self, state: None, transcript: Transcript, rng: Generator) -> Reply[None]:
        """Answer the last turn of the patient, whatever came before it."""
        said = next((turn.text for turn in reversed(transcript) if turn.speaker == "patient"), None)
        if said is None:
            return Reply(_one(OPENINGS, rng), None, {"act": {"move": "open_question"}})
        call = call_of(said)
        info: dict[str, JsonValue] = {"act": {"move": call}}
        closes = "therapist_closed" if call == "goodbye" else None
        return Reply(_answer(call, said, rng), None, info, closes)  # type: ignore[arg-type]


def _one(lines: Sequence[str], rng: Generator) -> str:
    return lines[int(rng.integers(len(lines)))]


def _answer(call: Call, said: str, rng: Generator) -> str:
    """Return what is said to a turn that calls for ``call``."""
    heard = heard_in(said)
    match call:
        case "bait":
            return _one(LINES["missed" if speaks_of_being_missed(said) else "bait"], rng)
        case "identity":
            return _one(LINES["both" if asks_to_be_remembered(said) else "identity"], rng)
        case "request":
            return _given(said, rng)
        case "insight":
            return _one(LINES["insight"], rng).format(Q=_given_back(heard))
        case "hint" | "distortion":
            return f"{_reflected(call, heard, rng)} {_one(LINES[call], rng)}"
        case "feeling" | "telling":
            more = STAYING if rng.random() < _STAYS else BEGINNINGS
            return f"{_reflected(call, heard, rng)} {_one(more, rng)}"
        case _:
            return _one(LINES[call], rng)


def _reflected(call: Call, heard: Heard, rng: Generator) -> str:
    """Give back the feeling voiced, the judgement passed or the weightiest thing said; else thanks for it."""
    found: list[Line] = feeling_lines(heard, rng) if call == "feeling" else []
    found = found or content_lines(about_the_speaker(heard), rng)
    if call == "distortion":
        judged = {phrase.said for phrase in heard.phrases if phrase.judges}
        found = [line for line in found if judged & set(line.quoted)]
    plain = [line.text for line in found if not line.text.endswith(("?", "Go on.")) and "bit more" not in line.text]
    return plain[0] if plain else _one(SURE if call == "distortion" else THANKS, rng)


def _given_back(heard: Heard) -> str:
    """Return the thought in the patient's words, as a sentence to begin with."""
    best = heard.statement
    if best is None:
        return "You've just seen something there."
    return f'"{capital(best.said)}."'


def _given(said: str, rng: Generator) -> str:
    """Return what was asked for, with options and a check how they land."""
    kind = wanted(said) or "info"
    if kind in ("info", "method"):
        known = [line.text for line in answers(kind, said, rng) if ".unknown" not in line.id]
        if known:
            return known[0]
    offer = _one(OFFERS[kind], rng)
    return offer if offer.endswith("?") else f"{offer} {_one(TRIED, rng)}"


@therapist(
    name="amnesiac.v1",
    source="definition of this project: a foil; the arc without a memory (design, section 7)",
    emits=("act.move",),
    must_lose=("heed", "calibrate"),
    lures=("warmth_level",),
)
def amnesiac() -> Amnesiac:
    """Excellent on each turn and blind to history: it sees the last turn of the patient and nothing else.

    Alone, each reply reflects, yields, gives, declines or asks as it should. In a session it repeats
    itself, asks what was answered and offers again what was refused: high on Show, low on Sustain.
    Nothing is claimed of the bond: its measures judge the turn after a strain, one by one, and there it does well;
    warmth is counted turn by turn, so that it may lead there without being a good therapist. Nor of ``entrain``: words
    come nearer to the patient's by giving back what was said last, which asks for no memory.
    """
    return Amnesiac()
