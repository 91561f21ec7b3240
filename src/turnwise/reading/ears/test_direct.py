from __future__ import annotations

import asyncio

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.core.nouns import Turn
from turnwise.reading.ears.direct import DirectEar, hear_block
from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.encoder import encode
from turnwise.reading.window import Window, windows_of

SAID = st.sampled_from(
    ["Mm-hmm.", "Why? Tell me more.", "", " \n", "I can't. I won't!", "你好", "word " * 900, "Why do you ask?"]
)
TURNS = st.lists(st.builds(Turn, speaker=st.sampled_from(["therapist", "patient"]), text=SAID), min_size=1, max_size=70)


def _bytes(h: Hearing) -> tuple[object, ...]:
    p = {item: row.tobytes() for item, row in h.p.items()}
    return h.sentences, h.vectors.tobytes(), h.vector.tobytes(), p


@settings(max_examples=25, deadline=None)
@given(TURNS)
def test_a_block_hears_what_each_ear_hears_alone(turns: list[Turn]) -> None:
    windows = windows_of(turns)
    block = hear_block(windows)
    assert [_bytes(h) for h in block] == [_bytes(asyncio.run(DirectEar().hear(w))) for w in windows]
    assert [_bytes(h) for h in hear_block(windows[::-1])] == [_bytes(h) for h in block[::-1]]


def test_each_speaker_is_heard_with_its_own_item() -> None:
    therapist, patient = hear_block(
        windows_of([Turn(speaker="therapist", text="How? Why?"), Turn(speaker="patient", text="I want to stop.")])
    )
    assert set(therapist.p) == {"therapist_behaviour"}
    assert set(patient.p) == {"client_talk"}
    assert therapist.sentences == ("How?", "Why?")
    assert therapist.vectors.tobytes() == encode(therapist.sentences).tobytes()
    assert therapist.vector.tobytes() == encode(["How? Why?"])[0].tobytes()
    assert therapist.probability("therapist_behaviour", "question") > 0.8
    assert therapist.probability("client_talk", "change") == 0.0


def test_a_silence_is_not_a_guess() -> None:
    [silence] = hear_block([Window(Turn(speaker="patient", text=" \n "), (Turn(speaker="therapist", text="Go on."),))])
    assert silence.sentences == ()
    assert silence.vectors.shape == (0, 256)
    assert silence.p == {}
    assert not silence.vector.any()
    assert hear_block([]) == []


def test_what_was_said_before_is_heard_too() -> None:
    yes = Turn(speaker="patient", text="Yeah.")
    asked = [
        Turn(speaker="therapist", text=x) for x in ("So you really want to quit for your kids?", "Hi. Have a seat.")
    ]
    after_question, after_greeting = hear_block([Window(yes, (t,)) for t in asked])
    assert not np.allclose(after_question.p["client_talk"], after_greeting.p["client_talk"])
