from __future__ import annotations

import pytest

from turnwise.apps.report_evidence import evidence
from turnwise.core.registry import METRICS, READERS
from turnwise.engine.discovery import discover

KINDS = {"labels", "exchange", "read", "truth", "speaker", "last", "all"}


def test_every_registered_measure_points_at_turns_that_can_exist() -> None:
    discover()
    labels = {e.spec["item"]: (set(e.spec["labels"]), e.spec["reads"]) for e in READERS.newest()}
    assert METRICS.newest()
    for entry in METRICS.newest():
        rule = evidence(entry.base, entry.spec)
        assert rule["kind"] in KINDS
        assert rule["kind"] != "all", f"{entry.name} should say which turns it came from"
        assert rule["words"]
        if rule["kind"] == "labels":
            known, reads = labels[rule["item"]]
            assert {*rule["hit"], *(rule["base"] or ())} <= known
            assert reads in (rule["words"] + rule["base_words"]) or rule["base"] is not None
        for item in rule.get("items", ()):
            assert item in labels


@pytest.mark.parametrize("needs", [("reading:somebodys_coder",), ("reading:a", "reading:b")])
def test_a_measure_nobody_knew_shows_the_turns_its_coders_read(needs: tuple[str, ...]) -> None:
    rule = evidence("new_measure", {"needs": needs})
    assert rule["kind"] == "read"
    assert rule["items"] == [need.partition(":")[2] for need in needs]
    assert all(item in rule["words"] for item in rule["items"])


def test_truth_comes_before_readings() -> None:
    rule = evidence("new_measure", {"needs": ("reading:a", "truth:state.trust", "truth:state.shame")})
    assert (rule["kind"], rule["keys"]) == ("truth", ["trust", "shame"])
