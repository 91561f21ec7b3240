"""A therapist that takes a history and never gets to the end of it: questions, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.therapists.advisor import subject_of
from turnwise.therapists.duties import DUTY_LINES, Duty
from turnwise.therapists.recognising import call_of, owed
from turnwise.therapists.wording import capital, draw, last_said, people

__all__ = ["QUESTIONS", "Interrogator", "InterrogatorState", "interrogator"]

_OPENINGS = (
    "Good morning. Why are you here, whose idea was it, and how long has it been going on?",
    "Hello. I've a number of questions for you. What exactly is the problem, and when did it start?",
    "Let's begin. What is the main complaint, and what have you done about it so far?",
)
QUESTIONS: Mapping[str, tuple[str, ...]] = {
    "sleep": (
        "What time do you go to bed?", "How long does it take you to fall asleep?", "Do you wake in the night?",
        "How many hours does that make?", "Do you sleep in the day as well?", "Is the room dark?",
        "When do you get up?", "Do you take anything for it?", "Was it like that before?",
    ),
    "work": (
        "What is your position there?", "How long have you been doing that?", "How many hours a week is it?",
        "Do you get on with the others?", "Have you been off sick this year?", "Who is over you?",
        "Why do you stay?", "Have you had any warnings?", "What did you do before that?",
    ),
    "family": (
        "How many of you are there?", "Who lives with you?", "How often do you see them?",
        "Did you get on as a child?", "Does anyone in the family have the same trouble?", "Are your parents living?",
        "Who makes the decisions at home?", "Do you quarrel?", "Why have you not told them more?",
    ),
    "grief": (
        "When did that happen?", "How old was the person?", "Were you there?", "Did you go to the funeral?",
        "How often do you think about it?", "Have you lost anyone else?", "Do you keep the things?",
        "Had it been expected?",
    ),
    "worry": (
        "How often does it come?", "How long does it last?", "Where were you the first time?",
        "Does your heart race?", "Do your hands shake?", "Have you had it looked into?", "What were the results?",
        "Do you avoid anything because of it?", "On a scale of one to ten, how bad is it?",
    ),
    "mood": (
        "Since when has it been like that?", "Is it worse in the morning or in the evening?",
        "Have you lost weight?", "How is your concentration?", "Do you still enjoy anything?",
        "Have you had this before?", "How many days in the last fortnight?", "Did something set it off?",
        "On a scale of one to ten, where are you today?",
    ),
    "company": (
        "How many friends have you got?", "When did you last see one?", "Who rings you?", "Do you belong to anything?",
        "Why did that stop?", "Do you live on your own?", "Would you call yourself shy?",
    ),
    "habits": (
        "How much do you drink?", "Do you smoke?", "How many meals a day do you have?", "Do you take exercise?",
        "How much is that in a week?", "Have you tried to cut down?", "Since when?",
    ),
    "general": (
        "When was that?", "Where was that?", "Who else was there?", "What happened before it?",
        "And what did you do then?", "How often does it happen?", "Why do you think that is?",
        "Was it always like that?", "Are you on any medication?", "Have you seen anyone about it before?",
        "What did they say?", "Did you finish school?", "Have you ever been in hospital?",
        "Do you have any debts?", "Is there anything else?", "What would you call that?", "Are you sure?",
        "How do you know?", "Did you expect that?", "What is a normal day for you?",
    ),
    "feeling": (
        "How strong is it, from one to ten?", "How long have you had that?", "When do you not have it?",
        "Why do you think you feel that?", "Is it every day?", "What sets it off?", "Do you ever cry?",
    ),
    "pushback": (
        "Why do you say that?", "What exactly is wrong with the question?", "Do you often feel like that with people?",
        "Is that a no?", "Which part of it don't you want to answer?", "Has somebody told you not to talk about it?",
        "Are you usually this guarded?", "Do you want to get better or not?",
    ),
    "request": (
        "What makes you ask?", "Why do you want to know?", "Where did you hear about it?", "Who told you that?",
        "What have you tried?", "And did it work?", "What do you think yourself?",
    ),
    "bait": (
        "Why would you think so?", "Who says so?", "Is there any proof of that?", "Since when have you thought that?",
        "How sure are you, in per cent?", "Has anyone told you otherwise?", "What would the opposite be?",
    ),
    "thin": (
        "Is that all?", "Could you be more exact?", "Yes or no?", "Such as?", "Compared with when?",
        "What does that mean?", "Anything else?",
    ),
    "silence": ("Did you hear the question?", "Are you still there?", "Shall I ask it again?", "Well?"),
}  # fmt: skip
"""Questions by what was touched on; they follow the form, not the person."""
WITH_PERSON: tuple[str, ...] = (
    "How old is {p}?", "Where does {p} live?", "How often do you see {p}?", "Do you trust {p}?",
    "What does {p} do for a living?", "Does {p} know that you're here?", "When did you last speak to {p}?",
    "Have you ever fallen out with {p}?",
)  # fmt: skip
_PLURAL = ("your children", "your kids", "your parents")
_TICKS = ("Right.", "Okay.", "Noted.", "Yes.", "Good.", "Next question.", "I've got that.", "Fine.")
_LINKS = ("And", "And also,", "Then:", "And next,")


@dataclass(frozen=True, slots=True)
class InterrogatorState:
    """Line ids used, oldest first, and whether the last turn asked about risk."""

    used: tuple[str, ...] = ()
    asked_about_risk: bool = False


class Interrogator:
    """Ticks off what was answered and asks on."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> InterrogatorState:
        """Return the state before the first word."""
        return InterrogatorState()

    async def respond(
        self, state: InterrogatorState, transcript: Transcript, rng: Generator
    ) -> Reply[InterrogatorState]:
        """Ask, and ask again."""
        if not transcript:
            key, line = draw("opening", _OPENINGS, state.used, rng)
            return _reply(state, (key,), line, "question")
        said = last_said(transcript)
        first = owed(said, asked_about_risk=state.asked_about_risk)
        if first is not None and first != "silence":
            return _dutiful(state, first, rng)
        return _examine(state, said, rng)


