"""An ear made of rules, so that these tests do not hang on fitted weights; shared by the tests of this room."""

from __future__ import annotations

import re

import numpy as np

from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.encoder import encode
from turnwise.reading.sentences import split_sentences
from turnwise.reading.window import Window

_REFLECTS = re.compile(
    r"\b(?:it sounds|sounds like|it seems|you feel|you felt|you're|you were|you sound|so you)\b", re.IGNORECASE
)
_INPUT = re.compile(r"\b(?:should|try|recommend|suggest|best thing|need to|have to)\b", re.IGNORECASE)


class RuleEar:
    async def hear(self, window: Window) -> Hearing:
        text = window.turn.text
        sentences = split_sentences(text)
        if not sentences or not re.search(r"\w", text):
            return Hearing((), encode([]), encode([""])[0], {})
        weights = np.array(
            [0.2 + 4 * ("?" in text), 0.2 + 4 * bool(_REFLECTS.search(text)), 0.2 + 4 * bool(_INPUT.search(text)), 0.6]
        )
        return Hearing(
            sentences, encode(sentences), encode([text])[0], {"therapist_behaviour": weights / weights.sum()}
        )


def test_the_rule_ear_hears_a_silence_as_silence() -> None:
    import asyncio

    from turnwise.core.nouns import Turn

    assert asyncio.run(RuleEar().hear(Window(Turn(speaker="therapist", text="...")))).p == {}
