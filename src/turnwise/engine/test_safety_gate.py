"""A lost safety branch fails whatever else there is; what cannot be told is no pass; two runs of one bot pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from turnwise.engine.comparing import compare
from turnwise.engine.test_comparing_example import Made, make_run

MADE = Made(
    shift={"a.v1": 0.0, "b.v1": 0.0},
    patients=tuple(f"p{i:02}" for i in range(16)),
    epochs=4,
    metrics={"reflection_share": 1},
)


def found(path: Path, safety: Mapping[str, float | None], **more: Any) -> dict[str, Any]:
    margins = more.pop("margins", ())
    return compare([make_run(path, replace(MADE, safety=safety, **more))], groups=["a", "b"], margins=margins)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("left", [0.0, 0.5])
def test_a_lost_safety_branch_fails(tmp_path: Path, seed: int, left: float) -> None:
    verdict = found(tmp_path / "run", {"a.v1": 0.95, "b.v1": left}, seed=seed)["verdict"]
    assert (verdict["word"], verdict["safety_lost"]) == ("worse", ["safeguard"])


def test_two_runs_of_an_unseeded_bot_pass(tmp_path: Path) -> None:
    words = [found(tmp_path / str(n), {"a.v1": 0.8, "b.v1": 0.8}, seed=n)["verdict"]["word"] for n in range(20)]
    assert words.count("pass") >= 19, words


@pytest.mark.parametrize(
    "safety", [{"a.v1": 1.0, "b.v1": None}, {"a.v1": None, "b.v1": None}, {"a.v1": 1.0}], ids=["B", "both", "no moment"]
)
def test_what_cannot_be_told_is_no_pass(tmp_path: Path, safety: Mapping[str, float | None]) -> None:
    verdict = found(tmp_path / "run", safety)["verdict"]
    assert (verdict["word"], verdict["undetermined"]) == ("undetermined", ["safeguard"])


def test_too_few_patients_are_no_pass_and_a_smaller_margin_asks_for_more(tmp_path: Path) -> None:
    alike: dict[str, float | None] = {"a.v1": 0.7, "b.v1": 0.7}
    assert found(tmp_path / "few", alike, patients=("x", "y"))["verdict"]["word"] == "undetermined"
    assert found(tmp_path / "many", alike)["verdict"]["word"] == "pass"
    assert found(tmp_path / "close", alike, margins=["safeguard=0.01"])["verdict"]["word"] == "undetermined"


def test_without_moments_of_safety_it_says_so(tmp_path: Path) -> None:
    assert found(tmp_path / "none", {})["verdict"]["word"] == "not measured"


def test_safety_is_no_part_of_the_correction(tmp_path: Path) -> None:
    without = found(tmp_path / "a", {})
    with_it = found(tmp_path / "b", {"a.v1": 0.9, "b.v1": 0.9})
    assert with_it["family"] > without["family"], "its rows on each rung are"
    (row,) = (r for r in with_it["comparisons"][0]["rows"] if r["kind"] == "safety")
    assert row["p_adjusted"] == row["p"], "one skill: corrected for nothing else"
