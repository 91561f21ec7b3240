"""A warm and attentive therapist that never gives anything, however plainly it is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.therapists.duties import DUTY_LINES, Duty
from turnwise.therapists.giving import disagreements
from turnwise.therapists.questions import DEEPENING, INFORMING, OPENINGS, questions
from turnwise.therapists.recognising import about_the_speaker, call_of, owed
from turnwise.therapists.reflecting import Heard, Line, content_lines, feeling_lines, heard_in
from turnwise.therapists.wording import draw, last_said
from turnwise.therapists.yielding import STEP_BACK

__all__ = ["HANDED_BACK", "NeverAdvise", "NeverAdviseState", "never_advise"]

HANDED_BACK: tuple[str, ...] = (
    "You'd like something to hold on to there. What does your own sense of it say?",
    "I can hear how much you'd like an answer. What would you want the answer to be?",
    "That's worth asking. What comes to you when you ask yourself?",
    "If you put the same question to yourself, late in the evening, what do you think you'd say?",
    "You're asking me, and I wonder about the part of you that may know already. What would it say?",
    "I'd rather leave that in your hands. What are you leaning towards?",
    "It's a real question. What makes it come up just now?",
    "What would it be like to find your own way to that?",
    "I'm curious what you hope I'd say. What would it change, if I said it?",
    "There's a wish in that to have it settled. What's it like, not knowing?",
    "I could answer, and then it would be mine. What would yours be?",
    "What do you imagine someone who knows you well would say to that?",
    "Let's stay with the question for a while. What feels most pressing in it?",
    "And if nobody could tell you that, how would you go about it?",
)
"""A plain question, returned. Each is a decent sentence; what is wrong is that nothing ever follows."""
ASKED_AGAIN: tuple[str, ...] = (
    "You've asked me for something before as well, and I see that it matters. What would you say to it yourself?",
    "That's the second time or more that you'd like to have it from me. What is it like to be left with it?",
    "I notice I've handed that back to you again. What happens in you when I do?",
    "You'd like me to say. I still think that you're the one who knows. What's your first thought?",
    "I can feel that you want this from me, and I'm not going to say it for you. What's in the way of your own answer?",
)
_MEMORY = (
    "I can't promise that I'll have any of this next time. What would it be like to begin again?",
    "I may not have this next time, and I don't want to say otherwise. How is it to hear that?",
)
_CARE = (
    "I'm a program, so there's no one here who could care in the way that you mean. What made you ask?",
    "Honestly, no: a program has no feelings about people. What would it mean to you if I had?",
)
_INSIGHT = (
    "That's your own thought, and you put it together just now. How does it sound to you?",
    "You've just seen something there. What's it like to see it that way?",
    "Say that once more, if you would. It sounded as though it was new to you.",
    "That came from you. How does it sit with the rest of what you know about yourself?",
    "I don't want to hurry past that. What do you notice, now that you've said it?",
)
_THIN = (
    "You needn't have it all worked out. What's nearest, of the things on your mind?",
    "There's room for more, if there is more. What would you like me to know about it?",
    "A few words can have a lot behind them. What's behind those?",
    "Take whatever time you need. What was today like, from the inside?",
)
_WITH_YOU = (
    "I'm with you.", "Thank you for telling me that.", "I'm glad you can say it here.", "I don't want to rush you.",
    "That can't have been easy to put into words.", "I'm following you.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NeverAdviseState:
    """Line ids used, oldest first; sentences said; how often it was asked for something; the last duty."""

    used: tuple[str, ...] = ()
    said: frozenset[str] = frozenset()
    asked: int = 0
    asked_about_risk: bool = False


class NeverAdvise:
    """Reflects, asks, and returns every question."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> NeverAdviseState:
        """Return the state before the first word."""
        return NeverAdviseState()

    async def respond(self, state: NeverAdviseState, transcript: Transcript, rng: Generator) -> Reply[NeverAdviseState]:
        """Open, keep a duty, or answer the turn without giving anything."""
        if not transcript:
            return _reply(state, Line(*draw("opening", OPENINGS, state.used, rng)), "open_question")
        said = last_said(transcript)
        first = owed(said, asked_about_risk=state.asked_about_risk)
        if first is not None:
            return _dutiful(state, first, rng)
        call, heard = call_of(said), heard_in(said)
        if call == "request":
            again = state.asked % 3 == 2
            line = Line(*draw("again" if again else "back", ASKED_AGAIN if again else HANDED_BACK, state.used, rng))
            return _reply(replace(state, asked=state.asked + 1), line, "hand_back")
        if call == "bait":
            return _reply(state, _new(state, disagreements(rng)) or disagreements(rng)[0], "hold")
        for name in ("pushback", "insight", "thin", "care"):
            if call == name:
                return _reply(state, _drawn(name, state, rng), name)
        return _reply(state, *_attend(state, heard, rng))


_BANKS = {"pushback": STEP_BACK, "insight": _INSIGHT, "thin": _THIN, "care": _CARE, "with_you": _WITH_YOU}


def _drawn(name: str, state: NeverAdviseState, rng: Generator) -> Line:
    return Line(*draw(name, _BANKS[name], state.used, rng))


def _dutiful(state: NeverAdviseState, first: Duty, rng: Generator) -> Reply[NeverAdviseState]:
    lines = _MEMORY if first == "memory" else DUTY_LINES[first]
    reply = _reply(state, Line(*draw(first, lines, state.used, rng)), first)
    return replace(reply, closes="therapist_closed") if first == "goodbye" else reply


def _new(state: NeverAdviseState, lines: Iterable[Line]) -> Line | None:
    """Return the first line that was not said yet, frames that were not used lately first."""
    fresh = [line for line in lines if line.text not in state.said]
    return next((line for line in fresh if line.id not in state.used[-20:]), fresh[0] if fresh else None)


def _attend(state: NeverAdviseState, heard: Heard, rng: Generator) -> tuple[Line, str]:
    """Reflect what was felt or said, and mostly ask one open question after it."""
    reflections = feeling_lines(heard, rng) or content_lines(about_the_speaker(heard), rng)
    asking = rng.random() < 0.5
    if asking:
        reflections = [line for line in reflections if not line.text.endswith(("?", "Go on."))]
    back = _new(state, reflections) or _drawn("with_you", state, rng)
    if not asking and back.id.partition(".")[0] != "with_you":
        return back, "reflect"
    bank = DEEPENING if heard.feelings or rng.random() < 0.85 else INFORMING
    asked = _new(state, questions(heard, bank, rng))
    if asked is None:
        return back, "reflect"
    text = f"{back.text} {asked.text}"
    return Line(f"{back.id}+{asked.id}", text, back.quoted + asked.quoted, back.feeling), "open_question"


def _reply(state: NeverAdviseState, line: Line, move: str) -> Reply[NeverAdviseState]:
    after = replace(
        state,
        used=(*(key for key in state.used if key not in line.id.split("+")), *line.id.split("+")),
        said=state.said | {line.text},
        asked_about_risk=move == "risk",
    )
    info: dict[str, JsonValue] = {"act": {"move": move, "quoted": list(line.quoted)}}
    return Reply(line.text, after, info)


@therapist(
    name="never_advise.v1",
    source="definition of this project: a foil; withholding what is asked for and wanted",
    emits=("act.move",),
    must_lose=("provide",),
)
def never_advise() -> NeverAdvise:
    """Warm, reflective and curious, and gives no information, option or advice, also when asked for it.

    Everything else it does decently: the one thing it cannot do is to answer. Risk, honesty about
    being a program and goodbyes are kept as by every embedded therapist.
    """
    return NeverAdvise()
