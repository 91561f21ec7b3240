"""Foils against what they declare: where they must lose, and where they were built to please."""

from __future__ import annotations

from typing import Any

from turnwise.batteries.ladder.two_readers import orders
from turnwise.core.registry import METRICS, Entry
from turnwise.engine.discovery import discover
from turnwise.engine.instrument_check import instrument_check, panel_values

P = "abcdefg"
HIGH, LOW = dict.fromkeys(P, 0.9), dict.fromkeys(P, 0.2)


def checked(patients: str = P, lead: float = 0.9) -> dict[str, object]:
    discover()
    some = {k: v for k, v in HIGH.items() if k in patients}
    worse = {k: v for k, v in LOW.items() if k in patients}
    skills = {"attune": {"socratic.v1": some, "hotline.v1": worse}}
    warm = {"socratic.v1": worse, "hotline.v1": dict.fromkeys(patients, lead)}
    return instrument_check(skills, {"bond: warmth_level": warm})


def test_a_lure_shields_from_nothing_but_itself() -> None:
    found = checked()
    assert found["dominated_by"] == {"hotline.v1": "socratic.v1", "socratic.v1": None}
    assert found["dominated_everywhere"]["hotline.v1"] is None  # type: ignore[index]
    assert [(x["where"], x["leads"]) for x in found["lures"]] == [("bond: warmth_level", True)]  # type: ignore[attr-defined]


def test_a_lure_that_does_not_work_says_so() -> None:
    assert [x["leads"] for x in checked(lead=0.2)["lures"]] == [False]  # type: ignore[attr-defined]


def test_under_five_patients_nothing_is_concluded() -> None:
    found = checked("abcd")
    attune = next(x for x in found["losses"] if x["where"] == "attune")  # type: ignore[attr-defined]
    assert attune["loses"] is None
    assert attune["by"]["n"] == 4
    assert found["lures"][0]["leads"] is None  # type: ignore[index]
    assert found["dominated_by"] == {"hotline.v1": None, "socratic.v1": None}


def test_a_flip_needs_both_intervals() -> None:
    wavering = dict(zip(P, (0.0, 1.0, 0.1, 0.9, 0.2, 0.8, 0.45), strict=True))
    even = dict.fromkeys(P, 0.5)
    [pair] = orders({"guide": {"x": HIGH, "y": LOW}}, {"guide": {"x": wavering, "y": even}})
    assert (pair.order, pair.raw_flip) == ("open", True)


class EverybodyTheSame:
    """Stands for a summary: one therapist, one patient, one value of everything."""

    def values(self, entry: Entry[Any]) -> list[tuple[str, str, float]]:
        return [("x", "p", 0.5)]


def test_a_measure_of_some_ruptures_only_ranks_nobody() -> None:
    discover()
    found = panel_values(EverybodyTheSame())  # type: ignore[arg-type]
    assert "bond: resolution_rate" in found
    assert "bond: repair_latency" not in found
    for entry in METRICS.newest():
        assert entry.spec["given"] is None or any(e.base == entry.spec["given"] for e in METRICS.newest())
