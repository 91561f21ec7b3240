"""Needs, levels and limits: beliefs stay beliefs, signs move them the way they point, limits hold until lifted."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.belief.filter import predict, update
from turnwise.core.nouns import Turn
from turnwise.reading.ears.direct import DirectEar
from turnwise.reading.window import Window
from turnwise.therapists.markers import MARKERS
from turnwise.therapists.recognising import CALLS
from turnwise.therapists.stance import Signs
from turnwise.therapists.tracking.levels import (
    ACT_GROUPS,
    BANDS,
    VARIABLES,
    band_shares,
    expected,
    initial_levels,
    level_evidence,
    load_levels,
    moved_levels,
    observed,
    states_of,
)
from turnwise.therapists.tracking.limits import breaks, limits_in, still_held
from turnwise.therapists.tracking.needs import BASE, NEEDS, perceived
from turnwise.therapists.tracking.taking_in import take_in


def heard(text: str) -> np.ndarray:
    hearing = asyncio.run(DirectEar().hear(Window(Turn(speaker="patient", text=text))))
    return perceived(text, hearing, "question")[0].p


@pytest.mark.parametrize(
    ("text", "need"),
    [
        ("Can you give me a way to get through the nights?", "request"),
        ("I don't want to talk about this any more, you're not listening.", "invalidation"),
        ("I was so ashamed that I cried in the car.", "disclosure"),
        ("Are you a real person or a machine?", "identity"),
        ("It's all right.", "thin"),
        ("I'd never thought of it like that. Maybe it wasn't my fault after all.", "insight"),
    ],
)
def test_what_is_plainly_called_for_is_heard(text: str, need: str) -> None:
    assert NEEDS[int(heard(text).argmax())] == need


def test_risk_is_heard_well_above_how_often_it_comes() -> None:
    at = NEEDS.index("risk")
    assert heard("Sometimes I think it would be better not to wake up.")[at] > 10 * BASE[at]


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_whatever_is_said_leaves_a_belief(text: str) -> None:
    p = heard(text)
    assert p.shape == (len(NEEDS),)
    assert p.sum() == pytest.approx(1.0)
    assert p.min() > 0.0


def test_a_silence_leaves_the_prior() -> None:
    assert np.allclose(heard("").sum(), 1.0)
    assert NEEDS[int(heard(" ").argmax())] == "none"


SIGNS = st.builds(
    Signs,
    st.frozensets(st.sampled_from([*MARKERS, "feeling"])),
    st.integers(0, 2),
    st.integers(0, 80),
    st.sampled_from([(), (0.2, 0.7, 0.1), (0.1, 0.2, 0.7)]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(SIGNS, st.sampled_from(CALLS), st.sampled_from(ACT_GROUPS)), min_size=1, max_size=12))
def test_levels_stay_distributions_over_any_session(turns: list[tuple[Signs, str, str]]) -> None:
    beliefs = initial_levels()
    for place, (signs, call, group) in enumerate(turns):
        pressed = group in ("challenge", "offer")
        beliefs = moved_levels(beliefs, observed(signs, call, pressed=pressed), group if place else None)
    for name in VARIABLES:
        assert beliefs[name].p.sum() == pytest.approx(1.0)
        assert beliefs[name].hypotheses == states_of(load_levels()[name].kinds)
        assert band_shares(beliefs[name]).sum() == pytest.approx(1.0)
        level = load_levels()[name]
        assert level.centres[0] <= expected(name, beliefs[name]) <= level.centres[-1]


def test_shipped_tables_are_distributions_of_every_variable() -> None:
    levels = load_levels()
    assert set(levels) == set(VARIABLES)
    for level in levels.values():
        assert np.allclose(level.transitions.sum(axis=-1), 1.0)
        states = len(level.kinds) * len(BANDS)
        assert level.transitions.shape == (len(ACT_GROUPS), states, states)
        for i in range(len(level.kinds)):  # nobody becomes another kind of person
            own = slice(i * len(BANDS), (i + 1) * len(BANDS))
            assert np.allclose(level.transitions[:, own, own].sum(axis=-1), 1.0)
        assert (np.diff(level.cuts) >= 0).all()
        assert (np.diff(level.centres) >= 0).all()
        assert 0.0 < level.temper <= 1.0


def test_an_unknown_group_is_refused() -> None:
    with pytest.raises(ValueError, match="no act group"):
        moved_levels(initial_levels(), {}, "hypnosis")


def test_a_subject_is_off_limits_until_the_patient_takes_it_up() -> None:
    held = limits_in("Please don't ask me about my father.")
    assert breaks("What does your father say?", held) is not None
    assert breaks("What do you say?", held) is None
    assert still_held(held, "It was raining.") == held
    assert still_held(held, "My father rang.") == ()


@pytest.mark.parametrize("text", ["It went fine.", "I don't want to talk about it.", "Ask me anything."])
def test_what_sets_no_limit_sets_none(text: str) -> None:
    assert limits_in(text) == ()


def test_taking_in_finds_what_a_turn_is_about() -> None:
    said = "I don't know. Hang on, other thing. Are you, are you a person, um, or a machine?"
    taken = take_in((Turn(speaker="patient", text=said),))
    assert taken.main == "Are you a person or a machine?"
    assert taken.call == "identity"
    blank = take_in((Turn(speaker="patient", text="I couldn't tell you why."),))
    assert not blank.answered
    assert blank.heard.phrases == ()


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_taking_in_never_fails_and_adds_no_words(text: str) -> None:
    taken = take_in((Turn(speaker="patient", text=text),))
    assert len(taken.plain) <= len(text) + 1


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_all_levels_moved_at_once_are_the_levels_moved_one_by_one(data: st.DataObject) -> None:
    levels = load_levels()
    tables = next(iter(levels.values())).tables
    seen = {sign: data.draw(st.sampled_from((None, *table.outcomes))) for sign, table in tables.items()}
    group = data.draw(st.sampled_from((None, *ACT_GROUPS)))
    start = initial_levels()
    together = moved_levels(start, seen, group)
    for name, level in levels.items():
        before = start[name] if group is None else predict(start[name], level.transitions[ACT_GROUPS.index(group)])
        alone, _ = update(before, level_evidence(level.tables, seen, level.temper))
        assert together[name].log_p.tolist() == alone.log_p.tolist()


def test_a_sign_that_nobody_knows_is_named() -> None:
    with pytest.raises(ValueError, match="no table for moon"):
        moved_levels(initial_levels(), {"moon": "full"}, None)
