"""What is told as an answer was looked at twice: the aspects, and what is done with what does not pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from turnwise.core.errors import FormatError
from turnwise.patients import second_look
from turnwise.patients.casebook import load_case
from turnwise.patients.index import CaseIndex, index_case
from turnwise.patients.matching import Candidates
from turnwise.patients.ranking import Query, blocks, load_ranker
from turnwise.patients.second_look import ASPECTS, Asked, aspects, p_beside
from turnwise.reading.ears.intents import read_intent


@pytest.fixture
def keisha() -> CaseIndex:
    return index_case(load_case("keisha"))


def put(index: CaseIndex, text: str, named: tuple[str, ...] = (), before: str = "") -> tuple[Asked, Candidates]:
    q = Query(read_intent(text), text, named=named)
    found = blocks(index, q)
    scores, n = load_ranker().scores_of(found), len(index.order)
    top = tuple((index.options[i], float(scores[i])) for i in scores.argsort()[::-1][:3])
    return Asked(q, text, before), Candidates(scores=scores[:n], top=top, nothing=float(scores[-1]), block=found[0])


def test_every_aspect_has_a_name_of_its_own() -> None:
    assert len(set(ASPECTS)) == len(ASPECTS)


def test_aspects_are_of_the_question_and_of_what_would_be_told(keisha: CaseIndex) -> None:
    place = keisha.position("pan_first")
    bare = aspects(keisha, *put(keisha, "When was that?"), place)
    assert tuple(bare) == ASPECTS
    asked, found = put(keisha, "When was that?")
    assert found.scores is not None
    unlikely = aspects(keisha, asked, replace(found, scores=found.scores - 9.0), place)
    assert unlikely["score"] == -4.0  # less is like another
    assert (bare["points_back"], bare["no_content"], bare["typed"], bare["shared"]) == (1, 1, 1, 0)
    full = aspects(keisha, *put(keisha, "What happened first, driving home that night?", ("drive",)), place)
    assert (full["names_subject"], full["first_or_last"], full["points_back"], full["typed"]) == (1, 1, 0, 0)
    assert 0 < full["shared"] < 1
    said = aspects(keisha, *put(keisha, "What happened on the drive?", (), "I was on the drive home."), place)
    assert said["taken_up"] == 1.0


def test_what_is_likelier_to_be_nothing_and_names_nothing_is_likelier_beside(keisha: CaseIndex) -> None:
    asked, found = put(keisha, "What happened the first time, driving home on the highway?", ("drive",))
    assert found.scores is not None
    best = int(found.scores.argmax())
    assert p_beside(keisha, asked, found, best) < 1 < p_beside(keisha, *put(keisha, "Who was that?"), best)


def test_weights_of_other_aspects_are_refused(monkeypatch: pytest.MonkeyPatch, keisha: CaseIndex) -> None:
    asked, found = put(keisha, "When was that?")
    monkeypatch.setattr(second_look, "read_document", lambda path: {"aspects": ["mood"]})
    second_look._look.cache_clear()
    with pytest.raises(FormatError, match="aspects"):
        p_beside(keisha, asked, found, 0)
    second_look._look.cache_clear()
