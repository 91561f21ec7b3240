"""A feeling that goes with what was told is named in a word, only where there is one, and later as the same."""

from __future__ import annotations

import pytest

from turnwise.patients.stateful import stateful
from turnwise.patients.test_stateful import converse
from turnwise.reading.ears.direct import DirectEar

ASKED = (
    "How is that for you?",
    "What was that like?",
    "How do you feel when it's like that?",
    "How did you take that?",
)
NOT_ASKED = ("How did that come about?", "How is your sister?", "How long was that?", "What do you do then?")


def replies(case: str, said: list[str], seed: int = 3) -> list[tuple[str, str]]:
    """Return what a patient says to each line, and why, heard by the ear that ships."""
    talk = converse(case, said, seed, family=stateful(ear=DirectEar()))
    return [(text, str(info["why"])) for text, info in talk]


@pytest.mark.parametrize("case", ["jordan", "luca", "keisha", "alun"])
def test_what_is_felt_is_named_once_as_new_and_after_something_was_told(case: str) -> None:
    said = ["What brings you here?", "Tell me about home."] + [x for x in (*ASKED, *NOT_ASKED) for _ in range(2)]
    named = [(asked, text) for asked, (text, why) in zip(said, replies(case, said), strict=True) if "feeling of" in why]
    assert {asked for asked, _ in named} <= set(ASKED)
    assert len({text for _, text in named}) == len(named)
    again = ("still", "as before", "again", "as i said")
    named = [(asked, text) for asked, text in named if not any(x in text.lower() for x in again)]
    words = [text.lower().strip(" .").split(",")[0].split()[-1] for _, text in named]
    assert len(set(words)) == len(words)


def test_somebody_names_what_goes_with_what_was_told() -> None:
    found = []
    for case in ("jordan", "luca", "keisha", "alun", "renata", "vikram"):
        for seed in range(3):
            said = ["What brings you here?", "And work, how is that?", *ASKED]
            found += [text for text, why in replies(case, said, seed) if "feeling of" in why]
    assert found
