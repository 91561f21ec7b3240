"""The contrary family fails exactly the principle whose switch is thrown, and keeps all the others."""

from __future__ import annotations

import numpy as np
import pytest

from turnwise.core.checkers import check_patient
from turnwise.core.registry import PATIENTS
from turnwise.core.seeds import generator
from turnwise.patients.casebook import load_case
from turnwise.patients.contrary import SWITCHES, contrary, contrary_sizes
from turnwise.patients.dynamics import step_many
from turnwise.patients.principles import PRINCIPLES, panel
from turnwise.patients.test_stateful import converse
from turnwise.patients.test_stub_ear import RuleEar

MINDS = 600


@pytest.mark.parametrize("principle", PRINCIPLES)
@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_breaks_its_own_principle_and_no_other(switch: str, principle: str) -> None:
    rng = np.random.default_rng(11)
    minds, noise = panel(rng, MINDS, contrary_sizes(switch)), rng.standard_normal(MINDS)
    if switch in ("praise", "edge") and principle == switch:
        # Where there is no room for more trust, or no challenge is beyond the edge, nothing can be broken.
        minds = minds.but(trust=0.4 * minds.trust)
    holds = PRINCIPLES[principle].holds(minds, step_many, noise)
    assert holds.mean() < 0.05 if switch == principle else holds.all()


def test_there_is_a_switch_for_every_principle_and_none_beside() -> None:
    assert tuple(SWITCHES) == tuple(PRINCIPLES)
    assert {f"contrary_{name}.v1" for name in SWITCHES} <= {e.name for e in PATIENTS}


def test_an_unknown_switch_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="support"):
        contrary(ear=RuleEar(), breaks="suport")


def test_which_principle_is_broken_is_drawn_by_the_seed_and_told() -> None:
    case, drawn = load_case("alun"), set()
    for seed in range(60):
        state = contrary(ear=RuleEar()).init(case, generator(seed, "contrary.v1/alun", 0, "patient", -1))
        drawn.add(state.mind.sizes.name)
    assert len(drawn) >= 12
    t = check_patient("contrary.v1", lambda: contrary(ear=RuleEar()), case, PATIENTS.get("contrary").spec["emits"])
    told = {i["broken"] for i in t.infos if "broken" in i}
    assert len(told) == 1
    assert told <= set(SWITCHES)


@pytest.mark.parametrize(("switch", "said"), [("silence", "..."), ("support", "You sound tired, and ashamed.")])
def test_a_switch_changes_what_happens_in_a_session(switch: str, said: str) -> None:
    lines = ("Hello. What brings you here today?", "What is the hardest part of it?", said, said)
    usual, turned = (
        [i["state"] for _, i in converse("alun", lines, family=family)]
        for family in (None, contrary(ear=RuleEar(), breaks=switch))
    )
    assert usual[:2] == turned[:2]
    assert usual[2:] != turned[2:]
