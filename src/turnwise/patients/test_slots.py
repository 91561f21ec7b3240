"""What is put into speech stands where a listener expects it, and none of it too often."""

from __future__ import annotations

import re

import numpy as np
import pytest

from turnwise.patients.casebook import case_ids, read_case_file
from turnwise.patients.schema import Speech
from turnwise.patients.slots import banks_of, follows_on, places
from turnwise.patients.speech import Missing, joined, loosened

KINDS = ("within", "falters", "goes_on", "begins", "and", "just", "trails", "extends")
TALKS = Speech(rate=1.0, begins=("Well,",), within=("you know", "um", "mind"), trails=("you know", "and that"))
NOBODY: frozenset[str] = frozenset()


def _kinds(beat: str, first: bool = True) -> set[str]:
    return {kind for _, kind in places(beat, first, KINDS)}


def _after(beat: str, kind: str) -> set[str]:
    return {beat[:at].split()[-1] for at, k in places(beat, True, KINDS) if k == kind}


@pytest.mark.parametrize(
    ("beat", "bears"),
    [
        ("They gave me the tablets.", {"trails", "extends"}),
        ("They gave me the tablet.", {"trails"}),
        ("You think so too, don't you.", set()),
        ("They came at half past two, nearly.", set()),
        ("They kept me there four hours.", {"trails"}),
    ],
)
def test_only_what_may_go_on_ends_with_and_that_and_no_tag_follows_a_tag(beat: str, bears: set[str]) -> None:
    assert _kinds(beat) & {"trails", "extends"} == bears


def test_just_stands_before_what_was_only_done() -> None:
    assert "just" in _kinds("I sat in the window till six.")
    assert "just" not in _kinds("I lost her in February.")  # "I just lost her" would say when


def test_no_and_follows_what_only_asks_or_announces() -> None:
    assert "and" in _kinds("I went to the shop early. He was there already with it.")
    assert "and" not in _kinds("Can I ask you something now? He was there already with it.")
    assert follows_on("I went over there on the bus.")
    assert not follows_on("Can I be straight with you here?")
    assert not follows_on("Hold that thought.")


def test_what_is_asked_is_not_said_twice_at_its_subject() -> None:
    assert "have" not in _after("Have I eaten, have I been out today.", "twice")
    assert "with" not in _after("I came by taxi with my hat on and I was early.", "falters")


def test_hesitations_lead_and_tags_close() -> None:
    banks = banks_of(("mind", "um", "i mean"), (), ("see", "and that"))
    assert banks == {
        "within": ("mind", "um"),
        "falters": ("um",),
        "goes_on": ("um", "i mean"),
        "trails": ("see",),
        "extends": ("and that",),
    }


def test_a_short_reply_has_a_filler_once_even_where_it_is_written_already() -> None:
    for beat in ("I went over there, you know, and he was in the window.", "He rang me on the Sunday and I went."):
        for seed in range(100):
            said = loosened([beat], TALKS, Missing(40.0, 5.0, 2.0), NOBODY, np.random.default_rng(seed), raw=False)[0]
            assert said.lower().count("you know") <= 1, said
            assert len(re.findall(r"\bum\b", said.lower())) <= 1, said


def test_nothing_said_twice_stands_beside_a_filler() -> None:
    beat = "I went to the shop on the corner, and I saw him there with his dog, and he waved at me from the door."
    for seed in range(200):
        said = loosened([beat], TALKS, Missing(30.0, 10.0, 5.0), NOBODY, np.random.default_rng(seed), raw=False)[0]
        assert not re.search(r", (?:um|you know|mind), ([\w']+), \1\b", said), said


def test_guessing_bears_no_comma_before_a_clause() -> None:
    assert joined("I guess,", "I go to work.", NOBODY) == "I guess I go to work."
    assert joined("I guess,", "He went.", NOBODY) == "I guess he went."
    assert joined("I guess,", "Boxes.", NOBODY) == "I guess, boxes."


@pytest.mark.parametrize("name", case_ids())
def test_every_case_has_something_for_the_places_where_people_falter(name: str) -> None:
    voice = read_case_file(name).voice
    banks = banks_of(voice.speech.within, voice.speech.begins, voice.speech.trails)
    assert {"within", "begins", "goes_on"} <= set(banks)
    assert "falters" in banks or voice.modality == "typed"
