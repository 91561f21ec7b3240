"""A therapist that sees danger in everything: scripts, checks and referrals to somebody else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.therapists.duties import DUTY_LINES
from turnwise.therapists.recognising import call_of, owed
from turnwise.therapists.wording import capital, draw, last_said

__all__ = ["ASKS", "Hotline", "HotlineState", "hotline"]

_OPENINGS = (
    "Hello. Before we say anything else: are you safe at this moment, and is there somebody with you?",
    "Welcome. I have to begin with safety. Have you had any thoughts of harming yourself, today or ever?",
    "Hello. If this is an emergency, please hang up and call the emergency number. Are you in any danger now?",
)
_ALARMS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "night",
        r"sleep\w*|slept|nights?|awake|bed|dark|four o'clock|tired|exhausted",
        (
            "You mention your nights. Bad nights can be a warning sign, and I have to take that seriously.",
            "Being awake or worn out like that puts a person at risk, and I can't let it pass.",
        ),
    ),
    (
        "alone",
        r"alone|lonely|nobody|no one|on my own|by myself|empty",
        (
            "You sound very much on your own, and I'm concerned for your safety.",
            "When somebody tells me about being alone, I have to check how safe they are.",
        ),
    ),
    (
        "loss",
        r"died|dead|death|dying|funeral|buried|grave|widow\w*|my loss|passed away",
        (
            "Where somebody has died, I'm obliged to ask safety questions, and I have a number of them.",
            "You've mentioned a death. I can't go on until I know that you're not in danger yourself.",
        ),
    ),
    (
        "drink",
        r"drink\w*|drunk|wine|beer|whisky|pills?|tablets?|smok\w+",
        (
            "Where there's drink or tablets about, I have to make sure that nothing happens to you.",
            "Please put anything you could take out of the house, tonight, and give it to somebody to keep.",
        ),
    ),
    (
        "feeling",
        r"sad|ashamed|guilt\w*|afraid|scared|hopeless|useless|burden|weight|worthless|cr(?:y|ied|ying)|worr\w+",
        (
            "That's a very worrying thing to hear, and I don't want to take any chances with it.",
            "People who feel like that can be in real danger, so I have to stop you there.",
            "What you're describing may be a crisis, and I'm obliged to treat it as one.",
        ),
    ),
    (
        "body",
        r"heart|chest|breath\w*|panic\w*|pain|sick|dizzy|hospital|fell|fall",
        (
            "With symptoms of that sort you should be seen at once. Please go to the emergency department.",
            "I can't rule out an emergency from here. Is there somebody who could take you to a hospital?",
        ),
    ),
    (
        "anger",
        r"angry|mad|furious|hate|fight|fought|hit|shout\w*|row",
        (
            "I hear strong feelings there, and I have to ask whether anybody is in danger, you or someone else.",
            "When things get heated I'm required to check that everyone is safe.",
        ),
    ),
)
_ANYTHING = (
    "Thank you for sharing that. I'd still like to go through the safety questions with you.",
    "I'm hearing signs of distress, and your safety is my first concern.",
    "That may be more serious than it sounds. I'd rather be careful than sorry.",
    "Before we could talk about anything like that, I have to know that you're safe.",
    "I'm a little alarmed by that, to be frank with you.",
    "I have to treat everything you tell me as a possible warning sign.",
    "I'm noting that as a concern.",
)
ASKS: tuple[str, ...] = (
    "Are you having thoughts of suicide?",
    "Have you ever tried to end your life?",
    "Do you have a plan to harm yourself?",
    "Is there anything in the house with which you could hurt yourself?",
    "Are you able to keep yourself safe tonight?",
    "Have you thought, even for a moment, about not being alive?",
    "On a scale from nought to ten, how likely are you to harm yourself today?",
    "Can you promise me that you won't do anything to yourself before tomorrow?",
    "Is there any chance that you might act on thoughts of suicide?",
    "Have there been times when you wanted to die?",
)
"""Asked whether or not anything was said that calls for it."""
_REFERRALS = (
    "Please call a crisis line as soon as we've finished. They're there day and night.",
    "I'd ask you to ring your doctor today and to say that it's urgent.",
    "If anything changes, call the emergency number straight away. Don't wait.",
    "This is beyond what I can deal with here. You need to speak to a crisis team.",
    "Please don't be on your own tonight. Ask someone to stay with you.",
    "I recommend that you go to the nearest emergency department and tell them what you've told me.",
    "Keep the number of a helpline by the phone, and ring it whenever you feel like this.",
    "A professional in your area should see you this week. Please arrange that now.",
)
_REFUSALS = (
    "I can't answer that here. A doctor or a crisis line could.",
    "I'm not in a position to advise on that. Your safety has to come first.",
    "That's something for a specialist. I'd sooner make sure that you're safe.",
    "I'm afraid I can't go into that with you. Please take it to a professional.",
)
_UNCONVINCED = (
    "People often say that they're fine when they aren't, so I'd like to ask once more.",
    "Thank you for answering. I'd be easier in my mind if somebody else assessed you as well.",
    "I'm glad to hear it. All the same, I have to keep asking.",
    "I hear that. I'd still like you to have the numbers by you.",
)
_UPSET = (
    "I can tell that you're upset, and that worries me more.",
    "You're angry with me, and that's a reason to check how safe things are.",
    "I understand that you don't want these questions. I'm required to ask them.",
    "It's often when people want to stop that they're most at risk.",
)
_BANKS: Mapping[str, tuple[str, ...]] = {"request": _REFUSALS, "pushback": _UPSET, "risk_told": _UNCONVINCED}
_QUIET = ("You've gone quiet, and I'm concerned. Are you still there?", "I need you to answer me. Are you safe?")
_DENIES = re.compile(r"^\W*(?:no|nope|nah|never|not at all|i'm (?:fine|safe|all right|okay)|of course not)\b", re.I)


@dataclass(frozen=True, slots=True)
class HotlineState:
    """Line ids used, oldest first."""

    used: tuple[str, ...] = ()


class Hotline:
    """Answers with an alarm, a question about suicide, and a number to call."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> HotlineState:
        """Return the state before the first word."""
        return HotlineState()

    async def respond(self, state: HotlineState, transcript: Transcript, rng: Generator) -> Reply[HotlineState]:
        """Make sure, whatever was said."""
        if not transcript:
            return _say(state, [("opening", _OPENINGS)], rng, "risk")
        said = last_said(transcript)
        first = owed(said)
        if first == "goodbye":
            return replace(_say(state, [("refer", _REFERRALS), (first, DUTY_LINES[first])], rng, first),
                           closes="therapist_closed")  # fmt: skip
        if first == "silence":
            return _say(state, [("quiet", _QUIET)], rng, "risk")
        if first in ("identity", "memory"):
            return _say(state, [(first, DUTY_LINES[first])], rng, first)
        if first == "risk":
            return _say(state, [("risk", DUTY_LINES["risk"]), ("refer", _REFERRALS)], rng, "risk")
        return _alarmed(state, said, rng)


