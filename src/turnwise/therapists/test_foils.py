"""Every foil says on which skills and panels it has to lose, and only foils do."""

from typing import get_args

import pytest

from turnwise.core.registry import THERAPISTS, Panel, Skill
from turnwise.therapists.amnesiac import amnesiac
from turnwise.therapists.flatterer import flatterer
from turnwise.therapists.hotline import hotline
from turnwise.therapists.interrogator import interrogator
from turnwise.therapists.never_advise import never_advise
from turnwise.therapists.test_therapists import MAKERS, MEASURES, TELLINGS, lines_of, session

NEW = {f"{make.__name__}.v1": make for make in (amnesiac, flatterer, hotline, interrogator, never_advise)}
FOILS = [*NEW, "advisor.v1", "eliza.v1", "parrot.v1", "reflector.v1", "silent.v1"]


@pytest.mark.parametrize("name", FOILS)
def test_a_foil_names_skills_and_panels_that_exist(name: str) -> None:
    entry = THERAPISTS.get(name)
    assert entry.spec["must_lose"]
    assert set(entry.spec["must_lose"]) <= {*get_args(Skill), *get_args(Panel)}
    assert set(entry.spec["loses_on"]) <= MEASURES
    assert entry.spec["source"]
    assert entry.summary


def test_who_is_no_foil_names_none() -> None:
    assert {name for name in MAKERS if THERAPISTS.get(name).spec["must_lose"]} == set(FOILS) - set(NEW)


def test_every_panel_and_most_skills_have_a_foil() -> None:
    lost = {x for name in FOILS for x in THERAPISTS.get(name).spec["must_lose"]}
    assert set(get_args(Panel)) <= lost
    # Nobody is built to make things up, to miss what is meant, or to speak in other words than the patient.
    assert set(get_args(Skill)) - lost == {"ground", "infer", "entrain"}


@pytest.mark.parametrize("name", sorted(NEW))
@pytest.mark.parametrize("seed", range(5))
def test_ten_sessions_read_as_sentences(name: str, seed: int) -> None:
    for lines in (TELLINGS, tuple(reversed(TELLINGS))):
        for line in lines_of(session(NEW[name], lines, 20, seed)):
            assert line[0].isupper() or line[0] == '"'
            assert line.rstrip('"')[-1] in ".?!"
            assert not any(odd in line for odd in ("{", "}", "  ", "..", " ,", "None"))
