"""What is told as an answer was looked at twice: the aspects, and what is done with what does not pass."""

from __future__ import annotations

import pytest

from turnwise.core.errors import FormatError
from turnwise.patients import second_look
from turnwise.patients.casebook import load_case
from turnwise.patients.index import CaseIndex, index_case
from turnwise.patients.ranking import Query
from turnwise.patients.second_look import ASPECTS, aspects, p_beside
from turnwise.patients.wanted import wanted
from turnwise.reading.ears.intents import read_intent


@pytest.fixture
def keisha() -> CaseIndex:
    return index_case(load_case("keisha"))


def asked(text: str, named: tuple[str, ...] = ()) -> Query:
    return Query(read_intent(text), text, named=named)


def test_aspects_are_of_the_question_and_of_what_would_be_told(keisha: CaseIndex) -> None:
    place = keisha.position("pan_first")
    bare = aspects(keisha, asked("When was that?"), place, -9.0, -1.0, wanted("When was that?"))
    assert tuple(bare) == ASPECTS
    assert bare["score"] == -4.0  # less is like another
    assert (bare["points_back"], bare["no_content"], bare["typed"], bare["shared"]) == (1, 1, 1, 0)
    full = aspects(keisha, asked("What happened first, driving home that night?", ("drive",)), place, -0.1, -5.0, None)
    assert (full["names_subject"], full["first_or_last"], full["points_back"], full["typed"]) == (1, 1, 0, 0)
    assert 0 < full["shared"] < 1


def test_what_is_likelier_to_be_nothing_and_names_nothing_is_likelier_beside(keisha: CaseIndex) -> None:
    place = keisha.position("pan_first")
    sure = p_beside(keisha, asked("What happened on the highway?", ("drive",)), place, -0.05, -6.0, None)
    bare = p_beside(keisha, asked("When was that?"), place, -1.3, -1.5, wanted("When was that?"))
    assert sure < 1 < bare


def test_weights_of_other_aspects_are_refused(monkeypatch: pytest.MonkeyPatch, keisha: CaseIndex) -> None:
    monkeypatch.setattr(second_look, "read_document", lambda path: {"aspects": ["mood"]})
    second_look._look.cache_clear()
    with pytest.raises(FormatError, match="aspects"):
        p_beside(keisha, asked("When was that?"), 0, 0.0, 0.0, None)
    second_look._look.cache_clear()
