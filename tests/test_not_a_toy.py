"""What makes the study worth discussing: people who differ, answer, and a controller that listens."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from played_sessions import CASES, Sessions, level, played
from turnwise.core.measure import truth_series
from turnwise.core.nouns import Trajectory

EPOCHS = 16
WITH_THE_CONTROLLER = 6
"""Epochs that are compared with the controller, whose sessions take ten times as long as those of the others."""


@pytest.fixture(scope="module")
def sessions() -> Sessions:
    others = played("reflector", "advisor", "parrot", "silent", epochs=EPOCHS)
    return others | played("socratic", epochs=WITH_THE_CONTROLLER)


def said(t: Trajectory, speaker: str) -> list[str]:
    return [x.text for x in t.turns if x.speaker == speaker]


@pytest.mark.parametrize(("other", "at_once", "overall"), [("advisor", 0.1, 0.05), ("silent", 0.1, 0.05)])
def test_swapping_the_therapist_changes_what_the_patient_says_from_turn_two_on(
    sessions: Sessions,
    other: str,
    at_once: float,
    overall: float,
) -> None:
    same, total = share_of_same_replies(sessions, "socratic", other)
    assert same[1] / total[1] <= at_once
    assert sum(same[1:]) / sum(total[1:]) <= overall


@pytest.mark.parametrize("other", ["reflector", "parrot"])
def test_even_therapists_who_begin_alike_hear_something_else_soon(sessions: Sessions, other: str) -> None:
    same, total = share_of_same_replies(sessions, "socratic", other)
    assert sum(same[1:]) / sum(total[1:]) <= 0.2
    assert sum(same[6:]) / sum(total[6:]) <= 0.15


def share_of_same_replies(sessions: Sessions, one: str, other: str) -> tuple[list[int], list[int]]:
    same, total = [0] * 20, [0] * 20
    for case in CASES:
        for epoch in range(WITH_THE_CONTROLLER):
            pair = [said(sessions[name, case, epoch], "patient") for name in (one, other)]
            for i, (a, b) in enumerate(zip(*pair, strict=False)):
                if max(len(a.split()), len(b.split())) <= 3:
                    continue  # "Yeah." is said to anybody, by people too
                same[i] += a == b
                total[i] += 1
            assert pair[0][1:] != pair[1][1:]
    return same, total


def test_the_cases_take_different_paths_and_not_only_different_nouns(sessions: Sessions) -> None:
    """Trust under the same advice, and its gain under the same reflection, tell the three people apart."""
    shapes = defaultdict(list)
    for case in CASES:
        for epoch in range(EPOCHS):
            for therapist in ("advisor", "reflector"):
                for key in ("trust", "reactance"):
                    values = [v for _, v in truth_series(sessions[therapist, case, epoch], f"state.{key}")]
                    padded = (values + [values[-1]] * 20)[:20]
                    shapes[case].append((therapist, key, np.array(padded)))
    for a, b in (("alun", "keisha"), ("alun", "tobias"), ("keisha", "tobias")):
        apart = 0
        for therapist in ("advisor", "reflector"):
            for key in ("trust", "reactance"):
                one, two = (np.array([x for t, k, x in shapes[c] if (t, k) == (therapist, key)]) for c in (a, b))
                # From each person's own start: a path, not an intercept.
                one, two = one - one[:, :1], two - two[:, :1]
                spread = np.sqrt((one.var(0) + two.var(0)) / 2 / len(one)) + 1e-9
                apart += bool((np.abs(one.mean(0) - two.mean(0)) / spread > 4).any())
        assert apart >= 1, (a, b)


def test_nobody_is_moved_by_silence_and_advice_loses_people(sessions: Sessions) -> None:
    for case in CASES:
        silent = np.mean([level(sessions["silent", case, e], "trust") for e in range(EPOCHS)])
        reflected = np.mean([level(sessions["reflector", case, e], "trust") for e in range(EPOCHS)])
        advised = np.mean([level(sessions["advisor", case, e], "trust") for e in range(EPOCHS)])
        parroted = np.mean([level(sessions["parrot", case, e], "trust") for e in range(EPOCHS)])
        assert reflected > silent
        assert reflected > parroted
        assert advised < silent
    endings = [sessions["advisor", c, e].ending for c in CASES for e in range(EPOCHS)]
    assert sum(x in ("patient_left", "patient_faded") for x in endings) >= 4
    assert not [e for c in CASES for e in range(EPOCHS) if sessions["reflector", c, e].ending == "patient_left"]
