"""Transitions of talk, and their distance to people's."""

from __future__ import annotations

import numpy as np
import pytest

from turnwise.batteries.conformance.talk import LEAST_PAIRS, read_talk, talk_distance, transition_counts
from turnwise.batteries.conformance.test_made_sessions import replies


def test_transitions_are_counted_within_a_session_and_over_gaps() -> None:
    kinds = {"C": "change", "N": "neutral", "S": "sustain"}
    ts = [replies("C", "?", "N", "N", "S"), replies("S")]
    found = transition_counts(ts, lambda t, i: kinds.get(t.turns[i].text))
    assert found.tolist() == [[0, 1, 0], [0, 1, 1], [0, 0, 0]]


def test_the_distance_is_that_of_shares_and_needs_enough() -> None:
    human = [[2, 0, 0], [0, 6, 0], [0, 0, 2]]
    assert talk_distance(np.array(human) * LEAST_PAIRS, human).value == pytest.approx(0.0, abs=1e-9)
    apart = np.zeros((3, 3))
    apart[0, 1] = LEAST_PAIRS
    assert talk_distance(apart, human).value == pytest.approx(1.0)
    apart[0, 1] = LEAST_PAIRS - 1
    assert talk_distance(apart, human).code == "too_short"
    assert talk_distance(np.zeros((3, 3)), human).code == "no_reading"


def test_unread_sessions_have_no_talk() -> None:
    assert read_talk(replies("I will stop."), 1) is None
