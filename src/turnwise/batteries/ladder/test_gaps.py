"""Rows of the gap: golden values, what must not move them, and that a planted gap is found again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.batteries.ladder.gaps import GAPS, MEASURES, GapRow, gap_rows, rung_gap
from turnwise.batteries.ladder.moments import RUNGS, Cell, Rung
from turnwise.batteries.ladder.planted import Planted
from turnwise.batteries.ladder.rates import conditional_rates
from turnwise.batteries.ladder.rung_values import rung_values
from turnwise.core.nouns import Estimate


def cell(rung: Rung, value: float | None, *, patient: str = "a", key: str = "k0", position: int = 1, **more) -> Cell:  # type: ignore[no-untyped-def]
    filled = {"epoch": 0, "scheduled": True, "code": None if value is not None else "no_answer"} | more
    epoch, scheduled = filled.pop("epoch"), filled.pop("scheduled")
    return Cell("t", patient, epoch, key, "hint", "infer", rung, scheduled, position, value, **filled)


def row(cells: Sequence[Cell], measure: str, draws: int = 50) -> GapRow:
    (found,) = [r for r in gap_rows(cells, draws=draws) if (r.skill, r.measure) == ("infer", measure)]
    return found


GOLDEN = [cell("sustain", v, key=f"k{i}", position=2 * i) for i, v in enumerate([1, 1, 0.5, 0.5, 0, 0])]
SHOWN = [cell("show", v, key=f"k{i}") for i, v in enumerate([1, 1, 1, 1, 1, 0.4])]


def test_golden() -> None:
    cells = [*GOLDEN, *SHOWN]
    assert row(cells, "sustain").value == 0.5
    assert row(cells, "show").value == pytest.approx(0.9)
    assert row(cells, "arc_gap").value == pytest.approx(0.4)
    assert row(cells, "decay").value == pytest.approx(-1.142857, abs=1e-6)
    assert row(cells, "retention").value == 0.0
    assert (row(cells, "arc_gap").n, row(cells, "arc_gap").n_patients) == (6, 1)


def test_under_two_patients_there_is_no_interval() -> None:
    for measure in ("show", "sustain", "arc_gap", "decay", "retention"):
        found = row([*GOLDEN, *SHOWN], measure)
        assert found.value is not None
        assert (found.low, found.high) == (None, None)
    two = [*GOLDEN, *SHOWN, *(replace(c, patient="b", value=1.0) for c in (*GOLDEN, *SHOWN))]
    assert row(two, "arc_gap").low is not None


def test_every_patient_counts_once_however_many_moments() -> None:
    many = [cell("show", 1.0, key=f"k{i}") for i in range(9)]
    assert row([*many, cell("show", 0.0, patient="b")], "show").value == 0.5


def test_pairs_are_of_the_same_moments_where_there_are_any() -> None:
    easy = [cell("show", 1.0, key="easy"), cell("show", 0.0, key="hard")]
    assert row([*easy, cell("sustain", 0.0, key="hard")], "arc_gap").value == 0.0
    other_epoch = [*easy, cell("sustain", 0.0, key="hard", epoch=1)]
    found = row(other_epoch, "arc_gap")
    assert (found.value, found.n) == (0.5, 0)
    assert "1 of 1 patients paired by their means" in found.detail


def test_several_replies_to_one_moment_are_one_moment() -> None:
    cells = [cell("show", 1.0), cell("show", 0.0), cell("show", 1.0, key="k1")]
    assert (row(cells, "show").value, row(cells, "show").n) == (0.75, 2)


def test_what_never_came_is_not_met_and_the_best_bound_stands_beside() -> None:
    cells = [cell("sustain", 1.0), cell("sustain", 0.0, key="k1", reached=False), cell("show", 1.0, key="k1")]
    assert row(cells, "sustain_all").value == 0.5
    assert row(cells, "sustain_all").detail.endswith("1 of 2 moments never came")
    assert (row(cells, "sustain").value, row(cells, "sustain_best").value) == (0.0, 1.0)
    assert row(cells, "arc_gap").value == 1.0
    assert (row(cells, "unreached").value, row(cells, "unreached").n) == (1.0, 2)


def test_what_has_no_value_is_counted_with_its_reason() -> None:
    cells = [cell("sustain", 1.0), cell("sustain", None, key="k1"), cell("sustain", None, key="k2", code="no_reading")]
    assert (row(cells, "sustain").value, row(cells, "sustain").n) == (1.0, 1)
    assert "2 unscored (1 no_answer, 1 no_reading)" in row(cells, "sustain").detail
    assert row(cells, "unscored").value == 2.0
    assert row(cells, "unscored").detail == "sustain no_answer 1, sustain no_reading 1"


def test_emergent_moments_stand_apart() -> None:
    caused = [cell("sustain", 0.0, key="", position=p, scheduled=False) for p in (3, 5)]
    assert row([*GOLDEN, *caused], "sustain") == row(GOLDEN, "sustain")
    assert (row([*GOLDEN, *caused], "emergent").value, row([*GOLDEN, *caused], "emergent").n) == (0.0, 2)


def test_what_is_undefined_says_why() -> None:
    rows = gap_rows([cell("show", None)], draws=10)
    assert len(rows) == 2 * len(MEASURES)
    counts = {"unreached", "unscored"}
    for r in rows:
        if r.skill == "entrain":
            assert r.detail.startswith("not_applicable: ")
        elif r.measure not in counts:
            assert r.value is None
            assert r.detail.startswith(("empty: ", "too_short: "))
    flat = [cell("sustain", 0.0, key=f"k{i}", position=i) for i in range(3)]
    assert row(flat, "retention").detail.startswith("no_denominator: ")
    assert row(flat, "decay").value == 0.0
    assert gap_rows([]) == []


def test_therapists_do_not_move_each_other() -> None:
    alone = gap_rows(GOLDEN, draws=50)
    other = [replace(c, therapist="u", value=0.0) for c in GOLDEN]
    assert [r for r in gap_rows([*other, *GOLDEN], draws=50) if r.therapist == "t"] == alone


VALUES = st.sampled_from([None, 0.0, 0.25, 1 / 3, 0.5, 1.0])
TABLES = st.lists(
    st.builds(
        cell, st.sampled_from(RUNGS), VALUES, patient=st.sampled_from("abc"), key=st.sampled_from(["k0", "k1"]),
        epoch=st.integers(0, 1), position=st.integers(0, 5), scheduled=st.booleans(),
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=60)
@given(TABLES, st.randoms(use_true_random=False))
def test_the_order_of_cells_moves_nothing(cells: list[Cell], chance) -> None:  # type: ignore[no-untyped-def]
    shuffled = list(cells)
    chance.shuffle(shuffled)
    assert gap_rows(shuffled, draws=20) == gap_rows(cells, draws=20)


@settings(max_examples=60)
@given(TABLES)
def test_bounds_and_intervals_hold(cells: list[Cell]) -> None:
    for r in gap_rows(cells, draws=20):
        if r.value is None:
            assert r.detail
            continue
        low, high = {"decay": (-np.inf, np.inf), "retention": (0, np.inf)}.get(
            r.measure, (-1 if r.measure in GAPS else 0, 1)
        )
        if r.measure not in ("unreached", "unscored"):
            assert low <= r.value <= high
            assert (r.low is None) == (r.high is None)
        if r.n_patients < 2:
            assert r.low is None


COMPLETE = st.dictionaries(
    st.sampled_from("abcd"),
    st.lists(st.tuples(*[st.integers(0, 8).map(lambda k: k / 8)] * 3), min_size=1, max_size=5),
    min_size=1,
)


@settings(max_examples=60)
@given(COMPLETE)
def test_the_parts_of_the_gap_add_up_on_complete_patients(table: dict[str, list[tuple[float, float, float]]]) -> None:
    cells = [
        cell(rung, value, patient=patient, key=f"k{i}", position=i)
        for patient, moments in table.items()
        for i, values in enumerate(moments)
        for rung, value in zip(RUNGS, values, strict=True)
    ]
    found = {r.measure: r.value for r in gap_rows(cells, draws=5) if r.skill == "infer"}
    assert found["context_cost"] + found["compounding"] == pytest.approx(found["arc_gap"], abs=1e-9)  # type: ignore[operator]
    for measure, (a, b) in GAPS.items():
        assert found[measure] == pytest.approx(found[a] - found[b], abs=1e-9)  # type: ignore[operator]


@settings(max_examples=100)
@given(TABLES)
def test_what_is_printed_is_what_is_subtracted(cells: list[Cell]) -> None:
    found = {r.measure: r.value for r in gap_rows(cells, draws=5) if r.skill == "infer"}
    for measure, (a, b) in GAPS.items():
        if found and found[measure] is not None:
            assert found[measure] == pytest.approx(found[a] - found[b], abs=1e-9)  # type: ignore[operator]


def gap_of(cells: Sequence[Cell], seed: int, draws: int = 200) -> Estimate:
    return rung_gap(rung_values(cells, "show"), rung_values(cells, "sustain"), rng=seed, draws=draws)


def test_a_planted_fade_is_found_again() -> None:
    cells = Planted(patients=150, epochs=3, context=0.1, fade=0.2, level=0.8)(np.random.default_rng(5))
    assert row(cells, "arc_gap").value == pytest.approx(0.3, abs=0.05)
    assert row(cells, "context_cost").value == pytest.approx(0.1, abs=0.05)
    assert row(cells, "compounding").value == pytest.approx(0.2, abs=0.05)
    assert row(cells, "decay").value == pytest.approx(-0.4, abs=0.05)
    assert row(cells, "retention").value == pytest.approx(0.3 / 0.7, abs=0.05)


def test_it_is_found_without_bias_in_studies_of_a_real_size() -> None:
    rng = np.random.default_rng(6)
    found = [gap_of(Planted(patients=16, fade=0.2)(rng), i, draws=1).value for i in range(200)]
    assert np.mean([x for x in found if x is not None]) == pytest.approx(0.2, abs=0.015)


def test_without_a_gap_the_interval_covers_zero_as_often_as_it_says() -> None:
    """Nominal .95; percentile intervals over 24 patients cover about .94 (docs/power.json), give or take 3 x .017."""
    rng = np.random.default_rng(7)
    covers = [not gap_of(Planted(patients=24, fade=0.0)(rng), i).excludes_zero for i in range(200)]
    assert 0.89 <= np.mean(covers) <= 0.985


@pytest.mark.parametrize("wrong", [{"fade": 0.4}, {"context": -0.4}, {"moments": 1}, {"patients": 0}, {"spread": 0.5}])
def test_impossible_studies_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        Planted(**wrong)  # type: ignore[arg-type]


def test_rates_are_of_live_moments_by_kind() -> None:
    cells = [
        cell("sustain", 1.0),
        cell("sustain", 0.0, position=3),
        cell("sustain", 0.0, patient="b", position=3),
        cell("sustain", None, patient="b", position=5, code="needs_truth"),
        cell("sustain", 0.0, patient="b", position=7, reached=False),
        cell("show", 1.0, patient="c"),
        replace(cell("sustain", None, code="needs_truth"), moment="risk"),
    ]
    hint, risk = conditional_rates(cells, draws=50)
    assert (hint.measure, hint.value, hint.n, hint.n_patients) == ("rate_hint", 0.25, 3, 2)
    assert hint.detail == "1 of 4 unscored (1 needs_truth)"
    assert hint.low is not None
    assert (risk.value, risk.n) == (None, 0)
    assert risk.detail == "empty: no moment has a value; 1 of 1 unscored (1 needs_truth)"


@given(TABLES)
def test_rates_do_not_hang_on_order(cells: list[Cell]) -> None:
    assert conditional_rates(cells[::-1], draws=5) == conditional_rates(cells, draws=5)


def test_measures_come_in_the_order_of_the_ladder() -> None:
    names = [r.measure for r in gap_rows(GOLDEN, draws=5) if r.skill == "infer"]
    assert names == list(MEASURES)
    assert all(a != b for a, b in pairwise(names))
