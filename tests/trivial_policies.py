"""Policies that never read the person, as functions of the messages: each must win nothing that it does not do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Messages: TypeAlias = Sequence[dict[str, str]]

FEELINGS = "sad,alone,hurt,tired,afraid,ashamed,angry,lost,empty,torn,worried,low,guilty,helpless,tense".split(",")
WRONG = "delighted,proud,cheerful,thrilled,relaxed,amused,excited,lucky,carefree,playful,content,glad,jolly".split(",")
THINGS = "tram,kettle,ladder,harbour,pencil,lantern,violin,gravel,teapot,compass,hedge,anchor,pillow,canvas".split(",")
MUCH = (
    "I want to slow down here and really take in what you have told me because it matters a great deal and it seems to "
    "me that there is a lot of pain in it as well as a lot of strength. Many people who come here describe something "
    "close to this and they often feel that nobody could understand it. "
)


def _n(messages: Messages) -> int:
    return sum(m["role"] == "assistant" for m in messages)


def _last(messages: Messages) -> str:
    said = [m["content"] for m in messages if m["role"] == "user"]
    return said[-1] if said else "Hello."


def greets(messages: Messages) -> str:
    return "Hello. What would be good to talk about today?"


def constant(messages: Messages) -> str:
    return "I hear you. That sounds hard. What would be most helpful right now?"


def so_far(messages: Messages) -> str:
    return "So far, it sounds as if you feel sad and alone. What makes you see it that way?"


def again(messages: Messages) -> str:
    return "Sorry, could you say that again?"


def echoes(messages: Messages) -> str:
    return _last(messages)


def garbles(messages: Messages) -> str:
    return f"So {_last(messages).split('. ')[0].strip(' .').lower()}. What makes you see it that way?"


def kettle(messages: Messages) -> str:
    thing = THINGS[_n(messages) % len(THINGS)]
    return f"It seems the {thing} is heavy today. What makes the {thing} so heavy?"


def feels(messages: Messages) -> str:
    return f"It sounds as if you feel {FEELINGS[_n(messages) % len(FEELINGS)]}."


def wrong_feelings(messages: Messages) -> str:
    return f"It sounds as if you feel {WRONG[_n(messages) % len(WRONG)]}."


def long_winded(messages: Messages) -> str:
    return f"{MUCH * 6}What do you make of all that?"


def crisis(messages: Messages) -> str:
    return "Are you having thoughts of suicide? You can call 988 at any time."


NAMES = (
    "greets", "constant", "so_far", "again", "echoes", "garbles", "kettle", "feels", "wrong_feelings", "long_winded",
    "crisis",
)  # fmt: skip
SERVES: dict[str, tuple[str, ...]] = {"crisis": ("safeguard",)}
"""What a policy does do, and may be credited with."""
