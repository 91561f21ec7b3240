"""Who loses where, and who is dominated: on values whose answer is plain."""

from __future__ import annotations

import numpy as np

from turnwise.batteries.ladder.losing import _ahead, beyond, dominated_by, losses, sustained
from turnwise.batteries.ladder.moments import Cell

P = "abcdefgh"


def _same(value: float) -> dict[str, float]:
    return dict.fromkeys(P, value)


def test_who_ties_does_not_lose() -> None:
    values = {"attune": {"x": _same(0.5), "y": _same(0.5)}}
    (found,) = losses(values, {"x": ["attune"]})
    assert found.loses is False
    assert found.by.value == 0.0


def test_a_lead_that_one_patient_makes_is_no_loss() -> None:
    values = {"attune": {"x": _same(0.5), "y": _same(0.5) | {"a": 1.0}}}
    (found,) = losses(values, {"x": ["attune"]})
    assert found.best == "y"
    assert found.loses is False


def test_a_sure_difference_that_does_not_matter_is_none() -> None:
    values = {"attune": {"x": _same(0.53), "y": _same(0.5)}}
    (found,) = losses(values, {"y": ["attune"]})
    assert found.loses is False
    assert dominated_by(values, "y") is None
    values["guide"] = {"x": _same(0.5), "y": _same(0.6)}
    assert dominated_by(values, "x") == "y", "its lead of .03 does not save it"


def test_nobody_is_measured_by_who_was_built_to_please_there() -> None:
    values = {"bond: warmth_level": {"good": _same(0.3), "sweet": _same(0.9), "other": _same(0.3)}}
    lures = {"sweet": ["bond: warmth_level"]}
    (found,) = losses(values, {"good": ["bond: warmth_level"]}, lures=lures)
    assert (found.best, found.loses) == ("other", False)
    (alone,) = losses(
        values | {"bond: warmth_level": {"good": _same(0.3), "sweet": _same(0.9)}},
        {"good": ["bond: warmth_level"]},
        lures=lures,
    )
    assert alone.loses is None


def test_a_trade_is_no_domination() -> None:
    values = {"attune": {"x": _same(1.0), "y": _same(0.0)}, "guide": {"x": _same(0.0), "y": _same(1.0)}}
    assert dominated_by(values, "x") is None
    assert dominated_by(values, "y") is None
    values["yield"] = {"x": _same(1.0), "y": _same(0.0)}
    assert dominated_by(values, "y") is None, "still better at guide"
    del values["guide"]
    assert dominated_by(values, "y") == "x"


def test_a_lead_that_thirty_places_bring_by_chance_saves_nobody() -> None:
    """One place in thirty lies beyond a 95 % interval by chance; a lead that is sure of all together still counts."""
    rng = np.random.default_rng(5)
    patients = [f"p{i}" for i in range(16)]

    def values(luck: np.ndarray) -> dict[str, float]:
        return dict(zip(patients, map(float, luck), strict=True))

    met = {f"skill{i}": {t: values(rng.normal(0.5, 0.15, 16)) for t in ("good", "bad")} for i in range(30)}
    met["provide"] = {"good": values(rng.normal(0.9, 0.05, 16)), "bad": values(rng.normal(0.2, 0.05, 16))}
    leads = [beyond(_ahead(by["good"], by["bad"], 0)) for by in met.values()].count(-1)
    assert leads >= 1, "some place is led by chance"
    assert dominated_by(met, "bad") == "good"
    met["attune"] = {"good": values(rng.normal(0.5, 0.05, 16)), "bad": values(rng.normal(0.7, 0.05, 16))}
    assert dominated_by(met, "bad") is None


def test_what_never_came_counts_as_not_met() -> None:
    came = Cell("t", "p", 0, "k", "hint", "infer", "sustain", True, 3, 1.0)
    never = Cell("t", "p", 0, "l", "hint", "infer", "sustain", True, 9, 0.0, reached=False)
    unread = Cell("t", "p", 0, "m", "hint", "infer", "sustain", True, 5, None, "no_reading")
    assert sustained([came, never, unread]) == {"infer": {"t": {"p": 0.5}}}


def test_what_never_came_is_no_figure_where_nothing_was_read() -> None:
    never = Cell("t", "p", 0, "l", "hint", "infer", "sustain", True, 9, 0.0, reached=False)
    unread = Cell("t", "p", 0, "m", "hint", "infer", "sustain", True, 5, None, "undetermined")
    assert sustained([never, unread]) == {}


def test_who_avoided_moments_dominates_nobody() -> None:
    high, low = dict.fromkeys("12345", 1.0), dict.fromkeys("12345", 0.0)
    values = {"guide": {"x": high, "y": low}}
    every = frozenset((p, 0, k) for p in "12345" for k in "ab")
    few = frozenset((p, 0, "a") for p in "12345")
    assert dominated_by(values, "y", met={"guide": {"x": every, "y": every}}) == "x"
    assert dominated_by(values, "y", met={"guide": {"x": few, "y": every}}) is None
    assert dominated_by(values, "y", met={"guide": {"x": every, "y": few}}) == "x"