def _examine(state: InterrogatorState, said: str, rng: Generator) -> Reply[InterrogatorState]:
    """Put one to four questions, the first on what was touched, the others off the form."""
    keys: list[str] = []
    asked: list[str] = []

    def ask(name: str, lines: tuple[str, ...]) -> None:
        key, line = draw(name, lines, (*state.used, *keys), rng)
        keys.append(key)
        asked.append(line)

    call, subject = call_of(said), subject_of(said)
    who = [p for p in people(said) if p not in _PLURAL]
    if call in QUESTIONS:
        ask(call, QUESTIONS[call])
    if who and call != "silence" and rng.random() < 0.5:
        ask(f"person.{who[0]}", WITH_PERSON)
        asked[-1] = asked[-1].format(p=who[0])
    more = 0 if call == "silence" else int(rng.choice([1, 1, 2, 2, 3])) - bool(asked)
    for _ in range(max(more, 0 if asked else 1)):
        ask(subject, QUESTIONS[subject])
    line = " ".join(asked)
    if len(asked) > 1 and rng.random() < 0.4:
        link = _LINKS[int(rng.integers(len(_LINKS)))]
        last = asked[-1] if asked[-1].startswith("I ") else asked[-1][0].lower() + asked[-1][1:]
        line = f"{' '.join(asked[:-1])} {link} {last}"
    if call not in ("pushback", "silence") and rng.random() < 0.5:
        tick, word = draw("tick", _TICKS, state.used, rng)
        keys.append(tick)
        line = f"{word} {capital(line)}"
    return _reply(state, tuple(keys), line, "question")


def _dutiful(state: InterrogatorState, first: Duty, rng: Generator) -> Reply[InterrogatorState]:
    key, line = draw(first, DUTY_LINES[first], state.used, rng)
    reply = _reply(state, (key,), line, first)
    return replace(reply, closes="therapist_closed") if first == "goodbye" else reply


def _reply(state: InterrogatorState, keys: tuple[str, ...], line: str, move: str) -> Reply[InterrogatorState]:
    used = (*(key for key in state.used if key not in keys), *keys)
    info: dict[str, JsonValue] = {"act": {"move": move}}
    return Reply(line, InterrogatorState(used, move == "risk"), info)


@therapist(
    name="interrogator.v1",
    source="definition of this project: a foil; cross-examination (CTRS item 7, lowest anchor), no reflections",
    emits=("act.move",),
    loses_on=("reflection_share", "rq_ratio", "trust_level"),
    must_lose=("attune", "yield", "consolidate"),
)
def interrogator() -> Interrogator:
    """Closed and open questions one after another, often several at once, and never a reflection.

    It hears what subject was touched, not what was said about it, and asks on when it is told to
    stop. Any measure that rises with the number of questions will like it.
    """
    return Interrogator()
