"""What a comparison may never do: find what is not there, depend on order, or compare what is not comparable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.registry import METRICS
from turnwise.engine.comparing import compare
from turnwise.engine.counting import counted
from turnwise.engine.test_comparing_example import SKILL, Made, make_run

TWO = {"good.v1": 0.15, "plain.v1": 0.0}


def only(found: dict[str, Any]) -> dict[str, Any]:
    (comparison,) = found["comparisons"]
    return comparison  # type: ignore[no-any-return]


def rows(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {f"{r['name']} {r['rung'] or ''}".strip(): r for r in only(found)["rows"]}


def why(found: dict[str, Any]) -> dict[str, str]:
    return {entry["what"]: entry["why"] for entry in only(found)["not_compared"]}


def test_the_same_run_twice_differs_nowhere(tmp_path: Path) -> None:
    a, b = make_run(tmp_path / "a"), make_run(tmp_path / "b")
    for paths in ((a, b), (a, a)):
        found = compare(paths, margins=["0.1"])
        assert {r["verdict"] for r in only(found)["rows"]} == {"no difference shown"}
        assert {(r["value"], r["p"]) for r in only(found)["rows"]} == {(0.0, 1.0)}
        assert all("the same in all" in r["detail"] for r in only(found)["rows"])
        assert found["failed"] == []


def test_noise_alone_is_not_called_a_difference(tmp_path: Path) -> None:
    wrong = 0
    for seed in range(20):
        made = Made(shift={"one.v1": 0.0, "other.v1": 0.0}, seed=seed)
        found = compare([make_run(tmp_path / f"{seed}", made)])
        wrong += any(r["verdict"] not in ("no difference shown", "unscored") for r in only(found)["rows"])
    assert wrong <= 3


def test_what_was_planted_is_found_in_the_right_direction(tmp_path: Path) -> None:
    found = compare([make_run(tmp_path / "a", Made(shift=TWO))], groups=["plain", "good"])
    by = rows(found)
    assert by["reflection_share"]["verdict"] == "better"
    assert by["reflection_share"]["value"] == pytest.approx(0.15, abs=0.03)
    assert by["insist_rate"]["verdict"] == "better", "lower is better there"
    assert by["insist_rate"]["value"] < 0
    assert by["therapist_words_per_turn"]["verdict"] == "higher", "neither way is better"
    assert {by[f"{SKILL} {rung}"]["verdict"] for rung in ("show", "resume", "sustain")} == {"better"}
    assert only(found)["pairing"] == "same patient and epoch"
    assert by["reflection_share"]["n"] == 24
    assert (by["insist_rate"]["n"], by["insist_rate"]["n_total"]) == (12, 24)
    assert "12 no denominator" in by["insist_rate"]["detail"]
    assert by["stayed"]["verdict"] == "no difference shown"


@pytest.mark.parametrize("paired", [True, False])
def test_exchanging_a_and_b_changes_the_sign_and_nothing_else(tmp_path: Path, paired: bool) -> None:
    a = make_run(tmp_path / "a", Made())
    others = tuple(f"q{i}" for i in range(12)) if not paired else Made().patients
    b = make_run(tmp_path / "b", Made(shift={"good.v1": 0.15}, patients=others))
    there, back = rows(compare([a, b])), rows(compare([b, a]))
    turned = {"better": "worse", "worse": "better", "higher": "lower", "lower": "higher"}
    assert there.keys() == back.keys()
    for name, row in there.items():
        other = back[name]
        assert row["value"] == pytest.approx(-other["value"])
        assert row["p"] == pytest.approx(other["p"], rel=1e-9 if paired else 0.2, abs=1e-3)
        assert row["paired"] is paired
        if row["low"] is not None:
            assert row["low"] == pytest.approx(-other["high"], abs=1e-9)
        assert turned.get(row["verdict"], row["verdict"]) == other["verdict"]
        assert (row["n"], row["units"], row["a"], row["b"]) == (other["n"], other["units"], other["b"], other["a"])


def test_the_order_of_sessions_and_moments_moves_nothing(tmp_path: Path) -> None:
    a = make_run(tmp_path / "a", Made(shift=TWO))
    shuffled = make_run(tmp_path / "b", Made(shift=TWO, order=5))
    groups = ["plain", "good"]
    assert only(compare([a], groups=groups))["rows"] == only(compare([shuffled], groups=groups))["rows"]


def test_a_margin_makes_equivalence_sayable_and_only_then(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "a", Made(shift={"one.v1": 0.0, "other.v1": 0.0}))
    assert "equivalent" not in only(compare([folder]))["counts"]
    by = rows(compare([folder], margins=["0.1"]))
    assert by["reflection_share"]["verdict"] == "equivalent"
    assert by["therapist_words_per_turn"]["margin"] is None, "a share's margin says nothing about words"
    by = rows(compare([folder], margins=["therapist_words_per_turn=3"]))
    assert by["therapist_words_per_turn"]["verdict"] == "equivalent"
    assert by["reflection_share"]["verdict"] == "no difference shown"


def test_few_patients_are_never_called_equivalent_nor_different(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "a", Made(shift=TWO, patients=("x", "y", "z")))
    assert set(only(compare([folder], margins=["0.5"]))["counts"]) == {"no difference shown"}


def test_worse_within_a_margin_does_not_fail(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "a", Made(shift=TWO))
    assert "reflection_share" in compare([folder], groups=["good", "plain"])["failed"]
    found = compare([folder], groups=["good", "plain"], margins=["0.3"])
    assert found["failed"] == []
    assert rows(found)["reflection_share"]["verdict"] == "worse"
    assert rows(found)["reflection_share"]["within_margin"]


def test_the_correction_is_over_all_that_is_compared(tmp_path: Path) -> None:
    a, b = (make_run(tmp_path / x, Made(shift=TWO)) for x in "ab")
    found = compare([a, b])
    assert [c["a"]["label"] for c in found["comparisons"]] == ["good", "plain"]
    given = [r for c in found["comparisons"] for r in c["rows"] if r["p"] is not None]
    assert found["family"] == len(given) == 14
    assert "14 differences" in found["correction"]
    assert all(r["p_adjusted"] >= r["p"] for r in given)


def test_other_seeds_pair_patients_by_their_means(tmp_path: Path) -> None:
    a, b = make_run(tmp_path / "a"), make_run(tmp_path / "b", Made(seed=2))
    found = compare([a, b])
    assert only(found)["pairing"] == "same patient"
    assert any("other seeds (1 in A, 2 in B)" in note for note in only(found)["notes"])
    assert {r["n"] for r in only(found)["rows"]} == {12}
    assert "without a common moment" in rows(found)[f"{SKILL} show"]["detail"]


def test_other_versions_are_refused_by_name(tmp_path: Path) -> None:
    a = make_run(tmp_path / "a")
    found = compare([a, make_run(tmp_path / "b", Made(weights="dd" * 8))])
    assert (
        "therapist_behaviour.v1 (aaaaaaaa) in A and by therapist_behaviour.v1 (dddddddd) in B"
        in (why(found)["reflection_share"])
    )
    assert "disclosure_reply" in why(found)[SKILL]
    assert set(rows(found)) == {"stayed", "therapist_words_per_turn"}
    metrics = {"reflection_share": 2, "insist_rate": 1, "stayed": 1}
    said = why(compare([a, make_run(tmp_path / "c", Made(metrics=metrics))]))
    assert said["reflection_share"] == "other versions of the measure: v1 in A, v2 in B"
    assert said["therapist_words_per_turn"].startswith("measured in A only")
    said = why(compare([a, make_run(tmp_path / "d", Made(turns=20))]))
    assert "10 therapist turns in A and 20 in B" in said["stayed"]
    said = why(compare([a, make_run(tmp_path / "e", Made(reference="advisor.v1"))]))
    assert said[f"{SKILL} resume"] == "the replayed histories were led by reflector.v1 in A and by advisor.v1 in B"
    said = why(compare([a, make_run(tmp_path / "f", Made(ladder=False))]))
    assert said["the ladder"].startswith("B has none")


def test_a_patient_of_another_version_is_another_patient(tmp_path: Path) -> None:
    found = compare([make_run(tmp_path / "a"), make_run(tmp_path / "b", Made(case_of={"p00": "2"}))])
    assert {r["units"] for r in only(found)["rows"]} == {11}
    assert any("stateful.v1:p00" in note for note in only(found)["notes"])


def test_losing_patients_cannot_make_b_better(tmp_path: Path) -> None:
    a, b = make_run(tmp_path / "a"), make_run(tmp_path / "b", Made(left=True))
    row = rows(compare([a, b]))["reflection_share"]
    assert row["verdict"] == "worse"
    spec = METRICS.get("reflection_share.v1").spec
    assert counted(0.8, spec, left=True, attended=5, planned=10) == pytest.approx(0.4)
    assert counted(0.8, spec, left=True, attended=10, planned=10) == 0.8


def test_groups_of_transcripts_are_not_paired(tmp_path: Path) -> None:
    made = Made(shift={"high": 0.15, "low": 0.0}, played=False)
    folder = make_run(tmp_path / "a", made)
    for by in (None, "quality"):
        found = compare([folder], by=by)
        assert (only(found)["a"]["label"], only(found)["pairing"]) == ("high", "not paired")
        row = rows(found)["reflection_share"]
        assert (row["verdict"], row["n"], row["units"]) == ("worse", 48, 24)
        assert "the ladder" in why(found)
    with pytest.raises(UsageError, match="cannot be grouped by 'colour'"):
        compare([folder], by="colour")


def test_the_same_transcripts_scored_twice_are_paired(tmp_path: Path) -> None:
    made = Made(shift={"high": 0.15}, played=False)
    a, b = make_run(tmp_path / "a", made), make_run(tmp_path / "b", made)
    assert only(compare([a, b]))["pairing"] == "same transcript"
    c = make_run(tmp_path / "c", replace(made, source="ee"))
    assert only(compare([a, c]))["pairing"] == "not paired"


def test_mistakes_are_named_with_a_remedy(tmp_path: Path) -> None:
    a, b = make_run(tmp_path / "a", Made(shift=TWO | {"bad.v1": -0.1})), make_run(tmp_path / "b")
    for arguments, words in (
        (([a],), "holds 3 groups"),
        (([a, tmp_path],), "no run.json"),
        (([a / "run.json", b],), "is a file"),
        (([a, b, b],), "give two run folders"),
    ):
        with pytest.raises(UsageError, match=words):
            compare(*arguments)
    for more, words in (
        ({"groups": ["god", "plain"]}, "did you mean 'good.v1'"),
        ({"groups": ["plain", "plain"]}, "both names mean"),
        ({"groups": ["plain", "good", "bad"]}, "3 groups were named"),
        ({"groups": ["plain", "good"], "margins": ["-1"]}, "above 0"),
        ({"groups": ["plain", "good"], "margins": ["stayd=.1"]}, "did you mean 'stayed'"),
    ):
        with pytest.raises(UsageError, match=words):
            compare([a], **more)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="name one of each"):
        compare([make_run(tmp_path / "c", Made(shift={"x.v1": 0, "y.v1": 0})), a])
    (b / "sessions.parquet").write_bytes(b"PAR1 nonsense PAR1")
    with pytest.raises(FormatError, match="is damaged"):
        compare([a, b], groups=["plain"])
    (b / "sessions.parquet").unlink()
    with pytest.raises(UsageError, match=r"sessions.parquet is missing"):
        compare([a, b], groups=["plain"])


def test_null_columns_are_unscored_not_zero(tmp_path: Path) -> None:
    a, b = make_run(tmp_path / "a"), make_run(tmp_path / "b")
    table = pq.read_table(b / "sessions.parquet")
    at = table.schema.get_field_index("reflection_share")
    pq.write_table(table.set_column(at, "reflection_share", pa.nulls(len(table))), b / "sessions.parquet")
    row = rows(compare([a, b]))["reflection_share"]
    assert (row["value"], row["verdict"], row["code"], row["p"]) == (None, "unscored", "empty", None)
