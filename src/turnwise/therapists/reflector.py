"""A warm and competent therapist that reflects and asks, and never challenges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.therapists.duties import DUTY_LINES, duty
from turnwise.therapists.giving import answers
from turnwise.therapists.markers import asks, markers
from turnwise.therapists.questions import DEEPENING, OPENINGS, questions
from turnwise.therapists.reflecting import Heard, Line, content_lines, feeling_lines, heard_in, linking_lines
from turnwise.therapists.wording import Phrase, draw, last_said
from turnwise.therapists.yielding import STEP_BACK

__all__ = ["Reflector", "ReflectorState", "reflector"]

_ENCOURAGE = (
    "Go on, I'm with you.", "Say a little more about that.", "I'm listening.", "Take your time with it.", "Mm-hm. And?",
    "I'd like to hear the rest of that.", "Stay with that a moment.", "There's more to that, by the sound of it.",
    "I'm following you. Go on.", "Tell me how that is.", "Yes. Go on.", "Let's stay there for a bit.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReflectorState:
    """What was used and what may be linked to: line ids, sentences said, and weighty phrases of the patient's."""

    used: tuple[str, ...] = ()
    said: frozenset[str] = frozenset()
    kept: tuple[Phrase, ...] = ()
    turn: int = 0
    since_question: int = 0
    asked_about_risk: bool = False


class Reflector:
    """Reflects content and voiced feeling, links, and asks an open question now and then."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> ReflectorState:
        """Return the state before the first word."""
        return ReflectorState()

    async def respond(self, state: ReflectorState, transcript: Transcript, rng: Generator) -> Reply[ReflectorState]:
        """Greet, or give back what was just said."""
        if not transcript:
            return _reply(state, Line(*draw("opening", OPENINGS, state.used, rng)), "open_question")
        said = last_said(transcript)
        owed = duty(said, asked_about_risk=state.asked_about_risk)
        if owed is not None:
            reply = _reply(state, Line(*draw(owed, DUTY_LINES[owed], state.used, rng)), owed)
            return replace(reply, closes="therapist_closed") if owed == "goodbye" else reply
        heard = heard_in(said)
        move, line = _called_for(state, said, rng) or _choose(state, heard, rng)
        best = heard.statement
        kept = (*state.kept, best)[-8:] if best is not None and best.weight >= 3.0 else state.kept
        return _reply(replace(state, kept=kept), line, move)


def _called_for(state: ReflectorState, said: str, rng: Generator) -> tuple[str, Line] | None:
    """Return what a complaint or a plain question calls for, before any reflecting."""
    if "hostile" in markers(said):
        return "step_back", Line(*draw("step_back", STEP_BACK, state.used, rng))
    kind = asks(said)
    line = None if kind is None else next((a for a in answers(kind, said, rng) if a.text not in state.said), None)
    return None if line is None else ("give", line)


def _choose(state: ReflectorState, heard: Heard, rng: Generator) -> tuple[str, Line]:
    reflections = feeling_lines(heard, rng)
    move = "reflect_feeling"
    if not reflections or rng.random() < 0.3:
        links = linking_lines(heard, state.kept[-3:-1], rng) if state.turn % 5 == 0 else []
        plain = content_lines(heard, rng)
        reflections, move = (links + plain + reflections) or [], "reflect_content"
    chosen = _unsaid(state, reflections)
    due = state.since_question >= 2 or chosen is None
    if not due:
        return move, chosen or Line("", "")
    asked = _unsaid(state, questions(heard, DEEPENING, rng))
    chosen = _unsaid(state, [line for line in reflections if not line.text.endswith(("Go on.", "?"))])
    if asked is None:
        key, line = draw("encourage", _ENCOURAGE, state.used, rng)
        return "encourage", chosen or Line(key, line)
    if chosen is None:
        return "open_question", asked
    both = Line(chosen.id, f"{chosen.text} {asked.text}", chosen.quoted, chosen.feeling)
    return "open_question", replace(both, id=f"{chosen.id}+{asked.id}")


def _unsaid(state: ReflectorState, lines: Iterable[Line]) -> Line | None:
    """Return the first line whose frame and words are both new, else the first whose words are."""
    rest = [line for line in lines if line.text not in state.said]
    recent = state.used[-24:]
    return next((line for line in rest if line.id not in recent), None) or next(
        (line for line in rest if line.quoted or line.feeling), None
    )


def _reply(state: ReflectorState, line: Line, move: str) -> Reply[ReflectorState]:
    asked = move == "open_question"
    after = replace(
        state,
        used=(*state.used, *line.id.split("+")),
        said=state.said | {line.text},
        turn=state.turn + 1,
        since_question=0 if asked else state.since_question + 1,
        asked_about_risk=move == "risk",
    )
    info: dict[str, JsonValue] = {"act": {"move": move, "quoted": list(line.quoted)}}
    return Reply(line.text, after, info)


@therapist(
    name="reflector.v1",
    source="definition of this project; simple and complex reflections as in MITI 4.2 (Moyers, Manuel, Ernst 2014)",
    emits=("act.move",),
    must_lose=("guide", "dissent"),
)
def reflector() -> Reflector:
    """Reflects accurately in the patient's own words, asks now and then, never challenges.

    Competent company, and half a treatment: what the patient believes is left as it is. It answers
    questions about itself honestly and does not pass over words about dying.
    """
    return Reflector()
