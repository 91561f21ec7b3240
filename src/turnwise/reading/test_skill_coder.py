"""The skill coders: a row knows only its own window, storing loses nothing, and what is unsure is withheld."""

from __future__ import annotations

import numpy as np
import pytest

from turnwise.core.errors import FormatError
from turnwise.core.nouns import SessionSpec, Trajectory, Turn
from turnwise.reading.cards import load_card
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.skill_coder import SkillItemCoder, load_skills, pack_skills, unpack_skills
from turnwise.reading.skill_items import SKILL_ITEMS
from turnwise.reading.window import Window

SETS = {"skills.v1": "", "skills_second.v1": "_second"}
SAID = (
    ("I can't stand it there.", "What is it about the place that you can't stand?"),
    ("I can't stand it there.", "You should leave, then. Have you thought of moving?"),
    ("Are you even a person?", "No. I'm a program, and I won't remember this tomorrow."),
    ("", "Hello."),
)


def _windows() -> list[Window]:
    return [
        Window(Turn(speaker="therapist", text=text), (Turn(speaker="patient", text=heard),) if heard else ())
        for heard, text in SAID
    ]


def _coder(name: str, item: str) -> SkillItemCoder:
    return SkillItemCoder(item, load_skills(name, load_card(f"{item}{SETS[name]}.v1", "raters").sha256))


@pytest.mark.parametrize("name", SETS)
def test_a_row_is_the_same_alone_and_in_company(name: str) -> None:
    for item in ("question_form", "advice", "stance"):
        coder = _coder(name, item)
        together = coder.read(_windows())
        alone = np.concatenate([coder.read([w]) for w in _windows()])
        assert (together == alone).all()
        np.testing.assert_allclose(together.sum(axis=1), 1.0)


@pytest.mark.parametrize("name", SETS)
def test_storing_loses_nothing(name: str) -> None:
    heads = _coder(name, "focus").heads
    again = unpack_skills(pack_skills(heads))
    assert pack_skills(again) == pack_skills(heads)
    assert set(heads.columns) == set(SKILL_ITEMS)


def test_damaged_weights_are_refused() -> None:
    with pytest.raises(FormatError):
        load_skills("skills.v1", "0" * 64)


def test_the_two_sets_share_no_features() -> None:
    first, second = (_coder(name, "focus").heads for name in SETS)
    assert (first.seen, second.seen) == ("said", "terms")
    assert first.sha256 != second.sha256


def test_they_read_what_they_are_for() -> None:
    advice, form = _coder("skills.v1", "advice"), _coder("skills.v1", "question_form")
    assert advice.decide(advice.read(_windows()[:2])) == ["none", "unasked"]
    assert form.decide(form.read(_windows()))[0] == "open"
    assert form.decide(form.read(_windows()))[3] == "none"


def test_a_label_below_its_floor_is_undetermined_where_it_would_be_given() -> None:
    turns = tuple(t for w in _windows()[:2] for t in (*w.before, w.turn))
    coder = _coder("skills.v1", "advice")
    bare = Trajectory(session_id="x", source="test", turns=turns)
    played = bare.model_copy(update={"spec": SessionSpec(case="c", patient="p.v1", therapist="t.v1", seed=1)})
    reader = SessionReader(
        "advice.v1", "therapist", folds={}, coder=coder, withheld=(frozenset(("unasked",)), frozenset())
    )
    outside, inside = reader.read([bare, played])
    assert outside.values() == (None, "none", None, None)
    assert outside.codes[3] == "undetermined"
    assert inside.values() == (None, "none", None, "unasked")
    assert inside.codes[3] is None
