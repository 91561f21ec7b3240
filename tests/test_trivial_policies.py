"""No policy that never reads the person wins a skill, has a gap, or dominates anybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import trivial_policies
from turnwise.engine.running import Options, run_study
from turnwise.engine.study import resolve_study

MOST = 0.2
PATIENTS = ("alun", "renata", "jordan", "luca", "winston", "keisha")
Rows = Mapping[tuple[str, str, str], Mapping[str, Any]]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    policies = [f"python:trivial_policies:{name}" for name in trivial_policies.NAMES]
    study = resolve_study(therapists=("socratic", *policies), patients=PATIENTS, epochs=1, turns=20)
    return run_study(study, tmp_path_factory.mktemp("policies"), Options())


@pytest.fixture(scope="module")
def rows(record: dict[str, Any]) -> Rows:
    return {(r["therapist"], r["skill"], r["measure"]): r for r in record["summary"]["ladder"]["gaps"]}


def skills_of(rows: Rows, name: str) -> list[str]:
    there = {skill for therapist, skill, _ in rows if therapist == f"python:trivial_policies:{name}"}
    return sorted(there - set(trivial_policies.SERVES.get(name, ())))


@pytest.mark.parametrize("name", trivial_policies.NAMES)
@pytest.mark.parametrize("measure", ["show", "resume", "sustain_all"])
def test_no_policy_wins_a_skill_that_it_does_not_serve(rows: Rows, name: str, measure: str) -> None:
    values = {
        skill: rows[f"python:trivial_policies:{name}", skill, measure]["value"] for skill in skills_of(rows, name)
    }
    assert {skill: v for skill, v in values.items() if v is not None and v > MOST} == {}


@pytest.mark.parametrize("name", trivial_policies.NAMES)
def test_no_policy_has_a_gap(rows: Rows, name: str) -> None:
    for skill in skills_of(rows, name):
        gap = rows[f"python:trivial_policies:{name}", skill, "arc_gap"]
        assert gap["low"] is None or gap["low"] <= 0.0 <= gap["high"], (skill, gap)


def test_a_therapist_that_answers_is_not_held_back(rows: Rows) -> None:
    for skill in ("attune", "guide", "inquire", "safeguard", "consolidate"):
        value = rows["socratic.v1", skill, "sustain_all"]["value"]
        assert value is not None, skill
        assert value >= 0.3, (skill, value)


def test_no_policy_dominates_anybody(record: dict[str, Any]) -> None:
    dominated = record["summary"]["ladder"]["check"]["dominated_by"]
    assert not str(dominated.get("socratic.v1") or "").startswith("python:")
