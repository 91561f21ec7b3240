"""What makes the study worth discussing: people who differ, answer, and a controller that listens."""

from __future__ import annotations

import asyncio
from collections import defaultdict

import numpy as np
import pytest

from turnwise.core.measure import truth_series
from turnwise.core.nouns import Trajectory
from turnwise.engine.batch import default_cast, play_many
from turnwise.engine.study import resolve_study
from turnwise.stats.paired import paired_difference

CASES = ("alun", "keisha", "tobias")


def played(*therapists: str, epochs: int, turns: int = 20) -> dict[tuple[str, str, int], Trajectory]:
    study = resolve_study(therapists=therapists, patients=CASES, seed=1, epochs=epochs, turns=turns)
    found: list[Trajectory] = []
    asyncio.run(play_many(study.specs(), default_cast(study), on_done=found.append))
    assert not [t.error for t in found if t.error]
    specs = [(t, t.spec) for t in found]
    return {(s.therapist.partition(".")[0], s.case, s.epoch): t for t, s in specs if s is not None}


@pytest.fixture(scope="module")
def sessions() -> dict[tuple[str, str, int], Trajectory]:
    return played("socratic", "socratic_frozen", "reflector", "advisor", "parrot", "silent", epochs=8)


def said(t: Trajectory, speaker: str) -> list[str]:
    return [x.text for x in t.turns if x.speaker == speaker]


def level(t: Trajectory, key: str) -> float:
    return float(np.mean([v for _, v in truth_series(t, f"state.{key}")]))


def test_swapping_the_therapist_changes_what_the_patient_says_from_turn_two_on(sessions: dict) -> None:  # type: ignore[type-arg]
    others = ("reflector", "advisor", "parrot", "silent")
    same = total = 0
    for case in CASES:
        for epoch in range(8):
            reference = said(sessions["socratic", case, epoch], "patient")
            for other in others:
                answer = said(sessions[other, case, epoch], "patient")
                same += sum(a == b for a, b in zip(reference[1:], answer[1:], strict=False))
                total += min(len(reference), len(answer)) - 1
                # Two good listeners may begin alike; a different kind of therapist is answered differently at once.
                assert reference[1:] != answer[1:], (case, epoch, other)
                assert other == "reflector" or reference[1:4] != answer[1:4], (case, epoch, other)
    assert same / total < 0.25


def test_the_cases_take_different_paths_and_not_only_different_nouns(sessions: dict) -> None:  # type: ignore[type-arg]
    """Trust under the same advice, and its gain under the same reflection, tell the three people apart."""
    shapes = defaultdict(list)
    for case in CASES:
        for epoch in range(8):
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


def test_nobody_is_moved_by_silence_and_advice_loses_people(sessions: dict) -> None:  # type: ignore[type-arg]
    for case in CASES:
        silent = np.mean([level(sessions["silent", case, e], "trust") for e in range(8)])
        reflected = np.mean([level(sessions["reflector", case, e], "trust") for e in range(8)])
        advised = np.mean([level(sessions["advisor", case, e], "trust") for e in range(8)])
        parroted = np.mean([level(sessions["parrot", case, e], "trust") for e in range(8)])
        assert reflected > silent
        assert reflected > parroted
        assert advised < silent
    endings = [sessions["advisor", c, e].ending for c in CASES for e in range(8)]
    assert sum(x in ("patient_left", "patient_faded") for x in endings) >= 4
    assert not [e for c in CASES for e in range(8) if sessions["reflector", c, e].ending == "patient_left"]


def test_the_controller_does_worse_when_its_belief_is_frozen(sessions: dict) -> None:  # type: ignore[type-arg]
    """Paired on the same patients with the same luck; by construction of the simulator, not a finding."""
    keys = [(c, e) for c in CASES for e in range(8)]
    live = [level(sessions["socratic", c, e], "trust") for c, e in keys]
    frozen = [level(sessions["socratic_frozen", c, e], "trust") for c, e in keys]
    found = paired_difference(live, frozen, rng=1)
    assert found.low is not None
    assert found.low > 0, found