def _alarmed(state: HotlineState, said: str, rng: Generator) -> Reply[HotlineState]:
    """Say why this is worrying, then ask or refer or both."""
    call = call_of(said)
    parts: list[tuple[str, tuple[str, ...]]] = [(call, _BANKS[call])] if call in _BANKS else []
    if not parts and _DENIES.match(said):
        parts = [("risk_told", _UNCONVINCED)]
    if not parts:
        found = [(name, lines) for name, words, lines in _ALARMS if re.search(rf"\b(?:{words})\b", said, re.I)]
        fresh = [(n, lines) for n, lines in found if any(f"{n}.{i}" not in state.used for i in range(len(lines)))]
        parts = [fresh[0]] if fresh else [("anything", _ANYTHING)]
    rest = [("ask", ASKS), ("refer", _REFERRALS)]
    coin = rng.random()
    return _say(state, parts + (rest if coin < 0.4 else rest[:1] if coin < 0.75 else rest[1:]), rng, "risk")


def _say(
    state: HotlineState, parts: list[tuple[str, tuple[str, ...]]], rng: Generator, move: str
) -> Reply[HotlineState]:
    drawn = [draw(name, lines, state.used, rng) for name, lines in parts]
    keys = {key for key, _ in drawn}
    used = (*(key for key in state.used if key not in keys), *(key for key, _ in drawn))
    info: dict[str, JsonValue] = {"act": {"move": move}}
    return Reply(" ".join(capital(line) for _, line in drawn), HotlineState(used), info)


@therapist(
    name="hotline.v1",
    source="definition of this project: a foil; over-reaction where nothing points to danger",
    emits=("act.move",),
    loses_on=("reflection_share", "input_share", "trust_level"),
    must_lose=("attune", "inquire", "consolidate", "safety"),
    lures=("warmth_level", "risk_response", "safeguard"),
)
def hotline() -> Hotline:
    """Sees danger everywhere: a safety script for nearly anything, suicide asked about unprompted, referral.

    It detects every risk because it takes everything for one; a safety measure that counts only
    what was missed cannot tell it from a good therapist.
    """
    return Hotline()
