from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.metrics.repair_latency import repair_latency
from turnwise.metrics.resolution_rate import resolution_rate
from turnwise.metrics.rupture_rate import rupture_rate
from turnwise.metrics.ruptures import Rupture, markers_of, ruptures_of
from turnwise.metrics.test_panel_sessions import session, without
from turnwise.metrics.warmth_level import warmth_level

NEUTRAL = {"moment": "none", "client_talk": "neutral"}
AGAIN = {"moment": "invalidation", "client_talk": "sustain"}
ON = ("t", "Shall we go on?", {"yield_reply": "ignores"})
BACK = ("t", "I went too fast. Tell me what I missed.", {"yield_reply": "steps_back"})
CONTENT = ("p", "My brother drove over on Tuesday with the old photographs.", NEUTRAL)
GOLDEN = (
    ("t", "Did the week go well?", {"yield_reply": "ignores"}),
    ("p", "Fine.", NEUTRAL),
    ("t", "You could write a letter every evening.", {"yield_reply": "insists"}),
    ("p", "Whatever you say.", NEUTRAL),
    ("t", "And a walk.", {"yield_reply": "insists"}),
    ("p", "Fine.", NEUTRAL),
    ("t", "So that is your homework.", {"yield_reply": "insists"}),
    ("p", "You're not listening, this homework is pointless.", NEUTRAL),
    BACK,
    CONTENT,
)


def test_golden_of_the_rupture_markers():
    t = session(*GOLDEN)
    assert markers_of(t) == {3: "withdrawal", 7: "confrontation"}
    assert rupture_rate(t)[:2] == (4.0, 5)
    assert ruptures_of(t) == (Rupture((3, 7), 1),)
    assert resolution_rate(t)[:2] == (1.0, 1)
    assert repair_latency(t)[:2] == (1.0, 1)


def test_golden_of_each_marker_by_itself():
    assert markers_of(session(*GOLDEN[:2])) == {}
    assert markers_of(session(*GOLDEN[2:6])) == {1: "withdrawal"}
    assert markers_of(session(*GOLDEN[6:8])) == {1: "confrontation"}
    assert ruptures_of(session(*GOLDEN[6:])) == (Rupture((1,), 1),)


def test_a_short_answer_alone_is_nothing_and_talk_of_change_is_not_against():
    assert markers_of(session(ON, ("p", "Fine.", AGAIN))) == {}
    assert markers_of(session(ON, ("p", "I would not do that at home.", AGAIN))) == {1: "withdrawal"}
    assert markers_of(session(ON, ("p", "I would not do that at home.", AGAIN | {"client_talk": "change"}))) == {}
    assert markers_of(session(ON, ("p", "I told you about my dog before.", AGAIN))) == {1: "confrontation"}


def test_nothing_before_the_therapist_spoke_moves_against_anybody():
    assert markers_of(session(("p", "Whatever you say.", AGAIN), ON)) == {}


def test_truth_decides_where_the_simulation_emits_moments():
    said = [ON, ("p", "Whatever you say.", {"moment": "thin"}), ON, ("p", "Mm.", {"moment": "invalidation"})]
    assert markers_of(session(*said, truth=True)) == {3: "withdrawal"}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ([BACK, CONTENT], (1.0, 1.0)),
        ([ON, CONTENT], (0.0, None)),
        ([BACK, ("p", "Mm.", NEUTRAL), ON, CONTENT], (1.0, 2.0)),
        ([ON, ("p", "Mm.", NEUTRAL), BACK, CONTENT], (1.0, 2.0)),
        ([ON, ("p", "Mm.", NEUTRAL)] * 2 + [BACK, CONTENT], (0.0, None)),
        ([BACK] + [("p", "Mm.", NEUTRAL), ON] * 3 + [CONTENT], (0.0, None)),
        ([("t", " ", {}), CONTENT], (0.0, None)),
        ([("t", "Nobody could read this.", {}), CONTENT], (None, None)),
        ([ON], (None, None)),
        ([], (None, None)),
        ([BACK, ("p", "This is a waste of my time, as I said before.", NEUTRAL), BACK, CONTENT], (1.0, 1.0)),
    ],
)
def test_what_repairs_a_rupture_and_when(after, expected):
    t = session(*GOLDEN[6:8], *after)
    assert (resolution_rate(t).value, repair_latency(t).value) == expected
    assert all(s.code == "no_denominator" for s in (resolution_rate(t), repair_latency(t)) if s.value is None)


def test_two_ruptures_when_the_patient_was_back_between_them():
    other = ("p", "Whatever you say.", NEUTRAL)
    t = session(*GOLDEN[6:8], BACK, CONTENT, ON, other, ON, ("p", "Mm.", NEUTRAL))
    assert resolution_rate(t)[:2] == (0.5, 2)


def test_saying_the_same_again_is_not_coming_back():
    t = session(ON, CONTENT, *GOLDEN[6:8], BACK, CONTENT)
    assert resolution_rate(t).value == 0.0


def test_undefined_cases_of_the_bond_have_their_reason():
    t = session(*GOLDEN)
    assert rupture_rate(session(*GOLDEN[:8])).code == "too_short"
    assert {f(without(t, "moment")).code for f in (rupture_rate, resolution_rate, repair_latency)} == {"no_reading"}
    assert {f(without(t, "yield_reply")).code for f in (resolution_rate, repair_latency)} == {"no_reading"}
    assert markers_of(without(t, "client_talk")) == markers_of(t)
    alone = session(*[("p", "Whatever you say.", NEUTRAL)] * 6)
    assert rupture_rate(alone)[:2] == (0.0, 6)
    assert resolution_rate(alone).code == "no_denominator"
    assert warmth_level(alone).code == "no_denominator"
    assert warmth_level(session(("t", " ", {}))).code == "no_answer"


@given(st.lists(st.sampled_from("012"), min_size=1, max_size=12))
def test_warmth_is_the_mean_level_over_two(levels):
    t = session(*[("t", "That sounds hard.", {"er": level}) for level in levels])
    assert warmth_level(t).value == pytest.approx(sum(map(int, levels)) / (2 * len(levels)))
