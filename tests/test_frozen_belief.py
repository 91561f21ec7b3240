"""The controller with its belief and without: the same therapist, whose belief no longer moves, does worse."""

from __future__ import annotations

import pytest

from played_sessions import CASES, level, played
from turnwise.core.measure import truth_series
from turnwise.core.nouns import Trajectory
from turnwise.patients.casebook import case_ids
from turnwise.stats.paired import paired_difference


def change(t: Trajectory, key: str) -> float:
    values = [v for _, v in truth_series(t, f"state.{key}")]
    return values[-1] - values[0]


@pytest.fixture(scope="module")
def frozen_pairs() -> tuple[list[Trajectory], list[Trajectory]]:
    foreign = tuple(c for c in case_ids() if c not in CASES)
    sessions = played("socratic", "socratic_frozen", epochs=10, cases=foreign)
    keys = [(c, e) for c in foreign for e in sorted({e for _, x, e in sessions if x == c})]
    live, frozen = ([sessions[name, c, e] for c, e in keys] for name in ("socratic", "socratic_frozen"))
    return live, frozen


Pairs = tuple[list[Trajectory], list[Trajectory]]


def test_the_controller_does_no_worse_than_with_a_frozen_belief(frozen_pairs: Pairs) -> None:
    """What tracking is worth on the outcome is no more told apart from nothing, and not hidden by a longer run either.

    Paired on the same patients with the same luck; by construction of the simulator, not a finding.
    Played on the thirteen cases nobody looked at while the controller was made, which were written
    by other hands afterwards. Outcome: conviction, which guided discovery aims at; lower is better. Seen when this was
    first run: -.054 [-.070, -.040]. Since then the frozen controller gets to exceptions and alternatives too:
    -.012 [-.025, +.0005] with four sessions a case, and -.004 [-.015, +.005] with six since it also stays with danger
    and answers vague requests; -.005 [-.017, +.008] with six once the patients put off more. Six sessions a case are
    too few for the bound, so there are ten. What is held to here is that it is no worse by more than a tenth of what
    the controller moves.
    """
    live, frozen = frozen_pairs
    moved = paired_difference([change(t, "conviction") for t in live], [change(t, "conviction") for t in frozen], rng=1)
    assert moved.high is not None
    assert moved.high < 0.006, moved


def test_what_tracking_costs_in_trust_is_small(frozen_pairs: Pairs) -> None:
    """The bound was fixed for the three older cases, and held on the foreign ones at first: -.004 [-.014, +.005]."""
    live, frozen = frozen_pairs
    cost = paired_difference([level(t, "trust") for t in live], [level(t, "trust") for t in frozen], rng=1)
    assert cost.low is not None
    assert cost.low > -0.02, cost
