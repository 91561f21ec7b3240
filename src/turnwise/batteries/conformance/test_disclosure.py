"""When guarded things are told, and what is too soon."""

from __future__ import annotations

import pytest

from turnwise.batteries.conformance.disclosure import first_told, levels_of, told_too_soon, usual_turn
from turnwise.batteries.conformance.test_made_sessions import Line, made, replies, said
from turnwise.core.nouns import Case, Intake, Trajectory

LEVELS = {"open": 0, "guarded": 2, "secret": 3}


def told(*names: str, kind: str = "tell") -> Trajectory:
    lines: list[Line] = [("Words.", said(kind, name)) for name in names]
    return replies(*lines)


@pytest.mark.parametrize(
    ("names", "soon"),
    [
        (["open"] * 3 + ["guarded"], 0.0),
        (["open"] * 2 + ["guarded"], 1.0),
        (["open"] * 10 + ["secret"], 0.0),
        (["open"] * 9 + ["secret"], 1.0),
        (["open"] * 20, 0.0),
    ],
)
def test_the_edges_of_too_soon(names: list[str], soon: float) -> None:
    assert told_too_soon([told(*names)], LEVELS)[:2] == (soon, 1)


def test_answers_about_danger_are_never_too_soon() -> None:
    assert told_too_soon([told("secret", kind="risk")], LEVELS).value == 0.0
    assert first_told(told("secret", kind="risk"), LEVELS, 2) is None


def test_the_usual_turn_is_a_median_over_sessions_that_got_there() -> None:
    ts = [told("open", "guarded"), told("open", "open", "open", "secret"), told("open")]
    assert usual_turn(ts, LEVELS, 2)[:2] == (3.0, 2)
    assert usual_turn(ts, LEVELS, 2).detail == "told in 2 of 3 sessions, first at turn 2"
    assert usual_turn([told("open")], LEVELS, 2).code == "no_denominator"


def test_without_truth_there_is_no_verdict() -> None:
    assert told_too_soon([made("Hi.", "Hi.")], LEVELS).code == "needs_truth"
    assert told_too_soon([told("open")], {}).code == "needs_truth"
    assert usual_turn([made("Hi.", "Hi.")], LEVELS, 2).code == "needs_truth"


def test_levels_come_from_the_case() -> None:
    truth = {"tellings": [{"id": "a", "level": 2}, {"id": "b", "level": 0}]}
    case = Case(id="c", intake=Intake(), truth=truth, source="x", licence="x")
    assert levels_of(case) == {"a": 2, "b": 0}
    assert levels_of(case.model_copy(update={"truth": {}})) == {}
